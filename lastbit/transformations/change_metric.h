// Changes of metric: the same data, compared in another way.
//
// Three conversions are the identity function and only restate the distance. Going from an
// unordered to an ordered metric has to deal with the order, since permutations are at distance 0
// before it and not after: it sorts, or shuffles.
//
//   symmetric     ⇄  substitute     on data of a public size: ⌊d/2⌋ one way, 2·⌊d⌋ back
//   insert-delete →  symmetric      d
//   Hamming       →  substitute     d
//   symmetric     →  insert-delete  d, by sorting or by shuffling
//   substitute    →  Hamming        d, by shuffling only
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lastbit/core/identity.h"
#include "lastbit/random/shuffle.h"
#include "lastbit/transformations/rows/row_transform.h"

namespace lastbit {

namespace rows_internal {

template <class D, class From, class To>
auto change_metric(std::string name, const D& domain, const From& from, const To& to,
                   Relation<Distance, Distance> relation) {
  return Transformation<D, From, D, To>(
      std::move(name), domain, from, domain, to, [](const CarrierOf<D>& rows) { return rows; },
      std::move(relation));
}

template <class T>
std::vector<T> shuffled(const std::vector<T>& rows, BitSource& bits) {
  // Places are shuffled, not rows, because a vector of booleans has no span.
  std::vector<std::size_t> places(rows.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  shuffle(bits, std::span(places));
  std::vector<T> result;
  result.reserve(rows.size());
  for (const std::size_t place : places) result.push_back(rows[place]);
  return result;
}

template <class D, class From, class To>
auto shuffle_rows(const D& domain, const From& from, const To& to) {
  return RandomTransformation<D, From, D, To>(
      "shuffle", domain, from, domain, to,
      [](const CarrierOf<D>& rows, BitSource& bits) { return shuffled(rows, bits); },
      Relation<Distance, Distance>::linear(1));
}

}  // namespace rows_internal

// make_symmetric_to_substitute
// Leaves the data as it is and counts exchanged rows instead of added and removed ones.
// Requires  typed: vectors of a public size.  checked: nothing.  caller: nothing.
// Ensures   map(d_in) = ⌊d_in/2⌋: datasets of one size are an even number of rows apart.
// Fails     never.
// Proof     proofs/transformations-rows.md#symmetric-and-substitute
template <SizedDomain D>
auto make_symmetric_to_substitute(const D& domain, const SymmetricDistance& metric = {}) {
  return rows_internal::change_metric(
      "symmetric to substitute", domain, metric, SubstituteDistance{},
      Relation<Distance, Distance>::from_map(
          [](const Distance& d_in) { return (d_in / Rational(2)).floor(); }));
}

// make_substitute_to_symmetric
// Leaves the data as it is and counts added and removed rows instead of exchanged ones.
// Requires  typed: vectors of a public size.  checked: nothing.  caller: nothing.
// Ensures   map(d_in) = 2·⌊d_in⌋.
// Fails     never.
// Proof     proofs/transformations-rows.md#symmetric-and-substitute
template <SizedDomain D>
auto make_substitute_to_symmetric(const D& domain, const SubstituteDistance& metric = {}) {
  return rows_internal::change_metric(
      "substitute to symmetric", domain, metric, SymmetricDistance{},
      Relation<Distance, Distance>::from_map(
          [](const Distance& d_in) { return Distance(2) * d_in.floor(); }));
}

// make_insert_delete_to_symmetric
// Leaves the data as it is and forgets the order of the rows.
// Requires  typed: a vector domain of either kind.  checked: nothing.  caller: nothing.
// Ensures   map(d_in) = d_in.
// Fails     never.
// Proof     proofs/transformations-rows.md#forgetting-the-order
template <DatasetDomain D>
auto make_insert_delete_to_symmetric(const D& domain, const InsertDeleteDistance& metric = {}) {
  return rows_internal::change_metric("insert-delete to symmetric", domain, metric,
                                      SymmetricDistance{}, Relation<Distance, Distance>::linear(1));
}

// make_hamming_to_substitute
// Leaves the data as it is and forgets the order of the rows.
// Requires  typed: vectors of a public size.  checked: nothing.  caller: nothing.
// Ensures   map(d_in) = d_in.
// Fails     never.
// Proof     proofs/transformations-rows.md#forgetting-the-order
template <SizedDomain D>
auto make_hamming_to_substitute(const D& domain, const HammingDistance& metric = {}) {
  return rows_internal::change_metric("Hamming to substitute", domain, metric, SubstituteDistance{},
                                      Relation<Distance, Distance>::linear(1));
}

// make_sort
// Puts the rows in identity order, the total order of lastbit/core/identity.h (of doubles:
// −NaN, −∞, …, −0.0, 0.0, …, ∞, NaN). From then on the order carries no information.
// Requires  typed: a vector domain of either kind, the symmetric distance.  checked: nothing.
//           caller: nothing.
// Ensures   map(d_in) = d_in, to the insert-delete distance. There is no such map from the
//           substitute to the Hamming distance: one exchanged row may move all others.
// Fails     never.
// Proof     proofs/transformations-rows.md#sort
template <DatasetDomain D>
auto make_sort(const D& domain, const SymmetricDistance& metric = {}) {
  return Transformation<D, SymmetricDistance, D, InsertDeleteDistance>(
      "sort", domain, metric, domain, InsertDeleteDistance{},
      [](const CarrierOf<D>& rows) {
        CarrierOf<D> sorted = rows;
        std::sort(sorted.begin(), sorted.end(),
                  [](const RowOf<D>& a, const RowOf<D>& b) { return identity_order(a, b) < 0; });
        return sorted;
      },
      Relation<Distance, Distance>::linear(1));
}

// make_shuffle
// Puts the rows in a random order, all orders equally likely. The symmetric distance becomes the
// insert-delete distance.
// Requires  typed: a vector domain of either kind, the symmetric distance.  checked: nothing.
//           caller: nothing.
// Ensures   map(d_in) = d_in, by coupling.
// Fails     kEntropy or kTapeEnded, with the source.
// Proof     proofs/transformations-rows.md#shuffle
template <DatasetDomain D>
auto make_shuffle(const D& domain, const SymmetricDistance& metric) {
  return rows_internal::shuffle_rows(domain, metric, InsertDeleteDistance{});
}

// make_shuffle, for data of a public size
// Puts the rows in a random order, all orders equally likely. The substitute distance becomes the
// Hamming distance.
// Requires  typed: vectors of a public size, the substitute distance.  checked: nothing.  caller:
//           nothing.
// Ensures   map(d_in) = d_in, by coupling.
// Fails     kEntropy or kTapeEnded, with the source.
// Proof     proofs/transformations-rows.md#shuffle
template <SizedDomain D>
auto make_shuffle(const D& domain, const SubstituteDistance& metric) {
  return rows_internal::shuffle_rows(domain, metric, HammingDistance{});
}

// Step forms of all of the above: for the rows, and the metric, they meet in a chain.
// Requires  as the full forms.
// Ensures   as the full forms.
// Proof     proofs/transformations-rows.md#changes-of-metric
inline auto make_symmetric_to_substitute() {
  return Step{[]<SizedDomain D>(const D& domain, const SymmetricDistance& metric) {
    return make_symmetric_to_substitute(domain, metric);
  }};
}
inline auto make_substitute_to_symmetric() {
  return Step{[]<SizedDomain D>(const D& domain, const SubstituteDistance& metric) {
    return make_substitute_to_symmetric(domain, metric);
  }};
}
inline auto make_insert_delete_to_symmetric() {
  return Step{[]<DatasetDomain D>(const D& domain, const InsertDeleteDistance& metric) {
    return make_insert_delete_to_symmetric(domain, metric);
  }};
}
inline auto make_hamming_to_substitute() {
  return Step{[]<SizedDomain D>(const D& domain, const HammingDistance& metric) {
    return make_hamming_to_substitute(domain, metric);
  }};
}
inline auto make_sort() {
  return Step{[]<DatasetDomain D>(const D& domain, const SymmetricDistance& metric) {
    return make_sort(domain, metric);
  }};
}
inline auto make_shuffle() {
  return Step{[]<class D, class M>(const D& domain, const M& metric)
                requires requires { make_shuffle(domain, metric); }
              { return make_shuffle(domain, metric); }};
}

}  // namespace lastbit
