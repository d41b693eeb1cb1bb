// Exact means.
#pragma once

#include <string_view>

#include "lastbit/base/error.h"
#include "lastbit/transformations/aggregates/sum.h"

namespace lastbit {

namespace mean_internal {

template <class D, class M>
auto mean_on_grid(const D& domain, const M& metric, const GridRows<RowOf<D>>& rows) {
  if (domain.size() == 0) {
    throw Error::bad_parameter("make_mean", "size", "is 0, and no rows have no mean",
                               "resize the data to one row or more");
  }
  const Rational size(domain.size());
  const Distance per_row = rows.width() / size;
  return Transformation<D, M, IntervalDomain<Rational>, AbsoluteDistance>(
      "mean", domain, metric, IntervalDomain<Rational>(rows.lower(), rows.upper()), {},
      [rows, size](const CarrierOf<D>& data) { return exact_sum<RowOf<D>>(rows, data) / size; },
      Relation<Distance, Distance>::from_map([domain, metric, per_row](const Distance& d_in) {
        return rows_changed(domain, metric, d_in) * per_row;
      }));
}

}  // namespace mean_internal

// make_mean
// The mean of n bounded rows, as an exact rational; doubles are first put on `grid`.
// Requires  typed: sized vectors of integers or doubles in an interval, a dataset metric.
//           checked: n ≥ 1; on the grid the bounds have at most 62 bits; else kBadParameter.
//           caller: nothing.
// Ensures   with k = rows_changed(d_in) ≤ n and the bounds l ≤ u put on the grid, map(d_in) =
//           k·(u − l)/n, which is attained. The mean lies in [l, u].
// Fails     as ExactSum::add, whatever the rows; a row outside the interval counts as the nearer
//           bound, NaN as the lower one.
// Proof     proofs/transformations-aggregates.md#mean
template <class D, class M>
  requires(DoubleDataset<D, M> && SizedDomain<D>)
auto make_mean(const D& domain, const M& metric, Grid grid) {
  return mean_internal::mean_on_grid(domain, metric,
                                     GridRows<double>("make_mean", domain.element(), grid));
}

// make_mean, without a grid: integers are taken as they are, doubles on default_grid.
// Requires  as above.
// Ensures   as above.
// Proof     proofs/transformations-aggregates.md#mean
template <class D, class M>
  requires SizedIntervalDataset<D, M>
auto make_mean(const D& domain, const M& metric) {
  const auto& rows = domain.element();
  return mean_internal::mean_on_grid(domain, metric,
                                     GridRows<RowOf<D>>("make_mean", rows, default_grid(rows)));
}

// make_mean, step forms: for the rows they meet in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/transformations-aggregates.md#mean
inline auto make_mean(Grid grid) {
  return Step{[grid]<class D, class M>(const D& domain, const M& metric)
                requires(DoubleDataset<D, M> && SizedDomain<D>)
              { return make_mean(domain, metric, grid); }};
}
inline auto make_mean() {
  return Step{[]<class D, class M>(const D& domain, const M& metric)
                requires SizedIntervalDataset<D, M>
              { return make_mean(domain, metric); }};
}

}  // namespace lastbit
