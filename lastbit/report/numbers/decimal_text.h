// Decimals of a chosen length that lie on a chosen side of the exact number.
#pragma once

#include <string>

#include "lastbit/numerics/rational.h"

namespace lastbit::report {

enum class Toward { kDown, kUp };

// decimal_text: the closest decimal of at most `digits` digits (1 to 1000) that is not above (kDown)
// or not below (kUp) the value; the value itself where that is short enough. Very large and very
// small numbers are written as 1.5e-14.
std::string decimal_text(const Rational& value, int digits, Toward toward);

// binary_text: a probability with a power of two below: 13/64, or where that is long the first
// digits and the power: "0.183939720585 (a multiple of 2^-54)".
std::string binary_text(const Rational& value);

// BinaryFraction: value = mantissa · 2^exponent with an odd mantissa, or 0 · 2^0.
struct BinaryFraction {
  Integer mantissa;
  std::int64_t exponent = 0;
};
// binary_fraction: of a number whose denominator is a power of two; another one is a kNotSupported
// Error.
BinaryFraction binary_fraction(const Rational& value);

}  // namespace lastbit::report
