// Exact coins with a rational probability.
#pragma once

#include "lastbit/numerics/rational.h"
#include "lastbit/random/bit_source.h"

namespace lastbit {

// bernoulli
// true with probability exactly p.
// Requires  checked: 0 ≤ p ≤ 1, else kBadParameter.
// Ensures   answers U < p for a uniform U of (0, 1) whose binary digits are drawn, highest first,
//           until one differs from the digit of p or the rest of p is 0: at most 2 bits on
//           average, none for p = 0 and p = 1, and at most k for p = a/2^k.
// Limits    how long it takes depends on p and on the bits drawn.
// Fails     with the Errors of the source.
// Proof     proofs/random.md#bernoulli
bool bernoulli(BitSource& bits, const Rational& p);

}  // namespace lastbit
