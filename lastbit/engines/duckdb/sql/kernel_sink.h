// KernelSink: a function of statements that hands rows to the kernel (engines/kernel), on all of
// the engine's threads. For this module only.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lastbit/engines/duckdb/locked_engine.h"
#include "lastbit/engines/kernel/bounded_kernel.h"

namespace lastbit::engine {

// KernelSink: its arguments are the unit, the keys and the contents of a row; it gives 1.
class KernelSink final : public RowFunction {
 public:
  KernelSink(const Aggregation& aggregation, const SecretKey& key, const KernelOptions& options)
      : kernel_(std::make_unique<BoundedKernel>(aggregation, key, options)),
        keys_(aggregation.groups.size()) {}

  void run(std::span<const FieldBatch> arguments, std::size_t rows, Output& out) const override;

  // finish: what the rows contribute; nothing if the kernel failed, or did not get exactly so many.
  // Fails  if `progress` does.
  std::optional<PartialAnswer> finish(std::int64_t rows, const Progress& progress);
  // drop: forgets all rows.
  void drop() { kernel_.reset(); }

 private:
  std::unique_ptr<BoundedKernel> kernel_;
  std::size_t keys_;
  mutable std::atomic<std::int64_t> rows_ = 0;
  mutable std::atomic<bool> failed_ = false;
};

// KernelStatement: hands all rows of an aggregation to the sink. Its answers are how many rows
// there are, and how often the sink was called.
struct KernelStatement {
  Statement statement;
  std::vector<Answer> answers;
  std::shared_ptr<KernelSink> sink;
};

}  // namespace lastbit::engine
