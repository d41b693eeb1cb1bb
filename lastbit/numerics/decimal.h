// Decimals of a chosen length that lie on a chosen side of the exact number.
#pragma once

#include <string>

#include "lastbit/numerics/rational.h"
#include "lastbit/numerics/rounding.h"

namespace lastbit {

// to_decimal: the nearest number with at most `digits` decimal digits in the given direction; the
// value itself if that is short enough.
// Requires  checked: 1 ≤ digits ≤ 1000; else kInternal.
Rational to_decimal(const Rational& value, int digits, Rounding rounding);

// decimal_text: the same, as text. Very large and very small numbers are written as 1.5e-14.
std::string decimal_text(const Rational& value, int digits, Rounding rounding);

// BinaryFraction: value = mantissa · 2^exponent with an odd mantissa, or 0 · 2^0.
struct BinaryFraction {
  Integer mantissa;
  std::int64_t exponent = 0;
};
// binary_fraction: of a number whose denominator is a power of two; any other is a kNotSupported
// Error.
BinaryFraction binary_fraction(const Rational& value);

}  // namespace lastbit
