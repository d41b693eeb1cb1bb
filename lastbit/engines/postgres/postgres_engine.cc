#include "lastbit/engines/postgres/postgres_engine.h"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "lastbit/base/error.h"
#include "lastbit/engines/kernel/summed_rows.h"
#include "lastbit/engines/postgres/postgres_rows.h"

namespace lastbit {
namespace {

using engine::PostgresRows;

// Reading takes most of the time; the rest is counting.
constexpr double kReadingPart = 0.8;
// Aggregations are counted side by side if each has so much memory, but not more than so many.
constexpr std::uint64_t kMemoryOfOne = 256'000'000;
constexpr std::size_t kMostTogether = 16;

PostgresRows table_rows(const ReleaseFile& release, PostgresRows::While reading) {
  const Source& source = release.source;
  invariant(source.format.value == SourceFormat::kPostgres, "the source is a table on a server");
  const std::string table = source.table ? source.table->value : std::string();
  return PostgresRows(postgres::ParsedAddress::parse(source.path.value, {}).address,
                      postgres::TableName::parse(table), std::move(reading));
}

// machine_memory: half of it.
std::uint64_t machine_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long size = sysconf(_SC_PAGE_SIZE);
  if (pages <= 0 || size <= 0) return engine::EngineLimits::kLeastMemory;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size) / 2;
}

// SideBySide: kernels for several aggregations, which are fed with the same rows.
class SideBySide {
 public:
  SideBySide(const PostgresRows& rows, std::span<const Aggregation> aggregations,
             const engine::SecretKey& key, const engine::EngineLimits& limits)
      : rows_(rows), aggregations_(aggregations) {
    engine::KernelOptions options;
    options.limits = limits;
    options.place = rows.name();
    for (const Aggregation& aggregation : aggregations) {
      kernels_.emplace_back(aggregation, key, options);
      std::vector<std::size_t>& places = places_.emplace_back();
      for (const RowColumn& wanted : kernels_.back().columns()) places.push_back(place_of(wanted));
    }
  }

  // read: all rows; merged ones, if the release declares that they are few.
  void read(const ReleaseFile& release) {
    const auto plan = engine::plan_merge(release, aggregations_, columns_);
    if (plan && rows_.can_merge(*plan)) return read_merged(*plan);
    std::vector<engine::ColumnReader> readers(columns_.size());
    std::vector<FieldBatch> fields(columns_.size());
    rows_.give_rows(columns_, engine::RowOrder::kAny,
                    [&](std::span<const engine::ColumnBatch> batch) {
                      for (std::size_t i = 0; i < columns_.size(); ++i)
                        fields[i] = readers[i].read(batch[i]);
                      for (std::size_t i = 0; i < kernels_.size(); ++i) {
                        kernels_[i].add(own_fields(i, fields), batch.front().rows);
                      }
                    });
  }

  // finish: appends the answers, in order.
  void finish(const engine::Progress& progress, ExactAnswers& answers) {
    for (std::size_t i = 0; i < kernels_.size(); ++i) {
      answers.push_back(answer_of(aggregations_[i], kernels_[i].finish([&](double part) {
        progress((static_cast<double>(i) + part) / static_cast<double>(kernels_.size()));
      })));
    }
  }

 private:
  void read_merged(const engine::MergePlan& plan) {
    const std::size_t keys = plan.keys.size();
    std::vector<engine::ColumnReader> readers(keys + 1 + 2 * plan.sums.size());
    std::vector<FieldBatch> fields(readers.size());
    engine::RowExpander expander(columns_, plan, rows_.name());
    rows_.give_merged_rows(plan, [&](std::span<const engine::ColumnBatch> batch) {
      for (std::size_t i = 0; i < readers.size(); ++i) fields[i] = readers[i].read(batch[i]);
      std::vector<engine::RowExpander::Sum> sums;
      for (std::size_t i = keys + 1; i < fields.size(); i += 2) {
        sums.push_back({fields[i], fields[i + 1]});
      }
      expander.expand(std::span(fields).first(keys), fields[keys], sums, batch.front().rows);
      for (std::size_t i = 0; i < kernels_.size(); ++i) {
        kernels_[i].add_merged(own_fields(i, expander.fields()), expander.times());
      }
    });
  }

  // own_fields: those of the columns that a kernel looks at.
  std::vector<FieldBatch> own_fields(std::size_t kernel, std::span<const FieldBatch> all) const {
    std::vector<FieldBatch> own;
    for (const std::size_t place : places_[kernel]) own.push_back(all[place]);
    return own;
  }

  std::size_t place_of(const RowColumn& wanted) {
    const auto known = std::ranges::find(columns_, wanted);
    const auto place = static_cast<std::size_t>(known - columns_.begin());
    if (known == columns_.end()) columns_.push_back(wanted);
    return place;
  }

  const PostgresRows& rows_;
  std::span<const Aggregation> aggregations_;
  std::deque<engine::BoundedKernel> kernels_;
  std::vector<RowColumn> columns_;
  std::vector<std::vector<std::size_t>> places_;  // of each kernel's columns
};

}  // namespace

std::vector<SchemaColumn> PostgresEngine::read_schema(const ReleaseFile& release) const {
  return table_rows(release, {}).schema();
}

ExactAnswers PostgresEngine::aggregate(const ReleaseFile& release,
                                       std::span<const Aggregation> aggregations,
                                       const engine::SecretKey& key,
                                       const engine::EngineLimits& limits,
                                       const engine::Progress& progress) const {
  // Reading the rows once is faster than reading them for each aggregation, as long as each has
  // enough memory for them.
  const std::uint64_t memory = limits.memory_bytes.value_or(machine_memory());
  const std::size_t together = std::clamp<std::size_t>(memory / kMemoryOfOne, 1, kMostTogether);
  ExactAnswers answers;
  double done = 0;
  double next = 0;  // where this reading and its counting end
  const auto tell = [&](double part) {
    if (progress) progress(done + part * (next - done));
  };
  const PostgresRows rows = table_rows(release, [&](double part) { tell(kReadingPart * part); });
  while (answers.size() < aggregations.size()) {
    const std::size_t first = answers.size();
    const std::size_t count = std::min(together, aggregations.size() - first);
    next = static_cast<double>(first + count) / static_cast<double>(aggregations.size());
    engine::EngineLimits part = limits;
    part.memory_bytes = memory / count;
    SideBySide counting(rows, aggregations.subspan(first, count), key, part);
    counting.read(release);
    counting.finish([&](double of) { tell(kReadingPart + (1 - kReadingPart) * of); }, answers);
    done = next;
  }
  rows.require_unchanged();
  return answers;
}

RowFacts PostgresEngine::examine(const ReleaseFile& release, const RowQuestions& /*questions*/,
                                 const engine::EngineLimits& /*limits*/,
                                 const engine::Progress& /*progress*/) const {
  throw Error(ErrorCode::kNotSupported, release.filename,
              "rows of a table on a server cannot be inspected",
              "copy them to a CSV file (docs/postgresql.md says how) and inspect that");
}

}  // namespace lastbit
