// ArrowBlock: some rows of a column of a batch, as values that the kernel reads. For this module
// only.
//
// Guarantee      each value is a function of one field, of the column's type and of the type that
//                the release declares. Definition: proofs/engine.md#arrow
// Fails          kBadInput, with the name of the column, for offsets, views and codes that lead out
//                of their buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/engines/arrow/arrow_type.h"
#include "lastbit/engines/kernel/arrow_batch.h"
#include "lastbit/release/fields/field_type.h"

namespace lastbit::engine {

// refuse_column: a kBadInput Error that `source` has a column that `problem` is said of.
[[noreturn]] void refuse_column(const std::string& source, const std::string& column,
                                const char* problem);

class ArrowBlock {
 public:
  // `wanted` is a type that columns of this type can be declared as. Both strings and the column
  // outlive this.
  ArrowBlock(const std::string& source, const ArrowColumn& column, FieldType wanted);
  ArrowBlock(const ArrowBlock&) = delete;
  ArrowBlock& operator=(const ArrowBlock&) = delete;
  ~ArrowBlock();

  // read: the rows from `first` on, counted from the array's own offset. It is valid until the next
  // call, and no longer than the array. Arrays live as long as this.
  // Requires  caller: check_array (arrow_check.h) accepts the array.
  ColumnBatch read(const ArrowArray& array, std::size_t first, std::size_t rows);

 private:
  void read_validity(const ArrowArray& array, std::size_t first, std::size_t rows);
  bool is_there(std::size_t row) const {
    return validity_.empty() || (validity_[row / 8] >> (row % 8) & 1) != 0;
  }
  void set_missing(std::size_t row);
  ColumnBatch batch(ColumnValues values, std::size_t rows) const;

  ColumnBatch read_values(const ArrowArray& array, std::size_t first, std::size_t rows);
  ColumnBatch read_coded(const ArrowArray& array, ArrowLayout layout, std::size_t first,
                         std::size_t rows);
  ColumnBatch read_texts(const ArrowArray& array, std::size_t first, std::size_t rows);
  template <class Offset>
  void read_offsets(const ArrowArray& array, std::size_t first, std::size_t rows);
  void read_views(const ArrowArray& array, std::size_t first, std::size_t rows);
  ColumnBatch read_reals(const ArrowArray& array, std::size_t first, std::size_t rows);
  ColumnBatch read_wides(const ArrowArray& array, std::size_t first, std::size_t rows);
  // map_integers: the map of each whole number, of which some have no value.
  template <class Map>
  ColumnBatch map_integers(std::size_t rows, Map map);

  const std::string& source_;
  const ArrowColumn& column_;
  FieldType wanted_;
  std::vector<std::uint8_t> validity_;  // bits; empty: every row has a value
  std::vector<std::int64_t> integers_;
  std::vector<Int128> wides_;
  std::vector<double> reals_;
  std::vector<std::string_view> texts_;

  // The entries of the last dictionary, which are read once.
  struct Entries;
  std::unique_ptr<Entries> entries_;
};

}  // namespace lastbit::engine
