// Disc: a complex number with a proved radius, in doubles. For sums of hundreds of terms, where
// balls would take a millisecond.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "lastbit/numerics/ball.h"

namespace lastbit::accuracy_internal {

// The number is within `radius` of re + i·im. Nothing is claimed where the radius is not finite.
// Proof: proofs/accuracy.md#discs. It holds in every rounding mode of the processor.
struct Disc {
  double re = 0;
  double im = 0;
  double radius = 0;
};

// What one operation may err by, relative to its result.
inline constexpr double kDiscUnit = 0x1p-52;
// More than the roundings of the few operations that compute a radius.
inline constexpr double kDiscSlack = 1 + 0x1p-44;
// More than what underflow may lose.
inline constexpr double kDiscTiny = 0x1p-500;

inline double radius_above(double radius) { return radius * kDiscSlack + kDiscTiny; }

// At least |re + i·im|.
inline double magnitude_above(double re, double im) {
  return radius_above(std::sqrt(re * re + im * im));
}
// At least the magnitude of every number in the disc.
inline double magnitude_above(const Disc& a) { return magnitude_above(a.re, a.im) + a.radius; }

// A disc around a number that was computed with few operations, each of a small relative error.
inline Disc disc_about(double re, double im, double relative_error) {
  return {re, im, radius_above(relative_error * magnitude_above(re, im))};
}

// disc_of: the complex number with these parts.
inline Disc disc_of(const Ball& re, const Ball& im) {
  const double low = re.lower();
  const double left = im.lower();
  return {low, left, radius_above((re.upper() - low) + (im.upper() - left))};
}
inline Disc disc_of(const Ball& re) {
  const double low = re.lower();
  return {low, 0, radius_above(re.upper() - low)};
}

inline Disc operator*(const Disc& a, const Disc& b) {
  const double size_a = magnitude_above(a.re, a.im);
  const double size_b = magnitude_above(b.re, b.im);
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re,
          radius_above(size_a * b.radius + a.radius * (size_b + b.radius) +
                       4 * kDiscUnit * size_a * size_b)};
}

inline Disc operator+(const Disc& a, const Disc& b) {
  const double re = a.re + b.re;
  const double im = a.im + b.im;
  return {re, im, radius_above(a.radius + b.radius + kDiscUnit * magnitude_above(re, im))};
}

// inverse: 1/a; nothing is claimed if the disc may hold 0.
inline Disc inverse(const Disc& a) {
  const double norm = a.re * a.re + a.im * a.im;
  const double low = std::sqrt(norm) * (1 - 0x1p-44) - a.radius - kDiscTiny;
  const double radius = radius_above((a.radius / low + 4 * kDiscUnit) / low);
  return {a.re / norm, -a.im / norm, low > 0 ? radius : std::numeric_limits<double>::infinity()};
}

// pow: a^exponent for exponent ≥ 0, by squaring.
inline Disc pow(Disc a, std::int64_t exponent) {
  if (exponent == 1) return a;
  Disc result{1, 0, 0};
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = result * a;
    if (exponent > 1) a = a * a;
  }
  return result;
}

}  // namespace lastbit::accuracy_internal
