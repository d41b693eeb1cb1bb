// What tests of this module share: random tables with hard values, random aggregations of them, and
// the same rows for the kernel and for the engine that follows the definition. For tests only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "lastbit/engines/kernel/row_source.h"

namespace lastbit {
struct MemoryTable;  // of engines/memory
}  // namespace lastbit

namespace lastbit::engine {

// TableDice: the same numbers in every run (SplitMix64).
class TableDice {
 public:
  explicit TableDice(std::uint64_t seed) : state_(seed) {}
  std::uint64_t word() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(word() % static_cast<std::uint64_t>(bound));
  }
  template <class T>
  const T& one_of(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(below(std::ssize(all)))];
  }

 private:
  std::uint64_t state_;
};

// hard_table: up to so many rows of NaN, infinities, halves of the grid, ends of types, texts that
// look alike, duplicates and missing fields.
MemoryTable hard_table(TableDice& dice, std::int64_t most_rows);
// hard_aggregation: of such a table, of any kind.
Aggregation hard_aggregation(TableDice& dice);

// sorted_by_unit: the rows with a unit, in the order that the kernel requires.
MemoryTable sorted_by_unit(const MemoryTable& table, const UnitColumn& unit);
// has_column: whether the unit is a column of the table, and not a derived one.
bool has_column(const MemoryTable& table, const std::string& name);
// plain_unit: of a row; the missing one is "".
PlainValue plain_unit(const MemoryTable& table, std::size_t row, const std::string& name);

// KernelTable: a table as a source of rows, in the forms of columnar formats.
class KernelTable {
 public:
  explicit KernelTable(const MemoryTable& table);
  KernelTable(const KernelTable&) = delete;
  KernelTable& operator=(const KernelTable&) = delete;
  const RowSource& rows() const { return *source_; }
  std::shared_ptr<const RowSource> shared() const { return source_; }

 private:
  struct Storage {
    std::vector<std::int64_t> integers;
    std::vector<std::int32_t> days;
    std::vector<double> reals;
    std::vector<Int128> wides;
    std::vector<std::int32_t> offsets = {0};
    std::string bytes;
    std::vector<std::uint8_t> bits;
    std::vector<std::uint8_t> validity;
  };
  void fill(Storage& storage, const MemoryTable& table, std::size_t column);
  ColumnBatch batch(const Storage& storage, FieldType type, std::size_t rows) const;

  std::deque<Storage> storage_;
  std::shared_ptr<const RowSource> source_;
};

// answer_text: for comparing and printing.
std::string answer_text(const std::vector<GroupAnswer>& groups);

}  // namespace lastbit::engine
