// WeightedNoise: sums of independent noises, each multiplied by a public number. The error of every
// linear function of noisy numbers is such a sum, and so is the pivot of a quotient.
#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "lastbit/numerics/grid.h"
#include "lastbit/numerics/rational.h"

namespace lastbit {

// LaplaceNoise: what SnappedLaplace without bounds adds: a real Laplace variate of this scale, put
// on the grid together with the number. `on_grid`: the numbers are multiples of the grid's spacing.
struct LaplaceNoise {
  Rational scale;
  Grid grid;
  bool on_grid = true;
  friend bool operator==(const LaplaceNoise& a, const LaplaceNoise& b) {
    return a.scale == b.scale && a.grid.exponent() == b.grid.exponent() && a.on_grid == b.on_grid;
  }
};
// GaussianNoise: what make_discrete_gaussian adds to multiples of the grid's spacing.
struct GaussianNoise {
  Rational variance;
  Grid grid;
  friend bool operator==(const GaussianNoise& a, const GaussianNoise& b) {
    return a.variance == b.variance && a.grid.exponent() == b.grid.exponent();
  }
};
using NoiseLaw = std::variant<LaplaceNoise, GaussianNoise>;

// WeightedNoise: `count` independent noises of one law, each multiplied by `weight`.
struct WeightedNoise {
  NoiseLaw law;
  Rational weight = 1;
  std::int64_t count = 1;
};

// weighted_noise_accuracy
// An a with Pr[|sum of all noises| > a] ≤ α, close to the smallest.
// Requires  checked: scales, variances and counts > 0, variances within 2^±10000 times the square
//           of their grid's spacing, 0 < alpha < 1, else kBadParameter.
// Ensures   a holds for all weights of smaller magnitude as well; weights of 0 add nothing. So the
//           largest magnitudes of a range of weights give a bound for all of the range.
// Limits    how close: proofs/accuracy.md#weighted-tight; a may fall by a relative 2^−10 where the
//           magnitude of a weight rises, as it is found by search. Time: tens of microseconds for
//           up to 4 noises, and at most a few milliseconds per noise.
// Proof     proofs/accuracy.md#weighted
Rational weighted_noise_accuracy(std::span<const WeightedNoise> noises, const Rational& alpha);

}  // namespace lastbit
