// The statement that computes a BoundedQuery, and where its numbers stand in the result. Inside of
// this room only. Proof: proofs/engine.md#statement
#pragma once

#include <cstddef>
#include <vector>

#include "lastbit/engines/duckdb/bounded_query.h"
#include "lastbit/engines/duckdb/locked_engine.h"

namespace lastbit::engine {

// BoundedStatement: the columns of its result are one a part of the query's groups (the number of
// the listed tuple, or the key itself), the number of rows of the group, then the measures.
struct BoundedStatement {
  Statement statement;
  std::vector<Answer> answers;       // empty, of the types of the columns
  std::vector<std::size_t> columns;  // how many columns each measure has
};

// bounded_statement: puts the functions and tables that the statement needs into the engine.
// Requires  caller: check_aggregation accepts the query.
BoundedStatement bounded_statement(LockedEngine& engine, const BoundedQuery& query,
                                   const SecretKey& key);

}  // namespace lastbit::engine
