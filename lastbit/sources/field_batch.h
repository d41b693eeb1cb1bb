// FieldBatch: the fields of one column in a few thousand rows, as values of one of four sorts.
// Everything in a file is converted to one of these before it is compared, grouped or added.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "lastbit/numerics/integer.h"
#include "lastbit/release/file/field.h"
#include "lastbit/sources/records.h"

namespace lastbit::source {

// Validity: one bit per row, 64 in a word, set if there is a value; null means that every row has
// one.
using Validity = const std::uint64_t*;

struct FieldBatch {
  // Whole numbers (booleans are 0 and 1, dates are days after 1970-01-01), wide whole numbers,
  // doubles, or the bytes of texts.
  using Values = std::variant<std::span<const std::int64_t>, std::span<const Int128>,
                              std::span<const double>, std::span<const std::string_view>>;
  Values values;
  Validity validity = nullptr;

  bool is_missing(std::size_t row) const {
    return validity != nullptr && (validity[row / 64] >> (row % 64) & 1) == 0;
  }
  template <class T>
  T value(std::size_t row) const {
    return std::get<std::span<const T>>(values)[row];
  }
};

// FieldBuffer: room for a batch.
class FieldBuffer {
 public:
  // read: the fields as values of the type: doubles for kReal, bytes for kText, whole numbers for
  // the others. The batch is valid until the next one is read.
  FieldBatch read(std::span<const RawField> fields, FieldType type);

 private:
  std::vector<std::int64_t> integers_;
  std::vector<double> reals_;
  std::vector<std::string_view> texts_;
  std::vector<std::uint64_t> validity_;
};

}  // namespace lastbit::source
