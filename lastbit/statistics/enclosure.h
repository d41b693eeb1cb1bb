// Enclosure: an interval of real numbers with doubles as ends, rounded outward. For regions, whose
// ends need not be exact but must never be too narrow. For this module only.
//
// Guarantee      if every operand contains its number, the result contains the result for those
//                numbers, in every rounding mode of the processor: an operation on doubles is less
//                than one unit in the last place off, and each end is moved outward by one.
//                Proof: proofs/statistics.md#enclosure
// Requires       caller: no operation overflows.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "lastbit/numerics/rational.h"

namespace lastbit::statistics_internal {

inline double next_down(double x) {
  return std::nextafter(x, -std::numeric_limits<double>::infinity());
}
inline double next_up(double x) {
  return std::nextafter(x, std::numeric_limits<double>::infinity());
}

struct Enclosure {
  double lower = 0;
  double upper = 0;

  static Enclosure of(const Rational& value) { return {value.down(), value.up()}; }
  // magnitude: the largest |x|, exactly.
  double magnitude() const { return std::max(std::abs(lower), std::abs(upper)); }
  // within: whether both ends are doubles of at most this magnitude.
  bool within(double most) const { return magnitude() <= most; }
  bool overlaps(const Enclosure& other) const {
    return lower <= other.upper && other.lower <= upper;
  }
};

inline Enclosure operator-(const Enclosure& a) { return {-a.upper, -a.lower}; }
inline Enclosure operator+(const Enclosure& a, const Enclosure& b) {
  return {next_down(a.lower + b.lower), next_up(a.upper + b.upper)};
}
inline Enclosure operator-(const Enclosure& a, const Enclosure& b) { return a + -b; }
inline Enclosure operator*(const Enclosure& a, const Enclosure& b) {
  const auto [least, most] =
      std::minmax({a.lower * b.lower, a.lower * b.upper, a.upper * b.lower, a.upper * b.upper});
  return {next_down(least), next_up(most)};
}
// Requires  caller: b lies above 0.
inline Enclosure operator/(const Enclosure& a, const Enclosure& b) {
  const auto [least, most] =
      std::minmax({a.lower / b.lower, a.lower / b.upper, a.upper / b.lower, a.upper / b.upper});
  return {next_down(least), next_up(most)};
}
// squared: x·x for one x of the interval, so that it is not negative.
inline Enclosure squared(const Enclosure& a) {
  const double most = a.magnitude();
  const bool zero = a.lower <= 0 && a.upper >= 0;
  const double least = zero ? 0 : std::min(std::abs(a.lower), std::abs(a.upper));
  return {std::max(0.0, next_down(least * least)), next_up(most * most)};
}
// Requires  caller: a holds no number below 0.
inline Enclosure root(const Enclosure& a) {
  return {std::max(0.0, next_down(std::sqrt(a.lower))), next_up(std::sqrt(a.upper))};
}
// widened: all numbers within `by` of one of a.
inline Enclosure widened(const Enclosure& a, double by) {
  return {next_down(a.lower - by), next_up(a.upper + by)};
}
// common: the numbers in both; nothing if there are none.
inline std::optional<Enclosure> common(const Enclosure& a, const Enclosure& b) {
  if (!a.overlaps(b)) return std::nullopt;
  return Enclosure{std::max(a.lower, b.lower), std::min(a.upper, b.upper)};
}

}  // namespace lastbit::statistics_internal
