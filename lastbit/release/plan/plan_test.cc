#include "lastbit/release/plan/plan.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "lastbit/base/test_support.h"
#include "lastbit/random/tape.h"
#include "lastbit/release/file/parse_release.h"
#include "lastbit/release/file/schema.h"
#include "lastbit/release/file/test_support.h"

namespace lastbit {
namespace plan_test {

constexpr auto kColumns = R"(
[columns]
age = { type = "integer", lower = 0, upper = 100 }
income = { type = "real", lower = 0, upper = 1000 }
town = { keys = ["Ayr", "Bath", "Cork"] }
year = { type = "integer", keys = { from = 1, to = 2 } }
)";

constexpr auto kEveryKind = R"(
[[statistics]]
kind = "count"
by = "town"
[[statistics]]
kind = "sum"
column = "age"
[[statistics]]
kind = "mean"
column = "income"
by = ["year", "town"]
[[statistics]]
kind = "variance"
column = "age"
[[statistics]]
kind = "covariance"
columns = ["age", "income"]
[[statistics]]
kind = "histogram"
column = "town"
other = true
[[statistics]]
name = "bins"
kind = "histogram"
column = "age"
bins = [0, 18, 65, 100]
[[statistics]]
kind = "quantiles"
column = "age"
quantiles = [0.25, 0.5]
[[statistics]]
kind = "top"
column = "town"
k = 2
[[statistics]]
kind = "count_distinct"
column = "year"
[[statistics]]
kind = "correlation"
columns = ["age", "income"]
[[statistics]]
kind = "ratio"
columns = ["age", "income"]
[[statistics]]
name = "found sum"
kind = "sum"
column = "age"
bounds = "auto"
[[statistics]]
name = "found mean"
kind = "mean"
column = "income"
bounds = { auto = true, share = 0.3 }
)";

std::string file(const std::string& budget, const std::string& statistics,
                 const std::string& unit = "'row'") {
  return "version = 1\nsource = 's.csv'\nunit = " + unit + "\nbudget = { " + budget +
         ", ledger = 'l' }\n" + kColumns + statistics;
}

ReleasePlan plan(const std::string& budget, const std::string& statistics,
                 const std::string& unit = "'row'") {
  return plan_release(parse_release(file(budget, statistics, unit), "f.toml"));
}

std::string refusal_of(const std::string& budget, const std::string& statistics) {
  try {
    plan(budget, statistics);
  } catch (const Error& error) {
    return error.what();
  }
  return "planned";
}

TEST(PlanTest, StatisticsTogetherCostTheBudget) {
  for (const std::string unit :
       {"'row'", "{ id = 'age', max_rows_per_group = 3, max_groups = 2 }"}) {
    EXPECT_EQ(plan("epsilon = 0.9", kEveryKind, unit).cost, Cost::pure(Rational(9, 10)));
    EXPECT_EQ(
        plan("epsilon = 0.9, delta = 1e-9, accounting = 'approximate'", kEveryKind, unit).cost,
        Cost::approximate(Rational(9, 10), 0));
    // A choice has a rational epsilon, so its rho is a little less.
    const Cost rho = plan("rho = 0.9", kEveryKind, unit).cost;
    EXPECT_LE(rho.rho(), Rational(9, 10));
    EXPECT_GT(rho.rho(), Rational(9, 10) * (Rational(1) - Rational::two_to(-40)));
  }
}

TEST(PlanTest, ShippedExamplesArePlannedForTheirBudget) {
  const std::vector<SchemaColumn> labour = {
      {"person", "UUID", ColumnType{ColumnKind::kNamed}},
      {"employed", "BOOLEAN", ColumnType{ColumnKind::kBoolean}},
      {"week", "DATE", ColumnType{ColumnKind::kDate}},
      {"hours", "DOUBLE", ColumnType{ColumnKind::kDouble}}};
  for (const std::string& name : example_files()) {
    ReleaseFile release = parse_release(text_of_file(name), name);
    if (declares_types(release.source.format.value)) {
      release = check_against_schema(std::move(release), labour);
    }
    const ReleasePlan planned = plan_release(release);
    const Budget budget(release.budget.cap.value);
    EXPECT_TRUE(budget.after(budget.none(), planned.cost_for(budget.kind()))) << name;
  }
}

TEST(PlanTest, ARhoIsCountedAgainstAnEpsilonAndADelta) {
  const ReleasePlan planned = plan("epsilon = 1, delta = 1e-9, accounting = 'concentrated'",
                                   "[[statistics]]\nkind = 'count'\n");
  const Cost cost = planned.cost_for(LossKind::kApproximate);
  EXPECT_LE(cost.epsilon(), Rational(1));
  EXPECT_GT(cost.epsilon(), Rational(9999, 10000));
  EXPECT_EQ(cost.delta(), rational("1e-9"));
  EXPECT_EQ(planned.cost_for(LossKind::kConcentrated), planned.cost);
  expect_code(ErrorCode::kMismatch, [&] { planned.cost_for(LossKind::kPure); });
}

TEST(PlanTest, SharesAreByWeightAfterWhatIsGiven) {
  const ReleasePlan planned = plan("epsilon = 1",
                                   "[[statistics]]\nname = 'a'\nkind = 'count'\nepsilon = 0.1\n"
                                   "[[statistics]]\nname = 'b'\nkind = 'count'\n"
                                   "[[statistics]]\nname = 'c'\nkind = 'count'\nweight = 2\n");
  EXPECT_EQ(planned.statistics[0].cost, Cost::pure(Rational(1, 10)));
  EXPECT_EQ(planned.statistics[1].cost, Cost::pure(Rational(3, 10)));
  EXPECT_EQ(planned.statistics[2].cost, Cost::pure(Rational(6, 10)));
}

TEST(PlanTest, OneUnitMovesSumsByItsRowsInAllItsGroups) {
  const std::string statistics =
      "[[statistics]]\nkind = 'sum'\ncolumn = 'age'\nby = 'town'\nweight = 1\n"
      "[[statistics]]\nkind = 'count_units'\nby = 'town'\n"
      "[[statistics]]\nkind = 'histogram'\ncolumn = 'age'\nbins = [0, 18, 65]\nby = 'year'\n"
      "[[statistics]]\nkind = 'count_distinct'\ncolumn = 'age'\nby = 'town'\n";
  const std::string unit = "{ id = 'income', max_rows_per_group = 5, max_groups = 2 }";
  std::string text = statistics;
  // An identifier is not a real number.
  const std::string columns =
      "[columns]\nage = { type = 'integer', lower = 0, upper = 100 }\n"
      "town = { keys = ['Ayr', 'Bath', 'Cork'] }\n"
      "year = { type = 'integer', keys = { from = 1, to = 2 } }\n";
  const auto planned = [&](const std::string& budget) {
    return plan_release(parse_release("version = 1\nsource = 's.csv'\nunit = " + unit +
                                          "\nbudget = { " + budget + ", ledger = 'l' }\n" +
                                          columns + text,
                                      "f.toml"));
  };
  const ReleasePlan pure = planned("epsilon = 4");
  EXPECT_EQ(pure.statistics[0].parts[0].sensitivity, "1000 in L1");  // 5 rows · 2 groups · 100
  EXPECT_EQ(pure.statistics[0].parts[0].noise, "scale 1000");
  EXPECT_EQ(pure.statistics[1].parts[0].sensitivity, "2 in L1");
  EXPECT_EQ(pure.statistics[2].parts[0].sensitivity, "10 in L1");
  EXPECT_EQ(pure.statistics[3].parts[0].sensitivity, "10 in L1");  // a value in each row
  const ReleasePlan rho = planned("rho = 3");
  EXPECT_EQ(rho.statistics[0].parts[0].sensitivity, "(500000)^(1/2) in L2");  // 500²·2
  EXPECT_EQ(rho.statistics[1].parts[0].sensitivity, "(2)^(1/2) in L2");
  EXPECT_EQ(rho.statistics[2].parts[0].sensitivity, "(50)^(1/2) in L2");
}

// Which rows of a unit count must not depend on what else is asked for.
TEST(PlanTest, UnitsShareTheirRowsOnlyAmongStatisticsOfTheSameRows) {
  const std::string unit = "{ id = 'who', max_rows_per_group = 1 }";
  const std::string mean = "[[statistics]]\nkind = 'mean'\ncolumn = 'age'\n";
  const std::string variance = "[[statistics]]\nkind = 'variance'\ncolumn = 'age'\n";
  const std::string median =
      "[[statistics]]\nkind = 'quantiles'\ncolumn = 'age'\nquantiles = [0.5]\n";
  const std::string count = "[[statistics]]\nkind = 'count'\n";
  const std::string present = "[[statistics]]\nname = 'p'\nkind = 'count'\ncolumn = 'age'\n";
  const std::string units = "[[statistics]]\nkind = 'count_units'\n";
  const auto scans = [&](const std::string& statistics) {
    return plan("epsilon = 1", statistics, unit).aggregations.size();
  };
  const std::string values = "[[statistics]]\nkind = 'count_distinct'\ncolumn = 'age'\n";
  EXPECT_EQ(scans(mean + variance + median + present + values), 1);
  EXPECT_EQ(scans(count + units), 1);
  EXPECT_EQ(scans(mean + count), 2);
  EXPECT_EQ(scans(mean + "[[statistics]]\nkind = 'sum'\ncolumn = 'income'\n"), 2);
  EXPECT_EQ(scans(mean + "nulls = { impute = 5 }\n" + count), 1);
  EXPECT_EQ(scans(mean + "[[statistics]]\nkind = 'histogram'\ncolumn = 'age'\nbins = [0, 9]\n"), 2);
}

TEST(PlanTest, StatisticsOfTheSameGroupsShareAScan) {
  const ReleasePlan planned = plan("epsilon = 1", kEveryKind);
  // By town, by year and town, and without groups.
  EXPECT_EQ(planned.aggregations.size(), 3);
  std::size_t measures = 0;
  for (const Aggregation& aggregation : planned.aggregations)
    measures += aggregation.measures.size();
  EXPECT_EQ(measures, planned.statistics.size());
}

// A table in which `rows` says how many rows have which age; all entries are computed from it.
struct Ages {
  std::map<std::int64_t, std::int64_t> rows;

  Integer sum(auto f) const {
    Integer total = 0;
    for (const auto& [age, count] : rows) total += f(Integer(age)) * Integer(count);
    return total;
  }
};

std::vector<Integer> entries_of(const Tally& tally, const Ages& ages) {
  if (std::holds_alternative<RowCount>(tally) || std::holds_alternative<UnitCount>(tally)) {
    return {ages.sum([](const Integer&) { return Integer(1); })};
  }
  const Integer n = ages.sum([](const Integer&) { return Integer(1); });
  if (const auto* steps = std::get_if<StepSum>(&tally)) {
    return {n, ages.sum([&](const Integer& a) { return a - steps->field.offset; })};
  }
  if (const auto* squares = std::get_if<SquareSum>(&tally)) {
    const auto offset = squares->field.offset;
    return {n, ages.sum([&](const Integer& a) { return a - offset; }),
            ages.sum([&](const Integer& a) { return (a - offset) * (a - offset); })};
  }
  if (const auto* below = std::get_if<BelowCounts>(&tally)) {
    std::vector<Integer> entries;
    for (const Rational& c : below->candidates) {
      entries.push_back(
          ages.sum([&](const Integer& a) { return Integer(Rational(a) < c ? 1 : 0); }));
    }
    entries.push_back(n);
    return entries;
  }
  const auto& bins = std::get<BinCounts>(tally);
  std::vector<Integer> entries;
  for (std::size_t i = 0; i + 1 < bins.edges.size(); ++i) {
    const bool last = i + 2 == bins.edges.size();
    entries.push_back(ages.sum([&](const Integer& a) {
      const Rational age(a);
      const bool inside =
          bins.edges[i] <= age && (age < bins.edges[i + 1] || (last && age == bins.edges[i + 1]));
      return Integer(inside ? 1 : 0);
    }));
  }
  return entries;
}

std::vector<std::vector<GroupAnswer>> exact_answers(const ReleasePlan& planned, const Ages& ages) {
  std::vector<std::vector<GroupAnswer>> all;
  for (const Aggregation& aggregation : planned.aggregations) {
    auto groups = empty_groups(aggregation);
    for (GroupAnswer& group : groups) {
      for (std::size_t i = 0; i < aggregation.measures.size(); ++i) {
        group.entries[i] = entries_of(aggregation.measures[i], ages);
      }
    }
    all.push_back(std::move(groups));
  }
  return all;
}

constexpr auto kAges = R"(
[[statistics]]
name = "count"
kind = "count"
[[statistics]]
name = "sum"
kind = "sum"
column = "age"
[[statistics]]
name = "mean"
kind = "mean"
column = "age"
[[statistics]]
name = "variance"
kind = "variance"
column = "age"
[[statistics]]
name = "bins"
kind = "histogram"
column = "age"
bins = [0, 18, 65, 100]
[[statistics]]
name = "quantiles"
kind = "quantiles"
column = "age"
quantiles = [0, 0.25, 0.5, 1]
)";

// 10 people of each age from 20 to 69; ties at 40.
Ages some_ages() {
  Ages ages;
  for (std::int64_t age = 20; age < 70; ++age) ages.rows[age] = age == 40 ? 500 : 10;
  return ages;
}

// In one release out of 10^9, an answer is off by so much that a value below would differ.
TEST(ReleaseAnswersTest, WithHardlyAnyNoiseAnswersAreTheStatistics) {
  const ReleasePlan planned = plan("epsilon = 6000000", kAges);
  BitSource bits = testing::seeded_tape(1);
  const auto answers = release_answers(planned, exact_answers(planned, some_ages()), bits);
  const auto value = [&](std::size_t statistic, std::size_t line) {
    return answers[statistic].lines.at(line).value.value();
  };
  EXPECT_EQ(value(0, 0), Rational(990));
  EXPECT_EQ(value(1, 0), Rational(445 * 50 + 490 * 40));
  EXPECT_LT(abs(value(2, 0) - Rational(445 * 50 + 490 * 40, 990)), Rational(1, 100'000));
  EXPECT_EQ(value(4, 0), Rational(0));
  EXPECT_EQ(value(4, 1), Rational(450 + 490));
  EXPECT_EQ(answers[4].lines[1].cell, "[18, 65)");
  EXPECT_EQ(answers[4].lines[2].cell, "[65, 100]");
  // The median of many 40s is 40, and not the value above it.
  EXPECT_EQ(value(5, 2), Rational(40));
  EXPECT_EQ(value(5, 1), Rational(40));
  EXPECT_LE(value(5, 0), Rational(20));
  EXPECT_GE(value(5, 3), Rational(69));
  // Where all values are the upper bound, so is the median.
  const auto all_old = release_answers(planned, exact_answers(planned, Ages{{{100, 1000}}}), bits);
  EXPECT_EQ(all_old[5].lines[2].value, Rational(100));
  EXPECT_EQ(answers[5].lines[1].cell, "0.25");
}

// How often the truth lies outside what was stated, on recorded bits. 2000 releases miss at least
// 170 times with probability at most 10^-8 if each misses with probability 1/20 (Chernoff).
// SLOW: ReleaseAnswersTest.ErrorsStayWithinTheStatedAccuracy
TEST(ReleaseAnswersTest, ErrorsStayWithinTheStatedAccuracy) {
  const Ages ages = some_ages();
  const std::vector<Rational> truths = {990, 445 * 50 + 490 * 40,
                                        Rational(445 * 50 + 490 * 40, 990)};
  for (const std::string budget : {"epsilon = 6", "rho = 6"}) {
    const ReleasePlan planned = plan(budget, kAges);
    const auto exact = exact_answers(planned, ages);
    BitSource bits = testing::seeded_tape(2);
    std::vector<int> misses(planned.statistics.size());
    for (int i = 0; i < 2000; ++i) {
      const auto answers = release_answers(planned, exact, bits);
      for (std::size_t s = 0; s < 3; ++s) {
        const AnswerLine& line = answers[s].lines[0];
        const bool inside = line.interval->lower <= truths[s] && truths[s] <= line.interval->upper;
        const bool close =
            abs(*line.value - truths[s]) <= planned.statistics[s].accuracy.at(990).value();
        if (!inside || !close) ++misses[s];
      }
      // The median: how many rows its cell is away from the 495th.
      const Integer cell = answers[5].lines[2].value->floor();
      const Integer below = ages.sum([&](const Integer& a) { return Integer(a < cell ? 1 : 0); });
      const Integer upto = ages.sum([&](const Integer& a) { return Integer(a <= cell ? 1 : 0); });
      const Rational off =
          std::max({Rational(0), Rational(below) - Rational(495), Rational(495) - Rational(upto)});
      if (off > planned.statistics[5].accuracy.always.value()) ++misses[5];
    }
    for (std::size_t s = 0; s < misses.size(); ++s) EXPECT_LT(misses[s], 170) << budget << s;
    // Nor is the stated error of a count far too large; whole numbers jump over 1/20.
    EXPECT_GT(misses[0], 20) << budget;
  }
}

TEST(ReleaseAnswersTest, KeysComeInTheOrderOfBy) {
  const ReleasePlan planned =
      plan("epsilon = 1",
           "[[statistics]]\nkind = 'count'\nby = ['town', 'year']\nkeys = 'only'\n"
           "[keys.only]\ncolumns = ['year']\nrows = [[1], [2]]\n");
  BitSource bits = testing::seeded_tape(3);
  const auto answers = release_answers(planned, exact_answers(planned, some_ages()), bits);
  ASSERT_EQ(answers[0].lines.size(), 6);
  for (const AnswerLine& line : answers[0].lines) {
    EXPECT_TRUE(std::holds_alternative<std::string>(line.group[0]));
    EXPECT_TRUE(std::holds_alternative<std::int64_t>(line.group[1]));
  }
}

std::vector<GroupAnswer> found(const std::map<std::string, std::int64_t>& counts) {
  std::vector<GroupAnswer> groups;
  for (const auto& [name, count] : counts) groups.push_back({{name}, {{Integer(count)}}});
  return groups;
}

TEST(DiscoveryTest, OnlyLargeGroupsAreShownAndTopOnesAreRanked) {
  const ReleasePlan planned =
      plan("epsilon = 2, delta = 1e-6",
           "[[statistics]]\nname = 'all'\nkind = 'histogram'\ncolumn = 'job'\n"
           "discover = { delta = 5e-7 }\n"
           "[[statistics]]\nname = 'best'\nkind = 'top'\nk = 2\ncolumn = 'job'\n"
           "discover = { delta = 5e-7, threshold = 40 }\n");
  EXPECT_EQ(planned.cost.epsilon(), Rational(2));
  EXPECT_LE(planned.cost.delta(), rational("1e-6"));
  const std::int64_t least = planned.statistics[0].parts[0].threshold.value();
  EXPECT_GT(least, 10);
  EXPECT_LT(least, 20);
  EXPECT_EQ(planned.statistics[1].parts[0].threshold, 40);
  BitSource bits = testing::seeded_tape(4);
  const auto exact = found({{"baker", 3000}, {"clown", 1}, {"cook", 2000}, {"nurse", 9000}});
  const auto answers = release_answers(planned, {exact}, bits);
  ASSERT_EQ(answers[0].lines.size(), 3);
  EXPECT_EQ(answers[0].lines[0].cell, "baker");
  EXPECT_TRUE(answers[0].lines[0].group.empty());
  ASSERT_EQ(answers[1].lines.size(), 2);
  EXPECT_EQ(answers[1].lines[0].choice, KeyValue("nurse"));
  EXPECT_EQ(answers[1].lines[0].cell, "1");
  EXPECT_EQ(answers[1].lines[1].choice, KeyValue("baker"));
}

TEST(DiscoveryTest, UnitsAreCountedOnceAlsoIfTheyAreTheStatistic) {
  const ReleasePlan planned = plan_release(parse_release(
      "version = 1\nsource = 's.csv'\n"
      "unit = { id = 'person', max_rows_per_group = 2, max_groups = 3 }\n"
      "budget = { epsilon = 2, delta = 1e-6, ledger = 'l' }\n"
      "[[statistics]]\nkind = 'count_units'\nby = 'job'\ndiscover = { delta = 1e-6 }\n",
      "f.toml"));
  EXPECT_EQ(planned.aggregations[0].measures, std::vector<Tally>{UnitCount{}});
}

TEST(DiscoveryTest, HalfOfTheLossFindsGroupsForOtherStatistics) {
  const ReleasePlan planned = plan("epsilon = 2, delta = 1e-6",
                                   "[[statistics]]\nkind = 'sum'\ncolumn = 'age'\nby = 'job'\n"
                                   "discover = { delta = 1e-6 }\n");
  const PlannedStatistic& sum = planned.statistics[0];
  ASSERT_EQ(sum.parts.size(), 2);
  EXPECT_EQ(sum.parts[0].cost.epsilon(), Rational(1));
  EXPECT_EQ(sum.parts[1].cost, Cost::pure(1));
  std::vector<GroupAnswer> groups = {{{"cook"}, {{0, 0}, {0}}}, {{"nurse"}, {{0, 0}, {0}}}};
  groups[1].entries[sum.measure] = {5000, 200'000};
  const std::size_t units = 1 - sum.measure;
  groups[0].entries[units] = {2};
  groups[1].entries[units] = {5000};
  BitSource bits = testing::seeded_tape(5);
  const auto answers = release_answers(planned, {groups}, bits);
  ASSERT_EQ(answers[0].lines.size(), 1);
  EXPECT_EQ(answers[0].lines[0].group, KeyTuple{"nurse"});
}

// Under rhos: Gaussian noise for the rho of the chain's own map, and a delta beside it.
TEST(DiscoveryTest, RhosFindKeysWithGaussianNoise) {
  const std::string unit = "{ id = 'who', max_rows_per_group = 1, max_groups = 4 }";
  const ReleasePlan planned = plan("rho = 0.5, delta = 1e-6",
                                   "[[statistics]]\nkind = 'count_units'\nby = 'job'\n"
                                   "discover = { delta = 1e-6 }\n",
                                   unit);
  ASSERT_EQ(planned.statistics[0].parts.size(), 1);
  const PlannedPart& part = planned.statistics[0].parts[0];
  EXPECT_EQ(part.mechanism, NoiseMechanism::kGaussianThresholdHistogram);
  EXPECT_EQ(part.sensitivity, "2 in L2");
  EXPECT_EQ(part.noise, "standard deviation 2");  // √(4/(2·0.5))
  EXPECT_EQ(part.cost.rho(), rational("0.5"));
  EXPECT_GT(part.cost.delta(), Rational(0));
  EXPECT_LE(part.cost.delta(), rational("1e-6"));
  EXPECT_EQ(planned.cost, part.cost);
  // 4 keys of one unit: 4·Pr[Z ≥ 11] is 3e-7, and 4·Pr[Z ≥ 10] is 4e-6.
  EXPECT_EQ(part.threshold, 12);
  const Budget with_delta(Cost::concentrated(1, rational("1e-6")));
  EXPECT_TRUE(with_delta.after(with_delta.none(), planned.cost_for(LossKind::kConcentrated)));
  expect_code(ErrorCode::kMismatch, [&] {
    Budget(Cost::concentrated(1)).price(planned.cost_for(LossKind::kConcentrated));
  });
  expect_code(ErrorCode::kMismatch, [&] { planned.cost_for(LossKind::kApproximate); });
  BitSource bits = testing::seeded_tape(6);
  const auto exact = found({{"baker", 3000}, {"clown", 1}, {"cook", 2000}, {"nobody", 0}});
  const auto answers = release_answers(planned, {exact}, bits);
  ASSERT_EQ(answers[0].lines.size(), 2);
  EXPECT_EQ(answers[0].lines[0].group, KeyTuple{"baker"});
  EXPECT_EQ(answers[0].lines[1].group, KeyTuple{"cook"});
}

// What discovery may cost comes off the delta; rhos are converted with the rest.
TEST(DiscoveryTest, RhosForAnEpsilonLeaveTheDeltaOfDiscovery) {
  const auto planned = [](const std::string& delta) {
    return plan("epsilon = 2, delta = 1e-6, accounting = 'concentrated'",
                "[[statistics]]\nkind = 'sum'\ncolumn = 'age'\nby = 'job'\n"
                "discover = { delta = " +
                    delta + " }\n");
  };
  const ReleasePlan little = planned("1e-7");
  const ReleasePlan much = planned("9e-7");
  EXPECT_EQ(little.statistics[0].parts.size(), 2);
  EXPECT_GT(little.cost.rho(), much.cost.rho());
  for (const ReleasePlan* one : {&little, &much}) {
    const Cost cost = one->cost_for(LossKind::kApproximate);
    const Rational found = one->statistics[0].statistic.discover->delta.value;
    EXPECT_EQ(cost.delta(), rational("1e-6") - found + one->cost.delta());
    EXPECT_LE(cost.epsilon(), Rational(2));
    EXPECT_GT(cost.epsilon(), rational("1.999"));
    EXPECT_LE(one->cost.delta(), found);
    EXPECT_EQ(cost.epsilon(), approximate_epsilon(one->cost.rho(), rational("1e-6") - found));
  }
}

// The sum of ages is off by 1 for each person, that of incomes by at least 100.
TEST(PlanTest, ErrorsOfRatiosAreKnownIfTheDivisorsExcludeZero) {
  const std::string ratio =
      "[[statistics]]\nkind = 'ratio'\ncolumns = ['age', 'income']\nlower = [0, ";
  const ReleasePlan known = plan("epsilon = 2", ratio + "100]\n");
  ASSERT_EQ(known.statistics[0].parts.size(), 1);
  EXPECT_EQ(known.statistics[0].parts[0].cost, Cost::pure(2));
  // 1000·100 + 100·1000, or less for the sum and more for the difference.
  EXPECT_EQ(known.statistics[0].parts[0].sensitivity, "200000 in L1");
  const PlannedError& error = known.statistics[0].accuracy;
  // Of at most 100/100 = 1, each answer is possible for one row, and few for many.
  EXPECT_EQ(error.at(1), Rational(1));
  EXPECT_LT(error.at(100'000).value(), Rational(1, 1000));
  const ReleasePlan unknown = plan("epsilon = 2", ratio + "0]\n");
  EXPECT_EQ(unknown.statistics[0].accuracy.at(100'000), std::nullopt);
  EXPECT_EQ(unknown.statistics[0].bias.at(100'000), std::nullopt);
  EXPECT_NE(refusal_of("epsilon = 2", ratio + "0]\naccuracy = 1\nexpected_rows = 9\n")
                .find("the error of a ratio is not bounded"),
            std::string::npos);
}

TEST(PlanTest, ALossIsFoundForATargetAccuracy) {
  const std::string count = "[[statistics]]\nkind = 'count'\nby = 'town'\naccuracy = 25\n";
  const ReleasePlan planned = plan("epsilon = 1", count);
  const PlannedStatistic& statistic = planned.statistics[0];
  EXPECT_LE(statistic.accuracy.always.value(), Rational(25));
  // Errors are whole: up to 25 means below 25.5, and ln(20)/25.5 = 0.11748….
  EXPECT_GT(statistic.cost.epsilon(), Rational(11, 100));
  EXPECT_LT(statistic.cost.epsilon(), Rational(12, 100));
  const auto cost = cost_for_accuracy(planned, 0, 25, 1);
  EXPECT_EQ(cost, statistic.cost);
  EXPECT_GT(cost_for_accuracy(planned, 0, 5, 1)->epsilon(), cost->epsilon());
  EXPECT_FALSE(cost_for_accuracy(planned, 0, Rational(-1), 1));
  EXPECT_EQ(refusal_of("epsilon = 0.1", count),
            "f.toml:4:22: the statistics need epsilon 0.1175 of the budget before any weights; ask "
            "for less, or raise the budget");
  const ReleasePlan mean =
      plan("epsilon = 5",
           "[[statistics]]\nkind = 'mean'\ncolumn = 'age'\naccuracy = 2\nexpected_rows = 1000\n");
  EXPECT_LE(mean.statistics[0].accuracy.at(1000).value(), Rational(2));
  EXPECT_NE(
      refusal_of("epsilon = 5", "[[statistics]]\nkind = 'mean'\ncolumn = 'age'\naccuracy = 2\n")
          .find("add `expected_rows`"),
      std::string::npos);
}

TEST(PlanTest, ErrorsOfQuotientsShrinkWithRowsAndAreBoundedByWidth) {
  const ReleasePlan planned = plan("epsilon = 1", kEveryKind);
  for (const std::size_t s : {std::size_t{2}, std::size_t{3}, std::size_t{4}}) {
    const PlannedStatistic& statistic = planned.statistics[s];
    EXPECT_FALSE(statistic.accuracy.always);
    const Rational few = statistic.accuracy.at(1).value();
    const Rational some = statistic.accuracy.at(100'000).value();
    const Rational many = statistic.accuracy.at(10'000'000).value();
    EXPECT_GT(few, some);
    EXPECT_GT(some, Rational(50) * many);
    EXPECT_GT(statistic.bias.at(10'000'000).value(), 0);
    EXPECT_LT(statistic.bias.at(10'000'000).value(), many);
  }
}

TEST(PlanTest, WhatCannotBePlannedIsToldWithItsPlace) {
  EXPECT_NE(
      refusal_of("epsilon = 1",
                 "[[statistics]]\nkind = 'quantiles'\ncolumn = 'age'\nquantiles = [0.12345678]\n")
          .find("f.toml:11:1: the quantile 0.12345678"),
      std::string::npos);
  EXPECT_NE(refusal_of("epsilon = 1",
                       "[[statistics]]\nkind = 'quantiles'\ncolumn = 'age'\nquantiles = [0.5]\n"
                       "step = 1e-9\n")
                .find("`step` makes too many"),
            std::string::npos);
  EXPECT_NE(refusal_of("epsilon = 1",
                       "[[statistics]]\nkind = 'variance'\ncolumn = 'age'\nlower = 0\n"
                       "upper = 1000000000000000000\n")
                .find("exceeds 128 bits"),
            std::string::npos);
  // What would be ignored is refused.
  const std::string found = "discover = { delta = 1e-6 }\n";
  EXPECT_NE(refusal_of("epsilon = 1, delta = 1e-6",
                       "[[statistics]]\nkind = 'histogram'\ncolumn = 'job'\nother = true\n" + found)
                .find("`other` needs categories that are listed"),
            std::string::npos);
  EXPECT_NE(refusal_of("epsilon = 1, delta = 1e-6",
                       "[[statistics]]\nkind = 'top'\nk = 1\ncolumn = 'job'\n"
                       "nulls = { impute = 'cook' }\n" +
                           found)
                .find(": categories that are discovered have no imputed values"),
            std::string::npos);
  EXPECT_NE(refusal_of("epsilon = 1",
                       "[columns.sex]\nkeys = ['f', 'm']\nnulls = { impute = 'f' }\n"
                       "[[statistics]]\nkind = 'count'\nby = 'sex'\n")
                .find("f.toml:16:6: 'sex' has imputed values, and groups leave missing keys out"),
            std::string::npos);
  EXPECT_NE(refusal_of("epsilon = 1, delta = 1e-6, accounting = 'concentrated'",
                       "[[statistics]]\nkind = 'count'\nby = 'job'\n" + found)
                .find("leave nothing of the budget's, and rhos need some of it"),
            std::string::npos);
  EXPECT_NE(refusal_of("epsilon = 1, delta = 1e-6",
                       "[[statistics]]\nkind = 'count'\nby = 'job'\n"
                       "discover = { delta = 1e-6, threshold = 2 }\n")
                .find("threshold"),
            std::string::npos);
}

}  // namespace plan_test
}  // namespace lastbit
