// Dyadic: binary fractions whose exponent may be far from 0.
//
// A probability such as 3·2^−100000 fits in two words here; as a Rational its denominator alone
// would take 12 kilobytes, and a law has many of them.
#pragma once

#include <compare>
#include <cstdint>
#include <utility>

#include "lastbit/numerics/float.h"
#include "lastbit/numerics/integer.h"
#include "lastbit/numerics/rational.h"

namespace lastbit::verify {

// Dyadic: mantissa·2^exponent, exact. Sums of numbers whose exponents are more than kMaxShift apart,
// and floats and fractions beyond 2^±kMaxShift, are a kNotSupported Error.
class Dyadic {
 public:
  static constexpr std::int64_t kMaxShift = std::int64_t{1} << 22;

  Dyadic() = default;  // 0
  Dyadic(Integer mantissa, std::int64_t exponent)
      : mantissa_(std::move(mantissa)), exponent_(exponent) {}
  // of: the value of a finite float.
  static Dyadic of(const Float& value);

  int sign() const { return mantissa_.sign(); }
  bool is_zero() const { return sign() == 0; }
  std::int64_t exponent() const { return exponent_; }
  Dyadic halved() const { return {mantissa_, exponent_ - 1}; }
  Rational to_rational() const;

  Dyadic operator-() const { return {-mantissa_, exponent_}; }
  friend Dyadic operator+(const Dyadic& a, const Dyadic& b);
  friend Dyadic operator-(const Dyadic& a, const Dyadic& b) { return a + -b; }
  friend Dyadic operator*(const Dyadic& a, const Dyadic& b) {
    return {a.mantissa_ * b.mantissa_, a.exponent_ + b.exponent_};
  }
  // Equality and order are those of the values, whatever mantissas they are written with.
  friend bool operator==(const Dyadic& a, const Dyadic& b) { return (a <=> b) == 0; }
  friend std::strong_ordering operator<=>(const Dyadic& a, const Dyadic& b);

 private:
  Integer mantissa_;
  std::int64_t exponent_ = 0;
};

}  // namespace lastbit::verify
