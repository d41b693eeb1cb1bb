// Rows as offsets from the middle of their bounds, in whole steps of a grid. One row changes a sum
// of offsets by only about half the width at most, wherever the bounds lie. For this module only.
// Proof: proofs/statistics.md#centring
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "lastbit/core/chain.h"
#include "lastbit/statistics/estimate.h"
#include "lastbit/transformations/rows/grid_rows.h"
#include "lastbit/transformations/rows/row_transform.h"

namespace lastbit::statistics_internal {

template <SummableRow T>
class Centring {
 public:
  Centring(std::string_view place, const IntervalDomain<T>& bounds)
      : rows_(place, bounds, default_grid(bounds)),
        // Half of a width below 2^63, so that neither the sum nor an offset leaves the type.
        middle_(rows_.lower_index() + static_cast<std::int64_t>(rows_.max_offset() / 2)) {}

  std::int64_t offset(const T& row) const { return rows_.index(row) - middle_; }
  IntervalDomain<std::int64_t> offsets() const {
    return {rows_.lower_index() - middle_, rows_.upper_index() - middle_};
  }
  CentredColumn column() const {
    return {rows_.grid().point(middle_),
            rows_.grid().spacing(),
            {rows_.lower_index() - middle_, rows_.upper_index() - middle_}};
  }
  // in_words: what the offsets are.
  std::string in_words() const {
    return "steps of 2^" + std::to_string(rows_.grid().exponent()) + " from " +
           column().middle.to_string();
  }

 private:
  GridRows<T> rows_;
  std::int64_t middle_;
};

// make_offsets: every row as its offset.
// Requires  typed: vectors of the interval that `centring` was made for, the symmetric distance.
// Ensures   map(d_in) = d_in; a row transform.
// Proof     proofs/statistics.md#centring
template <SummableRow T>
auto make_offsets(const Centring<T>& centring) {
  return make_row_transform(centring.offsets(),
                            [centring](const T& row) { return centring.offset(row); });
}

// make_offset_pairs: every pair of rows as the pair of their offsets.
// Requires  as make_offsets.
// Ensures   map(d_in) = d_in; a row transform.
// Proof     proofs/statistics.md#centring
template <SummableRow T, SummableRow U>
auto make_offset_pairs(const Centring<T>& first, const Centring<U>& second) {
  return make_row_transform(pair_of(first.offsets(), second.offsets()),
                            [first, second](const std::pair<T, U>& row) {
                              return std::pair(first.offset(row.first), second.offset(row.second));
                            });
}

}  // namespace lastbit::statistics_internal
