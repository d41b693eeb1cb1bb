// Comparing every row with one public value.
#pragma once

#include <utility>

#include "lastbit/core/identity.h"
#include "lastbit/transformations/rows/row_transform.h"

namespace lastbit {

// make_is_equal
// Replaces every row by whether it is `value`: true for the identical value, false for any other.
// Identity is not ==: −0.0 is not 0.0, and a NaN is the NaN with the same 64 bits.
// Requires  typed: a vector domain, a dataset metric on it, a literal for its rows.  checked: value
//           is a member of the rows' domain, else kBadParameter.  caller: nothing.
// Ensures   map(d_in) = d_in, for each of the four dataset metrics; the rows become booleans.
// Fails     never.
// Proof     proofs/transformations-rows.md#is-equal
template <class D, class M, class V>
  requires(DatasetSpace<D, M> && RowValue<V, RowOf<D>>)
auto make_is_equal(const D& domain, const M& metric, const V& value) {
  return rows_internal::row_by_row(
      "is equal", domain, metric, booleans(),
      [wanted = row_value_of(domain.element(), value, "make_is_equal", "value")](
          const RowOf<D>& row) { return identical(row, wanted); });
}

// make_is_equal, step form: for the rows it meets in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/transformations-rows.md#is-equal
template <class V>
auto make_is_equal(const V& value) {
  return Step{
      [kept = kept_value(value)]<class D, class M>(const D& domain, const M& metric)
        requires(DatasetSpace<D, M> && RowValue<decltype(kept_value(std::declval<V>())), RowOf<D>>)
      { return make_is_equal(domain, metric, kept); }};
}

}  // namespace lastbit
