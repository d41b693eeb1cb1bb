// The big-step semantics of floating point with errors: e ⇓ float e, (low, high).
//
// Meaning        for all values of the variables in their ranges, what the floating-point reading of
//                e computes (float_value in evaluate.h: every operation rounded to the nearest float
//                of p bits, ties to even, exponents unbounded, U truncated to p bits) lies in
//                [low, high], where low and high are real formulas in the same variables, U, and
//                powers of (1 + η) and (1 + 2η), η = 2^−p. Proof: proofs/rounding.md#soundness
// Not promised   the sharpest bounds: (1 + η) stands where (1 + 2η)/(1 + η) would do, and operands
//                are treated as independent. Nothing is said about formats with limited exponents.
#pragma once

#include <string_view>
#include <vector>

#include "lastbit/numerics/ball.h"
#include "lastbit/numerics/float.h"
#include "lastbit/verify/floats/rounding/bounds.h"
#include "lastbit/verify/floats/rounding/evaluate.h"
#include "lastbit/verify/floats/rounding/extent.h"
#include "lastbit/verify/floats/rounding/formula.h"

namespace lastbit::verify {

enum class RoundingRule {
  kConst,    // a number: the nearest float
  kExact,    // a number or a variable that is a float
  kVar,      // a real variable: the nearest float
  kUnif,     // the uniform, truncated
  kOp,       // + − × ÷ of bounds, each end chosen by the signs, then rounded
  kScale,    // × or ÷ by a number ±2^k: nothing to round
  kNeg,      // negation exchanges the ends; nothing to round
  kLn,       // LN of an argument that is at least 1
  kLnOp,     // LN of an argument that is at most 1
  kLnCross,  // LN of an argument whose bounds may lie on both sides of 1
  kRound,    // rounding to the grid is increasing and exact
  kClamp,    // so is clamping
};
// rule_name: CONST, EXACT, …, LN, LN-OP, LN-1, ROUND, CLAMP.
std::string_view rule_name(RoundingRule rule);

// is_signed_power_of_two: a number ±2^k, by which floats are multiplied without rounding.
bool is_signed_power_of_two(const Formula& formula);

// RoundingStep: one inference: the rule, the expression it is about, its bounds, their extent (from
// the least low to the greatest high within the ranges), and a premise for each operand.
struct RoundingStep {
  RoundingRule rule;
  Formula real;
  RoundingBounds bounds;
  Extent extent;
  std::vector<RoundingStep> premises;
};

struct RoundingDerivation {
  FloatFormat format;
  Ranges ranges;
  RoundingStep root;
};

// derive_rounding
// Requires  checked: an unbounded format; a range for every variable, within (0, 1) for U; bounds of
//           clamps that are floats; else kBadParameter. An expression of at most kMaxDerived nodes
//           and kMaxDerivedDepth levels, without parts that only bounds have; else kNotSupported.
// Ensures   the meaning above, for every step.
// Fails     a divisor whose float may be 0 and a logarithm whose argument may: kNotSupported, naming
//           the part of the expression.
inline constexpr std::size_t kMaxDerived = 10'000;
inline constexpr int kMaxDerivedDepth = 200;
// check_derivable_size: refuses an expression that is too large, as derive_rounding does.
void check_derivable_size(const Formula& formula);
RoundingDerivation derive_rounding(const Formula& formula, const Ranges& ranges,
                                   const FloatFormat& format, const RoundingRules& rules = {});

// RoundingEnclosure: balls that contain the two bounds.
struct RoundingEnclosure {
  Ball low;
  Ball high;
};

// rounding_enclosure: the bounds of the whole expression at given values; a value outside its range,
// for which the bounds promise nothing, is a kBadParameter Error.
RoundingEnclosure rounding_enclosure(const RoundingDerivation& derivation,
                                     const FormulaValues& values, int precision);

}  // namespace lastbit::verify
