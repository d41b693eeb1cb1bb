// StatisticExaminer: which rows a statistic counts, for examine_rows. For this module only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lastbit/engines/duckdb/sql/row_asker.h"
#include "lastbit/release/inspect/row_facts.h"

namespace lastbit::engine {

class StatisticExaminer {
 public:
  // Adds the fields that the statistic uses to the table. `unit` is the column of the table that
  // says whose row it is, where rows are not units. The asker and the question outlive this.
  StatisticExaminer(RowAsker& asker, const StatisticQuestion& question,
                    std::optional<std::size_t> unit);

  // questions: how often `examine` asks.
  std::size_t questions() const { return (unit_ ? 2U : 1U) + question_.numbers.size(); }
  StatisticFacts examine();

 private:
  // KeyedRows: a statement for the rows, with the unit, the keys k0, k1, …, the ranks r0, r1, … and
  // whether a row meets the condition (c), has a unit (u), has keys (k) and has values (v).
  struct KeyedRows {
    Statement statement;
    std::vector<std::string> keys;
  };

  KeyedRows keyed_rows();
  void add_keys(KeyedRows& rows, std::vector<std::string>& columns);
  std::vector<UnitShape> unit_shapes();
  std::vector<std::int64_t> ranks_of(std::size_t number);

  RowAsker& asker_;
  const StatisticQuestion& question_;
  // Numbers of columns of the table.
  std::optional<std::size_t> unit_;
  std::optional<std::size_t> where_;
  std::vector<std::size_t> groups_;
  std::vector<std::size_t> values_;
  std::vector<std::size_t> ranks_;
};

}  // namespace lastbit::engine
