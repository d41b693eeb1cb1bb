// Accuracy: the largest error of a release, except with a chosen probability α; and the inverse,
// the smallest loss that reaches a target accuracy.
//
// All bounds hold for every value of the statistic (within the bounds, if there are any), so
// stating them reveals nothing. L stands for ln(1/α), λ for the noise scale, Λ for the grid.
#pragma once

#include "lastbit/accuracy/ideal_snapping.h"
#include "lastbit/mechanisms/snapping.h"
#include "lastbit/numerics/ball.h"

namespace lastbit {

// UpperBound: a ball around the value of a formula, and the closest double above it.
struct UpperBound {
  Ball ball;
  double value() const { return ball.upper(); }
};

// laplace_accuracy
// The error of unrounded Laplace noise: L·Δ/ε, attained: Pr[error > a] = α.
// Requires  checked: epsilon > 0, sensitivity > 0, 0 < alpha < 1, else kBadParameter.
// Proof     proofs/accuracy.md#laplace
UpperBound laplace_accuracy(const Rational& epsilon, const Rational& sensitivity,
                            const Rational& alpha, int precision = kAccuracyPrecision);

// snapping_accuracy
// The error of Laplace noise on a grid: min(L·λ + Λ/2, upper − lower), for inputs in the bounds.
// Requires  checked: 0 < alpha < 1, else kBadParameter.
// Proof     proofs/accuracy.md#accuracy
UpperBound snapping_accuracy(const IdealSnapping& snapping, const Rational& alpha,
                             int precision = kAccuracyPrecision);
// The error of the floating-point mechanism, including its rounding:
// min(λ·(L + 2η)/(1 − 2η) + Λ/2 + η·(B + Λ/2), upper − lower).
// Proof     proofs/accuracy.md#accuracy-floats
UpperBound snapping_accuracy(const Snapping& snapping, const Rational& alpha,
                             int precision = kAccuracyPrecision);
// simple_snapping_accuracy: (1 + L)·Δ/ε, a looser bound for the smallest grid Λ ≥ λ.
// Requires  as laplace_accuracy.
// Proof     proofs/accuracy.md#accuracy
UpperBound simple_snapping_accuracy(const Rational& epsilon, const Rational& sensitivity,
                                    const Rational& alpha, int precision = kAccuracyPrecision);

// smallest_accuracy
// The smallest a with Pr[error > a] ≤ α for every input, for noise on a grid without bounds; at
// least Λ/2, at most L·λ + Λ/2.
// Requires  checked: scale > 0, 0 < alpha < 1, else kBadParameter.
// Proof     proofs/accuracy.md#smallest
UpperBound smallest_accuracy(const Rational& scale, const Grid& grid, const Rational& alpha,
                             int precision = kAccuracyPrecision);

// AccuracyComparison: the price of the grid, and of floats, at the same ε.
struct AccuracyComparison {
  UpperBound laplace;
  UpperBound snapping;
  Ball factor;  // snapping / laplace
};
AccuracyComparison compare_with_laplace(const IdealSnapping& snapping, const Rational& epsilon,
                                        const Rational& sensitivity, const Rational& alpha);
AccuracyComparison compare_with_laplace(const Snapping& snapping, const Rational& alpha);

// AccuracyPlan: the smallest loss for a target error, and the error it achieves, which can be
// smaller than asked for: the accuracy of the smallest grid Λ ≥ λ jumps where Λ does.
struct AccuracyPlan {
  Rational epsilon;
  Rational scale;
  Grid grid;
  UpperBound accuracy;
};

// plan_accuracy
// The smallest ε for which the smallest grid Λ ≥ λ = Δ/ε gives L·λ + Λ/2 ≤ accuracy.
// Requires  checked: accuracy > 0 (and within 2^±10000), sensitivity > 0, 0 < alpha < 1, else
//           kBadParameter.
// Ensures   plan.accuracy ≤ accuracy; ε is larger than the least such number by a factor of at most
//           1 + 2^(8−precision).
// Proof     proofs/accuracy.md#inverse
AccuracyPlan plan_accuracy(const Rational& accuracy, const Rational& alpha,
                           const Rational& sensitivity, int precision = kAccuracyPrecision);
// The same for a fixed grid: ε = L·Δ/(accuracy − Λ/2). An accuracy of Λ/2 or less is refused.
AccuracyPlan plan_accuracy(const Rational& accuracy, const Rational& alpha,
                           const Rational& sensitivity, const Grid& grid,
                           int precision = kAccuracyPrecision);

// plan_snapping
// The parameters of the floating-point mechanism with the smallest epsilon whose snapping_accuracy
// (before the minimum with the width) is at most `accuracy`; `wanted.epsilon` is replaced.
// Requires  checked: as plan_accuracy; accuracy above the error of rounding, about B·2^−p; lower <
//           upper; else kBadParameter.
// Fails     the parameters may still be refused by Snapping, for instance because the bounds are
//           too wide.
// Proof     proofs/accuracy.md#inverse
SnappingParameters plan_snapping(const Rational& accuracy, const Rational& alpha,
                                 const SnappingParameters& wanted);

}  // namespace lastbit
