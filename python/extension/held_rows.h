// Rows that a Python object handed over, and the engines that run on them: where they are held in
// memory, or lie elsewhere and are asked for by a function of Python.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lastbit/engines/kernel/row_source.h"
#include "lastbit/release/engine.h"

namespace lastbit::python {

// HeldRows: what a session keeps of its data.
struct HeldRows {
  std::shared_ptr<const Engine> engine;
};

// HeldEngine: answers from held rows; public tables are files, and read as such.
class HeldEngine final : public Engine {
 public:
  explicit HeldEngine(std::shared_ptr<const engine::RowSource> source)
      : source_(std::move(source)) {}
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

// read_stream: the source in a capsule with a stream of Arrow.
std::shared_ptr<const engine::RowSource> read_stream(nanobind::handle capsule,
                                                     const std::string& name);

}  // namespace lastbit::python
