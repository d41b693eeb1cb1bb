#include "lastbit/engines/duckdb/locked_engine.h"

#include <duckdb.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/engines/duckdb/catalogue.h"
#include "lastbit/engines/duckdb/engine_values.h"
#include "lastbit/engines/duckdb/reading/source_files.h"
#include "lastbit/numerics/rounding.h"
#include "lastbit/sources/parquet_footer.h"

namespace lastbit::engine {
namespace {

using Engine = Owned<duckdb_database, duckdb_close>;
using Connection = Owned<duckdb_connection, duckdb_disconnect>;
using Configuration = Owned<duckdb_config, duckdb_destroy_config>;
using Prepared = Owned<duckdb_prepared_statement, duckdb_destroy_prepare>;
using Pending = Owned<duckdb_pending_result, duckdb_destroy_pending>;
using Result = Owned<duckdb_result, duckdb_destroy_result>;

// The initial settings of every engine. The extension settings mean that it never fetches code.
// Rows come in any order, since no answer depends on it.
constexpr std::array<std::pair<const char*, const char*>, 5> kSettings = {{
    {"autoinstall_known_extensions", "false"},
    {"autoload_known_extensions", "false"},
    {"allow_community_extensions", "false"},
    {"allow_persistent_secrets", "false"},
    {"preserve_insertion_order", "false"},
}};

// Everything that would trust what a file says about its values: the smallest and the largest, how
// many are missing. A file that lies about them would lose rows or merge keys.
constexpr const char* kDisabledOptimizers =
    "SET disabled_optimizers = 'filter_pushdown,statistics_propagation,compressed_materialization,"
    "row_group_pruner,join_filter_pushdown,late_materialization'";

constexpr std::string_view kReadParquet = "read_parquet(?, hive_partitioning = false)";

[[noreturn]] void engine_failed(std::string problem) {
  throw Error(ErrorCode::kInternal, "duckdb", std::move(problem),
              "this is a bug in lastbit or in its build; please report it");
}

}  // namespace

struct LockedEngine::State {
  DataSource source;
  std::vector<SourceFile> files;  // of the source
  std::vector<FileState> states;  // theirs, at the beginning
  std::filesystem::path path;     // of the first one
  std::string database_name;      // what the engine calls a database file
  std::string table;              // the quoted name of its table
  std::vector<NamedColumn> schema;
  std::unique_ptr<const source::ParquetFooter> footer;  // of a Parquet file
  EngineLimits given_limits;
  std::vector<std::shared_ptr<RecordScan>> scans;
  SpillFolder spill;  // outlives the engine
  Engine engine;
  Connection connection;
  bool out_of_memory = false;  // why the last statement was refused
  std::size_t words = 0;       // how many names we have made

  // The result of a statement; nothing if the engine refuses it. This thread takes part in the
  // work, so it has to round as the engine's threads do.
  std::optional<Result> run(const Statement& statement, const Progress& progress = {}) {
    require_rounding_to_nearest("reading");
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
        (message != nullptr && std::string_view(message).starts_with("Out of Memory Error")) ||
        std::ranges::any_of(scans, [](const auto& scan) { return scan->out_of_memory(); });
    return std::nullopt;
  }

  // Takes part in the engine's work until it is done, and reports now and then how far it is. The
  // engine itself would do the same, but without any report.
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
      progress(std::clamp(part_done(), 0.0, 1.0));
      next = std::chrono::steady_clock::now() + kTellEvery;
    }
  }

  // The engine does not know how much of a text file is left.
  double part_done() const {
    const double part = duckdb_query_progress(connection.get()).percentage / 100;
    return scans.empty() ? part : std::max(part, scans.back()->done());
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
    // Without a directory the engine never writes rows to disk.
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

  // Work is done in an in-memory database, so that our statements never call functions that the
  // file may define.
  void leave_database() {
    std::optional<Result> name = run({"SELECT current_database()", {}});
    std::vector<Answer> answer = {Texts()};
    if (name) read_result(name->in(), answer);
    const Texts& found = std::get<Texts>(answer[0]);
    if (found.size() != 1) unreadable();
    database_name = found[0].value_or("");
    const std::string work = quoted_identifier(database_name + "_work");
    const bool left =
        run({"ATTACH ':memory:' AS " + work + " (READ_WRITE)", {}}) && run({"USE " + work, {}});
    if (!left) unreadable();
    table = quoted_identifier(database_name) + ".main." + quoted_identifier(source.table);
  }

  // The order matters: the source is declared, then everything else is shut, then the lock is made
  // final. The engine measures its progress only if it may show it, and is told not to show it.
  void lock() {
    const bool opens = source.format == FileFormat::kParquet;
    const bool locked = run({"SET enable_progress_bar_print = false", {}}) &&
                        run({"SET enable_progress_bar = true", {}}) &&
                        run({kDisabledOptimizers, {}}) &&
                        run({"SET enable_geoparquet_conversion = false", {}}) &&
                        (!opens || run({"SET allowed_paths = [?]", {path.string()}})) &&
                        run({"SET enable_external_access = false", {}}) &&
                        run({"SET lock_configuration = true", {}});
    if (!locked) engine_failed("cannot be locked to its source file");
  }

  [[noreturn]] void unreadable() const {
    if (out_of_memory) {
      refuse_file(path, "takes more memory than there is",
                  "raise the memory limit, or give a directory to spill to that has room");
    }
    refuse_file(path, "cannot be read", "check that it is complete and readable");
  }
};

std::string quoted_identifier(std::string_view name) {
  if (name.find('\0') != std::string_view::npos) {
    throw Error(ErrorCode::kBadInput, lastbit::quote(name), "is a column name with a zero byte",
                "rename the column");
  }
  std::string out = "\"";
  for (const char c : name) {
    out += c;
    if (c == '"') out += c;
  }
  return out + "\"";
}

LockedEngine::LockedEngine(const DataSource& source, const EngineLimits& limits)
    : state_(std::make_unique<State>()) {
  check_delimiter(source);
  if (limits.threads == 0U) {
    throw Error::bad_parameter("engine limits", "threads", "is 0", "give 1 or more");
  }
  if (limits.memory_bytes && *limits.memory_bytes < EngineLimits::kLeastMemory) {
    throw Error::bad_parameter("engine limits", "memory", "is less than the engine itself takes",
                               "give 16 MB or more");
  }
  require_rounding_to_nearest("reading");
  state_->source = source;
  state_->given_limits = limits;
  state_->files = checked_files(source);
  for (const SourceFile& file : state_->files) state_->states.push_back(file_state(file.path));
  state_->path = state_->files.front().path;
  require_no_log(source, state_->path);
  state_->open(limits);
  state_->lock();
  if (source.format == FileFormat::kDuckDb) {
    state_->schema = read_catalogue(*this, state_->database_name, source.table);
  } else {
    state_->schema = source_columns(source);
  }
  if (source.format == FileFormat::kParquet) {
    state_->footer =
        std::make_unique<source::ParquetFooter>(source::read_parquet_footer(state_->path));
  }
}

LockedEngine::LockedEngine(LockedEngine&&) noexcept = default;
LockedEngine& LockedEngine::operator=(LockedEngine&&) noexcept = default;
LockedEngine::~LockedEngine() = default;

const std::vector<SourceFile>& LockedEngine::files() const { return state_->files; }
const std::filesystem::path& LockedEngine::path() const { return state_->path; }

FileFormat LockedEngine::format() const { return state_->source.format; }

const EngineLimits& LockedEngine::limits() const { return state_->given_limits; }

const std::vector<NamedColumn>& LockedEngine::schema() const { return state_->schema; }

const std::string& LockedEngine::type_of(std::string_view name) const {
  const std::vector<NamedColumn>& known = schema();
  const auto found = std::ranges::find(known, name, &NamedColumn::name);
  if (found != known.end()) return found->type;
  std::vector<std::string> names;
  for (const NamedColumn& column : known) names.push_back(column.name);
  const auto nearest = nearest_name(name, names);
  refuse_file(state_->path, fmt::format("has no column {}", lastbit::quote(name)),
              nearest ? fmt::format("did you mean {}?", lastbit::quote(*nearest))
                      : "name one of its columns");
}

Statement LockedEngine::typed_rows(std::span<const std::string> columns) {
  Statement rows = state_->source.format == FileFormat::kParquet
                       ? Statement{std::string(kReadParquet), {state_->path.string()}}
                       : Statement{state_->table, {}};
  if (state_->footer) check_parquet_pages(state_->path, *state_->footer, columns);
  require_agreement(*this, columns, rows);
  return rows;
}

void LockedEngine::add_scan(const std::string& name, std::vector<ScannedColumn> columns) {
  auto scan = std::make_shared<RecordScan>(state_->source, state_->files, std::move(columns));
  state_->scans.push_back(scan);
  if (!register_scan(state_->connection.get(), name, std::move(scan))) {
    engine_failed(fmt::format("does not take the table {}", name));
  }
}

void LockedEngine::add_function(const std::string& name, std::span<const ArgumentType> arguments,
                                std::shared_ptr<const RowFunction> function, Carrier result) {
  if (!register_function(state_->connection.get(), name, arguments, result, std::move(function))) {
    engine_failed(fmt::format("does not take the function {}", name));
  }
}

void LockedEngine::add_sink(const std::string& name, std::span<const ArgumentType> arguments,
                            std::shared_ptr<const RowFunction> function) {
  if (!register_function(state_->connection.get(), name, arguments, Carrier::kInteger,
                         std::move(function), true)) {
    engine_failed(fmt::format("does not take the function {}", name));
  }
}

bool LockedEngine::add_table(const std::string& name, const Statement& rows,
                             const Progress& progress) {
  const std::string sql = fmt::format("CREATE TEMP TABLE {} AS {}", name, rows.sql);
  if (state_->run({sql, rows.parameters}, progress)) return true;
  for (const auto& scan : state_->scans) scan->throw_problem();
  if (state_->out_of_memory) return false;
  state_->unreadable();
}

void LockedEngine::drop_table(const std::string& name) {
  if (!state_->run({"DROP TABLE " + name, {}})) engine_failed("does not drop a table of ours");
}

std::vector<NamedColumn> LockedEngine::plain_types(const Statement& rows) {
  Prepared prepared;
  const std::string sql = "SELECT * FROM " + rows.sql;
  if (duckdb_prepare(state_->connection.get(), sql.c_str(), prepared.out()) == DuckDBError) {
    state_->unreadable();
  }
  return prepared_columns(prepared.get());
}

void LockedEngine::ask(const Statement& statement, std::span<Answer> answers,
                       const Progress& progress) {
  if (!try_ask(statement, answers, progress)) state_->unreadable();
}

bool LockedEngine::try_ask(const Statement& statement, std::span<Answer> answers,
                           const Progress& progress) {
  const std::optional<Result> result = state_->run(statement, progress);
  if (!result) {
    for (const auto& scan : state_->scans) scan->throw_problem();
    if (state_->out_of_memory) return false;
    state_->unreadable();
  }
  read_result(result->in(), answers);
  return true;
}

std::string LockedEngine::fresh_name(std::string_view stem) {
  return fmt::format("{}_{}", stem, state_->words++);
}

void LockedEngine::require_unchanged() const {
  require_no_log(state_->source, state_->path);
  for (std::size_t i = 0; i < state_->files.size(); ++i) {
    const std::filesystem::path& path = state_->files[i].path;
    if (file_state(path) == state_->states[i]) continue;
    refuse_file(path, "changed while it was read", "wait until it is complete, or copy it");
  }
  // A pattern may match more files than before, or fewer.
  if (checked_files(state_->source) == state_->files) return;
  refuse_file(state_->source.path, "stood for other files when reading began",
              "wait until all are there, or copy them");
}

bool LockedEngine::refuses(const std::string& sql) { return !state_->run({sql, {}}); }

}  // namespace lastbit::engine
