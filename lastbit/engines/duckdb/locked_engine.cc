#include "lastbit/engines/duckdb/locked_engine.h"

#include <duckdb.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/engines/duckdb/engine_values.h"
#include "lastbit/engines/duckdb/source_files.h"

namespace lastbit::engine {
namespace {

using Engine = Owned<duckdb_database, duckdb_close>;
using Connection = Owned<duckdb_connection, duckdb_disconnect>;
using Configuration = Owned<duckdb_config, duckdb_destroy_config>;
using Prepared = Owned<duckdb_prepared_statement, duckdb_destroy_prepare>;
using Pending = Owned<duckdb_pending_result, duckdb_destroy_pending>;
using Result = Owned<duckdb_result, duckdb_destroy_result>;
using Appender = Owned<duckdb_appender, duckdb_appender_destroy>;

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
// Without `records` the engine would look at many values to find out whether they are objects.
constexpr std::string_view kReadJson =
    "read_json(?, columns = ?, format = '{}', records = true, ignore_errors = false, "
    "compression = 'uncompressed', hive_partitioning = false)";
constexpr std::string_view kJsonKeys =
    "SELECT unnest(json_keys(json)) FROM (SELECT json FROM read_json_objects(?, format = '{}', "
    "compression = 'uncompressed', hive_partitioning = false) LIMIT 1)";

[[noreturn]] void engine_failed(std::string problem) {
  throw Error(ErrorCode::kInternal, "duckdb", std::move(problem),
              "this is a bug in lastbit or in its build; please report it");
}

bool same_but_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace

struct LockedEngine::State {
  DataSource source;
  std::filesystem::path path;  // of the source, canonical
  FileState file;              // of the source, at the beginning
  std::string table;           // the quoted name of the table of a database file
  bool json_array = false;
  SpillFolder spill;  // outlives the engine
  Engine engine;
  Connection connection;
  std::optional<std::vector<ColumnInfo>> schema;  // nothing until it was asked for
  bool out_of_memory = false;                     // why the last statement was refused
  std::size_t names = 0;                          // how many of ours there are

  // The result of a statement; nothing when the engine refuses it.
  std::optional<Result> run(const Statement& statement, const Progress& progress = {}) {
    Prepared prepared;
    out_of_memory = false;
    if (statement.sql.find('\0') != std::string::npos ||
        duckdb_prepare(connection.get(), statement.sql.c_str(), prepared.out()) == DuckDBError ||
        !bind_parameters(prepared.get(), statement.parameters)) {
      return std::nullopt;
    }
    Pending pending;
    Result result;
    if (duckdb_pending_prepared(prepared.get(), pending.out()) == DuckDBSuccess &&
        work(pending, progress) &&
        duckdb_execute_pending(pending.get(), result.out()) == DuckDBSuccess) {
      return result;
    }
    const char* message = duckdb_pending_error(pending.get());
    out_of_memory =
        message != nullptr && std::string_view(message).starts_with("Out of Memory Error");
    return std::nullopt;
  }

  // Takes part in the engine's work until it is done, and now and then tells how far it is. The
  // engine itself would do no other, but say nothing meanwhile.
  bool work(const Pending& pending, const Progress& progress) {
    constexpr std::chrono::milliseconds kTellEvery{200};
    constexpr std::chrono::milliseconds kOthersWork{1};
    auto next = std::chrono::steady_clock::now() + kTellEvery;
    while (true) {
      const duckdb_pending_state state = duckdb_pending_execute_task(pending.get());
      if (state == DUCKDB_PENDING_RESULT_READY) return true;
      if (state == DUCKDB_PENDING_ERROR) return false;
      if (state == DUCKDB_PENDING_NO_TASKS_AVAILABLE) std::this_thread::sleep_for(kOthersWork);
      if (!progress || std::chrono::steady_clock::now() < next) continue;
      const double percentage = duckdb_query_progress(connection.get()).percentage;
      progress(std::clamp(percentage / 100, 0.0, 1.0));
      next = std::chrono::steady_clock::now() + kTellEvery;
    }
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
    if (name) read_result(name->in(), answer);
    const Texts& found = std::get<Texts>(answer[0]);
    const bool left = name && found.size() == 1 && found[0] &&
                      run({"ATTACH ':memory:' AS lastbit_work (READ_WRITE)", {}}) &&
                      run({"USE lastbit_work", {}});
    if (!left) unreadable();
    table = quoted_identifier(found[0].value_or("")) + ".main." + quoted_identifier(source.table);
  }

  // The order matters: the source is declared, then all else is shut, then the key thrown away. The
  // engine measures its progress only if it may show it, and is told not to.
  void lock() {
    const bool locked = run({"SET enable_progress_bar_print = false", {}}) &&
                        run({"SET enable_progress_bar = true", {}}) &&
                        run({"SET allowed_paths = [?]", {path.string()}}) &&
                        run({"SET enable_external_access = false", {}}) &&
                        run({"SET lock_configuration = true", {}});
    if (!locked) engine_failed("cannot be locked to its source file");
  }

  const char* json_format() const { return json_array ? "array" : "newline_delimited"; }

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
  state_->file = file_state(state_->path);
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
  for (const std::string& name : columns) {
    for (const auto& [other, type] : fields) {
      if (!same_but_case(name, other)) continue;
      refuse_file(state_->path,
                  fmt::format("has columns {} and {}, which the engine takes for one",
                              lastbit::quoted(other), lastbit::quoted(name)),
                  "rename one of them");
    }
    fields.emplace_back(name, "VARCHAR");
  }
  return {fmt::format(fmt::runtime(kReadJson), state_->json_format()), {path, fields}};
}

const std::vector<ColumnInfo>& LockedEngine::schema() {
  std::optional<std::vector<ColumnInfo>>& known = state_->schema;
  if (known) return *known;
  const bool json = state_->source.format == FileFormat::kJson;
  std::vector<Answer> answer = {Texts()};
  if (json) {
    ask({fmt::format(fmt::runtime(kJsonKeys), state_->json_format()), {state_->path.string()}},
        answer);
  } else {
    const Statement rows = rows_of_source();
    answer.emplace_back(Texts());
    ask({fmt::format("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM {})", rows.sql),
         rows.parameters},
        answer);
  }
  std::vector<ColumnInfo> columns;
  const Texts& names = std::get<Texts>(answer[0]);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto type = json ? "VARCHAR" : std::get<Texts>(answer[1])[i].value_or("");
    columns.push_back({names[i].value_or(""), type});
  }
  if (columns.empty()) {
    refuse_file(state_->path, "has no columns",
                json ? "begin with an object that has all keys" : "give a file with columns");
  }
  return known.emplace(std::move(columns));
}

std::string LockedEngine::declared_type(std::string_view name) {
  const std::vector<ColumnInfo>& known = schema();
  const auto found = std::ranges::find(known, name, &ColumnInfo::name);
  if (found != known.end()) return found->type;
  std::vector<std::string> names;
  for (const ColumnInfo& column : known) names.push_back(column.name);
  const auto nearest = nearest_name(name, names);
  refuse_file(state_->path, fmt::format("has no column {}", lastbit::quoted(name)),
              nearest ? fmt::format("did you mean {}?", lastbit::quoted(*nearest))
                      : "name one of its columns");
}

void LockedEngine::add_function(const std::string& name, std::unique_ptr<RowFunction> function) {
  if (!register_function(state_->connection.get(), name, std::move(function))) {
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

void LockedEngine::ask(const Statement& statement, std::span<Answer> answers,
                       const Progress& progress) {
  const std::optional<Result> result = state_->run(statement, progress);
  if (!result) state_->unreadable();
  read_result(result->in(), answers);
}

std::string LockedEngine::fresh_name(std::string_view stem) {
  return fmt::format("{}_{}", stem, state_->names++);
}

void LockedEngine::require_unchanged() const {
  if (file_state(state_->path) == state_->file) return;
  refuse_file(state_->path, "changed while it was read", "wait until it is whole, or copy it");
}

bool LockedEngine::refuses(const std::string& sql) { return !state_->run({sql, {}}); }

}  // namespace lastbit::engine
