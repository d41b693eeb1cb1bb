// The rules of the error semantics: how bounds of operands become bounds of a result.
//
// Every function takes enclosures (for all values in the ranges, low ≤ the float operand ≤ high)
// and returns one. If the ranges leave a sign open, it stays open: the bound is then the min or max
// of all forms that may apply. Proof: proofs/rounding.md#rules
#pragma once

#include <functional>

#include "lastbit/verify/floats/rounding/extent.h"
#include "lastbit/verify/floats/rounding/formula.h"

namespace lastbit::verify {

struct RoundingBounds {
  Formula low;
  Formula high;
};

// RoundedOperand: a real expression and the bounds of its float.
struct RoundedOperand {
  Formula real;
  RoundingBounds bounds;
};

// The result before it is rounded.
RoundingBounds sum_bounds(const RoundedOperand& a, const RoundedOperand& b, Extents& extents);
RoundingBounds difference_bounds(const RoundedOperand& a, const RoundedOperand& b,
                                 Extents& extents);
RoundingBounds product_bounds(const RoundedOperand& a, const RoundedOperand& b, Extents& extents);
// quotient_bounds: a divisor whose bounds reach 0 is a kNotSupported Error that names it.
RoundingBounds quotient_bounds(const RoundedOperand& a, const RoundedOperand& b, Extents& extents);
RoundingBounds negation_bounds(const RoundedOperand& a, Extents& extents);
// rounded_bounds: the float nearest to a number within the bounds.
RoundingBounds rounded_bounds(const RoundingBounds& bounds, Extents& extents);
// logarithm_bounds: LN, rounding included. An argument whose bounds reach 0 is a kNotSupported Error
// that names it.
RoundingBounds logarithm_bounds(const RoundedOperand& a, Extents& extents);
// uniform_bounds: U truncated to p bits.
RoundingBounds uniform_bounds();

// lower_rounded, upper_rounded: a/(1+η)^power or a·(1+η)^power, whichever is the smaller (larger);
// both when the extent of a does not tell.
Formula lower_rounded(const Formula& a, int power, Extents& extents);
Formula upper_rounded(const Formula& a, int power, Extents& extents);

// RoundingRules: the rules a derivation is made of. Other rules exist only to be refuted: the tests
// run published rules that are not sound through the same derivations.
struct RoundingRules {
  using Binary =
      std::function<RoundingBounds(const RoundedOperand&, const RoundedOperand&, Extents&)>;
  using Unary = std::function<RoundingBounds(const RoundedOperand&, Extents&)>;

  Binary sum = sum_bounds;
  Binary difference = difference_bounds;
  Binary product = product_bounds;
  Binary quotient = quotient_bounds;
  Unary negation = negation_bounds;
  Unary logarithm = logarithm_bounds;
  std::function<RoundingBounds(const RoundingBounds&, Extents&)> rounded = rounded_bounds;
  std::function<RoundingBounds()> uniform = uniform_bounds;
};

}  // namespace lastbit::verify
