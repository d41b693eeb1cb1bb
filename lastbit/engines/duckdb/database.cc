#include "lastbit/engines/duckdb/database.h"

#include <duckdb.h>
#include <fmt/format.h>

#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/engines/duckdb/locked_engine.h"

namespace lastbit {
namespace {

FieldType field_type(ColumnType type) {
  switch (type) {
    case ColumnType::kInteger:
      return FieldType::kInteger;
    case ColumnType::kReal:
      return FieldType::kReal;
    case ColumnType::kText:
      break;
  }
  return FieldType::kText;
}

engine::Answer empty_answer(ColumnType type) {
  switch (type) {
    case ColumnType::kInteger:
      return engine::Integers();
    case ColumnType::kReal:
      return engine::Reals();
    case ColumnType::kText:
      break;
  }
  return engine::Texts();
}

Column column_of(engine::Answer answer) {
  if (auto* integers = std::get_if<engine::Integers>(&answer)) return std::move(*integers);
  if (auto* reals = std::get_if<engine::Reals>(&answer)) return std::move(*reals);
  return std::get<engine::Texts>(std::move(answer));
}

}  // namespace

struct Database::State {
  engine::LockedEngine engine;
};

std::string duckdb_version() { return duckdb_library_version(); }

Database::Database(const std::filesystem::path& source)
    : state_(std::make_unique<State>(engine::LockedEngine(engine::source_by_extension(source)))) {}

Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

std::vector<ColumnInfo> Database::schema() { return state_->engine.schema(); }

std::vector<Column> Database::read_columns(std::span<const WantedColumn> columns) {
  if (columns.empty()) {
    throw Error::bad_parameter("read_columns", "columns", "is empty", "name at least one column");
  }
  std::vector<std::string> expressions;
  std::vector<engine::Answer> answers;
  for (const WantedColumn& request : columns) {
    expressions.push_back(engine::field_expression(request.name, field_type(request.type),
                                                   state_->engine.declared_type(request.name)));
    answers.push_back(empty_answer(request.type));
  }
  engine::Statement statement = state_->engine.rows_of_source();
  statement.sql =
      fmt::format("SELECT {} FROM {} AS source", joined(expressions, ", "), statement.sql);
  state_->engine.ask(statement, answers);
  std::vector<Column> read;
  for (engine::Answer& answer : answers) read.push_back(column_of(std::move(answer)));
  return read;
}

bool Database::refuses(const std::string& sql) { return state_->engine.refuses(sql); }

std::vector<ColumnInfo> read_schema(const std::filesystem::path& source) {
  return Database(source).schema();
}

std::vector<Column> read_columns(const std::filesystem::path& source,
                                 std::span<const WantedColumn> columns) {
  return Database(source).read_columns(columns);
}

}  // namespace lastbit
