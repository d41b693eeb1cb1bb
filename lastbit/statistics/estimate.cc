#include "lastbit/statistics/estimate.h"

#include <algorithm>

#include "lastbit/numerics/ball.h"

namespace lastbit {
namespace {

Rational cut(const Rational& value, const Range& range) {
  return std::clamp(value, range.lower, range.upper);
}

// Where noise has left nothing that is possible, nothing is known: the interval is the range.
Estimate cut(const Estimate& estimate, const Range& range) {
  const Rational answer = cut(estimate.answer, range);
  if (estimate.upper < range.lower || estimate.lower > range.upper) {
    return {answer, range.lower, range.upper};
  }
  return {answer, cut(estimate.lower, range), cut(estimate.upper, range)};
}

constexpr int kRootBits = 64;

}  // namespace

Estimate estimate_number(const Measured& number, const std::optional<Range>& range) {
  const Estimate estimate{number.value, number.lower(), number.upper()};
  return range ? cut(estimate, *range) : estimate;
}

Estimate scaled(const Estimate& estimate, const Rational& unit) {
  return {estimate.answer * unit, estimate.lower * unit, estimate.upper * unit};
}

Rational root_down(const Rational& square) {
  return square.sign() == 0 ? Rational(0) : sqrt(Ball(square, kRootBits)).lower_rational();
}

Rational root_up(const Rational& square) {
  return square.sign() == 0 ? Rational(0) : sqrt(Ball(square, kRootBits)).upper_rational();
}

}  // namespace lastbit
