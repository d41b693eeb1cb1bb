// Real: a number that a program computes without noise: a fraction, or something like ln 3 that is
// known to any precision.
//
// Guarantee      ball(p) contains the number at every p. Arithmetic on fractions is exact.
// Fails          division by 0 and ln of a number ≤ 0 are an ImpossibleOperation. A sign that 1024
//                bits do not decide, fractions of more than kMaxBits bits and formulas of more than
//                kMaxSize steps are another kNotSupported Error: such instances are left alone.
#pragma once

#include <memory>
#include <string>

#include "lastbit/base/error.h"
#include "lastbit/numerics/ball.h"
#include "lastbit/numerics/rational.h"

namespace lastbit::verify::refutation {

// not_supported: the Error for an instance that the search cannot compute; the search catches it.
Error not_supported(std::string problem);
// ImpossibleOperation: the Error of an operation that has no result, such as a division by 0. A run
// of a program ends there, visibly; anywhere else the instance is skipped.
class ImpossibleOperation : public Error {
 public:
  explicit ImpossibleOperation(std::string problem);
};
// bounded: the fraction itself, unless it has become too large to use.
Rational bounded(Rational value);

class Real {
 public:
  static constexpr std::size_t kMaxBits = 4096;
  static constexpr int kMaxSize = 200;

  Real() = default;
  Real(Rational value)  // NOLINT(google-explicit-constructor)
      : exact_(bounded(std::move(value))) {}
  // The number that `formula` encloses; `size` counts the steps of computing it.
  Real(RealAtPrecision formula, int size);

  bool is_rational() const { return formula_ == nullptr; }
  // rational: the value; only for a rational number.
  const Rational& rational() const;
  Ball ball(int precision) const;
  // approximate: close to the number, only for a quick look.
  double approximate() const;
  int sign() const;
  int size() const { return size_; }

 private:
  Rational exact_;
  std::shared_ptr<const RealAtPrecision> formula_;
  int size_ = 1;
};

Real operator+(const Real& a, const Real& b);
Real operator-(const Real& a, const Real& b);
Real operator*(const Real& a, const Real& b);
Real operator/(const Real& a, const Real& b);
Real ln(const Real& a);
Real exp(const Real& a);
// logistic: e^a / (1 + e^a).
Real logistic(const Real& a);

}  // namespace lastbit::verify::refutation
