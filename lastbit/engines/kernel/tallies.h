// Tallies: the entries of all groups, while rows are counted. For this module only.
//
// Requires       caller: contents are those of the aggregation's maps, so that sums of max_rows of
//                them fit in 128 bits. Proof: proofs/engine.md#overflow
// Fails          kBadInput when a group has more rows than the aggregation allows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lastbit/engines/kernel/content_plan.h"
#include "lastbit/engines/kernel/packed_rows.h"
#include "lastbit/engines/kernel/partial_answer.h"

namespace lastbit::engine {

class Tallies {
 public:
  // What is passed outlives this, the key aside.
  Tallies(const Aggregation& aggregation, const ContentPlan& plan, const RowLayout& layout,
          const TextPool& pool, const SecretKey& key, const std::string& place);

  // group: the number of the group with these keys.
  std::size_t group(const std::uint64_t* keys);
  // add_row: counts a row in the group. add_unit: counts the unit, once for all its rows there.
  void add_row(std::size_t group, PackedRow row);
  void add_unit(std::size_t group);
  // add_equal_units: counts so many equal rows, each of a unit of its own.
  // Requires  caller: times >= 1.
  void add_equal_units(std::size_t group, PackedRow row, std::int64_t times);

  // add_to: adds what was counted.
  void add_to(PartialAnswer& part) const;

 private:
  // Measures with more cells than this keep only those that have rows.
  static constexpr std::size_t kMostDense = 4096;

  struct Counter {
    TallyStep step;
    std::size_t slot = 0;  // of its first entry
    bool sparse = false;
  };
  // SparseCell: an entry of a measure in a group.
  struct SparseCell {
    std::size_t group;
    std::size_t measure;
    std::uint64_t place;  // of the entry, or the value if these are counted
    friend bool operator==(const SparseCell&, const SparseCell&) = default;
  };
  struct SparseHash {
    WordHash hash;
    std::size_t operator()(const SparseCell& cell) const {
      return hash(hash(hash(cell.group), cell.measure), cell.place);
    }
  };

  // Times: how many equal rows there are, a constant where it is one row.
  template <class Times>
  void add_rows(std::size_t group, PackedRow row, Times times);
  template <class Times>
  void count(Counter& counter, std::size_t measure, std::size_t group, PackedRow row, Times times);
  template <class Times>
  static void count_pair(const Counter& counter, Int128* slots, std::int64_t x, std::int64_t y,
                         Times times);
  void add_cell(const Counter& counter, std::size_t measure, std::size_t group, std::uint64_t place,
                Int128 number);
  std::size_t add_group(const std::uint64_t* keys, std::size_t place);
  void grow_index();
  PlainValue plain(Carrier carrier, std::uint64_t word) const;

  const Aggregation& aggregation_;
  const RowLayout& layout_;
  const TextPool& pool_;
  const std::string& place_;
  WordHash hash_;
  std::vector<Counter> counters_;
  std::size_t stride_ = 1;  // slots of a group; the first is its number of rows

  std::vector<std::uint64_t> keys_;   // of all groups
  std::vector<Int128> slots_;         // of all groups
  std::vector<std::uint32_t> index_;  // open addressing: number of the group + 1, or 0
  std::size_t groups_ = 0;
  std::unordered_map<SparseCell, Int128, SparseHash> cells_;
  std::unordered_set<SparseCell, SparseHash> values_;
};

}  // namespace lastbit::engine
