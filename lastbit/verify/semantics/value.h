// Numbers of the form c·Lⁿ with L = ln(base): what the variables of an executed program hold.
//
// A finite model fixes a rational base > 1 and makes privacy parameters multiples of its logarithm,
// so that e^ε is rational. ε and 1/ε are then irrational but of this form, and everything that
// programs usually do with them stays exact.
// Fails          what leaves the form (1 + ε, e^(1/2), comparing ε with 1) is an Error
//                (kNotSupported).
#pragma once

#include <compare>
#include <optional>

#include "lastbit/numerics/rational.h"

namespace lastbit::verify {

struct LogNumber {
  Rational factor;
  int power = 0;  // 0 when the factor is

  LogNumber() = default;
  LogNumber(Rational c, int n = 0)  // NOLINT(google-explicit-constructor)
      : factor(std::move(c)), power(factor.sign() == 0 ? 0 : n) {}

  // The order of representations, for containers; compare() is that of numbers.
  friend std::strong_ordering operator<=>(const LogNumber&, const LogNumber&) = default;
  friend bool operator==(const LogNumber&, const LogNumber&) = default;
};

LogNumber add(const LogNumber& a, const LogNumber& b);
LogNumber negated(const LogNumber& a);
LogNumber multiply(const LogNumber& a, const LogNumber& b);
// inverse: one over a; a = 0 is a kBadParameter Error, so check first.
LogNumber inverse(const LogNumber& a);
// divide: nothing if b is 0.
std::optional<LogNumber> divide(const LogNumber& a, const LogNumber& b);
// compare: the order of the numbers, given that L > 0.
std::strong_ordering compare(const LogNumber& a, const LogNumber& b);
// rational_part: the number itself if it is rational; otherwise an Error that names `what`.
const Rational& rational_part(const LogNumber& a, const char* what);

// exp_of: base^c for a = c·L with whole c, and 1 for a = 0.
Rational exp_of(const LogNumber& a, const Rational& base);
// ln_of: n·L for a = baseⁿ with whole n, |n| ≤ kMaxLogarithm; nothing when a ≤ 0.
inline constexpr int kMaxLogarithm = 1'000;
std::optional<LogNumber> ln_of(const LogNumber& a, const Rational& base);

}  // namespace lastbit::verify
