// The exact sums that variances and covariances of a private size are made of.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "lastbit/core/chain.h"
#include "lastbit/core/metric.h"
#include "lastbit/core/transformation.h"
#include "lastbit/numerics/integer.h"
#include "lastbit/statistics/corner_sums.h"
#include "lastbit/statistics/product_sum.h"

namespace lastbit {

// square_sums: for rows x in [l, u]: Σ(u−x)², Σ2(x−l)(u−x), Σ(x−l)². pair_corner_sums: for pairs
// with y in [m, v] as well: Σ(u−x)(v−y), Σ(u−x)(y−m), Σ(x−l)(v−y), Σ(x−l)(y−m). Exact for any
// number of rows.
// Requires  caller: rows lie in their intervals, which are narrower than 2^63.
std::vector<Rational> square_sums(std::span<const std::int64_t> rows,
                                  const IntervalDomain<std::int64_t>& bounds);
std::vector<Rational> pair_corner_sums(std::span<const std::pair<std::int64_t, std::int64_t>> rows,
                                       const IntervalDomain<std::int64_t>& first,
                                       const IntervalDomain<std::int64_t>& second);

namespace statistics_internal {
// require_narrow: distances from the lower bound fit 63 bits; else kBadParameter.
void require_narrow(std::string_view place, const IntervalDomain<std::int64_t>& bounds);
}  // namespace statistics_internal

// make_square_sums
// The square_sums of bounded integers, as exact rationals.
// Requires  typed: vectors of any size of integers of an interval, the symmetric distance.
//           checked: the interval is narrower than 2^63, else kBadParameter.
// Ensures   map(d_in) = ⌊d_in⌋·(u − l)² in L1, which every row attains.
// Fails     never once it is made.
// Proof     proofs/statistics.md#bases
inline auto make_square_sums(const IntegerRows& domain, const SymmetricDistance& metric) {
  const IntervalDomain<std::int64_t>& bounds = domain.element();
  statistics_internal::require_narrow("make_square_sums", bounds);
  const Distance per_row = bounds.width() * bounds.width();
  using Numbers = VectorDomain<GridDomain>;
  return Transformation<IntegerRows, SymmetricDistance, Numbers, L1Distance>(
      "sums of quadratic terms", domain, metric, Numbers(GridDomain(Grid(0))), {},
      [bounds](const CarrierOf<IntegerRows>& rows) { return square_sums(rows, bounds); },
      Relation<Distance, Distance>::from_map([domain, metric, per_row](const Distance& d_in) {
        return rows_changed(domain, metric, d_in) * per_row;
      }));
}

// make_square_sums, step form: for the rows it meets in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/statistics.md#bases
inline auto make_square_sums() {
  return Step{[](const IntegerRows& domain, const SymmetricDistance& metric) {
    return make_square_sums(domain, metric);
  }};
}

// make_pair_corner_sums
// The pair_corner_sums of bounded pairs of integers, as exact rationals.
// Requires  as make_square_sums, for pairs.
// Ensures   map(d_in) = ⌊d_in⌋·(u − l)·(v − m) in L1, which every row attains.
// Fails     never once it is made.
// Proof     proofs/statistics.md#bases
inline auto make_pair_corner_sums(const IntegerPairs& domain, const SymmetricDistance& metric) {
  const IntervalDomain<std::int64_t>& first = domain.element().first();
  const IntervalDomain<std::int64_t>& second = domain.element().second();
  statistics_internal::require_narrow("make_pair_corner_sums", first);
  statistics_internal::require_narrow("make_pair_corner_sums", second);
  const Distance per_row = first.width() * second.width();
  using Numbers = VectorDomain<GridDomain>;
  return Transformation<IntegerPairs, SymmetricDistance, Numbers, L1Distance>(
      "sums of products of distances from the bounds", domain, metric, Numbers(GridDomain(Grid(0))),
      {},
      [first, second](const CarrierOf<IntegerPairs>& rows) {
        return pair_corner_sums(rows, first, second);
      },
      Relation<Distance, Distance>::from_map([domain, metric, per_row](const Distance& d_in) {
        return rows_changed(domain, metric, d_in) * per_row;
      }));
}

// make_pair_corner_sums, step form: for the pairs it meets in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/statistics.md#bases
inline auto make_pair_corner_sums() {
  return Step{[](const IntegerPairs& domain, const SymmetricDistance& metric) {
    return make_pair_corner_sums(domain, metric);
  }};
}

}  // namespace lastbit
