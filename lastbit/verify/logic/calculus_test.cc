// The rules for programs: what each leaves, what it owes, what it refuses.
#include "lastbit/verify/logic/calculus.h"

#include <gtest/gtest.h>

#include <memory>

#include "lastbit/base/test_support.h"
#include "lastbit/verify/lang/parser.h"
#include "lastbit/verify/logic/small_mechanism_test_support.h"

namespace lastbit::verify {
namespace calculus_test {

Goal begin_text(const std::string& text, bool swapped = false) {
  Obligations obligations;
  return start(std::make_shared<const Program>(parse_program(text)), swapped, obligations);
}
Goal begin(const std::string& body) { return begin_text(mechanism(body)); }

TEST(StartTest, InputsBecomeSymbolsAndAdjacencyFacts) {
  const Goal goal = begin_text(
      "mechanism m(f: real, g: real, b: bool, n: int, c: real[n], eps: real)"
      " requires eps > 0, n >= 1 adjacent |f.1 - f.2| <= g, one c.1 <= c.2 claims 2 * eps, delta "
      "1/8"
      " { output 1; }");
  EXPECT_EQ(values_of(goal, "f"), (Texts{"f.1", "f.2"}));
  EXPECT_EQ(values_of(goal, "g"), (Texts{"g", "g"}));
  EXPECT_EQ(facts_of(goal), (Texts{"b >= 0", "1 - b >= 0", "eps > 0", "-1 + n >= 0",
                                   "-f.1 + f.2 + g >= 0", "f.1 - f.2 + g >= 0", "J >= 0"}));
  EXPECT_EQ(show(goal.symbols, goal.claimed_epsilon), "2*eps");
  EXPECT_EQ(show(goal.symbols, goal.claimed_delta), "0.125");
  EXPECT_TRUE(goal.spent.is_zero() && goal.spent_delta.is_zero());
  for (const Symbol& symbol : goal.symbols) {
    EXPECT_EQ(symbol.is_positive, symbol.name == "eps" || symbol.name == "n") << symbol.name;
    EXPECT_EQ(symbol.is_whole, symbol.name == "b" || symbol.name == "n" || symbol.name == "J");
  }
}

TEST(StartTest, OwesThatEntriesOutsideOfListsAreAdjacent) {
  const auto owed = [](const std::string& adjacency) {
    const std::string text = "mechanism m(q: real[n], n: int, D: real) adjacent " + adjacency +
                             " claims 1 { output 1; }";
    Applied begun;
    (void)start(std::make_shared<const Program>(parse_program(text)), false, begun.obligations);
    return begun.owed();
  };
  EXPECT_EQ(owed("every |q.1 - q.2| <= 1"), Texts{});
  EXPECT_EQ(owed("every |q.1 - q.2| <= D"), (Texts{"D >= 0", "D >= 0"}));
  EXPECT_EQ(owed("every |q.1 - q.2| < D"), (Texts{"D > 0", "D > 0"}));
  EXPECT_EQ(owed("one |q.1 - q.2| <= D"), Texts{});
}

TEST(StartTest, AdjacenciesCompareSumsAndProducts) {
  const auto refused = [](const std::string& condition) {
    const std::string text =
        "mechanism m(f: real, g: real) adjacent " + condition + " claims 1 { output 1; }";
    Obligations obligations;
    try {
      (void)start(std::make_shared<const Program>(parse_program(text)), false, obligations);
    } catch (const Error& error) {
      return error.problem();
    }
    return std::string("accepted");
  };
  const char* const refusal = "an adjacency may compare sums and products, and bound sums of |x|";
  EXPECT_EQ(refused("|f.1 - f.2| + |f.1| <= 2 * g * g"), "accepted");
  EXPECT_EQ(refused("f.1 <= floor(f.2)"), refusal);
  EXPECT_EQ(refused("g <= |f.1 - f.2|"), refusal);
  EXPECT_EQ(refused("f.1 <= f.2 / g"), refusal);
  EXPECT_EQ(refused("|f.1| + |f.1| + |f.1| + |f.1| + |f.1| + |f.1| + |f.1| <= 1"),
            "an adjacency has too many absolute values");
}

TEST(StartTest, OnlyOneSidedAdjacenciesNeedBothDirections) {
  const auto symmetric = [](const std::string& adjacency) {
    return is_symmetric(
        parse_program("mechanism m(f: real, g: real, q: real[n], n: int) adjacent " + adjacency +
                      " claims 1 { output 1; }"));
  };
  EXPECT_TRUE(symmetric("|f.1 - f.2| <= 1"));
  EXPECT_TRUE(symmetric("f.1 - f.2 <= 1 and f.2 - f.1 <= 1"));
  EXPECT_TRUE(symmetric("every |q.1 - q.2| <= g"));
  EXPECT_FALSE(symmetric("f.1 == f.2"));  // it is, but not visibly: a second proof is required
  EXPECT_FALSE(symmetric("f.1 <= f.2"));
  EXPECT_FALSE(symmetric("|f.1 - f.2| <= 1, f.1 <= f.2"));
  EXPECT_FALSE(symmetric("one q.1 <= q.2"));
  EXPECT_FALSE(symmetric("|f.1 - f.2| <= 1, every q.1 <= q.2"));
  EXPECT_FALSE(symmetric("f.1 - f.2 <= 1, f.2 - f.1 <= 2"));
}

TEST(StartTest, TheOtherDirectionExchangesTheRuns) {
  const std::string text =
      "mechanism m(f: real, c: real[n], n: int) adjacent f.1 <= f.2, one c.1 <= c.2 claims 1 { "
      "output c[0]; "
      "}";
  EXPECT_EQ(facts_of(begin_text(text)).front(), "-f.1 + f.2 >= 0");
  const Goal swapped = begin_text(text, true);
  EXPECT_EQ(facts_of(swapped).front(), "f.1 - f.2 >= 0");
  const Mention entry{.op = Operator::kEntry, .list = "c", .arguments = {Polynomial()}};
  const Applied split = applied(after(swapped, entry), SplitOne{0});
  EXPECT_EQ(facts_of(split.goals.at(1)).back(), "c[].1 - c[].2 >= 0");
}

TEST(BranchTest, TheSameConditionIsDecidedOnce) {
  const Goal goal = begin("if g < 1 { output 1; } else { output 2; }");
  const Applied branch = applied(goal, Branch{});
  ASSERT_EQ(branch.goals.size(), 2U);
  EXPECT_EQ(facts_of(branch.goals[0]).back(), "1 - g > 0");
  EXPECT_EQ(facts_of(branch.goals[1]).back(), "-1 + g >= 0");
  EXPECT_TRUE(branch.obligations.kept.empty());
  EXPECT_EQ(problem(begin("output 1;"), Branch{}), "there is no branch here");
}

TEST(BranchTest, ConditionsOfPrivateValuesLeaveFourGoals) {
  const Goal goal = begin("x := 0; if f < 1 { x := 1; } else { x := f; } output x;");
  const Applied branch = applied(goal, Branch{});
  ASSERT_EQ(branch.goals.size(), 4U);
  EXPECT_EQ(values_of(branch.goals[0], "x"), (Texts{"1", "1"}));
  EXPECT_EQ(values_of(branch.goals[1], "x"), (Texts{"f.1", "f.2"}));
  EXPECT_EQ(values_of(branch.goals[2], "x"), (Texts{"1", "f.2"}));
  EXPECT_EQ(values_of(branch.goals[3], "x"), (Texts{"f.1", "1"}));
  const Texts facts = facts_of(branch.goals[2]);
  EXPECT_EQ(Texts(facts.end() - 2, facts.end()), (Texts{"1 - f.1 > 0", "-1 + f.2 >= 0"}));
}

TEST(BranchTest, WhatOneRunDoesAloneIsBounded) {
  const auto mixed = [](const std::string& body) {
    return applied(begin("if f < 1 {" + body + "}"), Branch{}).goals.at(2);
  };
  const Goal draw = mixed("y <- laplace(1 / eps);");
  EXPECT_TRUE(draw.is_stuck);
  EXPECT_EQ(problem(draw, Couple{}), "the runs part ways here");
  EXPECT_EQ(problem(draw, Finish{}), "the runs part ways here");
  EXPECT_EQ(applied(draw, Absurd{}).obligations.kept.front().goal, absurd());
  EXPECT_EQ(problem(mixed("output 1 < 2;"), Branch{}), "accepted");
  const Goal loop = mixed("for i in 0 .. n { x := 1; }");
  EXPECT_EQ(problem(loop, UseInvariant{.disjuncts = {Disjunct{}}}), "there is no loop here");
  // Where one run gives a variable its first value, nothing is known about the other's.
  const Goal first = mixed("x := 1;");
  EXPECT_EQ(values_of(first, "x"), (Texts{"1", "x?"}));
}

TEST(BranchTest, OutputsOfDifferentBranchesAreMatchedInOrder) {
  const auto mixed = [](const std::string& text) {
    return applied(begin(text), Branch{}).goals.at(2);
  };
  // The first run outputs f.1 where the second outputs 1: they are compared.
  const Goal both = mixed("if f < 1 { output f; } else { output 1; } output 2;");
  const Applied alone = applied(both, Emit{});
  EXPECT_TRUE(alone.obligations.kept.empty());
  EXPECT_EQ(alone.goals.at(0).unmatched[0].size(), 1U);
  const Applied matched = applied(alone.goals.at(0), Emit{});
  EXPECT_EQ(matched.obligations.kept.size(), 2U);  // two inequalities
  EXPECT_TRUE(matched.goals.at(0).unmatched[0].empty());
  EXPECT_EQ(problem(applied(matched.goals.at(0), Emit{}).goals.at(0), Finish{}), "accepted");
  // An output that the other run never matches reaches neither the end nor a loop.
  const Goal one = mixed("if f < 1 { output 1; }");
  const std::string more = "one run may output more often than the other";
  EXPECT_EQ(problem(applied(one, Emit{}).goals.at(0), Finish{}), more);
  const Goal loop = mixed("if f < 1 { output 1; } for i in 0 .. n { output 1; }");
  EXPECT_EQ(problem(applied(loop, Emit{}).goals.at(0), UseInvariant{.disjuncts = {Disjunct{}}}),
            more);
}

TEST(BranchTest, NestedConditionsOfOneRunAreItsOwn) {
  const Goal outer = begin("x := 0; if f < 1 { if f < 0 { x := 1; } else { x := 2; } } output x;");
  const Applied inner = applied(applied(outer, Branch{}).goals.at(2), Branch{});
  ASSERT_EQ(inner.goals.size(), 2U);
  EXPECT_EQ(values_of(inner.goals[0], "x"), (Texts{"1", "0"}));
  EXPECT_EQ(values_of(inner.goals[1], "x"), (Texts{"2", "0"}));
  EXPECT_EQ(facts_of(inner.goals[0]).back(), "-f.1 > 0");
}

TEST(BranchTest, ConnectivesFallIntoCases) {
  const auto cases = [](const std::string& condition) {
    const Applied branch =
        applied(begin("if " + condition + " { output 1; } else { output 1; }"), Branch{});
    return branch.goals.size();
  };
  EXPECT_EQ(cases("g < 1 and t < 1"), 3U);
  EXPECT_EQ(cases("g < 1 or t < 1"), 3U);
  EXPECT_EQ(cases("not (g < 1 or t < 1)"), 3U);
  EXPECT_EQ(cases("g == 1"), 3U);
  EXPECT_EQ(cases("g != 1"), 3U);
  EXPECT_EQ(cases("b"), 2U);
  EXPECT_EQ(cases("true"), 1U);
  EXPECT_EQ(cases("1 < 2"), 1U);
  EXPECT_EQ(cases("2 <= 1"), 1U);
}

TEST(SplitSignTest, LeavesThreeGoals) {
  const Goal goal = begin("output 1;");
  const Applied real = applied(goal, SplitSign{of(goal, "g")});
  ASSERT_EQ(real.goals.size(), 3U);
  EXPECT_EQ(facts_of(real.goals[0]).back(), "-g > 0");
  EXPECT_EQ(facts_of(real.goals[1]).back(), "g = 0");
  EXPECT_EQ(facts_of(real.goals[2]).back(), "g > 0");
  const Applied whole = applied(goal, SplitSign{of(goal, "n")});
  EXPECT_EQ(facts_of(whole.goals[0]).back(), "-1 - n >= 0");
  EXPECT_EQ(facts_of(whole.goals[2]).back(), "-1 + n >= 0");
}

TEST(OutputTest, OutputsAreEqual) {
  const Goal goal = begin("output f; output g < 1;");
  const Applied emitted = applied(goal, Emit{});
  EXPECT_EQ(emitted.owed(), (Texts{"-f.1 + f.2 >= 0", "f.1 - f.2 >= 0"}));
  EXPECT_EQ(waiting_for(emitted.only()), Waiting::kBranch);  // output of a condition
  EXPECT_EQ(problem(goal, Finish{}), "the program has not ended here");
  EXPECT_EQ(problem(goal, Couple{}), "there is no draw here");
  const Applied finished = applied(begin(""), Finish{});
  EXPECT_TRUE(finished.goals.empty());
  EXPECT_EQ(problem(begin(""), Emit{}), "there is no output here");
}

TEST(OutputTest, WhatOneRunOutputsWaitsForTheOther) {
  const auto mixed = [](const std::string& body) {
    return applied(begin("if f < 1 { output g; } else { output t; }" + body), Branch{}).goals.at(2);
  };
  const Applied first = applied(mixed(""), Emit{});
  EXPECT_EQ(first.owed(), Texts{});
  EXPECT_EQ(problem(first.only(), Finish{}), "the program has not ended here");
  const Applied both = applied(first.only(), Emit{});
  EXPECT_EQ(both.owed(), (Texts{"-g + t >= 0", "g - t >= 0"}));
  EXPECT_EQ(problem(both.only(), Finish{}), "accepted");
  // In the order of output, whatever lies in between.
  const Applied later = applied(after(mixed("output eps;"), Emit{}), Emit{});
  EXPECT_EQ(applied(later.only(), Emit{}).owed(), Texts{});
}

TEST(OutputTest, BothRunsOutputEquallyOften) {
  const char* const refusal = "one run may output more often than the other";
  const auto ahead = [](const std::string& body) {
    const Applied branch = applied(begin("if f < 1 { output 1; }" + body), Branch{});
    return Texts{problem(after(branch.goals.at(2), Emit{}), Finish{}),
                 problem(after(branch.goals.at(3), Emit{}), Finish{})};
  };
  EXPECT_EQ(ahead(""), (Texts{refusal, refusal}));
  const Goal run1 =
      after(applied(begin("if f < 1 { output 1; } output 1;"), Branch{}).goals.at(2), Emit{});
  const Applied one_more = applied(run1, Emit{});
  EXPECT_EQ(one_more.owed(), Texts{});  // the second run's output meets the first of the first run
  EXPECT_EQ(problem(one_more.only(), Finish{}), refusal);
  const Goal loop = after(
      applied(begin("if f < 1 { output 1; } for i in 0 .. n { z := 1; }"), Branch{}).goals.at(2),
      Emit{});
  EXPECT_EQ(problem(loop, UseInvariant{.disjuncts = {Disjunct{}}}), refusal);
  const Goal body = begin("for i in 0 .. n { if f < 1 { output 1; } }");
  const Goal pass = applied(body, UseInvariant{.disjuncts = {Disjunct{}}}).goals.at(1);
  EXPECT_EQ(problem(after(applied(pass, Branch{}).goals.at(2), Emit{}), Repeat{}), refusal);
}

TEST(OutputTest, TheEndOwesTheClaim) {
  const Goal goal = begin("y <- laplace(1 / eps);");
  const Polynomial eps = of(goal, "eps");
  const auto owed = [&](const Polynomial& cost) {
    return applied(after(goal, Couple{.shift = {{}, cost}}), Finish{}).owed();
  };
  EXPECT_EQ(owed({}), Texts{});
  EXPECT_EQ(owed(eps), Texts{});
  EXPECT_EQ(owed(eps + eps), (Texts{"-eps >= 0"}));
}

TEST(PointwiseTest, LooksAtOneResultOfTheFirstRun) {
  const Goal goal = after(begin("x := floor(f); output x;"), Pointwise{});
  const Goal assumed = after(goal, Emit{});
  EXPECT_EQ(facts_of(assumed).back(), "floor - result = 0");
  EXPECT_EQ(waiting_for(assumed), Waiting::kOutput);
  const Applied shown = applied(assumed, Emit{});
  EXPECT_EQ(shown.owed(), (Texts{"floor'2 - result >= 0", "-floor'2 + result >= 0"}));
  EXPECT_EQ(waiting_for(shown.only()), Waiting::kEnd);
}

TEST(PointwiseTest, NeedsOneWholeResultAtTheEnd) {
  const char* const refusal = "PW-EQ needs a program with one output, at its end, and delta = 0";
  EXPECT_EQ(problem(begin(""), Pointwise{}), refusal);
  EXPECT_EQ(problem(begin("output 1; output 2;"), Pointwise{}), refusal);
  EXPECT_EQ(problem(begin("output 1; x := 1;"), Pointwise{}), refusal);
  EXPECT_EQ(problem(begin("if b { output 1; }"), Pointwise{}), refusal);
  EXPECT_EQ(problem(begin("for i in 0 .. n { output 1; }"), Pointwise{}), refusal);
  EXPECT_EQ(problem(begin("if b { output 1; } output 1;"), Pointwise{}), refusal);
  const Goal goal = after(begin("output 1;"), Pointwise{});
  EXPECT_EQ(problem(goal, Pointwise{}), refusal);
  EXPECT_EQ(problem(after(begin("output f;"), Pointwise{}), Emit{}), "PW-EQ needs whole results");
  EXPECT_EQ(problem(after(begin("output k;"), Pointwise{}), Emit{}), "accepted");
  EXPECT_EQ(problem(after(begin("output k / 2;"), Pointwise{}), Emit{}),
            "PW-EQ needs whole results");
}

TEST(AbsurdTest, OwesAContradictionAndLeavesNothing) {
  const Applied none = applied(begin("output f;"), Absurd{});
  EXPECT_TRUE(none.goals.empty());
  ASSERT_EQ(none.obligations.kept.size(), 1U);
  EXPECT_EQ(none.obligations.kept[0].goal, absurd());
}

TEST(RuleTest, StepsHaveTheNamesOfTheirRules) {
  const auto rule = [](const std::string& sampler, const Step& step) {
    return rule_of(begin("y <- " + sampler + "; output 1;"), step);
  };
  const Step shift = Couple{.shift = {kOne, kOne}};
  EXPECT_EQ(rule("laplace(1 / eps)", shift), Rule::kLaplaceShift);
  EXPECT_EQ(rule("laplace(1 / eps)", Couple{}), Rule::kLaplaceNull);
  EXPECT_EQ(rule("exponential(1 / eps)", shift), Rule::kExponentialShift);
  EXPECT_EQ(rule("geometric(1 / eps)", shift), Rule::kGeometricShift);
  EXPECT_EQ(rule("discrete_laplace(1 / eps)", shift), Rule::kDiscreteLaplaceShift);
  EXPECT_EQ(rule("discrete_laplace(1 / eps)", Couple{}), Rule::kNull);
  EXPECT_EQ(rule("uniform(0, 1)", shift), Rule::kUniformScale);
  EXPECT_EQ(rule("sign()", CoupleCoin{true}), Rule::kSignFlip);
  EXPECT_EQ(rule("bernoulli(1/3)", CoupleCoin{true}), Rule::kBernoulliSwap);
  EXPECT_EQ(rule("bernoulli(1/3)", CoupleCoin{}), Rule::kNull);
  EXPECT_EQ(rule("bernoulli(1/3)", GiveUp{}), Rule::kUpToBad);
  EXPECT_EQ(rule("laplace(1)", Couple{{}, absurd(), Shift{}}), Rule::kLaplaceChoice);
  for (const RuleStatement& statement : rule_table()) {
    EXPECT_EQ(rule_of_name(statement.name), statement.rule);
    EXPECT_EQ(statement_of(statement.rule).name, statement.name);
    EXPECT_TRUE(statement.proof.starts_with("proofs/coupling.md#"));
  }
  EXPECT_EQ(rule_of_name("NONE"), std::nullopt);
}

TEST(ProgramTest, WordsAndCountsFitTheOperators) {
  EXPECT_EQ(function_name(Operator::kAbs), "abs");
  EXPECT_EQ(function_name(Operator::kLogistic), "logistic");
  EXPECT_EQ(function_name(Operator::kModulo), "");
  EXPECT_EQ(function_name(Operator::kLess), "");
  EXPECT_EQ(function_name(Operator::kNumber), "");
  EXPECT_EQ(argument_count(Operator::kEntry), 1);
  EXPECT_EQ(argument_count(Operator::kNegate), 1);
  EXPECT_EQ(argument_count(Operator::kModulo), 2);
  EXPECT_EQ(argument_count(Operator::kClamp), 3);
  EXPECT_EQ(argument_count(Operator::kRoundTowardZero), 2);
  EXPECT_EQ(argument_count(Operator::kFloor), 1);
  EXPECT_EQ(argument_count(Operator::kNotEqual), 2);
  EXPECT_EQ(argument_count(Operator::kOr), 2);
  EXPECT_EQ(argument_count(Operator::kNot), 1);
  EXPECT_EQ(sampler_name(Sampler::kDiscreteLaplace), "discrete_laplace");
  EXPECT_EQ(type_name(Type::kReal), "real");
}

}  // namespace calculus_test
}  // namespace lastbit::verify
