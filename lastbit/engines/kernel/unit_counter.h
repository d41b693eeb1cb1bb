// UnitCounter: which rows of a unit count, and counting them. For this module only.
//
// Guarantee      of the groups of a unit at most max_groups count, and of its rows in each at most
//                max_rows: those that proofs/engine.md#choice says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lastbit/engines/kernel/tallies.h"

namespace lastbit::engine {

class UnitCounter {
 public:
  // What is passed outlives this.
  UnitCounter(const UnitColumn& limits, const RowLayout& layout, const TextPool& pool,
              const SecretKey& key, Tallies& tallies)
      : limits_(limits),
        layout_(layout),
        pool_(pool),
        key_(key),
        order_(layout, pool),
        tallies_(tallies) {}

  // count_unit: counts all rows of one unit, which it may reorder.
  // Requires  caller: the rows are those of one unit, at least one, and no others are.
  void count_unit(std::span<PackedRow> rows);

  // lot: of the unit and the group of a row.
  std::uint64_t lot(PackedRow row) const;
  // goes_first: whether a group comes before another in the choice of groups.
  bool goes_first(std::uint64_t lot, PackedRow row, std::uint64_t other_lot, PackedRow other) const;

 private:
  // GroupRows: the rows of a unit in one group.
  struct GroupRows {
    std::uint64_t lot;
    std::span<PackedRow> rows;
  };

  void count_group(const GroupRows& group);
  void count_chosen(std::size_t group, std::span<PackedRow> rows);

  const UnitColumn& limits_;
  const RowLayout& layout_;
  const TextPool& pool_;
  const SecretKey& key_;
  PackedOrder order_;
  Tallies& tallies_;
  std::vector<GroupRows> groups_;
  std::vector<std::uint64_t> positions_;
};

}  // namespace lastbit::engine
