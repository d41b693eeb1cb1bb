// The insert-delete distance of two sequences, by the diagonal method: after d edits only the
// farthest row reached on each diagonal matters, so the cost is (|u| + |v|) times the distance and
// near-equal datasets are compared in linear time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "lastbit/core/identity.h"

namespace lastbit {

// insert_delete_distance: |u| + |v| − 2·(length of the longest common subsequence).
template <class T>
std::int64_t insert_delete_distance(const std::vector<T>& u, const std::vector<T>& v) {
  const auto rows_u = static_cast<std::int64_t>(u.size());
  const auto rows_v = static_cast<std::int64_t>(v.size());
  const auto at = [](const std::vector<T>& rows, std::int64_t i) {
    return T(rows[static_cast<std::size_t>(i)]);
  };
  // reach[k + offset]: the largest i such that u[0, i) and v[0, i − k) are d edits apart.
  const std::int64_t offset = rows_u + rows_v + 1;
  std::vector<std::int64_t> reach(static_cast<std::size_t>(2 * offset + 1), 0);
  const auto cell = [&](std::int64_t k) -> std::int64_t& {
    return reach[static_cast<std::size_t>(k + offset)];
  };
  for (std::int64_t d = 0;; ++d) {
    for (std::int64_t k = -d; k <= d; k += 2) {
      const bool insert = k == -d || (k != d && cell(k - 1) < cell(k + 1));
      std::int64_t i = d == 0 ? 0 : insert ? cell(k + 1) : cell(k - 1) + 1;
      std::int64_t j = i - k;
      while (i < rows_u && j < rows_v && identical(at(u, i), at(v, j))) {
        ++i;
        ++j;
      }
      cell(k) = i;
      if (i >= rows_u && j >= rows_v) return d;
    }
  }
}

}  // namespace lastbit
