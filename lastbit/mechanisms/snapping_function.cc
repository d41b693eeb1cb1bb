#include "lastbit/mechanisms/snapping_function.h"

#include <algorithm>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/random/geometric.h"

namespace lastbit {

namespace {

constexpr std::string_view kSnappingFunction = "SnappingFunction";

Float checked_scale(Float scale) {
  if (scale.format().is_bounded()) {
    throw Error::bad_parameter(kSnappingFunction, "scale", "has a format with limited exponents",
                               "give a float of FloatFormat::unbounded(precision)");
  }
  if (!scale.is_finite() || scale.is_zero() || scale.is_negative()) {
    throw Error::bad_parameter(kSnappingFunction, "scale", "is not a positive number",
                               "give a float above 0");
  }
  return scale;
}

Rational clamped(const Rational& value, const Rational& bound) {
  return std::clamp(value, -bound, bound);
}

}  // namespace

Float draw_unit_float(BitSource& bits, int precision) {
  const FloatFormat format = FloatFormat::unbounded(precision);
  const auto exponent = static_cast<std::int64_t>(geometric_half(bits));
  Integer mantissa = 1;
  for (int left = precision - 1; left > 0;) {
    const auto count = static_cast<unsigned>(std::min(left, 64));
    mantissa = mantissa * Integer::two_to(count) + Integer(bits.bits(count));
    left -= static_cast<int>(count);
  }
  // The mantissa has exactly `precision` bits, so nothing is rounded.
  return Float::from(Rational(mantissa) * Rational::two_to(-(precision - 1) - exponent), format);
}

SnappingDraw draw_snapping(BitSource& bits, int precision) {
  const int sign = bits.bit() ? 1 : -1;
  return {sign, draw_unit_float(bits, precision)};
}

SnappingFunction::SnappingFunction(const Float& scale, const Rational& half_width)
    : SnappingFunction(scale, half_width, Grid::at_least(checked_scale(scale).to_rational())) {}

SnappingFunction::SnappingFunction(const Float& scale, const Rational& half_width, const Grid& grid)
    : scale_(checked_scale(scale)), grid_(grid), half_width_(half_width) {
  if (half_width.sign() <= 0) {
    throw Error::bad_parameter(kSnappingFunction, "half_width", "is not positive",
                               "give a bound above 0");
  }
}

Rational SnappingFunction::noise(const Float& u, int sign) const {
  if (!u.is_finite() || u.is_zero() || u.is_negative()) {
    throw Error::bad_parameter(kSnappingFunction, "u", "is not a positive number",
                               "give a float in (0, 1), as draw_unit_float does");
  }
  if (sign != 1 && sign != -1) {
    throw Error::bad_parameter(kSnappingFunction, "sign", "is neither 1 nor -1",
                               "give one of the two");
  }
  const FloatFormat& format = scale_.format();
  const Rational magnitude = multiply(scale_, ln(u, format), format).to_rational();
  return sign > 0 ? magnitude : -magnitude;
}

Rational SnappingFunction::snap_with(const Float& u, int sign, const Rational& x) const {
  return snapped(clamped(x, half_width_) + noise(u, sign));
}

Rational SnappingFunction::snapped(const Rational& sum) const {
  const Rational rounded = Float::from(sum, scale_.format()).to_rational();
  return clamped(grid_.point(grid_.nearest_index(rounded)), half_width_);
}

}  // namespace lastbit
