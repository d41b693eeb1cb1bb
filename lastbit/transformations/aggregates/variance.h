// Exact variances.
#pragma once

#include <algorithm>
#include <cstddef>

#include "lastbit/core/chain.h"
#include "lastbit/core/metric.h"
#include "lastbit/core/transformation.h"
#include "lastbit/transformations/aggregates/moments.h"
#include "lastbit/transformations/rows/grid_rows.h"

namespace lastbit {

namespace variance_internal {

template <class D, class M>
auto variance_on_grid(const D& domain, const M& metric, const GridRows<RowOf<D>>& rows,
                      std::size_t ddof) {
  const std::size_t size = domain.size();
  require_degrees("make_variance", size, ddof);
  const Rational unit = pow(rows.grid().spacing(), 2) / Rational(size - ddof);
  const Rational per_square = pow(rows.width(), 2) / Rational(size - ddof);
  const Rational half(size / 2);
  return Transformation<D, M, IntervalDomain<Rational>, AbsoluteDistance>(
      "variance", domain, metric,
      IntervalDomain<Rational>(0, split_square(half, size) * per_square), {},
      [rows, size, unit](const CarrierOf<D>& data) {
        ProductSums sums(rows.max_offset(), rows.max_offset());
        for (const auto row : data) sums.add(rows.offset(row), rows.offset(row));
        return sums.centred(size) * unit;
      },
      Relation<Distance, Distance>::from_map(
          [domain, metric, size, half, per_square](const Distance& d_in) {
            const Distance changed = rows_changed(domain, metric, d_in);
            return Distance(split_square(std::min(changed.value(), half), size) * per_square);
          }));
}

}  // namespace variance_internal

// make_variance
// Σ(x − mean)²/(n − ddof) over n bounded rows, an exact rational; doubles are first put on `grid`.
// Requires  typed: sized vectors of integers or doubles in an interval, a dataset metric.
//           checked: n ≥ 1; ddof < n; on the grid the bounds have at most 62 bits; else
//           kBadParameter.  caller: nothing.
// Ensures   with k = rows_changed(d_in), j = min(k, ⌊n/2⌋) and the bounds l ≤ u put on the grid,
//           map(d_in) = j·(n − j)/n · (u − l)²/(n − ddof), which is attained for every k. The
//           variance lies between 0 and the map at j = ⌊n/2⌋, and both ends are attained.
// Fails     never; a row outside the interval counts as the nearer bound, NaN as the lower one.
// Proof     proofs/transformations-aggregates.md#variance
template <class D, class M>
  requires(DoubleDataset<D, M> && SizedDomain<D>)
auto make_variance(const D& domain, const M& metric, Grid grid, std::size_t ddof = 1) {
  return variance_internal::variance_on_grid(
      domain, metric, GridRows<double>("make_variance", domain.element(), grid), ddof);
}

// make_variance, without a grid: integers are taken as they are, doubles on default_grid.
// Requires  as above.
// Ensures   as above.
// Proof     proofs/transformations-aggregates.md#variance
template <class D, class M>
  requires SizedIntervalDataset<D, M>
auto make_variance(const D& domain, const M& metric, std::size_t ddof = 1) {
  const auto& rows = domain.element();
  return variance_internal::variance_on_grid(
      domain, metric, GridRows<RowOf<D>>("make_variance", rows, default_grid(rows)), ddof);
}

// make_variance, step forms: for the rows they meet in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/transformations-aggregates.md#variance
inline auto make_variance(Grid grid, std::size_t ddof = 1) {
  return Step{[grid, ddof]<class D, class M>(const D& domain, const M& metric)
                requires(DoubleDataset<D, M> && SizedDomain<D>)
              { return make_variance(domain, metric, grid, ddof); }};
}
inline auto make_variance(std::size_t ddof = 1) {
  return Step{[ddof]<class D, class M>(const D& domain, const M& metric)
                requires SizedIntervalDataset<D, M>
              { return make_variance(domain, metric, ddof); }};
}

}  // namespace lastbit
