#include "lastbit/accuracy/contour_sum.h"

#include <cmath>
#include <cstdint>

namespace lastbit::accuracy_internal {

double cut_to_24_bits(double value) {
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return std::ldexp(std::floor(std::ldexp(mantissa, 24)), exponent - 24);
}

Ball tail_bound(const Contour& contour, double q) {
  const Ball at = contour_ball(q);
  const Ball angle = contour.step * (contour.shift - at);
  const Disc turn = disc_of(cos(angle), sin(angle));
  Disc turned{1, 0, 0};
  double sum = 0;
  double radius = contour.rest;
  for (const Disc& term : contour.terms) {
    const Disc part = term * turned;
    sum += part.re;
    radius += part.radius + kDiscUnit * std::abs(sum);
    turned = turned * turn;
  }
  const double high = sum + (radius + 4 * kDiscUnit * std::abs(sum)) * (1 + 0x1p-30);
  if (!std::isfinite(high)) return contour_ball(2);
  return contour.weight * exp(contour.log_moment - contour_ball(contour.theta) * at) *
         contour_ball(high);
}

LogTail::LogTail(const Contour& contour)
    : contour_(&contour),
      step_(contour.step.upper()),
      shift_(contour.shift.upper()),
      start_(contour.log_moment.upper() + std::log(contour.weight.upper())) {}

double LogTail::operator()(double q) const {
  const double angle = step_ * (shift_ - q);
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  double re = 1;
  double im = 0;
  double sum = contour_->rest;
  for (const Disc& term : contour_->terms) {
    sum += term.re * re - term.im * im;
    const double next = re * c - im * s;
    im = re * s + im * c;
    re = next;
  }
  return start_ - contour_->theta * q + std::log(std::max(sum, 0x1p-1000));
}

double log_of(const Rational& alpha) { return ln(Ball(alpha, kContourPrecision)).upper(); }

bool is_proved(const Contour& contour, double q, const Ball& factor, const Rational& alpha) {
  const Ball both = Ball(2, kContourPrecision) * factor * tail_bound(contour, q);
  return certainly_less_or_equal(both, Ball(alpha, kContourPrecision));
}

}  // namespace lastbit::accuracy_internal
