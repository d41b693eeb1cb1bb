// Ball: a real number that is known to lie in [midpoint − radius, midpoint + radius] (Arb).
//
// Guarantee      if every operand contains its number, the result contains the result for those
//                numbers. lower() and upper() are rounded outward. Proof: proofs/numerics.md#ball
// Not promised   the smallest such interval: radii grow with every operation and by dependence
//                (x − x contains 0 and more). Two balls that overlap prove nothing.
// Fails          outside the domain (ln of a ball that reaches 0 or below, division by a ball that
//                contains 0, √ below 0) the result is a ball that is not finite: it contains every
//                number, so no comparison with it is ever certain. No error, no trap.
// Numerics       the result has the larger precision of its operands. Exponents are unbounded, so
//                exp(10^9) is finite; upper() of it is +infinity.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "lastbit/numerics/integer.h"
#include "lastbit/numerics/rational.h"

namespace lastbit {

class Ball {
 public:
  static constexpr int kMinPrecision = 2;
  static constexpr int kMaxPrecision = 1 << 24;
  static constexpr int kMaxDigits = 100'000;

  // A ball around `value`, exact when `value` is a binary fraction of at most `precision` bits. A
  // precision outside [kMinPrecision, kMaxPrecision] is a kBadParameter Error, here and below.
  Ball(const Rational& value, int precision);
  // exactly: the number a finite double stands for, radius 0 at any precision; NaN and infinities
  // are a kBadParameter Error.
  static Ball exactly(double value, int precision);
  // between: a ball that contains [low, high]; low > high is a kBadParameter Error.
  static Ball between(const Rational& low, const Rational& high, int precision);

  Ball(const Ball& other);
  // A moved-from ball is 0.
  Ball(Ball&& other) noexcept;
  Ball& operator=(const Ball& other);
  Ball& operator=(Ball&& other) noexcept;
  ~Ball();

  int precision() const { return precision_; }
  // is_finite: midpoint and radius are numbers.
  bool is_finite() const;
  // is_exact: the radius is 0 and the midpoint a number.
  bool is_exact() const;
  // contains: whether `value` lies in the ball, decided exactly.
  bool contains(const Rational& value) const;
  // sign: −1, 0 or 1 when every number of the ball has that sign, else nothing.
  std::optional<int> sign() const;

  // lower, upper: doubles ≤ and ≥ every number of the ball, the closest such doubles to its ends
  // rounded to the ball's precision; ∓infinity where no finite double will do; zero is +0.
  double lower() const;
  double upper() const;
  // lower_rational, upper_rational: exact binary fractions ≤ and ≥ every number of the ball, equal
  // to it when it is exact. A ball that is not finite, or so large or small that the fraction would
  // need more than 2^24 bits, is a kNotSupported Error.
  Rational lower_rational() const;
  Rational upper_rational() const;
  // to_string: midpoint and radius, at most `digits` digits (1 to kMaxDigits, else a kBadParameter
  // Error), such as [0.333333 +/- 4e-7]; the printed interval contains the ball.
  std::string to_string(int digits = 15) const;

  Ball operator-() const;

  // Gives access to Arb's number; defined in ball.cc and nowhere else.
  struct Access;

 private:
  explicit Ball(int precision);

  // Arb's number lives inside the object, so that a ball of ordinary precision needs no heap, and
  // arb.h stays out of this header. ball.cc checks size and alignment.
  alignas(8) std::array<std::byte, 48> storage_;
  int precision_;
};

Ball operator+(const Ball& a, const Ball& b);
Ball operator-(const Ball& a, const Ball& b);
Ball operator*(const Ball& a, const Ball& b);
Ball operator/(const Ball& a, const Ball& b);

Ball abs(const Ball& a);
Ball sqrt(const Ball& a);
Ball exp(const Ball& a);
// exp_of: e^exponent in a ball of this precision.
inline Ball exp_of(const Rational& exponent, int precision) {
  return exp(Ball(exponent, precision));
}
Ball ln(const Ball& a);
// expm1, log1p: e^a − 1 and ln(1 + a), tight near 0.
Ball expm1(const Ball& a);
Ball log1p(const Ball& a);
Ball sinh(const Ball& a);
Ball cosh(const Ball& a);
// coth: cosh/sinh; not finite when the ball contains 0.
Ball coth(const Ball& a);
Ball sin(const Ball& a);
Ball cos(const Ball& a);
// pi: π in a ball of this precision.
Ball pi(int precision);
// erfc: 2/√π·∫_a^∞ e^(−x²) dx, tight in its far tail.
Ball erfc(const Ball& a);
Ball pow(const Ball& base, int exponent);

// certainly_…: true only if the relation holds for every number of a and every number of b.
// False means "not proved", never "proved false".
bool certainly_less(const Ball& a, const Ball& b);
bool certainly_less_or_equal(const Ball& a, const Ball& b);
// overlaps: the two balls have a number in common.
bool overlaps(const Ball& a, const Ball& b);
inline bool certainly_greater(const Ball& a, const Ball& b) { return certainly_less(b, a); }
inline bool certainly_greater_or_equal(const Ball& a, const Ball& b) {
  return certainly_less_or_equal(b, a);
}

// A real number as a function of the requested precision: it must always return balls that contain
// the same number, but they may be wide at low precision.
using RealAtPrecision = std::function<Ball(int precision)>;

// try_decide: the sign of the number, tried at 64, 128, … bits and finally at max_precision, until
// all of a ball has one sign; nothing when no ball does, for instance because the number is 0 and
// the balls are not exact. Proof: proofs/numerics.md#decide
std::optional<int> try_decide(const RealAtPrecision& number, int max_precision = 8192);
// decide: the same, but an undecided sign is a kNotSupported Error.
int decide(const RealAtPrecision& number, int max_precision = 8192);

}  // namespace lastbit
