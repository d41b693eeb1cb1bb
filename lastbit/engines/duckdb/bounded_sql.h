// The statement that computes an Aggregation, and where its numbers stand in the result. Inside of
// this room only. Proof: proofs/engine.md#statement
#pragma once

#include <cstddef>
#include <vector>

#include "lastbit/engines/duckdb/keyed_choice.h"
#include "lastbit/engines/duckdb/locked_engine.h"
#include "lastbit/query/aggregation.h"

namespace lastbit::engine {

// BoundedStatement: the columns of its result are one a part of the aggregation's groups (the number
// of the listed tuple, or the key itself), which entries the row is about, the cell, the number of
// rows, then the numbers of the other measures. Entries 0 are those of the group: cell is null.
// Entries i are those of the measure cell_measures[i − 1], of which a cell is given: the number of
// rows is all that counts; those without a cell have null.
struct BoundedStatement {
  Statement statement;
  std::vector<Answer> answers;       // empty, of the types of the columns
  std::vector<std::size_t> columns;  // how many numbers each measure has among the last columns
  std::vector<std::size_t> cell_measures;
};

// bounded_statement: puts the functions and tables that the statement needs into the engine.
// Requires  caller: check_aggregation accepts the aggregation.
BoundedStatement bounded_statement(LockedEngine& engine, const Aggregation& aggregation,
                                   const SecretKey& key);

// run_aggregation: as run_bounded (bounded_query.h), in an engine that is open.
// Requires  caller: check_aggregation accepts the aggregation.
std::vector<GroupAnswer> run_aggregation(LockedEngine& engine, const Aggregation& aggregation,
                                         const SecretKey& key, const Progress& progress = {});

}  // namespace lastbit::engine
