#include "lastbit/release/plan/plan_aggregation.h"

#include <fmt/format.h>

#include <utility>

#include "lastbit/base/text.h"
#include "lastbit/transformations/grid_rows.h"

namespace lastbit::release_internal {
namespace {

const Categories* categories_of(const Statistic& statistic) {
  if (const auto* histogram = std::get_if<CategoryStatistic>(&statistic.kind)) {
    return &histogram->categories;
  }
  const auto* top = std::get_if<TopStatistic>(&statistic.kind);
  return top != nullptr ? &top->categories : nullptr;
}

const ColumnUse& category_column(const Statistic& statistic) {
  if (const auto* histogram = std::get_if<CategoryStatistic>(&statistic.kind)) {
    return histogram->column;
  }
  return std::get<TopStatistic>(statistic.kind).column;
}

std::optional<Rational> imputed_number(const ColumnUse& column) {
  if (!column.impute) return std::nullopt;
  return std::get<Rational>(column.impute->value);
}

// A key of the column's type; a whole number is written as a number.
std::optional<KeyValue> imputed_key(const ColumnUse& column) {
  if (!column.impute) return std::nullopt;
  const FieldValue& value = column.impute->value;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* number = std::get_if<Rational>(&value)) return number->floor().to_int64();
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return std::get<Date>(value);
}

class TallyMaker {
 public:
  explicit TallyMaker(const ReleaseFile& release) : release_(release) {}

  Tally operator()(const CountStatistic& s) const {
    // With an imputed value every row has one.
    if (!s.column || s.column->impute) return RowCount{};
    return RowCount{field(*s.column)};
  }
  Tally operator()(const UnitsStatistic&) const { return UnitCount{}; }
  Tally operator()(const SumStatistic& s) const {
    return StepSum{stepped_field(release_, s.column, false)};
  }
  Tally operator()(const MeanStatistic& s) const {
    return StepSum{stepped_field(release_, s.column, true)};
  }
  Tally operator()(const VarianceStatistic& s) const {
    return SquareSum{stepped_field(release_, s.column, true)};
  }
  Tally operator()(const CovarianceStatistic& s) const {
    return ProductSum{stepped_field(release_, s.first, true),
                      stepped_field(release_, s.second, true)};
  }
  Tally operator()(const CategoryStatistic& s) const {
    return categories(s.column, s.categories, s.other);
  }
  Tally operator()(const BinStatistic& s) const {
    return BinCounts{field(s.column), s.edges, imputed_number(s.column)};
  }
  Tally operator()(const QuantileStatistic& s) const {
    std::vector<Rational> edges = quantile_cells(release_, s);
    edges.erase(edges.begin());
    return BelowCounts{field(s.column.column), std::move(edges), imputed_number(s.column.column)};
  }
  Tally operator()(const TopStatistic& s) const {
    return categories(s.column, s.categories, false);
  }

 private:
  FieldUse field(const ColumnUse& column) const {
    return {column.name.value, column_type(release_, column.name.value)};
  }
  Tally categories(const ColumnUse& column, const Categories& keys, bool other) const {
    CategoryCounts counts{field(column), {}, other, imputed_key(column)};
    if (const auto* range = std::get_if<KeyRange>(&keys)) {
      counts.categories = RangeKeys{column.name.value, range->first, range->last};
    } else {
      counts.categories = std::get<KeyList>(keys);
    }
    return counts;
  }

  const ReleaseFile& release_;
};

GroupColumns group_columns(const ReleaseFile& release, const GroupKeys& keys) {
  if (const auto* range = std::get_if<KeyRange>(&keys.keys)) {
    return RangeKeys{keys.columns.front(), range->first, range->last};
  }
  if (std::holds_alternative<DiscoveredKeys>(keys.keys)) {
    const std::string& name = keys.columns.front();
    return FoundKeys{{name, column_type(release, name)}};
  }
  ListedKeys listed;
  for (const std::string& name : keys.columns) {
    listed.columns.push_back({name, column_type(release, name)});
  }
  listed.tuples = std::get<std::vector<std::vector<KeyValue>>>(keys.keys);
  return listed;
}

// The smallest of 1, 2, 5, 10, 20, … and their tenths that makes at most `most` cells of the width.
Rational round_step(const Rational& width, std::int64_t most) {
  const Rational least = width / Rational(most);
  Rational power = 1;
  while (power > least) power /= Rational(10);
  while (power * Rational(10) <= least) power *= Rational(10);
  for (const int factor : {1, 2, 5}) {
    if (power * Rational(factor) >= least) return power * Rational(factor);
  }
  return power * Rational(10);
}

}  // namespace

FieldType column_type(const ReleaseFile& release, const std::string& name) {
  const ColumnDeclaration* column = release.find_column(name);
  return column != nullptr && column->type ? column->type->value : FieldType::kText;
}

SteppedField stepped_field(const ReleaseFile& release, const BoundedColumn& column, bool centred) {
  SteppedField field;
  field.field = {column.column.name.value, column_type(release, column.column.name.value)};
  field.lower = column.lower.value;
  field.upper = column.upper.value;
  field.impute = imputed_number(column.column);
  if (field.field.type == FieldType::kReal) {
    field.grid_exponent = default_grid(IntervalDomain<double>(field.lower, field.upper)).exponent();
  }
  if (centred) {
    const StepRange range = step_range(field);
    // Bounds have at most 61 bits, so neither the width nor a sum overflows.
    field.offset = range.lowest + (range.highest - range.lowest) / 2;
  }
  return field;
}

std::vector<Rational> quantile_cells(const ReleaseFile& release,
                                     const QuantileStatistic& statistic) {
  constexpr std::int64_t kCells = 1000;
  const Rational& lower = statistic.column.lower.value;
  const Rational width = statistic.column.upper.value - lower;
  const bool whole =
      column_type(release, statistic.column.column.name.value) == FieldType::kInteger;
  Rational step = round_step(width, kCells);
  if (whole) step = std::max(step, Rational(1));
  if (statistic.step) step = statistic.step->value;
  std::vector<Rational> cells = {lower};
  for (Rational next = lower + step; next <= statistic.column.upper.value; next += step) {
    cells.push_back(next);
  }
  return cells;
}

std::string rows_counted_by(const Tally& tally) {
  const auto present = [](const FieldUse& field, bool imputed) {
    if (imputed) return std::string("all rows");
    return fmt::format("rows with {} as {}", quoted(field.name), name_of(field.type));
  };
  if (const auto* count = std::get_if<RowCount>(&tally)) {
    return count->field ? present(*count->field, false) : "all rows";
  }
  if (const auto* sum = std::get_if<StepSum>(&tally)) {
    return present(sum->field.field, sum->field.impute.has_value());
  }
  if (const auto* sum = std::get_if<SquareSum>(&tally)) {
    return present(sum->field.field, sum->field.impute.has_value());
  }
  if (const auto* below = std::get_if<BelowCounts>(&tally)) {
    return present(below->field, below->impute.has_value());
  }
  return std::holds_alternative<UnitCount>(tally) ? "all rows" : "";
}

bool discovers_categories(const Statistic& statistic) {
  const Categories* categories = categories_of(statistic);
  return categories != nullptr && std::holds_alternative<DiscoveredKeys>(*categories);
}

std::optional<Tally> measure_of(const ReleaseFile& release, const Statistic& statistic) {
  if (discovers_categories(statistic)) return std::nullopt;
  return std::visit(TallyMaker(release), statistic.kind);
}

Aggregation aggregation_of(const ReleaseFile& release, const Statistic& statistic) {
  Aggregation aggregation;
  for (const GroupKeys& keys : group_keys(release, statistic)) {
    aggregation.groups.push_back(group_columns(release, keys));
  }
  const bool found = discovers_categories(statistic);
  if (found) {
    const std::string& name = category_column(statistic).name.value;
    aggregation.groups.emplace_back(FoundKeys{{name, column_type(release, name)}});
  }
  if (const auto* unit = std::get_if<IdUnit>(&release.unit)) {
    UnitColumn column{unit->column.value, column_type(release, unit->column.value),
                      statistic.max_rows_per_group, statistic.max_groups};
    if (found) column.max_groups *= std::exchange(column.max_rows, 1);
    aggregation.unit = column;
  }
  return aggregation;
}

}  // namespace lastbit::release_internal
