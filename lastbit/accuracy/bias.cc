#include "lastbit/accuracy/bias.h"

#include <algorithm>

#include "lastbit/accuracy/refusals.h"
#include "lastbit/base/error.h"

namespace lastbit {

namespace {

// How many bits cancel in expressions that tend to a constant as c² → 0.
int bits_lost(const Rational& c) {
  const int exponent = Grid::at_least(c).exponent();
  return exponent < 0 ? -4 * exponent : 0;
}

// E[(round(x + N) − B)⁺] − E[(−B − round(x + N))⁺] at x = B: what clamping removes.
Ball clamp_loss_at_bound(const IdealSnapping& snapping, int precision) {
  const Rational spacing = snapping.grid().spacing();
  const Rational c = spacing / snapping.scale();
  const Rational u = snapping.half_width() / snapping.scale();
  const Rational last = snapping.grid().point(snapping.last_index());
  const Rational edge = last + spacing / Rational(2);
  const Rational y = edge / snapping.scale();
  const auto e = [precision](const Rational& exponent) { return exp_of(exponent, precision); };
  const Ball half(Rational(Integer(1), Integer(2)), precision);
  const Ball at_edge = edge >= snapping.half_width()
                           ? half * (e(u - y) - e(-u - y))
                           : Ball(Rational(1), precision) - half * (e(y - u) + e(-u - y));
  const Rational next = c * Rational(snapping.last_index() + 1);
  const Ball beyond =
      half * (e(u - next) - e(-u - next)) / (e(c / Rational(2)) - e(-c / Rational(2)));
  return Ball(last + spacing - snapping.half_width(), precision) * at_edge +
         Ball(spacing, precision) * beyond;
}

}  // namespace

Ball clamped_laplace_mean(const Rational& scale, const Rational& half_width, const Rational& x,
                          int precision) {
  accuracy_internal::require_positive("clamped_laplace_mean", "scale", scale);
  accuracy_internal::require_positive("clamped_laplace_mean", "half_width", half_width);
  const Rational inner = std::min(abs(x), half_width);
  const Rational outer = std::max(abs(x), half_width);
  // λ·e^(−outer/λ)·sinh(inner/λ), with exponents ≤ 0.
  const Ball loss =
      Ball(scale / Rational(2), precision) *
      (exp_of((inner - outer) / scale, precision) - exp_of(-(inner + outer) / scale, precision));
  const Ball mean = Ball(inner, precision) - loss;
  return x.sign() < 0 ? -mean : mean;
}

Ball rounding_bias(const Rational& scale, const Grid& grid, const Rational& x, int precision) {
  accuracy_internal::require_positive("rounding_bias", "scale", scale);
  const Rational c = grid.spacing() / scale;
  const Rational t = x / grid.spacing() - Rational(grid.nearest_index(x));
  const Rational half_c = c / Rational(2);
  const auto e = [precision](const Rational& exponent) { return exp_of(exponent, precision); };
  // Numerator and denominator are divided by e^(c/2), so that a wide grid does not overflow.
  const Ball share = (e(c * t - half_c) - e(-c * t - half_c)) /
                     (Ball(Rational(2), precision) * (Ball(Rational(1), precision) - e(-c)));
  return Ball(grid.spacing(), precision) * (share - Ball(t, precision));
}

UpperBound largest_rounding_bias(const Rational& scale, const Grid& grid, int precision) {
  accuracy_internal::require_positive("largest_rounding_bias", "scale", scale);
  const Rational c = grid.spacing() / scale;
  if (c > Rational::two_to(20)) {
    // The maximum is Λ/2 up to a relative ln(c)/c, and e^c would be too large to compute with.
    const Rational half = grid.spacing() / Rational(2);
    const Rational share(Integer(9999), Integer(10'000));
    return {Ball::between(half * share, half, precision)};
  }
  for (int bits = precision + bits_lost(c);; bits *= 2) {
    invariant(bits <= Ball::kMaxPrecision / 2, "sinh(v)/v is 1 at a positive v");
    const Ball ball_c(c, bits);
    const Ball twice_sinh = Ball(Rational(2), bits) * sinh(Ball(c / Rational(2), bits));
    // The derivative vanishes where cosh(ct) = 2·sinh(c/2)/c.
    const Ball z = twice_sinh / ball_c;
    const Ball root = sqrt(z * z - Ball(Rational(1), bits));
    const Ball t = ln(z + root) / ball_c;
    const Ball largest = Ball(grid.spacing(), bits) * (t - root / twice_sinh);
    if (largest.is_finite()) return {largest};
  }
}

WorstBias worst_bias(const IdealSnapping& snapping, int precision) {
  const UpperBound rounding = largest_rounding_bias(snapping.scale(), snapping.grid(), precision);
  return {snapping.bias(snapping.midpoint() + snapping.half_width(), precision),
          {clamp_loss_at_bound(snapping, precision) + rounding.ball}};
}

}  // namespace lastbit
