#include "lastbit/verify/floats/loss/dyadic.h"

#include "lastbit/base/error.h"

namespace lastbit::verify {

namespace {

void check_shift(std::int64_t shift) {
  if (shift <= Dyadic::kMaxShift && shift >= -Dyadic::kMaxShift) return;
  throw Error(ErrorCode::kNotSupported, "dyadic",
              "a probability is too close to 0 to be written out",
              "choose a smaller ratio of half-width to scale, or an output closer to the input");
}

Integer shifted(const Integer& mantissa, std::int64_t shift) {
  check_shift(shift);
  return mantissa * Integer::two_to(static_cast<std::uint64_t>(shift));
}

}  // namespace

Dyadic Dyadic::of(const Float& value) {
  if (value.is_zero()) return {};
  check_shift(value.exponent());
  const Rational fraction = value.to_rational();
  const auto places = static_cast<std::int64_t>(fraction.denominator().bit_length()) - 1;
  return {fraction.numerator(), -places};
}

Rational Dyadic::to_rational() const {
  if (is_zero()) return 0;
  check_shift(exponent_);
  return Rational(mantissa_) * Rational::two_to(exponent_);
}

Dyadic operator+(const Dyadic& a, const Dyadic& b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  if (a.exponent_ < b.exponent_) return b + a;
  return {shifted(a.mantissa_, a.exponent_ - b.exponent_) + b.mantissa_, b.exponent_};
}

std::strong_ordering operator<=>(const Dyadic& a, const Dyadic& b) {
  if (a.sign() != b.sign() || a.is_zero()) return a.sign() <=> b.sign();
  // Numbers of the same sign in different binades need no subtraction, however far apart they are.
  const std::int64_t high_a = static_cast<std::int64_t>(a.mantissa_.bit_length()) + a.exponent_;
  const std::int64_t high_b = static_cast<std::int64_t>(b.mantissa_.bit_length()) + b.exponent_;
  if (high_a != high_b) return a.sign() > 0 ? high_a <=> high_b : high_b <=> high_a;
  return (a - b).sign() <=> 0;
}

}  // namespace lastbit::verify
