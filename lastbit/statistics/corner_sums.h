// The sums of the distances of all rows from both of their bounds: a count and a sum in one, which
// together move no more than either of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lastbit/core/chain.h"
#include "lastbit/core/metric.h"
#include "lastbit/core/transformation.h"
#include "lastbit/numerics/integer.h"

namespace lastbit {

using IntegerRows = VectorDomain<IntervalDomain<std::int64_t>>;

// corner_sums: Σ(row − lower) and Σ(upper − row), exactly, for rows within the bounds.
// Requires  caller: upper − lower < 2^63.
std::vector<Rational> corner_sums(std::span<const std::int64_t> rows, std::int64_t lower,
                                  std::int64_t upper);

// make_corner_sums
// [Σ(row − lower), Σ(upper − row)] over bounded integers, as exact rationals.
// Requires  typed: vectors of any size of integers of an interval, the symmetric distance.
//           checked: nothing.  caller: the interval is narrower than 2^63.
// Ensures   map(d_in) = ⌊d_in⌋·(upper − lower) in L1, which every row attains.
// Fails     never.
// Proof     proofs/statistics.md#corners
inline auto make_corner_sums(const IntegerRows& domain, const SymmetricDistance& metric) {
  const IntervalDomain<std::int64_t>& bounds = domain.element();
  const Distance per_row = bounds.width();
  using Numbers = VectorDomain<GridDomain>;
  return Transformation<IntegerRows, SymmetricDistance, Numbers, L1Distance>(
      "sums of distances from both bounds", domain, metric, Numbers(GridDomain(Grid(0))), {},
      [bounds](const CarrierOf<IntegerRows>& rows) {
        return corner_sums(rows, bounds.lower(), bounds.upper());
      },
      Relation<Distance, Distance>::from_map([domain, metric, per_row](const Distance& d_in) {
        return rows_changed(domain, metric, d_in) * per_row;
      }));
}

// make_corner_sums, step form: for the rows it meets in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/statistics.md#corners
inline auto make_corner_sums() {
  return Step{[](const IntegerRows& domain, const SymmetricDistance& metric) {
    return make_corner_sums(domain, metric);
  }};
}

}  // namespace lastbit
