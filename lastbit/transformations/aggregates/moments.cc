#include "lastbit/transformations/aggregates/moments.h"

#include <fmt/core.h>

#include <algorithm>

#include "lastbit/base/error.h"

namespace lastbit {
namespace {

// As many products as fit in 128 bits together, and few enough for the countdown to fit in 64.
std::uint64_t block_of(std::uint64_t max_a, std::uint64_t max_b) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 32;
  const UInt128 product = static_cast<UInt128>(max_a) * max_b;
  if (product == 0) return kMost;
  return static_cast<std::uint64_t>(std::min(~UInt128{0} / product, static_cast<UInt128>(kMost)));
}

}  // namespace

ProductSums::ProductSums(std::uint64_t max_a, std::uint64_t max_b)
    : rows_per_block_(block_of(max_a, max_b)), room_(rows_per_block_) {}

void ProductSums::flush() {
  products_ += Integer(block_);
  block_ = 0;
  room_ = rows_per_block_;
}

Rational ProductSums::centred(std::size_t size) const {
  const Integer squares = Integer(sum_a_) * Integer(sum_b_);
  return Rational(products_ + Integer(block_)) - Rational(squares, Integer(size));
}

void require_degrees(std::string_view place, std::size_t size, std::size_t ddof) {
  if (size == 0) {
    throw Error::bad_parameter(place, "size", "is 0, and no rows have no spread",
                               "resize the data to at least one row");
  }
  if (ddof >= size) {
    throw Error::bad_parameter(
        place, "ddof", fmt::format("({}) leaves nothing of {} rows to divide by", ddof, size),
        "give a ddof below the number of rows (usually 1, or 0)");
  }
}

Rational split_square(const Rational& j, std::size_t n) {
  const Rational size(n);
  return j * (size - j) / size;
}

}  // namespace lastbit
