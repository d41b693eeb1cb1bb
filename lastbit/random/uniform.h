// Exactly uniform whole numbers, by rejection.
#pragma once

#include <concepts>
#include <cstdint>

#include "lastbit/numerics/integer.h"
#include "lastbit/random/bit_source.h"

namespace lastbit {

// uniform_below
// A number from {0, …, n − 1}, each with probability exactly 1/n.
// Requires  checked: n ≥ 1, else kBadParameter.
// Ensures   draws blocks of ⌈log2 n⌉ bits, the highest bit first, until one is below n; fewer than
//           two blocks on average. n = 1 draws nothing. Both forms use the same bits.
// Limits    anyone who measures time learns the number of blocks; the result does not depend on it.
// Fails     with the Errors of the source.
// Proof     proofs/random.md#uniform
std::uint64_t uniform_below(BitSource& bits, std::uint64_t n);
Integer uniform_below(BitSource& bits, const Integer& n);
// A signed n goes through Integer, which refuses a negative one; converted to unsigned it would
// become a large positive number.
template <std::signed_integral T>
std::uint64_t uniform_below(BitSource& bits, T n) {
  return static_cast<std::uint64_t>(uniform_below(bits, Integer(n)).to_int64());
}

// uniform_between
// A number from {lo, …, hi}, both ends included, each with the same probability; the full range of
// 64 bits is allowed.
// Requires  checked: lo ≤ hi, else kBadParameter.
// Ensures   lo + uniform_below(hi − lo + 1), bit for bit.
// Fails     with the Errors of the source.
// Proof     proofs/random.md#uniform
std::int64_t uniform_between(BitSource& bits, std::int64_t lo, std::int64_t hi);

}  // namespace lastbit
