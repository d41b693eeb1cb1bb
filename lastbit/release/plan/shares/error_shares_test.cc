#include "lastbit/release/plan/shares/error_shares.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "lastbit/base/test_support.h"
#include "lastbit/release/file/canonical.h"
#include "lastbit/release/file/maker_test_support.h"
#include "lastbit/release/file/parse_release.h"
#include "lastbit/release/plan/shares/loss_for_accuracy.h"
#include "lastbit/release/plan/shares/plan_shares.h"

namespace lastbit {
namespace error_shares_test {

using release_internal::divide_by_weights;
using release_internal::LossShare;

std::string file(const std::string& budget, const std::string& statistics) {
  return "version = 1\nsource = 's.csv'\nunit = 'row'\nbudget = { " + budget +
         ", ledger = 'l' }\n"
         "[columns]\nage = { type = 'integer', lower = 0, upper = 100 }\n"
         "income = { type = 'real', lower = 0, upper = 1000 }\n"
         "town = { keys = ['Ayr', 'Bath', 'Cork'] }\n" +
         statistics;
}

// A ledger of this kind with more left than any file takes.
std::optional<Cost> plenty(std::optional<LossKind> kind) {
  if (!kind) return std::nullopt;
  if (*kind == LossKind::kPure) return Cost::pure(1000);
  if (*kind == LossKind::kConcentrated) return Cost::concentrated(1000);
  return Cost::approximate(1000, Rational(1, 2));
}

ReleasePlan plan(const std::string& budget, const std::string& statistics,
                 std::optional<LossKind> ledger = std::nullopt) {
  return plan_release(parse_release(file(budget, statistics), "f.toml"), plenty(ledger));
}

// Statistics with these lines, called a, b, c, …, each with one more line.
std::string several(const std::vector<std::string>& lines, const std::vector<std::string>& more) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += "[[statistics]]\nname = '" + std::string(1, static_cast<char>('a' + i)) + "'\n" +
            lines[i] + "\n" + more[i % more.size()] + "\n";
  }
  return text;
}

const std::vector<std::string> kThree = {"kind = 'count'",
                                         "kind = 'mean'\ncolumn = 'income'\nby = 'town'",
                                         "kind = 'quantiles'\ncolumn = 'age'\nquantiles = [0.5]"};

Rational squares(const ReleasePlan& planned) {
  Rational sum = 0;
  for (const PlannedStatistic& one : planned.statistics) {
    sum += *one.relative.error * *one.relative.error;
  }
  return sum;
}

// All ways to share in steps of a fortieth are at most a little better, and only because whole
// numbers of rows make errors jump.
// SLOW: ErrorSharesTest.SharesHaveTheLeastSumOfSquaresOnAGrid
TEST(ErrorSharesTest, SharesHaveTheLeastSumOfSquaresOnAGrid) {
  for (const auto& [loss, whole] :
       {std::pair<std::string, Rational>{"epsilon", Rational(1, 25)}, {"rho", Rational(1, 2000)}}) {
    const Rational planned = squares(plan(loss + " = " + whole.to_string(), several(kThree, {""})));
    Rational best = planned * Rational(2);
    Rational equal = 0;
    constexpr int kSteps = 40;
    for (int a = 1; a < kSteps; ++a) {
      for (int b = 1; a + b < kSteps; ++b) {
        const auto given = [&, name = loss, all = whole](int part) {
          return name + " = '" + (all * Rational(part, kSteps)).to_string() + "'";
        };
        const Rational sum =
            squares(plan(loss + " = " + whole.to_string(),
                         several(kThree, {given(a), given(b), given(kSteps - a - b)})));
        best = std::min(best, sum);
        if (a == kSteps / 3 && b == kSteps / 3) equal = sum;
      }
    }
    EXPECT_LE(planned, best * Rational(101, 100)) << loss;
    EXPECT_GT(equal, planned * Rational(11, 10)) << loss;
  }
}

TEST(ErrorSharesTest, SharesAreShortDecimalsThatAddUpToTheBudget) {
  const ReleasePlan planned = plan("epsilon = 0.7", several(kThree, {""}));
  Rational sum = 0;
  int long_ones = 0;
  for (const PlannedStatistic& one : planned.statistics) {
    const Rational& loss = one.cost.epsilon();
    sum += loss;
    if (release_internal::rounded_down(loss, 4) != loss) ++long_ones;
  }
  EXPECT_EQ(sum, rational("0.7"));
  EXPECT_LE(long_ones, 1);
  EXPECT_EQ(planned.cost, Cost::pure(rational("0.7")));
}

TEST(ErrorSharesTest, PartsFollowWeightsAndAddUp) {
  using Weights = std::vector<std::optional<Integer>>;
  EXPECT_EQ(divide_by_weights(1, Weights{Integer(1), Integer(3)}),
            (std::vector{rational("0.25"), rational("0.75")}));
  EXPECT_EQ(divide_by_weights(1, Weights{Integer(1), Integer(1), Integer(1)}),
            (std::vector{rational("0.3334"), rational("0.3333"), rational("0.3333")}));
  // Without a weight: an equal part.
  EXPECT_EQ(
      divide_by_weights(1, Weights{Integer(1), std::nullopt, Integer(3), std::nullopt}),
      (std::vector{rational("0.125"), rational("0.25"), rational("0.375"), rational("0.25")}));
  EXPECT_EQ(divide_by_weights(rational("0.5"), Weights{std::nullopt}),
            std::vector{rational("0.5")});
  EXPECT_EQ(release_internal::rounded_down(rational("0.00123456"), 4), rational("0.001234"));
  EXPECT_EQ(release_internal::rounded_down(rational("123456"), 4), rational("123400"));
}

TEST(ErrorSharesTest, OneWeightMakesAllOthersOne) {
  const ReleasePlan equal = plan("epsilon = 0.3", several(kThree, {"weight = 1", "", ""}));
  for (const PlannedStatistic& one : equal.statistics) {
    EXPECT_EQ(one.cost, Cost::pure(Rational(1, 10)));
  }
  const auto digest = [](const std::vector<std::string>& weights) {
    return release_digest(parse_release(file("epsilon = 0.3", several(kThree, weights)), "f"));
  };
  EXPECT_EQ(digest({"weight = 1", "", ""}), digest({"weight = 1"}));
  EXPECT_NE(digest({"weight = 1"}), digest({""}));
  // Without weights, guesses of rows decide, so they are part of what the file means.
  EXPECT_NE(digest({"expected_rows = 100", "", ""}), digest({""}));
  EXPECT_EQ(digest({"weight = 1\nexpected_rows = 100", "", ""}), digest({"weight = 1"}));
}

TEST(ErrorSharesTest, FewerExpectedRowsGetALargerShare) {
  const std::vector<std::string> two = {"kind = 'count'", "kind = 'count'"};
  const ReleasePlan same = plan("epsilon = 0.2", several(two, {""}));
  EXPECT_EQ(same.statistics[0].cost, same.statistics[1].cost);
  const ReleasePlan planned =
      plan("epsilon = 0.2", several(two, {"expected_rows = 8000", "expected_rows = 1000"}));
  // An eighth of the rows: 8^(2/3) = 4 times the loss.
  EXPECT_EQ(planned.statistics[0].cost, Cost::pure(rational("0.04")));
  EXPECT_EQ(planned.statistics[1].cost, Cost::pure(rational("0.16")));
  EXPECT_EQ(planned.statistics[1].relative.rows, Integer(1000));
  // A group is as large as the largest table says; targets come first and do not share.
  const ReleasePlan mixed = plan(
      "epsilon = 1", several({"kind = 'count'\nby = 'town'", "kind = 'count'", "kind = 'count'"},
                             {"expected_rows = 500", "", "accuracy = 10"}));
  EXPECT_EQ(mixed.guessed_rows, Integer(1500));
  EXPECT_EQ(mixed.statistics[1].relative.rows, Integer(1500));
  EXPECT_EQ(mixed.cost, Cost::pure(1));
}

TEST(ErrorSharesTest, WhatHasNoKnownErrorGetsAnEqualPart) {
  const ReleasePlan planned =
      plan("epsilon = 0.4",
           several({"kind = 'count'", "kind = 'correlation'\ncolumns = ['age', 'income']",
                    "kind = 'mean'\ncolumn = 'age'\nby = 'town'",
                    "kind = 'sum'\ncolumn = 'age'\nbounds = 'auto'"},
                   {""}));
  EXPECT_FALSE(planned.statistics[1].relative.error);
  EXPECT_EQ(planned.statistics[1].cost, Cost::pure(rational("0.1")));
  EXPECT_EQ(planned.statistics[3].cost, Cost::pure(rational("0.1")));
  EXPECT_GT(planned.statistics[2].cost.epsilon(), planned.statistics[0].cost.epsilon());
}

TEST(ErrorSharesTest, NoShareIsTinyHoweverAccurateTheStatistic) {
  const ReleasePlan planned = plan(
      "epsilon = 1",
      several({"kind = 'count'\nexpected_rows = 1000000000", "kind = 'count'\nexpected_rows = 10"},
              {""}));
  EXPECT_GT(planned.statistics[0].cost.epsilon(), Rational(1, 110));
}

// Every random file: the cost is at most the budget, in the kind of the budget.
RC_GTEST_PROP(ErrorSharesTest, NoPlanCostsMoreThanItsBudget, (std::uint64_t value)) {
  const ReleaseFile release = parse_release(canonical_text(ReleaseMaker(value).make()), "c.toml");
  const Budget budget(release.budget.cap.value);
  std::optional<ReleasePlan> planned;
  try {
    planned = plan_release(release);
  } catch (const Error& error) {
    RC_ASSERT(error.code() == ErrorCode::kBadInput);
    return;
  }
  RC_ASSERT(budget.after(budget.none(), planned->cost_for(budget.kind())).has_value());
  RC_ASSERT(planned->digest == release_digest(release));
  RC_ASSERT(planned->ways.front().accounting == planned->accounting);
}

// Planner for statistics whose error follows a given law.
release_internal::Planner planner_by(const std::function<Rational(const Rational&)>& law,
                                     int& calls) {
  return [law, &calls](std::size_t, const LossShare& share) {
    ++calls;
    PlannedStatistic planned{.statistic = {},
                             .aggregation = 0,
                             .measure = 0,
                             .parts = {},
                             .cost = Cost::pure(0),
                             .accuracy = {},
                             .bias = {},
                             .steps = {},
                             .caveats = {},
                             .release = nullptr,
                             .total_errors = nullptr};
    planned.accuracy.always = law(share.loss);
    return planned;
  };
}

TEST(LossForAccuracyTest, IsAtMostAThousandthMoreThanTheLawTakes) {
  int calls = 0;
  const auto law = planner_by([](const Rational& loss) { return Rational(3) / loss; }, calls);
  for (const Rational& accuracy :
       {Rational(1, 7), Rational(25), Rational(123457, 1000), rational("3e9"), rational("1e-8")}) {
    calls = 0;
    const Rational loss = *release_internal::loss_for_accuracy(law, 0, false, accuracy, 1);
    EXPECT_LE(Rational(3) / loss, accuracy);
    EXPECT_LE(loss, Rational(3) / accuracy * Rational(1001, 1000));
    EXPECT_LE(calls, 8);
  }
  EXPECT_FALSE(release_internal::loss_for_accuracy(law, 0, false, rational("1e-9"), 1));
  EXPECT_FALSE(release_internal::loss_for_accuracy(law, 0, false, 0, 1));
}

// An error that jumps up and down: the loss that is found is enough, whatever lies before it.
TEST(LossForAccuracyTest, IsEnoughWhereErrorsDoNotFallSteadily) {
  int calls = 0;
  const auto error = [](const Rational& loss) {
    const bool odd = (loss * Rational(10'000)).floor().to_int64() % 2 != 0;
    return Rational(odd ? 4 : 3) / loss;
  };
  const auto law = planner_by(error, calls);
  for (int i = 1; i < 200; ++i) {
    const Rational accuracy(1000 + 7 * i, 100);
    const Rational loss = *release_internal::loss_for_accuracy(law, 0, false, accuracy, 1);
    EXPECT_LE(error(loss), accuracy);
    EXPECT_LE(loss, Rational(4) / accuracy * Rational(1001, 1000));
  }
}

TEST(LossForAccuracyTest, CountsAndMeansSpendNoMoreThanTheyMust) {
  for (const std::string lines : {"kind = 'count'\naccuracy = 40",
                                  "kind = 'mean'\ncolumn = 'income'\naccuracy = 3\n"
                                  "expected_rows = 5000"}) {
    for (const bool rho : {false, true}) {
      const ReleasePlan planned = plan(rho ? "rho = 100" : "epsilon = 100", several({lines}, {""}));
      const Cost& cost = planned.statistics[0].cost;
      const Rational loss = rho ? cost.rho() : cost.epsilon();
      const std::string less = (loss * Rational(999, 1000)).to_string();
      const std::string without = lines.substr(0, lines.find("accuracy"));
      const ReleasePlan other =
          plan(rho ? "rho = 100" : "epsilon = 100",
               several({without}, {(rho ? "rho = '" : "epsilon = '") + less + "'"}));
      EXPECT_GT(*other.statistics[0].accuracy.at(5000),
                lines[8] == 'c' ? Rational(40) : Rational(3));
    }
  }
}

}  // namespace error_shares_test
}  // namespace lastbit
