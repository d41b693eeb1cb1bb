#include "lastbit/engines/kernel/row_source.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"

namespace lastbit {
namespace engine {
namespace {

// BatchFeeder: hands the batches of a source to a kernel.
class BatchFeeder {
 public:
  explicit BatchFeeder(BoundedKernel& kernel)
      : kernel_(kernel), readers_(kernel.columns().size()), fields_(readers_.size()) {}

  // `places`: where in the batch the columns of the kernel are.
  void take(std::span<const ColumnBatch> batch, std::size_t rows,
            std::span<const std::size_t> places) {
    for (std::size_t i = 0; i < readers_.size(); ++i) {
      const ColumnBatch& column = batch[places[i]];
      invariant(column.rows == rows, "the columns of a batch have the same length");
      fields_[i] = readers_[i].read(column);
    }
    kernel_.add(fields_, rows);
    rows_ += rows;
  }
  std::uint64_t rows() const { return rows_; }

 private:
  BoundedKernel& kernel_;
  std::vector<ColumnReader> readers_;
  std::vector<FieldBatch> fields_;
  std::uint64_t rows_ = 0;
};

}  // namespace

PartialAnswer count_rows(const RowSource& source, const Aggregation& aggregation,
                         const SecretKey& key, const KernelOptions& options,
                         const Progress& progress, std::uint64_t* rows_read) {
  KernelOptions named = options;
  named.place = source.name();
  BoundedKernel kernel(aggregation, key, named);
  std::vector<RowColumn> wanted = kernel.columns();
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < wanted.size(); ++i) places.push_back(i);
  const auto* unit = std::get_if<UnitColumn>(&aggregation.unit);
  if (unit != nullptr && options.order == RowOrder::kByUnit) {
    const auto found = std::ranges::find(wanted, RowColumn{unit->name, unit->type});
    invariant(found != wanted.end(), "sorted units are a column of the source");
    // The unit goes first, so that what was first comes where the unit was.
    const auto place = static_cast<std::size_t>(found - wanted.begin());
    std::swap(wanted[0], wanted[place]);
    std::swap(places[0], places[place]);
  }
  BatchFeeder feeder(kernel);
  source.give_rows(wanted, options.order, [&](std::span<const ColumnBatch> batch) {
    feeder.take(batch, batch.empty() ? 0 : batch[0].rows, places);
  });
  if (rows_read != nullptr) *rows_read = feeder.rows();
  return kernel.finish(progress);
}

TableRows::TableRows(std::vector<Column> columns) : columns_(std::move(columns)) {
  for (const Column& column : columns_) {
    require_parameter(column.all.rows == columns_.front().all.rows, "TableRows", "columns",
                      "have different lengths", "give each the same number of rows");
  }
}

std::vector<SchemaColumn> TableRows::schema() const {
  std::vector<SchemaColumn> all;
  for (const Column& column : columns_) all.push_back(column.schema);
  return all;
}

void TableRows::give_rows(std::span<const RowColumn> columns, RowOrder /*order*/,
                          const TakeBatch& take) const {
  std::vector<ColumnBatch> batch;
  for (const RowColumn& wanted : columns) {
    const auto found = std::ranges::find_if(
        columns_, [&](const Column& c) { return c.schema.name == wanted.name; });
    if (found == columns_.end()) {
      throw Error(ErrorCode::kBadInput, "table", "has no column " + quote(wanted.name),
                  "name one of its columns");
    }
    batch.push_back(found->all);
  }
  // Somebody who asks for no column still wants to know how many rows there are.
  if (batch.empty() && !columns_.empty()) batch.push_back(columns_.front().all);
  if (!batch.empty()) take(batch);
}

}  // namespace engine

std::vector<SchemaColumn> KernelEngine::read_schema(const ReleaseFile& /*release*/) const {
  return source_->schema();
}

ExactAnswers KernelEngine::aggregate(const ReleaseFile& /*release*/,
                                     std::span<const Aggregation> aggregations,
                                     const engine::SecretKey& key,
                                     const engine::EngineLimits& limits,
                                     const engine::Progress& progress) const {
  ExactAnswers answers;
  std::optional<std::uint64_t> rows;
  for (const Aggregation& aggregation : aggregations) {
    const engine::Progress tell = [&](double part) {
      const double done = static_cast<double>(answers.size()) + part;
      if (progress) progress(done / static_cast<double>(aggregations.size()));
    };
    engine::KernelOptions options;
    options.limits = limits;
    std::uint64_t read = 0;
    answers.push_back(
        answer_of(aggregation, count_rows(*source_, aggregation, key, options, tell, &read)));
    // A stream that can be read once has no rows the second time.
    if (read != rows.value_or(read)) {
      throw Error(ErrorCode::kBadInput, source_->name(), "changed while it was read",
                  "give a source that can be read several times");
    }
    rows = read;
  }
  source_->require_unchanged();
  return answers;
}

}  // namespace lastbit
