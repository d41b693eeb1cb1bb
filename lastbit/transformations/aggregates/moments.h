// What variance and covariance share: exact sums of products, and the numbers in their maps.
// Proof: proofs/transformations-aggregates.md#moments
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lastbit/numerics/integer.h"
#include "lastbit/numerics/rational.h"

namespace lastbit {

// ProductSums: Σa, Σb and Σa·b over pairs of whole numbers, exactly.
//
// Requires  caller: a ≤ max_a and b ≤ max_b for each pair added, as GridRows::offset ensures; fewer
//           than 2^64 pairs.
// Ensures   nothing overflows: products are added in 128 bits, in blocks that cannot exceed them.
class ProductSums {
 public:
  ProductSums(std::uint64_t max_a, std::uint64_t max_b);

  void add(std::uint64_t a, std::uint64_t b) {
    sum_a_ += a;
    sum_b_ += b;
    block_ += static_cast<UInt128>(a) * b;
    if (--room_ == 0) flush();
  }
  // centred: Σa·b − Σa·Σb/size. For `size` pairs this is Σ(a − mean a)·(b − mean b).
  Rational centred(std::size_t size) const;

 private:
  void flush();

  std::uint64_t rows_per_block_;
  std::uint64_t room_;
  UInt128 sum_a_ = 0;
  UInt128 sum_b_ = 0;
  UInt128 block_ = 0;
  Integer products_;
};

// require_degrees: size ≥ 1 and ddof < size, else kBadParameter naming `place`.
void require_degrees(std::string_view place, std::size_t size, std::size_t ddof);

// split_square: j·(n − j)/n, the sum of squared deviations of j ones and n − j zeros.
// Requires  caller: 0 ≤ j ≤ n, n ≥ 1.
Rational split_square(const Rational& j, std::size_t n);

}  // namespace lastbit
