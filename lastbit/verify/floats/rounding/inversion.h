// The inversion: what "the computed result is at least y" says about the uniform.
//
// If U occurs once in an expression, under operations that are monotone in it, then the computed
// float is monotone in U too: the event is U ≥ T, or U < T, for one number T, which the floats
// determine and formulas enclose. The rules of the semantics, run backwards, give formulas around
// T.
#pragma once

#include "lastbit/numerics/ball.h"
#include "lastbit/numerics/float.h"
#include "lastbit/verify/floats/rounding/evaluate.h"
#include "lastbit/verify/floats/rounding/extent.h"
#include "lastbit/verify/floats/rounding/formula.h"

namespace lastbit::verify {

enum class FloatComparison { kAtLeast, kAtMost };

// UniformThreshold: the event is U ≥ T (kAtLeast) or U < T (kAtMost) for a number T in [0, 1], a
// float or an end, and clip(low) ≤ T ≤ clip(high), where clip cuts off whatever lies outside [0,
// 1]: T = 0 and T = 1 are the certain or the impossible event. So its probability is T, or 1 − T.
struct UniformThreshold {
  FloatComparison side;
  Formula low;
  Formula high;
};

// invert_rounding: the event "float_value(formula) is at least (at most) target".
// Requires  checked: U occurs once in the formula and not in the target; on the way to it are only
//           + − × ÷ with other operands free of U (U not in a divisor), negation, ln, round_to and
//           clamp_to; else kNotSupported, naming the part. Then as derive_rounding.
// Ensures   the enclosure above, for all values in the ranges and every value of the target.
// Fails     a factor of U that may be 0, and a target that may leave what a clamp lets through:
//           kNotSupported.
// Proof     proofs/rounding.md#inversion
UniformThreshold invert_rounding(const Formula& formula, FloatComparison comparison,
                                 const Formula& target, const Ranges& ranges,
                                 const FloatFormat& format);

// ThresholdEnclosure: balls around clip(low) and clip(high).
struct ThresholdEnclosure {
  Ball low;
  Ball high;
};
ThresholdEnclosure threshold_enclosure(const UniformThreshold& threshold,
                                       const FormulaValues& values, const FloatFormat& format,
                                       int precision);

}  // namespace lastbit::verify
