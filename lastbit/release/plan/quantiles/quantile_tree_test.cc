// Many quantiles from one tree of noisy numbers.
#include "lastbit/release/plan/quantiles/quantile_tree.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "lastbit/base/test_support.h"
#include "lastbit/random/exponential/law_check.h"
#include "lastbit/random/tape.h"
#include "lastbit/release/file/parse_release.h"

namespace lastbit {
namespace quantile_tree_test {

using release_internal::EdgeSum;
using release_internal::make_quantile_tree;
using release_internal::sum_of_edge;
using release_internal::TreeShape;
using testing::kFalseAlarm;
using testing::seeded_tape;

constexpr auto kNine = "[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]";

// Thirty-nine levels, for which the tree is better under a rho too.
std::string many() {
  std::string list = "[";
  for (int i = 1; i < 40; ++i) list += fmt::format("{}{:.3f}", i == 1 ? "" : ", ", 0.025 * i);
  return list + "]";
}

ReleasePlan plan(const std::string& budget, const std::string& levels,
                 const std::string& unit = "'row'", const std::string& more = "") {
  return plan_release(parse_release(
      "version = 1\nsource = 't.csv'\nunit = " + unit + "\nbudget = { " + budget +
          ", ledger = 'l' }\n[columns]\nid = { type = 'integer' }\n"
          "town = { keys = ['Ayr', 'Bath', 'Cork'] }\n"
          "age = { type = 'integer', lower = 0, upper = 99 }\n[[statistics]]\nkind = 'quantiles'\n"
          "column = 'age'\nquantiles = " +
          levels + "\n" + more,
      "f.toml"));
}

// below: the rows below each edge, and all of them.
std::vector<Integer> below(const std::vector<std::int64_t>& cells) {
  std::vector<Integer> sums;
  Integer sum = 0;
  for (const std::int64_t rows : cells) {
    sum += rows;
    sums.push_back(sum);
  }
  return sums;
}
std::vector<GroupAnswer> table_of(const std::vector<std::int64_t>& cells) {
  return {{{}, {below(cells)}}};
}

TEST(TreeShapeTest, EveryEdgeIsASumOfFewNodes) {
  for (const std::size_t cells : {1u, 2u, 15u, 16u, 17u, 100u, 256u, 257u, 1000u, 4097u}) {
    const TreeShape shape(cells);
    EXPECT_LE(shape.nodes_of(0), 16u);
    EXPECT_EQ(shape.widths.back(), 1u);
    std::vector<std::int64_t> rows;
    for (std::size_t i = 0; i < cells; ++i) rows.push_back(static_cast<std::int64_t>(i * i % 97));
    const std::vector<Integer> sums = below(rows);
    const auto nodes = release_internal::tree_counts({{{}, {sums}}}, 0, shape);
    ASSERT_EQ(nodes.size(), shape.nodes());
    for (std::size_t edge = 0; edge <= cells; ++edge) {
      const EdgeSum sum = sum_of_edge(shape, edge);
      std::set<std::size_t> used(sum.added.begin(), sum.added.end());
      used.insert(sum.subtracted.begin(), sum.subtracted.end());
      ASSERT_EQ(used.size(), sum.added.size() + sum.subtracted.size());
      ASSERT_EQ(static_cast<std::int64_t>(used.size()), sum.coarse + sum.fine);
      ASSERT_LE(sum.fine, static_cast<std::int64_t>(8 * (shape.widths.size() - 1)));
      Integer total = 0;
      for (const std::size_t node : sum.added) total += nodes[node];
      for (const std::size_t node : sum.subtracted) {
        ASSERT_GE(node, shape.nodes_of(0)) << "coarse nodes are only added";
        total -= nodes[node];
      }
      ASSERT_EQ(total, edge == 0 ? Integer(0) : sums[edge - 1]) << cells << " " << edge;
    }
  }
}

// A unit with 2 rows in each of 3 groups: each of them is in one node of both levels.
TEST(QuantileTreeTest, MapIsAttained) {
  const ReleasePlan planned =
      plan("epsilon = 1", kNine, "{ id = 'id', max_rows_per_group = 2, max_groups = 3 }",
           "by = 'town'\n");
  const Aggregation& aggregation = planned.aggregations.front();
  const auto table = [](std::int64_t rows) {
    std::vector<std::int64_t> cells(100, 7);
    cells[41] += rows;
    std::vector<GroupAnswer> groups;
    for (const char* town : {"Ayr", "Bath", "Cork"}) groups.push_back({{town}, {below(cells)}});
    return groups;
  };
  const auto absolute = make_quantile_tree<L1Distance>(aggregation, 0);
  EXPECT_EQ(absolute.map(1), Distance(2 * 3 * 2));
  EXPECT_EQ(L1Distance{}.distance(absolute(table(2)), absolute(table(0))), absolute.map(1));
  const auto squared = make_quantile_tree<L2Distance>(aggregation, 0);
  EXPECT_EQ(squared.map(1), Radical<2>::root_of(2 * 3 * 2 * 2));
  EXPECT_EQ(L2Distance{}.distance(squared(table(2)), squared(table(0))), squared.map(1));
  EXPECT_EQ(planned.cost, Cost::pure(1));
  EXPECT_EQ(planned.statistics[0].parts[0].sensitivity, "12 in L1");
}

TEST(QuantileTreeTest, IsUsedForManyLevelsAndNotForFew) {
  for (const std::string budget : {"epsilon = 0.5", "rho = 0.125"}) {
    const PlannedStatistic all = plan(budget, many()).statistics.front();
    ASSERT_EQ(all.parts.size(), 1);
    EXPECT_EQ(all.parts[0].name, "rows in each range of 16 and 1 possible answers");
    EXPECT_NE(all.steps.back().find("read from these noisy numbers"), std::string::npos);
  }
  EXPECT_EQ(plan("epsilon = 0.5", kNine).statistics[0].parts.size(), 1);
  const PlannedStatistic few = plan("epsilon = 0.5", "[0.25, 0.5, 0.75]").statistics.front();
  EXPECT_EQ(few.parts.size(), 4);
  EXPECT_NE(few.steps.back().find("chosen by itself"), std::string::npos);
  EXPECT_EQ(few.parts[0].mechanism, NoiseMechanism::kNoisyMax);
}

// How often single intervals miss the true cell, and whole lists the stated number of rows.
TEST(QuantileTreeTest, IntervalsAndErrorsHold) {
  constexpr int kReleases = 400;
  std::vector<std::int64_t> cells;
  for (std::int64_t i = 0; i < 100; ++i) cells.push_back(i < 60 ? 3 * i % 41 : 100 - i);
  const std::vector<Integer> sums = below(cells);
  for (const bool concentrated : {false, true}) {
    const PlannedStatistic tree =
        plan(concentrated ? "rho = 1" : "epsilon = 2", concentrated ? many() : kNine)
            .statistics.front();
    ASSERT_EQ(tree.parts.size(), 1);
    const std::size_t count = concentrated ? 39 : 9;
    BitSource bits = seeded_tape(51);
    std::vector<int> missed(count, 0);
    int far = 0;
    Rational widths = 0;
    for (int release = 0; release < kReleases; ++release) {
      const auto lines = tree.release(table_of(cells), bits).front();
      ASSERT_EQ(lines.size(), count);
      Rational most = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const Rational wanted = Rational(sums.back()) * Rational::parse(lines[i].cell);
        std::size_t cell = 0;
        while (Rational(sums[cell]) < wanted) ++cell;
        const Rational truth(cell);
        const Range& interval = lines[i].interval.value();
        if (truth < interval.lower || truth > interval.upper) ++missed[i];
        ASSERT_LE(interval.lower, *lines[i].value);
        ASSERT_GE(interval.upper, *lines[i].value);
        ASSERT_LE(*lines[i == 0 ? 0 : i - 1].value, *lines[i].value);
        const auto chosen = static_cast<std::size_t>(lines[i].value->floor().to_int64());
        const Rational before = chosen == 0 ? Rational(0) : Rational(sums[chosen - 1]);
        most = std::max({most, before - wanted, wanted - Rational(sums[chosen])});
        widths += interval.upper - interval.lower;
      }
      if (most > tree.accuracy.always.value()) ++far;
    }
    // Hoeffding: t more than expected have probability at most e^(−2t²/n).
    const double slack = std::sqrt(kReleases * std::log(1 / kFalseAlarm) / 2);
    for (const int misses : missed) EXPECT_LT(misses, 0.05 * kReleases + slack);
    EXPECT_LT(far, 0.05 * kReleases + slack);
    // They say something: of 100 possible answers, few are left.
    EXPECT_LT(widths, Rational(count) * Rational(kReleases * 15));
  }
}

TEST(QuantileTreeTest, StrangeGroupsHaveHonestIntervals) {
  const PlannedStatistic nine = plan("epsilon = 1", kNine).statistics.front();
  BitSource bits = seeded_tape(52);
  std::vector<std::int64_t> one(100, 0);
  one[70] = 1;
  std::vector<std::int64_t> equal(100, 0);
  equal[70] = 1'000'000;
  for (int release = 0; release < 30; ++release) {
    EXPECT_EQ(nine.release(table_of(std::vector<std::int64_t>(100, 0)), bits).front().size(), 9);
    const auto of_one = nine.release(table_of(one), bits).front();
    for (const AnswerLine& line : of_one) EXPECT_LE(line.interval->lower, *line.value);
    const auto of_equal = nine.release(table_of(equal), bits).front();
    for (const AnswerLine& line : of_equal) {
      EXPECT_EQ(line.value, Rational(70));
      EXPECT_EQ(line.interval->lower, Rational(70));
      EXPECT_EQ(line.interval->upper, Rational(70));
    }
  }
  // Of a single row nothing can be known: most intervals cover most of the range.
  const auto lines = nine.release(table_of(one), bits).front();
  EXPECT_TRUE(std::ranges::any_of(lines, [](const AnswerLine& line) { return line.vague; }));
  EXPECT_TRUE(nine.release({}, bits).front().empty());
}

}  // namespace quantile_tree_test
}  // namespace lastbit
