#include "lastbit/numerics/grid.h"

#include <fmt/core.h>

#include <cmath>
#include <utility>

#include "lastbit/base/error.h"

namespace lastbit {
namespace {

[[noreturn]] void refuse_exponent(std::string_view place, std::string_view parameter) {
  throw Error::bad_parameter(
      place, parameter, fmt::format("asks for a spacing beyond 2^±{}", Grid::kMaxExponent),
      fmt::format("choose a grid between 2^-{0} and 2^{0}", Grid::kMaxExponent));
}

Integer times_two_to(const Integer& value, int exponent) {
  mpz_class product;
  mpz_mul_2exp(product.get_mpz_t(), value.gmp().get_mpz_t(), static_cast<mp_bitcnt_t>(exponent));
  return Integer(std::move(product));
}

}  // namespace

Grid::Grid(int exponent) : exponent_(exponent) {
  if (exponent > kMaxExponent || exponent < -kMaxExponent) refuse_exponent("grid", "exponent");
}

Grid Grid::at_least(const Rational& scale) {
  if (scale.sign() <= 0) {
    throw Error::bad_parameter("grid", "scale", "is not positive", "give a scale above zero");
  }
  // With bit lengths a and b, 2^(a−b−1) < numerator/denominator < 2^(a−b+1).
  const std::size_t a = scale.numerator().bit_length();
  const std::size_t b = scale.denominator().bit_length();
  constexpr std::size_t kMost = kMaxExponent + 1;
  if (a > b + kMost || b > a + kMost) refuse_exponent("grid", "scale");
  const int exponent =
      static_cast<int>(static_cast<std::int64_t>(a) - static_cast<std::int64_t>(b));
  const int smallest = scale <= Rational::two_to(exponent) ? exponent : exponent + 1;
  if (smallest > kMaxExponent || smallest < -kMaxExponent) refuse_exponent("grid", "scale");
  return Grid(smallest);
}

Grid::Dyadic Grid::finite_dyadic(double x) {
  if (!std::isfinite(x)) {
    throw Error::bad_parameter("grid", "x", "is NaN or infinite",
                               "replace or clamp such values before they meet the grid");
  }
  return dyadic(x);
}

Grid::Split Grid::split(double x) const { return split(Rational::exactly(x)); }

Grid::Split Grid::split(const Rational& x) const {
  const Rational ratio = x * Rational::two_to(-exponent_);
  Integer whole = ratio.floor();
  Rational fraction = ratio - Rational(whole);
  return {std::move(whole), std::move(fraction)};
}

Integer Grid::floor_index(double x) const {
  const Dyadic d = finite_dyadic(x);
  const int shift = exponent_ - d.exponent;
  if (shift <= 0) return times_two_to(Integer(d.mantissa), -shift);
  return Integer(d.mantissa >> (shift < 63 ? shift : 63));
}

Integer Grid::floor_index(const Rational& x) const {
  return (x * Rational::two_to(-exponent_)).floor();
}

Integer Grid::ceil_index(double x) const { return -floor_index(-x); }

Integer Grid::ceil_index(const Rational& x) const {
  return (x * Rational::two_to(-exponent_)).ceil();
}

Integer Grid::nearest_index(double x) const {
  const Dyadic d = finite_dyadic(x);
  const int shift = exponent_ - d.exponent;
  if (shift <= 0) return times_two_to(Integer(d.mantissa), -shift);
  return Integer(shifted_right_nearest(d.mantissa, shift));
}

Integer Grid::nearest_index(const Rational& x) const {
  return (x * Rational::two_to(-exponent_) + Rational(1, 2)).floor();
}

double Grid::nearest(double x) const {
  const Dyadic d = finite_dyadic(x);
  const int shift = exponent_ - d.exponent;
  if (shift <= 0) return x == 0 ? 0.0 : x;
  const std::int64_t index = shifted_right_nearest(d.mantissa, shift);
  // |index| ≤ 2^52 and the product is a double, so this scaling only writes the exponent field.
  return std::ldexp(static_cast<double>(index), exponent_);
}

}  // namespace lastbit
