// Summed rows: where each row is a unit, a source may give, instead of a column of which only sums
// are needed, how many of its fields are present and the sum of their steps.
//
// Guarantee      rows that have the same sums have the same answer: proofs/engine.md#summed
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lastbit/engines/kernel/row_function.h"
#include "lastbit/release/file/release_file.h"
#include "lastbit/release/plan/aggregation.h"

namespace lastbit::engine {

// SummedField: what to add up of a column: its fields are clamped to [lower, upper] and put on the
// nearest multiple of 2^exponent, ties upward. All numbers of steps are within ±2^52.
struct SummedField {
  RowColumn column;  // kReal or kInteger
  double lower = 0;  // whole numbers for kInteger
  double upper = 0;
  int exponent = 0;  // -1000 to 0; 0 for kInteger
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
  friend bool operator==(const SummedField&, const SummedField&) = default;
};

// summed_fields: the columns of which the aggregations need nothing but such sums.
// Requires  caller: check_aggregation accepts the aggregations; each row is a unit.
std::vector<SummedField> summed_fields(std::span<const Aggregation> aggregations,
                                       std::span<const RowColumn> columns);

// MergePlan: rows come once for each value of the keys, with their number and with sums.
struct MergePlan {
  std::vector<RowColumn> keys;
  std::vector<SummedField> sums;
};
// plan_merge: nothing if each row is not a unit, or if the release does not declare that there are
// few different keys (merged_rows.h).
std::optional<MergePlan> plan_merge(const ReleaseFile& release,
                                    std::span<const Aggregation> aggregations,
                                    std::span<const RowColumn> columns);

// RowExpander: from merged rows with sums to merged rows that have the same sums.
class RowExpander {
 public:
  // `columns`: what `fields` gives, each a key or a sum of the plan.
  RowExpander(std::vector<RowColumn> columns, MergePlan plan, std::string place);

  // Sum: for each merged row, how many fields of a column are present, and the sum of their steps.
  // Whole numbers of 64 and 128 bits; the total of none may be missing.
  struct Sum {
    FieldBatch present;
    FieldBatch total;
  };
  // expand: keys and sums as the plan has them, and whole numbers of rows.
  // Fails  kBadInput if no rows have such sums.
  void expand(std::span<const FieldBatch> keys, const FieldBatch& times, std::span<const Sum> sums,
              std::size_t rows);
  // fields, times: of the last rows, for BoundedKernel::add_merged. They refer to the keys that
  // were given.
  std::span<const FieldBatch> fields() const { return fields_; }
  std::span<const std::int64_t> times() const { return times_; }

 private:
  // Levels: how the fields of a column are spread over equal rows: first those one step higher,
  // then others, then those that are missing.
  struct Levels {
    std::int64_t higher = 0;
    std::int64_t present = 0;
    std::int64_t step = 0;  // of the others
  };
  struct Column {
    bool summed = false;
    std::size_t place = 0;  // among the keys or sums
    std::vector<std::int64_t> integers;
    std::vector<Int128> wides;
    std::vector<double> reals;
    std::vector<std::string_view> texts;
    std::vector<std::uint64_t> validity;
  };

  Levels levels_of(const SummedField& field, std::int64_t times, std::int64_t present,
                   Int128 total) const;
  void add_rows(std::size_t row, std::int64_t times, std::span<const FieldBatch> keys);
  void add_key(Column& column, const FieldBatch& key, std::size_t row);
  void add_step(Column& column, std::int64_t first);
  void mark(Column& column, bool present);
  FieldBatch batch_of(const Column& column, std::span<const FieldBatch> keys) const;
  [[noreturn]] void refuse() const;

  MergePlan plan_;
  std::string place_;
  std::vector<Column> columns_;
  std::vector<Levels> levels_;  // of the sums of the current row
  std::vector<FieldBatch> fields_;
  std::vector<std::int64_t> times_;
};

}  // namespace lastbit::engine
