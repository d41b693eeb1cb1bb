// LockedEngine: an embedded DuckDB that can read one source and nothing else. Inside of this room
// only; this is the one file whose .cc sees the database's header.
//
// Guarantee      after construction the engine reads the one source and no other, loads no
//                extension, writes no file (except to spill, in a folder of its own, if a directory
//                was given for that), and its settings cannot be changed back. Values are bound and
//                names are quoted; no text from outside is pasted into a statement.
// Not promised   that a file replaced while it is read gives one consistent answer; but
//                require_unchanged() finds out afterwards.
// Fails          kBadInput, naming the file and the remedy. The engine's own messages may quote
//                fields, so they are never passed on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "lastbit/engines/duckdb/source.h"
#include "lastbit/engines/duckdb/sql_text.h"
#include "lastbit/numerics/integer.h"

namespace lastbit::engine {

// Progress: is told now and then which part of the work is done, from 0 to 1. What it throws ends the
// work.
using Progress = std::function<void(double)>;

// Parameter: a value for a placeholder. TextFields: a struct of texts.
using TextList = std::vector<std::string>;
using TextFields = std::vector<std::pair<std::string, std::string>>;
using Parameter = std::variant<std::int64_t, std::string, TextList, TextFields>;

// Statement: a text with a ? for each parameter, in order.
struct Statement {
  std::string sql;
  std::vector<Parameter> parameters;
};

// Answer: one column of a result, and as what it is to be read.
using Integers = std::vector<std::optional<std::int64_t>>;  // BIGINT
using Reals = std::vector<std::optional<double>>;           // DOUBLE
using Texts = std::vector<std::optional<std::string>>;      // VARCHAR
using WideIntegers = std::vector<Integer>;                  // HUGEINT, null as 0
using Answer = std::variant<Integers, Reals, Texts, WideIntegers>;

// Argument: a column of up to a few thousand values that a RowFunction is called with.
class Argument {
 public:
  Argument(const void* data, const std::uint64_t* validity) : data_(data), validity_(validity) {}
  bool is_null(std::size_t row) const {
    return validity_ != nullptr && (validity_[row / 64] >> (row % 64) & 1) == 0;
  }
  std::int64_t integer(std::size_t row) const {
    return static_cast<const std::int64_t*>(data_)[row];
  }
  double real(std::size_t row) const { return static_cast<const double*>(data_)[row]; }
  std::string_view text(std::size_t row) const;

 private:
  const void* data_;
  const std::uint64_t* validity_;
};

// Output: where a RowFunction leaves one whole number or null a row.
class Output {
 public:
  Output(std::int64_t* values, void* vector) : values_(values), vector_(vector) {}
  void set(std::size_t row, std::int64_t value) { values_[row] = value; }
  void set_null(std::size_t row);

 private:
  std::int64_t* values_;
  void* vector_;
};

// RowFunction: a function of rows that statements can call. The engine calls it from several
// threads at once.
class RowFunction {
 public:
  RowFunction() = default;
  RowFunction(const RowFunction&) = delete;
  RowFunction& operator=(const RowFunction&) = delete;
  virtual ~RowFunction() = default;
  virtual std::vector<Carrier> arguments() const = 0;
  virtual void run(std::span<const Argument> arguments, std::size_t rows, Output& out) const = 0;
};

// PlainValue: a value of a table that is put into the engine.
using PlainValue = std::variant<std::int64_t, std::string>;

class LockedEngine {
 public:
  explicit LockedEngine(const DataSource& source, const EngineLimits& limits = {});
  LockedEngine(LockedEngine&&) noexcept;
  LockedEngine& operator=(LockedEngine&&) noexcept;
  ~LockedEngine();

  // path: the source as one absolute path without links.
  const std::filesystem::path& path() const;
  // rows_of_source: what to write after FROM to get the rows of the source, with its parameters. A
  // JSON file declares no columns, so `columns` says which to look for; other sources ignore it.
  Statement rows_of_source(std::span<const std::string> columns = {}) const;
  // schema: the columns of the source, in its order. Nothing of it comes from the rows; but JSON has
  // no other names than the keys of its first object.
  const std::vector<ColumnInfo>& schema();
  // declared_type: the engine's name of the type of a column. A name that the source lacks (names
  // are compared exactly) is an Error that suggests the nearest one.
  std::string declared_type(std::string_view name);

  // add_function: makes `function` callable as `name`, a word of ours.
  void add_function(const std::string& name, std::unique_ptr<RowFunction> function);
  // add_table: makes a table of the columns c0, c1, … with these rows, each of one value a column.
  void add_table(const std::string& name, std::span<const Carrier> columns,
                 std::span<const std::vector<PlainValue>> rows);
  // fresh_name: a word of ours that begins so and that was not given before.
  std::string fresh_name(std::string_view stem);
  // ask: appends the result to `answers`, whose alternatives say how to read its columns. Tells
  // `progress`, if there is one, from this thread.
  void ask(const Statement& statement, std::span<Answer> answers, const Progress& progress = {});

  // require_unchanged: a kBadInput Error if the source is not the file that it was at the beginning,
  // as far as its size and times tell.
  void require_unchanged() const;

  // refuses: whether the engine, as locked, refuses to run `sql`. This is how the lock is tested
  // from outside; the answer of a statement that does run is thrown away.
  bool refuses(const std::string& sql);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lastbit::engine
