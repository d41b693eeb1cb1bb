#include "lastbit/verify/semantics/value.h"

#include <string>

#include "lastbit/base/error.h"

namespace lastbit::verify {
namespace {

Error not_exact(const std::string& problem) {
  return Error(ErrorCode::kNotSupported, "execute", problem,
               "choose the base so that every exponent is a whole multiple of its logarithm, and "
               "keep epsilon apart from other numbers");
}

}  // namespace

LogNumber add(const LogNumber& a, const LogNumber& b) {
  if (a.factor.sign() == 0) return b;
  if (b.factor.sign() == 0) return a;
  if (a.power != b.power) throw not_exact("a sum mixes powers of a logarithm");
  return {a.factor + b.factor, a.power};
}

LogNumber negated(const LogNumber& a) { return {-a.factor, a.power}; }

LogNumber multiply(const LogNumber& a, const LogNumber& b) {
  return {a.factor * b.factor, a.power + b.power};
}

LogNumber inverse(const LogNumber& a) { return {Rational(1) / a.factor, -a.power}; }

std::optional<LogNumber> divide(const LogNumber& a, const LogNumber& b) {
  if (b.factor.sign() == 0) return std::nullopt;
  return multiply(a, inverse(b));
}

std::strong_ordering compare(const LogNumber& a, const LogNumber& b) {
  // L > 0, so different signs settle it whatever the powers are.
  if (a.factor.sign() != b.factor.sign()) return a.factor.sign() <=> b.factor.sign();
  if (a.power != b.power) throw not_exact("a comparison mixes powers of a logarithm");
  return a.factor <=> b.factor;
}

const Rational& rational_part(const LogNumber& a, const char* what) {
  if (a.power != 0) throw not_exact(std::string(what) + " is an irrational number");
  return a.factor;
}

Rational exp_of(const LogNumber& a, const Rational& base) {
  if (a.factor.sign() == 0) return 1;
  if (a.power != 1 || !a.factor.is_integer()) throw not_exact("an exponential is irrational");
  const Integer exponent = a.factor.numerator();
  if (abs(exponent) > Integer(kMaxLogarithm)) throw not_exact("an exponent is too large");
  const auto size = static_cast<unsigned>(abs(exponent).to_int64());
  return exponent.sign() > 0 ? pow(base, size) : Rational(1) / pow(base, size);
}

std::optional<LogNumber> ln_of(const LogNumber& a, const Rational& base) {
  if (a.factor.sign() <= 0) return std::nullopt;
  const Rational& number = rational_part(a, "the argument of ln");
  const bool below = number < Rational(1);
  const Rational target = below ? Rational(1) / number : number;
  Rational power = 1;
  for (int n = 0; n <= kMaxLogarithm && power <= target; ++n, power *= base) {
    if (power == target) return LogNumber(below ? -n : n, 1);
  }
  throw not_exact("a logarithm is not a whole multiple of the base's");
}

}  // namespace lastbit::verify
