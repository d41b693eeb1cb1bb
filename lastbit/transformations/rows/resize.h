// Resizing: a dataset of unknown size becomes one of a public size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "lastbit/random/shuffle.h"
#include "lastbit/transformations/rows/row_transform.h"

namespace lastbit {

namespace rows_internal {

// Larger sizes are mistakes (a negative number made unsigned, say): no machine holds them.
inline constexpr std::int64_t kMaxRows = std::int64_t{1} << 40;

inline std::size_t checked_size(const Integer& size) {
  if (size < 1 || size > kMaxRows) {
    throw Error::bad_parameter("make_resize", "size", "(" + size.to_string() + ") is not possible",
                               "give 1 to 2^40 rows; a statistic of no rows is a constant already");
  }
  return static_cast<std::size_t>(size.to_int64());
}

// d rows added or removed change at most d of the `size` rows that are kept, each one exchange.
inline Relation<Distance, Distance> resize_relation(std::size_t size) {
  return Relation<Distance, Distance>::from_map([cap = Distance(2) * size](const Distance& d_in) {
    return std::min(Distance(2) * d_in.floor(), cap);
  });
}

}  // namespace rows_internal

// make_resize
// Gives exactly `size` rows: a uniformly random subset where there are more, all rows and copies of
// `value` where there are fewer.
// Requires  typed: vectors of any size, the symmetric distance, a literal for the rows.  checked:
//           1 ≤ size ≤ 2^40, and value is a member of the rows' domain, else kBadParameter.
//           caller: nothing.
// Ensures   map(d_in) = min(2·⌊d_in⌋, 2·size), by coupling. The size is public from here on.
// Limits    whether bits are drawn, and so the time, tells whether there were more than size rows.
// Fails     kEntropy or kTapeEnded, with the source.
// Proof     proofs/transformations-rows.md#resize
template <Domain E, RowValue<CarrierOf<E>> V>
auto make_resize(const VectorDomain<E>& domain, const SymmetricDistance& metric,
                 const Integer& size, const V& value) {
  using Rows = CarrierOf<VectorDomain<E>>;
  const std::size_t count = rows_internal::checked_size(size);
  return RandomTransformation<VectorDomain<E>, SymmetricDistance, SizedVectorDomain<E>,
                              SymmetricDistance>(
      "resize", domain, metric, vector_of(domain.element(), count), metric,
      [count, padding = row_value_of(domain.element(), value, "make_resize", "value")](
          const Rows& rows, BitSource& bits) {
        Rows kept;
        kept.reserve(count);
        if (rows.size() <= count) {
          kept.assign(rows.begin(), rows.end());
        } else {
          for (const auto index : sample_indices(bits, rows.size(), count)) {
            kept.push_back(rows[static_cast<std::size_t>(index)]);
          }
        }
        kept.resize(count, padding);
        return kept;
      },
      rows_internal::resize_relation(count));
}

// make_resize, where the order counts
// Gives exactly `size` rows: the first ones where there are more, all rows and then copies of
// `value` where there are fewer.
// Requires  typed: vectors of any size, the insert-delete distance, a literal for the rows.
//           checked: 1 ≤ size ≤ 2^40, and value is a member of the rows' domain, else
//           kBadParameter.  caller: nothing.
// Ensures   map(d_in) = min(2·⌊d_in⌋, 2·size), without randomness. The size is public from here on.
// Fails     never.
// Proof     proofs/transformations-rows.md#resize-ordered
template <Domain E, RowValue<CarrierOf<E>> V>
auto make_resize(const VectorDomain<E>& domain, const InsertDeleteDistance& metric,
                 const Integer& size, const V& value) {
  using Rows = CarrierOf<VectorDomain<E>>;
  const std::size_t count = rows_internal::checked_size(size);
  return Transformation<VectorDomain<E>, InsertDeleteDistance, SizedVectorDomain<E>,
                        InsertDeleteDistance>(
      "resize", domain, metric, vector_of(domain.element(), count), metric,
      [count,
       padding = row_value_of(domain.element(), value, "make_resize", "value")](const Rows& rows) {
        Rows kept;
        kept.reserve(count);
        for (std::size_t i = 0; i < std::min(rows.size(), count); ++i) kept.push_back(rows[i]);
        kept.resize(count, padding);
        return kept;
      },
      rows_internal::resize_relation(count));
}

// make_resize, step form: for the rows it meets in a chain, by the metric it meets there.
// Requires  as the full forms.
// Ensures   as the full forms.
// Proof     proofs/transformations-rows.md#resize
template <class V>
auto make_resize(const Integer& size, const V& value) {
  return Step{[size, kept = kept_value(value)]<class D, class M>(const D& domain, const M& metric)
                requires requires {
                  make_resize(domain, metric, Integer(), kept_value(std::declval<const V&>()));
                }
              { return make_resize(domain, metric, size, kept); }};
}

}  // namespace lastbit
