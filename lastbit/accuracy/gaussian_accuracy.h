// Accuracy of discrete Gaussian noise (make_discrete_gaussian).
#pragma once

#include "lastbit/accuracy/accuracy.h"
#include "lastbit/numerics/grid.h"
#include "lastbit/numerics/rational.h"

namespace lastbit {

// gaussian_error_probability
// An upper bound on Pr[|Λ·Z| > a] for Pr[Z = j] proportional to e^(−(j·Λ)²/(2·variance)): a ball
// around the number itself for variances up to 1024·Λ² and a up to 8192·Λ; beyond that, the
// integral of the density, which is slightly larger.
// Requires  checked: variance > 0 and within 2^±10000 times Λ², a ≥ 0, else kBadParameter.
// Proof     proofs/accuracy.md#gaussian
UpperBound gaussian_error_probability(const Rational& variance, const Grid& grid,
                                      const Rational& a);

// gaussian_accuracy
// The smallest multiple a of the grid's spacing for which gaussian_error_probability proves
// Pr[|error| > a] ≤ α; a whole number for the grid 2^0. For several numbers at once, divide α by
// how many there are.
// Requires  checked: variance as above, 0 < alpha < 1, else kBadParameter.
// Ensures   Pr[|released − input| > a] ≤ α for every input of the mechanism.
// Proof     proofs/accuracy.md#gaussian
Rational gaussian_accuracy(const Rational& variance, const Grid& grid, const Rational& alpha);

}  // namespace lastbit
