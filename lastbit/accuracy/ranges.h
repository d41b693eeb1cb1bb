// Ranges: where a statistic can lie given the bounds of its data, and bounds around that range that
// a noisy answer rarely reaches.
#pragma once

#include "lastbit/mechanisms/snapping.h"
#include "lastbit/numerics/grid.h"
#include "lastbit/numerics/rational.h"

namespace lastbit {

// Range: all numbers from lower to upper, both attained.
struct Range {
  Rational lower;
  Rational upper;
  Rational half_width() const { return (upper - lower) / Rational(2); }
  // magnitude: the largest |value|.
  Rational magnitude() const { return std::max(abs(lower), abs(upper)); }
  friend bool operator==(const Range&, const Range&) = default;
};

// The range of a statistic of n rows, each within [lower, upper] (or a pair within two intervals);
// variance and covariance with the denominator n − 1.
// Requires  checked: n ≥ 1 (≥ 2 for variance and covariance), lower < upper, else kBadParameter.
// Proof     proofs/accuracy.md#ranges
Range count_range(const Integer& n);
Range histogram_range(const Integer& n);  // of each bin
Range sum_range(const Integer& n, const Rational& lower, const Rational& upper);
Range mean_range(const Rational& lower, const Rational& upper);
Range variance_range(const Integer& n, const Rational& lower, const Rational& upper);
Range covariance_range(const Integer& n, const Rational& lower_x, const Rational& upper_x,
                       const Rational& lower_y, const Rational& upper_y);

// non_binding_range
// `statistic` widened on both sides by λ·ln(1/γ) + Λ/2, rounded up: with these bounds an output of
// Laplace noise on the grid is a bound with probability at most γ.
// Requires  checked: statistic.lower ≤ statistic.upper, scale > 0, 0 < gamma ≤ 1, else
//           kBadParameter.
// Proof     proofs/accuracy.md#binding
Range non_binding_range(const Range& statistic, const Rational& gamma, const Rational& scale,
                        const Grid& grid);

// non_binding_parameters
// `wanted` with bounds around `statistic` such that an output of the floating-point mechanism, whose
// scale depends on the bounds, is a bound with probability at most gamma.
// Requires  checked: as above; epsilon and sensitivity positive; enough precision for such bounds to
//           exist, else kBadParameter with one that works.
// Fails     the parameters may still be refused by Snapping.
// Proof     proofs/accuracy.md#binding-floats
SnappingParameters non_binding_parameters(const Range& statistic, const Rational& gamma,
                                          const SnappingParameters& wanted);

}  // namespace lastbit
