#include "lastbit/report/numbers/decimal_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "lastbit/base/error.h"

namespace lastbit::report {
namespace {

constexpr std::int64_t kMostLeadingZeros = 4;
constexpr std::int64_t kMostWholeDigits = 15;

Rational ten_to(std::int64_t exponent) {
  const auto size = static_cast<unsigned>(exponent < 0 ? -exponent : exponent);
  const Rational power(pow(Integer(10), size));
  return exponent < 0 ? Rational(1) / power : power;
}

// decimal_exponent: ⌊log10 value⌋ of a positive number: a guess from its bits, put right.
std::int64_t decimal_exponent(const Rational& value) {
  constexpr std::int64_t kThousandLog10Of2 = 301;
  const auto bits = static_cast<std::int64_t>(value.numerator().bit_length()) -
                    static_cast<std::int64_t>(value.denominator().bit_length());
  std::int64_t exponent = bits * kThousandLog10Of2 / 1000;
  while (ten_to(exponent) > value) --exponent;
  while (ten_to(exponent + 1) <= value) ++exponent;
  return exponent;
}

// placed: 0.d1d2d3… · 10^(exponent + 1) without the zeros at its end.
std::string placed(std::string digits, std::int64_t exponent) {
  digits.erase(digits.find_last_not_of('0') + 1);
  const auto count = static_cast<std::int64_t>(digits.size());
  if (exponent < -kMostLeadingZeros || exponent >= kMostWholeDigits) {
    if (count > 1) digits.insert(1, ".");
    return fmt::format("{}e{}", digits, exponent);
  }
  if (exponent < 0)
    return "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  if (count <= exponent + 1) {
    return digits + std::string(static_cast<std::size_t>(exponent + 1 - count), '0');
  }
  return digits.insert(static_cast<std::size_t>(exponent + 1), ".");
}

}  // namespace

std::string decimal_text(const Rational& value, int digits, Toward toward) {
  invariant(1 <= digits && digits <= 1000, "decimals have 1 to 1000 digits");
  if (value.sign() == 0) return "0";
  const bool negative = value.sign() < 0;
  const Rational size = abs(value);
  std::int64_t exponent = decimal_exponent(size);
  const Rational scaled = size * ten_to(digits - 1 - exponent);
  const bool away = (toward == Toward::kUp) != negative;
  Integer rounded = away ? scaled.ceil() : scaled.floor();
  if (rounded == pow(Integer(10), static_cast<unsigned>(digits))) ++exponent;
  return (negative ? "-" : "") + placed(rounded.to_string(), exponent);
}

BinaryFraction binary_fraction(const Rational& value) {
  const Integer denominator = value.denominator();
  const auto bits = static_cast<std::int64_t>(denominator.bit_length()) - 1;
  if (denominator != Integer::two_to(static_cast<std::uint64_t>(bits))) {
    throw Error(ErrorCode::kNotSupported, "binary_fraction", "the denominator is no power of two",
                "give a binary fraction");
  }
  if (value.sign() == 0) return {};
  if (bits > 0) return {value.numerator(), -bits};
  const mpz_class whole = value.numerator().gmp();
  const auto zeros = mpz_scan1(whole.get_mpz_t(), 0);
  return {Integer(mpz_class(whole >> zeros)), static_cast<std::int64_t>(zeros)};
}

std::string binary_text(const Rational& value) {
  constexpr std::size_t kShort = 24;
  constexpr int kDigits = 15;
  std::string exact = value.is_integer()
                          ? value.to_string()
                          : value.numerator().to_string() + "/" + value.denominator().to_string();
  if (exact.size() <= kShort) return exact;
  return fmt::format("{} (a multiple of 2^{})", decimal_text(value, kDigits, Toward::kDown),
                     binary_fraction(value).exponent);
}

}  // namespace lastbit::report
