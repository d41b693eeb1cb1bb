// The exact output law of the snapping function, for tests and study; not part of a release.
#pragma once

#include "lastbit/core/divergence.h"
#include "lastbit/mechanisms/snapping_function.h"

namespace lastbit::testing {

// snapping_law: the probability of every output for the input x, with u drawn as a unit float of
// `u_precision` bits (the mechanism's own precision unless told otherwise). Exact, though u has no
// smallest value: once the largest u of an exponent leads to the bound on its side, so do all
// smaller ones.
// Requires  checked: 2 ≤ u_precision ≤ kMaxLawPrecision, else kBadParameter.
// Ensures   probabilities that sum to 1. Outputs are increasing or decreasing in u, so equal outputs
//           at both ends of a range of u settle the range.
// Cost      about (number of outputs) · (B/λ + u_precision) runs of the function.
// Proof     proofs/snapping.md#law
inline constexpr int kMaxLawPrecision = 53;
FiniteDistribution<Rational> snapping_law(const SnappingFunction& function, const Rational& x);
FiniteDistribution<Rational> snapping_law(const SnappingFunction& function, const Rational& x,
                                          int u_precision);

}  // namespace lastbit::testing
