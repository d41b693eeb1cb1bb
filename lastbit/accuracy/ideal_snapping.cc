#include "lastbit/accuracy/ideal_snapping.h"

#include <algorithm>

#include "lastbit/accuracy/refusals.h"

namespace lastbit {

namespace {

constexpr std::string_view kIdealSnapping = "IdealSnapping";

Rational coarse_scale(const Rational& epsilon, const Rational& sensitivity) {
  accuracy_internal::require_positive(kIdealSnapping, "epsilon", epsilon);
  accuracy_internal::require_positive(kIdealSnapping, "sensitivity", sensitivity);
  return sensitivity / epsilon;
}

Ball half(int precision) { return Ball(Rational(Integer(1), Integer(2)), precision); }

}  // namespace

IdealSnapping::IdealSnapping(const Rational& scale, const Grid& grid, const Rational& lower,
                             const Rational& upper)
    : scale_(scale),
      grid_(grid),
      half_width_((upper - lower) / Rational(2)),
      midpoint_((upper + lower) / Rational(2)),
      last_index_(grid.ceil_index(half_width_) - 1) {
  accuracy_internal::require_positive(kIdealSnapping, "scale", scale);
  accuracy_internal::require_ordered(kIdealSnapping, "lower", lower, upper);
}

IdealSnapping IdealSnapping::coarse(const Rational& epsilon, const Rational& sensitivity,
                                    const Rational& lower, const Rational& upper) {
  const Rational scale = coarse_scale(epsilon, sensitivity);
  return {scale, Grid::at_least(scale), lower, upper};
}

IdealSnapping IdealSnapping::of(const Snapping& snapping) {
  return {snapping.scale(), snapping.grid(), snapping.parameters().lower,
          snapping.parameters().upper};
}

Rational IdealSnapping::shifted(const Rational& guess) const {
  return std::clamp(guess - midpoint_, -half_width_, half_width_);
}

// Pr[noise ≥ distance].
Ball IdealSnapping::tail(const Rational& distance, int precision) const {
  const Ball outer = half(precision) * exp_of(-abs(distance) / scale_, precision);
  return distance.sign() >= 0 ? outer : Ball(Rational(1), precision) - outer;
}

// Pr[output > value], all numbers relative to the midpoint: the outputs above `value` begin at jΛ
// or at the bound, and are reached from the lower edge of the first one's cell.
Ball IdealSnapping::above(const Rational& x, const Rational& value, int precision) const {
  if (value >= half_width_) return Ball(Rational(0), precision);
  if (value < -half_width_) return Ball(Rational(1), precision);
  const Integer next = grid_.floor_index(value) + 1;
  const Integer first = std::clamp(next, -last_index_, last_index_ + 1);
  const Rational edge = grid_.point(first) - grid_.spacing() / Rational(2);
  return tail(edge - x, precision);
}

Ball IdealSnapping::probability(const Rational& output, const Rational& guess,
                                int precision) const {
  const Rational x = shifted(guess);
  const Rational value = output - midpoint_;
  const Rational inner_edge = grid_.point(last_index_) + grid_.spacing() / Rational(2);
  if (value == half_width_) return tail(inner_edge - x, precision);
  if (value == -half_width_) return tail(inner_edge + x, precision);
  if (abs(value) > half_width_ || grid_.point(grid_.floor_index(value)) != value) {
    return Ball(Rational(0), precision);
  }
  const Rational step = grid_.spacing() / Rational(2);
  return tail(value - step - x, precision) - tail(value + step - x, precision);
}

Ball IdealSnapping::error_probability(const Rational& guess, const Rational& a,
                                      int precision) const {
  if (a.sign() < 0) return Ball(Rational(1), precision);
  const Rational x = shifted(guess);
  const Rational from = guess - midpoint_;
  // Noise and cells are symmetric, so outputs below are outputs above of the mirrored mechanism.
  return above(x, from + a, precision) + above(-x, a - from, precision);
}

Ball IdealSnapping::binding_probability(const Rational& guess, int precision) const {
  const Rational lower = midpoint_ - half_width_;
  const Rational upper = midpoint_ + half_width_;
  return probability(lower, guess, precision) + probability(upper, guess, precision);
}

Ball IdealSnapping::bias(const Rational& guess, int precision) const {
  const Rational clamped = shifted(guess);
  const Rational x = abs(clamped);
  const Rational spacing = grid_.spacing();
  const Rational c = spacing / scale_;
  const Rational u = x / scale_;
  const Integer n = std::min(last_index_, grid_.nearest_index(x));
  // Every exponent is formed exactly and is at most c/2, so nothing overflows and nothing cancels.
  // (Beyond the last edge u − cn may be larger; there the terms that hold it cancel, and are left out.)
  const auto e = [precision](const Rational& exponent) { return exp_of(exponent, precision); };
  const Rational cn = c * Rational(n);
  const Rational ck = c * Rational(last_index_);
  const Ball passed = e(cn - u) - e(-cn - u);
  const Ball steps =
      n == last_index_ ? -passed : (e(u - cn) - e(-u - cn)) - (e(u - ck) - e(-u - ck)) - passed;
  const Ball twice_sinh = e(c / Rational(2)) - e(-c / Rational(2));
  const Rational edge = grid_.point(last_index_) + spacing / Rational(2);
  const Rational y = edge / scale_;
  const Ball last_step =
      edge >= x ? half(precision) * (e(u - y) - e(-u - y))
                : Ball(Rational(1), precision) - half(precision) * (e(y - u) + e(-u - y));
  const Ball mean = Ball(grid_.point(n), precision) +
                    Ball(spacing, precision) * half(precision) * steps / twice_sinh +
                    Ball(half_width_ - grid_.point(last_index_), precision) * last_step;
  const Ball signed_mean = clamped.sign() < 0 ? -mean : mean;
  return signed_mean - Ball(guess - midpoint_, precision);
}

}  // namespace lastbit
