// FieldTable: the fields of a source that aggregations use, each in its carrier: a 64-bit whole
// number or a string of bytes. Statements refer to its columns and never to those of the source.
// For this module only. Proof: proofs/reading.md#edge
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "lastbit/engines/duckdb/locked_engine.h"
#include "lastbit/engines/kernel/field_content.h"
#include "lastbit/release/expressions/expression.h"
#include "lastbit/release/fields/column_type.h"
#include "lastbit/release/plan/aggregation.h"

namespace lastbit::engine {

struct TableField {
  FieldUse field;
  FieldContent content;
  std::optional<RowExpression> derived = std::nullopt;  // nothing: a field of the source
  friend bool operator==(const TableField&, const TableField&) = default;
};

class FieldTable {
 public:
  explicit FieldTable(LockedEngine& engine) : engine_(engine) {}

  // add: the number of the column, which is new unless the table has it already.
  // Fails  kBadInput if the source has no such field, or if its type cannot be used this way.
  std::size_t add(const TableField& field);
  Carrier carrier(std::size_t column) const { return columns_[column].carrier; }

  // load: reads a text file once for all statements, if it fits in memory. Other sources are read
  // by each statement, which is faster for them.
  void load(const Progress& progress);

  // unload: from now on, reads the source again. False if it was not loaded.
  bool unload();

  // select: a statement for these columns of all rows, given by their numbers and new names.
  using Named = std::pair<std::size_t, std::string>;
  Statement select(std::span<const Named> columns);
  // select_numbered: the same with one more column, `place`: the number of the row, counted from 1.
  // Requires  caller: the source is not a text file.
  Statement select_numbered(std::span<const Named> columns);

 private:
  // Argument: a field of the source, or a whole number that is made of it.
  struct Argument {
    RowColumn field;
    std::shared_ptr<const RowFunction> map = nullptr;  // null: the field itself
    std::string function = {};                         // the name of the map, once it has one
  };
  struct Column {
    TableField field;
    std::vector<Argument> arguments;
    Carrier carrier = Carrier::kInteger;
    std::shared_ptr<const RowFunction> map = nullptr;  // null: the only argument itself
    std::string function = {};
  };

  // actual_type: of a field, which can be read as the type; in text files all are texts.
  ColumnType actual_type(const RowColumn& field) const;
  void add_source(Column& column) const;
  void add_written(Column& column) const;
  void add_derived(Column& column, const RowExpression& expression) const;
  // call: a map of these arguments. It gets its name, `function`, with the first call.
  std::string call(const std::shared_ptr<const RowFunction>& map, Carrier carrier,
                   std::string& function, std::vector<std::string> arguments,
                   std::vector<ArgumentType> types);
  // expression: a column, as its carrier, of a source that is not text.
  std::string expression(Column& column);
  Statement select_records(std::span<const Named> columns);
  Statement select_typed(std::span<const Named> columns, bool numbered);

  LockedEngine& engine_;
  std::vector<Column> columns_;
  std::optional<std::string> loaded_;  // the name of the table that holds all columns
};

}  // namespace lastbit::engine
