// The inverse: how much noise a target error leaves room for.
//
// Both are rounded down to binary fractions of 21 bits, which costs at most a relative 2^−20 of the
// noise and keeps the numbers short.
#pragma once

#include "lastbit/numerics/grid.h"
#include "lastbit/numerics/rational.h"

namespace lastbit {

// scale_for_accuracy
// The largest scale whose smallest_accuracy on the grid is at most `accuracy`.
// Requires  checked: accuracy within 2^±10000 and above half the grid's spacing (by 2^−60 of it; no
//           scale gives less), 0 < alpha < 1, else kBadParameter.
// Ensures   smallest_accuracy(scale, grid, alpha) ≤ accuracy, its upper end included; and not for
//           scale·(1 + 2^−20).
// Proof     proofs/accuracy.md#planned
Rational scale_for_accuracy(const Rational& accuracy, const Rational& alpha, const Grid& grid);

// scale_for_whole_accuracy
// The same for whole numbers on the grid 2^0, whose errors are whole: the bound rounded down to a
// whole number is at most `accuracy`.
// Requires  checked: accuracy within 2^±10000, 0 < alpha < 1, else kBadParameter. An accuracy below
//           1 means no error at all.
// Ensures   ⌊smallest_accuracy(scale, 2^0, alpha)⌋ ≤ accuracy; and not for scale·(1 + 2^−20).
// Proof     proofs/accuracy.md#planned
Rational scale_for_whole_accuracy(const Rational& accuracy, const Rational& alpha);

// variance_for_accuracy
// The largest variance with gaussian_accuracy(variance, grid, alpha) ≤ accuracy. There is one for
// every accuracy: below the grid's spacing it means no noise at all, except with probability α.
// Requires  checked: accuracy within 2^±10000, and at most 2^4000 times the grid's spacing;
//           0 < alpha < 1; else kBadParameter.
// Ensures   the bound holds for the variance; and not for variance·(1 + 2^−20), unless α is within
//           2^−100 of 1.
// Proof     proofs/accuracy.md#planned
Rational variance_for_accuracy(const Rational& accuracy, const Rational& alpha, const Grid& grid);

}  // namespace lastbit
