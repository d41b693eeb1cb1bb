#include "lastbit/engines/duckdb/sql_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"

namespace lastbit::engine {
namespace {

bool is_one_of(std::string_view type, std::initializer_list<std::string_view> types) {
  return std::ranges::find(types, type) != types.end();
}

// Types of which every value fits 64 bits.
bool is_narrow_integer(std::string_view type) {
  return is_one_of(type, {"BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT",
                          "USMALLINT", "UINTEGER"});
}

// The field as BIGINT, or null when it is not exactly a whole number of 64 bits. The engine's own
// cast would round 12.7 to 13.
std::string integer_expression(const std::string& field, std::string_view declared) {
  if (declared == "BIGINT") return field;
  // A cast that cannot fail lets the engine use what the file says about the column.
  if (is_narrow_integer(declared)) return fmt::format("CAST({} AS BIGINT)", field);
  if (is_one_of(declared, {"HUGEINT", "UBIGINT", "UHUGEINT"})) {
    return fmt::format("TRY_CAST({} AS BIGINT)", field);
  }
  if (is_one_of(declared, {"FLOAT", "DOUBLE"}) || declared.starts_with("DECIMAL")) {
    return fmt::format("CASE WHEN {0} = trunc({0}) THEN TRY_CAST({0} AS BIGINT) END", field);
  }
  return fmt::format(
      "CASE WHEN regexp_full_match(trim(CAST({0} AS VARCHAR)), '[+-]?[0-9]+') "
      "THEN TRY_CAST(trim(CAST({0} AS VARCHAR)) AS BIGINT) END",
      field);
}

std::string real_expression(const std::string& field, std::string_view declared) {
  if (declared == "DOUBLE") return field;
  if (declared != "VARCHAR") return fmt::format("TRY_CAST({} AS DOUBLE)", field);
  return fmt::format(
      "CASE WHEN regexp_full_match(trim({0}), "
      "'[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?') "
      "THEN TRY_CAST(trim({0}) AS DOUBLE) END",
      field);
}

std::string text_expression(const std::string& field, std::string_view declared) {
  if (declared == "VARCHAR") return field;
  return fmt::format("CAST({} AS VARCHAR)", field);
}

std::string boolean_expression(const std::string& field, std::string_view declared) {
  if (declared == "BOOLEAN") return fmt::format("CAST({} AS BIGINT)", field);
  return fmt::format(
      "CASE lower(trim(CAST({} AS VARCHAR))) WHEN 'true' THEN 1 WHEN '1' THEN 1 "
      "WHEN 'false' THEN 0 WHEN '0' THEN 0 END::BIGINT",
      field);
}

std::string date_expression(const std::string& field, std::string_view declared) {
  if (declared == "DATE") {
    // An infinite date has no number of days.
    return fmt::format("CASE WHEN isfinite({0}) THEN CAST({0} - DATE '1970-01-01' AS BIGINT) END",
                       field);
  }
  return fmt::format(
      "CAST(CASE WHEN regexp_full_match(trim(CAST({0} AS VARCHAR)), "
      "'[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}') THEN TRY_CAST(trim(CAST({0} AS VARCHAR)) AS DATE) END "
      "- DATE '1970-01-01' AS BIGINT)",
      field);
}

}  // namespace

Carrier carrier_of(FieldType type) {
  switch (type) {
    case FieldType::kReal:
      return Carrier::kReal;
    case FieldType::kText:
      return Carrier::kText;
    case FieldType::kInteger:
    case FieldType::kBoolean:
    case FieldType::kDate:
      break;
  }
  return Carrier::kInteger;
}

std::string_view sql_type(Carrier carrier) {
  switch (carrier) {
    case Carrier::kInteger:
      return "BIGINT";
    case Carrier::kReal:
      return "DOUBLE";
    case Carrier::kText:
      break;
  }
  return "VARCHAR";
}

std::string quoted_identifier(std::string_view name) {
  if (name.find('\0') != std::string_view::npos) {
    throw Error(ErrorCode::kBadInput, lastbit::quoted(name), "is a column name with a zero byte",
                "rename the column");
  }
  std::string out = "\"";
  for (const char c : name) {
    out += c;
    if (c == '"') out += c;
  }
  return out + "\"";
}

std::string field_expression(std::string_view name, FieldType type, std::string_view declared) {
  const std::string field = "source." + quoted_identifier(name);
  switch (type) {
    case FieldType::kInteger:
      return integer_expression(field, declared);
    case FieldType::kReal:
      return real_expression(field, declared);
    case FieldType::kText:
      return text_expression(field, declared);
    case FieldType::kBoolean:
      return boolean_expression(field, declared);
    case FieldType::kDate:
      break;
  }
  return date_expression(field, declared);
}

}  // namespace lastbit::engine
