// Clamping: values outside the bounds become the nearer bound.
#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>

#include "lastbit/transformations/rows/row_transform.h"

namespace lastbit {

namespace rows_internal {

// A NaN in a double that should not hold one counts as below every bound, so that the result is
// always a member of the interval.
template <Number T>
T clamped(const T& value, const T& lower, const T& upper) {
  if (!(value >= lower)) return lower;
  return value > upper ? upper : value;
}

template <NumberDomain E>
void require_no_nan(const E& element) {
  if constexpr (std::same_as<E, AllDomain<double>>) {
    if (element.nan() == Nan::kExcluded) return;
    throw Error::bad_parameter("make_clamp", "domain",
                               "admits NaN, which is neither below nor above a bound",
                               "impute NaN first (make_impute_constant)");
  }
}

template <class D, class M, Number T>
auto clamp_rows(const D& domain, const M& metric, const IntervalDomain<T>& bounds) {
  require_no_nan(domain.element());
  return row_by_row("clamp", domain, metric, bounds,
                    [lower = bounds.lower(), upper = bounds.upper()](const T& row) {
                      return clamped(row, lower, upper);
                    });
}

}  // namespace rows_internal

// make_clamp
// Moves every row into [lower, upper], to the nearest value of the row's type in it.
// Requires  typed: vectors of integers, doubles or rationals (all of them or an interval), a
//           dataset metric.  checked: lower ≤ upper with a value of the row's type between them,
//           and rows without NaN (impute NaN first), else kBadParameter.  caller: nothing.
// Ensures   map(d_in) = d_in, for each of the four dataset metrics; the rows become
//           IntervalDomain(lower, upper), whose bounds are narrowed inward to values of the type.
// Fails     never; a NaN outside the domain becomes the lower bound.
// Proof     proofs/transformations-rows.md#clamp
template <class D, class M>
  requires(DatasetSpace<D, M> && NumberDomain<ElementOf<D>>)
auto make_clamp(const D& domain, const M& metric, const Rational& lower, const Rational& upper) {
  return rows_internal::clamp_rows(domain, metric, IntervalDomain<RowOf<D>>(lower, upper));
}

// make_clamp, for one number
// Moves a number into [lower, upper].
// Requires  typed: integers, doubles or rationals (all of them or an interval) with the absolute
//           distance.  checked: as for rows.  caller: nothing.
// Ensures   map(d_in) = min(d_in, upper − lower), with the bounds of the output domain.
// Fails     never; a NaN outside the domain becomes the lower bound.
// Proof     proofs/transformations-rows.md#clamp-number
template <NumberDomain D>
auto make_clamp(const D& domain, const AbsoluteDistance& metric, const Rational& lower,
                const Rational& upper) {
  using T = CarrierOf<D>;
  const IntervalDomain<T> bounds(lower, upper);
  rows_internal::require_no_nan(domain);
  return Transformation<D, AbsoluteDistance, IntervalDomain<T>, AbsoluteDistance>(
      "clamp", domain, metric, bounds, metric,
      [low = bounds.lower(), high = bounds.upper()](const T& value) {
        return rows_internal::clamped(value, low, high);
      },
      Relation<Distance, Distance>::from_map(
          [width = Distance(bounds.width())](const Distance& d_in) {
            return std::min(d_in, width);
          }));
}

// make_clamp, by its output domain
// Moves rows of any value (NaN excepted) into the interval that `output` names, as in
// make_clamp(vector_of(interval(0, 200'000))); the data is compared by symmetric distance.
// Requires  typed: a vector domain of intervals.  checked: nothing.  caller: nothing.
// Ensures   map(d_in) = d_in; a chain may start here.
// Fails     never; a NaN outside the domain becomes the lower bound.
// Proof     proofs/transformations-rows.md#clamp
template <DatasetDomain D>
  requires std::same_as<ElementOf<D>, IntervalDomain<RowOf<D>>>
auto make_clamp(const D& output) {
  return rows_internal::clamp_rows(output.with_element(AllDomain<RowOf<D>>()), SymmetricDistance{},
                                   output.element());
}

// make_clamp, step form: for the rows, or the number, it meets in a chain.
// Requires  as the full forms.
// Ensures   as the full forms.
// Proof     proofs/transformations-rows.md#clamp
inline auto make_clamp(const Rational& lower, const Rational& upper) {
  return Step{[lower, upper]<class D, class M>(const D& domain, const M& metric)
                requires requires { make_clamp(domain, metric, Rational(), Rational()); }
              { return make_clamp(domain, metric, lower, upper); }};
}

}  // namespace lastbit
