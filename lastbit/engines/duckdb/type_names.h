// The names that DuckDB gives to column types, and how their values are read. Types that are not
// listed in type_names.cc are refused by name. For this module only.
// Definition: proofs/reading.md#types
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lastbit/release/file/schema.h"

namespace lastbit::engine {

// NamedColumn: a column with the SQL name of its type, such as BIGINT or DECIMAL(18,2).
struct NamedColumn {
  std::string name;
  std::string type;
};

// column_type: the type with this name; nothing if no release can use it.
std::optional<ColumnType> column_type(std::string_view name);

// schema_column: the column as a release sees it.
SchemaColumn schema_column(const NamedColumn& column);

}  // namespace lastbit::engine
