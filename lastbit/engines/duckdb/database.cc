#include "lastbit/engines/duckdb/database.h"

#include <duckdb.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"

namespace lastbit {
namespace {

// The handles of the C API, each freed by its own function.
template <typename Handle, void (*kDestroy)(Handle*)>
class Owned {
 public:
  Owned() = default;
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, Handle{})) {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  Owned& operator=(Owned&&) = delete;
  ~Owned() { kDestroy(&handle_); }
  Handle* out() { return &handle_; }
  Handle get() const { return handle_; }

 private:
  Handle handle_{};
};

using Engine = Owned<duckdb_database, duckdb_close>;
using Connection = Owned<duckdb_connection, duckdb_disconnect>;
using Configuration = Owned<duckdb_config, duckdb_destroy_config>;
using Statement = Owned<duckdb_prepared_statement, duckdb_destroy_prepare>;
using Result = Owned<duckdb_result, duckdb_destroy_result>;
using Chunk = Owned<duckdb_data_chunk, duckdb_destroy_data_chunk>;

// The settings the engine is born with. An empty temp_directory means that it never spills rows to
// a disk; the extension settings mean that it never fetches code.
constexpr std::array<std::pair<const char*, const char*>, 6> kSettings = {{
    {"autoinstall_known_extensions", "false"},
    {"autoload_known_extensions", "false"},
    {"allow_community_extensions", "false"},
    {"allow_persistent_secrets", "false"},
    {"preserve_insertion_order", "true"},
    {"temp_directory", ""},
}};

// Everything the sniffer could guess is said, so that no row changes how another is read. Only
// unquoted emptiness is null: "" is an empty text.
constexpr std::string_view kCsvOptions =
    "header = true, all_varchar = true, quote = '\"', escape = '\"', skip = 0, comment = '', "
    "nullstr = '', allow_quoted_nulls = false, null_padding = false, ignore_errors = false, "
    "compression = 'none'";

[[noreturn]] void refuse(const std::filesystem::path& file, std::string problem,
                         std::string remedy) {
  throw Error(ErrorCode::kBadInput, lastbit::quoted(file.string(), 200), std::move(problem),
              std::move(remedy));
}

[[noreturn]] void engine_failed(std::string problem) {
  throw Error(ErrorCode::kInternal, "duckdb", std::move(problem),
              "this is a bug in lastbit or in its build; please report it");
}

std::string lower_extension(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  std::ranges::transform(extension, extension.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return extension;
}

// The table function that reads a file of this kind, its path left to be bound.
std::string reader_for(const std::filesystem::path& file) {
  const std::string extension = lower_extension(file);
  if (extension == ".parquet") return "read_parquet(?)";
  if (extension == ".csv") return fmt::format("read_csv(?, delim = ',', {})", kCsvOptions);
  if (extension == ".tsv") return fmt::format("read_csv(?, delim = '\t', {})", kCsvOptions);
  refuse(file, "has an extension that says neither CSV nor Parquet",
         "name it .csv (commas), .tsv (tabs) or .parquet");
}

// The file as one absolute path without links, readable and not empty.
std::filesystem::path checked_source(const std::filesystem::path& file) {
  std::error_code problem;
  std::filesystem::path path = std::filesystem::canonical(file, problem);
  if (problem) refuse(file, "does not exist or cannot be reached", "check the path");
  if (!std::filesystem::is_regular_file(path, problem)) {
    refuse(file, "is not a regular file", "name a single CSV or Parquet file");
  }
  const auto size = std::filesystem::file_size(path, problem);
  if (problem || size == 0) refuse(file, "is empty", "give a file with at least a header");
  // The engine expands these; a path that holds one would name other files as well.
  if (path.string().find_first_of("*?[]{}") != std::string::npos) {
    refuse(file, "has one of * ? [ ] { } in its path", "rename the file or its folder");
  }
  return path;
}

std::string quoted_identifier(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) {
    out += c;
    if (c == '"') out += c;
  }
  return out + "\"";
}

bool is_one_of(std::string_view type, std::initializer_list<std::string_view> types) {
  return std::ranges::find(types, type) != types.end();
}

// The field as BIGINT, or null when it is not exactly a whole number of 64 bits. The engine's own
// cast would round 12.7 to 13.
std::string integer_expression(const std::string& field, std::string_view type) {
  if (is_one_of(type, {"BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT",
                       "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"})) {
    return fmt::format("TRY_CAST({} AS BIGINT)", field);
  }
  if (is_one_of(type, {"FLOAT", "DOUBLE"}) || type.starts_with("DECIMAL")) {
    return fmt::format("CASE WHEN {0} = trunc({0}) THEN TRY_CAST({0} AS BIGINT) END", field);
  }
  return fmt::format(
      "CASE WHEN regexp_full_match(trim(CAST({0} AS VARCHAR)), '[+-]?[0-9]+') "
      "THEN TRY_CAST(trim(CAST({0} AS VARCHAR)) AS BIGINT) END",
      field);
}

std::string real_expression(const std::string& field, std::string_view type) {
  if (type != "VARCHAR") return fmt::format("TRY_CAST({} AS DOUBLE)", field);
  return fmt::format(
      "CASE WHEN regexp_full_match(trim({0}), "
      "'[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?') "
      "THEN TRY_CAST(trim({0}) AS DOUBLE) END",
      field);
}

std::string expression(const ColumnRequest& request, std::string_view type) {
  const std::string field = quoted_identifier(request.name);
  switch (request.type) {
    case ColumnType::kInteger:
      return integer_expression(field, type);
    case ColumnType::kReal:
      return real_expression(field, type);
    case ColumnType::kText:
      break;
  }
  return fmt::format("CAST({} AS VARCHAR)", field);
}

Column empty_column(ColumnType type) {
  switch (type) {
    case ColumnType::kInteger:
      return std::vector<std::optional<std::int64_t>>();
    case ColumnType::kReal:
      return std::vector<std::optional<double>>();
    case ColumnType::kText:
      break;
  }
  return std::vector<std::optional<std::string>>();
}

void append_entry(std::vector<std::optional<std::int64_t>>& column, void* data, idx_t row) {
  column.emplace_back(static_cast<std::int64_t*>(data)[row]);
}

void append_entry(std::vector<std::optional<double>>& column, void* data, idx_t row) {
  column.emplace_back(static_cast<double*>(data)[row]);
}

void append_entry(std::vector<std::optional<std::string>>& column, void* data, idx_t row) {
  duckdb_string_t* text = static_cast<duckdb_string_t*>(data) + row;
  column.emplace_back(std::in_place, duckdb_string_t_data(text), duckdb_string_t_length(*text));
}

void append_chunk(Column& column, duckdb_vector vector, idx_t rows) {
  void* data = duckdb_vector_get_data(vector);
  std::uint64_t* validity = duckdb_vector_get_validity(vector);
  const auto append = [&](auto& entries) {
    for (idx_t row = 0; row < rows; ++row) {
      if (validity == nullptr || duckdb_validity_row_is_valid(validity, row)) {
        append_entry(entries, data, row);
      } else {
        entries.emplace_back(std::nullopt);
      }
    }
  };
  std::visit(append, column);
}

// The whole result, whose columns must have been cast to what `columns` hold.
void append_result(std::vector<Column>& columns, const Result& result) {
  while (true) {
    Chunk chunk;
    *chunk.out() = duckdb_fetch_chunk(result.get());
    if (chunk.get() == nullptr) return;
    const idx_t rows = duckdb_data_chunk_get_size(chunk.get());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      append_chunk(columns[i], duckdb_data_chunk_get_vector(chunk.get(), i), rows);
    }
  }
}

}  // namespace

struct Database::State {
  std::filesystem::path source;
  std::string reader;
  Engine engine;
  Connection connection;
  std::vector<ColumnInfo> schema;  // empty until it was asked for

  // Runs `sql` with `values` bound; nothing when the engine refuses it.
  std::optional<Result> run(const std::string& sql, const std::vector<std::string>& values) {
    Statement statement;
    if (duckdb_prepare(connection.get(), sql.c_str(), statement.out()) == DuckDBError) {
      return std::nullopt;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string& value = values[i];
      if (duckdb_bind_varchar_length(statement.get(), i + 1, value.data(), value.size()) ==
          DuckDBError) {
        return std::nullopt;
      }
    }
    Result result;
    if (duckdb_execute_prepared(statement.get(), result.out()) == DuckDBError) return std::nullopt;
    return result;
  }

  Result question(const std::string& sql) {
    std::optional<Result> result = run(sql, {source.string()});
    if (result) return std::move(*result);
    refuse(source, "cannot be read",
           "check that it may be read, is whole, and (CSV) that it is UTF-8 with a header and the "
           "same number of fields in every row");
  }

  void open() {
    Configuration configuration;
    if (duckdb_create_config(configuration.out()) == DuckDBError) {
      engine_failed("gives no configuration");
    }
    for (const auto& [name, value] : kSettings) {
      if (duckdb_set_config(configuration.get(), name, value) == DuckDBError) {
        engine_failed(fmt::format("does not know the setting {}", name));
      }
    }
    const bool opened =
        duckdb_open_ext(nullptr, engine.out(), configuration.get(), nullptr) == DuckDBSuccess &&
        duckdb_connect(engine.get(), connection.out()) == DuckDBSuccess;
    if (!opened) engine_failed("does not open a database in memory");
  }

  // The order matters: the source is declared, then all else is shut, then the key thrown away.
  void lock() {
    const bool locked = run("SET allowed_paths = [?]", {source.string()}) &&
                        run("SET enable_external_access = false", {}) &&
                        run("SET lock_configuration = true", {});
    if (!locked) engine_failed("cannot be locked to its source file");
  }
};

std::string duckdb_version() { return duckdb_library_version(); }

Database::Database(const std::filesystem::path& source) : state_(std::make_unique<State>()) {
  state_->reader = reader_for(source);
  state_->source = checked_source(source);
  state_->open();
  state_->lock();
}

Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

std::vector<ColumnInfo> Database::schema() {
  if (!state_->schema.empty()) return state_->schema;
  const Result result = state_->question(fmt::format(
      "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM {})", state_->reader));
  std::vector<Column> answer(2, empty_column(ColumnType::kText));
  append_result(answer, result);
  const auto& names = std::get<std::vector<std::optional<std::string>>>(answer[0]);
  const auto& types = std::get<std::vector<std::optional<std::string>>>(answer[1]);
  std::vector<ColumnInfo> columns;
  columns.reserve(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    columns.push_back({names[i].value_or(""), types[i].value_or("")});
  }
  state_->schema = columns;
  return columns;
}

std::vector<Column> Database::read_columns(std::span<const ColumnRequest> columns) {
  if (columns.empty()) {
    throw Error::bad_parameter("read_columns", "columns", "is empty", "name at least one column");
  }
  const std::vector<ColumnInfo> known = schema();
  std::vector<std::string> names;
  names.reserve(known.size());
  for (const ColumnInfo& column : known) names.push_back(column.name);
  std::vector<std::string> expressions;
  std::vector<Column> answer;
  for (const ColumnRequest& request : columns) {
    const auto found = std::ranges::find(known, request.name, &ColumnInfo::name);
    if (found == known.end()) {
      const auto nearest = nearest_name(request.name, names);
      refuse(state_->source, fmt::format("has no column {}", lastbit::quoted(request.name)),
             nearest ? fmt::format("did you mean {}?", lastbit::quoted(*nearest))
                     : "name one of the columns of its header");
    }
    expressions.push_back(expression(request, found->type));
    answer.push_back(empty_column(request.type));
  }
  append_result(answer, state_->question(fmt::format("SELECT {} FROM {}", joined(expressions, ", "),
                                                     state_->reader)));
  return answer;
}

bool Database::refuses(const std::string& sql) { return !state_->run(sql, {}); }

std::vector<ColumnInfo> read_schema(const std::filesystem::path& source) {
  return Database(source).schema();
}

std::vector<Column> read_columns(const std::filesystem::path& source,
                                 std::span<const ColumnRequest> columns) {
  return Database(source).read_columns(columns);
}

}  // namespace lastbit
