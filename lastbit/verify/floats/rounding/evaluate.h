// A formula at given values: enclosed as a real number, and computed as a float.
#pragma once

#include <map>
#include <string>

#include "lastbit/numerics/ball.h"
#include "lastbit/numerics/float.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/verify/floats/rounding/formula.h"

namespace lastbit::verify {

// FormulaValues: a number for each variable, by name; the uniform is U.
using FormulaValues = std::map<std::string, Rational>;

// real_value: a ball of `precision` bits that contains the value of the formula, with η = 2^−p for
// the p of the format. If the formula has no value (a division by 0, ln of a number ≤ 0) or the
// ball cannot tell, the ball is not finite. A variable without a value is a kBadParameter Error.
Ball real_value(const Formula& formula, const FormulaValues& values, const FloatFormat& format,
                int precision);

// float_value: what the floating-point reading of the formula computes: numbers and real variables
// are rounded to the nearest float, U is truncated, each operation and LN is rounded to the nearest
// float, ties to even; negation, rounding to the grid and clamping are exact.
// Requires  checked: exact variables and bounds of clamps are floats of the format, which is
//           unbounded; every variable has a value; 0 < U < 1; else kBadParameter. No parts that only
//           bounds have; no division by 0, no ln of a number ≤ 0; else kNotSupported.
Float float_value(const Formula& formula, const FormulaValues& values, const FloatFormat& format);

// is_float: whether the number is a float of the format.
bool is_float(const Rational& number, const FloatFormat& format);

}  // namespace lastbit::verify
