#include "lastbit/release/kinds/category_counts.h"

#include "lastbit/release/plan/plan_aggregation.h"

namespace lastbit::release_internal {
namespace {

// A key of the column's type; a whole number is written as a number.
std::optional<KeyValue> imputed_key(const ColumnUse& column) {
  if (!column.impute) return std::nullopt;
  const FieldValue& value = column.impute->value;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* number = std::get_if<Rational>(&value)) return number->floor().to_int64();
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return std::get<Date>(value);
}

}  // namespace

Tally category_counts(const ReleaseFile& release, const ColumnUse& column,
                      const Categories& categories, bool other) {
  CategoryCounts counts{field_use(release, column), {}, other, imputed_key(column)};
  if (const auto* range = std::get_if<KeyRange>(&categories)) {
    counts.categories = RangeKeys{column.name.value, range->first, range->last};
  } else {
    counts.categories = std::get<KeyList>(categories);
  }
  return counts;
}

std::vector<KeyValue> category_keys(const CategoryCounts& counts) {
  if (const auto* list = std::get_if<std::vector<KeyValue>>(&counts.categories)) return *list;
  const auto& range = std::get<RangeKeys>(counts.categories);
  std::vector<KeyValue> keys;
  for (std::int64_t i = 0; i <= range.last - range.first; ++i) keys.emplace_back(range.first + i);
  return keys;
}

bool check_discovered(const ColumnUse& column, const Categories& categories, Problems& problems) {
  if (!std::holds_alternative<DiscoveredKeys>(categories) || !column.impute) return true;
  problems.add(column.impute->position, "categories that are discovered have no imputed values",
               "write nulls = \"drop\", or list the categories");
  return false;
}

}  // namespace lastbit::release_internal
