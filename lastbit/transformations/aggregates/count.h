// Counting rows.
#pragma once

#include <algorithm>
#include <cstdint>

#include "lastbit/core/chain.h"
#include "lastbit/core/metric.h"
#include "lastbit/core/multiset.h"
#include "lastbit/core/transformation.h"
#include "lastbit/transformations/rows/row_value.h"

namespace lastbit {

// make_count
// The number of rows.
// Requires  typed: a vector domain of either kind, a dataset metric.  checked: nothing.
//           caller: nothing.
// Ensures   map(d_in) = rows_changed(d_in), which is attained; 0 on sized vectors, where the count
//           is public.
// Fails     never.
// Proof     proofs/transformations-aggregates.md#count
template <class D, class M>
  requires DatasetSpace<D, M>
auto make_count(const D& domain, const M& metric) {
  return Transformation<D, M, AllDomain<std::int64_t>, AbsoluteDistance>(
      "count", domain, metric, integers(), {},
      [](const CarrierOf<D>& rows) { return static_cast<std::int64_t>(rows.size()); },
      Relation<Distance, Distance>::from_map([domain, metric](const Distance& d_in) {
        return SizedDomain<D> ? Distance(0) : rows_changed(domain, metric, d_in);
      }));
}

// make_count, step form: for the rows it meets in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/transformations-aggregates.md#count
inline auto make_count() {
  return Step{[]<class D, class M>(const D& domain, const M& metric)
                requires DatasetSpace<D, M>
              { return make_count(domain, metric); }};
}

// make_count_distinct
// The number of different rows; rows are equal when they are identical, so 0.0 and −0.0 are two.
// Requires  typed: a vector domain of either kind, a dataset metric.  checked: nothing.
//           caller: nothing.
// Ensures   map(d_in) = rows_changed(d_in); on vectors of n rows at most n − 1. Both are attained
//           where the rows can take enough values.
// Fails     never.
// Proof     proofs/transformations-aggregates.md#count-distinct
template <class D, class M>
  requires DatasetSpace<D, M>
auto make_count_distinct(const D& domain, const M& metric) {
  return Transformation<D, M, AllDomain<std::int64_t>, AbsoluteDistance>(
      "count distinct", domain, metric, integers(), {},
      [](const CarrierOf<D>& rows) {
        return static_cast<std::int64_t>(Multiset<RowOf<D>>(rows).histogram().size());
      },
      Relation<Distance, Distance>::from_map([domain, metric](const Distance& d_in) {
        const Distance changed = rows_changed(domain, metric, d_in);
        if constexpr (SizedDomain<D>) {
          return std::min(changed, Distance(std::max(domain.size(), std::size_t{1}) - 1));
        } else {
          return changed;
        }
      }));
}

// make_count_distinct, step form: for the rows it meets in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/transformations-aggregates.md#count-distinct
inline auto make_count_distinct() {
  return Step{[]<class D, class M>(const D& domain, const M& metric)
                requires DatasetSpace<D, M>
              { return make_count_distinct(domain, metric); }};
}

}  // namespace lastbit
