// engines_agree: the same random tables of hard values, in the memory of this program, as batches
// for the kernel, as streams of Arrow, in a DuckDB file and in a PostgreSQL table, give the same
// exact integers under the same key. It prints a table, and ends with 1 if they differ.
//
// The server is the one that LASTBIT_TEST_POSTGRES describes (tests/postgres/server.py --run).
#include <fmt/core.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "lastbit/base/text.h"
#include "lastbit/engines/arrow/arrow_rows.h"
#include "lastbit/engines/arrow/arrow_test_support.h"
#include "lastbit/engines/duckdb/test_support.h"
#include "lastbit/engines/engines.h"
#include "lastbit/engines/postgres/postgres_engine.h"
#include "tests/postgres/source/agreement.h"

namespace lastbit {
namespace {

using engine::SecretKey;
using engine::TableDice;

constexpr int kTables = 15;
constexpr int kAggregations = 8;
constexpr std::int64_t kMostRows = 60;

// The collation makes a and A, and texts that only look alike, equal to the server.
constexpr const char* kServerTable = R"(CREATE TABLE hard (
  id bigint, who text COLLATE loose, town citext, year smallint, weight double precision,
  visits bigint, member boolean, born date, price numeric(8, 2)))";
constexpr const char* kFileTable = R"(CREATE TABLE hard (
  id BIGINT, who VARCHAR, town VARCHAR, year SMALLINT, weight DOUBLE, visits BIGINT,
  member BOOLEAN, born DATE, price DECIMAL(8, 2)))";

std::string real_text(double value) {
  if (value != value) return "NaN";
  if (value > 1.7e308 * 2) return "Infinity";
  if (value < -1.7e308 * 2) return "-Infinity";
  return fmt::format("{:.17g}", value);
}

// field_text: as both databases read it.
std::string field_text(const MemoryValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* real = std::get_if<double>(&value)) return real_text(*real);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* date = std::get_if<Date>(&value)) return text_of(KeyValue(*date));
  if (const auto* number = std::get_if<Decimal>(&value)) {
    const auto cents = static_cast<std::int64_t>(number->number);
    return fmt::format("{}{}.{:02}", cents < 0 ? "-" : "", std::abs(cents) / 100,
                       std::abs(cents) % 100);
  }
  return std::to_string(std::get<std::int64_t>(value));
}

std::string sql_text(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "''" : std::string(1, c);
  return out + "'";
}

// insertion: the rows as a statement that both databases read.
std::string insertion(const MemoryTable& table) {
  std::vector<std::string> rows;
  for (const MemoryTable::Row& row : table.rows) {
    std::vector<std::string> fields;
    for (const auto& field : row) fields.push_back(field ? sql_text(field_text(*field)) : "NULL");
    rows.push_back("(" + joined(fields, ", ") + ")");
  }
  return "INSERT INTO hard VALUES " + joined(rows, ", ");
}

// on_server: the table without the column that PostgreSQL has no type for.
MemoryTable on_server(MemoryTable table) {
  table.columns.pop_back();
  for (auto& row : table.rows) row.pop_back();
  return table;
}

bool fits_server(const Aggregation& aggregation) {
  const engine::BoundedKernel kernel(aggregation, SecretKey{});
  return std::ranges::none_of(kernel.columns(),
                              [](const RowColumn& column) { return column.name == "serial"; });
}

class Agreement {
 public:
  explicit Agreement(const std::string& url)
      : url_(url), writer_(postgres::ParsedAddress::parse(url, {}).address, {}) {
    writer_.query("SET search_path = public");
    writer_.query("CREATE EXTENSION citext");
    writer_.query(
        "CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level1', deterministic = "
        "false)");
  }

  bool run() {
    for (int i = 0; i < kTables; ++i) try_table(static_cast<std::uint64_t>(i));
    fmt::print("{} aggregations of {} tables; the same exact integers as the definition:\n", asked_,
               kTables);
    for (const auto& [name, count] : same_) fmt::print("  {:<12} {}\n", name, count);
    fmt::print("  in {} the server has rows that count\n", not_empty_);
    const bool odd = odd_types_agree(url_, writer_);
    return is_same_ && not_empty_ > asked_ / 4 && odd;
  }

 private:
  void try_table(std::uint64_t seed) {
    TableDice dice(seed);
    const MemoryTable table = on_server(engine::hard_table(dice, kMostRows));
    const engine::Scratch scratch;
    const std::filesystem::path file = scratch.path("hard.duckdb");
    engine::unlocked(file, kFileTable);
    writer_.query("DROP TABLE IF EXISTS hard");
    writer_.query(kServerTable);
    if (!table.rows.empty()) {
      engine::unlocked(file, insertion(table));
      writer_.query(insertion(table));
    }
    ReleaseFile in_file;
    in_file.filename = "hard";
    in_file.source.format.value = SourceFormat::kDuckDb;
    in_file.source.path.value = file.string();
    in_file.source.table = Located<std::string>{"hard"};
    const engine::KernelTable batches(table);
    engine::HandedOut handed_out;
    ArrowArrayStream stream = engine::stream_of(engine::random_stream(dice, table), handed_out);
    const KernelEngine arrow(engine::read_arrow_stream(stream, "arrow"));
    std::vector<Aggregation> all;
    for (int left = kAggregations; left > 0;) {
      const Aggregation aggregation = engine::hard_aggregation(dice);
      if (!fits_server(aggregation)) continue;
      --left;
      ++asked_;
      all.push_back(aggregation);
      const SecretKey key{{dice.word(), dice.word(), dice.word(), dice.word()}};
      const std::string expected = answers_of(table, aggregation, key);
      const auto compare = [&](const std::string& name, const std::string& answer) {
        same_[name] += answer == expected ? 1 : 0;
        if (answer == expected) return;
        if (is_same_) fmt::print("table {}: {} has\n{}and not\n{}", seed, name, answer, expected);
        is_same_ = false;
      };
      compare("kernel", answers_of(KernelEngine(batches.shared()), {}, {&aggregation, 1}, key));
      compare("Arrow", answers_of(arrow, {}, {&aggregation, 1}, key));
      compare("DuckDB", answers_of(engine_for_files(), in_file, {&aggregation, 1}, key));
      const std::string served =
          answers_of(engine_for_files(), server_release(url_, "hard"), {&aggregation, 1}, key);
      compare("PostgreSQL", served);
      not_empty_ += served.find(':') != std::string::npos ? 1 : 0;
    }
    // The rows are read once for all of them.
    const SecretKey key{{seed, 1, 2, 3}};
    std::string expected;
    for (const Aggregation& one : all) expected += answers_of(table, one, key);
    if (answers_of(engine_for_files(), server_release(url_, "hard"), all, key) == expected) return;
    fmt::print("table {}: the server's answers side by side are others\n", seed);
    is_same_ = false;
  }

  std::string url_;
  postgres::Connection writer_;
  std::map<std::string, int> same_;
  int asked_ = 0;
  int not_empty_ = 0;
  bool is_same_ = true;
};

}  // namespace

ReleaseFile server_release(const std::string& url, const std::string& table) {
  ReleaseFile release;
  release.filename = "release.toml";
  release.source.format.value = SourceFormat::kPostgres;
  release.source.path.value = url;
  release.source.table = Located<std::string>{table};
  return release;
}

std::string answers_of(const Engine& engine, const ReleaseFile& release,
                       std::span<const Aggregation> aggregations, const SecretKey& key) {
  try {
    std::string text;
    for (const auto& groups : engine.aggregate(release, aggregations, key, {}, {})) {
      text += engine::answer_text(groups);
    }
    return text;
  } catch (const Error& error) {
    return fmt::format("{}\n", error.what());
  }
}

std::string answers_of(const MemoryTable& table, const Aggregation& aggregation,
                       const SecretKey& key) {
  return engine::answer_text(MemoryEngine(table).aggregate_rows(aggregation, key));
}

}  // namespace lastbit

int main() {
  try {
    const char* const facts = std::getenv("LASTBIT_TEST_POSTGRES");
    if (facts == nullptr) return 77;
    const std::string url = nlohmann::json::parse(facts).at("socket");
    return lastbit::Agreement(url).run() ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print("{}\n", error.what());
    return 1;
  }
}
