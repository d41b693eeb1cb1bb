// What statistics know together: errors that do not rise, intervals that hold as often as stated,
// counts that add up, and nothing else that changes.
#include "lastbit/release/plan/together/together.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "lastbit/random/tape.h"
#include "lastbit/release/engine.h"
#include "lastbit/release/file/schema.h"
#include "lastbit/release/file/test_support.h"
#include "lastbit/release/plan/plan.h"
#include "lastbit/release/plan/together/row_weights.h"

namespace lastbit {
namespace together_test {

using release_internal::NoisyTable;
using release_internal::row_weights;
using release_internal::RowEstimate;
using release_internal::SharedRows;

LaplaceNoise laplace(const Rational& scale) { return {scale, Grid(0), true}; }

TEST(RowWeightsTest, FollowFromTheCombinations) {
  const std::vector<Rational> tenth(2, Rational(1, 10));
  EXPECT_EQ(row_weights({{3, 1}, {7, -1}}, 0), tenth);
  EXPECT_EQ(row_weights({{3, 1}, {7, -1}}, -3), (std::vector<Rational>(2, Rational(8, 10))));
  // ((N − s)², 2s(N − s), s²) for N = 4, in the entries n, Σs and Σs².
  EXPECT_EQ(row_weights({{16, -8, 1}, {0, 8, -2}, {0, 0, 1}}, 0),
            (std::vector<Rational>(3, Rational(1, 16))));
  EXPECT_TRUE(row_weights({{0, 2, 3}, {0, 2, -3}}, 0).empty());
  EXPECT_EQ(row_weights({{1}, {1}}, 0), (std::vector<Rational>(2, Rational(1, 2))));
}

NoisyTable table_of(const std::vector<Rational>& numbers, std::size_t groups) {
  NoisyTable table;
  table.groups.resize(groups);
  table.terms.assign(groups, 1);
  table.parts = {numbers};
  return table;
}

// Three statistics: a count, two corners of a column with 5 steps, a histogram of three cells.
std::vector<RowEstimate> three_estimates() {
  return {{laplace(2), {1}},
          {laplace(5), {Rational(1, 5), Rational(1, 5)}},
          {GaussianNoise{3, Grid(0)}, {1, 1, 1}}};
}

TEST(SharedRowsTest, AllAgreeAndExactNumbersStay) {
  const SharedRows shared(three_estimates());
  NoisyTable counts = table_of({10, 4}, 2);
  NoisyTable corners = table_of({20, 10, 31, -6}, 2);
  NoisyTable cells = table_of({1, 2, 3, 4, 5, -1}, 2);
  const auto rows = shared.reconcile({&counts, &corners, &cells});
  for (std::size_t group = 0; group < 2; ++group) {
    EXPECT_EQ(counts.parts[0][group], rows[group]);
    EXPECT_EQ((corners.parts[0][2 * group] + corners.parts[0][2 * group + 1]) / Rational(5),
              rows[group]);
    EXPECT_EQ(
        cells.parts[0][3 * group] + cells.parts[0][3 * group + 1] + cells.parts[0][3 * group + 2],
        rows[group]);
  }
  EXPECT_NE(rows[0], Rational(10));
  NoisyTable exact_count = table_of({7}, 1);
  NoisyTable exact_corners = table_of({30, 5}, 1);
  NoisyTable exact_cells = table_of({0, 3, 4}, 1);
  EXPECT_EQ(shared.reconcile({&exact_count, &exact_corners, &exact_cells}),
            std::vector<Rational>{7});
  EXPECT_EQ(exact_count.parts[0], (std::vector<Rational>{7}));
  EXPECT_EQ(exact_corners.parts[0], (std::vector<Rational>{30, 5}));
  EXPECT_EQ(exact_cells.parts[0], (std::vector<Rational>{0, 3, 4}));
}

// The numbers are linear in the noises, so moving one noise by 1 shows its weight in each of them.
TEST(SharedRowsTest, CorrectionsSayWhichNoisesAreInTheNumbers) {
  const auto estimates = three_estimates();
  const SharedRows shared(estimates);
  const std::size_t sizes[] = {1, 2, 3};
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t number = 0; number < sizes[k]; ++number) {
      std::vector<Rational> weights(sizes[k], Rational(0));
      weights[number] = 1;
      const auto noises = NumberNoise{estimates[k].law, 1, shared.correction(k)}.of(weights);
      std::vector<Rational> own;
      for (std::size_t i = 0; i < sizes[k]; ++i) own.push_back(noises[i].weight);
      std::map<std::size_t, Rational> others;  // by statistic: the weight of each of its noises
      std::size_t next = sizes[k];
      for (std::size_t other = 0; other < 3; ++other) {
        if (other == k) continue;
        EXPECT_EQ(variance_of(noises.at(next).law), variance_of(estimates[other].law));
        EXPECT_EQ(static_cast<std::size_t>(noises.at(next).count), sizes[other]);
        others[other] = noises.at(next++).weight;
      }
      EXPECT_EQ(next, noises.size());
      for (std::size_t other = 0; other < 3; ++other) {
        for (std::size_t i = 0; i < sizes[other]; ++i) {
          std::vector<NoisyTable> tables;
          for (const std::size_t size : sizes) {
            tables.push_back(table_of(std::vector<Rational>(size, Rational(0)), 1));
          }
          tables[other].parts[0][i] = 1;
          shared.reconcile({&tables[0], &tables[1], &tables[2]});
          EXPECT_EQ(tables[k].parts[0][number], other == k ? own[i] : others[other]);
        }
      }
    }
  }
}

// Whatever is computed from the numbers linearly, its variance does not rise by more than what
// rounding the shares to 16 bits costs.
TEST(SharedRowsTest, VariancesDoNotRise) {
  const auto estimates = three_estimates();
  const SharedRows shared(estimates);
  const auto variance = [](const std::vector<WeightedNoise>& noises) {
    Rational sum = 0;
    for (const auto& [law, weight, count] : noises) {
      sum += weight * weight * Rational(count) * variance_of(law);
    }
    return sum;
  };
  const Rational slightly = Rational(1) + Rational::two_to(-14);
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t size = estimates[k].weights.size();
    for (int code = 0; code < 125; ++code) {
      std::vector<Rational> weights;
      for (int digit = code, i = 0; i < static_cast<int>(size); ++i, digit /= 5) {
        weights.emplace_back(digit % 5 - 2);
      }
      const NumberNoise alone{estimates[k].law};
      const NumberNoise together{estimates[k].law, 1, shared.correction(k)};
      EXPECT_LE(variance(together.of(weights)), variance(alone.of(weights)) * slightly);
    }
    EXPECT_LT(
        variance(NumberNoise{estimates[k].law, 1, shared.correction(k)}.of(estimates[k].weights)),
        variance(NumberNoise{estimates[k].law}.of(estimates[k].weights)));
  }
}

const std::vector<SchemaColumn> kData = {{"income", "", {}}, {"age", "", {}}, {"region", "", {}},
                                         {"sex", "", {}},    {"old", "", {}}, {"person", "", {}}};

ReleasePlan planned(const std::string& statistics, const std::string& budget = "epsilon = 1",
                    const std::string& unit = "'row'") {
  std::string head = kHead;
  head.replace(head.find("epsilon = 1"), 11, budget);
  head.replace(head.find("'row'"), 5, unit);
  const std::string columns = "sex = { keys = ['f', 'm', 'x'] }\nold = { type = 'boolean' }\n";
  return plan_release(
      check_against_schema(parse_release(head + columns + statistics, "f.toml"), kData));
}

const std::string kCount =
    "[[statistics]]\nname = 'n'\nkind = 'count'\ncolumn = 'income'\nby = 'region'\nepsilon = 0.2\n";
const std::string kMean =
    "[[statistics]]\nname = 'mean'\nkind = 'mean'\ncolumn = 'income'\nby = 'region'\n"
    "epsilon = 0.2\n";

TEST(TogetherTest, ErrorsFallWhereRowsAreShared) {
  const ReleasePlan count = planned(kCount);
  const ReleasePlan mean = planned(kMean);
  EXPECT_FALSE(count.statistics[0].shares_rows);
  const ReleasePlan both = planned(kCount + kMean);
  ASSERT_EQ(both.shared_rows.size(), 1U);
  EXPECT_EQ(both.cost, Cost::pure(Rational(2, 5)));
  EXPECT_LT(*both.statistics[0].accuracy.always, *count.statistics[0].accuracy.always);
  EXPECT_LT(*both.statistics[1].accuracy.at(1000), *mean.statistics[0].accuracy.at(1000));
  EXPECT_EQ(
      both.statistics[0].steps.back(),
      "'mean' counts the same rows. What both say about their number is combined, which costs "
      "nothing.");
}

// Which statistics share, by the names of the plan; "" if nothing is shared.
std::string sharers(const std::string& statistics, const std::string& unit = "'row'",
                    const std::string& budget = "epsilon = 1") {
  std::string names;
  for (const PlannedStatistic& one : planned(statistics, budget, unit).statistics) {
    if (one.shares_rows) names += one.statistic.name.value + " ";
  }
  return names;
}

TEST(TogetherTest, OnlyTheSameRowsOfTheSameGroupsAreShared) {
  const std::string all = "[[statistics]]\nname = 'all'\nkind = 'count'\nby = 'region'\n";
  const std::string imputed =
      "[[statistics]]\nname = 'imputed'\nkind = 'mean'\ncolumn = 'income'\nby = 'region'\n"
      "nulls = { impute = 0 }\n";
  const std::string sexes =
      "[[statistics]]\nname = 'sexes'\nkind = 'histogram'\ncolumn = 'sex'\nby = 'region'\n";
  // Rows without an income are in one, and not in the other.
  EXPECT_EQ(sharers(all + kMean), "");
  EXPECT_EQ(sharers(all + kMean + imputed), "all imputed ");
  EXPECT_EQ(sharers(kCount + kMean + all + imputed), "n mean all imputed ");
  // Other groups, other rows.
  EXPECT_EQ(sharers(kCount + "[[statistics]]\nkind = 'mean'\ncolumn = 'income'\n"), "");
  EXPECT_EQ(sharers(kCount + "[[statistics]]\nkind = 'mean'\ncolumn = 'income'\nby = 'region'\n"
                             "where = \"sex = 'f'\"\n"),
            "");
  // Categories that are not listed are in no cell, unless there is one for them.
  const std::string count_sexes =
      "[[statistics]]\nname = 'count'\nkind = 'count'\ncolumn = 'sex'\nby = 'region'\n";
  EXPECT_EQ(sharers(count_sexes + sexes), "");
  // Noise of a few steps on a coarse grid is combined only where the stated errors do not rise.
  EXPECT_EQ(sharers(count_sexes + sexes + "other = true\n", "'row'", "epsilon = 0.1"),
            "count sexes ");
  EXPECT_EQ(sharers("[[statistics]]\nname = 'count'\nkind = 'count'\ncolumn = 'old'\n"
                    "[[statistics]]\nname = 'old'\nkind = 'histogram'\ncolumn = 'old'\n"
                    "categories = [true, false]\n"),
            "count old ");
  // A unit's rows are chosen by its limits.
  const std::string unit = "{ id = 'person', max_rows_per_group = 2, max_groups = 1 }";
  EXPECT_EQ(sharers(kCount + kMean, unit), "n mean ");
  EXPECT_EQ(sharers(kCount + kMean + "max_rows_per_group = 1\n", unit), "");
  EXPECT_EQ(sharers(all + imputed, unit), "all imputed ");
}

// The first group has 40 rows with the mean 30, the second none.
ExactAnswers forty_and_none(const ReleasePlan& plan) {
  ExactAnswers exact = {empty_groups(plan.aggregations.at(0))};
  const auto& measures = plan.aggregations[0].measures;
  for (std::size_t i = 0; i < measures.size(); ++i) {
    auto& entries = exact[0].at(0).entries.at(i);
    entries[0] = 40;
    if (std::holds_alternative<StepSum>(measures[i])) entries[1] = 40 * 30;
    if (std::holds_alternative<CategoryCounts>(measures[i])) entries = {25, 10, 0, 5};
  }
  return exact;
}

// False alarms: each of 400 intervals at 95 % misses with probability at most 1/20; more than 48
// misses have a probability below 1e-6 (Chernoff: 400 times 0.12·ln(2.4) + 0.88·ln(0.88/0.95) is
// above 15).
// SLOW: TogetherTest.IntervalsHoldAsOftenAsStatedAndAreNoWider
TEST(TogetherTest, IntervalsHoldAsOftenAsStatedAndAreNoWider) {
  const std::string where = "by = 'region'\n";
  const std::string statistics =
      "[[statistics]]\nname = 'n'\nkind = 'count'\n" + where + "[[statistics]]\nname = 'mean'\n" +
      "kind = 'mean'\ncolumn = 'income'\nnulls = { impute = 0 }\n" + where +
      "[[statistics]]\nname = 'sexes'\nkind = 'histogram'\ncolumn = 'sex'\nother = true\n"
      "nulls = { impute = 'x' }\n" +
      where;
  for (const char* budget : {"epsilon = 1", "rho = 0.1"}) {
    const ReleasePlan plan = planned(statistics, budget);
    ASSERT_EQ(plan.shared_rows.size(), 1U);
    const ExactAnswers exact = forty_and_none(plan);
    const std::map<std::string, Rational> truths = {{"n", 40}, {"mean", 30}, {"sexes", 25}};
    std::map<std::string, int> misses;
    std::map<std::string, Rational> widths;
    std::map<std::string, Rational> widths_alone;
    int added = 0;
    BitSource bits = testing::seeded_tape(77);
    for (int round = 0; round < 400; ++round) {
      const auto answers = release_answers(plan, exact, bits);
      for (const StatisticAnswers& one : answers) {
        const AnswerLine& answer = one.lines.front();
        const Rational& truth = truths.at(one.name);
        const bool held = answer.interval->lower <= truth && truth <= answer.interval->upper;
        misses[one.name] += held ? 0 : 1;
        widths[one.name] += answer.interval->upper - answer.interval->lower;
        for (const AnswerLine& line : one.lines) {
          ASSERT_LE(line.interval->lower, *line.value);
          ASSERT_LE(*line.value, line.interval->upper);
          ASSERT_GE(*line.value, Rational(0));
          ASSERT_TRUE(one.name == "mean" || line.value->is_integer());
        }
      }
      // The cells add up to the rows of their group, also of one without rows, unless one would
      // have to move too far.
      for (std::size_t group = 0; group < 2; ++group) {
        Rational sum = 0;
        for (std::size_t i = 0; i < 4; ++i) sum += *answers[2].lines[4 * group + i].value;
        added += sum == *answers[0].lines[group].value ? 1 : 0;
      }
      for (const PlannedStatistic& one : plan.statistics) {
        const AnswerLine alone = one.release(exact[0], bits).front().front();
        widths_alone[one.statistic.name.value] += alone.interval->upper - alone.interval->lower;
      }
    }
    EXPECT_GE(added, 640) << budget;
    for (const auto& [name, count] : misses) EXPECT_LE(count, 48) << name << ", " << budget;
    for (const auto& [name, width] : widths) EXPECT_LT(width, widths_alone[name]) << name;
  }
}

TEST(TogetherTest, TotalsOfCountsAndHistogramsAddUp) {
  const std::string groups = "by = ['region', 'old']\ntotals = true\n";
  const ReleasePlan plan = planned(
      "[[statistics]]\nname = 'n'\nkind = 'count'\ncolumn = 'sex'\n" + groups +
          "[[statistics]]\nname = 'sexes'\nkind = 'histogram'\ncolumn = 'sex'\nother = true\n" +
          groups,
      "epsilon = 0.1");
  ASSERT_EQ(plan.shared_rows.size(), 1U);
  ASSERT_EQ(plan.statistics.size(), 8U);
  ExactAnswers exact = {empty_groups(plan.aggregations.at(0))};
  // Many rows, so that nothing is cut and nothing has to move far.
  for (GroupAnswer& group : exact[0]) {
    for (std::vector<Integer>& entries : group.entries) {
      for (Integer& entry : entries) entry = entries.size() == 1 ? 4000 : 1000;
    }
  }
  BitSource bits = testing::seeded_tape(3);
  for (int round = 0; round < 50; ++round) {
    const auto answers = release_answers(plan, exact, bits);
    for (std::size_t table = 0; table < 4; ++table) {
      const auto& counts = answers[table].lines;
      const auto& cells = answers[4 + table].lines;
      ASSERT_EQ(cells.size(), 4 * counts.size());
      for (std::size_t group = 0; group < counts.size(); ++group) {
        Rational sum = 0;
        for (std::size_t i = 0; i < 4; ++i) {
          ASSERT_GE(*cells[4 * group + i].value, Rational(0));
          sum += *cells[4 * group + i].value;
        }
        ASSERT_EQ(sum, *counts[group].value);
        ASSERT_LE(*counts[group].value, counts[group].interval->upper);
      }
    }
    // The two groups of each region, and the regions, add up.
    for (std::size_t region = 0; region < 2; ++region) {
      ASSERT_EQ(*answers[1].lines[region].value,
                *answers[0].lines[2 * region].value + *answers[0].lines[2 * region + 1].value);
    }
    ASSERT_EQ(*answers[3].lines[0].value, *answers[1].lines[0].value + *answers[1].lines[1].value);
  }
}

// All noise is drawn before anything is answered, in the order of the file.
TEST(TogetherTest, StatisticsThatShareNothingAnswerAsAlone) {
  const ReleasePlan plan =
      planned(kCount +
              "[[statistics]]\nkind = 'median'\ncolumn = 'age'\nby = 'region'\n"
              "[[statistics]]\nkind = 'sum'\ncolumn = 'age'\n"
              "[[statistics]]\nkind = 'mean'\ncolumn = 'age'\n");
  EXPECT_TRUE(plan.shared_rows.empty());
  ExactAnswers exact;
  for (const Aggregation& aggregation : plan.aggregations) {
    exact.push_back(empty_groups(aggregation));
    for (GroupAnswer& group : exact.back()) {
      for (auto& entries : group.entries) std::ranges::fill(entries, Integer(50));
    }
  }
  BitSource bits = testing::seeded_tape(19);
  BitSource same = testing::seeded_tape(19);
  const auto answers = release_answers(plan, exact, bits);
  for (std::size_t i = 0; i < plan.statistics.size(); ++i) {
    const PlannedStatistic& one = plan.statistics[i];
    const auto alone = one.release(exact[one.aggregation], same).front();
    ASSERT_EQ(alone.size(), answers[i].lines.size());
    for (std::size_t line = 0; line < alone.size(); ++line) {
      EXPECT_EQ(alone[line].value, answers[i].lines[line].value);
      EXPECT_EQ(alone[line].interval, answers[i].lines[line].interval);
    }
  }
}

}  // namespace together_test
}  // namespace lastbit
