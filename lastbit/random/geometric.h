// The geometric law of a fair coin.
#pragma once

#include <cstdint>

#include "lastbit/random/bit_source.h"

namespace lastbit {

// geometric_half
// The number of fair coin flips up to and including the first success: Pr[e] = 2^−e for e = 1, 2, …
// The support starts at 1. (The geometric distribution of the C++ standard library counts failures
// and starts at 0; in the exponent of a random number that is a factor of two.)
// Ensures   consumes exactly e bits of bits(): e − 1 zeros and a one. No largest value.
// Fails     with the Errors of the source.
// Proof     proofs/random.md#geometric
inline std::uint64_t geometric_half(BitSource& bits) { return bits.leading_zeros() + 1; }

}  // namespace lastbit
