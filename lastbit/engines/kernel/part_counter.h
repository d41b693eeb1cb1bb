// PartCounter: counts rows whose units are not sorted, or all of one unit. For this module only.
//
// Fails          kBadInput if the rows of one unit, in the groups that may count, do not fit in
//                memory; no message depends on a field.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lastbit/engines/kernel/row_store.h"
#include "lastbit/engines/kernel/unit_counter.h"

namespace lastbit::engine {

// UnitRows: the rows of one unit, as they come. Where they take too much memory, those are left out
// whose groups have lost their place already: other groups of the unit go first.
class UnitRows {
 public:
  UnitRows(const UnitColumn& limits, const RowLayout& layout, UnitCounter& counter,
           std::uint64_t most_words, const std::string& place)
      : limits_(limits),
        layout_(layout),
        counter_(counter),
        most_words_(most_words),
        place_(place) {}

  bool empty() const { return words_.empty(); }
  PackedRow first() const { return words_.data(); }
  void add(PackedRow row);
  // count: counts the rows, and is empty afterwards.
  void count();

 private:
  void leave_out();

  const UnitColumn& limits_;
  const RowLayout& layout_;
  UnitCounter& counter_;
  std::uint64_t most_words_;
  const std::string& place_;
  std::vector<std::uint64_t> words_;
  std::vector<PackedRow> rows_;
};

class PartCounter {
 public:
  // What is passed outlives this. Parts of more than so many words are split, or are one unit.
  PartCounter(const UnitColumn& limits, const RowLayout& layout, UnitCounter& counter,
              RowStore& store, const WordHash& hash, std::uint64_t most_words,
              const std::string& place)
      : limits_(limits),
        layout_(layout),
        counter_(counter),
        store_(store),
        hash_(hash),
        most_words_(most_words),
        place_(place) {}

  // count: counts the rows of the pieces, which are all rows of their units, and drops them.
  // `level` says how often they were split.
  void count(std::span<RowStore::Piece> pieces, std::size_t level = 0);

  // collect: remembers a digest of every unit that is counted from now on.
  void collect(const SecretKey& key) { digest_key_ = &key; }
  std::vector<UnitDigest> take_digests() { return std::move(digests_); }

 private:
  void count_loaded(std::span<const std::span<const std::uint64_t>> pieces);
  bool is_one_unit(std::span<const RowStore::Piece> pieces) const;
  void count_large_unit(std::span<RowStore::Piece> pieces);
  void split(std::span<RowStore::Piece> pieces, std::size_t level);
  void add_digest(PackedRow row);
  std::uint64_t hash_of(PackedRow row) const {
    return layout_.unit == Carrier::kInteger ? hash_(row[0]) : row[0];
  }
  // number_of: of the unit of a row among those met so far.
  std::uint32_t number_of(PackedRow row);
  void grow_table();

  const UnitColumn& limits_;
  const RowLayout& layout_;
  UnitCounter& counter_;
  RowStore& store_;
  const WordHash& hash_;
  std::uint64_t most_words_;
  const std::string& place_;
  const SecretKey* digest_key_ = nullptr;
  std::vector<UnitDigest> digests_;

  std::vector<PackedRow> rows_;
  std::vector<std::uint32_t> numbers_;  // of the units of the rows
  std::vector<PackedRow> units_;        // a row of each
  std::vector<std::uint32_t> table_;    // open addressing: number of the unit + 1, or 0
  std::vector<std::uint32_t> ends_;     // of the rows of each unit, when ordered
  std::vector<PackedRow> ordered_;
};

}  // namespace lastbit::engine
