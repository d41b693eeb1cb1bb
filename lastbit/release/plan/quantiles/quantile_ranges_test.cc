// Intervals of chosen quantiles, and the order of quantiles that several statistics give.
#include "lastbit/release/plan/quantiles/quantile_ranges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "lastbit/base/test_support.h"
#include "lastbit/random/exponential/law_check.h"
#include "lastbit/random/tape.h"
#include "lastbit/release/file/parse_release.h"
#include "lastbit/release/plan/reliability.h"

namespace lastbit {
namespace quantile_ranges_test {

using release_internal::edges_around;
using testing::kFalseAlarm;
using testing::seeded_tape;
using Cells = std::vector<std::int64_t>;

ReleasePlan plan(const std::string& budget, const std::string& statistics,
                 const std::string& unit = "'row'") {
  return plan_release(parse_release("version = 1\nsource = 't.csv'\nunit = " + unit +
                                        "\nbudget = { " + budget +
                                        ", ledger = 'l' }\n[columns]\nid = { type = 'integer' }\n"
                                        "town = { keys = ['Ayr', 'Bath', 'Cork'] }\n"
                                        "age = { type = 'integer', lower = 0, upper = 99 }\n" +
                                        statistics,
                                    "f.toml"));
}
std::string quantiles(const std::string& levels, const std::string& more = "") {
  return "[[statistics]]\nkind = 'quantiles'\ncolumn = 'age'\nquantiles = " + levels + "\n" + more;
}
std::string median(const std::string& more = "") {
  return "[[statistics]]\nkind = 'median'\ncolumn = 'age'\n" + more;
}

std::vector<Integer> below(const Cells& cells) {
  std::vector<Integer> sums;
  Integer sum = 0;
  for (const std::int64_t rows : cells) sums.push_back(sum += rows);
  return sums;
}
std::vector<GroupAnswer> table_of(const Cells& cells) { return {{{}, {below(cells)}}}; }

// holds: whether some cell that holds the quantile lies in the interval.
bool holds(const Cells& cells, const Rational& level, const Range& interval) {
  const std::vector<Integer> sums = below(cells);
  const Rational wanted = level * Rational(sums.back());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Rational before = i == 0 ? Rational(0) : Rational(sums[i - 1]);
    if (before > wanted || Rational(sums[i]) < wanted) continue;
    if (interval.lower <= Rational(i) && Rational(i) <= interval.upper) return true;
  }
  return false;
}

TEST(EdgesAroundTest, AreTheEndsOfChosenCellsAndGrowApart) {
  using Edges = std::vector<std::size_t>;
  EXPECT_EQ(edges_around(Edges{10}, 20), (Edges{1, 7, 9, 10, 11, 12, 14}));
  EXPECT_EQ(edges_around(Edges{0}, 2), Edges{1});
  EXPECT_EQ(edges_around(Edges{1}, 2), Edges{1});
  EXPECT_EQ(edges_around(Edges{4, 4, 5}, 8), (Edges{1, 3, 4, 5, 6, 7}));
  for (std::size_t first = 0; first < 30; ++first) {
    for (std::size_t second = first; second < 30; ++second) {
      const Edges edges = edges_around(Edges{first, second}, 30);
      ASSERT_FALSE(edges.empty());
      ASSERT_TRUE(std::ranges::is_sorted(edges));
      ASSERT_TRUE(edges.front() > 0 && edges.back() < 30);
      for (const std::size_t end : {first, first + 1, second, second + 1}) {
        if (end == 0 || end == 30) continue;
        ASSERT_TRUE(std::ranges::binary_search(edges, end)) << first << " " << second;
      }
    }
  }
}

// A unit with 2 rows in each of 3 groups, whose edges differ.
TEST(RangeCountsTest, MapIsAttainedWhereverTheEdgesAre) {
  const ReleasePlan planned = plan("epsilon = 1", median("by = 'town'\n"),
                                   "{ id = 'id', max_rows_per_group = 2, max_groups = 3 }");
  const Aggregation& aggregation = planned.aggregations.front();
  const auto table = [](std::int64_t rows) {
    Cells cells(100, 7);
    cells[41] += rows;
    std::vector<GroupAnswer> groups;
    for (const char* town : {"Ayr", "Bath", "Cork"}) groups.push_back({{town}, {below(cells)}});
    return groups;
  };
  const std::vector<std::vector<std::size_t>> edges = {{41, 42}, {1}, {20, 80, 99}};
  const auto absolute = make_range_counts<L1Distance>(aggregation, 0, edges);
  EXPECT_EQ(absolute(table(0)), (std::vector<std::int64_t>{287, 7, 406, 7, 693, 140, 420, 133, 7}));
  EXPECT_EQ(absolute.map(1), Distance(2 * 3));
  EXPECT_EQ(L1Distance{}.distance(absolute(table(2)), absolute(table(0))), absolute.map(1));
  const auto squared = make_range_counts<L2Distance>(aggregation, 0, edges);
  EXPECT_EQ(L2Distance{}.distance(squared(table(2)), squared(table(0))), squared.map(1));
  EXPECT_EQ(planned.cost, Cost::pure(1));
  ASSERT_EQ(planned.statistics[0].parts.size(), 2);
  EXPECT_EQ(planned.statistics[0].parts[1].cost, Cost::pure(Rational(1, 8)));
}

TEST(QuantileIntervalTest, TheFileSaysWhatTheyTake) {
  EXPECT_EQ(plan("epsilon = 1", median("interval_share = 0\n")).statistics[0].parts.size(), 1);
  const auto half = plan("epsilon = 1", median("interval_share = 0.5\n")).statistics.front();
  EXPECT_EQ(half.parts[0].cost, half.parts[1].cost);
  for (const std::string share : {"-0.1", "1", "'x'"}) {
    EXPECT_EQ(code_of([&] { plan("epsilon = 1", median("interval_share = " + share)); }),
              ErrorCode::kBadInput);
  }
}

// Ties, gaps, few rows and quantiles at the ends: how often an interval misses.
TEST(QuantileIntervalTest, HoldTheQuantileWhateverTheRowsAre) {
  constexpr int kReleases = 300;
  Cells gap(100, 0);
  gap[3] = 40;
  gap[90] = 41;
  Cells ties(100, 1);
  ties[50] = 300;
  Cells few(100, 0);
  few[70] = 1;
  Cells dense;
  for (std::int64_t i = 0; i < 100; ++i) dense.push_back(i < 60 ? 3 * i % 41 : 100 - i);
  for (const std::string budget : {"epsilon = 2", "rho = 0.5"}) {
    for (const std::string levels : {"[0.5]", "[0, 0.3, 1]"}) {
      const ReleasePlan planned = plan(budget, quantiles(levels, "interval_share = 0.5\n"));
      for (const Cells& cells : {gap, ties, few, dense, Cells(100, 0)}) {
        BitSource bits = seeded_tape(61);
        std::vector<int> missed(levels == "[0.5]" ? 1 : 3, 0);
        for (int release = 0; release < kReleases; ++release) {
          const auto lines = planned.statistics[0].release(table_of(cells), bits).front();
          for (std::size_t i = 0; i < missed.size(); ++i) {
            const Range& interval = lines[i].interval.value();
            ASSERT_TRUE(interval.lower <= *lines[i].value && *lines[i].value <= interval.upper);
            ASSERT_TRUE(interval.lower >= Rational(0) && interval.upper <= Rational(99));
            if (!holds(cells, Rational::parse(lines[i].cell), interval)) ++missed[i];
          }
        }
        // Hoeffding: t more than expected have probability at most e^(−2t²/n).
        const double slack = std::sqrt(kReleases * std::log(1 / kFalseAlarm) / 2);
        for (const int misses : missed) EXPECT_LT(misses, 0.05 * kReleases + slack);
      }
    }
  }
}

TEST(QuantileIntervalTest, SayMuchOfManyRowsAndNothingOfFew) {
  const ReleasePlan planned = plan("epsilon = 1", median());
  BitSource bits = seeded_tape(62);
  Cells equal(100, 0);
  equal[70] = 100'000;
  const auto sure = planned.statistics[0].release(table_of(equal), bits).front();
  EXPECT_EQ(sure[0].interval, (Range{Rational(70), Rational(70)}));
  EXPECT_EQ(reliability_of(sure[0]), Reliability::kReliable);
  const auto spread = planned.statistics[0].release(table_of(Cells(100, 1000)), bits).front();
  EXPECT_LE(spread[0].interval->upper - spread[0].interval->lower, Rational(4));
  int unreliable = 0;
  for (int i = 0; i < 20; ++i) {
    const auto few = planned.statistics[0].release(table_of(Cells(100, 0)), bits).front();
    unreliable += reliability_of(few[0]) == Reliability::kUnreliable ? 1 : 0;
  }
  EXPECT_GE(unreliable, 18);
  EXPECT_TRUE(planned.statistics[0].release({}, bits).front().empty());
}

TEST(QuantileIntervalTest, WideOnesAreSuppressedChosenOrFromATree) {
  for (const std::string levels : {"[0.5]", "[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]"}) {
    const ReleasePlan planned = plan("epsilon = 0.1", quantiles(levels, "suppress_above = 0.5\n"));
    BitSource bits = seeded_tape(63);
    int suppressed = 0;
    for (int i = 0; i < 20; ++i) {
      const auto lines = planned.statistics[0].release(table_of(Cells(100, 0)), bits).front();
      suppressed += lines[0].suppressed && !lines[0].value ? 1 : 0;
    }
    EXPECT_GE(suppressed, 15) << levels;
  }
}

// A sharp median among less accurate quantiles of few rows, which would cross it.
TEST(QuantileOrderTest, StatisticsOfTheSameRowsDoNotCross) {
  const ReleasePlan planned = plan(
      "epsilon = 1", quantiles("[0.45, 0.5, 0.55]", "epsilon = 0.1\n") + median("epsilon = 0.8\n") +
                         "[[statistics]]\nkind = 'max'\n" + "column = 'age'\nepsilon = 0.1\n");
  ASSERT_EQ(planned.aggregations.size(), 1);
  BitSource bits = seeded_tape(64);
  int moved = 0;
  for (int release = 0; release < 50; ++release) {
    const auto answers = release_answers(planned, {table_of(Cells(100, 1))}, bits);
    const auto& three = answers[0].lines;
    const AnswerLine& middle = answers[1].lines.front();
    EXPECT_LE(*three[0].value, *middle.value);
    EXPECT_EQ(*three[1].value, *middle.value);
    EXPECT_GE(*three[2].value, *middle.value);
    EXPECT_GE(*answers[2].lines.front().value, *three[2].value);
    for (const AnswerLine& line : three) {
      EXPECT_TRUE(line.interval->lower <= *line.value && *line.value <= line.interval->upper);
    }
    moved += *three[0].value == *middle.value || *three[2].value == *middle.value ? 1 : 0;
  }
  EXPECT_GT(moved, 10);
}

// The stated rows hold for each of them with its own probability, order or not: it is shared.
TEST(QuantileOrderTest, StatedRowsAreThoseOfAllTogether) {
  const Rational alone =
      plan("epsilon = 1", median("epsilon = 0.5\n")).statistics[0].accuracy.always.value();
  const std::string others = quantiles("[0.1, 0.2]", "epsilon = 0.5\n");
  const Rational together =
      plan("epsilon = 1", median("epsilon = 0.5\n") + others).statistics[0].accuracy.always.value();
  EXPECT_GT(together, alone);
  const std::string elsewhere = quantiles("[0.1, 0.2]", "epsilon = 0.5\nby = 'town'\n");
  EXPECT_EQ(
      plan("epsilon = 1", median("epsilon = 0.5\n") + elsewhere).statistics[0].accuracy.always,
      alone);
}

}  // namespace quantile_ranges_test
}  // namespace lastbit
