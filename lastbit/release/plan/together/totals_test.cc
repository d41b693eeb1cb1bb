// Totals: they add up, cost nothing, and their intervals hold as often as stated.
#include "lastbit/release/plan/together/totals.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "lastbit/random/tape.h"
#include "lastbit/release/engine.h"
#include "lastbit/release/file/schema.h"
#include "lastbit/release/file/test_support.h"
#include "lastbit/release/plan/plan.h"

namespace lastbit {
namespace totals_test {

using release_internal::total_columns;

const std::vector<SchemaColumn> kData = {
    {"income", "", {}}, {"age", "", {}}, {"region", "", {}}, {"sex", "", {}}, {"old", "", {}}};

ReleasePlan planned(const std::string& statistics, const std::string& budget = "epsilon = 1") {
  std::string head = kHead;
  head.replace(head.find("epsilon = 1"), 11, budget);
  const std::string columns =
      "sex = { keys = ['f', 'm', 'x'] }\nold = { type = 'boolean' }\n"
      "[keys.some]\ncolumns = ['region', 'sex']\nrows = [['n', 'f'], ['n', 'm'], ['s', 'x']]\n"
      "[keys.uneven]\ncolumns = ['region', 'sex']\nrows = [['n', 'a'], ['n', 'b'], ['n', 'c'], "
      "['n', 'd'], ['n', 'e'], ['n', 'f'], ['n', 'g'], ['n', 'h'], ['s', 'x']]\n";
  return plan_release(
      check_against_schema(parse_release(head + columns + statistics, "f.toml"), kData));
}

// Exact answers in which entry e of group g is 100·g + 10·e + 1000.
ExactAnswers some_answers(const ReleasePlan& plan) {
  ExactAnswers exact;
  for (const Aggregation& aggregation : plan.aggregations) {
    exact.push_back(empty_groups(aggregation));
    std::int64_t number = 1000;
    for (GroupAnswer& group : exact.back()) {
      for (auto& entries : group.entries) {
        for (std::size_t e = 0; e < entries.size(); ++e) {
          entries[e] = number + 10 * static_cast<std::int64_t>(e);
        }
      }
      number += 100;
    }
  }
  return exact;
}

using Sums = std::map<std::string, Rational>;
// The answers of a table by the texts of some of their keys and the cell, added up.
Sums sums_of(const StatisticAnswers& answers, const std::vector<std::size_t>& columns) {
  Sums sums;
  for (const AnswerLine& line : answers.lines) {
    std::string key = line.cell;
    for (const std::size_t column : columns) key += "," + text_of(line.group.at(column));
    const auto [place, added] = sums.emplace(key, *line.value);
    if (!added) place->second += *line.value;
  }
  return sums;
}

TEST(TotalsTest, KeepEveryPartOfTheColumns) {
  EXPECT_EQ(total_columns(1), (std::vector<std::vector<std::size_t>>{{}}));
  EXPECT_EQ(total_columns(2), (std::vector<std::vector<std::size_t>>{{0}, {1}, {}}));
  EXPECT_EQ(total_columns(3).size(), 7U);
}

TEST(TotalsTest, TablesOfCountsSumsAndHistogramsAddUp) {
  const ReleasePlan plan = planned(
      "[[statistics]]\nkind = 'count'\nby = ['sex', 'region', 'old']\ntotals = true\n"
      "[[statistics]]\nkind = 'sum'\ncolumn = 'age'\nby = ['sex', 'region']\ntotals = true\n"
      "[[statistics]]\nkind = 'histogram'\ncolumn = 'income'\nbins = [0, 5, 9]\n"
      "by = ['region', 'sex']\nkeys = 'some'\ntotals = true\n");
  ASSERT_EQ(plan.statistics.size(), 8U + 4U + 4U);
  EXPECT_EQ(plan.cost, Cost::pure(1));
  BitSource bits = testing::seeded_tape(7);
  const auto answers = release_answers(plan, some_answers(plan), bits);
  ASSERT_EQ(answers.size(), plan.statistics.size());
  std::size_t fine = 0;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const PlannedStatistic& statistic = plan.statistics[i];
    EXPECT_EQ(answers[i].name, statistic.statistic.name.value);
    if (statistic.release) {
      fine = i;
      continue;
    }
    EXPECT_EQ(statistic.cost, Cost::pure(0));
    std::vector<std::size_t> kept;
    std::vector<std::size_t> own;
    const auto& columns = plan.statistics[fine].statistic.by;
    for (const auto& column : statistic.statistic.by) {
      kept.push_back(
          static_cast<std::size_t>(std::ranges::find(columns, column) - columns.begin()));
      own.push_back(own.size());
    }
    EXPECT_EQ(sums_of(answers[i], own), sums_of(answers[fine], kept)) << answers[i].name;
  }
  EXPECT_EQ(answers[1].name, "count_by_sex_region_old_total_by_sex_region");
  EXPECT_EQ(answers[7].name, "count_by_sex_region_old_total");
  EXPECT_EQ(answers[7].lines.size(), 1U);
}

// False alarms: each of the four tables of 1,000 intervals at 95 % is expected to miss at most 50
// times; more than 100 misses have a probability below 1e-9.
TEST(TotalsTest, IntervalsHoldAsOftenAsStated) {
  for (const char* budget : {"epsilon = 1", "rho = 0.1"}) {
    const ReleasePlan plan =
        planned("[[statistics]]\nkind = 'count'\nby = ['region', 'sex']\ntotals = true\n", budget);
    const ExactAnswers exact = some_answers(plan);
    BitSource bits = testing::seeded_tape(8);
    std::map<std::string, int> misses;
    for (int round = 0; round < 1000; ++round) {
      for (const StatisticAnswers& one : release_answers(plan, exact, bits)) {
        const AnswerLine& line = one.lines.front();
        const bool by_region = one.name.ends_with("by_region");
        // Groups in order: n f, n m, n x, s f, …, with 1000, 1100, … rows.
        const std::int64_t truth = one.name.ends_with("region_sex") ? 1000
                                   : by_region                      ? 1000 + 1100 + 1200
                                   : one.name.ends_with("by_sex")   ? 1000 + 1300
                                                                    : 6 * 1000 + 1500;
        const bool held =
            line.interval->lower <= Rational(truth) && Rational(truth) <= line.interval->upper;
        misses[one.name] += held ? 0 : 1;
      }
    }
    ASSERT_EQ(misses.size(), 4U);
    for (const auto& [name, count] : misses) EXPECT_LE(count, 100) << name << ", " << budget;
  }
}

TEST(TotalsTest, OfMeansIsTheMeanOfAllRows) {
  const ReleasePlan plan =
      planned("[[statistics]]\nkind = 'mean'\ncolumn = 'income'\nby = 'region'\ntotals = true\n",
              "epsilon = 1000000");
  // 1,000 rows with the mean 60, and 3,000 with the mean 30.
  ExactAnswers exact = {empty_groups(plan.aggregations.at(0))};
  exact[0].at(0).entries.at(0) = {1000, 60'000};
  exact[0].at(1).entries.at(0) = {3000, 90'000};
  BitSource bits = testing::seeded_tape(9);
  const auto answers = release_answers(plan, exact, bits);
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_NEAR(answers[0].lines.at(0).value->up(), 60, 0.01);
  EXPECT_NEAR(answers[0].lines.at(1).value->up(), 30, 0.01);
  EXPECT_NEAR(answers[1].lines.at(0).value->up(), 50 - 12.5, 0.01);
}

// In the table, north has eight groups and south one, whose total is no better than that group.
TEST(TotalsTest, PlannedErrorsHoldForTotalsOfFewGroups) {
  for (const char* kind : {"mean", "variance"}) {
    const ReleasePlan plan =
        planned("[[statistics]]\nkind = '" + std::string(kind) +
                "'\ncolumn = 'income'\nby = ['region', 'sex']\nkeys = 'uneven'\ntotals = true\n");
    ASSERT_EQ(plan.statistics.at(1).statistic.by.size(), 1U);
    const Integer rows = 10'000;
    for (const std::size_t total : {1U, 2U}) {
      EXPECT_GE(*plan.statistics.at(total).accuracy.at(rows),
                *plan.statistics[0].accuracy.at(rows));
      EXPECT_GE(*plan.statistics.at(total).bias.at(rows), *plan.statistics[0].bias.at(rows));
    }
  }
}

TEST(TotalsTest, WhatDoesNotAddUpIsRefused) {
  const auto told = [](const std::string& statistic) {
    return verdict(kHead + "[[statistics]]\n" + statistic);
  };
  EXPECT_EQ(told("kind = 'count'\ntotals = true\n"),
            "f.toml:12:1: `totals` needs 1 to 6 columns in `by`; group by a column, or remove it");
  EXPECT_EQ(
      told("kind = 'median'\ncolumn = 'age'\nby = 'region'\ntotals = true\n"),
      "f.toml:14:1: `totals` does not go with the kind `median`; remove it: the answers about "
      "groups do not add up to that about all of them");
  EXPECT_EQ(told("kind = 'count'\nby = 'region'\ntotals = 'yes'\n"),
            "f.toml:13:10: `totals` is a text; write true or false");
  const std::string discovers =
      "kind = 'count'\nby = 'age_group'\ntotals = true\ndiscover = { delta = 1e-8 }\n";
  EXPECT_NE(told(discovers).find("`totals` does not go with discovered keys"), std::string::npos);
}

TEST(TotalsTest, NamesMustDiffer) {
  try {
    planned(
        "[[statistics]]\nkind = 'count'\nby = 'region'\ntotals = true\n"
        "[[statistics]]\nname = 'count_by_region_total'\nkind = 'count'\n");
    ADD_FAILURE() << "two statistics have one name";
  } catch (const Error& error) {
    EXPECT_EQ(error.problem(),
              "a total and another statistic are both called 'count_by_region_total'");
  }
}

TEST(TotalsTest, HaveNoCostForAnAccuracyOfTheirOwn) {
  const ReleasePlan plan = planned(
      "[[statistics]]\nkind = 'count'\nby = 'region'\ntotals = true\n"
      "[[statistics]]\nkind = 'count'\nby = 'sex'\n");
  EXPECT_FALSE(cost_for_accuracy(plan, 1, Rational(5), Integer(100)));
  EXPECT_EQ(cost_for_accuracy(plan, 0, Rational(5), Integer(100)),
            cost_for_accuracy(plan, 2, Rational(5), Integer(100)));
}

}  // namespace totals_test
}  // namespace lastbit
