// Row transforms: one function, applied to each row separately.
//
// Such a function moves no dataset farther from another, under any of the four metrics, because
// identical rows give identical results. Cast, clamp, impute and is_equal are row transforms.
#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include "lastbit/core/chain.h"
#include "lastbit/core/transformation.h"
#include "lastbit/transformations/rows/row_value.h"

namespace lastbit {

namespace rows_internal {

template <class D, class M, Domain E, class G>
  requires DatasetSpace<D, M>
auto row_by_row(std::string name, const D& domain, const M& metric, const E& output_element, G g) {
  using Output = WithElement<D, E>;
  return Transformation<D, M, Output, M>(
      std::move(name), domain, metric, domain.with_element(output_element), metric,
      [g = std::move(g)](const CarrierOf<D>& rows) {
        CarrierOf<Output> results;
        results.reserve(rows.size());
        for (const auto& row : rows) results.push_back(g(row));
        return results;
      },
      Relation<Distance, Distance>::linear(1));
}

}  // namespace rows_internal

// RowFunction: G takes a row of the vector domain D and gives a value of E's carrier.
template <class G, class D, class E>
concept RowFunction =
    DatasetDomain<D> && Domain<E> && std::is_invocable_r_v<CarrierOf<E>, const G&, const RowOf<D>&>;

// make_row_transform
// Replaces every row x by g(x), in place.
// Requires  typed: a vector domain, a dataset metric on it, g from its rows to output_element's
//           carrier.  checked: nothing.  caller: g is pure (identical arguments give identical
//           results, no state, no randomness), maps members of the rows' domain into
//           output_element, and returns without an Error for every value of the carrier.
// Ensures   map(d_in) = d_in, for each of the four dataset metrics; the number of rows stays.
// Fails     never, if g never does.
// Proof     proofs/transformations-rows.md#row-transform
template <class D, class M, Domain E, RowFunction<D, E> G>
  requires DatasetSpace<D, M>
auto make_row_transform(const D& domain, const M& metric, const E& output_element, G g) {
  return rows_internal::row_by_row("row transform", domain, metric, output_element, std::move(g));
}

// make_row_transform, step form: for the rows it meets in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/transformations-rows.md#row-transform
template <Domain E, class G>
auto make_row_transform(const E& output_element, G g) {
  return Step{[output_element, g = std::move(g)]<class D, class M>(const D& domain, const M& metric)
                requires(DatasetSpace<D, M> && RowFunction<G, D, E>)
              { return make_row_transform(domain, metric, output_element, g); }};
}

}  // namespace lastbit
