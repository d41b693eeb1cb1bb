// PartMaker: counts the rows of one place for all aggregations of a question, batch by batch.
//
// Guarantee      each part is that of BoundedKernel (kernel/bounded_kernel.h) for the rows added.
// Fails          as BoundedKernel; no message depends on a field.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lastbit/engines/kernel/row_source.h"
#include "lastbit/engines/kernel/summed_rows.h"
#include "lastbit/engines/parts/question.h"

namespace lastbit::engine {

class PartMaker {
 public:
  // Requires  caller: check_aggregation accepts each aggregation.
  // `place` is what messages call the rows.
  PartMaker(const PartQuestion& question, const std::string& place);
  PartMaker(const PartMaker&) = delete;
  PartMaker& operator=(const PartMaker&) = delete;

  // columns: what the aggregations need of the rows, each column once.
  const std::vector<RowColumn>& columns() const { return columns_; }

  // add: all rows of a batch. Where the question says that rows come by unit, those of a unit
  // follow each other, over all batches.
  void add(const RowSource& rows);
  // MergedNames: the columns that say how many rows a merged row stands for, and of a column that
  // is not there how many fields are present, and the sum of their steps.
  struct MergedNames {
    struct Sum {
      std::string column;
      std::string present;
      std::string total;
    };
    std::string times;
    std::vector<Sum> sums;
  };
  // add_merged: all rows of a batch of merged rows (kernel/summed_rows.h).
  // Requires  checked: each row is a unit, and the sums are of summed_fields; else kInternal.
  void add_merged(const RowSource& rows, const MergedNames& names);

  // finish: the parts, as encode_partial writes them, in the order of the aggregations. Call it
  // once.
  std::vector<std::string> finish();

 private:
  // Counter: one aggregation, and where its columns are.
  struct Counter {
    std::unique_ptr<BoundedKernel> kernel;
    std::vector<std::size_t> places;
  };

  void count(std::span<const ColumnBatch> batch);
  void count_merged(std::span<const ColumnBatch> batch, std::size_t keys, RowExpander& expander);
  MergePlan plan_of(const MergedNames& names) const;
  std::span<const FieldBatch> own_fields(const Counter& counter, std::span<const FieldBatch> all);
  std::size_t place_of(const RowColumn& wanted);

  std::string place_;
  std::vector<Counter> counters_;
  std::vector<RowColumn> columns_;
  std::vector<Aggregation> aggregations_;
  std::vector<ColumnReader> readers_;
  std::vector<FieldBatch> fields_;
  std::vector<FieldBatch> own_fields_;
};

// merge_parts: encoded parts of one aggregation as one part; of none, that of no rows.
// Fails  as decode_partial and merge.
PartialAnswer merge_parts(const Aggregation& aggregation, const SecretKey& key,
                          std::span<const std::string> parts);

}  // namespace lastbit::engine
