// RowAsker: asks statements about the fields of a source, for examine_rows. For this module only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/engines/duckdb/locked_engine.h"
#include "lastbit/engines/duckdb/reading/field_table.h"
#include "lastbit/release/plan/aggregation.h"

namespace lastbit::engine {

// KeySql: an expression for the key of one part of the groups, and the condition that a row has it.
struct KeySql {
  std::string key;
  std::string condition;
};

class RowAsker {
 public:
  // The engine outlives this.
  RowAsker(LockedEngine& engine, std::vector<DerivedColumn> derived, Progress progress);
  RowAsker(const RowAsker&) = delete;
  RowAsker& operator=(const RowAsker&) = delete;

  LockedEngine& engine() { return engine_; }
  FieldTable& table() { return table_; }
  bool is_derived(const std::string& name) const { return find_derived(derived_, name) != nullptr; }

  // add, add_keys: columns of the table, by their numbers. It has to have all of them before it is
  // loaded.
  std::size_t add(const FieldUse& field, FieldContent content);
  std::vector<std::size_t> add_keys(const GroupColumns& part);
  // load: reads a text file once, if it fits in memory. `questions` are still to come.
  void load(std::size_t questions);

  // ask: appends the result to the answers, which hold whole numbers or texts. The statement is
  // made again where the loaded table takes the memory that it lacks.
  void ask(const std::function<Statement()>& make, std::vector<Answer>& answers);
  // finish: reports that all is done.
  void finish();

  // key_sql: for a part of the groups whose columns have these numbers in the table and these names
  // in the statement; `key` is what the statement calls the key.
  KeySql key_sql(const GroupColumns& part, std::span<const std::string> names,
                 std::span<const std::size_t> columns, const std::string& key);

 private:
  LockedEngine& engine_;
  FieldTable table_;
  Aggregation derived_;  // knows the derived columns
  Progress progress_;
  Progress tell_;
  double questions_ = 1;
  double done_ = 0;
};

// ranks_among: how many of the thresholds are at most a field.
BelowCounts ranks_among(const FieldUse& field, const std::vector<Rational>& thresholds);

// numbered_names: as in g0, g1, …
std::vector<std::string> numbered_names(std::string_view prefix, std::size_t size);

// first_number: in the first row of a column of whole numbers; 0 if there is none.
std::int64_t first_number(const Answer& column);

}  // namespace lastbit::engine
