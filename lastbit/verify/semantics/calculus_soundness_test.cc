// Claims that are false by exact computation, and the ways in which the calculus must not prove
// them. proofs/coupling.md#kernel says why each way would be unsound.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "lastbit/base/test_support.h"
#include "lastbit/verify/logic/calculus.h"
#include "lastbit/verify/semantics/execute.h"
#include "lastbit/verify/semantics/lifting.h"
#include "lastbit/verify/semantics/program_test_support.h"

namespace lastbit::verify {
namespace calculus_soundness_test {

using namespace testing;

Expression in_run(const std::string& name, int side) {
  Expression result = variable(name);
  result.side = side;
  return result;
}

Expression compared(Operator op, Expression a, Expression b) {
  return make(op, {std::move(a), std::move(b)});
}

// Claims eps: |f.1 - f.2| <= 1, y <- sampler(1/eps), output (f <= y and y < 3 - f). From f = 0 three
// whole numbers give true, from f = 1 only one of them.
Program three_meet_in_one(Sampler sampler) {
  const Expression f = variable("f");
  const Expression y = variable("y");
  const Expression inside = make(
      Operator::kAnd, {compared(Operator::kLessEqual, f, y),
                       compared(Operator::kLess, y, make(Operator::kSubtract, {number(3), f}))});
  Program result =
      program({"f", "eps"}, {"y"},
              {draw("y", sampler, {over(number(1), variable("eps"))}), output(inside)});
  if (sampler == Sampler::kDiscreteLaplace) result.locals.front().type = Type::kInt;
  result.requirements = {compared(Operator::kGreater, variable("eps"), number(0))};
  const Expression gap = make(Operator::kSubtract, {in_run("f", 1), in_run("f", 2)});
  Adjacency adjacency;
  adjacency.conditions = {compared(Operator::kLessEqual, make(Operator::kAbs, {gap}), number(1))};
  result.adjacent = {adjacency};
  result.claimed_epsilon = variable("eps");
  result.claimed_delta = number(0);
  return result;
}

TEST(CalculusSoundnessTest, ThreeDrawsThatMeetInOneAreNotPrivate) {
  const auto law = [](int f) {
    return execute(three_meet_in_one(Sampler::kDiscreteLaplace),
                   {.numbers = {{"f", f}}, .logarithms = {{"eps", 1}}}, {.radius = 20});
  };
  const auto lifting =
      lift(law(0).outputs, law(1).outputs, [](const auto& a, const auto& b) { return a == b; }, 2);
  EXPECT_FALSE(lifting.holds(rational("1/5")));
  EXPECT_EQ(lifting.event, std::vector<std::vector<Rational>>{{1}});
}

Goal at_draw(Sampler sampler) {
  Obligations obligations;
  return start(std::make_shared<const Program>(three_meet_in_one(sampler)), false, obligations);
}

TEST(CalculusSoundnessTest, CouplingsDoNotSeeTheDrawTheyCouple) {
  for (const Sampler sampler : {Sampler::kDiscreteLaplace, Sampler::kLaplace}) {
    const Goal goal = at_draw(sampler);
    ASSERT_EQ(waiting_for(goal), Waiting::kDraw);
    const Polynomial y = Polynomial::symbol(goal.draw->symbol);
    const Polynomial one{Rational(1)};
    const auto code = [&](const Step& step) {
      return code_of([&] {
        Obligations obligations;
        (void)apply(goal, step, obligations);
      });
    };
    EXPECT_EQ(code(SplitSign{y - one}), ErrorCode::kMismatch);
    EXPECT_EQ(code(Mention{.op = Operator::kAbs, .arguments = {y}}), ErrorCode::kMismatch);
    EXPECT_EQ(code(Couple{.shift = {.by = one - y, .cost = one}}), ErrorCode::kMismatch);
  }
}

TEST(CalculusSoundnessTest, ChoicesOweThatDrawsDoNotMeet) {
  const Goal goal = at_draw(Sampler::kDiscreteLaplace);
  const Polynomial y = Polynomial::symbol(goal.draw->symbol);
  const Polynomial rate = goal.draw->rate;
  const Polynomial one{Rational(1)};
  Obligations obligations;
  // y >= 1 moves down by 1, to where other draws already are.
  (void)apply(goal,
              Couple{.shift = {.by = -one, .cost = rate},
                     .test = Fact{y - one, Sign::kNonNegative},
                     .otherwise = Shift{}},
              obligations);
  const auto owed = std::ranges::find_if(obligations.kept,
                                         [](const Obligation& o) { return o.goal == absurd(); });
  ASSERT_NE(owed, obligations.kept.end());
  // The facts of this obligation are true for y = 1 and another draw 0, so it cannot be met.
  EXPECT_TRUE(std::ranges::all_of(owed->facts, [&](const Fact& fact) {
    std::map<SymbolId, Polynomial> at;
    for (std::size_t i = 0; i < owed->symbols.size(); ++i) {
      const bool is_other = i + 1 == owed->symbols.size();
      const bool is_private = owed->symbols[i].name.starts_with("f.");
      at[static_cast<SymbolId>(i)] = Polynomial(Rational(is_other || is_private ? 0 : 1));
    }
    return holds({fact.value.substitute(at), fact.sign}).value_or(false);
  }));
}

TEST(CalculusSoundnessTest, ConditionsOnEveryEntryMustHoldOutsideTheList) {
  // q[n] is outside the list and thus 0, whatever is said about its entries.
  Program outside =
      program({"n", "q", "f"}, {},
              {says(If{compared(Operator::kLess, entry("q", variable("n")), number(1)),
                       {output(variable("f"))},
                       {}})});
  outside.parameters.front().type = Type::kInt;
  Adjacency every;
  every.reach = Reach::kEvery;
  every.list = "q";
  every.conditions = {compared(Operator::kGreaterEqual, in_run("q", 1), number(1)),
                      compared(Operator::kGreaterEqual, in_run("q", 2), number(1))};
  Adjacency any;
  any.conditions = {compared(Operator::kLessEqual, in_run("f", 1), in_run("f", 2))};
  outside.adjacent = {every, any};
  outside.claimed_epsilon = number(0);
  outside.claimed_delta = number(0);
  EXPECT_EQ(
      execute(outside, {.numbers = {{"n", 1}, {"f", 7}}, .lists = {{"q", {5}}}}).outputs.mass({7}),
      Rational(1));
  Obligations obligations;
  const auto begun = [&] {
    (void)start(std::make_shared<const Program>(outside), false, obligations);
  };
  try {
    begun();
    EXPECT_TRUE(std::ranges::any_of(obligations.kept,
                                    [](const Obligation& o) { return holds(o.goal) == false; }));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kNotSupported);
  }
}

TEST(CalculusSoundnessTest, RefusesPrivateLengthsAndConditionsOfNeitherRun) {
  Program lists = program({"n", "q"}, {}, {output(number(0))});
  lists.parameters.front().type = Type::kInt;
  lists.claimed_epsilon = number(0);
  lists.claimed_delta = number(0);
  const auto code = [](const Program& made) {
    return code_of([&] {
      Obligations obligations;
      (void)start(std::make_shared<const Program>(made), false, obligations);
    });
  };
  Adjacency length;
  length.conditions = {compared(Operator::kLessEqual, in_run("n", 1), in_run("n", 2))};
  lists.adjacent = {length};
  EXPECT_EQ(code(lists), ErrorCode::kMismatch);
  Program bare = three_meet_in_one(Sampler::kLaplace);
  bare.adjacent.front().conditions.push_back(
      compared(Operator::kLessEqual, variable("f"), in_run("f", 2)));
  EXPECT_EQ(code(bare), ErrorCode::kMismatch);
}

}  // namespace calculus_soundness_test
}  // namespace lastbit::verify
