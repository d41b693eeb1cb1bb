#include "lastbit/engines/duckdb/locked_engine.h"

#include <duckdb.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/engines/duckdb/source_files.h"

namespace lastbit::engine {
namespace {

// The handles of the C API, each freed by its own function.
template <typename Handle, auto kDestroy>
class Owned {
 public:
  Owned() = default;
  explicit Owned(Handle handle) : handle_(handle) {}
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
using Prepared = Owned<duckdb_prepared_statement, duckdb_destroy_prepare>;
using Result = Owned<duckdb_result, duckdb_destroy_result>;
using Chunk = Owned<duckdb_data_chunk, duckdb_destroy_data_chunk>;
using Value = Owned<duckdb_value, duckdb_destroy_value>;
using Type = Owned<duckdb_logical_type, duckdb_destroy_logical_type>;
using Appender = Owned<duckdb_appender, duckdb_appender_destroy>;
using Function = Owned<duckdb_scalar_function, duckdb_destroy_scalar_function>;

// The settings every engine is born with. The extension settings mean that it never fetches code.
constexpr std::array<std::pair<const char*, const char*>, 5> kSettings = {{
    {"autoinstall_known_extensions", "false"},
    {"autoload_known_extensions", "false"},
    {"allow_community_extensions", "false"},
    {"allow_persistent_secrets", "false"},
    {"preserve_insertion_order", "true"},
}};

// Everything the sniffer could guess is said, so that no row changes how another is read. Only
// unquoted texts can be null: "" is an empty text.
constexpr std::string_view kReadCsv =
    "read_csv(?, delim = ?, nullstr = ?, header = true, all_varchar = true, quote = '\"', "
    "escape = '\"', skip = 0, comment = '', allow_quoted_nulls = false, null_padding = false, "
    "strict_mode = true, "
    "ignore_errors = false, compression = 'none', hive_partitioning = false)";
constexpr std::string_view kReadParquet = "read_parquet(?, hive_partitioning = false)";
constexpr std::string_view kReadJson =
    "read_json(?, columns = ?, format = '{}', ignore_errors = false, compression = 'uncompressed', "
    "hive_partitioning = false)";

[[noreturn]] void engine_failed(std::string problem) {
  throw Error(ErrorCode::kInternal, "duckdb", std::move(problem),
              "this is a bug in lastbit or in its build; please report it");
}

duckdb_type type_code(Carrier carrier) {
  switch (carrier) {
    case Carrier::kInteger:
      return DUCKDB_TYPE_BIGINT;
    case Carrier::kReal:
      return DUCKDB_TYPE_DOUBLE;
    case Carrier::kText:
      break;
  }
  return DUCKDB_TYPE_VARCHAR;
}

Value text_value(const std::string& text) {
  return Value(duckdb_create_varchar_length(text.data(), text.size()));
}

Value list_value(const TextList& texts) {
  const Type type(duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR));
  std::vector<Value> values;
  std::vector<duckdb_value> handles;
  for (const std::string& text : texts) {
    handles.push_back(values.emplace_back(text_value(text)).get());
  }
  return Value(duckdb_create_list_value(type.get(), handles.data(), handles.size()));
}

Value fields_value(const TextFields& fields) {
  const Type text(duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR));
  std::vector<duckdb_logical_type> types(fields.size(), text.get());
  std::vector<const char*> names;
  std::vector<Value> values;
  std::vector<duckdb_value> handles;
  for (const auto& [name, value] : fields) {
    names.push_back(name.c_str());
    handles.push_back(values.emplace_back(text_value(value)).get());
  }
  const Type type(duckdb_create_struct_type(types.data(), names.data(), names.size()));
  return Value(duckdb_create_struct_value(type.get(), handles.data()));
}

Value value_of(const Parameter& parameter) {
  if (const auto* number = std::get_if<std::int64_t>(&parameter)) {
    return Value(duckdb_create_int64(*number));
  }
  if (const auto* text = std::get_if<std::string>(&parameter)) return text_value(*text);
  if (const auto* texts = std::get_if<TextList>(&parameter)) return list_value(*texts);
  return fields_value(std::get<TextFields>(parameter));
}

Integer wide_integer(const duckdb_hugeint& value) {
  return Integer(static_cast<Int128>(
      static_cast<UInt128>(static_cast<std::uint64_t>(value.upper)) << 64 | value.lower));
}

void append_entry(Integers& column, duckdb_vector /*vector*/, void* data, idx_t row) {
  column.emplace_back(static_cast<std::int64_t*>(data)[row]);
}

void append_entry(Reals& column, duckdb_vector /*vector*/, void* data, idx_t row) {
  column.emplace_back(static_cast<double*>(data)[row]);
}

void append_entry(Texts& column, duckdb_vector /*vector*/, void* data, idx_t row) {
  duckdb_string_t* text = static_cast<duckdb_string_t*>(data) + row;
  column.emplace_back(std::in_place, duckdb_string_t_data(text), duckdb_string_t_length(*text));
}

void append_entry(WideIntegers& column, duckdb_vector /*vector*/, void* data, idx_t row) {
  column.push_back(wide_integer(static_cast<duckdb_hugeint*>(data)[row]));
}

void append_entry(Tallies& column, duckdb_vector vector, void* data, idx_t row) {
  const duckdb_list_entry entry = static_cast<duckdb_list_entry*>(data)[row];
  const auto* counts =
      static_cast<std::uint64_t*>(duckdb_vector_get_data(duckdb_list_vector_get_child(vector)));
  column.emplace_back(counts + entry.offset, counts + entry.offset + entry.length);
}

void append_chunk(Answer& answer, duckdb_vector vector, idx_t rows) {
  void* data = duckdb_vector_get_data(vector);
  std::uint64_t* validity = duckdb_vector_get_validity(vector);
  const auto append = [&](auto& entries) {
    for (idx_t row = 0; row < rows; ++row) {
      if (validity == nullptr || duckdb_validity_row_is_valid(validity, row)) {
        append_entry(entries, vector, data, row);
      } else {
        entries.emplace_back();
      }
    }
  };
  std::visit(append, answer);
}

// What the engine calls for a RowFunction.
void run_function(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  const auto& function =
      **static_cast<std::unique_ptr<RowFunction>*>(duckdb_scalar_function_get_extra_info(info));
  try {
    std::vector<Argument> arguments;
    for (idx_t i = 0; i < duckdb_data_chunk_get_column_count(input); ++i) {
      duckdb_vector vector = duckdb_data_chunk_get_vector(input, i);
      arguments.emplace_back(duckdb_vector_get_data(vector), duckdb_vector_get_validity(vector));
    }
    Output out(static_cast<std::int64_t*>(duckdb_vector_get_data(output)), output);
    function.run(arguments, duckdb_data_chunk_get_size(input), out);
  } catch (...) {
    // No exception may cross the C API; the statement fails instead.
    duckdb_scalar_function_set_error(info, "failed");
  }
}

}  // namespace

std::string_view Argument::text(std::size_t row) const {
  // The C API reads through a pointer that is not const, and changes nothing.
  auto* text = const_cast<duckdb_string_t*>(static_cast<const duckdb_string_t*>(data_) + row);
  return {duckdb_string_t_data(text), duckdb_string_t_length(*text)};
}

void Output::set_null(std::size_t row) {
  auto* vector = static_cast<duckdb_vector>(vector_);
  duckdb_vector_ensure_validity_writable(vector);
  duckdb_validity_set_row_invalid(duckdb_vector_get_validity(vector), row);
}

struct LockedEngine::State {
  DataSource source;
  std::filesystem::path path;  // of the source, canonical
  std::string table;           // the quoted name of the table of a database file
  bool json_array = false;
  SpillFolder spill;  // outlives the engine
  Engine engine;
  Connection connection;
  std::optional<std::vector<ColumnInfo>> schema;  // nothing until it was asked for
  bool out_of_memory = false;                     // why the last statement was refused

  // The result of a statement; nothing when the engine refuses it.
  std::optional<Result> run(const Statement& statement) {
    Prepared prepared;
    if (statement.sql.find('\0') != std::string::npos ||
        duckdb_prepare(connection.get(), statement.sql.c_str(), prepared.out()) == DuckDBError) {
      return std::nullopt;
    }
    for (std::size_t i = 0; i < statement.parameters.size(); ++i) {
      const Value value = value_of(statement.parameters[i]);
      if (duckdb_bind_value(prepared.get(), i + 1, value.get()) == DuckDBError) return std::nullopt;
    }
    Result result;
    if (duckdb_execute_prepared(prepared.get(), result.out()) == DuckDBSuccess) return result;
    out_of_memory = duckdb_result_error_type(result.out()) == DUCKDB_ERROR_OUT_OF_MEMORY;
    return std::nullopt;
  }

  void configure(const Configuration& configuration, const char* name, const std::string& value) {
    if (duckdb_set_config(configuration.get(), name, value.c_str()) == DuckDBError) {
      engine_failed(fmt::format("does not know the setting {}", name));
    }
  }

  void open(const EngineLimits& limits) {
    Configuration configuration;
    if (duckdb_create_config(configuration.out()) == DuckDBError) {
      engine_failed("gives no configuration");
    }
    for (const auto& [name, value] : kSettings) configure(configuration, name, value);
    // Without a directory the engine never writes rows to a disk.
    if (limits.spill_directory) spill.make_in(*limits.spill_directory);
    configure(configuration, "temp_directory", spill.path().string());
    if (limits.memory_bytes) {
      configure(configuration, "memory_limit", fmt::format("{}B", *limits.memory_bytes));
    }
    if (limits.threads) configure(configuration, "threads", std::to_string(*limits.threads));
    const bool database = source.format == FileFormat::kDuckDb;
    if (database) configure(configuration, "access_mode", "read_only");
    if (duckdb_open_ext(database ? path.c_str() : nullptr, engine.out(), configuration.get(),
                        nullptr) == DuckDBError) {
      if (database) unreadable();
      engine_failed("does not open a database in memory");
    }
    if (duckdb_connect(engine.get(), connection.out()) == DuckDBError) {
      engine_failed("does not connect");
    }
    if (database) leave_database();
  }

  // Work is done in a database in memory, so that functions which the file may define are not
  // those that our statements call.
  void leave_database() {
    std::optional<Result> name = run({"SELECT current_database()", {}});
    std::vector<Answer> answer = {Texts()};
    if (name) read(*name, answer);
    const Texts& names = std::get<Texts>(answer[0]);
    const bool left = name && names.size() == 1 && names[0] &&
                      run({"ATTACH ':memory:' AS lastbit_work (READ_WRITE)", {}}) &&
                      run({"USE lastbit_work", {}});
    if (!left) unreadable();
    table = quoted_identifier(names[0].value_or("")) + ".main." + quoted_identifier(source.table);
  }

  // The order matters: the source is declared, then all else is shut, then the key thrown away.
  void lock() {
    const bool locked = run({"SET allowed_paths = [?]", {path.string()}}) &&
                        run({"SET enable_external_access = false", {}}) &&
                        run({"SET lock_configuration = true", {}});
    if (!locked) engine_failed("cannot be locked to its source file");
  }

  [[noreturn]] void unreadable() const {
    if (out_of_memory) {
      refuse_file(path, "takes more memory than there is",
                  "raise the memory limit, or give a directory to spill to that has room");
    }
    refuse_file(
        path, "cannot be read",
        "check that it may be read, is whole, and (CSV) that it is UTF-8 with a header and the "
        "same number of fields in every row");
  }

  static void read(const Result& result, std::span<Answer> answers) {
    while (true) {
      Chunk chunk;
      *chunk.out() = duckdb_fetch_chunk(result.get());
      if (chunk.get() == nullptr) return;
      const idx_t rows = duckdb_data_chunk_get_size(chunk.get());
      for (std::size_t i = 0; i < answers.size(); ++i) {
        append_chunk(answers[i], duckdb_data_chunk_get_vector(chunk.get(), i), rows);
      }
    }
  }
};

LockedEngine::LockedEngine(const DataSource& source, const EngineLimits& limits)
    : state_(std::make_unique<State>()) {
  const char delimiter = source.delimiter;
  if (delimiter == '"' || delimiter == '\n' || delimiter == '\r' || delimiter == '\0') {
    throw Error::bad_parameter("data source", "delimiter", "is a quote, a line end or zero",
                               "take a comma, a semicolon or a tab");
  }
  if (limits.threads == 0U) {
    throw Error::bad_parameter("engine limits", "threads", "is 0", "give 1 or more");
  }
  state_->source = source;
  state_->path = checked_path(source.path);
  state_->json_array = source.format == FileFormat::kJson && is_json_array(state_->path);
  state_->open(limits);
  state_->lock();
}

LockedEngine::LockedEngine(LockedEngine&&) noexcept = default;
LockedEngine& LockedEngine::operator=(LockedEngine&&) noexcept = default;
LockedEngine::~LockedEngine() = default;

const std::filesystem::path& LockedEngine::path() const { return state_->path; }

Statement LockedEngine::rows_of_source(std::span<const std::string> columns) const {
  const std::string path = state_->path.string();
  switch (state_->source.format) {
    case FileFormat::kCsv:
      return {std::string(kReadCsv),
              {path, std::string(1, state_->source.delimiter), state_->source.null_texts}};
    case FileFormat::kParquet:
      return {std::string(kReadParquet), {path}};
    case FileFormat::kDuckDb:
      return {state_->table, {}};
    case FileFormat::kJson:
      break;
  }
  TextFields fields;
  for (const std::string& name : columns) fields.emplace_back(name, "VARCHAR");
  return {fmt::format(fmt::runtime(kReadJson), state_->json_array ? "array" : "newline_delimited"),
          {path, fields}};
}

const std::vector<ColumnInfo>& LockedEngine::schema() {
  std::optional<std::vector<ColumnInfo>>& known = state_->schema;
  if (known) return *known;
  std::vector<ColumnInfo> columns;
  if (state_->source.format != FileFormat::kJson) {
    const Statement rows = rows_of_source();
    std::vector<Answer> answer = {Texts(), Texts()};
    ask({fmt::format("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM {})", rows.sql),
         rows.parameters},
        answer);
    const Texts& names = std::get<Texts>(answer[0]);
    const Texts& types = std::get<Texts>(answer[1]);
    for (std::size_t i = 0; i < names.size(); ++i) {
      columns.push_back({names[i].value_or(""), types[i].value_or("")});
    }
  }
  return state_->schema.emplace(std::move(columns));
}

std::string LockedEngine::declared_type(std::string_view name) {
  if (state_->source.format == FileFormat::kJson) return "VARCHAR";
  const std::vector<ColumnInfo>& known = schema();
  const auto found = std::ranges::find(known, name, &ColumnInfo::name);
  if (found != known.end()) return found->type;
  std::vector<std::string> names;
  for (const ColumnInfo& column : known) names.push_back(column.name);
  const auto nearest = nearest_name(name, names);
  refuse_file(state_->path, fmt::format("has no column {}", lastbit::quoted(name)),
              nearest ? fmt::format("did you mean {}?", lastbit::quoted(*nearest))
                      : "name one of the columns of its header");
}

void LockedEngine::add_function(const std::string& name, std::unique_ptr<RowFunction> function) {
  const Function handle(duckdb_create_scalar_function());
  duckdb_scalar_function_set_name(handle.get(), name.c_str());
  for (const Carrier carrier : function->arguments()) {
    const Type type(duckdb_create_logical_type(type_code(carrier)));
    duckdb_scalar_function_add_parameter(handle.get(), type.get());
  }
  const Type whole(duckdb_create_logical_type(DUCKDB_TYPE_BIGINT));
  duckdb_scalar_function_set_return_type(handle.get(), whole.get());
  duckdb_scalar_function_set_special_handling(handle.get());  // it sees nulls
  duckdb_scalar_function_set_function(handle.get(), run_function);
  auto owner = std::make_unique<std::unique_ptr<RowFunction>>(std::move(function));
  duckdb_scalar_function_set_extra_info(handle.get(), owner.release(), [](void* pointer) {
    delete static_cast<std::unique_ptr<RowFunction>*>(pointer);
  });
  if (duckdb_register_scalar_function(state_->connection.get(), handle.get()) == DuckDBError) {
    engine_failed(fmt::format("does not take the function {}", name));
  }
}

void LockedEngine::add_table(const std::string& name, std::span<const Carrier> columns,
                             std::span<const std::vector<PlainValue>> rows) {
  std::vector<std::string> declared;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    declared.push_back(fmt::format("c{} {}", i, sql_type(columns[i])));
  }
  Appender appender;
  const auto connection = state_->connection.get();
  bool whole =
      state_->run({fmt::format("CREATE TEMP TABLE {} ({})", name, joined(declared, ", ")), {}}) &&
      duckdb_appender_create_ext(connection, "temp", "main", name.c_str(), appender.out()) ==
          DuckDBSuccess;
  const auto append = [&](const PlainValue& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
      return duckdb_append_int64(appender.get(), *number);
    }
    const std::string& text = std::get<std::string>(value);
    return duckdb_append_varchar_length(appender.get(), text.data(), text.size());
  };
  for (const std::vector<PlainValue>& row : rows) {
    for (const PlainValue& value : row) whole = whole && append(value) == DuckDBSuccess;
    whole = whole && duckdb_appender_end_row(appender.get()) == DuckDBSuccess;
  }
  if (!whole || duckdb_appender_close(appender.get()) == DuckDBError) {
    engine_failed(fmt::format("does not take the table {}", name));
  }
}

void LockedEngine::ask(const Statement& statement, std::span<Answer> answers) {
  const std::optional<Result> result = state_->run(statement);
  if (!result) state_->unreadable();
  State::read(*result, answers);
}

bool LockedEngine::refuses(const std::string& sql) { return !state_->run({sql, {}}); }

}  // namespace lastbit::engine
