#include "lastbit/verify/floats/rounding/semantics.h"

#include <fmt/core.h>

#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"

namespace lastbit::verify {
namespace {

class Deriver {
 public:
  Deriver(const Ranges& ranges, const FloatFormat& format, const RoundingRules& rules)
      : extents_(ranges, format), rules_(rules) {}

  RoundingStep derive(const Formula& formula) {
    std::vector<RoundingStep> premises;
    premises.reserve(formula.operands().size());
    for (const Formula& operand : formula.operands()) premises.push_back(derive(operand));
    auto [rule, bounds] = conclude(formula, premises);
    Extent extent = {extents_.of(bounds.low).low, extents_.of(bounds.high).high};
    return {rule, formula, std::move(bounds), std::move(extent), std::move(premises)};
  }

  const Ranges& ranges() const { return extents_.ranges(); }

 private:
  struct Conclusion {
    RoundingRule rule;
    RoundingBounds bounds;
  };

  Conclusion conclude(const Formula& formula, const std::vector<RoundingStep>& premises) {
    switch (formula.kind()) {
      case FormulaKind::kNumber:
        return leaf(formula, is_float(formula.number(), extents_.format()), RoundingRule::kConst);
      case FormulaKind::kVariable:
        return leaf(formula, formula.is_exact(), RoundingRule::kVar);
      case FormulaKind::kUniform:
        return {RoundingRule::kUnif, rules_.uniform()};
      case FormulaKind::kAdd:
        return operation(rules_.sum, premises, false);
      case FormulaKind::kSubtract:
        return operation(rules_.difference, premises, false);
      case FormulaKind::kMultiply:
        return operation(rules_.product, premises,
                         is_signed_power_of_two(formula.operand(0)) ||
                             is_signed_power_of_two(formula.operand(1)));
      case FormulaKind::kDivide:
        return operation(rules_.quotient, premises, is_signed_power_of_two(formula.operand(1)));
      case FormulaKind::kNegate:
        return {RoundingRule::kNeg, rules_.negation(operand(premises[0]), extents_)};
      case FormulaKind::kLn:
        return {logarithm_rule(premises[0]), rules_.logarithm(operand(premises[0]), extents_)};
      case FormulaKind::kRound:
        return increasing(RoundingRule::kRound, premises[0],
                          [&](const Formula& end) { return round_to(end, formula.number()); });
      case FormulaKind::kClamp:
        check_clamp(formula);
        return increasing(RoundingRule::kClamp, premises[0],
                          [&](const Formula& end) { return clamp_to(end, formula.number()); });
      default:
        throw Error(ErrorCode::kNotSupported, "derive_rounding",
                    fmt::format("{} is not an expression of the floating-point language",
                                real_text(formula)),
                    "use numbers, variables, U, + - * /, ln, round_to and clamp_to only");
    }
  }

  static RoundedOperand operand(const RoundingStep& step) { return {step.real, step.bounds}; }

  Conclusion leaf(const Formula& formula, bool exact, RoundingRule rule) {
    if (exact) return {RoundingRule::kExact, {formula, formula}};
    return {rule, rules_.rounded({formula, formula}, extents_)};
  }

  Conclusion operation(const RoundingRules::Binary& rule, const std::vector<RoundingStep>& premises,
                       bool exact) {
    RoundingBounds bounds = rule(operand(premises[0]), operand(premises[1]), extents_);
    if (exact) return {RoundingRule::kScale, std::move(bounds)};
    return {RoundingRule::kOp, rules_.rounded(bounds, extents_)};
  }

  RoundingRule logarithm_rule(const RoundingStep& argument) const {
    const ExtentEnd& low = argument.extent.low;
    const ExtentEnd& high = argument.extent.high;
    if (low.infinite == 0 && low.value >= Rational(1)) return RoundingRule::kLn;
    if (high.infinite == 0 && high.value <= Rational(1)) return RoundingRule::kLnOp;
    return RoundingRule::kLnCross;
  }

  static Conclusion increasing(RoundingRule rule, const RoundingStep& premise,
                               const auto& function) {
    return {rule, {function(premise.bounds.low), function(premise.bounds.high)}};
  }

  void check_clamp(const Formula& formula) const {
    if (is_float(formula.number(), extents_.format())) return;
    throw Error::bad_parameter(
        "derive_rounding", "bound",
        fmt::format("of a clamp is {}, which {} bits cannot hold", formula.number().to_string(),
                    extents_.format().precision()),
        "clamp to a float, or take more bits");
  }

  Extents extents_;
  const RoundingRules& rules_;
};

}  // namespace

bool is_signed_power_of_two(const Formula& formula) {
  if (formula.kind() != FormulaKind::kNumber || formula.number().sign() == 0) return false;
  const Rational magnitude = abs(formula.number());
  // For a power of two in lowest terms, one part is 1 and the other the power.
  const Integer power = magnitude.is_integer() ? magnitude.numerator() : magnitude.denominator();
  const bool is_unit_fraction = magnitude.is_integer() || magnitude.numerator() == Integer(1);
  return is_unit_fraction && power == Integer::two_to(power.bit_length() - 1);
}

std::string_view rule_name(RoundingRule rule) {
  switch (rule) {
    case RoundingRule::kConst:
      return "CONST";
    case RoundingRule::kExact:
      return "EXACT";
    case RoundingRule::kVar:
      return "VAR";
    case RoundingRule::kUnif:
      return "UNIF";
    case RoundingRule::kOp:
      return "OP";
    case RoundingRule::kScale:
      return "SCALE";
    case RoundingRule::kNeg:
      return "NEG";
    case RoundingRule::kLn:
      return "LN";
    case RoundingRule::kLnOp:
      return "LN-OP";
    case RoundingRule::kLnCross:
      return "LN-1";
    case RoundingRule::kRound:
      return "ROUND";
    case RoundingRule::kClamp:
      return "CLAMP";
  }
  broken_invariant("every rule has a name", std::source_location::current());
}

void check_derivable_size(const Formula& formula) {
  if (formula.size() <= kMaxDerived && formula.depth() <= kMaxDerivedDepth) return;
  throw Error(ErrorCode::kNotSupported, "derive_rounding",
              fmt::format("the expression has more than {} nodes or {} levels", kMaxDerived,
                          kMaxDerivedDepth),
              "split it into parts");
}

RoundingDerivation derive_rounding(const Formula& formula, const Ranges& ranges,
                                   const FloatFormat& format, const RoundingRules& rules) {
  check_derivable_size(formula);
  Deriver deriver(ranges, format, rules);
  RoundingStep root = deriver.derive(formula);
  return {format, deriver.ranges(), std::move(root)};
}

RoundingEnclosure rounding_enclosure(const RoundingDerivation& derivation,
                                     const FormulaValues& values, int precision) {
  for (const auto& [name, value] : values) {
    const auto range = derivation.ranges.find(name);
    if (range != derivation.ranges.end() && !range->second.contains(value)) {
      throw Error::bad_parameter("rounding_enclosure", "values",
                                 fmt::format("puts {} outside its range", quote(name)),
                                 "derive bounds for a range that contains the value");
    }
  }
  const auto value = [&](const Formula& bound) {
    return real_value(bound, values, derivation.format, precision);
  };
  return {value(derivation.root.bounds.low), value(derivation.root.bounds.high)};
}

}  // namespace lastbit::verify
