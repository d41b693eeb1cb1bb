// Programs written in C++, for the tests of this module. Not installed.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lastbit/verify/logic/program.h"

namespace lastbit::verify::testing {

inline Expression make(Operator op, std::vector<Expression> operands) {
  Expression result;
  result.op = op;
  result.operands = std::move(operands);
  return result;
}
inline Expression number(const Rational& value) {
  Expression result;
  result.number = value;
  return result;
}
inline Expression variable(const std::string& name) {
  Expression result;
  result.op = Operator::kVariable;
  result.name = name;
  return result;
}
inline Expression entry(const std::string& list, Expression index) {
  Expression result = make(Operator::kEntry, {std::move(index)});
  result.name = list;
  return result;
}
inline Expression plus(Expression a, Expression b) {
  return make(Operator::kAdd, {std::move(a), std::move(b)});
}
inline Expression over(Expression a, Expression b) {
  return make(Operator::kDivide, {std::move(a), std::move(b)});
}
Statement says(auto what) {
  Statement statement;
  statement.what = std::move(what);
  return statement;
}
inline Statement let(const std::string& name, Expression value) {
  return says(Assign{name, std::move(value)});
}
inline Statement draw(const std::string& name, Sampler sampler,
                      std::vector<Expression> arguments = {}) {
  return says(Sample{name, sampler, std::move(arguments)});
}
inline Statement output(Expression value) { return says(Output{std::move(value), false}); }

// program: all variables are real, except that `q` is a list of length `n`.
inline Program program(const std::vector<std::string>& parameters,
                       const std::vector<std::string>& locals, Block body) {
  Program result;
  const auto declare = [](std::vector<Parameter>& list, const std::string& name) {
    Parameter parameter;
    parameter.name = name;
    if (name == "q") parameter.length = "n";
    list.push_back(parameter);
  };
  for (const std::string& name : parameters) declare(result.parameters, name);
  for (const std::string& name : locals) declare(result.locals, name);
  result.body = std::move(body);
  return result;
}

}  // namespace lastbit::verify::testing
