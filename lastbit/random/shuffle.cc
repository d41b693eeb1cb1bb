#include "lastbit/random/shuffle.h"

#include <algorithm>
#include <unordered_set>

#include "lastbit/base/error.h"

namespace lastbit {
namespace {

// Floyd's algorithm: after the step for `top`, the set is uniform among the subsets of {0, …, top}
// of its size.
std::vector<std::uint64_t> floyd(BitSource& bits, std::uint64_t n, std::uint64_t k) {
  std::unordered_set<std::uint64_t> chosen;
  chosen.reserve(k);
  for (std::uint64_t top = n - k; top < n; ++top) {
    if (!chosen.insert(uniform_below(bits, top + 1)).second) chosen.insert(top);
  }
  std::vector<std::uint64_t> sorted(chosen.begin(), chosen.end());
  std::ranges::sort(sorted);
  return sorted;
}

std::vector<std::uint64_t> complement(const std::vector<std::uint64_t>& sorted, std::uint64_t n) {
  std::vector<std::uint64_t> others;
  others.reserve(n - sorted.size());
  auto next = sorted.begin();
  for (std::uint64_t i = 0; i < n; ++i) {
    if (next != sorted.end() && *next == i) {
      ++next;
    } else {
      others.push_back(i);
    }
  }
  return others;
}

}  // namespace

std::vector<std::uint64_t> sample_indices(BitSource& bits, std::uint64_t n, std::uint64_t k) {
  if (k > n) {
    throw Error::bad_parameter("sample_indices", "k", "is above n", "choose at most n indices");
  }
  // The complement of a uniform subset is uniform; drawing the smaller of the two is cheaper.
  if (k <= n - k) return floyd(bits, n, k);
  return complement(floyd(bits, n, n - k), n);
}

}  // namespace lastbit
