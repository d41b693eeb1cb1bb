#include "lastbit/release/file/columns.h"

namespace lastbit {

ColumnRole number_role(const BoundedColumn& column) {
  return {column.column.name, true, false, {}, &column, column.column.impute};
}

ColumnRole category_role(const ColumnUse& column, const Categories& categories) {
  ColumnRole role{column.name, false, true, {}, nullptr, column.impute};
  const auto type = type_of_keys(categories);
  if (type) role.keys = Located<FieldType>{*type, column.name.position};
  return role;
}

std::optional<FieldType> type_of_keys(const Categories& keys) {
  if (std::holds_alternative<KeyRange>(keys)) return FieldType::kInteger;
  const auto* list = std::get_if<KeyList>(&keys);
  if (list == nullptr || list->empty()) return std::nullopt;
  return type_of(list->front());
}

}  // namespace lastbit
