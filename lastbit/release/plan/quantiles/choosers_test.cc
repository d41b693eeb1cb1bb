// Choices: which way a ranking is made, what choices cost, and what is said about them.
#include "lastbit/release/plan/quantiles/choosers.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "lastbit/accuracy/selection_accuracy.h"
#include "lastbit/base/test_support.h"
#include "lastbit/random/exponential/law_check.h"
#include "lastbit/random/tape.h"
#include "lastbit/release/file/parse_release.h"

namespace lastbit {
namespace choosers_test {

using testing::kFalseAlarm;
using testing::seeded_tape;

std::string file(const std::string& budget, const std::string& statistic,
                 const std::string& unit = "'row'") {
  return "version = 1\nsource = 't.csv'\nunit = " + unit + "\nbudget = { " + budget +
         ", ledger = 'l' }\n[columns]\nid = { type = 'integer' }\n"
         "age = { type = 'integer', lower = 0, upper = 100 }\n"
         "town = { keys = ['Ayr', 'Bath', 'Cork'] }\n"
         "job = { type = 'integer', keys = { from = 1, to = 16 } }\n[[statistics]]\n" +
         statistic;
}

PlannedStatistic planned(const std::string& budget, const std::string& statistic,
                         const std::string& unit = "'row'") {
  return plan_release(parse_release(file(budget, statistic, unit), "f.toml")).statistics.front();
}

std::string top(int k) { return fmt::format("kind = 'top'\ncolumn = 'job'\nk = {}\n", k); }

std::vector<GroupAnswer> counts_of(const std::vector<std::int64_t>& counts) {
  std::vector<Integer> entries(counts.begin(), counts.end());
  return {{{}, {entries}}};
}

bool says(const PlannedStatistic& statistic, const std::string& words) {
  return std::ranges::any_of(statistic.steps, [&](const std::string& step) {
    return step.find(words) != std::string::npos;
  });
}

TEST(TopTest, SeveralPlacesAreRankedByCountsWhereThatIsMoreAccurate) {
  const PlannedStatistic ten = planned("epsilon = '1/7'", top(10));
  ASSERT_EQ(ten.parts.size(), 1);
  EXPECT_EQ(ten.parts[0].mechanism, NoiseMechanism::kSnappedLaplace);
  EXPECT_EQ(ten.parts[0].noise, "scale 7");
  EXPECT_EQ(ten.cost, Cost::pure(Rational(1, 7)));
  EXPECT_EQ(ten.accuracy.unit, ErrorUnit::kRows);
  const Rational rounds = selection_accuracy(70, 16, 10, rational("0.05")).ball.upper_rational();
  EXPECT_LT(ten.accuracy.always.value() * Rational(4), rounds);
  EXPECT_TRUE(says(ten, "ranked by these noisy counts")) << ten.steps.back();
  // In ten places, one category or all of them: what is shown costs the same.
  EXPECT_EQ(planned("epsilon = 1", top(16)).cost, Cost::pure(1));
}

TEST(TopTest, OnePlaceIsChosenWithoutACount) {
  const PlannedStatistic one = planned("epsilon = 1", top(1));
  EXPECT_EQ(one.parts[0].mechanism, NoiseMechanism::kNoisyMaxInRounds);
  BitSource bits = seeded_tape(31);
  const auto lines = one.release(counts_of(std::vector<std::int64_t>(16, 5)), bits).front();
  ASSERT_EQ(lines.size(), 1);
  EXPECT_TRUE(lines[0].choice.has_value());
  EXPECT_FALSE(lines[0].value || lines[0].interval);
}

// Two of three categories for a rho: rounds are a little more accurate, unless counts are needed.
TEST(TopTest, RoundsAreUsedWhereTheyAreMoreAccurate) {
  const std::string two = "kind = 'top'\ncolumn = 'town'\nk = 2\n";
  const PlannedStatistic chosen = planned("rho = 0.5", two);
  EXPECT_EQ(chosen.parts[0].mechanism, NoiseMechanism::kExponentialInRounds);
  EXPECT_TRUE(says(chosen, "chosen one by one")) << chosen.steps.back();
  const PlannedStatistic counted = planned("rho = 0.5", two + "suppress_above = 1\n");
  EXPECT_EQ(counted.parts[0].mechanism, NoiseMechanism::kDiscreteGaussian);
  EXPECT_GE(counted.accuracy.always.value(), chosen.accuracy.always.value());
}

TEST(TopTest, CountsAndIntervalsComeWithTheRanking) {
  const PlannedStatistic three = planned("epsilon = 2", top(3));
  std::vector<std::int64_t> counts(16, 0);
  counts[4] = 900;
  counts[7] = 5000;
  counts[1] = 70;
  BitSource bits = seeded_tape(32);
  const auto lines = three.release(counts_of(counts), bits).front();
  ASSERT_EQ(lines.size(), 3);
  const std::vector<std::int64_t> order = {8, 5, 2};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(lines[i].cell, std::to_string(i + 1));
    EXPECT_EQ(lines[i].choice, KeyValue(order[i]));
    const Rational truth(counts[static_cast<std::size_t>(order[i] - 1)]);
    EXPECT_LE(lines[i].interval->lower, truth);
    EXPECT_GE(lines[i].interval->upper, truth);
  }
}

TEST(TopTest, NothingIsLikeSomething) {
  const PlannedStatistic all = planned("epsilon = 1", top(16));
  BitSource bits = seeded_tape(33);
  const auto lines = all.release(counts_of(std::vector<std::int64_t>(16, 0)), bits).front();
  ASSERT_EQ(lines.size(), 16);
  for (std::size_t i = 1; i < lines.size(); ++i) EXPECT_GE(*lines[i - 1].value, *lines[i].value);
  for (const AnswerLine& line : lines) EXPECT_GE(line.interval->lower, Rational(0));
  // A table without groups has no lines.
  EXPECT_TRUE(all.release({}, bits).front().empty());
}

// Sixteen equal counts: those shown have the most favourable noise. Their intervals hold all the
// same, jointly; those of single numbers would not.
TEST(TopTest, IntervalsHoldForThoseThatAreShown) {
  constexpr int kReleases = 1000;
  const PlannedStatistic two = planned("epsilon = 1", top(2));
  const auto table = counts_of(std::vector<std::int64_t>(16, 1000));
  const Rational single = smallest_accuracy(1, Grid(0), rational("0.05")).ball.upper_rational();
  BitSource bits = seeded_tape(34);
  int wrong = 0;
  int beyond_single = 0;
  for (int i = 0; i < kReleases; ++i) {
    const auto lines = two.release(table, bits).front();
    const auto outside = [](const AnswerLine& line) {
      return line.interval->lower > Rational(1000) || line.interval->upper < Rational(1000);
    };
    wrong += std::ranges::any_of(lines, outside) ? 1 : 0;
    beyond_single += *lines[0].value - Rational(1000) > single ? 1 : 0;
  }
  // Hoeffding: t more than expected have probability at most e^(−2t²/n).
  const double slack = std::sqrt(kReleases * std::log(1 / kFalseAlarm) / 2);
  EXPECT_LT(wrong, 0.05 * kReleases + slack);
  EXPECT_GT(beyond_single, 0.1 * kReleases);
}

TEST(ConcentratedChoiceTest, PricesAreThoseOfTheChainAndNearlyTheWholeShare) {
  for (const std::string& statistic :
       {top(1), std::string("kind = 'median'\ncolumn = 'age'\n"),
        std::string("kind = 'quantiles'\ncolumn = 'age'\nquantiles = [0.1, 0.5, 0.9]\n")}) {
    for (const std::string budget : {"rho = 0.3", "rho = '1/7'"}) {
      const PlannedStatistic one = planned(budget, statistic);
      const Rational rho = Rational::parse(budget == "rho = 0.3" ? "0.3" : "1/7");
      EXPECT_LE(one.cost.rho(), rho);
      EXPECT_GT(one.cost.rho(), rho * (Rational(1) - Rational::two_to(-40)));
    }
  }
  // Units in several groups cost the root of their number, and prices stay binary fractions.
  const PlannedStatistic grouped =
      planned("rho = 0.25", "kind = 'median'\ncolumn = 'age'\nby = 'town'\n",
              "{ id = 'id', max_rows_per_group = 2, max_groups = 3 }");
  EXPECT_EQ(grouped.parts[0].sensitivity, "(48)^(1/2) in range of scores");
  EXPECT_LE(grouped.cost.rho(), rational("0.25"));
  const Integer denominator = grouped.cost.rho().denominator();
  EXPECT_EQ(Rational(denominator),
            Rational::two_to(static_cast<int>(denominator.bit_length()) - 1));
}

// At the same rho, noisy max at the pure epsilon that it allows has twice the scale.
TEST(ConcentratedChoiceTest, HalvesTheErrorOfAQuantile) {
  const PlannedStatistic median =
      planned("rho = 0.5", "kind = 'median'\ncolumn = 'age'\ninterval_share = 0\n");
  EXPECT_EQ(median.parts[0].mechanism, NoiseMechanism::kExponential);
  // epsilon = √(2ρ) = 1, scores move by 1 in 2, 101 cells.
  const Rational pure =
      selection_accuracy(2, 101, 1, rational("0.05")).ball.upper_rational() / Rational(2);
  EXPECT_LT(median.accuracy.always.value() * rational("1.75"), pure);
}

// The largest change of a score minus the smallest, for rows added at the top or at the bottom:
// twice what one score may move, and more than the denominator. At the levels 0 and 1 all scores
// move one way, and the range is half of that.
TEST(QuantileScoresTest, RangeOfTheirChangesIsTheirMap) {
  const ReleasePlan plan =
      plan_release(parse_release(file("epsilon = 1",
                                      "kind = 'quantiles'\ncolumn = 'age'\nupper = 3\nstep = 1\n"
                                      "quantiles = [0.1]\n"),
                                 "f.toml"));
  const Aggregation& aggregation = plan.aggregations.front();
  const auto below = [](const std::vector<std::int64_t>& cells) {
    std::vector<Integer> entries;
    Integer sum = 0;
    for (const std::int64_t rows : cells) {
      sum += rows;
      entries.push_back(sum);
    }
    return std::vector<GroupAnswer>{{{}, {entries}}};
  };
  struct Case {
    QuantileLevel level;
    std::vector<std::int64_t> with;
    std::vector<std::int64_t> without;
  };
  for (const Case& one :
       {Case{{9, 10}, {50, 45, 0, 6}, {50, 45, 0, 5}},
        Case{{1, 10}, {6, 0, 45, 50}, {5, 0, 45, 50}}, Case{{0, 1}, {1, 2, 3, 4}, {0, 2, 3, 4}},
        Case{{1, 1}, {4, 3, 2, 1}, {4, 3, 2, 0}}}) {
    const auto scores = make_quantile_scores(aggregation, 0, one.level, 1);
    const auto u = scores(below(one.with));
    const auto v = scores(below(one.without));
    EXPECT_EQ(scores.output_metric().distance(u, v), scores.map(1));
    const bool is_end = one.level.denominator == 1;
    EXPECT_EQ(BlockDistance<LInfinityDistance>{}.distance(u, v) * Distance(is_end ? 1 : 2),
              scores.map(1));
    EXPECT_EQ(scores.map(1) > Distance(one.level.denominator), !is_end);
  }
}

// Every table of three cells with up to two rows each, and each with one row more.
TEST(QuantileScoresTest, NoTableMovesThemFarther) {
  const ReleasePlan plan =
      plan_release(parse_release(file("epsilon = 1",
                                      "kind = 'quantiles'\ncolumn = 'age'\nupper = 2\nstep = 1\n"
                                      "quantiles = [0.1]\n"),
                                 "f.toml"));
  const Aggregation& aggregation = plan.aggregations.front();
  for (const QuantileLevel level : {QuantileLevel{0, 1}, {1, 4}, {1, 2}, {9, 10}, {1, 1}}) {
    const auto scores = make_quantile_scores(aggregation, 0, level, 1);
    for (int code = 0; code < 27; ++code) {
      for (std::size_t added = 0; added < 3; ++added) {
        std::vector<Integer> below = {code % 3, code % 3 + code / 3 % 3,
                                      code % 3 + code / 3 % 3 + code / 9};
        const auto without = scores({{{}, {below}}});
        for (std::size_t i = added; i < 3; ++i) below[i] += 1;
        const auto with = scores({{{}, {below}}});
        ASSERT_LE(scores.output_metric().distance(with, without), scores.map(1));
      }
    }
  }
}

}  // namespace choosers_test
}  // namespace lastbit
