// The errors of variances and covariances before a release: for a guessed number of rows, and the
// worst data of that number.
#pragma once

#include <cstdint>

#include "lastbit/accuracy/weighted_noise.h"
#include "lastbit/statistics/moments.h"

namespace lastbit {

// PlannedMoments: for whom an error is asked: groups of `rows` rows, whose numbers are each the sum
// of `terms` noisy numbers of this law, divided by `unit`.
struct PlannedMoments {
  NoiseLaw law;
  Rational unit;
  Integer rows;
  std::int64_t terms = 1;
};

// variance_error, covariance_error
// Bounds on |answer − statistic| of variance_estimate and covariance_estimate, which are exceeded
// with probability at most alpha, for all data with so many rows.
// Requires  checked: as weighted_noise_accuracy.  caller: unit > 0; kNodes only with Gaussian
//           noise.
// Ensures   at most ½ for a variance and 1 for a covariance, which no error exceeds; for many rows
//           about the error of one noisy number, divided by the rows: what data with all values at
//           a bound has.
// Source    [Proschan1965]
// Proof     proofs/statistics.md#moment-errors
Rational variance_error(const PlannedMoments& planned, SquareBasis basis, const Rational& alpha);
Rational covariance_error(const PlannedMoments& planned, const Rational& alpha);

}  // namespace lastbit
