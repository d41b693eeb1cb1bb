// What the tests of the calculus share: goals of small programs, and what steps do to them. Not
// installed.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/verify/logic/calculus.h"

namespace lastbit::verify {

// show: a polynomial or fact with the names of its symbols: "f.1 - 2*eta*eps^-1 >= 0".
inline std::string show(const std::vector<Symbol>& symbols, const Polynomial& value) {
  std::string text;
  for (const auto& [monomial, coefficient] : value.terms()) {
    std::string term;
    for (const auto& [symbol, exponent] : monomial.powers) {
      if (!term.empty()) term += "*";
      term += symbols.at(static_cast<std::size_t>(symbol)).name;
      if (exponent != 1) term += "^" + std::to_string(exponent);
    }
    const Rational size = abs(coefficient);
    if (term.empty() || size != Rational(1)) {
      term = size.to_string() + (term.empty() ? "" : "*" + term);
    }
    const bool negative = coefficient.sign() < 0;
    if (text.empty()) {
      text = (negative ? "-" : "") + term;
    } else {
      text += (negative ? " - " : " + ") + term;
    }
  }
  return text.empty() ? "0" : text;
}
inline std::string show(const std::vector<Symbol>& symbols, const Fact& fact) {
  const char* const sign = fact.sign == Sign::kZero       ? " = 0"
                           : fact.sign == Sign::kPositive ? " > 0"
                                                          : " >= 0";
  return show(symbols, fact.value) + sign;
}
using Texts = std::vector<std::string>;
inline Texts facts_of(const Goal& goal) {
  Texts texts;
  for (const Fact& fact : goal.facts) texts.push_back(show(goal.symbols, fact));
  return texts;
}
// values_of: the two values of a variable.
inline Texts values_of(const Goal& goal, const std::string& name) {
  const auto& values = goal.values.at(name);
  return {show(goal.symbols, values[0]), show(goal.symbols, values[1])};
}

struct Applied {
  std::vector<Goal> goals;
  Obligations obligations;
  Texts owed() const {
    Texts texts;
    for (const Obligation& o : obligations.kept) texts.push_back(show(o.symbols, o.goal));
    return texts;
  }
  // only: the goal, if exactly one is left.
  const Goal& only() const {
    EXPECT_EQ(goals.size(), 1U);
    return goals.at(0);
  }
};
inline Applied applied(const Goal& goal, const Step& step) {
  Applied result;
  result.goals = apply(goal, step, result.obligations);
  return result;
}
inline Goal after(const Goal& goal, const Step& step) { return applied(goal, step).only(); }
// problem: why a step does not fit; "accepted" when it does.
inline std::string problem(const Goal& goal, const Step& step) {
  try {
    applied(goal, step);
  } catch (const Error& error) {
    EXPECT_TRUE(error.code() == ErrorCode::kMismatch || error.code() == ErrorCode::kNotSupported)
        << error.what();
    return error.problem();
  }
  return "accepted";
}

}  // namespace lastbit::verify
