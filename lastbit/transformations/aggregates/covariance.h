// Exact covariances of two columns.
#pragma once

#include <algorithm>
#include <cstddef>

#include "lastbit/core/chain.h"
#include "lastbit/core/metric.h"
#include "lastbit/core/transformation.h"
#include "lastbit/transformations/aggregates/moments.h"
#include "lastbit/transformations/rows/grid_rows.h"

namespace lastbit {

// PairDataset: a fixed number of rows, each a pair of bounded numbers.
template <class D>
inline constexpr bool is_summable_pair = false;
template <SummableRow T, SummableRow U>
inline constexpr bool is_summable_pair<PairDomain<IntervalDomain<T>, IntervalDomain<U>>> = true;
template <class D, class M>
concept PairDataset = DatasetSpace<D, M> && SizedDomain<D> && is_summable_pair<ElementOf<D>>;

// make_covariance
// Σ(x − mean x)(y − mean y)/(n − ddof) over n bounded pairs, as an exact rational; doubles are
// first put on their column's grid.
// Requires  typed: sized vectors of pairs of integers or doubles in intervals, a dataset metric.
//           checked: n ≥ 1; ddof < n; on its grid each column's bounds have at most 62 bits; an
//           integer column has the grid 2^0; else kBadParameter.  caller: nothing.
// Ensures   with k = rows_changed(d_in) and w, v the widths of the columns on their grids,
//           map(d_in) = min(k·(n − 1)/n, 2·⌊n²/4⌋/n) · w·v/(n − ddof), which is attained for
//           k = 0, 1 and n. The covariance lies in ±⌊n²/4⌋/n · w·v/(n − ddof), and both ends are
//           attained.
// Fails     never; a value outside its interval counts as the nearer bound, NaN as the lower one.
// Proof     proofs/transformations-aggregates.md#covariance
template <class D, class M>
  requires PairDataset<D, M>
auto make_covariance(const D& domain, const M& metric, Grid first_grid, Grid second_grid,
                     std::size_t ddof = 1) {
  const std::size_t size = domain.size();
  require_degrees("make_covariance", size, ddof);
  const GridRows first("make_covariance", domain.element().first(), first_grid);
  const GridRows second("make_covariance", domain.element().second(), second_grid);
  const Rational degrees(size - ddof);
  const Rational unit = first_grid.spacing() * second_grid.spacing() / degrees;
  const Rational per_product = first.width() * second.width() / degrees;
  const Rational most = split_square(Rational(size / 2), size) * per_product;
  const Distance per_row = split_square(Rational(1), size) * per_product;
  return Transformation<D, M, IntervalDomain<Rational>, AbsoluteDistance>(
      "covariance", domain, metric, IntervalDomain<Rational>(-most, most), {},
      [first, second, size, unit](const CarrierOf<D>& data) {
        ProductSums sums(first.max_offset(), second.max_offset());
        for (const auto& [x, y] : data) sums.add(first.offset(x), second.offset(y));
        return sums.centred(size) * unit;
      },
      Relation<Distance, Distance>::from_map([domain, metric, most, per_row](const Distance& d_in) {
        return std::min(rows_changed(domain, metric, d_in) * per_row, Distance(most * Rational(2)));
      }));
}

// make_covariance, without grids: integers are taken as they are, doubles on default_grid.
// Requires  as above.
// Ensures   as above.
// Proof     proofs/transformations-aggregates.md#covariance
template <class D, class M>
  requires PairDataset<D, M>
auto make_covariance(const D& domain, const M& metric, std::size_t ddof = 1) {
  return make_covariance(domain, metric, default_grid(domain.element().first()),
                         default_grid(domain.element().second()), ddof);
}

// make_covariance, step forms: for the rows they meet in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/transformations-aggregates.md#covariance
inline auto make_covariance(Grid first_grid, Grid second_grid, std::size_t ddof = 1) {
  return Step{[first_grid, second_grid, ddof]<class D, class M>(const D& domain, const M& metric)
                requires PairDataset<D, M>
              { return make_covariance(domain, metric, first_grid, second_grid, ddof); }};
}
inline auto make_covariance(std::size_t ddof = 1) {
  return Step{[ddof]<class D, class M>(const D& domain, const M& metric)
                requires PairDataset<D, M>
              { return make_covariance(domain, metric, ddof); }};
}

}  // namespace lastbit
