// Float: floating-point numbers of any precision, correctly rounded (MPFR).
//
// The same code runs the enumeration of 3-bit formats and the study of 53- and 118-bit mechanisms,
// so what is enumerated is the program that is studied.
//
// Guarantee      every operation returns the exact result rounded once, in the direction asked, to
//                the format asked: precision, overflow and subnormals included. Zeros, infinities
//                and NaN follow IEEE 754. Proof: proofs/numerics.md#float
// Not promised   exception flags, NaN payloads, speed near that of hardware.
// Fails          as each function says, always with an Error; arithmetic itself never fails.
//
// mpfr.h stays out of this header: MPFR's number lives in a buffer inside the object, whose size
// float.cc checks, so there is one allocation per number (its digits) and moving is free.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lastbit/numerics/integer.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/numerics/rounding.h"

namespace lastbit {

// FloatFormat: which numbers are floats. With precision p these are ±m·2^e, 0 ≤ m < 2^p; in an IEEE
// format also below 2^(emax+1) in magnitude and multiples of 2^(emin−p+1), emin = 1 − emax.
class FloatFormat {
 public:
  static constexpr int kMinPrecision = 2;
  static constexpr int kMaxPrecision = 1 << 20;
  static constexpr std::int64_t kMaxExponent = std::int64_t{1} << 30;

  // unbounded: any exponent. (MPFR ends at 2^±(2^62); beyond it an operation overflows or
  // underflows as IEEE formats do.) An impossible precision is a kBadParameter Error.
  static FloatFormat unbounded(int precision);
  // ieee: largest exponent emax in [1, kMaxExponent], with subnormals; else kBadParameter.
  static FloatFormat ieee(int precision, std::int64_t emax);
  static FloatFormat binary16() { return ieee(11, 15); }
  static FloatFormat binary32() { return ieee(24, 127); }
  static FloatFormat binary64() { return ieee(53, 1023); }

  int precision() const { return precision_; }
  bool is_bounded() const { return emax_ != 0; }
  // emax, emin: largest and smallest exponent of a normal number; on an unbounded format a
  // kNotSupported Error.
  std::int64_t emax() const;
  std::int64_t emin() const { return 1 - emax(); }

  friend bool operator==(const FloatFormat&, const FloatFormat&) = default;

 private:
  FloatFormat(int precision, std::int64_t emax) : precision_(precision), emax_(emax) {}

  int precision_;
  std::int64_t emax_;  // 0 for unbounded formats
};

class Float {
 public:
  // +0 in the format.
  explicit Float(const FloatFormat& format);

  // from: the number rounded to the format. A double may be NaN, infinite or −0.
  static Float from(const Rational& value, const FloatFormat& format,
                    Rounding rounding = Rounding::kNearestEven);
  static Float from(double value, const FloatFormat& format,
                    Rounding rounding = Rounding::kNearestEven);
  static Float from(const Float& value, const FloatFormat& format,
                    Rounding rounding = Rounding::kNearestEven);
  static Float nan(const FloatFormat& format);
  static Float infinity(const FloatFormat& format);
  // largest, smallest_normal, smallest: the extreme positive finite floats of an IEEE format; on an
  // unbounded one a kNotSupported Error.
  static Float largest(const FloatFormat& format);
  static Float smallest_normal(const FloatFormat& format);
  static Float smallest(const FloatFormat& format);

  Float(const Float& other);
  // A moved-from float holds an unspecified value of its format, and may be used again.
  Float(Float&& other) noexcept;
  Float& operator=(const Float& other);
  Float& operator=(Float&& other) noexcept;
  ~Float();

  const FloatFormat& format() const { return format_; }
  bool is_nan() const;
  bool is_infinite() const;
  bool is_finite() const;
  bool is_zero() const;
  // is_negative: the sign bit, so true for −0 and −infinity; false for NaN.
  bool is_negative() const;
  // exponent: ⌊log2 |this|⌋ of a finite nonzero float, else a kNotSupported Error.
  std::int64_t exponent() const;

  // to_rational: the exact value. NaN, infinities and numbers beyond 2^±2^24 are a kNotSupported
  // Error.
  Rational to_rational() const;
  // to_double: rounded once, in the given direction; exact whenever the value is a double.
  double to_double(Rounding rounding) const;
  // to_string: exact, hexadecimal, such as -0x1.8p-4, inf or nan; finite texts can be parsed by
  // Rational::parse when their exponent is not too large for it.
  std::string to_string() const;

  Float operator-() const;

  // IEEE comparison: −0 equals +0, NaN is unordered with everything. Formats do not matter.
  friend bool operator==(const Float& a, const Float& b);
  friend std::partial_ordering operator<=>(const Float& a, const Float& b);

  // Gives access to MPFR's number; defined in float.cc and nowhere else.
  struct Access;

 private:
  alignas(8) std::array<std::byte, 32> storage_;
  FloatFormat format_;
};

// identical: the same datum: equal with equal signs (−0 differs from +0), or both NaN.
bool identical(const Float& a, const Float& b);
// compare: against an exact number.
std::partial_ordering compare(const Float& a, const Rational& b);

// The operations. Operands may have any formats; the result has the given one.
Float add(const Float& a, const Float& b, const FloatFormat& format,
          Rounding rounding = Rounding::kNearestEven);
Float subtract(const Float& a, const Float& b, const FloatFormat& format,
               Rounding rounding = Rounding::kNearestEven);
Float multiply(const Float& a, const Float& b, const FloatFormat& format,
               Rounding rounding = Rounding::kNearestEven);
Float divide(const Float& a, const Float& b, const FloatFormat& format,
             Rounding rounding = Rounding::kNearestEven);
Float sqrt(const Float& a, const FloatFormat& format, Rounding rounding = Rounding::kNearestEven);
Float exp(const Float& a, const FloatFormat& format, Rounding rounding = Rounding::kNearestEven);
// ln: ln(±0) = −infinity, ln(1) = +0, ln of a negative number is NaN.
Float ln(const Float& a, const FloatFormat& format, Rounding rounding = Rounding::kNearestEven);

// ln of an exact number, rounded once; a number ≤ 0 is a kBadParameter Error. It always terminates,
// because ln of a rational other than 1 is irrational. Proof: proofs/numerics.md#ln-rational
Float ln(const Rational& a, const FloatFormat& format, Rounding rounding = Rounding::kNearestEven);
// ln_down, ln_up: the largest binary fraction of `precision` bits ≤ ln a and the smallest ≥ ln a.
Rational ln_down(const Rational& a, int precision);
Rational ln_up(const Rational& a, int precision);

// next_up, next_down: the neighbouring float of the same format, as IEEE 754 nextUp and nextDown:
// next_up(−smallest) is −0, next_up(largest) is infinity, NaN stays. Zeros and infinities of an
// unbounded format have no neighbour: a kNotSupported Error.
Float next_up(const Float& a);
Float next_down(const Float& a);

// all_finite_floats: every finite float of an IEEE format in increasing order, zero once, as +0.
// More than 2^20 of them, or an unbounded format, is a kNotSupported Error.
std::vector<Float> all_finite_floats(const FloatFormat& format);
// positive_floats: every normal float x of the format with 2^low ≤ x < 2^(high+1), in increasing
// order. An empty range, one that leaves the format or ±2^24, or more than 2^20 floats is a
// kBadParameter Error.
std::vector<Float> positive_floats(const FloatFormat& format, std::int64_t low, std::int64_t high);

}  // namespace lastbit
