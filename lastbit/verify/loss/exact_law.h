// The exact law of a mechanism in floating point.
//
// Output is monotone in u for each sign, so the outputs from some value on are a half-line of u, and
// one number, a threshold, describes it. A threshold is guessed by inverting the mechanism in
// balls and then settled by running the mechanism itself on both sides of it; where the guess is
// off, bisection finds it. Probabilities are binary fractions and their sum is exactly 1.
#pragma once

#include <vector>

#include "lastbit/numerics/rational.h"
#include "lastbit/verify/loss/float_mechanism.h"

namespace lastbit::verify {

// Atom: an output with its probability, which may be 0.
struct Atom {
  Rational output;
  Rational probability;
};

// possible_outputs: −B, the multiples of Λ strictly between, B; increasing.
// Requires  checked: a mechanism with a grid, and at most kMaxOutputs outputs, else kNotSupported.
inline constexpr std::int64_t kMaxOutputs = 10'000'000;
std::vector<Rational> possible_outputs(const FloatMechanism& mechanism);

// output_law: every possible output with its probability for the input x, in increasing order.
// Requires  as possible_outputs.
// Ensures   probabilities are exact, nonnegative and sum to 1; this is checked before returning.
// Cost      a few runs of the mechanism an output.
// Proof     proofs/loss.md#law
std::vector<Atom> output_law(const FloatMechanism& mechanism, const Rational& x);

// output_probability: of one output, which need not be possible, for a mechanism with or without a
// grid. Exact.
// Proof     proofs/loss.md#law
Rational output_probability(const FloatMechanism& mechanism, const Rational& x,
                            const Rational& output);

}  // namespace lastbit::verify
