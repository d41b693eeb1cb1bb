#include "lastbit/engines/duckdb/type_names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

namespace lastbit::engine {
namespace {

constexpr std::array<std::pair<std::string_view, ColumnKind>, 17> kKinds = {
    {{"BOOLEAN", ColumnKind::kBoolean},
     {"TINYINT", ColumnKind::kInteger},
     {"SMALLINT", ColumnKind::kInteger},
     {"INTEGER", ColumnKind::kInteger},
     {"BIGINT", ColumnKind::kInteger},
     {"UTINYINT", ColumnKind::kInteger},
     {"USMALLINT", ColumnKind::kInteger},
     {"UINTEGER", ColumnKind::kInteger},
     {"UBIGINT", ColumnKind::kUnsigned},
     {"HUGEINT", ColumnKind::kWideInteger},
     {"UHUGEINT", ColumnKind::kHugeUnsigned},
     {"FLOAT", ColumnKind::kFloat},
     {"DOUBLE", ColumnKind::kDouble},
     {"DATE", ColumnKind::kDate},
     {"TIME", ColumnKind::kTime},
     {"VARCHAR", ColumnKind::kText},
     {"UUID", ColumnKind::kNamed}}};

// The two numbers of DECIMAL(w,s). Without decimals it is an integer if all of them have 64 bits,
// as in all other sources.
std::optional<ColumnType> decimal_type(std::string_view name) {
  constexpr std::string_view kStart = "DECIMAL(";
  constexpr int kMostDigits = 38;
  constexpr int kDigitsOfInt64 = 18;
  if (!name.starts_with(kStart) || !name.ends_with(')')) return std::nullopt;
  const std::string_view inside = name.substr(kStart.size(), name.size() - kStart.size() - 1);
  const std::size_t comma = inside.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto number = [](std::string_view text) -> std::optional<int> {
    int value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
  };
  const auto width = number(inside.substr(0, comma));
  const auto scale = number(inside.substr(comma + 1));
  if (!width || !scale || *width < 1 || *width > kMostDigits || *scale < 0 || *scale > *width) {
    return std::nullopt;
  }
  if (*scale == 0 && *width <= kDigitsOfInt64) return ColumnType{ColumnKind::kInteger};
  return ColumnType{ColumnKind::kDecimal, *width, *scale};
}

}  // namespace

std::optional<ColumnType> column_type(std::string_view name) {
  if (name == "TIMESTAMP") return ColumnType{ColumnKind::kLocalTime, 0, 6};
  if (name == "TIMESTAMP_S") return ColumnType{ColumnKind::kLocalTime, 0, 0};
  if (name == "TIMESTAMP_MS") return ColumnType{ColumnKind::kLocalTime, 0, 3};
  if (name == "TIMESTAMP_NS") return ColumnType{ColumnKind::kLocalTime, 0, 9};
  if (name == "TIMESTAMP WITH TIME ZONE") return ColumnType{ColumnKind::kTimestamp, 0, 6};
  const auto found =
      std::ranges::find(kKinds, name, &std::pair<std::string_view, ColumnKind>::first);
  if (found != kKinds.end()) return ColumnType{found->second};
  // A list of enumerations ends in a bracket.
  if (name.starts_with("ENUM(") && name.ends_with(')')) return ColumnType{ColumnKind::kNamed};
  return decimal_type(name);
}

SchemaColumn schema_column(const NamedColumn& column) {
  return {column.name, column.type, column_type(column.type)};
}

}  // namespace lastbit::engine
