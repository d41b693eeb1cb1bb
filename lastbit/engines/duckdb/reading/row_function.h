// RowFunction: a function of rows that statements can call, and the types of its arguments. For
// this module only.
//
// This is the edge: everything that the engine compares, groups, orders or adds is a 64-bit whole
// number or a string of bytes (Carrier). Our own functions turn other fields into these.
// Proof: proofs/reading.md#edge
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "lastbit/release/fields/field_batch.h"
#include "lastbit/release/fields/time_zone.h"

namespace lastbit::engine {

// Carrier: the type in which the engine holds keys, units and contents: BIGINT or BLOB.
enum class Carrier { kInteger, kBytes };

// Parameter of a function: the type in which the engine passes a field. 128-bit whole numbers,
// doubles, decimals, dates and times go no further than our functions.
enum class ArgumentKind {
  kInteger,
  kWideInteger,
  kReal,
  kDecimal,      // read as the nearest double
  kWideDecimal,  // read as it is
  kDate,
  kTimestamp,  // an instant
  kLocalTime,  // a time in the zone
  kTime,
  kBytes,
};
struct ArgumentType {
  ArgumentKind kind = ArgumentKind::kInteger;
  int width = 0;  // of decimals
  int scale = 0;  // of decimals; of kTimestamp and kLocalTime: digits after the second
  const TimeZone* zone = nullptr;
};

// Output: where a RowFunction stores a value of its carrier, or null, for each row: a vector of the
// engine.
class Output {
 public:
  explicit Output(void* vector);
  void set(std::size_t row, std::int64_t value) { integers_[row] = value; }
  void set(std::size_t row, std::string_view value);
  void set_null(std::size_t row) { keep(row / 64, ~(std::uint64_t{1} << (row % 64))); }
  // keep: in the 64 rows from 64 * word on, those whose bit is 0 become null.
  void keep(std::size_t word, std::uint64_t bits) {
    if (~bits == 0) return;
    if (validity_ == nullptr) make_validity();
    validity_[word] &= bits;
  }

 private:
  void make_validity();

  std::int64_t* integers_;
  void* vector_;
  std::uint64_t* validity_ = nullptr;  // a vector without nulls needs none
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

// The engine calls it from several threads at the same time.
class RowFunction {
 public:
  RowFunction() = default;
  RowFunction(const RowFunction&) = delete;
  RowFunction& operator=(const RowFunction&) = delete;
  virtual ~RowFunction() = default;
  virtual void run(std::span<const FieldBatch> arguments, std::size_t rows, Output& out) const = 0;
};

}  // namespace lastbit::engine
