#include "lastbit/engines/kernel/part_counter.h"

#include <algorithm>
#include <limits>
#include <set>

#include "lastbit/base/error.h"

namespace lastbit::engine {
namespace {

template <class Visit>
void for_rows(const RowLayout& layout, std::span<const std::uint64_t> words, Visit visit) {
  const std::size_t plain = layout.words();
  if (layout.unit == Carrier::kInteger) {
    for (std::size_t at = 0; at < words.size(); at += plain) visit(words.data() + at);
    return;
  }
  for (std::size_t at = 0; at < words.size(); at += row_words(layout, words.data() + at)) {
    visit(words.data() + at);
  }
}

}  // namespace

void UnitRows::add(PackedRow row) {
  words_.insert(words_.end(), row, row + row_words(layout_, row));
  if (words_.size() > most_words_) leave_out();
}

void UnitRows::leave_out() {
  // Candidate: a group of the unit, by one of its rows.
  struct Candidate {
    std::uint64_t lot;
    PackedRow row;
  };
  const auto before = [this](const Candidate& a, const Candidate& b) {
    return counter_.goes_first(a.lot, a.row, b.lot, b.row);
  };
  std::set<Candidate, decltype(before)> best(before);
  for_rows(layout_, words_, [&](PackedRow row) {
    best.insert({counter_.lot(row), row});
    if (best.size() > static_cast<std::uint64_t>(limits_.max_groups)) best.erase(--best.end());
  });
  std::vector<std::uint64_t> kept;
  for_rows(layout_, words_, [&](PackedRow row) {
    if (!best.contains({counter_.lot(row), row})) return;
    kept.insert(kept.end(), row, row + row_words(layout_, row));
  });
  words_ = std::move(kept);
  if (words_.size() <= most_words_ / 2) return;
  throw Error(ErrorCode::kBadInput, place_, "has a unit with more rows than fit in memory",
              "raise the memory limit");
}

void UnitRows::count() {
  if (empty()) return;
  rows_.clear();
  for_rows(layout_, words_, [&](PackedRow row) { rows_.push_back(row); });
  counter_.count_unit(rows_);
  words_.clear();
}

void PartCounter::count(std::span<RowStore::Piece> pieces, std::size_t level) {
  std::uint64_t size = 0;
  for (const RowStore::Piece& piece : pieces) size += piece.size;
  if (size > most_words_) return split(pieces, level);
  std::vector<std::vector<std::uint64_t>> buffers(pieces.size());
  std::vector<std::span<const std::uint64_t>> loaded;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    loaded.push_back(store_.read(pieces[i], buffers[i]));
  }
  count_loaded(loaded);
  for (RowStore::Piece& piece : pieces) store_.drop(piece);
}

bool PartCounter::is_one_unit(std::span<const RowStore::Piece> pieces) const {
  std::vector<std::uint64_t> first;
  std::vector<std::uint64_t> buffer;
  for (const RowStore::Piece& piece : pieces) {
    const std::span<const std::uint64_t> words = store_.read(piece, buffer);
    if (first.empty() && !words.empty()) {
      first.assign(words.data(), words.data() + row_words(layout_, words.data()));
    }
    for (std::size_t at = 0; at < words.size(); at += row_words(layout_, words.data() + at)) {
      if (!same_unit(layout_, first.data(), words.data() + at)) return false;
    }
  }
  return true;
}

// Parts that cannot be split further belong to one unit, or to units whose hashes agree in all
// bits, which happens for texts alone and next to never.
void PartCounter::split(std::span<RowStore::Piece> pieces, std::size_t level) {
  constexpr std::size_t kLevels = 64 / UnitPartitions::kBits;
  if (level + 1 >= kLevels || is_one_unit(pieces)) return count_large_unit(pieces);
  UnitPartitions parts(store_, 1024);
  UnitPartitions::Writer writer;
  std::vector<std::uint64_t> buffer;
  const std::size_t shift = 64 - UnitPartitions::kBits * (level + 2);
  for (RowStore::Piece& piece : pieces) {
    for_rows(layout_, store_.read(piece, buffer), [&](PackedRow row) {
      const std::size_t part = hash_of(row) >> shift & (UnitPartitions::kParts - 1);
      std::vector<std::uint64_t>& words = writer.open(part);
      words.insert(words.end(), row, row + row_words(layout_, row));
      writer.close(part, parts);
    });
    store_.drop(piece);
  }
  parts.finish(writer);
  for (UnitPartitions::Part& part : parts.parts()) {
    if (!part.empty()) count(part, level + 1);
  }
}

void PartCounter::count_large_unit(std::span<RowStore::Piece> pieces) {
  UnitRows unit(limits_, layout_, counter_, most_words_, place_);
  std::vector<std::uint64_t> buffer;
  for (RowStore::Piece& piece : pieces) {
    for_rows(layout_, store_.read(piece, buffer), [&](PackedRow row) {
      if (!unit.empty() && !same_unit(layout_, unit.first(), row)) {
        throw Error(ErrorCode::kBadInput, place_, "has units that could not be told apart",
                    "run it again, with a new key");
      }
      unit.add(row);
    });
    store_.drop(piece);
  }
  if (unit.empty()) return;
  add_digest(unit.first());
  unit.count();
}

void PartCounter::add_digest(PackedRow row) {
  if (digest_key_ == nullptr) return;
  digests_.push_back(layout_.unit == Carrier::kInteger
                         ? unit_digest(*digest_key_, static_cast<std::int64_t>(row[0]))
                         : unit_digest(*digest_key_, unit_text(layout_, row)));
}

std::uint32_t PartCounter::number_of(PackedRow row) {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t place = hash_of(row) & mask;; place = (place + 1) & mask) {
    const std::uint32_t entry = table_[place];
    if (entry != 0) {
      if (same_unit(layout_, units_[entry - 1], row)) return entry - 1;
      continue;
    }
    units_.push_back(row);
    table_[place] = static_cast<std::uint32_t>(units_.size());
    if (2 * units_.size() > table_.size()) grow_table();
    return static_cast<std::uint32_t>(units_.size() - 1);
  }
}

void PartCounter::grow_table() {
  table_.assign(table_.size() * 4, 0);
  const std::size_t mask = table_.size() - 1;
  for (std::size_t i = 0; i < units_.size(); ++i) {
    std::size_t place = hash_of(units_[i]) & mask;
    while (table_[place] != 0) place = (place + 1) & mask;
    table_[place] = static_cast<std::uint32_t>(i + 1);
  }
}

// Numbers the units, orders the rows by these numbers, and counts unit by unit.
void PartCounter::count_loaded(std::span<const std::span<const std::uint64_t>> pieces) {
  rows_.clear();
  numbers_.clear();
  units_.clear();
  table_.assign(1024, 0);
  for (const std::span<const std::uint64_t> piece : pieces) {
    for_rows(layout_, piece, [&](PackedRow row) { rows_.push_back(row); });
  }
  invariant(rows_.size() < std::numeric_limits<std::uint32_t>::max(), "parts are split");
  for (const PackedRow row : rows_) numbers_.push_back(number_of(row));
  ends_.assign(units_.size() + 1, 0);
  for (const std::uint32_t number : numbers_) ++ends_[number + 1];
  for (std::size_t i = 1; i < ends_.size(); ++i) ends_[i] += ends_[i - 1];
  // ends_[i] is where the rows of unit i begin; each row moves it on.
  ordered_.resize(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) ordered_[ends_[numbers_[i]]++] = rows_[i];
  std::size_t begin = 0;
  for (std::size_t unit = 0; unit < units_.size(); ++unit) {
    add_digest(units_[unit]);
    const std::size_t end = ends_[unit];
    counter_.count_unit(std::span(ordered_).subspan(begin, end - begin));
    begin = end;
  }
}

}  // namespace lastbit::engine
