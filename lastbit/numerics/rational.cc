#include "lastbit/numerics/rational.h"

#include <fmt/core.h>
#include <mpfr.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"

namespace lastbit {
namespace {

[[noreturn]] void refuse(std::string_view text, std::string_view problem) {
  throw Error(ErrorCode::kBadText, "number", fmt::format("{} {}", quote(text), problem),
              "write an exact number such as 0.1, 1e-3, 1/3 or 0x1.8p-4");
}

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

// The digits of `part` in `base`, with at most one point; the point's position is counted.
struct Mantissa {
  std::string digits;
  long after_point = 0;
};

Mantissa read_mantissa(std::string_view part, int base, std::string_view whole) {
  Mantissa mantissa;
  bool seen_point = false;
  for (const char c : part) {
    if (c == '.') {
      if (seen_point) refuse(whole, "has two decimal points");
      seen_point = true;
      continue;
    }
    if (digit_value(c) >= base) refuse(whole, "is not a number");
    mantissa.digits += c;
    if (seen_point) ++mantissa.after_point;
  }
  if (mantissa.digits.empty()) refuse(whole, "has no digits");
  return mantissa;
}

long read_exponent(std::string_view part, std::string_view whole) {
  if (part.starts_with('+')) {
    part.remove_prefix(1);
    if (part.starts_with('-')) refuse(whole, "has a malformed exponent");
  }
  long exponent = 0;
  const auto [end, problem] = std::from_chars(part.data(), part.data() + part.size(), exponent);
  const bool too_large = problem == std::errc::result_out_of_range;
  if (!too_large && (problem != std::errc{} || end != part.data() + part.size())) {
    refuse(whole, "has a malformed exponent");
  }
  if (too_large || exponent > Rational::kMaxExponent || exponent < -Rational::kMaxExponent) {
    refuse(whole, fmt::format("has an exponent beyond ±{}", Rational::kMaxExponent));
  }
  return exponent;
}

Rational scaled(const std::string& digits, int digits_base, unsigned long scale_base,
                long exponent) {
  const Integer mantissa(mpz_class(digits, digits_base));
  const Integer scale = pow(Integer(scale_base), static_cast<unsigned>(std::abs(exponent)));
  return exponent >= 0 ? Rational(mantissa * scale) : Rational(mantissa, scale);
}

Rational parse_decimal(std::string_view body, std::string_view whole) {
  const std::size_t e = body.find_first_of("eE");
  const Mantissa mantissa = read_mantissa(body.substr(0, e), 10, whole);
  const long exponent = e == std::string_view::npos ? 0 : read_exponent(body.substr(e + 1), whole);
  return scaled(mantissa.digits, 10, 10, exponent - mantissa.after_point);
}

Rational parse_hexadecimal(std::string_view body, std::string_view whole) {
  const std::size_t p = body.find_first_of("pP");
  const Mantissa mantissa = read_mantissa(body.substr(0, p), 16, whole);
  const long exponent = p == std::string_view::npos ? 0 : read_exponent(body.substr(p + 1), whole);
  return scaled(mantissa.digits, 16, 2, exponent - 4 * mantissa.after_point);
}

Rational parse_fraction(std::string_view body, std::size_t slash, std::string_view whole) {
  const auto digits = [&](std::string_view part) {
    const bool good =
        !part.empty() && std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
    if (!good) refuse(whole, "is not a fraction of two whole numbers");
    return Integer(mpz_class(std::string(part), 10));
  };
  const Integer numerator = digits(body.substr(0, slash));
  const Integer denominator = digits(body.substr(slash + 1));
  if (denominator.sign() == 0) refuse(whole, "divides by zero");
  return Rational(numerator, denominator);
}

// The power of ten that turns a fraction with this denominator into a whole number, if any.
std::optional<unsigned> decimal_places(const mpz_class& denominator) {
  mpz_class rest;
  const mpz_class two = 2;
  const mpz_class five = 5;
  const auto twos = mpz_remove(rest.get_mpz_t(), denominator.get_mpz_t(), two.get_mpz_t());
  const auto fives = mpz_remove(rest.get_mpz_t(), rest.get_mpz_t(), five.get_mpz_t());
  if (rest != 1) return std::nullopt;
  return static_cast<unsigned>(std::max(twos, fives));
}

double rounded(const mpq_class& value, mpfr_rnd_t direction) {
  // Two roundings in one direction equal one rounding, so subnormal results are correct as well.
  mpfr_t wide;
  mpfr_init2(wide, 53);
  mpfr_set_q(wide, value.get_mpq_t(), direction);
  const double result = mpfr_get_d(wide, direction);
  mpfr_clear(wide);
  return result == 0 ? 0.0 : result;
}

}  // namespace

Rational::Rational(const Integer& value) : value_(value.gmp()) {}

Rational::Rational(const Integer& numerator, const Integer& denominator) {
  if (denominator.sign() == 0) {
    throw Error::bad_parameter("rational", "denominator", "is zero", "give a nonzero denominator");
  }
  value_ = mpq_class(numerator.gmp(), denominator.gmp());
  value_.canonicalize();
}

Rational::Rational(mpq_class value) : value_(std::move(value)) {
  if (value_.get_den() == 0) {
    throw Error::bad_parameter("rational", "denominator", "is zero", "give a nonzero denominator");
  }
  value_.canonicalize();
}

Rational Rational::exactly(double value) {
  if (!std::isfinite(value)) {
    throw Error::bad_parameter("rational", "value", "is NaN or infinite", "give a finite number");
  }
  return Rational(mpq_class(value));
}

Rational Rational::parse(std::string_view text) {
  if (text.empty()) refuse(text, "is empty");
  if (text.size() > kMaxTextLength) {
    refuse(text, fmt::format("is longer than {} characters", kMaxTextLength));
  }
  std::string_view body = text;
  const bool negative = body[0] == '-';
  if (negative || body[0] == '+') body.remove_prefix(1);
  Rational magnitude;
  if (const std::size_t slash = body.find('/'); slash != std::string_view::npos) {
    magnitude = parse_fraction(body, slash, text);
  } else if (body.starts_with("0x") || body.starts_with("0X")) {
    magnitude = parse_hexadecimal(body.substr(2), text);
  } else {
    magnitude = parse_decimal(body, text);
  }
  return negative ? -magnitude : magnitude;
}

Rational Rational::two_to(std::int64_t exponent) {
  if (exponent >= 0) return Rational(Integer::two_to(static_cast<std::uint64_t>(exponent)));
  return Rational(Integer(1), Integer::two_to(-static_cast<std::uint64_t>(exponent)));
}

Integer Rational::floor() const { return floor_div(numerator(), denominator()); }

Integer Rational::ceil() const { return -floor_div(-numerator(), denominator()); }

double Rational::down() const { return rounded(value_, MPFR_RNDD); }

double Rational::up() const { return rounded(value_, MPFR_RNDU); }

std::string Rational::to_string() const {
  constexpr std::size_t kMostDigits = 30;
  const auto places = decimal_places(value_.get_den());
  if (!places || *places == 0 || *places > kMostDigits) return value_.get_str();
  const Rational shifted = *this * Rational(pow(Integer(10), *places));
  std::string digits = abs(shifted.numerator()).to_string();
  if (digits.size() > kMostDigits) return value_.get_str();
  if (digits.size() <= *places) digits.insert(0, *places + 1 - digits.size(), '0');
  digits.insert(digits.size() - *places, 1, '.');
  if (sign() < 0) digits.insert(0, 1, '-');
  return digits;
}

Rational& Rational::operator/=(const Rational& other) {
  if (other.sign() == 0) {
    throw Error::bad_parameter("rational", "divisor", "is zero", "divide by a nonzero number");
  }
  value_ /= other.value_;
  return *this;
}

Rational abs(const Rational& a) { return Rational(mpq_class(abs(a.gmp()))); }

Rational pow(const Rational& base, unsigned exponent) {
  return Rational(pow(base.numerator(), exponent), pow(base.denominator(), exponent));
}

}  // namespace lastbit
