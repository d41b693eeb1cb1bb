// Bias: how far the mean of the output is from the statistic.
//
// The bias depends on the statistic, which is private, so these functions take a guess of it, or
// bound the bias over all its values.
#pragma once

#include "lastbit/accuracy/accuracy.h"
#include "lastbit/accuracy/ideal_snapping.h"
#include "lastbit/numerics/ball.h"

namespace lastbit {

// clamped_laplace_mean
// E clamp(x + Lap(scale)) to [−half_width, half_width], for any x; odd and increasing in x.
// Requires  checked: scale > 0, half_width > 0, else kBadParameter.
// Proof     proofs/accuracy.md#clamped
Ball clamped_laplace_mean(const Rational& scale, const Rational& half_width, const Rational& x,
                          int precision = kAccuracyPrecision);

// rounding_bias
// E round_Λ(x + Lap(scale)) − x, the bias without bounds: Λ·(sinh(ct)/(2·sinh(c/2)) − t), c = Λ/λ,
// t = x/Λ − ⌊x/Λ + ½⌋. It points to the nearest grid point, so it can point away from zero.
// Requires  checked: scale > 0, else kBadParameter.
// Proof     proofs/accuracy.md#rounding-bias
Ball rounding_bias(const Rational& scale, const Grid& grid, const Rational& x,
                   int precision = kAccuracyPrecision);
// largest_rounding_bias: the maximum of its magnitude over x; below 0.02917·Λ for Λ < 2λ.
UpperBound largest_rounding_bias(const Rational& scale, const Grid& grid,
                                 int precision = kAccuracyPrecision);

// WorstBias: what the bias can be for a statistic inside the bounds.
struct WorstBias {
  Ball at_upper;     // the bias when the statistic is `upper`; at `lower` it is the opposite
  UpperBound bound;  // |bias| is at most this everywhere
};
// worst_bias
// Ensures   |at_upper| ≤ the supremum over [lower, upper] ≤ bound, and the two differ by at most
//           2·largest_rounding_bias.
// Proof     proofs/accuracy.md#worst-bias
WorstBias worst_bias(const IdealSnapping& snapping, int precision = kAccuracyPrecision);

}  // namespace lastbit
