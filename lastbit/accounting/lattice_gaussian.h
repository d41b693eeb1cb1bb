// What numbers with discrete Gaussian noise lose together, from the law of their noise.
#pragma once

#include <optional>
#include <span>

#include "lastbit/numerics/rational.h"

namespace lastbit {

// LatticeGaussian: numbers of a grid with discrete Gaussian noise on that grid.
struct LatticeGaussian {
  Rational rho;       // by the map of make_discrete_gaussian
  Rational variance;  // of the noise, in squared steps of its grid
};

// lattice_gaussian_epsilon: an epsilon for which all these numbers together lose at most (epsilon,
// delta), as a binary fraction. Near that of real Gaussian noise, which is less than what
// approximate_epsilon makes of any loss with the same rho.
//
// Requires  checked: rho ≥ 0, variance > 0, 0 < delta < 1; else kBadParameter.
// Ensures   (result, delta) holds for all numbers together, even if which numbers are released, or
//           their noise, depends on earlier ones, as long as each has the loss it is given here.
//           Nothing if this way proves none below approximate_epsilon of the sum of the rhos, as
//           when the noise is of few steps of its grid.
// Source    [Dong2022], for sums of Gaussian losses; [Peikert2010], for discrete noise as rounded
//           noise
// Proof     proofs/accounting.md#lattice-gaussian
std::optional<Rational> lattice_gaussian_epsilon(std::span<const LatticeGaussian> numbers,
                                                 const Rational& delta);

// gaussian_rho: the largest rho, to about nine digits and rounded down, for which real Gaussian
// noise has the loss (epsilon, delta): where to begin when noise is to be planned for it.
// Requires  checked: epsilon > 0 and 0 < delta < 1; else kBadParameter.
// Proof     proofs/accounting.md#pairs
Rational gaussian_rho(const Rational& epsilon, const Rational& delta);

}  // namespace lastbit
