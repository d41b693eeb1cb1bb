// Laplace noise on a grid, clamped: clamp(round_Λ(clamp(x) + Lap(λ))) with real noise, for any Λ.
//
// This is the law of the exact sampler, and the law that the floating-point mechanism comes close
// to. Its probabilities are exponentials of rationals, so they are computed as balls from exact
// exponents.
#pragma once

#include "lastbit/mechanisms/snapping.h"
#include "lastbit/numerics/ball.h"
#include "lastbit/numerics/grid.h"
#include "lastbit/numerics/rational.h"

namespace lastbit {

// The default precision of balls: except in very rare cases, doubles taken from them are the
// nearest on the safe side.
inline constexpr int kAccuracyPrecision = 128;

// IdealSnapping
// Requires  checked: scale > 0, lower < upper, else kBadParameter.
// Ensures   the grid is relative to the midpoint of [lower, upper], as in the mechanism; outputs
//           are midpoint + jΛ inside (lower, upper), lower and upper.
// Proof     proofs/accuracy.md#law
class IdealSnapping {
 public:
  IdealSnapping(const Rational& scale, const Grid& grid, const Rational& lower,
                const Rational& upper);
  // coarse: λ = sensitivity/epsilon and the smallest Λ ≥ λ. Neither may be ≤ 0: kBadParameter.
  static IdealSnapping coarse(const Rational& epsilon, const Rational& sensitivity,
                              const Rational& lower, const Rational& upper);
  // of: the same scale, grid and bounds with real noise instead of floats.
  static IdealSnapping of(const Snapping& snapping);

  const Rational& scale() const { return scale_; }
  const Grid& grid() const { return grid_; }
  const Rational& half_width() const { return half_width_; }
  const Rational& midpoint() const { return midpoint_; }
  // last_index: the largest j with jΛ < half_width.
  const Integer& last_index() const { return last_index_; }

  // Below, `guess` is any made-up value of the statistic; noise is added to it after clamping, and
  // errors are measured from the guess itself.

  // probability: of one output; 0 for a number that is not an output.
  Ball probability(const Rational& output, const Rational& guess,
                   int precision = kAccuracyPrecision) const;
  // error_probability: Pr[|output − guess| > a].
  Ball error_probability(const Rational& guess, const Rational& a,
                         int precision = kAccuracyPrecision) const;
  // binding_probability: Pr[output is lower or upper].
  Ball binding_probability(const Rational& guess, int precision = kAccuracyPrecision) const;
  // bias: E[output] − guess, by a closed form. Proof: proofs/accuracy.md#bias
  Ball bias(const Rational& guess, int precision = kAccuracyPrecision) const;

 private:
  Rational shifted(const Rational& guess) const;  // clamped, relative to the midpoint
  Ball tail(const Rational& distance, int precision) const;
  Ball above(const Rational& x, const Rational& value, int precision) const;

  Rational scale_;
  Grid grid_;
  Rational half_width_;
  Rational midpoint_;
  Integer last_index_;
};

}  // namespace lastbit
