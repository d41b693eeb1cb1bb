// Sums and means whose bounds are found: their price, their bounds and their intervals.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lastbit/engines/memory/memory_engine.h"
#include "lastbit/random/tape.h"
#include "lastbit/release/file/parse_release.h"
#include "lastbit/release/file/schema.h"
#include "lastbit/release/plan/plan.h"
#include "lastbit/release/plan/table.h"

namespace lastbit {
namespace found_bounds_test {

// 2000 whole numbers from 0 to 99, and four far away; halves of them, less 10, as real numbers.
std::vector<std::int64_t> some_numbers() {
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < 2000; ++i) numbers.push_back(i * 37 % 100);
  numbers.insert(numbers.end(), {1'000'000'000, -5'000'000, 70'000, 900});
  return numbers;
}

MemoryEngine engine() {
  MemoryTable table;
  table.columns = {
      {"x", FieldType::kInteger}, {"y", FieldType::kReal}, {"odd", FieldType::kBoolean}};
  for (const std::int64_t x : some_numbers()) {
    table.rows.push_back(
        {MemoryValue(x), MemoryValue(static_cast<double>(x) / 2 - 10), MemoryValue(x % 2 != 0)});
  }
  table.rows.push_back({std::nullopt, std::nullopt, std::nullopt});
  return MemoryEngine(std::move(table));
}

ReleasePlan plan(const std::string& budget, const std::string& statistics) {
  const std::string text = "version = 1\nsource = 's.parquet'\nunit = 'row'\nbudget = { " + budget +
                           ", ledger = 'l' }\n" + statistics;
  ReleaseFile release = parse_release(text, "f.toml");
  const std::vector<SchemaColumn> schema = engine().read_schema(release);
  return plan_release(check_against_schema(std::move(release), schema));
}

std::vector<std::vector<GroupAnswer>> exact(const ReleasePlan& planned) {
  std::vector<std::vector<GroupAnswer>> answers;
  for (const Aggregation& aggregation : planned.aggregations) {
    answers.push_back(engine().aggregate_rows(aggregation, {}));
  }
  return answers;
}

// The sum by the definition: of values that bounds leave.
Rational clamped_sum(const Range& bounds, auto value_of) {
  Rational sum = 0;
  for (const std::int64_t x : some_numbers()) {
    sum += std::clamp(Rational(value_of(x)), bounds.lower, bounds.upper);
  }
  return sum;
}
Rational as_x(std::int64_t x) { return x; }
Rational as_y(std::int64_t x) { return Rational(x) / Rational(2) - Rational(10); }

constexpr auto kBoth =
    "[[statistics]]\nkind = 'sum'\ncolumn = 'x'\nbounds = 'auto'\n"
    "[[statistics]]\nkind = 'mean'\ncolumn = 'y'\nbounds = { auto = true, share = 0.5 }\n";

TEST(FoundBoundsTest, ThePriceIsKnownBeforeTheBounds) {
  const ReleasePlan planned = plan("epsilon = 2", kBoth);
  EXPECT_EQ(planned.cost, Cost::pure(2));
  const std::vector<PlannedPart>& sum = planned.statistics[0].parts;
  ASSERT_EQ(sum.size(), 2);
  EXPECT_EQ(sum[0].cost, Cost::pure(Rational(1, 5)));
  EXPECT_EQ(sum[1].cost, Cost::pure(Rational(4, 5)));
  const std::vector<PlannedPart>& mean = planned.statistics[1].parts;
  ASSERT_EQ(mean.size(), 2);
  EXPECT_EQ(mean[0].cost, Cost::pure(Rational(1, 2)));
  EXPECT_EQ(mean[1].cost, Cost::pure(Rational(1, 2)));
  EXPECT_EQ(planned.statistics[0].accuracy.at(1000), std::nullopt);
  EXPECT_LE(plan("rho = 1", kBoth).cost.rho(), Rational(1));
}

// 300 releases miss at least 35 times with probability below 10^-5 if each misses with probability
// 1/20 (Chernoff); the bits are recorded.
TEST(FoundBoundsTest, IntervalsHoldWhatTheBoundsFoundLeave) {
  for (const std::string budget : {"epsilon = 4", "rho = 4"}) {
    const ReleasePlan planned = plan(budget, kBoth);
    const auto answers = exact(planned);
    BitSource bits = testing::seeded_tape(7);
    int sum_misses = 0;
    int mean_misses = 0;
    int usual = 0;
    for (int i = 0; i < 300; ++i) {
      const auto released = release_answers(planned, answers, bits);
      const AnswerLine& sum = released[0].lines.at(0);
      const AnswerLine& mean = released[1].lines.at(0);
      const Rational true_sum = clamped_sum(sum.bounds.value(), as_x);
      const Rational true_mean =
          clamped_sum(mean.bounds.value(), as_y) / Rational(some_numbers().size());
      const auto misses = [](const AnswerLine& line, const Rational& truth) {
        return truth < line.interval->lower || line.interval->upper < truth ? 1 : 0;
      };
      sum_misses += misses(sum, true_sum);
      mean_misses += misses(mean, true_mean);
      // Few rows are below 2, about as many as noise alone would show.
      const bool expected = sum.bounds->lower >= Rational(0) && sum.bounds->lower <= Rational(2) &&
                            sum.bounds->upper == Rational(128) &&
                            mean.bounds->lower == Rational(-16) &&
                            mean.bounds->upper == Rational(64);
      usual += expected ? 1 : 0;
    }
    EXPECT_LT(sum_misses, 35) << budget;
    EXPECT_LT(mean_misses, 35) << budget;
    // Only a wrong cell among the empty ones would widen them; single rows far away do not.
    EXPECT_GT(usual, 250) << budget;
  }
}

// The clamped sums of a ladder are those of the rows, for all bounds.
TEST(FoundBoundsTest, ClampedSumsFollowFromTheLadder) {
  const ReleasePlan planned = plan("epsilon = 4", kBoth);
  const auto answers = exact(planned);
  for (const PlannedStatistic& statistic : planned.statistics) {
    const Aggregation& aggregation = planned.aggregations[statistic.aggregation];
    const auto& ladder = std::get<LadderSum>(aggregation.measures[statistic.measure]);
    const Grid grid(ladder.field.grid_exponent);
    for (std::size_t lower = 0; lower < ladder.cells(); lower += 7) {
      for (std::size_t upper = lower + 1; upper <= ladder.cells(); upper += 5) {
        const Range bounds{grid.point(ladder.edges[lower]), grid.point(ladder.edges[upper])};
        const auto sums =
            make_clamped_sums<L1Distance>(aggregation, statistic.measure, {lower, upper, 3});
        const Rational sum = sums(answers[statistic.aggregation]).at(0) * grid.spacing();
        const Rational offset = grid.point(3) * Rational(some_numbers().size());
        const bool whole = ladder.field.field.name == "x";
        EXPECT_EQ(sum + offset, whole ? clamped_sum(bounds, as_x) : clamped_sum(bounds, as_y));
        // The distances from both bounds are the same sum, counted from either side.
        const auto corners =
            make_clamped_corners<L1Distance>(aggregation, statistic.measure, {lower, upper});
        const std::vector<Rational> both = corners(answers[statistic.aggregation]);
        ASSERT_EQ(both.size(), 2U);
        const Rational rows(some_numbers().size());
        EXPECT_EQ(both[0] * grid.spacing() + bounds.lower * rows, sum + offset);
        EXPECT_EQ(bounds.upper * rows - both[1] * grid.spacing(), sum + offset);
        EXPECT_EQ(Rational(rows) * corners.map(1).value(), both[0] + both[1]);
      }
    }
  }
}

// Bounds are those of all groups together; a group without rows has an answer too.
TEST(FoundBoundsTest, GroupsShareTheirBounds) {
  const ReleasePlan planned = plan("epsilon = 4",
                                   "[[statistics]]\nkind = 'sum'\ncolumn = 'x'\nbounds = 'auto'\n"
                                   "by = 'odd'\n[columns]\nodd = { keys = [true, false] }\n");
  BitSource bits = testing::seeded_tape(8);
  const auto released = release_answers(planned, exact(planned), bits);
  ASSERT_EQ(released[0].lines.size(), 2);
  EXPECT_EQ(released[0].lines[0].bounds->upper, Rational(128));
  EXPECT_EQ(released[0].lines[1].bounds->upper, Rational(128));
  EXPECT_EQ(released[0].lines[0].bounds->lower, released[0].lines[1].bounds->lower);
}

// 2,000 rows are few for this loss: noise alone reaches further, and bounds would be noise too.
// That noise passes the threshold anyway has a probability of at most 1/20, so more than 8 of 40
// answers have one below 1/1000.
TEST(FoundBoundsTest, TooFewRowsGiveNoAnswer) {
  const ReleasePlan planned = plan("epsilon = 0.01", kBoth);
  const auto answers = exact(planned);
  BitSource bits = testing::seeded_tape(9);
  int answered = 0;
  for (int round = 0; round < 20; ++round) {
    for (const StatisticAnswers& one : release_answers(planned, answers, bits)) {
      ASSERT_EQ(one.lines.size(), 1U);
      const AnswerLine& line = one.lines[0];
      EXPECT_EQ(line.value.has_value(), line.bounds.has_value()) << one.name;
      EXPECT_EQ(line.value.has_value(), line.interval.has_value()) << one.name;
      if (line.value) ++answered;
    }
  }
  EXPECT_LE(answered, 8);
}

TEST(FoundBoundsTest, KeysCannotBeDiscoveredAtTheSameTime) {
  try {
    plan("epsilon = 1, delta = 1e-6",
         "[[statistics]]\nkind = 'sum'\ncolumn = 'y'\nbounds = 'auto'\nby = 'x'\n"
         "discover = { delta = 1e-8 }\n");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.problem(), "bounds and the keys of groups cannot both be found");
  }
}

TEST(FoundBoundsTest, DecimalsAreRoundedAsFinelyAsRealNumbers) {
  const FoundSumStatistic kind{{{{"price"}, {}}, Rational(1, 5)}};
  ReleaseFile release;
  release.columns.push_back({{"price"}, {{FieldType::decimal(2)}}, {}, {}, {}, {}});
  EXPECT_EQ(std::get<LadderSum>(kind.tally(release)).field.grid_exponent, -20);
}

TEST(FoundBoundsTest, AnErrorCannotBeAskedFor) {
  try {
    plan("epsilon = 1",
         "[[statistics]]\nkind = 'sum'\ncolumn = 'x'\nbounds = 'auto'\n"
         "accuracy = 10\n");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("the error depends on the bounds that will be found"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace found_bounds_test
}  // namespace lastbit
