// What the tests of whole releases share. For tests only.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "lastbit/engines/duckdb/duckdb_engine.h"
#include "lastbit/engines/duckdb/test_support.h"
#include "lastbit/random/tape.h"
#include "lastbit/release/run.h"

namespace lastbit::engine {

// planned: the plan of a release file with this text; its paths start from the scratch folder.
inline ReleasePlan planned(const Scratch& scratch, const std::string& text) {
  return plan_file(scratch.write("release.toml", text), DuckDbEngine());
}

// exact: what the engine computes for the plan, with the key that the tape of this seed gives.
inline ExactAnswers exact(const ReleasePlan& plan, std::uint64_t seed,
                          const EngineLimits& limits = {}) {
  BitSource bits = lastbit::testing::seeded_tape(seed);
  return aggregate_source(plan, DuckDbEngine(), bits, {.limits = limits});
}

// units_measure: where an aggregation counts units.
inline std::size_t units_measure(const Aggregation& aggregation) {
  std::size_t measure = 0;
  while (!std::holds_alternative<UnitCount>(aggregation.measures.at(measure))) ++measure;
  return measure;
}

// PeopleRelease: the text of a release file about people.csv, a table of test_support.h, with one
// statistic of every kind that its unit and budget allow.
struct PeopleRelease {
  bool rows_are_units = false;
  std::int64_t max_rows = 1;
  std::int64_t max_groups = 1;
  std::string budget = "epsilon = 1";  // with a delta, keys can be discovered
  std::int64_t tables = 0;             // how many tables form groups of their own; 0: all are one
  std::string source = "source = 'people.csv'";

  // text: with groups, bounds and policies that the dice choose.
  std::string text(Dice& dice) const;
};

// GroupTruth: a statistic of one group, without noise.
struct GroupTruth {
  std::int64_t rows = 0;                        // that count and have a value
  std::vector<Rational> numbers;                // counts, sums, means, …, one for each cell
  std::vector<std::int64_t> below;              // quantiles: rows below each answer but the first
  std::map<KeyValue, std::int64_t> categories;  // top, and categories that are found
  friend bool operator==(const GroupTruth&, const GroupTruth&) = default;
};
// Truth: by the keys of the groups in the order of `by`.
using Truth = std::map<KeyTuple, GroupTruth>;

// truth_of_answers: what the exact answers of the engine say about a statistic of the plan.
Truth truth_of_answers(const ReleasePlan& plan, const PlannedStatistic& planned,
                       const ExactAnswers& exact);

// WholeColumns: the columns of whole numbers in a CSV file, read by a simple program.
using WholeColumns = std::map<std::string, std::vector<std::int64_t>>;
WholeColumns whole_columns(const std::filesystem::path& csv);

// truth_of_rows: a statistic of the groups of `like`, computed from all rows, one after the other.
Truth truth_of_rows(const PlannedStatistic& planned, const WholeColumns& rows, const Truth& like);

// kVisitsStatistics: one of every kind, about restaurant_week.csv.
inline constexpr auto kVisitsStatistics = R"toml(
[[statistics]]
kind = "count"
by = "Day"
[[statistics]]
kind = "count_units"
[[statistics]]
name = "visitors by day"
kind = "count_units"
by = "Day"
[[statistics]]
kind = "count_distinct"
column = "Money spent (euros)"
by = "Day"
[[statistics]]
kind = "sum"
column = "Money spent (euros)"
by = "Day"
[[statistics]]
kind = "mean"
column = "Time spent (minutes)"
[[statistics]]
kind = "variance"
column = "Time spent (minutes)"
by = "Day"
[[statistics]]
kind = "covariance"
columns = ["Time spent (minutes)", "Money spent (euros)"]
[[statistics]]
kind = "correlation"
columns = ["Time spent (minutes)", "Money spent (euros)"]
[[statistics]]
kind = "ratio"
columns = ["Money spent (euros)", "Time spent (minutes)"]
by = "Day"
[[statistics]]
kind = "histogram"
column = "Money spent (euros)"
bins = { from = 0, to = 60, width = 5 }
by = "Day"
[[statistics]]
kind = "quantiles"
column = "Money spent (euros)"
quantiles = [0.25, 0.5]
step = 2
[[statistics]]
kind = "top"
column = "Day"
k = 2
)toml";

// trial_data: a file of the folder that LASTBIT_DATA names. Without LASTBIT_DATA, the file is real
// data beside the checkout; if that is absent, it is the small one of tests/data, so that the tests
// run everywhere.
inline std::filesystem::path trial_data(const std::string& name) {
  const std::filesystem::path source = LASTBIT_SOURCE_DIR;
  if (const char* const folder = std::getenv("LASTBIT_DATA"); folder != nullptr && *folder != 0) {
    return std::filesystem::path(folder) / name;
  }
  const std::filesystem::path beside = source / "../shared/data" / name;
  return std::filesystem::exists(beside) ? beside : source / "tests/data" / name;
}

}  // namespace lastbit::engine
