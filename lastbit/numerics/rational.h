// Rational: exact fractions (GMP). Every privacy parameter, bound and distance is one.
//
// Guarantee      every operation is exact; equal values have one representation.
//                Proof: proofs/numerics.md#exact
// Not promised   speed on numbers of thousands of digits; parsing refuses exponents beyond
//                kMaxExponent so that a short hostile text cannot fill the memory.
#pragma once

#include <compare>
#include <concepts>
#include <string>
#include <string_view>

#include "lastbit/numerics/integer.h"

namespace lastbit {

class Rational {
 public:
  // The largest decimal or binary exponent that parse accepts, and the longest text.
  static constexpr long kMaxExponent = 20'000;
  static constexpr std::size_t kMaxTextLength = 100'000;

  Rational() = default;
  template <std::integral T>
  Rational(T value) : Rational(Integer(value)) {}  // NOLINT(google-explicit-constructor)
  // A double says which number it means: exactly(0.1) and parse("0.1") differ.
  template <std::floating_point T>
  Rational(T value) = delete;
  Rational(const Integer& value);  // NOLINT(google-explicit-constructor)
  // numerator / denominator in lowest terms; a zero denominator is a kBadParameter Error.
  Rational(const Integer& numerator, const Integer& denominator);
  // A zero denominator is a kBadParameter Error.
  explicit Rational(mpq_class value);

  // exactly: the number a finite double stands for, every bit of it. 0.1 becomes
  // 3602879701896397/36028797018963968, not 1/10; use parse for decimal text. NaN and infinities
  // are a kBadParameter Error.
  static Rational exactly(double value);
  // parse: `0.1`, `-12`, `.5`, `5.`, `1e-3`, `1/3`, `0x1.8p-4`, without loss; anything else is a
  // kBadText Error that says what is wrong. Proof: proofs/numerics.md#parse
  static Rational parse(std::string_view text);
  // two_to: 2^exponent, exponent of either sign; beyond ±Integer::kMaxBits a kBadParameter Error.
  static Rational two_to(std::int64_t exponent);

  Integer numerator() const { return Integer(mpz_class(value_.get_num())); }
  Integer denominator() const { return Integer(mpz_class(value_.get_den())); }
  int sign() const { return sgn(value_); }
  bool is_integer() const { return value_.get_den() == 1; }
  Integer floor() const;
  Integer ceil() const;

  // down / up: the largest double ≤ this and the smallest double ≥ this (possibly infinite); zero
  // is always +0. Proof: proofs/numerics.md#directed
  double down() const;
  double up() const;

  // to_string: exact; a decimal where one exists with at most 30 digits, else
  // numerator/denominator. parse(to_string()) gives the same number, as long as the text fits
  // kMaxTextLength.
  std::string to_string() const;
  const mpq_class& gmp() const { return value_; }

  Rational operator-() const {
    Rational negated = *this;
    mpq_neg(negated.value_.get_mpq_t(), negated.value_.get_mpq_t());
    return negated;
  }
  Rational& operator+=(const Rational& other) {
    value_ += other.value_;
    return *this;
  }
  Rational& operator-=(const Rational& other) {
    value_ -= other.value_;
    return *this;
  }
  Rational& operator*=(const Rational& other) {
    value_ *= other.value_;
    return *this;
  }
  // Division by zero is a kBadParameter Error.
  Rational& operator/=(const Rational& other);
  friend Rational operator+(Rational a, const Rational& b) { return a += b; }
  friend Rational operator-(Rational a, const Rational& b) { return a -= b; }
  friend Rational operator*(Rational a, const Rational& b) { return a *= b; }
  friend Rational operator/(Rational a, const Rational& b) { return a /= b; }
  friend bool operator==(const Rational& a, const Rational& b) { return a.value_ == b.value_; }
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
    return cmp(a.value_, b.value_) <=> 0;
  }

 private:
  mpq_class value_;
};

Rational abs(const Rational& a);
// pow: base^exponent, with 0^0 = 1; fails as pow of Integers does.
Rational pow(const Rational& base, unsigned exponent);

// rational: short for Rational::parse, as in rational("1/2").
inline Rational rational(std::string_view text) { return Rational::parse(text); }

}  // namespace lastbit
