// Exact sums: each row is put on the grid, then whole numbers are added. The result does not depend
// on the order of the rows, the number of threads or the processor.
#pragma once

#include <cstdint>
#include <span>

#include "lastbit/core/chain.h"
#include "lastbit/core/metric.h"
#include "lastbit/core/transformation.h"
#include "lastbit/transformations/rows/grid_rows.h"

namespace lastbit {

// ExactSum: a running sum, for data that comes in parts or is shared between threads. Give each
// thread its own and merge them at the end, in any order.
//
// Requires  checked: as GridRows.  caller: one thread at a time.
// Ensures   value() is the sum of grid().point(index(row)) over all rows added, exactly, for any
//           number of rows: no addition can overflow.
// Fails     add, of doubles: kNotSupported when the processor does not round to nearest.
//           merge: kMismatch when the other sum has different bounds or a different grid.
// Proof     proofs/transformations-aggregates.md#sum
template <SummableRow T>
class ExactSum {
 public:
  explicit ExactSum(const GridRows<T>& rows) : rows_(rows) {}
  explicit ExactSum(const IntervalDomain<T>& rows) : ExactSum(rows, default_grid(rows)) {}
  ExactSum(const IntervalDomain<T>& rows, Grid grid)
      : ExactSum(GridRows<T>("exact sum", rows, grid)) {}

  void add(std::span<const T> rows);
  void merge(const ExactSum& other);

  const GridRows<T>& rows() const { return rows_; }
  // index: the sum in units of the grid's spacing.
  const Integer& index() const { return index_; }
  Rational value() const { return rows_.grid().point(index_); }

 private:
  GridRows<T> rows_;
  Integer index_;
};

extern template class ExactSum<std::int64_t>;
extern template class ExactSum<double>;

// exact_sum: the sum of these rows.
template <SummableRow T>
Rational exact_sum(const GridRows<T>& grid_rows, std::span<const T> rows) {
  ExactSum<T> sum(grid_rows);
  sum.add(rows);
  return sum.value();
}

namespace sum_internal {

template <class D, class M>
auto sum_on_grid(const D& domain, const M& metric, const GridRows<RowOf<D>>& rows) {
  const Distance per_row = SizedDomain<D> ? rows.width() : rows.magnitude();
  return Transformation<D, M, GridDomain, AbsoluteDistance>(
      "sum", domain, metric, GridDomain(rows.grid()), {},
      [rows](const CarrierOf<D>& data) { return exact_sum<RowOf<D>>(rows, data); },
      Relation<Distance, Distance>::from_map([domain, metric, per_row](const Distance& d_in) {
        return rows_changed(domain, metric, d_in) * per_row;
      }));
}

}  // namespace sum_internal

// make_sum
// The sum of bounded rows, an exact multiple of the spacing of `grid`; doubles are put on it first.
// Requires  typed: vectors of either kind of integers or doubles in an interval, a dataset metric.
//           checked: on the grid the bounds have at most 62 bits, else kBadParameter.
//           caller: nothing.
// Ensures   with k = rows_changed(d_in) and the bounds l ≤ u put on the grid, map(d_in) =
//           k·max(|l|, |u|); on sized vectors k·(u − l). Both are attained.
// Fails     as ExactSum::add, whatever the rows; a row outside the interval counts as the nearer
//           bound, NaN as the lower one.
// Source    [Casacuberta2022], why floats are not added in row order
// Proof     proofs/transformations-aggregates.md#sum
template <class D, class M>
  requires DoubleDataset<D, M>
auto make_sum(const D& domain, const M& metric, Grid grid) {
  return sum_internal::sum_on_grid(domain, metric,
                                   GridRows<double>("make_sum", domain.element(), grid));
}

// make_sum, without a grid: integers are summed as they are, doubles on default_grid.
// Requires  as above.
// Ensures   as above.
// Proof     proofs/transformations-aggregates.md#sum
template <class D, class M>
  requires IntervalDataset<D, M>
auto make_sum(const D& domain, const M& metric) {
  const auto& rows = domain.element();
  return sum_internal::sum_on_grid(domain, metric,
                                   GridRows<RowOf<D>>("make_sum", rows, default_grid(rows)));
}

// make_sum, step forms: for the rows they meet in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/transformations-aggregates.md#sum
inline auto make_sum(Grid grid) {
  return Step{[grid]<class D, class M>(const D& domain, const M& metric)
                requires DoubleDataset<D, M>
              { return make_sum(domain, metric, grid); }};
}
inline auto make_sum() {
  return Step{[]<class D, class M>(const D& domain, const M& metric)
                requires IntervalDataset<D, M>
              { return make_sum(domain, metric); }};
}

}  // namespace lastbit
