// Bins: intervals between increasing edges, [e0, e1), [e1, e2), …, [e(m−1), em].
//
// The edges are rationals and a row is an integer or a double. Each edge is replaced once by the
// first value of the row's type that is not below it, so that comparing a row needs no rational
// arithmetic and is still exact. Proof: proofs/transformations-aggregates.md#bins
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include "lastbit/numerics/integer.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/transformations/rows/grid_rows.h"

namespace lastbit {

// Requires  checked: at least two edges, strictly increasing, else kBadParameter naming `place` and
//           `edges`.
// Ensures   bin_of(row) = i < size() exactly when the row lies in bin i as a real number, and
//           size() when it lies in none or is NaN.
template <SummableRow T>
class Bins {
 public:
  Bins(std::string_view place, const std::vector<Rational>& edges);

  std::size_t size() const { return starts_.size(); }
  std::size_t bin_of(T row) const {
    const Threshold value = row;
    // Written so that NaN, which compares false, lies outside.
    if (!(value >= starts_.front() && value <= last_)) return size();
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), value);
    return static_cast<std::size_t>(after - starts_.begin()) - 1;
  }

 private:
  // Wide enough to hold "beyond every integer".
  using Threshold = std::conditional_t<std::same_as<T, double>, double, Int128>;

  std::vector<Threshold> starts_;  // row ≥ e_i exactly when row ≥ starts_[i], for i < m
  Threshold last_;                 // row ≤ em exactly when row ≤ last_
};

extern template class Bins<std::int64_t>;
extern template class Bins<double>;

}  // namespace lastbit
