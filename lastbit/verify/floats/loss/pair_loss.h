// The exact privacy loss of a mechanism in floating point, for one pair of inputs.
#pragma once

#include <cstdint>
#include <vector>

#include "lastbit/numerics/ball.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/verify/floats/loss/exact_law.h"

namespace lastbit::verify {

// OutputLoss: one output and its probability under both inputs.
struct OutputLoss {
  Rational output;
  Rational first;   // probability for the first input
  Rational second;  // probability for the second

  // infinite: exactly one of the two is 0.
  bool infinite() const { return (first.sign() == 0) != (second.sign() == 0); }
  // loss: |ln(first/second)|, enclosed at the precision; 0 when both probabilities are equal (or both
  // 0). Requires finite loss, else kNotSupported.
  Ball loss(int precision = 128) const;
};

// output_loss: of one output, which need not be possible; with or without a grid.
OutputLoss output_loss(const FloatMechanism& mechanism, const Rational& x1, const Rational& x2,
                       const Rational& output);

// clamped_distance: between two inputs as the mechanism sees them, clamped to [−B, B].
Rational clamped_distance(const FloatModel& model, const Rational& x1, const Rational& x2);

// output_losses: of every output that at least one of the inputs can give, increasing by output.
// Fails as output_law.
std::vector<OutputLoss> output_losses(const FloatMechanism& mechanism, const Rational& x1,
                                      const Rational& x2);

// PairLoss: the worst output of a pair.
struct PairLoss {
  Rational x1;
  Rational x2;
  OutputLoss worst;
  std::int64_t outputs = 0;  // how many were compared
};

// pair_loss: the worst output for the two inputs, decided exactly: ratios of probabilities are
// compared as rationals. An infinite loss is worse than every finite one; among equals the smallest
// output is taken. Fails as output_law, except that no law is written out as fractions.
// Proof     proofs/loss.md#pair
PairLoss pair_loss(const FloatMechanism& mechanism, const Rational& x1, const Rational& x2);

// worse: whether a's loss exceeds b's, exactly.
bool worse(const OutputLoss& a, const OutputLoss& b);

// excess_in_eta: (loss − distance/λ)/2^−p as a ball: by how many rounding units the loss exceeds
// that of real noise; requires a finite loss.
Ball excess_in_eta(const FloatMechanism& mechanism, const PairLoss& pair, int precision = 256);

}  // namespace lastbit::verify
