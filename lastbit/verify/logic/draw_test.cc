// The rules for draws: what each leaves, what it owes, what it refuses.
#include <gtest/gtest.h>

#include <memory>

#include "lastbit/verify/lang/parser.h"
#include "lastbit/verify/logic/calculus_test_support.h"

namespace lastbit::verify {
namespace draw_test {

Goal begin(const std::string& body, const std::string& claim = "eps") {
  const std::string text =
      "mechanism m(f: real, k: int, x: bool, eps: real, D: real, n: int) requires eps > 0 "
      "adjacent |f.1 - f.2| <= 1, |k.1 - k.2| <= 1, x.1 == x.2 claims " +
      claim + " {" + body + "}";
  Obligations obligations;
  Goal goal = start(std::make_shared<const Program>(parse_program(text)), false, obligations);
  EXPECT_TRUE(obligations.kept.empty());
  return goal;
}

Polynomial symbol(const Goal& goal, const std::string& name) {
  for (std::size_t i = 0; i < goal.symbols.size(); ++i) {
    if (goal.symbols[i].name == name) return Polynomial::symbol(static_cast<SymbolId>(i));
  }
  ADD_FAILURE() << "there is no symbol " << name;
  return {};
}
Polynomial over(const Goal& goal, const std::string& name) {
  return Polynomial::term(Rational(1), inverse(symbol(goal, name).terms().begin()->first));
}
const Polynomial kOne{Rational(1)};

TEST(CoupleTest, LaplaceNoiseIsShiftedAtACost) {
  const Goal goal = begin("y <- laplace(2 / eps); output f + y;");
  ASSERT_EQ(waiting_for(goal), Waiting::kDraw);
  EXPECT_EQ(show(goal.symbols, goal.draw->rate), "0.5*eps");
  const Polynomial by = symbol(goal, "f.1") - symbol(goal, "f.2");
  const Applied shifted = applied(goal, Couple{.shift = {by, symbol(goal, "eps")}});
  EXPECT_EQ(values_of(shifted.only(), "y"), (Texts{"y", "f.1 - f.2 + y"}));
  EXPECT_EQ(show(shifted.only().symbols, shifted.only().spent), "eps");
  EXPECT_EQ(shifted.owed(), (Texts{"-0.5*f.1*eps + 0.5*f.2*eps + eps >= 0",
                                   "0.5*f.1*eps - 0.5*f.2*eps + eps >= 0"}));
  EXPECT_EQ(waiting_for(shifted.only()), Waiting::kOutput);
  const Goal kept = after(goal, Couple{});
  EXPECT_EQ(values_of(kept, "y"), (Texts{"y", "y"}));
}

TEST(CoupleTest, CostsAddUp) {
  const Goal first = begin(
      "a <- laplace(1 / eps); b <- exponential(1 / eps); c <- uniform(0, 1);"
      "s <- sign(); d <- bernoulli(logistic(D)); output 1;");
  const Step dear = Couple{.shift = {kOne, symbol(first, "eps")}};
  const Goal three = after(after(after(first, dear), dear), dear);
  EXPECT_EQ(show(three.symbols, three.spent), "3*eps");
  for (const Goal& sign : applied(three, CoupleCoin{true}).goals) {
    EXPECT_EQ(show(sign.symbols, sign.spent), "3*eps");
    const Applied coin = applied(sign, CoupleCoin{true});
    EXPECT_EQ(show(sign.symbols, coin.goals.at(0).spent), "3*eps + D");
    EXPECT_EQ(show(sign.symbols, coin.goals.at(1).spent), "3*eps - D");
  }
}

TEST(CoupleTest, ScalesOweThatTheyArePositive) {
  const Goal first = begin("a <- laplace(1 / eps); y <- laplace(D); output y;");
  const Applied second = applied(first, Couple{});
  EXPECT_EQ(second.owed(), (Texts{"D > 0", "D > 0"}));
  EXPECT_EQ(facts_of(second.only()).back(), "-1 + D*1/d = 0");
}

TEST(CoupleTest, PositiveNoiseStaysInItsSupport) {
  for (const std::string noise : {"exponential", "geometric"}) {
    const Goal goal = begin("y <- " + noise + "(1 / eps); output y;");
    EXPECT_EQ(facts_of(goal).back(), "y >= 0");
    const Applied down = applied(goal, Couple{.shift = {-kOne, -symbol(goal, "eps")}});
    EXPECT_EQ(down.owed(), (Texts{"-1 + y >= 0"}));  // the cost may be negative
    const Applied up = applied(goal, Couple{.shift = {kOne, Polynomial()}});
    EXPECT_EQ(up.owed(), (Texts{"-eps >= 0", "1 + y >= 0"}));
  }
}

TEST(CoupleTest, WholeNoiseIsShiftedByWholeNumbers) {
  for (const std::string noise : {"geometric", "discrete_laplace"}) {
    const Goal goal = begin("y <- " + noise + "(1 / eps); output y;");
    const Shift half{Polynomial(rational("1/2")), symbol(goal, "eps")};
    const Shift real{symbol(goal, "f.1"), symbol(goal, "eps")};
    const Shift whole{symbol(goal, "k.1") - symbol(goal, "k.2"), symbol(goal, "eps")};
    EXPECT_EQ(problem(goal, Couple{.shift = half}), "whole noise is shifted by a fraction");
    EXPECT_EQ(problem(goal, Couple{.shift = real}), "whole noise is shifted by a fraction");
    EXPECT_EQ(problem(goal, Couple{.shift = whole}), "accepted");
  }
}

TEST(CoupleTest, UniformDrawsAreScaledTowardsZero) {
  const Goal goal = begin("u <- uniform(0, 1); z := ln(u); output z;");
  const Applied scaled = applied(goal, Couple{.shift = {symbol(goal, "D"), symbol(goal, "eps")}});
  EXPECT_EQ(scaled.owed(), (Texts{"D >= 0", "eps - D >= 0"}));
  EXPECT_EQ(values_of(scaled.only(), "u"), (Texts{"u", "u.2"}));
  EXPECT_EQ(values_of(scaled.only(), "z"), (Texts{"ln(u)", "-D + ln(u)"}));
  const Goal same = after(goal, Couple{});
  EXPECT_EQ(values_of(same, "z"), (Texts{"ln(u)", "ln(u)"}));
}

TEST(CoupleTest, ShiftsAreDeterminedBeforeTheDraw) {
  const char* const refusal = "a coupling depends on the draw that it couples";
  for (const std::string noise : {"laplace(1 / eps)", "exponential(1 / eps)", "geometric(1 / eps)",
                                  "discrete_laplace(1 / eps)", "uniform(0, 1)"}) {
    const Goal goal = begin("y <- " + noise + "; output y;");
    const Polynomial y = symbol(goal, "y");
    EXPECT_EQ(problem(goal, Couple{.shift = {-y, {}}}), refusal) << noise;
    EXPECT_EQ(problem(goal, Couple{.shift = {y * symbol(goal, "eps"), {}}}), refusal);
    EXPECT_EQ(problem(goal, SplitSign{y}), refusal);
    EXPECT_EQ(problem(goal, Mention{.op = Operator::kAbs, .arguments = {y}}), refusal);
    EXPECT_EQ(problem(goal, Couple{.shift = {{}, y * y}}), "accepted");  // its cost may depend on y
    if (noise == "uniform(0, 1)") {
      EXPECT_EQ(problem(goal, Couple{.shift = {-symbol(goal, "ln(y)"), {}}}), refusal);
      EXPECT_EQ(problem(goal, SplitSign{symbol(goal, "ln(y)") + kOne}), refusal);
    } else {
      const Fact test{y, Sign::kPositive};
      EXPECT_EQ(problem(goal, Couple{.shift = {}, .test = test, .otherwise = Shift{y, {}}}),
                refusal);
    }
  }
}

TEST(CoupleTest, PolynomialsFromOutsideSpeakOfWhatExists) {
  const Goal goal = begin("y <- laplace(1 / eps); output y;");
  const Shift none{};
  const auto refusals = [&](const Polynomial& value) {
    return Texts{problem(goal, Couple{.shift = {value, {}}}),
                 problem(goal, Couple{.shift = {{}, value}}),
                 problem(goal, Couple{none, Fact{value, Sign::kPositive}, none}),
                 problem(goal, Couple{none, Fact{kOne, Sign::kPositive}, Shift{value, {}}}),
                 problem(goal, SplitSign{value}),
                 problem(goal, Mention{.op = Operator::kAbs, .arguments = {value}})};
  };
  const std::string unknown = "an expression speaks of a symbol that does not exist";
  const auto next = static_cast<SymbolId>(goal.symbols.size());
  EXPECT_EQ(refusals(Polynomial::symbol(next)), Texts(6, unknown));
  EXPECT_EQ(refusals(Polynomial::symbol(1 << 30)), Texts(6, unknown));
  EXPECT_EQ(refusals(Polynomial::symbol(-1)), Texts(6, unknown));
  EXPECT_EQ(refusals(over(goal, "D")), Texts(6, "an expression divides by what may be 0"));
  EXPECT_EQ(refusals(over(goal, "eps")), Texts(6, "accepted"));
}

TEST(ChoiceTest, LeavesAGoalForEachOutcomeAndOwesThatDrawsDoNotMeet) {
  const Goal goal = begin("y <- laplace(1 / eps); output y;");
  const Polynomial y = symbol(goal, "y");
  const Applied choice =
      applied(goal, Couple{.shift = {kOne, symbol(goal, "eps")},
                           .test = Fact{y - symbol(goal, "D"), Sign::kNonNegative},
                           .otherwise = Shift{}});
  ASSERT_EQ(choice.goals.size(), 2U);
  EXPECT_EQ(facts_of(choice.goals[0]).back(), "-D + y >= 0");
  EXPECT_EQ(values_of(choice.goals[0], "y"), (Texts{"y", "1 + y"}));
  EXPECT_EQ(facts_of(choice.goals[1]).back(), "D - y > 0");
  EXPECT_EQ(values_of(choice.goals[1], "y"), (Texts{"y", "y"}));
  EXPECT_TRUE(choice.goals[1].spent.is_zero());
  const Obligation& meet = choice.obligations.kept.front();
  EXPECT_EQ(meet.goal, absurd());
  Texts facts;
  for (const Fact& fact : meet.facts) facts.push_back(show(meet.symbols, fact));
  EXPECT_EQ(Texts(facts.end() - 3, facts.end()),
            (Texts{"-D + y >= 0", "D - y* > 0", "1 + y - y* = 0"}));
}

TEST(ChoiceTest, TestsAreInequalitiesOfNoise) {
  const Goal goal = begin("y <- laplace(1 / eps); output y;");
  const Fact equal{symbol(goal, "y"), Sign::kZero};
  const Fact above{symbol(goal, "y"), Sign::kPositive};
  EXPECT_EQ(problem(goal, Couple{{}, equal, Shift{}}), "a choice needs an inequality");
  EXPECT_EQ(problem(goal, Couple{{}, above, std::nullopt}), "a choice needs two shifts of noise");
  const Goal uniform = begin("y <- uniform(0, 1); output y;");
  EXPECT_EQ(problem(uniform, Couple{{}, Fact{symbol(uniform, "y"), Sign::kPositive}, Shift{}}),
            "a choice needs two shifts of noise");
}

TEST(CoinTest, FacesAreKeptOrExchangedAtTheirOdds) {
  const Goal goal = begin("b <- bernoulli(logistic(eps)); if b { output 1; } else { output 0; }");
  const Applied kept = applied(goal, CoupleCoin{});
  ASSERT_EQ(kept.goals.size(), 2U);
  EXPECT_EQ(values_of(kept.goals[0], "b"), (Texts{"1", "1"}));
  EXPECT_EQ(values_of(kept.goals[1], "b"), (Texts{"0", "0"}));
  EXPECT_TRUE(kept.goals[0].spent.is_zero() && kept.goals[1].spent.is_zero());
  const Applied swapped = applied(goal, CoupleCoin{true});
  ASSERT_EQ(swapped.goals.size(), 2U);
  EXPECT_EQ(values_of(swapped.goals[0], "b"), (Texts{"1", "0"}));
  EXPECT_EQ(values_of(swapped.goals[1], "b"), (Texts{"0", "1"}));
  EXPECT_EQ(show(swapped.goals[0].symbols, swapped.goals[0].spent), "eps");
  EXPECT_EQ(show(swapped.goals[1].symbols, swapped.goals[1].spent), "-eps");
}

TEST(CoinTest, OddsOfNumbersAreLogarithms) {
  const auto costs = [](const std::string& p) {
    const Goal goal = begin("b <- bernoulli(" + p + "); if b { output 1; } else { output 0; }");
    const Applied swapped = applied(goal, CoupleCoin{true});
    const Goal& one = swapped.goals.at(0);
    return show(one.symbols, one.spent) +
           (one.functions.empty() ? ""
                                  : " of " + show(one.symbols, one.functions.back().arguments[0]));
  };
  EXPECT_EQ(costs("3/4"), "ln of 3");
  EXPECT_EQ(costs("1/4"), "-ln of 3");
  EXPECT_EQ(costs("1/2"), "0");
  const Goal certain = begin("b <- bernoulli(1); output 1;");
  EXPECT_EQ(problem(certain, CoupleCoin{true}),
            "the odds of this coin are not known as a logarithm");
  EXPECT_EQ(problem(certain, CoupleCoin{}), "accepted");
}

TEST(CoinTest, ProbabilitiesOweThatTheyAreOnes) {
  const Goal first = begin("a <- laplace(1 / eps); b <- bernoulli(D); output 1;");
  EXPECT_EQ(applied(first, Couple{}).owed(), (Texts{"D >= 0", "1 - D >= 0"}));
  const Goal wrong = begin("a <- laplace(1 / eps); b <- bernoulli(1 + eps); output 1;");
  EXPECT_EQ(applied(wrong, Couple{}).owed(), (Texts{"-eps >= 0"}));
}

TEST(CoinTest, SignsAreFlippedAtNoCost) {
  const Goal goal = begin("s <- sign(); output s;");
  const Applied flipped = applied(goal, CoupleCoin{true});
  ASSERT_EQ(flipped.goals.size(), 2U);
  EXPECT_EQ(values_of(flipped.goals[0], "s"), (Texts{"1", "-1"}));
  EXPECT_EQ(values_of(flipped.goals[1], "s"), (Texts{"-1", "1"}));
  EXPECT_TRUE(flipped.goals[0].spent.is_zero() && flipped.goals[1].spent.is_zero());
}

TEST(CoinTest, NoiseIsNoCoinAndACoinNoNoise) {
  EXPECT_EQ(problem(begin("y <- laplace(1 / eps); output y;"), CoupleCoin{}),
            "this draw is not a coin");
  EXPECT_EQ(problem(begin("b <- bernoulli(1/2); output 1;"), Couple{}),
            "a coin is coupled by its faces");
  EXPECT_EQ(problem(begin("s <- sign(); output 1;"), Couple{}), "a coin is coupled by its faces");
}

TEST(DrawTest, ParametersAreTheSameInBothRuns) {
  const Goal goal = begin("a <- laplace(1 / eps); y <- laplace(1 + f * f); output y;");
  EXPECT_EQ(problem(goal, Couple{}), "the two runs may draw with different parameters");
}

TEST(GiveUpTest, AddsTheProbabilityToDelta) {
  const Goal goal =
      begin("b <- bernoulli(1/8); if b { output f; } else { output 0; }", "eps, delta 1/4");
  const Applied given_up = applied(goal, GiveUp{});
  EXPECT_EQ(values_of(given_up.only(), "b"), (Texts{"0", "0"}));
  EXPECT_EQ(given_up.only().spent_delta, Polynomial(rational("1/8")));
  EXPECT_TRUE(given_up.obligations.kept.empty());  // 1/4 - 1/8 is positive by its form
  const Goal poor = begin("b <- bernoulli(1/2); output 1;", "eps, delta 1/4");
  EXPECT_EQ(applied(poor, GiveUp{}).owed(), (Texts{"-0.25 >= 0"}));
}

TEST(GiveUpTest, ProbabilitiesAddUp) {
  const Goal goal = begin("b <- bernoulli(1/8); c <- bernoulli(1/4); output 1;", "eps, delta 1/4");
  const Applied second = applied(after(goal, GiveUp{}), GiveUp{});
  EXPECT_EQ(second.only().spent_delta, Polynomial(rational("3/8")));
  EXPECT_EQ(second.owed(), (Texts{"-0.125 >= 0"}));
}

TEST(GiveUpTest, IsForBernoulliDrawsOutsideLoopsAndPointwiseProofs) {
  const char* const refusal = "only a Bernoulli draw outside loops and PW-EQ can be given up";
  EXPECT_EQ(problem(begin("s <- sign(); output 1;"), GiveUp{}), refusal);
  EXPECT_EQ(problem(begin("y <- laplace(1 / eps); output 1;"), GiveUp{}), refusal);
  const std::string coin = "b <- bernoulli(1/8);";
  EXPECT_EQ(problem(after(begin(coin + "output 1;"), Pointwise{}), GiveUp{}), refusal);
  const Goal loop = begin("for i in 0 .. n {" + coin + "} output 1;", "0, delta 1");
  const Applied inside = applied(loop, UseInvariant{.disjuncts = {Disjunct{}}});
  ASSERT_EQ(inside.goals.size(), 2U);
  ASSERT_EQ(waiting_for(inside.goals[1]), Waiting::kDraw);
  EXPECT_EQ(problem(inside.goals[1], GiveUp{}), refusal);
  const Goal given_up = after(begin(coin + "output 1;", "0, delta 1"), GiveUp{});
  EXPECT_EQ(problem(given_up, Pointwise{}),
            "PW-EQ needs a program with one output, at its end, and delta = 0");
}

TEST(IntroduceLaplaceTest, ReplacesTheTwoDrawsByOne) {
  for (const std::string draws :
       {"u <- uniform(0, 1); s <- sign();", "s <- sign(); u <- uniform(0, 1);"}) {
    for (const std::string noise : {"s * ln(u) / eps", "-ln(u) * s * (1 / eps)"}) {
      const Goal goal = begin(draws + "z := " + noise + "; output f + z;");
      const Goal laplace = after(goal, IntroduceLaplace{2});
      ASSERT_EQ(waiting_for(laplace), Waiting::kDraw);
      EXPECT_EQ(laplace.draw->sampler, Sampler::kLaplace);
      EXPECT_EQ(laplace.draw->name, "z");
      EXPECT_EQ(show(laplace.symbols, laplace.draw->rate), "eps");
      EXPECT_FALSE(laplace.values.contains("u") || laplace.values.contains("s"));
      // Nothing may mention what was replaced.
      const Polynomial old = Polynomial::symbol(goal.draw->symbol);
      const char* const refusal = "an expression speaks of a draw that was replaced";
      EXPECT_EQ(problem(laplace, Couple{.shift = {old, {}}}), refusal);
      EXPECT_EQ(problem(laplace, Couple{.shift = {{}, old}}), refusal);
      EXPECT_EQ(problem(laplace, SplitSign{old}), refusal);
      if (goal.draw->sampler == Sampler::kUniform) {
        EXPECT_EQ(problem(laplace, SplitSign{symbol(goal, "ln(u)")}), refusal);
      }
    }
  }
}

TEST(IntroduceLaplaceTest, OweThatTheScaleIsPositive) {
  const Goal goal = begin("u <- uniform(0, 1); s <- sign(); z := s * ln(u) * D; output z;");
  const Applied laplace = applied(goal, IntroduceLaplace{2});
  EXPECT_EQ(laplace.owed(), (Texts{"D > 0", "D > 0"}));
}

TEST(IntroduceLaplaceTest, RefusesWhatIsNotLaplaceNoise) {
  const auto refusal = [](const std::string& body, std::size_t statements) {
    return problem(begin(body + "output z;"), IntroduceLaplace{statements});
  };
  const std::string u = "u <- uniform(0, 1);";
  const std::string s = "s <- sign();";
  const char* const not_laplace = "this is not Laplace noise";
  const char* const no_multiple = "this is not a multiple of s * ln(u)";
  EXPECT_EQ(refusal(u + "v <- uniform(0, 1); z := ln(u) * ln(v);", 2), not_laplace);
  EXPECT_EQ(refusal(u + "s <- bernoulli(1/2); z := ln(u);", 2), not_laplace);
  EXPECT_EQ(refusal(u + s + "v <- uniform(0, 1); z := s * ln(u) / eps;", 3), not_laplace);
  EXPECT_EQ(refusal(u + s + "output 1; z := s * ln(u) / eps;", 3), not_laplace);
  EXPECT_EQ(refusal(u + s + "if x { z := 1; } z := s * ln(u) / eps;", 3), not_laplace);
  EXPECT_EQ(refusal(u + "z := ln(u) / eps;", 1), not_laplace);
  EXPECT_EQ(refusal("y <- laplace(1 / eps); s <- sign(); z := y * s;", 2), not_laplace);
  EXPECT_EQ(refusal(u + s + "z := ln(u) / eps;", 2), no_multiple);
  EXPECT_EQ(refusal(u + s + "z := s * ln(u) / eps + 1;", 2), no_multiple);
  EXPECT_EQ(refusal(u + s + "z := s * s * ln(u) / eps;", 2), no_multiple);
  EXPECT_EQ(refusal(u + s + "z := s * ln(u) * ln(u);", 2), no_multiple);
  EXPECT_EQ(refusal(u + s + "z := s * ln(u) - s * ln(u);", 2), no_multiple);
  EXPECT_EQ(refusal(u + s + "z := s * ln(u) * u;", 2), "the scale depends on the draw");
  const char* const unknown = "an expression speaks of a symbol that does not exist";
  EXPECT_EQ(refusal(u + s + "z := s * ln(u) * exp(u);", 2), unknown);  // a function of the draw
  EXPECT_EQ(refusal(u + s + "z := s * ln(u) / (1 + u);", 2), unknown);
  EXPECT_EQ(refusal(u + s + "z := s * ln(u) * f;", 2), "the two runs scale the noise differently");
  EXPECT_EQ(refusal(u + s + "z := s * ln(u) / eps;", 0), "there are not that many statements");
  EXPECT_EQ(refusal(u + s + "z := s * ln(u) / eps;", 4), "there are not that many statements");
  EXPECT_EQ(refusal(u + s + "z := s * ln(u) / eps;", 3), not_laplace);
  EXPECT_EQ(refusal(u + s + "z := s * ln(u) / eps;", 1), not_laplace);
  EXPECT_EQ(problem(begin("output 1;"), IntroduceLaplace{1}), "there is no draw here");
}

TEST(IntroduceLaplaceTest, AVariableOfALoopMustNotLoseItsValue) {
  const Goal goal = begin(
      "u := 1; for i in 0 .. n { u <- uniform(0, 1); s <- sign(); z := s * ln(u) / eps; } output "
      "1;");
  const Applied loop = applied(goal, UseInvariant{.disjuncts = {{{std::nullopt}, {}, {}}}});
  const Goal pass = after(after(loop.goals.at(1), IntroduceLaplace{2}), Couple{});
  EXPECT_EQ(problem(pass, Repeat{}), "a variable of a loop has lost its value");
}

TEST(IntroduceLaplaceTest, WhatWasReplacedHasNoValueAnyMore) {
  const std::string noise = "u <- uniform(0, 1); s <- sign(); t := 2 * u; z := s * ln(u) / eps;";
  for (const std::string name : {"u", "s", "t"}) {
    const Goal laplace = after(begin(noise + "output " + name + ";"), IntroduceLaplace{3});
    const Goal drawn = after(laplace, Couple{});
    EXPECT_EQ(problem(drawn, Emit{}), "a variable may have no value here") << name;
  }
  // A variable that is computed from other things in between keeps its value.
  const Goal kept = after(begin("u <- uniform(0, 1); s <- sign(); t := 2 * eps; z := s * ln(u) / t;"
                                "output t;"),
                          IntroduceLaplace{3});
  EXPECT_EQ(values_of(kept, "t"), (Texts{"2*eps", "2*eps"}));
}

}  // namespace draw_test
}  // namespace lastbit::verify
