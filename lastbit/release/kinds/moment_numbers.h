// The numbers that variances, covariances and correlations are made of, as combinations of what an
// engine counts. For this module only.
// Proof: proofs/statistics.md#bases
#pragma once

#include "lastbit/release/plan/drafter.h"
#include "lastbit/statistics/moments.h"

namespace lastbit::release_internal {

// MomentNumbers: the combinations, and what a row adds to them where u and v are 1: 1 in theory.
struct MomentNumbers {
  Drafter::JointNumbers joint;
  Rational unit;
};

// square_basis: the one that suits the noise of the share.
SquareBasis square_basis(const LossShare& share);

// square_numbers: of a SquareSum.
MomentNumbers square_numbers(const SteppedField& field, SquareBasis basis);
// VariancePlan: how a variance is made of the square_numbers of a column.
struct VariancePlan {
  Drafter::JointNumbers numbers;
  Drafter::JointKind kind;
};
VariancePlan plan_variance_of(const Drafter& drafter, const BoundedColumn& column);

// corner_numbers: of a ProductSum.
MomentNumbers corner_numbers(const SteppedField& first, const SteppedField& second);
// correlation_numbers: of a ProductSum with squares.
// correlation_tau: the factor of the two numbers that are not corners: 1 for Laplace noise, where a
// larger one makes all noise larger; 2 for Gaussian noise, where it costs nothing.
Integer correlation_tau(const LossShare& share);
MomentNumbers correlation_numbers(const SteppedField& first, const SteppedField& second,
                                  const Integer& tau);

}  // namespace lastbit::release_internal
