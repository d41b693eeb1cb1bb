// Aggregation: exact whole numbers about private rows, to each of which one unit contributes a
// limited amount. Every engine computes this; noise is added elsewhere.
//
// Guarantee      the answer is a function of the aggregation, a secret key and the multiset of
//                rows. Two data sets that differ by one unit differ, for every key, in at most
//                groups_changed(…) groups, and there in each entry by at most the number that
//                entry_bounds(…) says. Nothing overflows.
//                Proof: proofs/engine.md#bounding, proofs/engine.md#overflow
// Fails          kBadParameter for an impossible aggregation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "lastbit/numerics/grid.h"
#include "lastbit/numerics/integer.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/release/expressions/expression.h"
#include "lastbit/release/fields/field.h"

namespace lastbit {

// RowsAreUnits: each row is a unit of its own.
struct RowsAreUnits {
  friend bool operator==(const RowsAreUnits&, const RowsAreUnits&) = default;
};
// UnitColumn: rows with the same value in a column belong to one unit. Rows where it is missing
// belong to none and are left out, and so are rows in which no tally has anything to count. Of the
// groups in which a unit has rows, at most max_groups count, and of its rows in each of them at
// most max_rows; which ones is random.
struct UnitColumn {
  std::string name;
  FieldType type = FieldType::kText;  // not kReal
  std::int64_t max_rows = 1;
  std::int64_t max_groups = 1;
  friend bool operator==(const UnitColumn&, const UnitColumn&) = default;
};
using ContributionUnit = std::variant<RowsAreUnits, UnitColumn>;

// KeyColumn: a column that groups are made by: texts, integers, unsigned numbers, booleans, dates.
struct KeyColumn {
  std::string name;
  FieldType type = FieldType::kText;
  friend bool operator==(const KeyColumn&, const KeyColumn&) = default;
};
// ListedKeys: public tuples, all different, of one key for each column.
struct ListedKeys {
  std::vector<KeyColumn> columns;
  std::vector<KeyTuple> tuples;
  friend bool operator==(const ListedKeys&, const ListedKeys&) = default;
};
// RangeKeys: the whole numbers from first to last, both included, of a kInteger column.
struct RangeKeys {
  std::string column;
  std::int64_t first = 0;
  std::int64_t last = 0;
  friend bool operator==(const RangeKeys&, const RangeKeys&) = default;
};
// FoundKeys: whatever keys the rows hold, which are not unsigned numbers. The mere presence of a
// group reveals something about them.
struct FoundKeys {
  KeyColumn column;
  friend bool operator==(const FoundKeys&, const FoundKeys&) = default;
};
using GroupColumns = std::variant<ListedKeys, RangeKeys, FoundKeys>;

// FieldUse: a column of a tally. Where it is missing, or NaN, the row counts as `impute`, or is
// left out of this tally: it is one of the unit's rows only if another tally counts it.
struct FieldUse {
  std::string name;
  FieldType type = FieldType::kReal;
  friend bool operator==(const FieldUse&, const FieldUse&) = default;
};
// SteppedField: a number, clamped to the bounds, put on the nearest multiple of the grid (ties
// upward) and counted in steps of the grid from the multiple `offset`. The bounds are the outermost
// values of the type between lower and upper. Whole numbers have the grid 2^0.
struct SteppedField {
  FieldUse field;  // a number, or kBoolean, whose values are 0 and 1
  Rational lower;
  Rational upper;
  int grid_exponent = 0;
  std::int64_t offset = 0;
  std::optional<Rational> impute;  // within the bounds
  friend bool operator==(const SteppedField&, const SteppedField&) = default;
};

// The tallies, with their entries.
struct RowCount {                 // [rows]
  std::optional<FieldUse> field;  // only rows with a value here
  friend bool operator==(const RowCount&, const RowCount&) = default;
};
struct UnitCount {  // [units]
  friend bool operator==(const UnitCount&, const UnitCount&) = default;
};
struct DistinctCount {  // [different values], of the rows that count
  FieldUse field;       // not kReal
  friend bool operator==(const DistinctCount&, const DistinctCount&) = default;
};
struct StepSum {  // [rows with a value, Σ steps]
  SteppedField field;
  friend bool operator==(const StepSum&, const StepSum&) = default;
};
struct SquareSum {  // [rows with a value, Σ steps, Σ steps²]
  SteppedField field;
  friend bool operator==(const SquareSum&, const SquareSum&) = default;
};
struct PairSum {  // [rows with both values, Σ first, Σ second]
  SteppedField first;
  SteppedField second;
  friend bool operator==(const PairSum&, const PairSum&) = default;
};
struct ProductSum {  // [rows with both values, Σ first, Σ second, Σ first·second]
  SteppedField first;
  SteppedField second;
  bool squares = false;  // with two further entries, [Σ first², Σ second²]
  friend bool operator==(const ProductSum&, const ProductSum&) = default;
};
// LadderSum: cells [e0, e1), [e1, e2), …, [e(m−1), em] between multiples of the grid. The sums of
// what clamping to any two edges leaves follow from its entries.
struct LadderSum {                  // [rows in the first cell, …, Σ steps in the first cell, …]
  SteppedField field;               // counted from 0; its bounds are the first and the last edge
  std::vector<std::int64_t> edges;  // two or more, increasing, in steps
  std::size_t cells() const { return edges.size() - 1; }
  friend bool operator==(const LadderSum&, const LadderSum&) = default;
};
struct BinCounts {              // [rows in [e0, e1), rows in [e1, e2), …, rows in [e(m−1), em]]
  FieldUse field;               // as in SteppedField
  std::vector<Rational> edges;  // two or more, increasing
  std::optional<Rational> impute;
  friend bool operator==(const BinCounts&, const BinCounts&) = default;
};
struct BelowCounts {                 // [rows < c0, rows < c1, …, rows with a value]
  FieldUse field;                    // as in SteppedField
  std::vector<Rational> candidates;  // increasing
  std::optional<Rational> impute;
  friend bool operator==(const BelowCounts&, const BelowCounts&) = default;
};
struct CategoryCounts {  // [rows of the first category, …] and, with `other`, rows of none of them
  FieldUse field;        // as in KeyColumn
  std::variant<std::vector<KeyValue>, RangeKeys> categories;  // all different
  bool other = false;
  std::optional<KeyValue> impute;
  friend bool operator==(const CategoryCounts&, const CategoryCounts&) = default;
};
// Tally: one of these.
using Tally = std::variant<RowCount, UnitCount, DistinctCount, StepSum, SquareSum, PairSum,
                           ProductSum, LadderSum, BinCounts, BelowCounts, CategoryCounts>;

struct Aggregation {
  // Aggregations beyond these limits are refused.
  static constexpr std::int64_t kMaxCells = 1'000'000;   // of one measure
  static constexpr std::int64_t kMaxGroups = 1'000'000;  // where all keys are public
  static constexpr std::size_t kMaxIndexBits = 61;

  // Columns that are not in the source, but computed from others of the same row. Units, groups and
  // tallies can name them.
  std::vector<DerivedColumn> derived;
  std::optional<RowExpression> where;  // rows in which it is not true are left out; nothing: none
  ContributionUnit unit;
  std::vector<GroupColumns> groups;  // the groups are the combinations of one key of each
  std::vector<Tally> measures;       // at least one, all different
  std::int64_t max_rows = std::int64_t{1} << 40;  // public: no source may have more
};

// GroupAnswer: the entries of each measure, in one group. It is private.
struct GroupAnswer {
  KeyTuple key;  // one key for each column of the groups
  std::vector<std::vector<Integer>> entries;
};

// check_aggregation: throws what an engine would throw for the aggregation alone.
void check_aggregation(const Aggregation& aggregation);

// groups_changed: in how many groups one unit can make a difference.
Integer groups_changed(const Aggregation& aggregation);
// entry_bounds: how much one unit can change each entry of a measure, in one group.
// total_bound: how much one unit can change all entries of a measure in one group together. A row
// changes only one of the entries of BinCounts and CategoryCounts, so this is not the sum of the
// others.
std::vector<Integer> entry_bounds(const Aggregation& aggregation, const Tally& measure);
Integer total_bound(const Aggregation& aggregation, const Tally& measure);

// inner_bounds: the smallest and the largest value of the type within the bounds of a field. The
// smallest is above the largest if there is none.
std::pair<Rational, Rational> inner_bounds(const SteppedField& field);

// StepRange: the smallest and the largest number of steps that a field can become.
struct StepRange {
  std::int64_t lowest;
  std::int64_t highest;
  Integer magnitude() const;
};
// step_range
// Requires  checked: bounds with a value of the type between them, at most kMaxIndexBits bits on
//           the grid, an offset of as many, an imputed value within; else kBadParameter.
StepRange step_range(const SteppedField& field);

// ladder_cells: the cells of a ladder, as the ranks of a field among its inner edges.
BelowCounts ladder_cells(const LadderSum& ladder);

// entry_count: how many entries a measure has. category_count: without the cell for others.
std::size_t entry_count(const Tally& measure);
std::int64_t category_count(const CategoryCounts& categories);

// find_derived: the expression of a derived column; null if it is a column of the source.
const RowExpression* find_derived(const Aggregation& aggregation, const std::string& name);

// key_columns: the columns of the groups, in order.
std::vector<KeyColumn> key_columns(const Aggregation& aggregation);

// public_groups: how many groups there are; nothing if keys are found.
std::optional<Integer> public_groups(const Aggregation& aggregation);

// empty_groups: the public groups in the order of their keys, the last column changing fastest, all
// with zeros.
// Requires  caller: all keys are public.
std::vector<GroupAnswer> empty_groups(const Aggregation& aggregation);

}  // namespace lastbit
