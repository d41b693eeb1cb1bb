// RowFunction: a function of rows that gives carriers: 64-bit whole numbers or strings of bytes.
//
// This is the edge: everything that an engine compares, groups, orders or adds is a Carrier. Our
// own functions turn other fields into these. Proof: proofs/reading.md#edge
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "lastbit/release/fields/field_batch.h"

namespace lastbit::engine {

// Carrier: the type in which an engine holds keys, units and contents.
enum class Carrier { kInteger, kBytes };

// Output: where a RowFunction stores a value of its carrier, or null, for each row.
class Output {
 public:
  // Store: what only the owner of the memory can do.
  class Store {
   public:
    Store() = default;
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;
    virtual ~Store() = default;
    virtual void set_text(std::size_t row, std::string_view value) = 0;
    // make_validity: one bit per row, all set. Without it every row has a value.
    virtual std::uint64_t* make_validity() = 0;
  };

  // `integers` has room for all rows, if the carrier is a whole number.
  Output(std::int64_t* integers, Store& store) : integers_(integers), store_(store) {}

  void set(std::size_t row, std::int64_t value) { integers_[row] = value; }
  void set(std::size_t row, std::string_view value) { store_.set_text(row, value); }
  void set_null(std::size_t row) { keep(row / 64, ~(std::uint64_t{1} << (row % 64))); }
  // keep: in the 64 rows from 64 * word on, those whose bit is 0 become null.
  void keep(std::size_t word, std::uint64_t bits) {
    if (~bits == 0) return;
    if (validity_ == nullptr) validity_ = store_.make_validity();
    validity_[word] &= bits;
  }

 private:
  std::int64_t* integers_;
  Store& store_;
  std::uint64_t* validity_ = nullptr;
};

// write_fields: the fields themselves; T is the type of their values.
template <class T>
void write_fields(const FieldBatch& fields, std::size_t rows, Output& out) {
  for (std::size_t row = 0; row < rows; ++row) {
    if (fields.is_missing(row)) {
      out.set_null(row);
    } else {
      out.set(row, fields.value<T>(row));
    }
  }
}

// Several threads may call it at the same time.
class RowFunction {
 public:
  RowFunction() = default;
  RowFunction(const RowFunction&) = delete;
  RowFunction& operator=(const RowFunction&) = delete;
  virtual ~RowFunction() = default;
  virtual void run(std::span<const FieldBatch> arguments, std::size_t rows, Output& out) const = 0;
};

}  // namespace lastbit::engine
