#include "lastbit/engines/kernel/tallies.h"

#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "lastbit/base/error.h"

namespace lastbit::engine {
namespace {

Int128 wide_product(std::int64_t x, std::int64_t y) { return static_cast<Int128>(x) * y; }

// Once: the number of a row that comes by itself.
using Once = std::integral_constant<std::int64_t, 1>;

[[noreturn]] void refuse_rows(const std::string& place) {
  throw Error(ErrorCode::kBadInput, place, "has more rows than max_rows",
              "raise max_rows to a public maximum that holds");
}

}  // namespace

Tallies::Tallies(const Aggregation& aggregation, const ContentPlan& plan, const RowLayout& layout,
                 const TextPool& pool, const SecretKey& key, const std::string& place)
    : aggregation_(aggregation),
      layout_(layout),
      pool_(pool),
      place_(place),
      hash_(key),
      index_(64),
      cells_(0, SparseHash{hash_}),
      values_(0, SparseHash{hash_}) {
  for (const TallyStep& step : plan.measures) {
    const bool cells = step.kind == TallyKind::kCells || step.kind == TallyKind::kLadder;
    Counter& counter = counters_.emplace_back(Counter{step, stride_, false});
    counter.sparse = cells && step.entries > kMostDense;
    const bool no_slots = counter.sparse || step.kind == TallyKind::kDistinct;
    if (!no_slots) stride_ += step.entries;
  }
}

std::size_t Tallies::group(const std::uint64_t* keys) {
  const std::size_t size = layout_.keys.size();
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < size; ++i) hash = hash_(hash, keys[i]);
  const std::size_t mask = index_.size() - 1;
  for (std::size_t place = hash & mask;; place = (place + 1) & mask) {
    const std::size_t entry = index_[place];
    if (entry == 0) return add_group(keys, place);
    // Without keys there is one group.
    if (size == 0) return entry - 1;
    const std::uint64_t* known = keys_.data() + (entry - 1) * size;
    if (std::memcmp(known, keys, size * sizeof(std::uint64_t)) == 0) return entry - 1;
  }
}

std::size_t Tallies::add_group(const std::uint64_t* keys, std::size_t place) {
  invariant(groups_ < std::numeric_limits<std::uint32_t>::max() - 1,
            "there are not so many groups");
  const std::size_t group = groups_++;
  keys_.insert(keys_.end(), keys, keys + layout_.keys.size());
  slots_.resize(slots_.size() + stride_);
  index_[place] = static_cast<std::uint32_t>(group + 1);
  if (2 * groups_ > index_.size()) grow_index();
  return group;
}

void Tallies::grow_index() {
  const std::size_t size = layout_.keys.size();
  std::vector<std::uint32_t> larger(index_.size() * 4);
  const std::size_t mask = larger.size() - 1;
  for (std::size_t group = 0; group < groups_; ++group) {
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < size; ++i) hash = hash_(hash, keys_[group * size + i]);
    std::size_t place = hash & mask;
    while (larger[place] != 0) place = (place + 1) & mask;
    larger[place] = static_cast<std::uint32_t>(group + 1);
  }
  index_ = std::move(larger);
}

template <class Times>
void Tallies::add_rows(std::size_t group, PackedRow row, Times times) {
  Int128& rows = slots_[group * stride_];
  if (times > aggregation_.max_rows - rows) refuse_rows(place_);
  rows += times;
  for (std::size_t i = 0; i < counters_.size(); ++i) count(counters_[i], i, group, row, times);
}

void Tallies::add_row(std::size_t group, PackedRow row) { add_rows(group, row, Once()); }

void Tallies::add_unit(std::size_t group) {
  for (const Counter& counter : counters_) {
    if (counter.step.kind == TallyKind::kUnits) ++slots_[group * stride_ + counter.slot];
  }
}

void Tallies::add_equal_units(std::size_t group, PackedRow row, std::int64_t times) {
  add_rows(group, row, times);
  for (const Counter& counter : counters_) {
    if (counter.step.kind == TallyKind::kUnits) slots_[group * stride_ + counter.slot] += times;
  }
}

template <class Times>
void Tallies::count(Counter& counter, std::size_t measure, std::size_t group, PackedRow row,
                    Times times) {
  const TallyStep& step = counter.step;
  Int128* slots = slots_.data() + group * stride_ + counter.slot;
  if (step.kind == TallyKind::kUnits) return;
  if (step.kind == TallyKind::kRows) {
    slots[0] += times;
    return;
  }
  const auto is_null = [&](std::size_t content) {
    return (row[layout_.first_null() + content / 64] >> (content % 64) & 1) != 0;
  };
  const auto number = [&](std::size_t content) {
    return static_cast<std::int64_t>(row[layout_.first_content() + content]);
  };
  if (is_null(step.first)) return;
  const std::int64_t x = number(step.first);
  switch (step.kind) {
    case TallyKind::kRows:
    case TallyKind::kUnits:
      return;
    case TallyKind::kPresent:
      slots[0] += times;
      return;
    case TallyKind::kDistinct:
      values_.insert({group, measure, static_cast<std::uint64_t>(x)});
      return;
    case TallyKind::kSquares:
      slots[2] += wide_product(x, x) * times;
      [[fallthrough]];
    case TallyKind::kSum:
      slots[0] += times;
      slots[1] += wide_product(x, times);
      return;
    case TallyKind::kCells:
      return add_cell(counter, measure, group, static_cast<std::uint64_t>(x), times);
    case TallyKind::kLadder:
      if (is_null(step.second)) return;
      add_cell(counter, measure, group, static_cast<std::uint64_t>(x), times);
      return add_cell(counter, measure, group, static_cast<std::uint64_t>(x) + step.entries / 2,
                      wide_product(number(step.second), times));
    case TallyKind::kPair:
    case TallyKind::kProduct:
    case TallyKind::kProductSquares:
      if (!is_null(step.second)) count_pair(counter, slots, x, number(step.second), times);
      return;
  }
}

template <class Times>
void Tallies::count_pair(const Counter& counter, Int128* slots, std::int64_t x, std::int64_t y,
                         Times times) {
  slots[0] += times;
  slots[1] += wide_product(x, times);
  slots[2] += wide_product(y, times);
  if (counter.step.kind == TallyKind::kPair) return;
  slots[3] += wide_product(x, y) * times;
  if (counter.step.kind == TallyKind::kProduct) return;
  slots[4] += wide_product(x, x) * times;
  slots[5] += wide_product(y, y) * times;
}

void Tallies::add_cell(const Counter& counter, std::size_t measure, std::size_t group,
                       std::uint64_t place, Int128 number) {
  invariant(place < counter.step.entries, "cells are those of the measure");
  if (counter.sparse) {
    cells_[{group, measure, place}] += number;
  } else {
    slots_[group * stride_ + counter.slot + place] += number;
  }
}

PlainValue Tallies::plain(Carrier carrier, std::uint64_t word) const {
  if (carrier == Carrier::kInteger) return static_cast<std::int64_t>(word);
  return std::string(pool_.text(word));
}

void Tallies::add_to(PartialAnswer& part) const {
  const std::size_t size = layout_.keys.size();
  std::vector<PartialGroup*> groups;
  for (std::size_t group = 0; group < groups_; ++group) {
    std::vector<PlainValue> key;
    for (std::size_t i = 0; i < size; ++i) {
      key.push_back(plain(layout_.keys[i], keys_[group * size + i]));
    }
    PartialGroup& known = part.groups[std::move(key)];
    groups.push_back(&known);
    known.entries.resize(counters_.size());
    const Int128* slots = slots_.data() + group * stride_;
    if (slots[0] > aggregation_.max_rows - known.rows) refuse_rows(place_);
    known.rows += static_cast<std::int64_t>(slots[0]);
    for (std::size_t i = 0; i < counters_.size(); ++i) {
      const Counter& counter = counters_[i];
      if (counter.step.kind == TallyKind::kDistinct) known.values[i];
      if (counter.sparse || counter.step.kind == TallyKind::kDistinct) continue;
      for (std::size_t place = 0; place < counter.step.entries; ++place) {
        const Int128 entry = slots[counter.slot + place];
        if (entry != 0) known.entries[i][place] += entry;
      }
    }
  }
  for (const auto& [cell, entry] : cells_) {
    groups[cell.group]->entries[cell.measure][cell.place] += entry;
  }
  for (const SparseCell& cell : values_) {
    const std::size_t content = counters_[cell.measure].step.first;
    groups[cell.group]->values[cell.measure].insert(plain(layout_.contents[content], cell.place));
  }
}

}  // namespace lastbit::engine
