#include "lastbit/release/plan/aggregation.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"

namespace lastbit {
namespace {

// Sums are kept in 128 bits, signed.
const Integer& largest_sum() {
  static const Integer largest = Integer::two_to(127) - 1;
  return largest;
}

[[noreturn]] void refuse(std::string_view parameter, std::string_view problem,
                         std::string_view remedy) {
  throw Error::bad_parameter("aggregation", parameter, problem, remedy);
}

void require_name(std::string_view name) {
  if (name.empty()) refuse("name", "of a column is empty", "name a column of the source");
}

void require_number(const FieldUse& field) {
  require_name(field.name);
  if (is_number(field.type) || field.type == FieldType::kBoolean) return;
  refuse("type", fmt::format("of {} is not a number's", quote(field.name)),
         "declare it as real or integer");
}

void require_exact(std::string_view name, FieldType type) {
  require_name(name);
  if (type != FieldType::kReal) return;
  refuse("type", fmt::format("of {} is real", quote(name)),
         "real numbers cannot be keys; use bins, or declare it as integer or text");
}

// require_keyed: groups and categories can be called by values of the type.
void require_keyed(std::string_view name, FieldType type) {
  require_exact(name, type);
  if (type != FieldType::kDecimal && type != FieldType::kTimestamp && type != FieldType::kTime) {
    return;
  }
  refuse("type", fmt::format("of {} is {}", quote(name), name_of(type)),
         "its values cannot be keys; derive a date, a whole number or a text");
}

void require_increasing(std::string_view parameter, const std::vector<Rational>& numbers,
                        std::size_t least) {
  if (numbers.size() < least) {
    refuse(parameter, fmt::format("has fewer than {} numbers", least), "give more");
  }
  if (numbers.size() >= static_cast<std::size_t>(Aggregation::kMaxCells)) {
    refuse(parameter, "has too many numbers",
           fmt::format("give fewer than {}", Aggregation::kMaxCells));
  }
  if (std::ranges::adjacent_find(numbers, std::ranges::greater_equal()) != numbers.end()) {
    refuse(parameter, "does not increase", "sort the numbers and leave out repetitions");
  }
}

void require_key(const KeyValue& key, FieldType type, std::string_view name) {
  const bool fits = (type == FieldType::kBoolean && std::holds_alternative<bool>(key)) ||
                    (is_whole(type) && std::holds_alternative<std::int64_t>(key)) ||
                    (type == FieldType::kText && std::holds_alternative<std::string>(key)) ||
                    (type == FieldType::kDate && std::holds_alternative<Date>(key));
  if (!fits) {
    refuse("keys", fmt::format("of {} are not all of its type", quote(name)),
           "give keys of the column's declared type");
  }
}

void require_range(const RangeKeys& range, std::int64_t most) {
  if (range.first > range.last) refuse("last", "is below first", "give the smaller number first");
  if (Integer(range.last) - range.first >= most) {
    refuse("last", "makes too many keys", fmt::format("give a range of at most {}", most));
  }
}

void check(const RowsAreUnits& /*unit*/) {}

void check(const UnitColumn& unit) {
  require_exact(unit.name, unit.type);
  if (unit.max_rows < 1) refuse("max_rows", "of a unit is below 1", "give 1 or more");
  if (unit.max_groups < 1) refuse("max_groups", "of a unit is below 1", "give 1 or more");
}

void check(const ListedKeys& keys) {
  if (keys.columns.empty()) refuse("columns", "of listed keys are none", "name one or more");
  if (keys.tuples.size() > static_cast<std::size_t>(Aggregation::kMaxGroups)) {
    refuse("tuples", "are too many", fmt::format("list at most {}", Aggregation::kMaxGroups));
  }
  for (const KeyColumn& column : keys.columns) require_keyed(column.name, column.type);
  std::set<KeyTuple> seen;
  for (const KeyTuple& tuple : keys.tuples) {
    if (tuple.size() != keys.columns.size()) {
      refuse("tuples", "have another length than columns", "give one key per column");
    }
    for (std::size_t i = 0; i < tuple.size(); ++i) {
      require_key(tuple[i], keys.columns[i].type, keys.columns[i].name);
    }
    if (!seen.insert(tuple).second) refuse("tuples", "are not all different", "list each once");
  }
}

void check(const RangeKeys& range) {
  require_name(range.column);
  require_range(range, Aggregation::kMaxGroups);
}

void check(const FoundKeys& keys) {
  require_keyed(keys.column.name, keys.column.type);
  if (keys.column.type != FieldType::kUnsigned) return;
  refuse("type", fmt::format("of {} is unsigned", quote(keys.column.name)),
         "such keys cannot be discovered; list them, or declare it as integer or text");
}

// What a measure requires, besides that sums of `rows` products fit.
struct MeasureCheck {
  Integer rows;

  void operator()(const RowCount& count) const {
    if (count.field) require_name(count.field->name);
  }
  void operator()(const UnitCount& /*count*/) const {}
  void operator()(const DistinctCount& count) const {
    require_exact(count.field.name, count.field.type);
  }
  void operator()(const StepSum& sum) const { step_range(sum.field); }
  void operator()(const SquareSum& sum) const { require_products(sum.field, sum.field); }
  void operator()(const PairSum& sum) const {
    step_range(sum.first);
    step_range(sum.second);
  }
  void operator()(const ProductSum& sum) const {
    require_products(sum.first, sum.second);
    if (!sum.squares) return;
    require_products(sum.first, sum.first);
    require_products(sum.second, sum.second);
  }
  void operator()(const LadderSum& ladder) const {
    const StepRange range = step_range(ladder.field);
    const std::vector<std::int64_t>& edges = ladder.edges;
    const bool increases =
        std::ranges::adjacent_find(edges, std::ranges::greater_equal()) == edges.end();
    const bool fits = edges.size() >= 2 && increases && edges.front() == range.lowest &&
                      edges.back() == range.highest && ladder.field.offset == 0;
    if (!fits) refuse("edges", "do not go from bound to bound", "list them in increasing order");
  }
  void operator()(const BinCounts& bins) const {
    require_number(bins.field);
    require_increasing("edges", bins.edges, 2);
  }
  void operator()(const BelowCounts& below) const {
    require_number(below.field);
    require_increasing("candidates", below.candidates, 1);
  }
  void operator()(const CategoryCounts& categories) const {
    const FieldUse& field = categories.field;
    require_keyed(field.name, field.type);
    if (categories.impute) require_key(*categories.impute, field.type, field.name);
    if (const auto* range = std::get_if<RangeKeys>(&categories.categories)) {
      require_range(*range, Aggregation::kMaxCells - 1);
      if (is_whole(field.type)) return;
      refuse("categories", "are a range of numbers", "declare the column as integer");
    }
    const auto& keys = std::get<std::vector<KeyValue>>(categories.categories);
    if (keys.size() >= static_cast<std::size_t>(Aggregation::kMaxCells)) {
      refuse("categories", "are too many",
             fmt::format("list fewer than {}", Aggregation::kMaxCells));
    }
    for (const KeyValue& key : keys) require_key(key, field.type, field.name);
    if (std::set<KeyValue>(keys.begin(), keys.end()).size() != keys.size()) {
      refuse("categories", "are not all different", "list each once");
    }
  }

 private:
  void require_products(const SteppedField& first, const SteppedField& second) const {
    const Integer product = step_range(first).magnitude() * step_range(second).magnitude();
    if (product * rows <= largest_sum()) return;
    refuse("max_rows",
           "times the largest product of steps exceeds 128 bits, so that a sum could overflow",
           "take a coarser grid, tighter bounds or a smaller max_rows");
  }
};

// How much one row can change each entry.
struct RowBounds {
  std::vector<Integer> operator()(const RowCount& /*count*/) const { return {1}; }
  std::vector<Integer> operator()(const UnitCount& /*count*/) const { return {1}; }
  // A row adds one value, or none.
  std::vector<Integer> operator()(const DistinctCount& /*count*/) const { return {1}; }
  std::vector<Integer> operator()(const StepSum& sum) const {
    return {1, step_range(sum.field).magnitude()};
  }
  std::vector<Integer> operator()(const SquareSum& sum) const {
    const Integer steps = step_range(sum.field).magnitude();
    return {1, steps, steps * steps};
  }
  std::vector<Integer> operator()(const PairSum& sum) const {
    return {1, step_range(sum.first).magnitude(), step_range(sum.second).magnitude()};
  }
  std::vector<Integer> operator()(const ProductSum& sum) const {
    const Integer first = step_range(sum.first).magnitude();
    const Integer second = step_range(sum.second).magnitude();
    std::vector<Integer> bounds = {1, first, second, first * second};
    if (sum.squares) bounds.insert(bounds.end(), {first * first, second * second});
    return bounds;
  }
  std::vector<Integer> operator()(const LadderSum& ladder) const {
    std::vector<Integer> bounds(ladder.cells(), 1);
    for (std::size_t i = 0; i < ladder.cells(); ++i) {
      bounds.push_back(StepRange{ladder.edges[i], ladder.edges[i + 1]}.magnitude());
    }
    return bounds;
  }
  std::vector<Integer> operator()(const BinCounts& bins) const {
    return std::vector<Integer>(bins.edges.size() - 1, 1);
  }
  std::vector<Integer> operator()(const BelowCounts& below) const {
    return std::vector<Integer>(below.candidates.size() + 1, 1);
  }
  std::vector<Integer> operator()(const CategoryCounts& categories) const {
    const std::int64_t cells = category_count(categories) + (categories.other ? 1 : 0);
    return std::vector<Integer>(static_cast<std::size_t>(cells), 1);
  }
};

// decimal_unit: 10^decimals; 1 for whole numbers.
Rational decimal_unit(FieldType type) {
  return Rational(pow(Integer(10), static_cast<unsigned>(type.decimals())));
}

// How many rows of a unit count in a group.
std::int64_t rows_counted(const Aggregation& aggregation) {
  const auto* unit = std::get_if<UnitColumn>(&aggregation.unit);
  return unit == nullptr ? 1 : unit->max_rows;
}

}  // namespace

Integer StepRange::magnitude() const {
  return std::max(abs(Integer(lowest)), abs(Integer(highest)));
}

std::pair<Rational, Rational> inner_bounds(const SteppedField& field) {
  if (field.field.type == FieldType::kReal) {
    return {Rational::exactly(field.lower.up()), Rational::exactly(field.upper.down())};
  }
  const Rational unit = decimal_unit(field.field.type);
  return {Rational((field.lower * unit).ceil()) / unit,
          Rational((field.upper * unit).floor()) / unit};
}

StepRange step_range(const SteppedField& field) {
  require_number(field.field);
  const std::string name = quote(field.field.name);
  const bool real = field.field.type == FieldType::kReal;
  const bool fractional = real || field.field.type == FieldType::kDecimal;
  if (!fractional && field.grid_exponent != 0) {
    refuse("grid_exponent", fmt::format("of {} is not 0", name), "whole numbers have the grid 2^0");
  }
  // Beyond the range of doubles the inner bound would be infinite.
  if (real && (std::max(abs(field.lower), abs(field.upper)) > Rational::two_to(1023))) {
    refuse("lower", fmt::format("or upper of {} is beyond 2^1023", name), "tighten the bounds");
  }
  const auto [lower, upper] = inner_bounds(field);
  if (field.lower > field.upper || lower > upper) {
    refuse("lower", fmt::format("and upper of {} have no value between them", name),
           "give the smaller bound first, and widen them");
  }
  const Grid grid(field.grid_exponent);
  const Integer lowest = grid.nearest_index(lower);
  const Integer highest = grid.nearest_index(upper);
  for (const Integer& index : {lowest, highest, Integer(field.offset)}) {
    if (index.bit_length() <= Aggregation::kMaxIndexBits) continue;
    refuse("grid_exponent",
           fmt::format("makes more than {} bits of steps of {}", Aggregation::kMaxIndexBits, name),
           "take a coarser grid or tighter bounds, and an offset between them");
  }
  if (field.impute) {
    const Rational scaled = *field.impute * decimal_unit(field.field.type);
    const bool fits = field.lower <= *field.impute && *field.impute <= field.upper &&
                      (real || scaled.is_integer());
    if (!fits) {
      refuse("impute", fmt::format("of {} is not a value within its bounds", name),
             "impute a number between lower and upper");
    }
  }
  return {(lowest - field.offset).to_int64(), (highest - field.offset).to_int64()};
}

BelowCounts ladder_cells(const LadderSum& ladder) {
  BelowCounts cells{ladder.field.field, {}, ladder.field.impute};
  const Grid grid(ladder.field.grid_exponent);
  for (std::size_t i = 1; i < ladder.cells(); ++i) {
    cells.candidates.push_back(grid.point(ladder.edges[i]));
  }
  return cells;
}

std::size_t entry_count(const Tally& measure) { return std::visit(RowBounds(), measure).size(); }

const RowExpression* find_derived(const Aggregation& aggregation, const std::string& name) {
  const auto found = std::ranges::find(aggregation.derived, name, &DerivedColumn::name);
  return found == aggregation.derived.end() ? nullptr : &found->expression;
}

std::vector<KeyColumn> key_columns(const Aggregation& aggregation) {
  std::vector<KeyColumn> columns;
  for (const GroupColumns& part : aggregation.groups) {
    if (const auto* listed = std::get_if<ListedKeys>(&part)) {
      columns.insert(columns.end(), listed->columns.begin(), listed->columns.end());
    } else if (const auto* range = std::get_if<RangeKeys>(&part)) {
      columns.push_back({range->column, FieldType::kInteger});
    } else {
      columns.push_back(std::get<FoundKeys>(part).column);
    }
  }
  return columns;
}

std::optional<Integer> public_groups(const Aggregation& aggregation) {
  Integer groups = 1;
  for (const GroupColumns& part : aggregation.groups) {
    if (const auto* listed = std::get_if<ListedKeys>(&part)) {
      groups *= listed->tuples.size();
    } else if (const auto* range = std::get_if<RangeKeys>(&part)) {
      groups *= Integer(range->last) - range->first + 1;
    } else {
      return std::nullopt;
    }
  }
  return groups;
}

void check_aggregation(const Aggregation& aggregation) {
  std::visit([](const auto& unit) { check(unit); }, aggregation.unit);
  for (const GroupColumns& part : aggregation.groups) {
    std::visit([](const auto& keys) { check(keys); }, part);
  }
  if (aggregation.measures.empty()) refuse("measures", "are none", "ask for one or more");
  if (aggregation.max_rows < 1) refuse("max_rows", "is below 1", "give a public maximum");
  const std::optional<Integer> groups = public_groups(aggregation);
  if (groups && *groups > Aggregation::kMaxGroups) {
    refuse("groups", "are too many",
           fmt::format("keep to {} combinations of keys", Aggregation::kMaxGroups));
  }
  for (auto measure = aggregation.measures.begin(); measure != aggregation.measures.end();
       ++measure) {
    std::visit(MeasureCheck{aggregation.max_rows}, *measure);
    // Engines count the same things once for all tallies, so nobody needs it twice.
    if (std::find(aggregation.measures.begin(), measure, *measure) != measure) {
      refuse("measures", "has the same tally twice", "ask for it once");
    }
  }
}

Integer groups_changed(const Aggregation& aggregation) {
  const auto* unit = std::get_if<UnitColumn>(&aggregation.unit);
  const Integer most = unit == nullptr ? 1 : unit->max_groups;
  const std::optional<Integer> groups = public_groups(aggregation);
  return groups ? std::min(*groups, most) : most;
}

std::vector<Integer> entry_bounds(const Aggregation& aggregation, const Tally& measure) {
  std::vector<Integer> bounds = std::visit(RowBounds(), measure);
  if (std::holds_alternative<UnitCount>(measure)) return bounds;
  for (Integer& bound : bounds) bound *= rows_counted(aggregation);
  return bounds;
}

Integer total_bound(const Aggregation& aggregation, const Tally& measure) {
  const std::vector<Integer> bounds = entry_bounds(aggregation, measure);
  if (std::holds_alternative<BinCounts>(measure) ||
      std::holds_alternative<CategoryCounts>(measure)) {
    return bounds.empty() ? Integer(0) : bounds.front();
  }
  Integer total = 0;
  for (const Integer& bound : bounds) total += bound;
  return total;
}

std::int64_t category_count(const CategoryCounts& categories) {
  if (const auto* range = std::get_if<RangeKeys>(&categories.categories)) {
    return range->last - range->first + 1;
  }
  return static_cast<std::int64_t>(std::get<std::vector<KeyValue>>(categories.categories).size());
}

std::vector<GroupAnswer> empty_groups(const Aggregation& aggregation) {
  std::vector<GroupAnswer> groups(1);
  for (const Tally& measure : aggregation.measures) {
    groups[0].entries.emplace_back(entry_count(measure));
  }
  for (const GroupColumns& part : aggregation.groups) {
    std::vector<GroupAnswer> longer;
    const auto extend = [&](const GroupAnswer& group, std::span<const KeyValue> keys) {
      GroupAnswer& extended = longer.emplace_back(group);
      extended.key.insert(extended.key.end(), keys.begin(), keys.end());
    };
    for (const GroupAnswer& group : groups) {
      if (const auto* listed = std::get_if<ListedKeys>(&part)) {
        for (const KeyTuple& tuple : listed->tuples) extend(group, tuple);
      } else {
        const auto& range = std::get<RangeKeys>(part);
        for (std::int64_t i = 0; i <= range.last - range.first; ++i) {
          const KeyValue key = range.first + i;
          extend(group, {&key, 1});
        }
      }
    }
    groups = std::move(longer);
  }
  return groups;
}

}  // namespace lastbit
