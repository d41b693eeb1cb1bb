#include "lastbit/release/plan/plan_aggregation.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "lastbit/base/text.h"
#include "lastbit/release/kinds/registry.h"
#include "lastbit/transformations/rows/grid_rows.h"

namespace lastbit::release_internal {
namespace {

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

}  // namespace

FieldType column_type(const ReleaseFile& release, const std::string& name) {
  const ColumnDeclaration* column = release.find_column(name);
  return column != nullptr && column->type ? column->type->value : FieldType(FieldType::kText);
}

std::optional<Rational> imputed_number(const ColumnUse& column) {
  if (!column.impute) return std::nullopt;
  return std::get<Rational>(column.impute->value);
}

FieldUse field_use(const ReleaseFile& release, const ColumnUse& column) {
  return {column.name.value, column_type(release, column.name.value)};
}

SteppedField stepped_field(const ReleaseFile& release, const BoundedColumn& column, bool centred) {
  SteppedField field;
  field.field = field_use(release, column.column);
  field.lower = column.lower.value;
  field.upper = column.upper.value;
  field.impute = imputed_number(column.column);
  if (field.field.type == FieldType::kReal || field.field.type == FieldType::kDecimal) {
    field.grid_exponent = default_grid(IntervalDomain<double>(field.lower, field.upper)).exponent();
  }
  if (centred) {
    const StepRange range = step_range(field);
    // Bounds have at most 61 bits, so neither the width nor a sum overflows.
    field.offset = range.lowest + (range.highest - range.lowest) / 2;
  }
  return field;
}

std::string rows_counted_by(const Tally& tally) {
  const auto present = [](const FieldUse& field, bool imputed) {
    if (imputed) return std::string("all rows");
    return fmt::format("rows with {} as {}", quote(field.name), name_of(field.type));
  };
  if (const auto* count = std::get_if<RowCount>(&tally)) {
    return count->field ? present(*count->field, false) : "all rows";
  }
  if (const auto* count = std::get_if<DistinctCount>(&tally)) return present(count->field, false);
  if (const auto* sum = std::get_if<StepSum>(&tally)) {
    return present(sum->field.field, sum->field.impute.has_value());
  }
  if (const auto* sum = std::get_if<SquareSum>(&tally)) {
    return present(sum->field.field, sum->field.impute.has_value());
  }
  if (const auto* ladder = std::get_if<LadderSum>(&tally)) {
    return present(ladder->field.field, ladder->field.impute.has_value());
  }
  if (const auto* below = std::get_if<BelowCounts>(&tally)) {
    return present(below->field, below->impute.has_value());
  }
  return std::holds_alternative<UnitCount>(tally) ? "all rows" : "";
}

namespace {

// rows_with_all: the rows in which none of these fields is missing, unless it is imputed.
std::string rows_with_all(std::vector<std::pair<FieldUse, bool>> fields) {
  std::set<std::string> needed;
  for (const auto& [field, imputed] : fields) {
    if (imputed) continue;
    needed.insert(fmt::format("rows with {} as {}", quote(field.name), name_of(field.type)));
  }
  if (needed.empty()) return "all rows";
  return joined(std::vector<std::string>(needed.begin(), needed.end()), " and ");
}

std::string rows_with_both(const SteppedField& first, const SteppedField& second) {
  return rows_with_all(
      {{first.field, first.impute.has_value()}, {second.field, second.impute.has_value()}});
}

// covers_all: whether each row with a value is in one of the cells.
bool covers_all(const CategoryCounts& counts) {
  return counts.other || (counts.field.type == FieldType::kBoolean && category_count(counts) == 2);
}

}  // namespace

std::string rows_in_number(const Tally& tally) {
  if (const auto* sum = std::get_if<PairSum>(&tally))
    return rows_with_both(sum->first, sum->second);
  if (const auto* sum = std::get_if<ProductSum>(&tally)) {
    return rows_with_both(sum->first, sum->second);
  }
  if (const auto* counts = std::get_if<CategoryCounts>(&tally)) {
    if (!covers_all(*counts)) return "";
    return rows_with_all({{counts->field, counts->impute.has_value()}});
  }
  const bool has_rows = std::holds_alternative<RowCount>(tally) ||
                        std::holds_alternative<StepSum>(tally) ||
                        std::holds_alternative<SquareSum>(tally);
  return has_rows ? rows_counted_by(tally) : "";
}

std::optional<Tally> measure_of(const ReleaseFile& release, const Statistic& statistic) {
  if (discovers_categories(statistic.kind)) return std::nullopt;
  return tally_of(statistic.kind, release);
}

namespace {

// uses_column: as a unit, a group or what is computed. Conditions are written out.
bool uses_column(const ReleaseFile& release, const Statistic& statistic, const std::string& name) {
  const auto is_it = [&](const Located<std::string>& column) { return column.value == name; };
  const auto* unit = std::get_if<IdUnit>(&release.unit);
  return (unit != nullptr && is_it(unit->column)) ||
         std::ranges::any_of(columns_of(statistic), is_it);
}

}  // namespace

Aggregation aggregation_of(const ReleaseFile& release, const Statistic& statistic) {
  Aggregation aggregation;
  aggregation.where = condition_of(release, statistic);
  for (const Derivation& derivation : release.derived) {
    if (!uses_column(release, statistic, derivation.name.value)) continue;
    aggregation.derived.push_back({derivation.name.value, meaning_of(derivation.expression)});
  }
  for (const GroupKeys& keys : group_keys(release, statistic)) {
    aggregation.groups.push_back(group_columns(release, keys));
  }
  const bool found = discovers_categories(statistic.kind);
  if (found) {
    const std::string name = roles_of(statistic.kind).front().column.value;
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
