// The exact law of a mechanism in floating point.
//
// Output is monotone in u for each sign, so the values of u whose output is at least a given value
// are a half-line, and one number, a threshold, describes it. A threshold is guessed by undoing the
// roundings one by one and then confirmed by running the mechanism itself at it and at the value
// below; if the guess is off, a search finds it. Probabilities are binary fractions and their sum
// is exactly 1.
#pragma once

#include <cstdint>
#include <vector>

#include "lastbit/numerics/rational.h"
#include "lastbit/verify/floats/float_mechanism.h"

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
// Requires  as possible_outputs; where u has no smallest value, no output farther than 700 000·λ from
//           x; and less than a gigabyte of fractions (B/λ up to about 50 000); else kNotSupported.
// Ensures   probabilities are exact, nonnegative and sum to 1; this is checked before returning.
// Cost      a few runs of the mechanism per output.
// Proof     proofs/loss.md#law
std::vector<Atom> output_law(const FloatMechanism& mechanism, const Rational& x);

// output_probability: of one output, which need not be possible, for a mechanism with or without a
// grid. Exact. The rest of the law is not computed, so B/λ may be large.
// Fails     kNotSupported as output_law, for this output.
// Proof     proofs/loss.md#law
Rational output_probability(const FloatMechanism& mechanism, const Rational& x,
                            const Rational& output);

}  // namespace lastbit::verify
