// Histograms: how many rows fall into each cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/core/chain.h"
#include "lastbit/core/metric.h"
#include "lastbit/core/multiset.h"
#include "lastbit/core/transformation.h"
#include "lastbit/transformations/rows/bins.h"
#include "lastbit/transformations/rows/row_value.h"

namespace lastbit {

// Other: what happens to a row that is in none of the categories.
enum class Other {
  kDropped,  // it is not counted
  kCounted,  // one more cell, the last, counts these rows
};

namespace histogram_internal {

using Counts = SizedVectorDomain<AllDomain<std::int64_t>>;

// lp_map: what k changed rows do to the counts. Added or removed rows do most when they share one
// cell, exchanged rows when they all move from one cell to another.
template <unsigned P, class D, class M>
auto lp_map(const D& domain, const M& metric, bool several_cells) {
  using Value = ValueOf<LpDistance<P>>;
  return Relation<Distance, Value>::from_map(
      [domain, metric, exchanged = SizedDomain<D> && several_cells](const Distance& d_in) -> Value {
        const Distance changed = rows_changed(domain, metric, d_in);
        if (!exchanged) return changed;
        if constexpr (P == 1) {
          return Distance(2) * changed;
        } else {
          return Value::root_of(Distance(2) * pow(changed, P));
        }
      });
}

// counted: the transformation that counts each row in the cell that `cell_of` gives it, or in none
// when that is not below `cells`.
template <unsigned P, class D, class M, class F>
auto counted(const D& domain, const M& metric, std::size_t cells, F cell_of) {
  return Transformation<D, M, Counts, LpDistance<P>>(
      "histogram", domain, metric, Counts(integers(), cells), {},
      [cells, cell_of = std::move(cell_of)](const CarrierOf<D>& rows) {
        std::vector<std::int64_t> counts(cells, 0);
        for (const auto& row : rows) {
          const std::size_t cell = cell_of(row);
          if (cell < cells) ++counts[cell];
        }
        return counts;
      },
      lp_map<P>(domain, metric, cells > 1));
}

template <class T>
auto cells_of(const std::vector<T>& categories) {
  if (categories.empty()) {
    throw Error::bad_parameter("make_histogram", "categories", "is empty",
                               "name one category or more, or use make_histogram_by_key");
  }
  std::map<T, std::size_t, IdentityLess> cells;
  for (const T& category : categories) {
    if (cells.emplace(category, cells.size()).second) continue;
    throw Error::bad_parameter("make_histogram", "categories", "names one category twice",
                               "list each category once");
  }
  return cells;
}

}  // namespace histogram_internal

// make_histogram
// How often each of the given categories occurs, in their order; anything else is dropped or
// counted in one more cell. A row is in a category when it is identical to it: 0.0 is not −0.0.
// Requires  typed: vectors of either kind whose rows have the categories' type, a dataset metric.
//           checked: at least one category, no two identical, else kBadParameter.  caller: nothing.
// Ensures   with k = rows_changed(d_in), map(d_in) = k for every P; on sized vectors
//           (2·k^P)^(1/P), or k where there is only one cell. All are attained.
// Fails     never.
// Proof     proofs/transformations-aggregates.md#histogram
template <unsigned P, class D, class M>
  requires DatasetSpace<D, M>
auto make_histogram(const D& domain, const M& metric,
                    const std::type_identity_t<std::vector<RowOf<D>>>& categories,
                    Other other = Other::kDropped) {
  const auto cells = histogram_internal::cells_of(categories);
  return histogram_internal::counted<P>(
      domain, metric, cells.size() + (other == Other::kCounted ? 1 : 0),
      [cells](const RowOf<D>& row) {
        const auto found = cells.find(row);
        return found == cells.end() ? cells.size() : found->second;
      });
}

// make_histogram, step form: for rows of the categories' type.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/transformations-aggregates.md#histogram
template <unsigned P, class T>
auto make_histogram(std::vector<T> categories, Other other = Other::kDropped) {
  return Step{[categories = std::move(categories), other]<class D, class M>(const D& domain,
                                                                            const M& metric)
                requires(DatasetSpace<D, M> && std::same_as<RowOf<D>, T>)
              { return make_histogram<P>(domain, metric, categories, other); }};
}

// make_histogram_by_key
// How often each value occurs, for values that are not known beforehand. Which keys occur is
// private too: release the result only through a mechanism that hides rare keys.
// Requires  typed: vectors of either kind, a dataset metric.  checked: nothing.  caller: nothing.
// Ensures   with k = rows_changed(d_in), map(d_in) = k for every P; on sized vectors
//           (2·k^P)^(1/P). Both are attained where rows can differ. Keys are compared by identity.
// Fails     never.
// Proof     proofs/transformations-aggregates.md#histogram
template <unsigned P, class D, class M>
  requires DatasetSpace<D, M>
auto make_histogram_by_key(const D& domain, const M& metric) {
  using Counts = MapDomain<ElementOf<D>, AllDomain<std::int64_t>>;
  return Transformation<D, M, Counts, LpDistance<P>>(
      "histogram by key", domain, metric, Counts(domain.element(), integers()), {},
      [](const CarrierOf<D>& rows) { return Multiset<RowOf<D>>(rows).histogram(); },
      histogram_internal::lp_map<P>(domain, metric, true));
}

// make_histogram_by_key, step form: for the rows it meets in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/transformations-aggregates.md#histogram
template <unsigned P>
auto make_histogram_by_key() {
  return Step{[]<class D, class M>(const D& domain, const M& metric)
                requires DatasetSpace<D, M>
              { return make_histogram_by_key<P>(domain, metric); }};
}

// BinnedDataset: integers or doubles, all of them or those of an interval.
template <class D>
inline constexpr bool is_binnable = false;
template <SummableRow T>
inline constexpr bool is_binnable<AllDomain<T>> = true;
template <SummableRow T>
inline constexpr bool is_binnable<IntervalDomain<T>> = true;
template <class D, class M>
concept BinnedDataset = DatasetSpace<D, M> && is_binnable<ElementOf<D>>;

// make_bin_histogram
// How many rows lie in each of the bins [e0, e1), [e1, e2), …, [e(m−1), em]; the last one includes
// its upper edge. Rows outside all bins, NaN among them, are not counted.
// Requires  typed: vectors of either kind of integers or doubles, a dataset metric.  checked: at
//           least two edges, strictly increasing, else kBadParameter.  caller: nothing.
// Ensures   as make_histogram with one cell per bin. Rows are compared with the exact edges.
// Fails     never.
// Proof     proofs/transformations-aggregates.md#bins
template <unsigned P, class D, class M>
  requires BinnedDataset<D, M>
auto make_bin_histogram(const D& domain, const M& metric, const std::vector<Rational>& edges) {
  const Bins<RowOf<D>> bins("make_bin_histogram", edges);
  return histogram_internal::counted<P>(domain, metric, bins.size(),
                                        [bins](RowOf<D> row) { return bins.bin_of(row); });
}

// make_bin_histogram, step form: for the rows it meets in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/transformations-aggregates.md#bins
template <unsigned P>
auto make_bin_histogram(std::vector<Rational> edges) {
  return Step{[edges = std::move(edges)]<class D, class M>(const D& domain, const M& metric)
                requires BinnedDataset<D, M>
              { return make_bin_histogram<P>(domain, metric, edges); }};
}

}  // namespace lastbit
