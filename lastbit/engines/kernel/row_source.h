// RowSource: private rows that come in batches, for the kernel; and an engine that runs on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lastbit/engines/kernel/arrow_batch.h"
#include "lastbit/engines/kernel/bounded_kernel.h"
#include "lastbit/release/engine.h"

namespace lastbit::engine {

class RowSource {
 public:
  RowSource() = default;
  RowSource(const RowSource&) = delete;
  RowSource& operator=(const RowSource&) = delete;
  virtual ~RowSource() = default;

  // name: what messages call it.
  virtual std::string name() const = 0;
  // schema: the names and types of its columns, and nothing from any row.
  virtual std::vector<SchemaColumn> schema() const = 0;

  // give_rows: gives all rows once to `take`, batch by batch, from the caller's thread: for each
  // column a batch of the same length, with values of its type. kByUnit: by the first column.
  // Fails  kBadInput if the source cannot be read as declared; kNotSupported if it cannot sort.
  using TakeBatch = std::function<void(std::span<const ColumnBatch>)>;
  virtual void give_rows(std::span<const RowColumn> columns, RowOrder order,
                         const TakeBatch& take) const = 0;

  // require_unchanged: a kBadInput Error if the rows may not be those of the first reading.
  virtual void require_unchanged() const = 0;
};

// count_rows: the part of an answer that the rows of a source make, and how many rows there are.
// Requires  caller: check_aggregation accepts the aggregation. With kByUnit the unit is no derived
//           column.
// Fails     as the kernel and the source.
PartialAnswer count_rows(const RowSource& source, const Aggregation& aggregation,
                         const SecretKey& key, const KernelOptions& options,
                         const Progress& progress = {}, std::uint64_t* rows_read = nullptr);

// TableRows: a source in memory, for programs and tests. The columns outlive it.
class TableRows final : public RowSource {
 public:
  struct Column {
    SchemaColumn schema;
    ColumnBatch all;
  };
  // Requires  checked: all columns have the same number of rows; else kBadParameter.
  explicit TableRows(std::vector<Column> columns);

  std::string name() const override { return "table"; }
  std::vector<SchemaColumn> schema() const override;
  // Rows are given as they are: with kByUnit the kernel finds out whether they are sorted.
  void give_rows(std::span<const RowColumn> columns, RowOrder order,
                 const TakeBatch& take) const override;
  void require_unchanged() const override {}

 private:
  std::vector<Column> columns_;
};

}  // namespace lastbit::engine

namespace lastbit {

// KernelEngine: runs releases on a source of rows. The source that a release file names is ignored.
class KernelEngine final : public Engine {
 public:
  explicit KernelEngine(std::shared_ptr<const engine::RowSource> source)
      : source_(std::move(source)) {}
  std::vector<SchemaColumn> read_schema(const ReleaseFile& release) const override;
  ExactAnswers aggregate(const ReleaseFile& release, std::span<const Aggregation> aggregations,
                         const engine::SecretKey& key, const engine::EngineLimits& limits,
                         const engine::Progress& progress) const override;

 private:
  std::shared_ptr<const engine::RowSource> source_;
};

}  // namespace lastbit
