// The law of a mechanism's outputs as binary fractions: what exact_law.h and pair_loss.h share.
#pragma once

#include <vector>

#include "lastbit/verify/floats/float_mechanism.h"
#include "lastbit/verify/floats/loss/dyadic.h"

namespace lastbit::verify {

// The farthest output from an input that has a probability here, in units of λ: u would have to be
// about 2^−1000000.
inline constexpr int kMaxReach = 700'000;

// dyadic_law: the probability of each of `outputs`, which are the possible ones in increasing order.
// Ensures   nonnegative numbers that sum to 1; checked before returning.
// Fails     kNotSupported where u has no smallest value and ±B is beyond kMaxReach.
// Proof     proofs/loss.md#law
std::vector<Dyadic> dyadic_law(const FloatMechanism& mechanism,
                               const std::vector<Rational>& outputs, const Rational& x);

// dyadic_probability: of one output, which need not be possible; with or without a grid.
// Fails     kNotSupported where u has no smallest value and the output is beyond kMaxReach.
Dyadic dyadic_probability(const FloatMechanism& mechanism, const Rational& x,
                          const Rational& output);

}  // namespace lastbit::verify
