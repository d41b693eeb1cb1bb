#include "lastbit/numerics/decimal.h"

#include <utility>

#include "lastbit/base/error.h"

namespace lastbit {
namespace {

constexpr std::int64_t kMostLeadingZeros = 4;
constexpr std::int64_t kMostWholeDigits = 15;

Rational ten_to(std::int64_t exponent) {
  const auto size = static_cast<unsigned>(exponent < 0 ? -exponent : exponent);
  const Rational power(pow(Integer(10), size));
  return exponent < 0 ? Rational(1) / power : power;
}

// decimal_exponent: ⌊log10 value⌋ of a positive number: a guess from its bits, then corrected.
std::int64_t decimal_exponent(const Rational& value) {
  constexpr std::int64_t kThousandLog10Of2 = 301;
  const auto bits = static_cast<std::int64_t>(value.numerator().bit_length()) -
                    static_cast<std::int64_t>(value.denominator().bit_length());
  std::int64_t exponent = bits * kThousandLog10Of2 / 1000;
  while (ten_to(exponent) > value) --exponent;
  while (ten_to(exponent + 1) <= value) ++exponent;
  return exponent;
}

// Scaled: mantissa · 10^exponent.
struct Scaled {
  Integer mantissa;
  std::int64_t exponent;
};

// Requires  caller: the value is not 0.
Scaled scaled(const Rational& value, int digits, Rounding rounding) {
  invariant(1 <= digits && digits <= 1000, "decimals have 1 to 1000 digits");
  const std::int64_t exponent = decimal_exponent(abs(value)) - (digits - 1);
  return {rounded(value * ten_to(-exponent), rounding), exponent};
}

// placed: 0.d1d2d3… · 10^(exponent + 1) without trailing zeros.
std::string placed(std::string digits, std::int64_t exponent) {
  digits.erase(digits.find_last_not_of('0') + 1);
  const auto count = static_cast<std::int64_t>(digits.size());
  if (exponent < -kMostLeadingZeros || exponent >= kMostWholeDigits) {
    if (count > 1) digits.insert(1, ".");
    return digits + "e" + std::to_string(exponent);
  }
  if (exponent < 0) {
    return "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  }
  if (count <= exponent + 1) {
    return digits + std::string(static_cast<std::size_t>(exponent + 1 - count), '0');
  }
  return digits.insert(static_cast<std::size_t>(exponent + 1), ".");
}

}  // namespace

Rational to_decimal(const Rational& value, int digits, Rounding rounding) {
  if (value.sign() == 0) return value;
  const Scaled decimal = scaled(value, digits, rounding);
  return Rational(decimal.mantissa) * ten_to(decimal.exponent);
}

std::string decimal_text(const Rational& value, int digits, Rounding rounding) {
  if (value.sign() == 0) return "0";
  const Scaled decimal = scaled(value, digits, rounding);
  std::string text = abs(decimal.mantissa).to_string();
  const std::int64_t exponent = decimal.exponent + static_cast<std::int64_t>(text.size()) - 1;
  return (value.sign() < 0 ? "-" : "") + placed(std::move(text), exponent);
}

BinaryFraction binary_fraction(const Rational& value) {
  const Integer denominator = value.denominator();
  const auto bits = static_cast<std::int64_t>(denominator.bit_length()) - 1;
  if (denominator != Integer::two_to(static_cast<std::uint64_t>(bits))) {
    throw Error(ErrorCode::kNotSupported, "binary_fraction",
                "the denominator is not a power of two", "give a binary fraction");
  }
  if (value.sign() == 0) return {};
  if (bits > 0) return {value.numerator(), -bits};
  const mpz_class whole = value.numerator().gmp();
  const auto zeros = mpz_scan1(whole.get_mpz_t(), 0);
  return {Integer(mpz_class(whole >> zeros)), static_cast<std::int64_t>(zeros)};
}

}  // namespace lastbit
