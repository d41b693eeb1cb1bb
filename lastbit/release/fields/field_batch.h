// FieldBatch: the fields of one column in a few thousand rows, as values of one of four sorts.
// Everything in a file is converted to one of these before it is compared, grouped or added.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "lastbit/numerics/integer.h"

namespace lastbit {

// Validity: one bit per row, 64 in a word, set if there is a value; null means that every row has
// one.
using Validity = const std::uint64_t*;

struct FieldBatch {
  // Whole numbers (booleans are 0 and 1, dates are days after 1970-01-01, instants microseconds
  // after it, times microseconds after midnight), wide whole numbers (decimals are times a power of
  // ten that their type says), doubles, or the bytes of texts.
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

}  // namespace lastbit
