// LockedEngine: an embedded DuckDB that can read one source and nothing else. For this module
// only.
//
// Guarantee      after construction the engine reads only this source, loads no extension, writes
//                no file (except to spill, in a folder of its own, if a directory was given for
//                that), and its settings cannot be changed back. It does not read text files
//                itself: add_scan gives it the records of our own reader. Values are bound and
//                names are quoted; no outside text is pasted into a statement. What a file says
//                about its values (statistics) changes no plan and skips no row.
// Not promised   that a file replaced while it is read gives one consistent answer; but
//                require_unchanged() detects this afterwards.
// Fails          kBadInput, naming the file and the remedy. The engine's own messages may quote
//                fields, so they are never passed on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lastbit/engines/duckdb/reading/record_scan.h"
#include "lastbit/engines/duckdb/reading/row_function.h"
#include "lastbit/engines/duckdb/reading/source.h"
#include "lastbit/engines/duckdb/reading/source_files.h"
#include "lastbit/numerics/integer.h"
#include "lastbit/release/engine.h"

namespace lastbit::engine {

// Parameter: a value for a placeholder.
using Parameter = std::variant<std::int64_t, std::string>;

// Statement: SQL text with a ? for each parameter, in order.
struct Statement {
  std::string sql;
  std::vector<Parameter> parameters;
};

// Answer: one column of a result, and the type to read it as.
using Integers = std::vector<std::optional<std::int64_t>>;  // BIGINT
using Texts = std::vector<std::optional<std::string>>;      // VARCHAR or BLOB
using WideIntegers = std::vector<Integer>;                  // HUGEINT, null as 0
using Answer = std::variant<Integers, Texts, WideIntegers>;

// quoted_identifier: the name in double quotes, with the quotes inside it doubled, so that any text
// can only be a name. A name with a zero byte, where the engine would stop reading, is a kBadInput
// Error.
std::string quoted_identifier(std::string_view name);

class LockedEngine {
 public:
  explicit LockedEngine(const DataSource& source, const EngineLimits& limits = {});
  LockedEngine(LockedEngine&&) noexcept;
  LockedEngine& operator=(LockedEngine&&) noexcept;
  ~LockedEngine();

  // files: those of the source, at least one, with absolute paths without links. path: of the
  // first.
  const std::vector<SourceFile>& files() const;
  const std::filesystem::path& path() const;
  FileFormat format() const;
  const EngineLimits& limits() const;
  // schema: the columns of the source, in order. Nothing in it comes from the rows, except that the
  // column names of JSON are the keys of its first object.
  const std::vector<NamedColumn>& schema() const;
  // type_of: the name of a column's type. A name that the source lacks (names are compared exactly)
  // is an Error that suggests the nearest one.
  const std::string& type_of(std::string_view name) const;

  // typed_rows: what to write after FROM to get the rows of a source that is not text, with its
  // parameters. It is a kBadInput Error if the engine confuses two columns or reads one as a
  // different type than our own reader does, or if the pages of a Parquet file do not add up.
  Statement typed_rows(std::span<const std::string> columns);
  // add_scan: makes the records of a text source callable as the table function `name`, with the
  // columns e0, e1, …
  void add_scan(const std::string& name, std::vector<ScannedColumn> columns);

  // add_function: makes `function` callable as `name`, a name that we chose, with results of the
  // carrier.
  void add_function(const std::string& name, std::span<const ArgumentType> arguments,
                    std::shared_ptr<const RowFunction> function,
                    Carrier result = Carrier::kInteger);
  // add_sink: the same for a function that is called for its effect, once for each row.
  void add_sink(const std::string& name, std::span<const ArgumentType> arguments,
                std::shared_ptr<const RowFunction> function);
  // add_table: makes a temporary table from the rows of a statement. If they do not fit in memory,
  // makes no table and returns false.
  bool add_table(const std::string& name, const Statement& rows, const Progress& progress = {});
  // drop_table: removes it again.
  void drop_table(const std::string& name);
  // plain_types: the columns of a table, with their names and the engine's own types, whatever a
  // file calls them. A column has the type "" if its type has a name of its own or is unknown to
  // us.
  // Requires  caller: the source is a database file.
  std::vector<NamedColumn> plain_types(const Statement& rows);
  // fresh_name: a name of ours that begins with `stem` and was not returned before.
  std::string fresh_name(std::string_view stem);
  // ask: appends the result to `answers`, whose alternatives say how to read its columns. Reports
  // to `progress`, if there is one, from this thread.
  void ask(const Statement& statement, std::span<Answer> answers, const Progress& progress = {});
  // try_ask: the same; if memory runs out, appends nothing and returns false.
  bool try_ask(const Statement& statement, std::span<Answer> answers,
               const Progress& progress = {});

  // require_unchanged: a kBadInput Error if the source is no longer the file that it was at the
  // beginning, judging by its size and times.
  void require_unchanged() const;

  // refuses: whether the locked engine refuses to run `sql`. This is how tests check the lock from
  // outside; the result of a statement that does run is discarded.
  bool refuses(const std::string& sql);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lastbit::engine
