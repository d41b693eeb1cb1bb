// Joint numbers: how far one unit moves them, and the means, shares and ratios made of them, on
// recorded bits.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "lastbit/base/test_support.h"
#include "lastbit/random/tape.h"
#include "lastbit/release/engine.h"
#include "lastbit/release/file/schema.h"
#include "lastbit/release/file/test_support.h"
#include "lastbit/release/plan/plan.h"
#include "lastbit/release/plan/table.h"

namespace lastbit {
namespace joint_test {

SteppedField field_of(int lower, int upper, std::int64_t offset) {
  SteppedField field;
  field.field = {"x", FieldType::kInteger};
  field.lower = lower;
  field.upper = upper;
  field.offset = offset;
  return field;
}

Aggregation aggregation_of(const Tally& tally, std::int64_t rows, std::int64_t groups) {
  Aggregation aggregation;
  aggregation.unit = UnitColumn{"id", FieldType::kInteger, rows, groups};
  aggregation.groups = {RangeKeys{"g", 0, 9}};
  aggregation.measures = {tally};
  return aggregation;
}

// What a row of one value, or of two, adds to the entries.
std::vector<Integer> entries_of(const Tally& tally, const Integer& x, const Integer& y) {
  if (std::holds_alternative<StepSum>(tally)) return {1, x};
  if (std::holds_alternative<SquareSum>(tally)) return {1, x, x * x};
  if (std::holds_alternative<PairSum>(tally)) return {1, x, y};
  if (!std::get<ProductSum>(tally).squares) return {1, x, y, x * y};
  return {1, x, y, x * y, x * x, y * y};
}

// One unit moves random combinations by no more than the map says, in both metrics.
RC_GTEST_PROP(CombinationsTest, OneUnitMovesThemByTheMapAtMost, ()) {
  const auto number = rc::gen::inRange(-6, 7);
  const int low = *number;
  const SteppedField first = field_of(low, low + *rc::gen::inRange(1, 5), *number);
  const SteppedField second = field_of(-3, 2, *number);
  const std::vector<Tally> tallies = {StepSum{first}, SquareSum{first}, PairSum{first, second},
                                      ProductSum{first, second, false},
                                      ProductSum{first, second, true}};
  const Tally& tally = tallies[*rc::gen::inRange<std::size_t>(0, 5)];
  const std::int64_t rows = *rc::gen::inRange(1, 4);
  const std::int64_t groups = *rc::gen::inRange(1, 4);
  const Aggregation aggregation = aggregation_of(tally, rows, groups);
  Combinations combinations{0, {}};
  for (int i = *rc::gen::inRange(1, 4); i > 0; --i) {
    auto& weights = combinations.weights.emplace_back();
    for (std::size_t k = entry_count(tally); k > 0; --k) weights.emplace_back(*number);
  }
  std::vector<GroupAnswer> table = empty_groups(aggregation);
  const StepRange x = step_range(first);
  const StepRange y = step_range(second);
  for (std::int64_t group = 0; group < groups; ++group) {
    for (std::int64_t row = 0; row < rows; ++row) {
      const auto added = entries_of(tally, *rc::gen::inRange(x.lowest, x.highest + 1),
                                    *rc::gen::inRange(y.lowest, y.highest + 1));
      auto& entries = table[static_cast<std::size_t>(group)].entries[0];
      for (std::size_t i = 0; i < added.size(); ++i) entries[i] += added[i];
    }
  }
  Rational l1 = 0;
  Rational l2 = 0;
  const auto exact = make_group_combinations<L1Distance>(aggregation, combinations);
  for (const Rational& moved : exact(table)) {
    l1 += abs(moved);
    l2 += moved * moved;
  }
  RC_ASSERT(Distance(l1) <= exact.map(1));
  const auto squared = make_group_combinations<L2Distance>(aggregation, combinations);
  RC_ASSERT(Distance(l2) <= squared.map(1).radicand());
}

// Corners: every unit with all of its rows moves them by rows · groups · width in L1, wherever its
// values are; in L2 those at a bound move them as far as the map says.
TEST(CombinationsTest, MapsAreAttained) {
  const SteppedField field = field_of(10, 17, 0);
  const Aggregation aggregation = aggregation_of(StepSum{field}, 2, 3);
  const Combinations corners{0, {{-10, 1}, {17, -1}}};
  const auto exact = make_group_combinations<L1Distance>(aggregation, corners);
  EXPECT_EQ(exact.map(1), Distance(2 * 3 * 7));
  EXPECT_EQ(make_group_combinations<L2Distance>(aggregation, corners).map(1).radicand(),
            Distance(3 * 14 * 14));
  for (const int value : {10, 12, 17}) {
    auto table = empty_groups(aggregation);
    for (std::size_t group = 0; group < 3; ++group) {
      table[group].entries[0] = {2, Integer(2 * value)};
    }
    Rational moved = 0;
    for (const Rational& number : exact(table)) {
      EXPECT_LE(Rational(0), number);
      moved += number;
    }
    EXPECT_EQ(Distance(moved), exact.map(1));
  }
  // Sums of ratios: a row at the largest of either moves sum and difference together by 2·7·5.
  const Aggregation pairs = aggregation_of(PairSum{field_of(-3, 7, 0), field_of(-5, 2, 0)}, 1, 1);
  const Combinations both{0, {{0, 5, 7}, {0, 5, -7}}};
  EXPECT_EQ(make_group_combinations<L1Distance>(pairs, both).map(1), Distance(70));
  EXPECT_EQ(make_group_combinations<L2Distance>(pairs, both).map(1).radicand(), Distance(70 * 70));
  // The three squares of a parabola: no row moves them by more than the square of the width.
  const Aggregation squares = aggregation_of(SquareSum{field_of(0, 4, 0)}, 1, 1);
  const Combinations bernstein{0, {{16, -8, 1}, {0, 8, -2}, {0, 0, 1}}};
  EXPECT_EQ(make_group_combinations<L1Distance>(squares, bernstein).map(1), Distance(16));
}

TEST(CombinationsTest, CountsOfCellsAreRefused) {
  const Aggregation cells =
      aggregation_of(BinCounts{{"x", FieldType::kInteger}, {0, 1, 2}, {}}, 1, 1);
  expect_code(ErrorCode::kNotSupported,
              [&] { make_group_combinations<L1Distance>(cells, {0, {{1, 1}}}); });
}

const std::vector<SchemaColumn> kData = {
    {"income", "", {}}, {"age", "", {}}, {"region", "", {}}, {"old", "", {}}};

ReleasePlan planned(const std::string& budget, const std::string& more = "") {
  std::string head = kHead;
  head.replace(head.find("epsilon = 1"), 11, budget);
  const std::string text =
      head +
      "old = { type = 'boolean' }\n"
      "[[statistics]]\nkind = 'mean'\ncolumn = 'income'\nby = 'region'\n" +
      more + "[[statistics]]\nkind = 'share'\ncolumn = 'old'\nby = 'region'\n" + more +
      "[[statistics]]\nkind = 'ratio'\ncolumns = ['income', 'age']\nby = 'region'\n";
  return plan_release(check_against_schema(parse_release(text, "f.toml"), kData));
}

// `few` and `many` rows in the two groups: incomes of 30, ages of 60, a quarter is old.
ExactAnswers rows_of(const ReleasePlan& plan, std::int64_t few, std::int64_t many) {
  ExactAnswers exact;
  for (const Aggregation& aggregation : plan.aggregations) {
    exact.push_back(empty_groups(aggregation));
    for (std::size_t group = 0; group < 2; ++group) {
      const Integer rows = group == 0 ? few : many;
      for (std::size_t i = 0; i < aggregation.measures.size(); ++i) {
        auto& entries = exact.back()[group].entries[i];
        if (const auto* pair = std::get_if<PairSum>(&aggregation.measures[i])) {
          const Integer steps = Rational::two_to(-pair->second.grid_exponent).floor();
          entries = {rows, rows * Integer(30), rows * Integer(60) * steps};
          continue;
        }
        const auto& sum = std::get<StepSum>(aggregation.measures[i]);
        const bool share = sum.field.field.name == "old";
        entries = {rows, share ? Integer((Rational(rows) / Rational(4)).floor()) : rows * 30};
      }
    }
  }
  return exact;
}

// Of 20,000 intervals at 95 %, more than 1,200 miss with probability below 3e-9 (Chernoff: 20000
// times 0.06·ln(1.2) + 0.94·ln(0.94/0.95) is above 19.7).
// SLOW: JointAnswersTest.*
TEST(JointAnswersTest, IntervalsHoldAsOftenAsStatedForFewAndManyRows) {
  constexpr int kReleases = 20'000;
  for (const char* budget : {"epsilon = 3", "rho = 1.5"}) {
    const ReleasePlan plan = planned(budget);
    const ExactAnswers exact = rows_of(plan, 8, 4000);
    const std::vector<Rational> truths = {30, Rational(1, 4), Rational(1, 2)};
    std::map<std::string, int> misses;
    double squares = 0;  // of the errors of the mean of many rows
    BitSource bits = testing::seeded_tape(41);
    for (int round = 0; round < kReleases; ++round) {
      const auto answers = release_answers(plan, exact, bits);
      for (std::size_t i = 0; i < truths.size(); ++i) {
        for (std::size_t group = 0; group < 2; ++group) {
          const AnswerLine& line = answers[i].lines.at(group);
          ASSERT_EQ(line.value.has_value(), line.interval.has_value());
          if (!line.value) continue;
          ASSERT_LE(line.interval->lower, *line.value);
          ASSERT_LE(*line.value, line.interval->upper);
          const bool held = line.interval->lower <= truths[i] && truths[i] <= line.interval->upper;
          misses[answers[i].name + (group == 0 ? " of few" : " of many")] += held ? 0 : 1;
        }
      }
      squares += std::pow((*answers[0].lines[1].value - truths[0]).up(), 2);
    }
    EXPECT_EQ(misses.size(), 6U);
    for (const auto& [name, count] : misses) EXPECT_LE(count, 1200) << name << ", " << budget;
    // Half of what a sum and a count, with half of epsilon each, would have: that was
    // (2 + 8d²)/(εn)² of the squared width, d = −0.2. The empirical variance is within 12 % of the
    // true one unless it is off by more than 7 of its standard deviations, which are 1.6 %.
    const double before = (2 + 8 * 0.04) * 100 * 100 / (4000.0 * 4000.0);
    if (plan.accounting != LossKind::kPure) continue;
    EXPECT_NEAR(squares / kReleases / before, 0.5, 0.06);
  }
}

// Empty groups, one row, all rows equal: an answer within the bounds, and an honest interval.
TEST(JointAnswersTest, HardlyAnyRowsLeaveNothingUndefined) {
  for (const char* budget : {"epsilon = 0.003", "epsilon = 3", "rho = 0.001"}) {
    const ReleasePlan plan = planned(budget, "totals = true\n");
    const ExactAnswers exact = rows_of(plan, 0, 1);
    BitSource bits = testing::seeded_tape(42);
    int vague = 0;
    for (int round = 0; round < 50; ++round) {
      const auto answers = release_answers(plan, exact, bits);
      ASSERT_EQ(answers.size(), 5U);
      for (const StatisticAnswers& one : answers) {
        const bool share = one.name.starts_with("share");
        for (const AnswerLine& line : one.lines) {
          if (one.name.starts_with("ratio") && !line.value) continue;
          ASSERT_TRUE(line.value && line.interval) << one.name;
          ASSERT_LE(line.interval->lower, *line.value);
          ASSERT_LE(*line.value, line.interval->upper);
          if (one.name.starts_with("ratio")) continue;
          ASSERT_LE(Rational(0), line.interval->lower);
          ASSERT_LE(line.interval->upper, Rational(share ? 1 : 100));
          vague += line.vague ? 1 : 0;
        }
      }
    }
    // Nearly all of the 300 answers about means and shares say nothing.
    EXPECT_GE(vague, 200) << budget;
  }
}

// Totals have the noise of both groups and the rows of both.
TEST(JointAnswersTest, TotalsHoldAsOftenAsStated) {
  const ReleasePlan plan = planned("epsilon = 3", "totals = true\n");
  const ExactAnswers exact = rows_of(plan, 400, 40);
  BitSource bits = testing::seeded_tape(43);
  int misses = 0;
  constexpr int kReleases = 5000;
  for (int round = 0; round < kReleases; ++round) {
    const AnswerLine line = release_answers(plan, exact, bits).at(1).lines.at(0);
    misses += line.interval->lower <= Rational(30) && Rational(30) <= line.interval->upper ? 0 : 1;
  }
  // As above: more than 350 of 5,000 have a probability below 10^-7.
  EXPECT_LE(misses, 350);
  const Rational total = plan.statistics.at(1).accuracy.at(1000).value();
  EXPECT_LT(total, plan.statistics.at(0).accuracy.at(1000).value());
}

}  // namespace joint_test
}  // namespace lastbit
