#include "python/extension/held_rows.h"

#include <nanobind/stl/string.h>

#include <span>
#include <string>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/engines/arrow/arrow_abi.h"
#include "lastbit/engines/arrow/arrow_rows.h"
#include "lastbit/engines/engines.h"
#include "python/extension/bindings.h"
#include "python/extension/interpreter.h"

namespace lastbit::python {

namespace nb = nanobind;

namespace {

// WatchedRows: another source, with a look at the progress between its batches.
class WatchedRows final : public engine::RowSource {
 public:
  WatchedRows(std::shared_ptr<const engine::RowSource> rows, const engine::Progress& progress)
      : rows_(std::move(rows)), progress_(progress) {}
  std::string name() const override { return rows_->name(); }
  std::vector<SchemaColumn> schema() const override { return rows_->schema(); }
  void give_rows(std::span<const RowColumn> columns, engine::RowOrder order,
                 const TakeBatch& take) const override {
    rows_->give_rows(columns, order, [&](std::span<const engine::ColumnBatch> batch) {
      if (progress_) progress_(0);
      take(batch);
    });
  }
  void require_unchanged() const override { rows_->require_unchanged(); }

 private:
  std::shared_ptr<const engine::RowSource> rows_;
  const engine::Progress& progress_;
};

HeldRows read_rows(nb::handle capsule, const std::string& name) {
  return {std::make_shared<const HeldEngine>(read_stream(capsule, name))};
}

}  // namespace

std::shared_ptr<const engine::RowSource> read_stream(nb::handle capsule, const std::string& name) {
  constexpr const char* kStream = "arrow_array_stream";
  if (!PyCapsule_IsValid(capsule.ptr(), kStream)) {
    throw Error(ErrorCode::kBadInput, name, "its `__arrow_c_stream__` gave no Arrow stream",
                "give a table of pyarrow, polars, pandas or DuckDB, or the path of a file");
  }
  auto* const stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), kStream));
  // The capsule lives as long as the caller's reference to it. A stream that is made by Python code
  // takes the lock by itself.
  const OthersRun others_run;
  return engine::read_arrow_stream(*stream, name);
}

std::vector<SchemaColumn> HeldEngine::read_schema(const ReleaseFile& /*release*/) const {
  return source_->schema();
}

PublicTable HeldEngine::read_public(const Source& source,
                                    const std::vector<std::string>& columns) const {
  return engine_for_files().read_public(source, columns);
}

ExactAnswers HeldEngine::aggregate(const ReleaseFile& release,
                                   std::span<const Aggregation> aggregations,
                                   const engine::SecretKey& key, const engine::EngineLimits& limits,
                                   const engine::Progress& progress) const {
  const KernelEngine kernel(std::make_shared<const WatchedRows>(source_, progress));
  return kernel.aggregate(release, aggregations, key, limits, progress);
}

void define_rows(nb::module_& module) {
  nb::class_<HeldRows>(module, "HeldRows");
  module.def("read_rows", read_rows, nb::arg("capsule").none(), nb::arg("name"));
}

}  // namespace lastbit::python
