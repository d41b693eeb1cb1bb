#include "lastbit/verify/lang/expression_types.h"

#include <fmt/core.h>

#include "lastbit/base/text.h"
#include "lastbit/verify/lang/words.h"

namespace lastbit::verify {
namespace {

std::string_view kind_name(Kind kind) {
  return kind == Kind::kTruth ? "a truth value" : "a number";
}

bool is_number_at_most_zero(const Expression& expression) {
  return expression.op == Operator::kNumber && expression.number.sign() <= 0;
}

}  // namespace

void ExpressionTypes::expect(Kind kind, const Expression& expression, Place place) {
  const Kind found = check(expression, place);
  if (found == kind) return;
  const std::string_view remedy =
      kind == Kind::kTruth ? "compare it with something, as in x > 0"
                           : "choose a number by its truth: if b { x := 1; } else { x := 0; }";
  throw source_.error(
      expression.at,
      fmt::format("found {} where {} was expected", kind_name(found), kind_name(kind)), remedy);
}

void ExpressionTypes::expect_whole(const Expression& expression, Place place,
                                   std::string_view what) {
  expect(Kind::kNumber, expression, place);
  demands_.push_back({&expression, what});
}

Kind ExpressionTypes::check(const Expression& expression, Place place) {
  switch (expression.op) {
    case Operator::kNumber:
      return Kind::kNumber;
    case Operator::kBoolean:
      return Kind::kTruth;
    case Operator::kVariable:
      return variable(expression, place);
    case Operator::kEntry:
      entry(expression, place);
      return Kind::kNumber;
    case Operator::kModulo:
      for (const Expression& operand : expression.operands) {
        expect_whole(operand, place, "an operand of %");
      }
      break;
    case Operator::kEqual:
    case Operator::kNotEqual:
      expect(check(expression.operands[0], place), expression.operands[1], place);
      return Kind::kTruth;
    case Operator::kAnd:
    case Operator::kOr:
    case Operator::kNot:
      for (const Expression& operand : expression.operands) expect(Kind::kTruth, operand, place);
      return Kind::kTruth;
    default:
      for (const Expression& operand : expression.operands) expect(Kind::kNumber, operand, place);
  }
  check_possible(expression);
  return is_comparison(expression.op) ? Kind::kTruth : Kind::kNumber;
}

const NameInfo& ExpressionTypes::known(const Expression& expression) const {
  const NameInfo* symbol = symbols_.find(expression.name);
  if (symbol != nullptr) return *symbol;
  throw source_.error(
      expression.at, fmt::format("there is no variable {}", quote(expression.name)),
      did_you_mean(expression.name, symbols_.names(), "declare a parameter or assign it first"));
}

Kind ExpressionTypes::variable(const Expression& expression, Place place) const {
  const NameInfo& symbol = known(expression);
  const std::string name = quote(symbol.name);
  const auto refuse = [&](std::string_view problem, std::string_view remedy) {
    throw source_.error(expression.at, fmt::format("{} {}", name, problem), remedy);
  };
  if (expression.side != 0) {
    // Whether the clause fits the parameter has been checked; entries of lists are numbers.
    return Kind::kNumber;
  }
  if (symbol.is_list) {
    refuse("is a list", fmt::format("read one entry of it: {}[i]", symbol.name));
  }
  if (place == Place::kBody) {
    if (symbol.is_parameter || assigned_[symbol.local]) return symbol.kind();
    if (symbol.is_counter) refuse("is read outside its loop", "copy it to a variable in the loop");
    refuse("may be read before it is assigned", "assign it on every path that leads here");
  }
  if (!symbol.is_parameter) {
    refuse("is a variable of the body", "only parameters can be used here");
  }
  if (!symbol.is_private) return symbol.kind();
  if (place == Place::kAdjacency) {
    refuse("differs between the two runs",
           fmt::format("say which run: {}.1 or {}.2", symbol.name, symbol.name));
  }
  refuse("is private", "use parameters that no adjacency names");
  return symbol.kind();
}

void ExpressionTypes::entry(const Expression& expression, Place place) {
  const NameInfo& symbol = known(expression);
  if (!symbol.is_list) {
    throw source_.error(expression.at, fmt::format("{} is not a list", quote(symbol.name)),
                        "remove the index, or declare the list as in q: real[n]");
  }
  if (place == Place::kAdjacency) {
    throw source_.error(expression.at, "an adjacency speaks about one entry",
                        fmt::format("write `every` or `one` and {}.1, {}.2 for the entries",
                                    symbol.name, symbol.name));
  }
  if (place == Place::kPublic) {
    throw source_.error(expression.at, "an entry of a list stands where only scalars may",
                        "add a parameter for it");
  }
  expect_whole(expression.operands[0], place, "an index");
}

// Operations that are impossible for all values of the variables.
void ExpressionTypes::check_possible(const Expression& expression) const {
  const auto refuse_if = [&](const Expression& operand, bool bad, std::string_view problem,
                             std::string_view remedy) {
    if (bad) throw source_.error(operand.at, problem, remedy);
  };
  const auto& operands = expression.operands;
  switch (expression.op) {
    case Operator::kDivide:
      refuse_if(operands[1], operands[1].op == Operator::kNumber && operands[1].number.sign() == 0,
                "division by 0", "divide by something else");
      break;
    case Operator::kModulo:
      refuse_if(operands[1], is_number_at_most_zero(operands[1]), "% by a number that is not > 0",
                "use a positive number");
      break;
    case Operator::kLn:
    case Operator::kPow2Ceil:
      refuse_if(operands[0], is_number_at_most_zero(operands[0]),
                fmt::format("{} of a number that is not > 0", function_name(expression.op)),
                "use a positive number");
      break;
    case Operator::kRound:
    case Operator::kRoundHalfEven:
    case Operator::kRoundTowardZero:
      refuse_if(operands[1], is_number_at_most_zero(operands[1]), "a grid that is not > 0",
                "round to multiples of a positive number");
      break;
    default:
      break;
  }
}

bool ExpressionTypes::depends(const Expression& expression, std::vector<std::size_t>& on) const {
  switch (expression.op) {
    case Operator::kNumber:
      return !expression.number.is_integer();
    case Operator::kVariable:
    case Operator::kEntry: {
      const NameInfo& symbol = known(expression);
      if (symbol.is_parameter) return symbol.type == Type::kReal;
      on.push_back(symbol.local);
      return false;
    }
    case Operator::kDivide:
    case Operator::kLn:
    case Operator::kExp:
    case Operator::kLogistic:
    case Operator::kPow2Ceil:
      return true;
    case Operator::kFloor:
    case Operator::kCeil:
    case Operator::kModulo:
      return false;
    case Operator::kRound:
    case Operator::kRoundHalfEven:
    case Operator::kRoundTowardZero:
      return depends(expression.operands[1], on);  // Multiples of a whole number are whole.
    default: {
      bool real = false;
      for (const Expression& operand : expression.operands) real |= depends(operand, on);
      return real;
    }
  }
}

void ExpressionTypes::check_whole() const {
  for (const auto& [expression, what] : demands_) {
    std::vector<std::size_t> on;
    bool real = depends(*expression, on);
    for (const std::size_t local : on) real |= symbols_.locals()[local]->type == Type::kReal;
    if (!real) continue;
    throw source_.error(expression->at, fmt::format("{} is a real number", what),
                        "make it whole, as floor(x) does; `/` always gives a real number");
  }
}

}  // namespace lastbit::verify
