// A release of counts and sums in a thousand groups of a Parquet file, against the same engine
// without us, each in a process of its own:
//   plain      SELECT count(*), sum(amount) … GROUP BY, which protects nobody
//   rows       the release where each row is a unit of its own: plan, aggregates, ledger, noise
//   by hand    the sum over 3 random groups of each user and 2 random rows in each, in SQL as one
//              would write it, with the engine's unkeyed hash and sums of doubles
//   by hand, sorted once   the same by somebody who knows the engine well
//   users      the release with these bounds
//   asked      the release by rows with a condition and two derived columns
// and of a CSV file:
//   load       the engine reads the file into a table of typed columns with its own reader, which
//              guesses at cuts
//   two, eight releases of two statistics with one grouping, and of eight with six groupings
//   asked      the two with a condition and two derived columns
// Usage: bench_release [--rows N] [--csv-rows N] [--users N] [--memory-mb N] [--threads N]
//                      [--repeat N] [--json]
//
// Checked before anything is timed: with bounds that nobody reaches the exact aggregates, for rows
// and for users, of the Parquet and of the CSV file, are those of the plain query; with one row
// per group, as many rows count as users have groups, at most three. With the condition and the
// derived columns they are those of the engine's own expressions.
#include <duckdb.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "benchmarks/measured.h"
#include "benchmarks/options.h"
#include "lastbit/base/error.h"
#include "lastbit/engines/duckdb/duckdb_engine.h"
#include "lastbit/release/run.h"

namespace lastbit {
namespace {

constexpr int kRegions = 50;
constexpr int kProducts = 20;
constexpr int kGroups = 3;  // per user
constexpr int kRows = 2;    // per user and group

// Folder: where everything is written; removed at the end.
class Folder {
 public:
  Folder() {
    std::string pattern = std::filesystem::temp_directory_path() / "lastbit_bench_XXXXXX";
    invariant(mkdtemp(pattern.data()) != nullptr, "a temporary folder can be made");
    path_ = pattern;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

struct Setting {
  const Folder& folder;
  std::int64_t rows;
  std::int64_t csv_rows;
  std::int64_t users;
  std::int64_t memory_mb;
  std::int64_t threads;

  std::string source() const { return "read_parquet('" + (folder / "rows.parquet") + "')"; }
  // The columns are declared, so that the engine guesses no types.
  std::string csv() const {
    return "read_csv('" + (folder / "rows.csv") +
           "', header = true, auto_detect = false, quote = '\"', escape = '\"', columns = "
           "{user_id: "
           "'BIGINT', region: 'BIGINT', product: 'VARCHAR', amount: 'DOUBLE'})";
  }
};

// The engine without any lock, with the same limits.
std::vector<std::int64_t> ask(const Setting& setting, const std::string& sql) {
  duckdb_database engine = nullptr;
  duckdb_connection connection = nullptr;
  duckdb_result result;
  const std::string limits =
      fmt::format("SET memory_limit = '{}MB'; SET threads = {}; SET temp_directory = '{}'",
                  setting.memory_mb, setting.threads, setting.folder / "spill");
  invariant(duckdb_open(nullptr, &engine) == DuckDBSuccess &&
                duckdb_connect(engine, &connection) == DuckDBSuccess &&
                duckdb_query(connection, limits.c_str(), nullptr) == DuckDBSuccess,
            "an engine can be opened");
  if (duckdb_query(connection, sql.c_str(), &result) != DuckDBSuccess) {
    throw Error(ErrorCode::kInternal, "benchmark", duckdb_result_error(&result), "look at it");
  }
  std::vector<std::int64_t> numbers;
  for (idx_t row = 0; row < duckdb_row_count(&result); ++row) {
    for (idx_t column = 0; column < duckdb_column_count(&result); ++column) {
      numbers.push_back(duckdb_value_int64(&result, column, row));
    }
  }
  duckdb_destroy_result(&result);
  duckdb_disconnect(&connection);
  duckdb_close(&engine);
  return numbers;
}

// Some users have many more rows than others, some amounts are much larger. All are multiples of
// 1/64.
void write_rows(const Setting& setting) {
  ask(setting,
      fmt::format(
          "COPY (SELECT CAST(floor({} * pow(hash(4 * i) / 18446744073709551616.0, 2)) AS "
          "BIGINT) AS user_id, CAST(hash(4 * i + 1) % {} AS BIGINT) AS region, 'p' || "
          "(hash(4 * i + 2) % {}) AS product, round(exp(hash(4 * i + 3) / 18446744073709551616.0 * "
          "8) * 64) / 64 AS amount FROM range({}) t(i)) TO '{}' (FORMAT parquet)",
          setting.users, kRegions, kProducts, setting.rows, setting.folder / "rows.parquet"));
}

void write_csv(const Setting& setting) {
  ask(setting, fmt::format("COPY (SELECT * FROM {} LIMIT {}) TO '{}' (FORMAT csv, HEADER)",
                           setting.source(), setting.csv_rows, setting.folder / "rows.csv"));
}

std::string unit_of_users(std::int64_t rows, std::int64_t groups) {
  return fmt::format("{{ id = \"user_id\", max_rows_per_group = {}, max_groups = {} }}", rows,
                     groups);
}

// Two statistics with one grouping.
constexpr std::string_view kTwo = R"toml(
[[statistics]]
kind = "count"
by = ["region", "product"]
[[statistics]]
kind = "sum"
column = "amount"
by = ["region", "product"]
)toml";

// Eight statistics with six groupings, each of which needs other columns.
constexpr std::string_view kEight = R"toml(
[[statistics]]
kind = "count"
[[statistics]]
kind = "count"
by = "region"
[[statistics]]
kind = "count"
by = "product"
[[statistics]]
kind = "mean"
column = "amount"
by = "region"
[[statistics]]
kind = "variance"
column = "amount"
[[statistics]]
kind = "sum"
column = "amount"
by = ["region", "product"]
[[statistics]]
kind = "histogram"
column = "amount"
bins = { from = 0, to = 3000, width = 100 }
[[statistics]]
kind = "quantiles"
column = "amount"
quantiles = [0.25, 0.5, 0.75]
step = 10
by = "product"
)toml";

// The two with a condition and two derived columns.
std::string asked() {
  std::string labels;
  for (int i = 0; i < kProducts; ++i) labels += fmt::format("\"P{}\", ", i);
  std::string text = fmt::format(R"toml(
[columns.label]
keys = [{}]
[columns.net]
lower = 0
upper = 3000
[derive]
label = "upper(product)"
net = "CASE WHEN amount > 1000 THEN 1000 ELSE amount / 2 END"
)toml",
                                 labels);
  for (const char* const kind : {"kind = \"count\"", "kind = \"sum\"\ncolumn = \"net\""}) {
    text += fmt::format(
        "[[statistics]]\n{}\nby = [\"region\", \"label\"]\n"
        "where = \"amount >= 2 AND (region <> 7 OR product = 'p3')\"\n",
        kind);
  }
  return text;
}

ReleasePlan plan_of(const Setting& setting, const std::string& unit,
                    std::string_view data = "rows.parquet", std::string_view statistics = kTwo) {
  std::string products;
  for (int i = 0; i < kProducts; ++i) products += fmt::format("\"p{}\", ", i);
  const std::string file = setting.folder / "release.toml";
  std::ofstream(file)
      << "version = 1\nsource = \"" << data << "\"\nunit = " << unit
      << "\nbudget = { epsilon = 1, ledger = \"ledger\" }\n[columns]\n"
         "user_id = { type = \"integer\" }\n"
         "amount = { type = \"real\", lower = 0, upper = 3000 }\nproduct = { keys = ["
      << products << "] }\nregion = { keys = { from = 0, to = " << kRegions - 1 << " } }\n"
      << statistics;
  return plan_file(file, DuckDbEngine());
}

ReleaseOptions options_of(const Setting& setting) {
  ReleaseOptions options;
  options.limits.memory_bytes = static_cast<std::uint64_t>(setting.memory_mb) * 1'000'000;
  options.limits.threads = static_cast<unsigned>(setting.threads);
  options.limits.spill_directory = setting.folder / "spill";
  // The same invented rows, by both units and in every round: nobody needs protection here.
  options.intent = {.same_people = true, .again = true};
  return options;
}

void release(const Setting& setting, const std::string& unit,
             std::string_view data = "rows.parquet", std::string_view statistics = kTwo) {
  const ReleasePlan plan = plan_of(setting, unit, data, statistics);
  Ledger ledger = Ledger::open(setting.folder / "ledger");
  run_release(plan, DuckDbEngine(), ledger, thread_bit_source(), options_of(setting));
}

void plain(const Setting& setting) {
  ask(setting, "SELECT region, product, count(*), sum(amount) FROM " + setting.source() +
                   " GROUP BY region, product");
}

// Bounded sums in SQL, of rows with the rank `place` of their group among those of their user, and
// with the position `pos` in it, from 1.
std::string by_hand(const std::string& ranked) {
  return fmt::format(
      "SELECT region, product, count(*), sum(greatest(0, least(3000, amount))) FROM ({}) "
      "WHERE place <= {} AND pos <= {} GROUP BY region, product",
      ranked, kGroups, kRows);
}

void by_hand_plainly(const Setting& setting) {
  ask(setting, by_hand("SELECT *, dense_rank() OVER (PARTITION BY user_id ORDER BY lot, region, "
                       "product) AS place, row_number() OVER (PARTITION BY user_id, region, "
                       "product ORDER BY hash(amount, 4711)) AS pos FROM (SELECT *, hash(user_id, "
                       "region, product, 4711) AS lot FROM " +
                       setting.source() + ")"));
}

void by_hand_sorted_once(const Setting& setting) {
  ask(setting, by_hand("SELECT region, product, amount, dense_rank() OVER groups AS place, "
                       "1 + row_number() OVER (PARTITION BY user_id ORDER BY lot, region, product, "
                       "ticket) - rank() OVER groups AS pos FROM (SELECT *, hash(user_id, region, "
                       "product, 4711) AS lot, hash(amount, 4711) AS ticket FROM " +
                       setting.source() +
                       ") WINDOW groups AS (PARTITION BY user_id ORDER BY lot, region, product)"));
}

// The exact answers of the one aggregation that both statistics come from: [rows, rows, steps].
struct Totals {
  std::vector<Integer> counts;
  std::vector<Rational> sums;
};

Totals exact_totals(const Setting& setting, const std::string& unit,
                    std::string_view data = "rows.parquet", std::string_view statistics = kTwo) {
  const ReleasePlan plan = plan_of(setting, unit, data, statistics);
  const ExactAnswers exact =
      aggregate_source(plan, DuckDbEngine(), thread_bit_source(), options_of(setting));
  Totals totals;
  for (const PlannedStatistic& statistic : plan.statistics) {
    const auto& measure = plan.aggregations[statistic.aggregation].measures[statistic.measure];
    for (const GroupAnswer& group : exact[statistic.aggregation]) {
      const std::vector<Integer>& entries = group.entries[statistic.measure];
      if (const auto* sum = std::get_if<StepSum>(&measure)) {
        const Integer steps = entries[1] + entries[0] * Integer(sum->field.offset);
        totals.sums.push_back(Rational(steps) * Rational::two_to(sum->field.grid_exponent));
      } else {
        totals.counts.push_back(entries[0]);
      }
    }
  }
  return totals;
}

// The answers are the counts and the sums in units of 1/128 that the engine gives for all groups.
void require_equal(const Totals& totals, const std::vector<std::int64_t>& direct) {
  invariant(totals.counts.size() * 2 == direct.size(), "there are as many groups");
  for (std::size_t i = 0; i < totals.counts.size(); ++i) {
    invariant(totals.counts[i] == Integer(direct[2 * i]), "counts are those of the plain query");
    invariant(totals.sums[i] == Rational(direct[2 * i + 1], 128),
              "sums are those of the plain query");
  }
}

// With bounds that nobody reaches, the answers are those of the plain query.
void check_file(const Setting& setting, const std::string& source, std::string_view data) {
  std::string order;
  for (int i = 0; i < kProducts; ++i) order += fmt::format("'p{}', ", i);
  const auto plainly = [&](const std::string& amount, const std::string& condition) {
    return ask(setting,
               fmt::format("SELECT coalesce(sum(CASE WHEN {1} THEN 1 ELSE 0 END), 0), "
                           "CAST(coalesce(sum(CASE WHEN {1} THEN CAST({0} * 128 AS BIGINT) "
                           "END), 0) AS BIGINT) FROM {2} GROUP BY region, product ORDER BY "
                           "region, list_position([{3}], product)",
                           amount, condition, source, order));
  };
  constexpr std::int64_t kAll = std::int64_t{1} << 20;
  for (const std::string& unit : {std::string("\"row\""), unit_of_users(kAll, kAll)}) {
    require_equal(exact_totals(setting, unit, data), plainly("amount", "true"));
    require_equal(exact_totals(setting, unit, data, asked()),
                  plainly("CASE WHEN amount > 1000 THEN 1000 ELSE amount / 2 END",
                          "amount >= 2 AND (region <> 7 OR product = 'p3')"));
  }
}

void check_answers(const Setting& setting) {
  check_file(setting, setting.source(), "rows.parquet");
  check_file(setting, setting.csv(), "rows.csv");
  Integer counted = 0;
  for (const Integer& count : exact_totals(setting, unit_of_users(1, kGroups)).counts) {
    counted += count;
  }
  const std::vector<std::int64_t> expected = ask(
      setting, fmt::format("SELECT CAST(sum(least({}, n)) AS BIGINT) FROM (SELECT count(DISTINCT "
                           "(region, product)) AS n FROM {} GROUP BY user_id)",
                           kGroups, setting.source()));
  invariant(counted == Integer(expected.at(0)), "one row of each chosen group of a user counts");
}

struct Contender {
  std::string name;
  std::function<void()> run;
  Measured best = {};
};

// The best of several rounds; every round runs each once, so that a disturbance affects all.
void measure(std::vector<Contender>& contenders, std::int64_t repeat) {
  for (std::int64_t round = 0; round < repeat; ++round) {
    for (Contender& contender : contenders) {
      const Measured measured = in_child(contender.run);
      contender.best.seconds = std::min(contender.best.seconds, measured.seconds);
      contender.best.megabytes = std::max(contender.best.megabytes, measured.megabytes);
    }
  }
}

void run(const BenchmarkOptions& options) {
  const Folder folder;
  const Setting setting{folder,
                        options.at("--rows"),
                        options.at("--csv-rows"),
                        options.at("--users"),
                        options.at("--memory-mb"),
                        options.at("--threads")};
  std::filesystem::create_directory(folder / "spill");
  // The engine starts threads, which a forked process would lack, so this process never opens one.
  const Measured written = in_child([&] {
    write_rows(setting);
    write_csv(setting);
  });
  in_child([&] { check_answers(setting); });
  Ledger::create(folder / "ledger", Budget(Cost::pure(1'000'000)), "benchmark");
  std::vector<Contender> contenders = {
      {"plain GROUP BY", [&] { plain(setting); }},
      {"release, unit: row", [&] { release(setting, "\"row\""); }},
      {"bounds by hand", [&] { by_hand_plainly(setting); }},
      {"bounds by hand, sorted once", [&] { by_hand_sorted_once(setting); }},
      {"release, unit: user", [&] { release(setting, unit_of_users(kRows, kGroups)); }},
      {"CSV: load", [&] { ask(setting, "CREATE TABLE t AS FROM " + setting.csv()); }},
      {"CSV: release, two statistics", [&] { release(setting, "\"row\"", "rows.csv"); }},
      {"CSV: release, eight statistics", [&] { release(setting, "\"row\"", "rows.csv", kEight); }},
      {"asked, unit: row", [&] { release(setting, "\"row\"", "rows.parquet", asked()); }},
      {"CSV: asked", [&] { release(setting, "\"row\"", "rows.csv", asked()); }}};
  measure(contenders, options.at("--repeat"));

  const auto megabytes = [&](const char* name) {
    return static_cast<double>(std::filesystem::file_size(folder / name)) / 1e6;
  };
  fmt::print(
      "{} rows of {} users ({:.0f} MB of Parquet) and {} of them as CSV ({:.0f} MB), written in "
      "{:.1f} s, memory limit {} MB, {} threads, best of {}\n",
      setting.rows, setting.users, megabytes("rows.parquet"), setting.csv_rows,
      megabytes("rows.csv"), written.seconds, setting.memory_mb, setting.threads,
      options.at("--repeat"));
  fmt::print("{:<34}{:>10}{:>12}{:>10}\n", "", "seconds", "ns/row", "peak MB");
  for (const Contender& contender : contenders) {
    const std::int64_t rows = contender.name.starts_with("CSV") ? setting.csv_rows : setting.rows;
    fmt::print("{:<34}{:>10.2f}{:>12.1f}{:>10.0f}\n", contender.name, contender.best.seconds,
               contender.best.seconds * 1e9 / static_cast<double>(rows), contender.best.megabytes);
  }
  const auto seconds = [&](std::size_t i) { return contenders[i].best.seconds; };
  const double rows = seconds(1) / seconds(0);
  const double users = seconds(4) / std::min(seconds(2), seconds(3));
  fmt::print("release by rows over plain GROUP BY  {:.2f}\n", rows);
  fmt::print("release by users over the faster of those by hand  {:.2f}\n", users);
  const double two = seconds(6) / seconds(5);
  const double eight = seconds(7) / seconds(5);
  fmt::print("CSV: release of two statistics over loading  {:.2f}\n", two);
  fmt::print("CSV: release of eight statistics over loading  {:.2f}\n", eight);
  const double asked_rows = seconds(8) / seconds(1);
  const double asked_csv = seconds(9) / seconds(6);
  fmt::print("a condition and two derived columns over a release without  {:.2f}\n", asked_rows);
  fmt::print("CSV: a condition and two derived columns over two statistics  {:.2f}\n", asked_csv);
  if (!options.json) return;
  fmt::print("{}\n", nlohmann::json{{"rows_over_plain", rows},
                                    {"csv_two_over_load", two},
                                    {"csv_eight_over_load", eight},
                                    {"asked_over_rows", asked_rows},
                                    {"csv_asked_over_two", asked_csv},
                                    {"users_over_by_hand", users},
                                    {"users_over_by_hand_plainly", seconds(4) / seconds(2)},
                                    {"rows_seconds", seconds(1)},
                                    {"users_seconds", seconds(4)},
                                    {"users_peak_mb", contenders[4].best.megabytes}}
                         .dump());
}

}  // namespace
}  // namespace lastbit

int main(int argc, char** argv) try {
  const auto threads = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
  lastbit::run(lastbit::parse_options(argc, argv,
                                      {.numbers = {{"--rows", 10'000'000},
                                                   {"--csv-rows", 1'000'000},
                                                   {"--users", 1'000'000},
                                                   {"--memory-mb", 4'000},
                                                   {"--threads", threads},
                                                   {"--repeat", 3}}}));
  return EXIT_SUCCESS;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return EXIT_FAILURE;
}
