#include "lastbit/engines/postgres/postgres_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <utility>

#include "lastbit/base/text.h"

namespace lastbit::engine {
namespace {

using std::chrono::milliseconds;

// Rows come as the server reads them, so a server that sends none for so long has stopped.
constexpr milliseconds kSilence{300'000};
// A server that groups rows first sends nothing meanwhile. It may take so much longer for each row,
// or for each byte of the table, if that is more: a guess at rows may be old, and rows may be wide.
constexpr double kMillisOfRow = 0.01;
constexpr double kMillisOfByte = 1e-4;
constexpr double kMostMillis = 1e10;
// Whoever changes the table at the moment may take so long.
constexpr milliseconds kLock{60'000};

// begin: a transaction that sees one snapshot. Somebody who pools connections may have given it to
// another session than the one that was set up, so what the rows rest on is set here again.
void begin(postgres::Connection& connection) {
  connection.query("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY");
  connection.query(
      "SELECT pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true), "
      "pg_catalog.set_config('row_security', 'off', true)");
}

// can_be_added: whether the server has the fields as binary numbers.
bool can_be_added(WireForm form, FieldType wanted) {
  const bool whole = form == WireForm::kInt2 || form == WireForm::kInt4 || form == WireForm::kInt8;
  const bool real = form == WireForm::kFloat4 || form == WireForm::kFloat8;
  return wanted == FieldType::kInteger ? whole : real;
}

std::string real_constant(double number) {
  return fmt::format("'{:.17g}'::pg_catalog.float8", number);
}
std::string whole_constant(double number) {
  return fmt::format("'{}'::pg_catalog.int8", static_cast<std::int64_t>(number));
}

// presence_of: which rows have a field. sum_of: the sum of their steps. Nothing here can fail, and
// all is exact: proofs/engine.md#summed.
std::string presence_of(const SummedField& field, const std::string& name) {
  if (field.column.type == FieldType::kInteger) return name + " IS NOT NULL";
  return name + " <> 'NaN'";
}

std::string sum_of(const SummedField& field, const std::string& name) {
  if (field.column.type == FieldType::kInteger) {
    return fmt::format("pg_catalog.sum(least(greatest({}::pg_catalog.int8, {}), {}))", name,
                       whole_constant(field.lower), whole_constant(field.upper));
  }
  return fmt::format(
      "pg_catalog.sum((pg_catalog.floor(least(greatest({}::pg_catalog.float8, {}), {}) * "
      "{})::pg_catalog.int8 + 1) >> 1)",
      name, real_constant(field.lower), real_constant(field.upper),
      real_constant(std::ldexp(1.0, 1 - field.exponent)));
}

}  // namespace

PostgresRows::PostgresRows(const postgres::Address& address, postgres::TableName table,
                           While reading)
    : table_(std::move(table)),
      name_(fmt::format("{} in {}", table_.text(), address.text())),
      reading_(std::move(reading)) {
  postgres::SessionOptions options;
  options.silence = kSilence;
  options.lock = kLock;
  options.while_waiting = [this] {
    if (reading_) reading_(part_);
  };
  connection_ = std::make_unique<postgres::Connection>(address, std::move(options));
  begin(*connection_);
  catalogue_ = read_catalogue(*connection_, table_);
}

PostgresRows::~PostgresRows() = default;

std::vector<SchemaColumn> PostgresRows::schema() const {
  std::vector<SchemaColumn> all;
  for (const TableColumn& column : catalogue_.columns) all.push_back(column.schema);
  return all;
}

// While rows were read, nobody could rewrite the table. What the catalogue says in a new
// transaction is therefore what it said then, or newer.
void PostgresRows::require_unchanged() const {
  connection_->query("COMMIT");
  begin(*connection_);
  if (read_catalogue(*connection_, table_).facts == catalogue_.facts) return;
  throw Error(ErrorCode::kBadInput, name_, "was rewritten while it was read", "run this again");
}

const TableColumn& PostgresRows::find(const RowColumn& wanted) const {
  const auto found = std::ranges::find(catalogue_.columns, wanted.name,
                                       [](const TableColumn& c) { return c.schema.name; });
  if (found == catalogue_.columns.end()) {
    throw Error(ErrorCode::kBadInput, name_, "has no column " + quote(wanted.name),
                "name one of its columns");
  }
  return *found;
}

CopyColumn PostgresRows::sent_as(const RowColumn& wanted) const {
  const TableColumn& found = find(wanted);
  const SchemaColumn& column = found.schema;
  if (!column.type || !can_be_read(field_type(*column.type), wanted.type)) {
    throw Error(ErrorCode::kBadInput, name_,
                fmt::format("has a column {} of the type {}, which cannot be read as {}",
                            quote(column.name), quote(column.type_name), name_of(wanted.type)),
                "plan the release again: the table was changed");
  }
  return {column.name, found.form, *column.type, wanted.type};
}

void PostgresRows::give_rows(std::span<const RowColumn> columns, RowOrder order,
                             const TakeBatch& take) const {
  if (order == RowOrder::kByUnit) {
    throw Error(ErrorCode::kNotSupported, name_, "does not sort its rows by unit",
                "take the rows in any order");
  }
  std::vector<CopyColumn> sent;
  std::string list;
  for (const RowColumn& wanted : columns) {
    sent.push_back(sent_as(wanted));
    list += fmt::format("{}{}", list.empty() ? " " : ", ", postgres::quoted_name(wanted.name));
  }
  std::uint64_t rows = 0;
  copy(list, "", sent, [&](std::span<const ColumnBatch> batch) {
    rows += batch.front().rows;
    if (catalogue_.guessed_rows > 0) {
      part_ = std::min(1.0, static_cast<double>(rows) / catalogue_.guessed_rows);
    }
    if (reading_) reading_(part_);
    take(batch);
  });
}

bool PostgresRows::can_merge(const MergePlan& plan) const {
  if (catalogue_.guessed_rows <= 0) return false;
  const bool can_group = std::ranges::all_of(
      plan.keys, [&](const RowColumn& key) { return find(key).grouping != Grouping::kNone; });
  return can_group && std::ranges::all_of(plan.sums, [&](const SummedField& field) {
           return can_be_added(find(field.column).form, field.column.type);
         });
}

void PostgresRows::give_merged_rows(const MergePlan& plan, const TakeBatch& take) const {
  invariant(can_merge(plan), "the server can merge the rows");
  std::vector<CopyColumn> sent;
  std::string list = " ";
  std::string places;
  for (const RowColumn& key : plan.keys) {
    sent.push_back(sent_as(key));
    const bool collated = find(key).grouping == Grouping::kCollated;
    list += fmt::format("{}{}, ", postgres::quoted_name(key.name),
                        collated ? " COLLATE pg_catalog.\"C\"" : "");
    places += fmt::format("{}{}", places.empty() ? " GROUP BY " : ", ", sent.size());
  }
  const CopyColumn number{"", WireForm::kInt8, {ColumnKind::kInteger}, FieldType::kInteger};
  const ColumnType wide{ColumnKind::kDecimal, 38, 0};
  sent.push_back(number);
  list += "pg_catalog.count(*)";
  for (const SummedField& field : plan.sums) {
    const std::string name = postgres::quoted_name(field.column.name);
    list += fmt::format(", pg_catalog.count(*) FILTER (WHERE {0}), {1} FILTER (WHERE {0})",
                        presence_of(field, name), sum_of(field, name));
    sent.push_back(number);
    sent.push_back({"", WireForm::kNumeric, wide, FieldType::decimal(0)});
  }
  // Nothing comes before the server has looked at all rows.
  const double longer = std::max(catalogue_.guessed_rows * kMillisOfRow,
                                 bytes_of(*connection_, table_) * kMillisOfByte);
  const milliseconds limit(static_cast<std::int64_t>(std::min(longer, kMostMillis)));
  connection_->allow_silence(kSilence + limit);
  copy(list, places, sent, take);
  connection_->allow_silence(kSilence);
}

void PostgresRows::copy(const std::string& selected, const std::string& end,
                        const std::vector<CopyColumn>& columns,
                        const CopyReader::TakeBatch& take) const {
  CopyReader reader(name_, columns, take);
  // A table that others began to inherit from a moment ago is read without them.
  const std::string statement =
      fmt::format("COPY (SELECT{} FROM {}{}.{}{}) TO STDOUT (FORMAT binary)", selected,
                  catalogue_.partitioned ? "" : "ONLY ", postgres::quoted_name(table_.schema),
                  postgres::quoted_name(table_.table), end);
  connection_->copy_out(statement, [&](std::string_view bytes) { reader.add(bytes); });
  reader.finish();
}

}  // namespace lastbit::engine
