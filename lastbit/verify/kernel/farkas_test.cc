#include "lastbit/verify/kernel/farkas.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace lastbit::verify {
namespace farkas_test {

// Symbols 0 and 1 are positive, 2 and 3 may be anything.
const std::vector<Symbol> kSymbols = {{"p", false, true}, {"q", false, true}, {"x"}, {"y"}};
const Polynomial kOne{Rational(1)};
const Polynomial kP = Polynomial::symbol(0);
const Polynomial kX = Polynomial::symbol(2);
const Polynomial kY = Polynomial::symbol(3);

Term times(const Rational& coefficient, std::vector<std::size_t> facts, Monomial factor = {}) {
  return {coefficient, std::move(facts), std::move(factor)};
}

bool shows(std::vector<Fact> facts, Fact goal, std::vector<Term> terms) {
  return follows({kSymbols, std::move(facts), std::move(goal), ""}, {std::move(terms)});
}

TEST(FarkasTest, SumsOfFactsFollow) {
  const std::vector<Fact> facts = {{kX - kOne, Sign::kNonNegative}, {kY, Sign::kPositive}};
  EXPECT_TRUE(shows(facts, {kX, Sign::kNonNegative}, {times(1, {0})}));
  EXPECT_TRUE(shows(facts, {kX, Sign::kPositive}, {times(1, {0})}));  // 1 remains
  EXPECT_TRUE(shows(facts, {kX + kY - kOne, Sign::kPositive}, {times(1, {0}), times(1, {1})}));
  EXPECT_FALSE(shows(facts, {kX - kOne, Sign::kPositive}, {times(1, {0})}));
  EXPECT_FALSE(shows(facts, {kX, Sign::kNonNegative}, {}));
  EXPECT_FALSE(shows(facts, {-kX, Sign::kNonNegative}, {times(-1, {0})}));
  EXPECT_FALSE(shows(facts, {kX, Sign::kNonNegative}, {times(2, {0})}));
}

TEST(FarkasTest, ProductsOfFactsFollow) {
  const std::vector<Fact> facts = {{kX, Sign::kNonNegative}, {kY, Sign::kPositive}};
  EXPECT_TRUE(shows(facts, {kX * kY, Sign::kNonNegative}, {times(1, {0, 1})}));
  EXPECT_FALSE(shows(facts, {kX * kY, Sign::kPositive}, {times(1, {0, 1})}));
  EXPECT_TRUE(shows(facts, {kY * kY, Sign::kPositive}, {times(1, {1, 1})}));
  EXPECT_TRUE(shows(facts, {kY * kY * kY, Sign::kPositive}, {times(1, {1, 1, 1})}));
  EXPECT_FALSE(shows(facts, {kY * kY * kY * kY, Sign::kPositive}, {times(1, {1, 1, 1, 1})}));
}

TEST(FarkasTest, PositiveMonomialsMultiplyFacts) {
  const std::vector<Fact> facts = {{kX, Sign::kNonNegative}};
  const Monomial p{{{0, 1}}};
  const Monomial over_p{{{0, -1}}};
  const Monomial x{{{2, 1}}};
  EXPECT_TRUE(shows(facts, {kP * kX, Sign::kNonNegative}, {times(1, {0}, p)}));
  EXPECT_TRUE(shows(facts, {kX * Polynomial::term(Rational(1), over_p), Sign::kNonNegative},
                    {times(1, {0}, over_p)}));
  EXPECT_FALSE(shows(facts, {kX * kX, Sign::kNonNegative}, {times(1, {0}, x)}));
  EXPECT_FALSE(shows(facts, {kP * kX, Sign::kNonNegative}, {times(-1, {0}, p)}));
}

TEST(FarkasTest, EquationsTakeAnyMultiplier) {
  const std::vector<Fact> facts = {{kX - kY, Sign::kZero}, {kY, Sign::kNonNegative}};
  const Monomial y{{{3, 1}}};
  const Monomial over_y{{{3, -1}}};
  EXPECT_TRUE(shows(facts, {kY - kX, Sign::kNonNegative}, {times(-1, {0})}));
  EXPECT_TRUE(shows(facts, {kX, Sign::kNonNegative}, {times(1, {0}), times(1, {1})}));
  EXPECT_TRUE(shows(facts, {kX * kY - kY * kY, Sign::kNonNegative}, {times(1, {0}, y)}));
  EXPECT_TRUE(shows(facts, {kX * kY - kY * kY, Sign::kNonNegative}, {times(1, {0, 1})}));
  // Nothing may be divided by something that may be 0, not even an equation.
  EXPECT_FALSE(shows(facts, {Polynomial::term(Rational(1), over_y) * (kX - kY), Sign::kNonNegative},
                     {times(1, {0}, over_y)}));
  EXPECT_FALSE(shows(facts, {kX - kY, Sign::kPositive}, {times(1, {0})}));
}

TEST(FarkasTest, RemaindersArePositiveByTheirForm) {
  EXPECT_TRUE(shows({}, {kP, Sign::kPositive}, {}));
  EXPECT_TRUE(shows({}, {kP + kOne, Sign::kNonNegative}, {}));
  EXPECT_TRUE(shows({}, {Polynomial(), Sign::kNonNegative}, {}));
  EXPECT_FALSE(shows({}, {Polynomial(), Sign::kPositive}, {}));
  EXPECT_FALSE(shows({}, {-kP, Sign::kNonNegative}, {}));
  EXPECT_FALSE(shows({}, {kP - kOne, Sign::kNonNegative}, {}));
  EXPECT_FALSE(shows({}, {kX * kX, Sign::kNonNegative}, {}));
  EXPECT_FALSE(shows({}, {Polynomial(), Sign::kZero}, {}));  // equalities are two inequalities
}

TEST(FarkasTest, ContradictionsAreStrict) {
  const std::vector<Fact> facts = {
      {kX, Sign::kNonNegative}, {-kX, Sign::kNonNegative}, {-kX, Sign::kPositive}};
  EXPECT_FALSE(shows(facts, absurd(), {times(1, {0}), times(1, {1})}));
  EXPECT_TRUE(shows(facts, absurd(), {times(1, {0}), times(1, {2})}));
  EXPECT_FALSE(shows(facts, absurd(), {}));
  EXPECT_FALSE(shows(facts, absurd(), {times(0, {2})}));
}

TEST(FarkasTest, ReasonsSpeakOfWhatExists) {
  const std::vector<Fact> facts = {{kX, Sign::kNonNegative}};
  const Fact goal{kX, Sign::kNonNegative};
  EXPECT_FALSE(shows(facts, goal, {times(1, {1})}));
  EXPECT_FALSE(shows(facts, goal, {times(1, {std::size_t{1} << 60})}));
  for (const SymbolId symbol : {4, 1 << 20, -1}) {
    EXPECT_FALSE(shows(facts, goal, {times(1, {0}, Monomial{{{symbol, 1}}})}));
    EXPECT_FALSE(shows(facts, goal, {times(0, {0}, Monomial{{{symbol, 1}}})}));
  }
}

// Whatever follows is true wherever the facts are: checked at points that satisfy the facts.
RC_GTEST_PROP(FarkasTest, WhatFollowsIsTrueWhereTheFactsAre, ()) {
  const auto number = [](int low, int high) { return Rational(*rc::gen::inRange(low, high)); };
  const std::vector<Rational> point = {number(1, 4), number(1, 4), number(-3, 4), number(-3, 4)};
  std::map<SymbolId, Polynomial> at;
  for (int i = 0; i < 4; ++i) at[i] = point[static_cast<std::size_t>(i)];
  const auto is_true = [&](const Fact& fact) {
    return holds({fact.value.substitute(at), fact.sign}).value_or(false);
  };
  // A fact of each sign that is true at the point, often only just.
  Obligation obligation{kSymbols, {}, {}, ""};
  for (const Sign sign : {Sign::kZero, Sign::kNonNegative, Sign::kPositive}) {
    const Polynomial linear = Polynomial(number(-2, 3)) * kX + Polynomial(number(-2, 3)) * kY +
                              Polynomial(number(-1, 2)) * kP;
    const Rational least(sign == Sign::kPositive ? 1 : 0);
    const Rational slack = sign == Sign::kZero ? Rational(0) : least + number(0, 2);
    obligation.facts.push_back({linear - linear.substitute(at) + Polynomial(slack), sign});
    RC_ASSERT(is_true(obligation.facts.back()));
  }
  Reason reason;
  Polynomial sum = Polynomial(number(-1, 3));
  const int terms = *rc::gen::inRange(0, 4);
  for (int i = 0; i < terms; ++i) {
    Term term = times(number(-1, 3), {});
    const int facts = *rc::gen::inRange(0, 3);
    for (int j = 0; j < facts; ++j) {
      term.facts.push_back(*rc::gen::inRange<std::size_t>(0, obligation.facts.size()));
    }
    if (*rc::gen::inRange(0, 3) == 0) term.factor = Monomial{{{*rc::gen::inRange(0, 3), 1}}};
    Polynomial product = Polynomial::term(term.coefficient, term.factor);
    for (const std::size_t fact : term.facts) product = product * obligation.facts[fact].value;
    sum += product;
    reason.terms.push_back(term);
  }
  obligation.goal = {sum, static_cast<Sign>(*rc::gen::inRange(1, 3))};
  const bool shown = follows(obligation, reason);
  RC_CLASSIFY(shown);
  if (shown) RC_ASSERT(is_true(obligation.goal));
}

}  // namespace farkas_test
}  // namespace lastbit::verify
