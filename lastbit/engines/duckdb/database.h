// Database: one CSV or Parquet file, read through an embedded DuckDB that can see nothing else.
//
// Guarantee      after construction the engine reads the one source file and no other, writes no
//                file (not even to spill), loads no extension, and its settings cannot be changed
//                back. Column names are quoted and paths are bound, never pasted into SQL text.
//                Rows come in the order of the file. What a field becomes depends on that field
//                and the declared type only, never on other rows: no types or dialects are guessed.
// Not promised   that a file replaced while it is read gives one consistent answer.
// Fails          kBadInput, naming the file and the remedy. The engine's own messages may quote
//                fields, so they are never passed on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace lastbit {

// duckdb_version: the version of the engine that is linked, such as v1.5.6.
std::string duckdb_version();

enum class ColumnType {
  kInteger,  // a whole number that fits 64 bits
  kReal,     // a binary64
  kText,
};

struct WantedColumn {
  std::string name;
  ColumnType type;
};

// ColumnInfo: a column as the file declares it. `type` is the engine's name, such as BIGINT; a CSV
// file declares no types, so its columns are all VARCHAR.
struct ColumnInfo {
  std::string name;
  std::string type;
};

// Column: one entry a row; the alternative is that of the requested type. A field that is missing
// or not of that type is null: `12.7` or `1e3` as an integer, `nan` or `1_000` in text as a real.
using Column =
    std::variant<std::vector<std::optional<std::int64_t>>, std::vector<std::optional<double>>,
                 std::vector<std::optional<std::string>>>;

class Database {
 public:
  // Opens the engine in memory and locks it to `source`: a .csv (commas), .tsv (tabs) or .parquet
  // file. A CSV file starts with a header line and quotes with ", as RFC 4180 says.
  explicit Database(const std::filesystem::path& source);
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  // schema: the columns of the file, in its order. Nothing of it comes from the rows.
  std::vector<ColumnInfo> schema();
  // read_columns: the requested columns, in the order of the request, all of equal length. A name
  // that the file lacks (names are compared exactly) is an Error that suggests the nearest one.
  std::vector<Column> read_columns(std::span<const WantedColumn> columns);

  // refuses: whether the engine, as locked, refuses to run `sql`. This is how the lock is tested
  // from outside; the answer of a statement that does run is thrown away.
  bool refuses(const std::string& sql);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// read_schema, read_columns: the same for a database opened for this one question.
std::vector<ColumnInfo> read_schema(const std::filesystem::path& source);
std::vector<Column> read_columns(const std::filesystem::path& source,
                                 std::span<const WantedColumn> columns);

}  // namespace lastbit
