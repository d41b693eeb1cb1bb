// Grid: the multiples of a power of two, Λ = 2^exponent, to which private numbers are rounded.
//
// Guarantee      every function is exact for every finite double, subnormals and both zeros
//                included, and for every Rational. The nearest multiple is ⌊x/Λ + ½⌋·Λ: a tie goes
//                toward +∞, so moving x by a multiple of Λ moves the result by the same multiple.
//                Proof: proofs/numerics.md#grid
// Fails          NaN and infinities are a kBadParameter Error, whatever the grid; only
//                nearest_index_int64 leaves that to its caller.
// Numerics       bit and integer arithmetic only; no sum or quotient of doubles is ever rounded.
#pragma once

#include <bit>
#include <cstdint>

#include "lastbit/numerics/integer.h"
#include "lastbit/numerics/rational.h"

namespace lastbit {

class Grid {
 public:
  static constexpr int kMaxExponent = 20'000;

  // The multiples of 2^exponent; |exponent| > kMaxExponent is a kBadParameter Error.
  explicit Grid(int exponent);
  // at_least: the grid whose spacing is the smallest power of two ≥ scale. A scale that is not
  // positive, or beyond 2^±kMaxExponent, is a kBadParameter Error.
  static Grid at_least(const Rational& scale);

  int exponent() const { return exponent_; }
  Rational spacing() const { return Rational::two_to(exponent_); }
  // point: index·Λ.
  Rational point(const Integer& index) const { return Rational(index) * spacing(); }

  // split: the whole number and the fraction in [0, 1) with x = (whole + fraction)·Λ.
  struct Split {
    Integer whole;
    Rational fraction;
  };
  Split split(double x) const;
  Split split(const Rational& x) const;

  // floor_index, ceil_index: ⌊x/Λ⌋ and ⌈x/Λ⌉.
  Integer floor_index(double x) const;
  Integer floor_index(const Rational& x) const;
  Integer ceil_index(double x) const;
  Integer ceil_index(const Rational& x) const;

  // nearest_index: ⌊x/Λ + ½⌋, the index of the nearest multiple, ties toward +∞.
  Integer nearest_index(double x) const;
  Integer nearest_index(const Rational& x) const;

  // nearest: the nearest multiple itself. It is always a double, so nothing is rounded a second
  // time, unless its magnitude is 2^1024 or more: then it is ±infinity, as IEEE 754 overflows.
  // A zero result is +0. Proof: proofs/numerics.md#grid-representable
  double nearest(double x) const;

  // nearest_index_int64: nearest_index(x), fast, for sums over many rows.
  // Requires  caller: x is finite and |x|/Λ ≤ 2^62. Anything else gives an unspecified number (and
  //           no undefined behaviour), so clamp first. Proof: proofs/numerics.md#grid-fast
  std::int64_t nearest_index_int64(double x) const {
    const Dyadic d = dyadic(x);
    const int shift = exponent_ - d.exponent;
    if (shift <= 0) return shifted_left(d.mantissa, -shift);
    return shifted_right_nearest(d.mantissa, shift);
  }

 private:
  // x = mantissa·2^exponent with |mantissa| < 2^53 and exponent ≥ −1074.
  struct Dyadic {
    std::int64_t mantissa;
    int exponent;
  };

  static Dyadic dyadic(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const auto field = static_cast<int>((bits >> 52) & 0x7ff);
    const auto fraction = static_cast<std::int64_t>(bits & 0x000f'ffff'ffff'ffff);
    // Field 0 holds the zeros and subnormals, which have no leading one.
    const std::int64_t magnitude = field == 0 ? fraction : fraction | (std::int64_t{1} << 52);
    const int exponent = (field == 0 ? 1 : field) - 1075;
    return {(bits >> 63) != 0 ? -magnitude : magnitude, exponent};
  }

  // mantissa·2^shift where that fits; the mask only keeps misuse defined.
  static std::int64_t shifted_left(std::int64_t mantissa, int shift) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(mantissa) << (shift & 63));
  }

  // ⌊mantissa/2^shift + ½⌋ for shift ≥ 1. From 54 on |mantissa|/2^shift < ½, so the answer is 0.
  static std::int64_t shifted_right_nearest(std::int64_t mantissa, int shift) {
    if (shift >= 54) return 0;
    return (mantissa + (std::int64_t{1} << (shift - 1))) >> shift;
  }

  static Dyadic finite_dyadic(double x);

  int exponent_;
};

}  // namespace lastbit
