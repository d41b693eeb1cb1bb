// A quick guess at the loss of one output, to steer a search. It proves nothing.
#pragma once

#include <optional>
#include <vector>

#include "lastbit/numerics/float.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/verify/floats/float_mechanism.h"

namespace lastbit::verify {

// Cell: an output with the sums that give it, which lie between bottom and top; the smallest and
// the largest output lack one end.
struct Cell {
  Rational output;
  std::optional<Rational> bottom;
  std::optional<Rational> top;

  // near_end: the one that an input outside the cell sees first; nothing for an input inside.
  const Rational* near_end(const Rational& x) const {
    if (top && x > *top) return &*top;
    return bottom && x < *bottom ? &*bottom : nullptr;
  }
};

// LossEstimate: inverts the roundings of the mechanism that ships and ignores only that u itself is
// a float, so it is off by a few η where losses differ by (B/λ)·η. It takes a tenth of the time of
// the two exact probabilities.
class LossEstimate {
 public:
  explicit LossEstimate(const FloatMechanism& mechanism);

  // cell_of: the cell of a possible output.
  Cell cell_of(const Rational& output) const;
  // gap: between floats at a positive number.
  Rational gap(const Rational& at) const;

  // phase: noise exceeds x's distance to the near end of the cell at some exact value of −ln u;
  // this is that value in units of the gap between floats there, minus its whole part. The
  // logarithm's rounding error jumps where it is 0. Requires an input outside the cell.
  Rational phase(const Rational& x, const Cell& cell) const;
  // phase_step: the move away from the cell, by one to four gaps between floats at x's distance,
  // that changes the phase least, and by how much the phase grows, in [−½, ½).
  struct PhaseStep {
    Rational move;
    Rational change;
  };
  PhaseStep phase_step(const Rational& x, const Cell& cell) const;

  // Depths: how large −ln u must be for the noise to pass the near and the far end of a cell; the
  // smallest and the largest output have no far end.
  struct Depths {
    Rational near;
    std::optional<Rational> far;
  };
  // depths: of an input outside the cell; nothing for one inside.
  std::optional<Depths> depths(const Rational& x, const Cell& cell) const;
  // jumps: the inputs in [from, to] at which depths change, increasing, for inputs on one side of
  // the cell. Between two consecutive jumps, depths are constant.
  std::vector<Rational> jumps(const Rational& from, const Rational& to, const Cell& cell) const;

  // excess: about ln(P_closer/P_farther) − allowance/λ.
  double excess(const Depths& closer, const Depths& farther, const Rational& allowance) const;
  // excess: about |ln(P_x1/P_x2)| − allowance/λ for an output below both inputs or above both, to the
  // precision of the difference; nothing for others.
  std::optional<double> excess(const Rational& x1, const Rational& x2, const Cell& cell,
                               const Rational& allowance) const;

 private:
  // The point half-way from the float at or above y to the one below.
  Rational middle_below(const Rational& y) const;
  // The largest noise that does not pass an end: noise above the distance passes ends below an
  // input (strict), noise at or above it passes the others.
  Float largest_noise_within(const Rational& distance, bool strict) const;
  // About −ln Pr[noise beyond the distance], without the granularity of u.
  Rational depth(const Rational& distance, bool strict) const;

  const FloatMechanism& mechanism_;
  FloatFormat format_;
  FloatFormat wide_;
  Float twice_scale_;
};

}  // namespace lastbit::verify
