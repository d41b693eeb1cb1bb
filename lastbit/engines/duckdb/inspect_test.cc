// Inspections of random releases, with every kind of statistic, against what the engine counts for
// them.
#include "lastbit/release/inspect/inspect.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "lastbit/engines/duckdb/release_test_support.h"
#include "lastbit/release/kinds/registry.h"

namespace lastbit::engine {
namespace inspect_test {

Integer sum_of(const std::vector<Integer>& entries, std::size_t first, std::size_t size) {
  Integer sum = 0;
  for (std::size_t i = first; i < first + size; ++i) sum += entries[i];
  return sum;
}

// RowsCounted: how many rows a tally counted; nothing if its entries do not say.
struct RowsCounted {
  const std::vector<Integer>& entries;

  std::optional<Integer> operator()(const DistinctCount&) const { return std::nullopt; }
  std::optional<Integer> operator()(const LadderSum& ladder) const {
    return sum_of(entries, 0, ladder.cells());
  }
  std::optional<Integer> operator()(const BinCounts&) const { return all(); }
  std::optional<Integer> operator()(const CategoryCounts&) const { return all(); }
  std::optional<Integer> operator()(const BelowCounts&) const { return entries.back(); }
  std::optional<Integer> operator()(const auto& /*count first*/) const { return entries[0]; }

 private:
  Integer all() const { return sum_of(entries, 0, entries.size()); }
};

// counted: the rows, or units in groups, that the engine counts for a statistic.
std::optional<Integer> counted(const ReleasePlan& plan, const PlannedStatistic& planned,
                               const ExactAnswers& answers) {
  const Aggregation& aggregation = plan.aggregations[planned.aggregation];
  const bool found = discovers_categories(planned.statistic.kind);
  const std::size_t measure = found ? units_measure(aggregation) : planned.measure;
  Integer sum = 0;
  for (const GroupAnswer& group : answers[planned.aggregation]) {
    const auto rows =
        std::visit(RowsCounted{group.entries[measure]}, aggregation.measures[measure]);
    if (!rows) return std::nullopt;
    sum += *rows;
  }
  return sum;
}

void expect_same_counts(const ReleasePlan& plan, const Inspection& inspection,
                        const ExactAnswers& answers) {
  std::size_t next = 0;
  for (const PlannedStatistic& planned : plan.statistics) {
    if (!planned.release) continue;
    const InspectedStatistic& inspected = inspection.statistics.at(next++);
    ASSERT_EQ(inspected.statistic.name.value, planned.statistic.name.value);
    SCOPED_TRACE(planned.statistic.name.value);
    const StatisticFacts& facts = inspected.facts;
    EXPECT_LE(facts.with_condition, inspection.rows);
    EXPECT_LE(facts.with_unit, facts.with_condition);
    EXPECT_LE(facts.with_keys, facts.with_unit);
    EXPECT_LE(facts.with_values, facts.with_keys);
    const auto rows = counted(plan, planned, answers);
    if (!rows) continue;
    const double kept = inspected.limits ? inspected.limits->choices.front().kept
                                         : static_cast<double>(facts.with_values);
    EXPECT_DOUBLE_EQ(kept, static_cast<double>(rows->to_int64()));
  }
  EXPECT_EQ(next, inspection.statistics.size());
}

}  // namespace inspect_test

namespace {

TEST(Inspect, CountsWhatTheEngineCounts) {
  const Scratch scratch;
  Dice dice(31);
  for (int trial = 0; trial < 6; ++trial) {
    PeopleRelease release;
    release.rows_are_units = trial % 3 == 0;
    release.max_rows = 1 + dice.below(3);
    release.max_groups = 1000;  // so that nothing depends on which groups are chosen
    if (trial % 2 == 0) release.budget = "epsilon = 1, delta = 1e-6";
    written(scratch, "people.csv", random_people(dice, 1, 80), Writing::kCsv);
    const std::string text = release.text(dice);
    SCOPED_TRACE(text);
    const ReleasePlan plan = planned(scratch, text);
    inspect_test::expect_same_counts(plan, inspect_release(plan, DuckDbEngine()), exact(plan, 1));
  }
}

}  // namespace
}  // namespace lastbit::engine
