#include "lastbit/engines/postgres/table_catalogue.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include "lastbit/base/text.h"

namespace lastbit::engine {
namespace {

using postgres::Connection;
using postgres::Row;
using postgres::TableName;

// One row, if there is such a relation: its number and kind, what hides rows, whether others
// inherit from it, whether a part is no table, where the rows are, and a guess how many.
constexpr const char* kTable = R"(
SELECT c.oid, c.relkind, row_security_active(c.oid),
  EXISTS (SELECT FROM pg_inherits AS i WHERE i.inhparent = c.oid),
  EXISTS (SELECT FROM pg_partition_tree(c.oid) AS part JOIN pg_class AS p ON p.oid = part.relid
          WHERE part.isleaf AND p.relkind <> 'r'),
  (SELECT string_agg(p.oid || ' ' || p.relfilenode, ',' ORDER BY p.oid) FROM pg_class AS p
   WHERE p.oid = c.oid OR p.oid IN (SELECT relid FROM pg_partition_tree(c.oid))),
  (SELECT sum(greatest(p.reltuples, 0)) FROM pg_class AS p
   WHERE p.oid = c.oid OR p.oid IN (SELECT relid FROM pg_partition_tree(c.oid) WHERE isleaf))
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = $1 AND c.relname = $2)";

// How many bytes the rows take. This waits for whoever locks the table.
constexpr const char* kBytes = R"(
SELECT (SELECT sum(pg_relation_size(p.oid)) FROM pg_class AS p
  WHERE p.oid = c.oid OR p.oid IN (SELECT relid FROM pg_partition_tree(c.oid)))
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = $1 AND c.relname = $2)";

// The columns in their order: name, type as people write it, whether it is generated, and of the
// type below any domains its kind, number, modifier, whether it is sent as its text is, and whether
// it is an enumeration.
constexpr const char* kColumns = R"(
WITH RECURSIVE types (number, type, modifier) AS (
  SELECT a.attnum, a.atttypid, a.atttypmod FROM pg_attribute AS a
  WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL
  SELECT t.number, d.typbasetype, d.typtypmod FROM types AS t JOIN pg_type AS d ON d.oid = t.type
  WHERE d.typtype = 'd')
SELECT a.attname, format_type(a.atttypid, a.atttypmod), a.attgenerated <> '', b.typtype, b.oid,
  t.modifier, send.prosrc = 'textsend' AND l.lanname = 'internal' AND b.typlen = -1
FROM types AS t JOIN pg_type AS b ON b.oid = t.type AND b.typtype <> 'd'
  JOIN pg_attribute AS a ON a.attrelid = $1::oid AND a.attnum = t.number
  LEFT JOIN pg_proc AS send ON send.oid = b.typsend
  LEFT JOIN pg_language AS l ON l.oid = send.prolang
ORDER BY a.attnum)";

struct KnownType {
  int number;  // of pg_type, the same in every database
  WireForm form;
  ColumnType type;
  Grouping grouping = Grouping::kPlain;
};
constexpr std::array<KnownType, 15> kKnown = {{
    {16, WireForm::kBool, {ColumnKind::kBoolean}},
    {19, WireForm::kText, {ColumnKind::kText}, Grouping::kCollated},  // name
    {20, WireForm::kInt8, {ColumnKind::kInteger}},
    {21, WireForm::kInt2, {ColumnKind::kInteger}},
    {23, WireForm::kInt4, {ColumnKind::kInteger}},
    {25, WireForm::kText, {ColumnKind::kText}, Grouping::kCollated},
    {700, WireForm::kFloat4, {ColumnKind::kFloat}, Grouping::kNone},
    {701, WireForm::kFloat8, {ColumnKind::kDouble}, Grouping::kNone},
    {1042, WireForm::kPaddedText, {ColumnKind::kText}, Grouping::kCollated},
    {1043, WireForm::kText, {ColumnKind::kText}, Grouping::kCollated},
    {1082, WireForm::kDate, {ColumnKind::kDate}},
    {1083, WireForm::kTime, {ColumnKind::kTime, 0, 6}},
    {1114, WireForm::kTimestamp, {ColumnKind::kLocalTime, 0, 6}},
    {1184, WireForm::kTimestamp, {ColumnKind::kTimestamp, 0, 6}},
    {2950, WireForm::kUuid, {ColumnKind::kNamed}},
}};
constexpr int kNumericType = 1700;

[[noreturn]] void refuse(const Connection& connection, std::string problem, std::string remedy) {
  throw Error(ErrorCode::kBadInput, connection.place(), std::move(problem), std::move(remedy));
}

std::string text_of(const Row& row, std::size_t column) { return row[column].value_or(""); }
bool truth_of(const Row& row, std::size_t column) { return text_of(row, column) == "t"; }
int number_of(const Row& row, std::size_t column) {
  const std::string text = text_of(row, column);
  int number = -1;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}
double amount_of(const Row& row, std::size_t column) {
  const std::string text = text_of(row, column);
  double amount = 0;
  std::from_chars(text.data(), text.data() + text.size(), amount);
  return amount;
}

// numeric_type: with a modifier that says how many digits; others are read as the nearest double.
// Whole numbers are integers if all of them have 64 bits, otherwise decimals without decimals, so
// that none is lost.
ColumnType numeric_type(int modifier) {
  constexpr int kMostDigits = 38;
  constexpr int kDigitsOfInt64 = 18;
  constexpr int kHead = 4;  // what the modifier counts besides
  const int both = modifier - kHead;
  const int digits = both >> 16 & 0xffff;
  const int scale = both & 0x7ff;  // 11 bits with a sign
  const bool small = modifier >= kHead && digits <= kMostDigits && scale <= digits;
  if (!small) return {ColumnKind::kDouble};
  if (scale == 0 && digits <= kDigitsOfInt64) return {ColumnKind::kInteger};
  return {ColumnKind::kDecimal, digits, scale};
}

TableColumn table_column(const Row& row) {
  TableColumn column;
  column.schema.name = text_of(row, 0);
  column.schema.type_name = text_of(row, 1);
  if (truth_of(row, 2)) {
    column.schema.type_name = "generated " + column.schema.type_name;
    return column;
  }
  const int type = number_of(row, 4);
  const auto known = std::ranges::find(kKnown, type, &KnownType::number);
  if (known != kKnown.end()) {
    column.schema.type = known->type;
    column.form = known->form;
    column.grouping = known->grouping;
  } else if (type == kNumericType) {
    column.schema.type = numeric_type(number_of(row, 5));
    column.form = WireForm::kNumeric;
    column.grouping = Grouping::kPlain;
  } else if (text_of(row, 3) == "e") {
    column.schema.type = ColumnType{ColumnKind::kNamed};
    column.grouping = Grouping::kPlain;
  } else if (truth_of(row, 6)) {
    column.schema.type = ColumnType{ColumnKind::kText};  // such as citext
  }
  return column;
}

std::string kind_words(const std::string& kind) {
  if (kind == "v") return "is a view";
  if (kind == "m") return "is a materialised view";
  if (kind == "f") return "is a foreign table";
  return "is not a table";
}

void require_table(const Connection& connection, const TableName& table, const Row& row) {
  const std::string name = quote(table.text(), 200);
  const std::string kind = text_of(row, 1);
  if (kind != "r" && kind != "p") {
    refuse(connection, fmt::format("{} {}", name, kind_words(kind)),
           "name a table; elsewhere one row can change what all others are");
  }
  if (truth_of(row, 2)) {
    refuse(connection, fmt::format("row-level security hides rows of {} from this user", name),
           "connect as a user who may see all rows, with BYPASSRLS, or name another table");
  }
  if (kind == "r" && truth_of(row, 3)) {
    refuse(connection, fmt::format("other tables inherit from {}", name),
           "copy the rows that you mean to a table of their own");
  }
  if (truth_of(row, 4)) {
    refuse(connection, fmt::format("{} has partitions that are not tables here", name),
           "copy the rows that you mean to a table of their own");
  }
}

}  // namespace

double bytes_of(Connection& connection, const TableName& table) {
  const std::vector<postgres::Parameter> name = {table.schema, table.table};
  const postgres::Rows found = connection.query(kBytes, name);
  return found.empty() ? 0 : amount_of(found.front(), 0);
}

CatalogueTable read_catalogue(Connection& connection, const TableName& table) {
  if (connection.server_setting("server_encoding") != "UTF8") {
    throw Error(ErrorCode::kNotSupported, connection.place(), "the database is not in UTF-8",
                "copy the table to a database with the encoding UTF8");
  }
  const std::vector<postgres::Parameter> name = {table.schema, table.table};
  const postgres::Rows found = connection.query(kTable, name);
  if (found.empty()) {
    refuse(connection, fmt::format("has no table {}", quote(table.text(), 200)),
           "name one of its tables, exactly as the database has it, with its schema unless that is "
           "public: clinic.visits");
  }
  require_table(connection, table, found.front());
  CatalogueTable result;
  result.partitioned = text_of(found.front(), 1) == "p";
  result.guessed_rows = amount_of(found.front(), 6);
  const std::vector<postgres::Parameter> number = {text_of(found.front(), 0)};
  result.facts = connection.query(kColumns, number);
  for (const Row& row : result.facts) result.columns.push_back(table_column(row));
  result.facts.push_back({number.front(), found.front()[5]});
  if (result.columns.empty()) {
    refuse(connection, fmt::format("{} has no columns", quote(table.text(), 200)),
           "name a table with columns");
  }
  return result;
}

}  // namespace lastbit::engine
