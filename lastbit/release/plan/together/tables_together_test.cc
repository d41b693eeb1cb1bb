// Tables by different columns in a plan: who learns from whom, errors that do not rise, prices that
// do not change, intervals that hold as often as stated, and published tables that add up.
#include "lastbit/release/plan/together/tables_together.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lastbit/random/tape.h"
#include "lastbit/release/engine.h"
#include "lastbit/release/file/schema.h"
#include "lastbit/release/file/test_support.h"
#include "lastbit/release/plan/plan.h"

namespace lastbit {
namespace tables_together_test {

const std::vector<SchemaColumn> kData = {{"income", "", {}}, {"age", "", {}},   {"region", "", {}},
                                         {"sex", "", {}},    {"class", "", {}}, {"person", "", {}}};

const std::string kComplete =
    "region = { keys = ['n', 's'], complete = true }\n"
    "sex = { keys = ['f', 'm', 'x'], complete = true }\n"
    "class = { type = 'integer', keys = { from = 1, to = 4 }, complete = true }\n"
    "income = { type = 'integer', lower = 0, upper = 100, nulls = { impute = 0 } }\n";

std::string without_promise(std::string columns) {
  for (std::size_t at = columns.find(", complete = true"); at != std::string::npos;
       at = columns.find(", complete = true")) {
    columns.erase(at, 17);
  }
  return columns;
}

ReleasePlan planned(const std::string& statistics, const std::string& columns = kComplete,
                    const std::string& budget = "epsilon = 0.1",
                    const std::string& unit = "'row'") {
  const std::string text = "version = 1\nsource = 's.csv'\nunit = " + unit + "\nbudget = { " +
                           budget + ", ledger = 'l' }\n[columns]\n" + columns + statistics;
  return plan_release(check_against_schema(parse_release(text, "f.toml"), kData));
}

// count: of rows, by these columns, as TOML writes them; more lines may follow.
std::string count(const std::string& name, const std::string& by, const std::string& more = "") {
  return "[[statistics]]\nname = '" + name + "'\nkind = 'count'\nweight = 1\n" +
         (by.empty() ? "" : "by = [" + by + "]\n") + more;
}

const std::string kFour = count("both", "'region', 'sex'") + count("r", "'region'") +
                          count("s", "'sex'") + count("all", "");

TEST(TablesTogetherTest, ErrorsFallAndPricesStay) {
  for (const char* budget : {"epsilon = 0.1", "rho = 0.01", "epsilon = 1"}) {
    const ReleasePlan alone = planned(kFour, without_promise(kComplete), budget);
    const ReleasePlan together = planned(kFour, kComplete, budget);
    EXPECT_TRUE(alone.tables_together.empty());
    ASSERT_EQ(together.tables_together.size(), 1U);
    EXPECT_EQ(alone.cost, together.cost);
    for (std::size_t i = 0; i < 4; ++i) {
      const PlannedStatistic& before = alone.statistics[i];
      const PlannedStatistic& after = together.statistics[i];
      EXPECT_EQ(before.cost, after.cost);
      EXPECT_EQ(before.parts.front().noise, after.parts.front().noise);
      EXPECT_LT(*after.accuracy.always, *before.accuracy.always) << budget << " " << i;
      EXPECT_EQ(after.learns_from.size(), 3U);
      EXPECT_TRUE(before.learns_from.empty());
    }
  }
  const ReleasePlan together = planned(kFour);
  EXPECT_EQ(
      together.statistics[3].steps.back(),
      "Also learns from 'r', 's', 'both': they count the same rows, as each row has one of the "
      "keys of 'region' and 'sex'. What all of them say about the numbers of rows is "
      "combined, which costs nothing.");
  EXPECT_EQ(together.statistics[3].notes.back(),
            "Relies on each row having one of the keys of 'region' and 'sex'; no interval shows "
            "what other rows change.");
}

// learners: the names of the statistics that learn from other tables.
std::set<std::string> learners(const ReleasePlan& plan) {
  std::set<std::string> names;
  for (const PlannedStatistic& one : plan.statistics) {
    if (one.shares_tables && !one.learns_from.empty()) names.insert(one.statistic.name.value);
  }
  return names;
}
using Names = std::set<std::string>;

TEST(TablesTogetherTest, OnlyTablesOfTheSameRowsWithCompleteKeysLearn) {
  const std::string two = count("both", "'region', 'sex'") + count("r", "'region'");
  const std::string only_sex =
      "region = { keys = ['n', 's'] }\n"
      "sex = { keys = ['f', 'm', 'x'], complete = true }\n";
  const std::string only_region =
      "region = { keys = ['n', 's'], complete = true }\n"
      "sex = { keys = ['f', 'm', 'x'] }\n";
  EXPECT_EQ(learners(planned(two)), (Names{"both", "r"}));
  // Only the columns that are added up must be complete.
  EXPECT_EQ(learners(planned(two, only_sex)), (Names{"both", "r"}));
  EXPECT_EQ(learners(planned(two, only_region)), Names{});
  EXPECT_EQ(learners(planned(two + count("all", ""), only_sex)), (Names{"both", "r"}));
  // Other rows.
  EXPECT_EQ(learners(planned(two + count("f", "", "where = \"sex = 'f'\"\n"))),
            (Names{"both", "r"}));
  EXPECT_EQ(learners(planned(count("all", "") + count("r", "'region'", "column = 'age'\n"),
                             kComplete + "age = { type = 'real' }\n")),
            Names{});
  // Where a unit has several rows, each table chooses which of them count.
  const std::string unit = "{ id = 'person', max_rows_per_group = 1, max_groups = 1 }";
  EXPECT_EQ(learners(planned(two, kComplete, "epsilon = 0.1", unit)), Names{});
  // Keys that are found are not public.
  const std::string found = count("both", "'region', 'person'", "discover = { delta = 1e-7 }\n");
  const std::string approximate = "epsilon = 0.1, delta = 1e-6, accounting = 'approximate'";
  EXPECT_EQ(
      learners(planned(found + count("r", "'region'") + count("all", ""), kComplete, approximate)),
      (Names{"r", "all"}));
  // A top list chooses; it neither learns nor tells.
  EXPECT_EQ(learners(planned("[[statistics]]\nkind = 'top'\ncolumn = 'sex'\nk = 1\n" + two)),
            (Names{"both", "r"}));
}

TEST(TablesTogetherTest, ExpressionsThatAlwaysHaveAKeyNeedNoPromise) {
  const std::string columns = "region = { keys = ['n', 's'] }\nage = { type = 'real' }\n";
  const auto derived = [&](const std::string& expression) {
    return learners(planned(
        "[derive]\ng = \"" + expression + "\"\n" + count("g", "'g'") + count("all", ""), columns));
  };
  EXPECT_EQ(derived("CASE WHEN age < 18 THEN 'young' ELSE 'old' END"), (Names{"g", "all"}));
  EXPECT_EQ(derived("age IS NULL"), (Names{"g", "all"}));
  EXPECT_EQ(derived("age IS NOT NULL AND age > 3 IS TRUE"), (Names{"g", "all"}));
  EXPECT_EQ(derived("CASE WHEN age < 18 THEN 'young' WHEN age >= 18 THEN 'old' END"), Names{});
  EXPECT_EQ(derived("CASE WHEN age < 18 THEN 'young' ELSE NULL END"), Names{});
  EXPECT_EQ(derived("age < 18"), Names{});
  const std::string fewer = "g = { keys = ['young'] }\n" + columns;
  EXPECT_EQ(learners(planned("[derive]\ng = \"CASE WHEN age < 18 THEN 'young' ELSE 'old' END\"\n" +
                                 count("g", "'g'") + count("all", ""),
                             fewer)),
            Names{});
  const ReleasePlan plan =
      planned("[derive]\ng = \"age IS NULL\"\n" + count("g", "'g'") + count("all", ""), columns);
  EXPECT_TRUE(plan.statistics[0].notes.empty());  // nothing is promised
}

// exact_of: answers about data in which each combination of region, sex and class has this many
// rows with an income of 30 each; all measures of all aggregations of the plan.
ExactAnswers exact_of(const ReleasePlan& plan, std::int64_t rows) {
  ExactAnswers exact;
  const std::map<std::string, std::int64_t> keys = {{"region", 2}, {"sex", 3}, {"class", 4}};
  for (const Aggregation& aggregation : plan.aggregations) {
    exact.push_back(empty_groups(aggregation));
    std::int64_t all = rows * 24;
    for (const KeyColumn& column : key_columns(aggregation)) all /= keys.at(column.name);
    for (GroupAnswer& group : exact.back()) {
      for (std::size_t i = 0; i < aggregation.measures.size(); ++i) {
        group.entries[i][0] = all;
        if (std::holds_alternative<StepSum>(aggregation.measures[i]))
          group.entries[i][1] = all * 30;
      }
    }
  }
  return exact;
}

const std::string kMeans =
    "[[statistics]]\nname = 'mean'\nkind = 'mean'\ncolumn = 'income'\nby = 'sex'\nweight = 1\n";

// False alarms: each of 300 intervals at 95 % misses with probability at most 1/20; more than 40
// misses have a probability below 1e-6 (Chernoff: 300 times 0.1333·ln(2.667) +
// 0.8667·ln(0.8667/0.95) is above 15).
// SLOW: TablesTogetherTest.IntervalsHoldAsOftenAsStated
TEST(TablesTogetherTest, IntervalsHoldAsOftenAsStated) {
  const std::string fine = count("fine", "'region', 'sex', 'class'", "totals = true\n") +
                           count("r", "'region'") + count("all", "") + kMeans;
  const std::string coarse = count("s", "'sex'") + count("all", "") + kMeans;
  const std::pair<std::string, std::string> cases[] = {
      {fine, "epsilon = 1"}, {fine, "rho = 0.05"}, {coarse, "epsilon = 0.2"}};
  for (const auto& [statistics, budget] : cases) {
    const ReleasePlan plan = planned(statistics, kComplete, budget);
    ASSERT_EQ(plan.tables_together.size(), 1U);
    const ExactAnswers exact = exact_of(plan, 200);
    std::map<std::string, Rational> truths;
    for (const PlannedStatistic& one : plan.statistics) {
      Rational rows = 200 * 24;
      const std::map<std::string, std::int64_t> keys = {{"region", 2}, {"sex", 3}, {"class", 4}};
      for (const auto& column : one.statistic.by) rows /= Rational(keys.at(column.value));
      const std::string& name = one.statistic.name.value;
      truths[name] = name == "mean" ? Rational(30) : rows;
    }
    EXPECT_TRUE(learners(plan).contains("mean"));
    std::map<std::string, int> misses;
    BitSource bits = testing::seeded_tape(31);
    for (int round = 0; round < 300; ++round) {
      for (const StatisticAnswers& one : release_answers(plan, exact, bits)) {
        const AnswerLine& line = one.lines.front();
        const Rational& truth = truths.at(one.name);
        ASSERT_LE(line.interval->lower, *line.value);
        ASSERT_LE(*line.value, line.interval->upper);
        misses[one.name] += line.interval->lower <= truth && truth <= line.interval->upper ? 0 : 1;
        EXPECT_TRUE(one.notes.empty()) << one.name << ": " << one.notes.front();
      }
    }
    for (const auto& [name, missed] : misses) EXPECT_LE(missed, 40) << name << ", " << budget;
  }
}

TEST(TablesTogetherTest, PublishedTablesAddUp) {
  const ReleasePlan plan = planned(kFour + count("c", "'class'"));
  const ExactAnswers exact = exact_of(plan, 1000);
  BitSource bits = testing::seeded_tape(5);
  for (int round = 0; round < 50; ++round) {
    const auto answers = release_answers(plan, exact, bits);
    std::map<KeyValue, Rational> regions;
    std::vector<Rational> sums(5);
    for (std::size_t i = 0; i < 5; ++i) {
      for (const AnswerLine& line : answers[i].lines) {
        ASSERT_TRUE(line.value->is_integer());
        sums[i] += *line.value;
        if (i == 0) regions[line.group[0]] += *line.value;
      }
      EXPECT_EQ(sums[i], sums[0]);
      EXPECT_TRUE(answers[i].notes.empty());
    }
    for (const AnswerLine& line : answers[1].lines) EXPECT_EQ(*line.value, regions[line.group[0]]);
  }
}

TEST(TablesTogetherTest, TablesThatDoNotAddUpSaySo) {
  const ReleasePlan plan = planned(kFour, without_promise(kComplete));
  BitSource bits = testing::seeded_tape(8);
  const auto answers = release_answers(plan, exact_of(plan, 1000), bits);
  EXPECT_EQ(answers[0].notes,
            (std::vector<std::string>{"Added up, these numbers are not exactly those of 'r', 's', "
                                      "'all': noise and rounding differ."}));
  EXPECT_TRUE(answers[3].notes.empty());
  // Many empty groups: large ones would have to make up for their noise, so nothing is fitted.
  const ReleasePlan sparse =
      planned("[[statistics]]\nname = 'n'\nkind = 'count'\nby = 'age'\ntotals = true\n",
              "age = { type = 'integer', keys = { from = 1, to = 400 } }\n");
  ExactAnswers one = {empty_groups(sparse.aggregations[0])};
  one[0][0].entries[0][0] = 100'000;
  EXPECT_EQ(release_answers(sparse, one, bits)[0].notes,
            (std::vector<std::string>{"Added up, these numbers are not exactly those of 'n_total': "
                                      "noise and rounding differ."}));
  // What is suppressed is not compared.
  const ReleasePlan hidden =
      planned(count("r", "'region'", "suppress_above = 1e-9\n") + count("all", ""),
              without_promise(kComplete));
  EXPECT_TRUE(release_answers(hidden, exact_of(hidden, 1), bits)[0].notes.empty());
}

// The average of more noises has a smaller variance, but sometimes a larger error.
TEST(TablesTogetherTest, TargetsStayMet) {
  const std::string targets =
      "[[statistics]]\nname = 'one'\nkind = 'count'\naccuracy = 7\n"
      "[[statistics]]\nname = 'two'\nkind = 'count'\naccuracy = 7\n"
      "[[statistics]]\nkind = 'count'\nby = 'age'\nepsilon = ";
  const std::string columns =
      "age = { type = 'integer', keys = [0, 1, 2, 3, 4], complete = true }\n";
  int used = 0;
  for (const std::string epsilon : {"0.05", "0.1", "0.15", "0.2", "0.3", "0.35", "0.9"}) {
    const ReleasePlan plan = planned(targets + epsilon + "\n", columns, "epsilon = 3");
    EXPECT_LE(*plan.statistics[0].accuracy.at(1), Rational(7)) << epsilon;
    EXPECT_LE(*plan.statistics[1].accuracy.at(1), Rational(7)) << epsilon;
    used += plan.tables_together.empty() ? 0 : 1;
  }
  EXPECT_GT(used, 0);
}

TEST(TablesTogetherTest, EmptyAndSmallTables) {
  const std::string columns =
      "region = { keys = ['n'], complete = true }\n"
      "sex = { keys = ['f', 'm', 'x'], complete = true }\n";
  const ReleasePlan plan = planned(kFour, columns);
  EXPECT_EQ(learners(plan), (Names{"both", "r", "s", "all"}));
  ExactAnswers exact;
  for (const Aggregation& aggregation : plan.aggregations)
    exact.push_back(empty_groups(aggregation));
  BitSource bits = testing::seeded_tape(4);
  // An interval misses with probability 1/20, so more than 8 of 20 do with less than 10^-6.
  std::map<std::pair<std::string, std::size_t>, int> misses;
  for (int round = 0; round < 20; ++round) {
    for (const StatisticAnswers& one : release_answers(plan, exact, bits)) {
      for (std::size_t i = 0; i < one.lines.size(); ++i) {
        EXPECT_GE(*one.lines[i].value, Rational(0));
        misses[{one.name, i}] += one.lines[i].interval->lower.sign() > 0 ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(misses.size(), 8U);
  for (const auto& [line, count] : misses) EXPECT_LE(count, 8) << line.first;
}

// The law of many noises takes long where intervals look at it often.
TEST(TablesTogetherTest, MeansLearnFromFewTables) {
  const std::string also = count("s2", "'sex'") + count("sc", "'sex', 'class'") +
                           count("sr", "'sex', 'region'") + count("c", "'class'");
  const ReleasePlan few = planned(kMeans + count("all", ""));
  EXPECT_EQ(few.statistics[0].learns_from, std::vector<std::string>{"all"});
  const ReleasePlan many = planned(kMeans + kFour + also);
  EXPECT_EQ(many.statistics[0].learns_from, (std::vector<std::string>{"s", "s2"}));
  EXPECT_EQ(many.statistics[4].learns_from.size(), 8U);
}

// Sixteen tables of six columns: the number of different noises stays bounded, and so does time.
TEST(TablesTogetherTest, ManyTablesAreLimited) {
  std::string columns;
  std::string statistics;
  for (int i = 0; i < 6; ++i) {
    columns +=
        "c" + std::to_string(i) + " = { type = 'integer', keys = [1, 2, 3], complete = true }\n";
  }
  for (int mask = 0; mask < 64; mask += 3) {
    std::string by;
    for (int i = 0; i < 6; ++i) {
      if ((mask >> i & 1) != 0) by += (by.empty() ? "'c" : ", 'c") + std::to_string(i) + "'";
    }
    statistics += count("t" + std::to_string(mask), by);
  }
  const std::string text =
      "version = 1\nsource = 's.csv'\nunit = 'row'\nbudget = { epsilon = 1, "
      "ledger = 'l' }\n[columns]\n" +
      columns + statistics;
  std::vector<SchemaColumn> data;
  for (int i = 0; i < 6; ++i) data.push_back({"c" + std::to_string(i), "", {}});
  const ReleasePlan plan = plan_release(check_against_schema(parse_release(text, "f.toml"), data));
  ASSERT_EQ(plan.tables_together.size(), 1U);
  EXPECT_LE(plan.tables_together[0]->counted.tables().size(), 16U);
  for (const auto& member : plan.tables_together[0]->members) {
    if (!member.correction) continue;
    EXPECT_LE(member.correction->others.size(), 64U);
  }
}

// The promise is part of the release, since answers depend on it, and needs keys.
TEST(TablesTogetherTest, ThePromiseInTheFile) {
  const std::string head = kHead + "sex = { complete = true }\n";
  EXPECT_EQ(verdict(head + "[[statistics]]\nkind = 'count'\n"),
            "f.toml:10:1: 'sex' is `complete` and has no `keys`; list all its keys, or remove "
            "`complete`");
  EXPECT_EQ(
      verdict(kHead + "sex = { keys = ['f'], complete = 1 }\n[[statistics]]\nkind = 'count'\n"),
      "f.toml:10:34: `complete` is a number; write true or false");
  const auto digest = [](const std::string& columns, const std::string& statistics) {
    return planned(statistics, columns).digest;
  };
  EXPECT_NE(digest(kComplete, kFour), digest(without_promise(kComplete), kFour));
  EXPECT_EQ(digest(kComplete, count("all", "")),
            digest(without_promise(kComplete), count("all", "")));
  const std::string table =
      "[keys.places]\ncolumns = ['region', 'sex']\nrows = [['n', 'f'], ['s', "
      "'m']]\ncomplete = true\n";
  const std::string by_table = count("places", "'region', 'sex'", "keys = 'places'\n");
  EXPECT_EQ(learners(planned(table + by_table + count("all", ""), without_promise(kComplete))),
            (Names{"places", "all"}));
  // A table with totals that would cut a pair of columns in two keeps its numbers.
  EXPECT_EQ(learners(planned(
                table + count("places", "'region', 'sex'", "keys = 'places'\ntotals = true\n") +
                    count("all", ""),
                without_promise(kComplete))),
            (Names{"all"}));
}

}  // namespace tables_together_test
}  // namespace lastbit
