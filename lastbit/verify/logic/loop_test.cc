// Loops: invariants, their obligations, and steps that do not fit.
#include <gtest/gtest.h>

#include <memory>

#include "lastbit/verify/lang/parser.h"
#include "lastbit/verify/logic/small_mechanism_test_support.h"

namespace lastbit::verify {
namespace loop_test {

Goal begin(const std::string& body) {
  const std::string text =
      "mechanism m(k: int, n: int, eps: real) requires eps > 0 adjacent |k.1 - k.2| <= 1 {" + body +
      "}";
  Obligations obligations;
  return start(std::make_shared<const Program>(parse_program(text)), false, obligations);
}

// A loop with one variable that had a value, one that had none, and noise.
const char* const kLoop =
    "x := 0; for i in 0 .. n while x < 2 { y <- laplace(1 / eps); x := x + 1; } output x;";

Disjunct disjunct(std::optional<Polynomial> offset, std::vector<Fact> facts = {},
                  Polynomial spent = {}) {
  return {{std::move(offset)}, std::move(facts), std::move(spent)};
}

TEST(InvariantTest, LeavesTheEndsAndOnePassOfEveryCase) {
  const Goal goal = begin(kLoop);
  const LoopHead head = loop_head(goal);
  ASSERT_EQ(head.variables.size(), 1U);
  EXPECT_EQ(head.variables[0].name, "x");
  EXPECT_EQ(head.lost, (Texts{"y"}));
  const Applied loop =
      applied(goal, UseInvariant{.disjuncts = {disjunct(Polynomial()), disjunct(std::nullopt)}});
  // With equal offsets the guards agree: the end, inside, guard false. Without, four guards.
  ASSERT_EQ(loop.goals.size(), 3U + 5U);
  EXPECT_EQ(waiting_for(loop.goals[0]), Waiting::kOutput);
  EXPECT_EQ(facts_of(loop.goals[0]).back(), "-n + i >= 0");
  EXPECT_EQ(waiting_for(loop.goals[1]), Waiting::kDraw);
  EXPECT_EQ(facts_of(loop.goals[1]).back(), "1 - x.1 >= 0");
  EXPECT_EQ(waiting_for(loop.goals[2]), Waiting::kOutput);
  EXPECT_EQ(facts_of(loop.goals[2]).back(), "-2 + x.1 >= 0");
  EXPECT_FALSE(loop.goals[5].is_stuck);
  EXPECT_TRUE(loop.goals[6].is_stuck && loop.goals[7].is_stuck);
  EXPECT_EQ(values_of(loop.goals[4], "x"), (Texts{"x.1", "x.2"}));
  EXPECT_FALSE(loop.goals[0].values.contains("y"));
}

TEST(InvariantTest, HoldsAtEntry) {
  const Goal goal = begin(kLoop);
  const Polynomial x = Polynomial::symbol(loop_head(goal).variables[0].symbols[0]);
  const Polynomial i = Polynomial::symbol(loop_head(goal).counter);
  const auto owed = [&](const Disjunct& one) {
    return applied(goal, UseInvariant{.disjuncts = {one}}).owed();
  };
  EXPECT_EQ(owed(disjunct(Polynomial())), Texts{});
  EXPECT_EQ(owed(disjunct(kOne)), (Texts{"-1 >= 0", "1 >= 0"}));
  EXPECT_EQ(owed(disjunct(Polynomial(), {{x - kOne, Sign::kNonNegative}})), (Texts{"-1 >= 0"}));
  EXPECT_EQ(owed(disjunct(Polynomial(), {{i - x, Sign::kZero}})), Texts{});
  EXPECT_EQ(owed(disjunct(Polynomial(), {}, -of(goal, "eps"))), (Texts{"-eps >= 0"}));
  EXPECT_EQ(owed(disjunct(Polynomial(), {}, i * of(goal, "eps"))), Texts{});
}

TEST(InvariantTest, IsPreservedWithItsCost) {
  const Goal goal = begin(kLoop);
  const Polynomial i = Polynomial::symbol(loop_head(goal).counter);
  const Polynomial x = Polynomial::symbol(loop_head(goal).variables[0].symbols[0]);
  const Polynomial eps = of(goal, "eps");
  const Fact counted{i - x, Sign::kZero};
  const auto owed = [&](const Polynomial& spent, const Shift& shift, std::vector<Fact> facts) {
    const Applied loop =
        applied(goal, UseInvariant{.disjuncts = {disjunct(Polynomial(), std::move(facts), spent)}});
    return applied(after(loop.goals.at(1), Couple{.shift = shift}), Repeat{}).owed();
  };
  EXPECT_EQ(owed({}, {}, {counted}), (Texts{"i - x.1 >= 0", "-i + x.1 >= 0"}));  // as before
  EXPECT_EQ(owed({}, {kOne, eps}, {}), (Texts{"-eps >= 0"}));  // a cost that nobody counts
  EXPECT_EQ(owed(i * eps, {kOne, eps}, {}), Texts{});
  EXPECT_EQ(owed({}, {}, {{kOne - x, Sign::kNonNegative}}), (Texts{"-x.1 >= 0"}));
}

TEST(InvariantTest, FitsItsLoop) {
  const Goal goal = begin(kLoop);
  const char* const refusal = "an invariant does not fit its loop";
  EXPECT_EQ(problem(goal, UseInvariant{}), refusal);
  EXPECT_EQ(problem(goal, UseInvariant{.disjuncts = {Disjunct{}}}), refusal);
  EXPECT_EQ(problem(goal, UseInvariant{.disjuncts = {disjunct({})}, .entry = 1}), refusal);
  const Polynomial unknown = Polynomial::symbol(1'000);
  const Polynomial over_x =
      Polynomial::term(Rational(1), Monomial{{{loop_head(goal).variables[0].symbols[0], -1}}});
  for (const auto& [wrong, why] :
       {std::pair{unknown, "an expression speaks of a symbol that does not exist"},
        {over_x, "an expression divides by what may be 0"}}) {
    for (const Disjunct& one :
         {disjunct(wrong), disjunct({}, {{wrong, Sign::kZero}}), disjunct({}, {}, wrong)}) {
      EXPECT_EQ(problem(goal, UseInvariant{.disjuncts = {one}}), why);
    }
  }
  EXPECT_EQ(problem(begin("output 1;"), UseInvariant{.disjuncts = {Disjunct{}}}),
            "there is no loop here");
  EXPECT_EQ(problem(goal, Repeat{}), "there is no loop to repeat here");
  EXPECT_EQ(problem(goal, Branch{}), "there is no branch here");
  const Applied loop = applied(goal, UseInvariant{.disjuncts = {disjunct({})}});
  const Goal end = after(loop.goals.at(1), Couple{});
  EXPECT_EQ(problem(end, Repeat{1}), "an invariant has no such case");
}

TEST(InvariantTest, BoundsArePublicAndWhole) {
  const UseInvariant none{.disjuncts = {Disjunct{}}};
  EXPECT_EQ(problem(begin("for i in 0 .. k { z := 1; } output 1;"), none),
            "the two runs may repeat a loop differently often");
  EXPECT_EQ(problem(begin("for i in k .. n { z := 1; } output 1;"), none),
            "the two runs may repeat a loop differently often");
}

TEST(InvariantTest, InnerLoopsRepeatThemselves) {
  const Goal outer = begin("for i in 0 .. n { for j in 0 .. i { z := 1; } } output 1;");
  const UseInvariant none{.disjuncts = {Disjunct{}}};
  const Goal inner = applied(outer, none).goals.at(1);
  ASSERT_EQ(waiting_for(inner), Waiting::kLoop);
  const Applied passes = applied(inner, none);
  ASSERT_EQ(passes.goals.size(), 2U);
  EXPECT_EQ(waiting_for(passes.goals[0]), Waiting::kRepeat);  // of the outer loop
  EXPECT_EQ(passes.goals[0].frames.back().loop->loop->counter, "i");
  EXPECT_EQ(passes.goals[1].frames.back().loop->loop->counter, "j");
  EXPECT_TRUE(applied(passes.goals[1], Repeat{}).goals.empty());
}

}  // namespace loop_test
}  // namespace lastbit::verify
