// Brute force for the tests of this module, and the published rules that it must refute. For tests
// only; not installed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lastbit/verify/floats/rounding/semantics.h"

namespace lastbit::verify {

// kMostBits: the largest precision that is enumerated. Under sanitizers MPFR behaves the same, but
// is slow to check.
#ifdef LASTBIT_SANITIZED
inline constexpr int kMostBits = 5;
#else
inline constexpr int kMostBits = 12;
#endif

// floats_of: every float ±m·2^(e−p+1) with a mantissa m of p bits and an exponent e in the range,
// increasing in magnitude, positive before negative.
inline std::vector<Rational> floats_of(int precision, int low_exponent, int high_exponent,
                                       bool negative) {
  std::vector<Rational> result;
  const std::int64_t first = std::int64_t{1} << (precision - 1);
  for (int exponent = low_exponent; exponent <= high_exponent; ++exponent) {
    for (std::int64_t mantissa = first; mantissa < 2 * first; ++mantissa) {
      const Rational value = Rational(mantissa) * Rational::two_to(exponent - precision + 1);
      result.push_back(negative ? -value : value);
    }
  }
  return result;
}

// with_gaps: the floats, and between each and the next larger one in magnitude the points that
// rounding moves farthest: just below and just above the middle, and just before the end.
inline std::vector<Rational> with_gaps(const std::vector<Rational>& floats, int precision) {
  std::vector<Rational> result;
  for (const Rational& value : floats) {
    const Float magnitude = Float::from(abs(value), FloatFormat::unbounded(precision));
    const Rational gap = Rational::two_to(magnitude.exponent() - precision + 1);
    const Rational sign = value.sign();
    for (const char* share : {"0", "0.499", "0.501", "0.999"}) {
      result.push_back(value + sign * gap * rational(share));
    }
  }
  return result;
}

// lies_within: whether the float may lie within the bounds. The balls are so narrow that only a
// value at an end of its interval is undecided, and it counts as inside.
inline bool lies_within(const Float& value, const RoundingEnclosure& enclosure) {
  const Ball ball(value.to_rational(), enclosure.low.precision());
  return !certainly_less(ball, enclosure.low) && !certainly_greater(ball, enclosure.high);
}

// escape: the first of the given values for which the computed float leaves the derived bounds.
inline std::optional<FormulaValues> escape(const Formula& formula, const Ranges& ranges,
                                           int precision, const std::vector<FormulaValues>& all,
                                           const RoundingRules& rules = {}) {
  const FloatFormat format = FloatFormat::unbounded(precision);
  const RoundingDerivation derivation = derive_rounding(formula, ranges, format, rules);
  for (const FormulaValues& values : all) {
    const Float computed = float_value(formula, values, format);
    if (!lies_within(computed, rounding_enclosure(derivation, values, 100))) return values;
  }
  return std::nullopt;
}

inline std::string values_text(const std::optional<FormulaValues>& values) {
  if (!values) return "none";
  std::string text;
  for (const auto& [name, value] : *values) {
    text += (text.empty() ? "" : ", ") + name + " = " + value.to_string();
  }
  return text;
}

// The published rules. Each differs from the sound ones in one place.
namespace published {

// CONST and OP: (r/(1+η), r(1+η)) whatever the sign of r.
inline RoundingRules blind_to_signs() {
  RoundingRules rules;
  rules.rounded = [](const RoundingBounds& bounds, Extents&) {
    return RoundingBounds{scaled(bounds.low, -1), scaled(bounds.high, 1)};
  };
  return rules;
}

// OP: bounds made of the real operands instead of theirs.
inline RoundingRules forgetting_operands() {
  const auto both = [](const Formula& value) { return RoundingBounds{value, value}; };
  RoundingRules rules;
  rules.sum = [both](const RoundedOperand& a, const RoundedOperand& b, Extents&) {
    return both(a.real + b.real);
  };
  rules.difference = [both](const RoundedOperand& a, const RoundedOperand& b, Extents&) {
    return both(a.real - b.real);
  };
  rules.product = [both](const RoundedOperand& a, const RoundedOperand& b, Extents&) {
    return both(a.real * b.real);
  };
  rules.quotient = [both](const RoundedOperand& a, const RoundedOperand& b, Extents&) {
    return both(a.real / b.real);
  };
  return rules;
}

// Minus, divide, negate: low with low and high with high.
inline RoundingRules not_exchanging_ends() {
  RoundingRules rules;
  rules.difference = [](const RoundedOperand& a, const RoundedOperand& b, Extents&) {
    return RoundingBounds{a.bounds.low - b.bounds.low, a.bounds.high - b.bounds.high};
  };
  rules.quotient = [](const RoundedOperand& a, const RoundedOperand& b, Extents&) {
    return RoundingBounds{a.bounds.low / b.bounds.low, a.bounds.high / b.bounds.high};
  };
  rules.negation = [](const RoundedOperand& a, Extents&) {
    return RoundingBounds{-a.bounds.low, -a.bounds.high};
  };
  return rules;
}

// LN-OP for every argument.
inline RoundingRules ln_below_one_everywhere() {
  RoundingRules rules;
  rules.logarithm = [](const RoundedOperand& a, Extents&) {
    return RoundingBounds{scaled(ln(a.bounds.low), 1), scaled(ln(a.bounds.high), -1)};
  };
  return rules;
}

// LN for every argument, which leaves out LN-OP.
inline RoundingRules ln_above_one_everywhere() {
  RoundingRules rules;
  rules.logarithm = [](const RoundedOperand& a, Extents&) {
    return RoundingBounds{scaled(ln(a.bounds.low), -1), scaled(ln(a.bounds.high), 1)};
  };
  return rules;
}

// The uniform as a real number: no granularity.
inline RoundingRules continuous_uniform() {
  RoundingRules rules;
  rules.uniform = [] { return RoundingBounds{Formula::uniform(), Formula::uniform()}; };
  return rules;
}

}  // namespace published

}  // namespace lastbit::verify
