#include "lastbit/engines/postgres/postgres_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "lastbit/base/text.h"

namespace lastbit::engine {
namespace {

using std::chrono::milliseconds;

// Rows come as the server reads them, so a server that sends none for so long has stopped.
constexpr milliseconds kSilence{300'000};
// A server that groups rows first sends nothing meanwhile; for each row it may take so much longer.
constexpr double kMillisOfRow = 0.01;
constexpr double kMostRows = 1e12;
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

bool PostgresRows::can_merge(std::span<const RowColumn> columns) const {
  if (catalogue_.guessed_rows <= 0) return false;
  return std::ranges::all_of(
      columns, [&](const RowColumn& wanted) { return find(wanted).grouping != Grouping::kNone; });
}

void PostgresRows::give_merged_rows(std::span<const RowColumn> columns,
                                    const TakeMerged& take) const {
  invariant(can_merge(columns), "the server can merge the rows");
  std::vector<CopyColumn> sent;
  std::string list = " ";
  std::string places;
  for (const RowColumn& wanted : columns) {
    sent.push_back(sent_as(wanted));
    const bool collated = find(wanted).grouping == Grouping::kCollated;
    list += fmt::format("{}{}, ", postgres::quoted_name(wanted.name),
                        collated ? " COLLATE pg_catalog.\"C\"" : "");
    places += fmt::format("{}{}", places.empty() ? " GROUP BY " : ", ", sent.size());
  }
  sent.push_back({"times", WireForm::kInt8, {ColumnKind::kInteger}, FieldType::kInteger});
  // Nothing comes before the server has looked at all rows.
  const double rows = std::min(catalogue_.guessed_rows, kMostRows);
  const milliseconds longer(static_cast<std::int64_t>(rows * kMillisOfRow));
  connection_->allow_silence(kSilence + longer);
  copy(list + "pg_catalog.count(*)", places, sent, [&](std::span<const ColumnBatch> batch) {
    take(batch.first(columns.size()), batch.back());
  });
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
