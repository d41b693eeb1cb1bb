// Rows that a Python object handed over, held in memory, and an engine that runs on them.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <vector>

#include "lastbit/engines/kernel/row_source.h"
#include "lastbit/release/engine.h"

namespace lastbit::python {

// HeldRows: what a session keeps of its data.
struct HeldRows {
  std::shared_ptr<const engine::RowSource> source;
};

// HeldEngine: answers from held rows; public tables are files, and read as such.
class HeldEngine final : public Engine {
 public:
  explicit HeldEngine(const HeldRows& rows) : source_(rows.source) {}
  std::vector<SchemaColumn> read_schema(const ReleaseFile& release) const override;
  PublicTable read_public(const Source& source,
                          const std::vector<std::string>& columns) const override;
  // Progress is called between batches too, so that reading can be interrupted.
  ExactAnswers aggregate(const ReleaseFile& release, std::span<const Aggregation> aggregations,
                         const engine::SecretKey& key, const engine::EngineLimits& limits,
                         const engine::Progress& progress) const override;

 private:
  std::shared_ptr<const engine::RowSource> source_;
};

}  // namespace lastbit::python
