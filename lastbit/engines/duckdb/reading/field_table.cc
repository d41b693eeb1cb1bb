#include "lastbit/engines/duckdb/reading/field_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/engines/duckdb/reading/source_files.h"
#include "lastbit/engines/kernel/expression_map.h"
#include "lastbit/engines/kernel/value_map.h"
#include "lastbit/release/expressions/lift.h"

namespace lastbit::engine {
namespace {

// is_narrowed: a wide number that is read as an integer, which has 64 bits.
bool is_narrowed(const ColumnType& type, FieldType wanted) {
  return wanted == FieldType::kInteger &&
         (type.kind == ColumnKind::kUnsigned || type.kind == ColumnKind::kDecimal);
}

bool is_wide_integer(const ColumnType& type, FieldType wanted) {
  if (is_narrowed(type, wanted)) return false;
  return type.kind == ColumnKind::kWideInteger || type.kind == ColumnKind::kHugeUnsigned ||
         type.kind == ColumnKind::kUnsigned;
}

// is_converted: the engine holds it as a type of its own that only our functions may see.
bool is_converted(const ColumnType& type, FieldType wanted) {
  return type.kind == ColumnKind::kDate || type.kind == ColumnKind::kTimestamp ||
         type.kind == ColumnKind::kLocalTime || type.kind == ColumnKind::kTime ||
         is_narrowed(type, wanted);
}

[[noreturn]] void refuse_type(const LockedEngine& engine, const std::string& name,
                              std::string_view problem) {
  refuse_file(engine.path(),
              fmt::format("the column {} has the type {}, which {}", lastbit::quote(name),
                          lastbit::quote(engine.type_of(name)), problem),
              "store it as BIGINT, DOUBLE, DATE, BOOLEAN or text");
}

// RawArgument: how the engine passes a column of the source to one of our functions.
struct RawArgument {
  std::string sql;
  ArgumentType type;
};

// What is written here never fails and depends on one field: conversions to wider numbers, and the
// bytes of a text as they are.
RawArgument raw_argument(const std::string& field, const ColumnType& type, FieldType wanted) {
  if (is_narrowed(type, wanted)) {
    return {fmt::format("CAST({} AS HUGEINT)", field), {ArgumentKind::kNarrowed}};
  }
  switch (type.kind) {
    case ColumnKind::kInteger:
    case ColumnKind::kBoolean:
      return {fmt::format("CAST({} AS BIGINT)", field), {ArgumentKind::kInteger}};
    case ColumnKind::kUnsigned:
    case ColumnKind::kWideInteger:
      return {fmt::format("CAST({} AS HUGEINT)", field), {ArgumentKind::kWideInteger}};
    case ColumnKind::kFloat:
    case ColumnKind::kDouble:
      return {fmt::format("CAST({} AS DOUBLE)", field), {ArgumentKind::kReal}};
    case ColumnKind::kDecimal:
      return {field,
              {wanted == FieldType::kReal ? ArgumentKind::kDecimal : ArgumentKind::kWideDecimal,
               type.width, type.scale}};
    case ColumnKind::kDate:
      return {field, {ArgumentKind::kDate}};
    case ColumnKind::kTimestamp:
      return {field, {ArgumentKind::kTimestamp, 0, type.scale}};
    case ColumnKind::kLocalTime:
      return {field, {ArgumentKind::kLocalTime, 0, type.scale, &wanted.zone()}};
    case ColumnKind::kTime:
      return {field, {ArgumentKind::kTime}};
    case ColumnKind::kHugeUnsigned:
    case ColumnKind::kNamed:
      return {fmt::format("encode(CAST({} AS VARCHAR))", field), {ArgumentKind::kBytes}};
    case ColumnKind::kText:
      break;
  }
  return {fmt::format("encode({})", field), {ArgumentKind::kBytes}};
}

std::string in_source(const RowColumn& field) { return "source." + quoted_identifier(field.name); }

}  // namespace

std::size_t FieldTable::add(const TableField& field) {
  const auto known = std::ranges::find(columns_, field, &Column::field);
  if (known != columns_.end()) return static_cast<std::size_t>(known - columns_.begin());
  Column column{field, {}};
  column.map = map_of(field.content);
  if (column.map == nullptr && field.field.type == FieldType::kText) {
    column.carrier = Carrier::kBytes;
  }
  if (field.derived) {
    add_derived(column, *field.derived);
  } else if (std::holds_alternative<WrittenField>(field.content)) {
    add_written(column);
  } else {
    add_source(column);
  }
  columns_.push_back(std::move(column));
  return columns_.size() - 1;
}

ColumnType FieldTable::actual_type(const RowColumn& field) const {
  const std::string& type_name = engine_.type_of(field.name);
  if (is_text(engine_.format())) return {ColumnKind::kText};
  const auto type = column_type(type_name);
  if (!type) refuse_type(engine_, field.name, "cannot be used");
  const FieldType actual = field_type(*type);
  if (!can_be_read(actual, field.type)) {
    refuse_type(engine_, field.name, fmt::format("holds no {}", name_of(field.type)));
  }
  return *type;
}

void FieldTable::add_source(Column& column) const {
  const auto& [field, content, derived] = column.field;
  column.arguments = {{{field.name, field.type}}};
  const ColumnType type = actual_type(column.arguments.front().field);
  const bool unit = std::holds_alternative<UnitField>(content);
  const auto* key = std::get_if<KeyField>(&content);
  if (!unit && type.kind == ColumnKind::kHugeUnsigned) {
    refuse_type(engine_, field.name, "can only say whose row it is");
  }
  const bool wide = is_wide_integer(type, field.type);
  if (wide && key != nullptr && key->found) {
    refuse_type(engine_, field.name, "has keys that cannot be discovered");
  }
  if (unit && wide) column.carrier = Carrier::kBytes;
  if (unit && is_wide(field.type) && !wide) {
    column.carrier = Carrier::kBytes;
    column.map = map_digits();
  }
  // Public keys have at most 64 bits, so wider fields equal none of them.
  if (key != nullptr && (wide || is_wide(field.type))) column.map = map_field();
  if ((unit || key != nullptr) && is_converted(type, field.type)) column.map = map_field();
}

// Every field of a text file is a text, unless it is missing. The engine knows what is missing in
// other files.
void FieldTable::add_written(Column& column) const {
  const FieldUse& field = column.field.field;
  engine_.type_of(field.name);
  column.arguments = {
      {{field.name, is_text(engine_.format()) ? FieldType(FieldType::kText) : field.type}}};
}

// In text files each row has a text of its own, so that lifting would gain nothing.
void FieldTable::add_derived(Column& column, const RowExpression& expression) const {
  LiftedExpression lifted{expression, {}};
  if (!is_text(engine_.format())) lifted = lift_texts(expression);
  for (const RowColumn& field : columns_of(lifted.whole)) {
    const auto part = std::ranges::find(lifted.parts, field.name, &DerivedColumn::name);
    if (part == lifted.parts.end()) {
      column.arguments.push_back({field});
    } else {
      column.arguments.push_back(
          {columns_of(part->expression).front(), map_expression(part->expression, nullptr)});
    }
  }
  for (const Argument& argument : column.arguments) {
    if (actual_type(argument.field).kind == ColumnKind::kHugeUnsigned) {
      refuse_type(engine_, argument.field.name, "can only say whose row it is");
    }
  }
  if (column.map == nullptr && is_wide(expression.type)) {
    const bool unit = std::holds_alternative<UnitField>(column.field.content);
    column.map = unit ? map_digits() : map_field();
    if (unit) column.carrier = Carrier::kBytes;
  }
  column.map = map_expression(lifted.whole, column.map);
}

std::string FieldTable::call(const std::shared_ptr<const RowFunction>& map, Carrier carrier,
                             std::string& function, std::vector<std::string> arguments,
                             std::vector<ArgumentType> types) {
  // The engine's functions have at least one argument.
  if (arguments.empty()) {
    arguments.emplace_back("CAST(0 AS BIGINT)");
    types.push_back({ArgumentKind::kInteger});
  }
  if (function.empty()) {
    function = engine_.fresh_name("lastbit_map");
    engine_.add_function(function, types, map, carrier);
  }
  return fmt::format("{}({})", function, joined(arguments, ", "));
}

std::string FieldTable::expression(Column& column) {
  if (std::holds_alternative<WrittenField>(column.field.content)) {
    return fmt::format("CASE WHEN {} IS NULL THEN NULL ELSE CAST(0 AS BIGINT) END",
                       in_source(column.arguments.front().field));
  }
  const bool unit = std::holds_alternative<UnitField>(column.field.content);
  if (unit && !column.field.derived &&
      is_wide_integer(actual_type(column.arguments.front().field), column.field.field.type)) {
    // Digits, which are the same for equal numbers of any width.
    return fmt::format("encode(CAST({} AS VARCHAR))", in_source(column.arguments.front().field));
  }
  std::vector<std::string> arguments;
  std::vector<ArgumentType> types;
  for (auto& [field, map, function] : column.arguments) {
    auto [sql, type] = raw_argument(in_source(field), actual_type(field), field.type);
    if (map != nullptr) {
      sql = call(map, Carrier::kInteger, function, {std::move(sql)}, {type});
      type = {ArgumentKind::kInteger};
    }
    arguments.push_back(std::move(sql));
    types.push_back(type);
  }
  if (column.map == nullptr) return arguments.front();
  return call(column.map, column.carrier, column.function, std::move(arguments), std::move(types));
}

Statement FieldTable::select_typed(std::span<const Named> columns, bool numbered) {
  std::vector<std::string> names;
  std::vector<std::string> expressions;
  for (const auto& [number, name] : columns) {
    Column& column = columns_[number];
    for (const Argument& argument : column.arguments) names.push_back(argument.field.name);
    expressions.push_back(fmt::format("{} AS {}", expression(column), name));
  }
  if (numbered) {
    const bool table = engine_.format() == FileFormat::kDuckDb;
    expressions.push_back(
        fmt::format("CAST(source.{} AS BIGINT) + 1 AS place", table ? "rowid" : "file_row_number"));
  }
  // A query that only counts rows still needs a column.
  if (expressions.empty()) expressions.emplace_back("0 AS nothing");
  Statement rows = engine_.typed_rows(names);
  rows.sql = fmt::format("SELECT {} FROM {} AS source", joined(expressions, ", "), rows.sql);
  return rows;
}

Statement FieldTable::select_records(std::span<const Named> columns) {
  const std::string scan = engine_.fresh_name("lastbit_records");
  std::vector<ScannedColumn> scanned;
  std::vector<std::string> expressions;
  for (const auto& [number, name] : columns) {
    const Column& column = columns_[number];
    expressions.push_back(fmt::format("e{} AS {}", scanned.size(), name));
    ScannedColumn& added = scanned.emplace_back();
    for (const Argument& argument : column.arguments) added.fields.push_back(argument.field);
    added.map = column.map;
    added.carrier = column.carrier;
  }
  if (expressions.empty()) expressions.emplace_back("e0 AS nothing");
  engine_.add_scan(scan, std::move(scanned));
  return {fmt::format("SELECT {} FROM {}()", joined(expressions, ", "), scan), {}};
}

void FieldTable::load(const Progress& progress) {
  if (!is_text(engine_.format())) return;
  std::vector<Named> all;
  for (std::size_t i = 0; i < columns_.size(); ++i) all.emplace_back(i, fmt::format("e{}", i));
  const std::string table = engine_.fresh_name("lastbit_fields");
  if (engine_.add_table(table, select_records(all), progress)) loaded_ = table;
}

bool FieldTable::unload() {
  if (!loaded_) return false;
  const std::string table = *loaded_;
  loaded_.reset();
  engine_.drop_table(table);
  return true;
}

Statement FieldTable::select(std::span<const Named> columns) {
  if (!loaded_) {
    return is_text(engine_.format()) ? select_records(columns) : select_typed(columns, false);
  }
  std::vector<std::string> expressions;
  for (const auto& [number, name] : columns) {
    expressions.push_back(fmt::format("e{} AS {}", number, name));
  }
  if (expressions.empty()) expressions.emplace_back("0 AS nothing");
  return {fmt::format("SELECT {} FROM {}", joined(expressions, ", "), *loaded_), {}};
}

Statement FieldTable::select_numbered(std::span<const Named> columns) {
  return select_typed(columns, true);
}

}  // namespace lastbit::engine
