// Witnesses: all that is needed to check two probabilities without a search.
//
// Output is monotone in u for each sign, so the values of u that give an output are those from one
// threshold up to another. A witness names the eight thresholds of two inputs and two signs. To
// check it, run the mechanism on both sides of each, sixteen runs in all, and add up.
#pragma once

#include <array>
#include <string>

#include "lastbit/numerics/rational.h"
#include "lastbit/verify/floats/float_mechanism.h"
#include "lastbit/verify/floats/loss/pair_loss.h"

namespace lastbit::verify {

// Preimage: the values of u in [from, to) give the output, for one input and one sign. A threshold
// is a value that u can take, or the end of all values (`uniform_end`), or 0 for unit floats, which
// have no smallest value.
struct Preimage {
  Rational from;
  Rational to;
  friend bool operator==(const Preimage&, const Preimage&) = default;
};

// uniform_end: the number after all values of u: 1, except that a grid uniform can be 1 itself.
Rational uniform_end(const FloatModel& model);
// uniform_below: Pr[u < threshold], exact, for a threshold as above.
Rational uniform_below(const FloatModel& model, const Rational& threshold);

struct LossWitness {
  FloatModel model;
  Rational x1;
  Rational x2;
  Rational output;
  // x1 with sign 1, x1 with sign −1, x2 with sign 1, x2 with sign −1.
  std::array<Preimage, 4> preimages;
};

// kWitnessRuns: how often check_witness runs the mechanism, at most.
inline constexpr int kWitnessRuns = 16;

// find_witness: the witness for the probabilities of one output, by bisection over the values of u.
// It shares nothing with the law of exact_law.h but the mechanism, so each tests the other.
// Fails     a model that FloatMechanism refuses, as it does; thresholds below 2^−kMaxWitnessExponent
//           are a kNotSupported Error.
inline constexpr std::int64_t kMaxWitnessExponent = 1 << 20;
LossWitness find_witness(const FloatMechanism& mechanism, const Rational& x1, const Rational& x2,
                         const Rational& output);

// check_witness: the output with its two exact probabilities.
// Requires  checked: the model; every threshold is one, and the mechanism changes sides at it; else
//           a kBadInput Error that names the threshold. Nothing in the witness is trusted.
// Proof     proofs/loss.md#witness
OutputLoss check_witness(const LossWitness& witness);

}  // namespace lastbit::verify
