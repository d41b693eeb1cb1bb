// Exact sums of products, for columns whose number of rows is private.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "lastbit/core/chain.h"
#include "lastbit/core/metric.h"
#include "lastbit/core/transformation.h"
#include "lastbit/numerics/integer.h"

namespace lastbit {

using IntegerPairs =
    VectorDomain<PairDomain<IntervalDomain<std::int64_t>, IntervalDomain<std::int64_t>>>;

// product_sum: Σa·b, exactly, for any number of pairs.
Integer product_sum(std::span<const std::pair<std::int64_t, std::int64_t>> pairs);

// make_product_sum
// Σa·b over pairs of bounded integers, as an exact rational.
// Requires  typed: vectors of any size of pairs of integers of intervals, the symmetric distance.
//           checked: nothing.  caller: nothing.
// Ensures   map(d_in) = ⌊d_in⌋·|a|·|b| for the largest magnitudes |a|, |b| in the intervals, which
//           is attained.
// Fails     never.
// Proof     proofs/statistics.md#product-sum
inline auto make_product_sum(const IntegerPairs& domain, const SymmetricDistance& metric) {
  const Distance per_row =
      domain.element().first().magnitude() * domain.element().second().magnitude();
  return Transformation<IntegerPairs, SymmetricDistance, GridDomain, AbsoluteDistance>(
      "product sum", domain, metric, GridDomain(Grid(0)), {},
      [](const CarrierOf<IntegerPairs>& pairs) { return Rational(product_sum(pairs)); },
      Relation<Distance, Distance>::from_map([domain, metric, per_row](const Distance& d_in) {
        return rows_changed(domain, metric, d_in) * per_row;
      }));
}

// make_product_sum, step form: for the pairs it meets in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/statistics.md#product-sum
inline auto make_product_sum() {
  return Step{[](const IntegerPairs& domain, const SymmetricDistance& metric) {
    return make_product_sum(domain, metric);
  }};
}

}  // namespace lastbit
