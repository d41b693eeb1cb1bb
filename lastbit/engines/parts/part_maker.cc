#include "lastbit/engines/parts/part_maker.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>

#include "lastbit/base/error.h"

namespace lastbit::engine {

PartMaker::PartMaker(const PartQuestion& question, const std::string& place)
    : place_(place), aggregations_(question.aggregations) {
  for (const Aggregation& aggregation : question.aggregations) {
    KernelOptions options;
    options.order = question.order;
    options.limits.memory_bytes = question.memory_bytes;
    options.limits.threads = 1;  // places work at the same time already
    options.place = place;
    options.mergeable = true;
    Counter& counter = counters_.emplace_back();
    counter.kernel = std::make_unique<BoundedKernel>(aggregation, question.key, options);
    for (const RowColumn& column : counter.kernel->columns()) {
      counter.places.push_back(place_of(column));
    }
  }
  readers_.resize(columns_.size());
  fields_.resize(columns_.size());
}

std::size_t PartMaker::place_of(const RowColumn& wanted) {
  const auto found = std::ranges::find(columns_, wanted);
  const auto place = static_cast<std::size_t>(found - columns_.begin());
  if (found == columns_.end()) columns_.push_back(wanted);
  return place;
}

void PartMaker::add(const RowSource& rows) {
  // Rows are in the order that was asked for, or the kernels refuse them.
  rows.give_rows(columns_, RowOrder::kAny,
                 [this](std::span<const ColumnBatch> batch) { count(batch); });
}

void PartMaker::count(std::span<const ColumnBatch> batch) {
  if (batch.empty()) return;
  for (std::size_t i = 0; i < columns_.size(); ++i) fields_[i] = readers_[i].read(batch[i]);
  for (const Counter& counter : counters_) {
    counter.kernel->add(own_fields(counter, fields_), batch[0].rows);
  }
}

MergePlan PartMaker::plan_of(const MergedNames& names) const {
  const std::vector<SummedField> possible = summed_fields(aggregations_, columns_);
  MergePlan plan;
  for (const MergedNames::Sum& sum : names.sums) {
    const auto found = std::ranges::find_if(
        possible, [&](const SummedField& field) { return field.column.name == sum.column; });
    invariant(found != possible.end(), "the column can be added up");
    plan.sums.push_back(*found);
  }
  for (const RowColumn& column : columns_) {
    const bool summed = std::ranges::count(plan.sums, column, &SummedField::column) > 0;
    if (!summed) plan.keys.push_back(column);
  }
  return plan;
}

void PartMaker::add_merged(const RowSource& rows, const MergedNames& names) {
  const MergePlan plan = plan_of(names);
  std::vector<RowColumn> columns = plan.keys;
  columns.push_back({names.times, FieldType::kInteger});
  for (const MergedNames::Sum& sum : names.sums) {
    columns.push_back({sum.present, FieldType::kInteger});
    columns.push_back({sum.total, FieldType::decimal(0)});
  }
  RowExpander expander(columns_, plan, place_);
  rows.give_rows(columns, RowOrder::kAny, [&](std::span<const ColumnBatch> batch) {
    count_merged(batch, plan.keys.size(), expander);
  });
}

void PartMaker::count_merged(std::span<const ColumnBatch> batch, std::size_t keys,
                             RowExpander& expander) {
  std::vector<ColumnReader> readers(batch.size());
  std::vector<FieldBatch> fields;
  for (std::size_t i = 0; i < batch.size(); ++i) fields.push_back(readers[i].read(batch[i]));
  std::vector<RowExpander::Sum> sums;
  for (std::size_t i = keys + 1; i < fields.size(); i += 2) {
    sums.push_back({fields[i], fields[i + 1]});
  }
  expander.expand(std::span(fields).first(keys), fields[keys], sums, batch.front().rows);
  for (const Counter& counter : counters_) {
    counter.kernel->add_merged(own_fields(counter, expander.fields()), expander.times());
  }
}

std::span<const FieldBatch> PartMaker::own_fields(const Counter& counter,
                                                  std::span<const FieldBatch> all) {
  own_fields_.clear();
  for (const std::size_t place : counter.places) own_fields_.push_back(all[place]);
  return own_fields_;
}

std::vector<std::string> PartMaker::finish() {
  std::vector<std::string> parts;
  for (const Counter& counter : counters_) {
    parts.push_back(encode_partial(counter.kernel->finish()));
  }
  return parts;
}

// Neighbours are merged, then neighbours of what that gives, so that the time is about that of the
// largest parts times the logarithm of their number.
PartialAnswer merge_parts(const Aggregation& aggregation, const SecretKey& key,
                          std::span<const std::string> parts) {
  std::vector<std::pair<PartialAnswer, std::size_t>> waiting;  // with how many parts each holds
  const auto merge_last = [&] {
    auto [last, size] = std::move(waiting.back());
    waiting.pop_back();
    auto& [before, before_size] = waiting.back();
    before = merge(aggregation, std::move(before), last);
    before_size += size;
  };
  for (const std::string& part : parts) {
    waiting.emplace_back(decode_partial(aggregation, key, part), 1);
    while (waiting.size() > 1 && waiting.end()[-1].second >= waiting.end()[-2].second) merge_last();
  }
  while (waiting.size() > 1) merge_last();
  if (!waiting.empty()) return std::move(waiting.front().first);
  PartialAnswer nothing;
  nothing.question = question_digest(aggregation, key);
  return nothing;
}

}  // namespace lastbit::engine
