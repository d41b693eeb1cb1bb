// The statement that computes an Aggregation, and where its numbers are in the result. For this
// module only. Proof: proofs/engine.md#statement
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "lastbit/engines/duckdb/locked_engine.h"
#include "lastbit/engines/duckdb/reading/field_table.h"
#include "lastbit/engines/duckdb/sql/bounded_query.h"
#include "lastbit/engines/duckdb/sql/kernel_sink.h"
#include "lastbit/release/keyed_choice.h"
#include "lastbit/release/plan/aggregation.h"

namespace lastbit::engine {

// BoundedStatement: the columns of its result are one per part of the aggregation's groups (the
// number of the listed tuple, or the key itself), which entries the row is about, the cell, the
// number of rows, then the numbers of the other measures. Entries 0 are those of the group, and the
// cell is null. Entries i are those of the measures cell_measures[i − 1], in the given cell: only
// the number of rows counts, and for a ladder its number among the others; rows without a cell have
// null.
struct BoundedStatement {
  Statement statement;
  std::vector<Answer> answers;       // empty, of the types of the columns
  std::vector<std::size_t> columns;  // how many numbers each measure has among the last columns
  std::vector<std::vector<std::size_t>> cell_measures;
};

// BoundedBuilder: makes the statement of an aggregation.
// Requires  caller: check_aggregation accepts the aggregation; engine, table, aggregation and key
//           outlive the builder.
class BoundedBuilder {
 public:
  // Adds the fields that the aggregation uses to the table.
  BoundedBuilder(LockedEngine& engine, FieldTable& table, const Aggregation& aggregation,
                 const SecretKey& key);
  BoundedBuilder(BoundedBuilder&&) noexcept;
  BoundedBuilder& operator=(BoundedBuilder&&) noexcept;
  ~BoundedBuilder();

  // build: puts the functions that the statement needs into the engine. Call it once.
  BoundedStatement build();
  // build_kernel: the same work for the kernel. Call it instead.
  // Requires  caller: uses_kernel(aggregation).
  KernelStatement build_kernel(const EngineLimits& limits);

 private:
  class Builder;
  std::unique_ptr<Builder> builder_;
};

// uses_kernel: whether the kernel can do the work. It keeps the different values that are
// counted in memory, which statements can spill.
bool uses_kernel(const Aggregation& aggregation);

// run_aggregations: runs each of them in an open engine, as run_bounded (bounded_query.h) does.
// Reports to `progress`, if there is one, what fraction of the whole work is done.
// Requires  caller: check_aggregation accepts each.
std::vector<std::vector<GroupAnswer>> run_aggregations(LockedEngine& engine,
                                                       std::span<const Aggregation> aggregations,
                                                       const SecretKey& key,
                                                       const Progress& progress = {},
                                                       UseKernel kernel = UseKernel::kYes);

}  // namespace lastbit::engine
