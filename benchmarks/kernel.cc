// Bounding what each unit contributes, in a Parquet file, each in a process of its own:
//   plain       SELECT region, count(*), sum(amount) … GROUP BY, which protects nobody
//   statements  counts and sums of at most 2 rows in each of at most 3 groups of a user, by the
//               statements of the engine
//   kernel      the same by the kernel
// Usage: bench_kernel [--rows N] [--users N] [--memory-mb N] [--threads N] [--repeat N] [--json]
//
// Checked before anything is timed: statements and kernel give the same whole numbers for one key.
#include <duckdb.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "benchmarks/measured.h"
#include "benchmarks/options.h"
#include "lastbit/base/error.h"
#include "lastbit/engines/duckdb/sql/bounded_query.h"

namespace lastbit {
namespace {

constexpr std::int64_t kRegions = 50;
const engine::SecretKey kKey{{1, 2, 3, 4}};

// WorkFolder: where everything is written; removed at the end.
class WorkFolder {
 public:
  WorkFolder() {
    std::string pattern = std::filesystem::temp_directory_path() / "lastbit_bench_XXXXXX";
    invariant(mkdtemp(pattern.data()) != nullptr, "a temporary folder can be made");
    path_ = pattern;
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  ~WorkFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

struct Task {
  const WorkFolder& folder;
  std::int64_t rows;
  std::int64_t users;
  std::int64_t memory_mb;
  std::int64_t threads;
};

void ask(const Task& task, const std::string& sql) {
  duckdb_database engine = nullptr;
  duckdb_connection connection = nullptr;
  duckdb_result result;
  const std::string limits =
      fmt::format("SET memory_limit = '{}MB'; SET threads = {}", task.memory_mb, task.threads);
  invariant(duckdb_open(nullptr, &engine) == DuckDBSuccess &&
                duckdb_connect(engine, &connection) == DuckDBSuccess &&
                duckdb_query(connection, limits.c_str(), nullptr) == DuckDBSuccess,
            "an engine can be opened");
  if (duckdb_query(connection, sql.c_str(), &result) != DuckDBSuccess) {
    throw Error(ErrorCode::kInternal, "benchmark", duckdb_result_error(&result), "look at it");
  }
  duckdb_destroy_result(&result);
  duckdb_disconnect(&connection);
  duckdb_close(&engine);
}

// Some users have many more rows than others. Amounts are multiples of 1/64.
void write_rows(const Task& task) {
  ask(task,
      fmt::format("COPY (SELECT CAST(floor({} * pow(hash(4 * i) / 18446744073709551616.0, 2)) AS "
                  "BIGINT) AS user_id, CAST(hash(4 * i + 1) % {} AS BIGINT) AS region, "
                  "round(exp(hash(4 * i + 3) / 18446744073709551616.0 * 8) * 64) / 64 AS amount "
                  "FROM range({}) t(i)) TO '{}' (FORMAT parquet)",
                  task.users, kRegions, task.rows, task.folder / "rows.parquet"));
}

std::vector<GroupAnswer> bounded(const Task& task, engine::UseKernel kernel) {
  engine::BoundedQuery query;
  query.source.path = task.folder / "rows.parquet";
  query.source.format = engine::FileFormat::kParquet;
  query.unit = UnitColumn{"user_id", FieldType::kInteger, 2, 3};
  query.groups = {RangeKeys{"region", 0, kRegions - 1}};
  SteppedField amount;
  amount.field.name = "amount";
  amount.upper = 3000;
  amount.grid_exponent = -6;
  query.measures.emplace_back(RowCount{});
  query.measures.emplace_back(StepSum{amount});
  query.limits = {task.folder / "spill", static_cast<std::uint64_t>(task.memory_mb) * 1'000'000,
                  static_cast<unsigned>(task.threads)};
  return run_bounded(query, kKey, kernel);
}

void check(const Task& task) {
  const std::vector<GroupAnswer> statements = bounded(task, engine::UseKernel::kNo);
  const std::vector<GroupAnswer> kernel = bounded(task, engine::UseKernel::kOnly);
  invariant(statements.size() == kernel.size(), "both have the same groups");
  Integer rows = 0;
  for (std::size_t i = 0; i < kernel.size(); ++i) {
    invariant(statements[i].entries == kernel[i].entries, "both have the same numbers");
    rows += kernel[i].entries[0][0];
  }
  invariant(rows > Integer(0) && rows <= Integer(6 * task.users), "users have six rows at most");
}

struct Way {
  std::string name;
  std::function<void()> run;
  Measured best = {};
};

void run(const BenchmarkOptions& options) {
  const WorkFolder folder;
  const Task task{folder, options.at("--rows"), options.at("--users"), options.at("--memory-mb"),
                  options.at("--threads")};
  std::filesystem::create_directory(folder / "spill");
  // The engine starts threads, which a forked process would lack, so this process never opens one.
  in_child([&] { write_rows(task); });
  in_child([&] { check(task); });
  std::vector<Way> ways = {
      {"plain GROUP BY",
       [&] {
         ask(task, fmt::format("SELECT region, count(*), sum(amount) FROM read_parquet('{}') "
                               "GROUP BY region",
                               folder / "rows.parquet"));
       }},
      {"bounded, by statements", [&] { bounded(task, engine::UseKernel::kNo); }},
      {"bounded, by the kernel", [&] { bounded(task, engine::UseKernel::kOnly); }}};
  for (std::int64_t round = 0; round < options.at("--repeat"); ++round) {
    for (Way& way : ways) {
      const Measured cost = in_child(way.run);
      way.best.seconds = std::min(way.best.seconds, cost.seconds);
      way.best.megabytes = std::max(way.best.megabytes, cost.megabytes);
    }
  }
  fmt::print("{} rows of {} users, memory limit {} MB, {} threads, best of {}\n", task.rows,
             task.users, task.memory_mb, task.threads, options.at("--repeat"));
  fmt::print("{:<26}{:>10}{:>12}{:>10}\n", "", "seconds", "ns/row", "peak MB");
  for (const Way& way : ways) {
    fmt::print("{:<26}{:>10.2f}{:>12.1f}{:>10.0f}\n", way.name, way.best.seconds,
               way.best.seconds * 1e9 / static_cast<double>(task.rows), way.best.megabytes);
  }
  const double over_plain = ways[2].best.seconds / ways[0].best.seconds;
  const double faster = ways[1].best.seconds / ways[2].best.seconds;
  fmt::print("kernel over plain GROUP BY  {:.2f}\n", over_plain);
  fmt::print("statements over kernel  {:.2f}\n", faster);
  if (!options.json) return;
  fmt::print("{}\n", nlohmann::json{{"kernel_over_plain", over_plain},
                                    {"statements_over_kernel", faster},
                                    {"kernel_seconds", ways[2].best.seconds},
                                    {"kernel_peak_mb", ways[2].best.megabytes}}
                         .dump());
}

}  // namespace
}  // namespace lastbit

int main(int argc, char** argv) try {
  const auto threads = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
  lastbit::run(lastbit::parse_options(argc, argv,
                                      {.numbers = {{"--rows", 10'000'000},
                                                   {"--users", 1'000'000},
                                                   {"--memory-mb", 4'000},
                                                   {"--threads", threads},
                                                   {"--repeat", 3}}}));
  return EXIT_SUCCESS;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return EXIT_FAILURE;
}
