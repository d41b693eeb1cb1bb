// Exactly uniform permutations and subsets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lastbit/random/bit_source.h"
#include "lastbit/random/uniform.h"

namespace lastbit {

// shuffle
// Puts `items` into a random order, each of the n! orders with probability exactly 1/n!.
// Ensures   the Fisher–Yates walk from the last place to the second; n − 1 calls of uniform_below.
// Fails     with the Errors of the source; the items are then partly shuffled, none is lost.
// Proof     proofs/random.md#shuffle
template <class T>
void shuffle(BitSource& bits, std::span<T> items) {
  for (std::size_t last = items.size(); last-- > 1;) {
    const auto chosen = static_cast<std::size_t>(uniform_below(bits, last + 1));
    using std::swap;
    if (chosen != last) swap(items[chosen], items[last]);
  }
}

// sample_indices
// k different numbers from {0, …, n − 1} in increasing order, each such set with probability
// exactly 1 / (n choose k).
// Requires  checked: k ≤ n, else kBadParameter.
// Ensures   Floyd's algorithm; min(k, n − k) calls of uniform_below. Memory O(k).
// Fails     with the Errors of the source.
// Source    [BentleyFloyd1987]
// Proof     proofs/random.md#subsets
std::vector<std::uint64_t> sample_indices(BitSource& bits, std::uint64_t n, std::uint64_t k);

}  // namespace lastbit
