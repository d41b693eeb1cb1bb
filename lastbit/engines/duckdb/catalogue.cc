#include "lastbit/engines/duckdb/catalogue.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "lastbit/base/text.h"
#include "lastbit/engines/duckdb/reading/source_files.h"

namespace lastbit::engine {
namespace {

// The two columns of an answer, as texts.
std::pair<Texts, Texts> ask_texts(LockedEngine& engine, const Statement& statement) {
  std::vector<Answer> answers = {Texts(), Texts()};
  engine.ask(statement, answers);
  return {std::get<Texts>(std::move(answers[0])), std::get<Texts>(std::move(answers[1]))};
}

std::vector<NamedColumn> paired(const std::pair<Texts, Texts>& texts) {
  std::vector<NamedColumn> columns;
  for (std::size_t i = 0; i < texts.first.size(); ++i) {
    columns.push_back({texts.first[i].value_or(""), texts.second[i].value_or("")});
  }
  return columns;
}

// The columns as the engine describes them in texts, which no Parquet file can choose.
std::vector<NamedColumn> described(LockedEngine& engine, const Statement& rows) {
  const std::string sql =
      fmt::format("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM {})", rows.sql);
  return paired(ask_texts(engine, {sql, rows.parameters}));
}

// Whether the statement that makes a table, as the engine writes it, has a generated column. A name
// may contain these words or a quote, so they count wherever they occur.
bool has_generated_column(std::string_view sql) {
  return sql.find("GENERATED ALWAYS AS") != std::string_view::npos;
}

[[noreturn]] void refuse_unknown(const LockedEngine& engine, const std::string& table,
                                 const Texts& tables) {
  std::vector<std::string> names;
  for (const auto& name : tables) names.push_back(name.value_or(""));
  const auto nearest = nearest_name(table, names);
  refuse_file(engine.path(), fmt::format("has no table {}", lastbit::quote(table)),
              nearest ? fmt::format("did you mean {}?", lastbit::quote(*nearest))
                      : "name one of its tables");
}

bool same_but_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace

std::vector<NamedColumn> read_catalogue(LockedEngine& engine, const std::string& database,
                                        const std::string& table) {
  const std::string where = " WHERE database_name = ? AND schema_name = 'main'";
  const auto [views, queries] =
      ask_texts(engine, {"SELECT view_name, sql FROM duckdb_views()" + where, {database}});
  if (std::ranges::count(views, table) > 0) {
    refuse_file(engine.path(), fmt::format("{} is a view", lastbit::quote(table)),
                "name a table; in a view one row can change what all others are");
  }
  const auto [tables, texts] =
      ask_texts(engine, {"SELECT table_name, sql FROM duckdb_tables()" + where, {database}});
  const auto found = std::ranges::find(tables, table);
  if (found == tables.end()) refuse_unknown(engine, table, tables);
  if (has_generated_column(texts[static_cast<std::size_t>(found - tables.begin())].value_or(""))) {
    refuse_file(engine.path(), fmt::format("{} has a generated column", lastbit::quote(table)),
                "copy the columns that you need to a plain table");
  }
  return paired(ask_texts(engine, {"SELECT column_name, data_type FROM duckdb_columns()" + where +
                                       " AND table_name = ? ORDER BY column_index",
                                   {database, table}}));
}

void require_agreement(LockedEngine& engine, std::span<const std::string> columns,
                       const Statement& rows) {
  const bool database = engine.format() == FileFormat::kDuckDb;
  const std::vector<NamedColumn> read =
      database ? engine.plain_types(rows) : described(engine, rows);
  const std::vector<NamedColumn>& schema = engine.schema();
  bool same = read.size() == schema.size();
  for (const std::string& column : columns) {
    for (std::size_t i = 0; same && i < schema.size(); ++i) {
      if (schema[i].name == column) {
        const std::string_view declared = schema[i].type;
        const bool is_enum = read[i].type == "ENUM" && declared.starts_with("ENUM(");
        same = read[i].name == column && (is_enum || read[i].type == declared);
      } else if (same_but_case(schema[i].name, column)) {
        refuse_file(engine.path(),
                    fmt::format("has columns {} and {}, which the engine cannot tell apart",
                                lastbit::quote(schema[i].name), lastbit::quote(column)),
                    "rename one of them");
      }
    }
  }
  if (same) return;
  refuse_file(engine.path(), "has a column that is not of the type that the file names",
              "copy it to a column of a plain type");
}

}  // namespace lastbit::engine
