#include "lastbit/verify/floats/rounding/inversion.h"

#include <fmt/core.h>

#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/numerics/grid.h"
#include "lastbit/verify/floats/rounding/bounds.h"
#include "lastbit/verify/floats/rounding/semantics.h"

namespace lastbit::verify {
namespace {

Error not_monotone(const Formula& formula, std::string_view why) {
  return Error(ErrorCode::kNotSupported, "invert_rounding",
               fmt::format("{} in {}", why, real_text(formula)),
               "invert expressions in which U occurs once, under monotone operations");
}

// Inverter: carries "the event holds if the float of this part is beyond `high` and only if it is
// beyond `low`" from the whole expression down to U. (At most: only if below `high`, if below
// `low`.) `at_least_` says on which side the event lies.
class Inverter {
 public:
  Inverter(FloatComparison comparison, const Formula& target, const Ranges& ranges,
           const FloatFormat& format)
      : extents_(ranges, format),
        at_least_(comparison == FloatComparison::kAtLeast),
        goal_({target, target}) {}

  UniformThreshold run(const Formula& formula) {
    const Formula* part = &formula;
    while (part->kind() != FormulaKind::kUniform) part = &step(*part);
    // The random float is U truncated: it exceeds U/(1+2η).
    return {at_least_ ? FloatComparison::kAtLeast : FloatComparison::kAtMost, goal_.low,
            scaled(goal_.high, 0, 1)};
  }

 private:
  // Undoes one operation and returns the operand that holds U.
  const Formula& step(const Formula& part) {
    switch (part.kind()) {
      case FormulaKind::kNegate:
        goal_ = negation_bounds(goal_operand(), extents_);
        at_least_ = !at_least_;
        return part.operand();
      case FormulaKind::kLn:
        unround();
        goal_ = {exp(goal_.low), exp(goal_.high)};
        return part.operand();
      case FormulaKind::kRound:
        unround_grid(part.number());
        return part.operand();
      case FormulaKind::kClamp:
        check_clamp(part);
        return part.operand();
      case FormulaKind::kAdd:
      case FormulaKind::kSubtract:
      case FormulaKind::kMultiply:
      case FormulaKind::kDivide:
        return arithmetic(part);
      default:
        throw not_monotone(part, "something that only bounds have stands");
    }
  }

  const Formula& arithmetic(const Formula& part) {
    const bool left = count_uniform(part.operand(0)) == 1;
    const RoundingStep other =
        derive_rounding(part.operand(left ? 1 : 0), extents_.ranges(), extents_.format()).root;
    const RoundedOperand constant = {other.real, other.bounds};
    if (!is_exact_scaling(part, left)) unround();
    switch (part.kind()) {
      case FormulaKind::kAdd:
        goal_ = difference_bounds(goal_operand(), constant, extents_);
        break;
      case FormulaKind::kSubtract:
        if (left) {
          goal_ = sum_bounds(goal_operand(), constant, extents_);
        } else {
          goal_ = difference_bounds(constant, goal_operand(), extents_);
          at_least_ = !at_least_;
        }
        break;
      case FormulaKind::kMultiply:
        goal_ = quotient_bounds(goal_operand(), constant, extents_);
        flip_by(constant);
        break;
      default:
        if (!left) throw not_monotone(part, "U stands in the divisor");
        goal_ = product_bounds(goal_operand(), constant, extents_);
        flip_by(constant);
    }
    goal_ = {outermost(goal_.low), outermost(goal_.high)};
    return part.operand(left ? 0 : 1);
  }

  RoundedOperand goal_operand() const { return {goal_.low, goal_}; }

  // fl(t) ≥ g needs t ≥ g/(1+η) or g·(1+η), whichever is smaller, and follows from the larger; so
  // for ≤, exchanged. Both times the lower end goes down and the upper one up.
  void unround() { goal_ = rounded_bounds(goal_, extents_); }

  // A product with a number ±2^k is not rounded.
  bool is_exact_scaling(const Formula& part, bool left) const {
    if (part.kind() != FormulaKind::kMultiply && part.kind() != FormulaKind::kDivide) return false;
    return is_signed_power_of_two(part.operand(left ? 1 : 0));
  }

  void flip_by(const RoundedOperand& factor) {
    if (extents_.of(factor.bounds.low).is_positive()) return;
    // A quotient by it was possible, otherwise it is refused here.
    if (!extents_.of(factor.bounds.high).is_negative()) {
      throw not_monotone(factor.real, "a factor of U has no definite sign");
    }
    at_least_ = !at_least_;
  }

  // min(a·x, a/x)/c = min(a/c·x, a/c/x) for c > 0: keeps the powers of (1+η) in one place.
  Formula outermost(const Formula& bound) {
    const bool is_fraction = bound.kind() == FormulaKind::kDivide;
    if (!is_fraction || !extents_.of(bound.operand(1)).is_positive()) return bound;
    const Formula& numerator = bound.operand(0);
    if (numerator.kind() == FormulaKind::kLower) {
      return lower(numerator.operand() / bound.operand(1), numerator.error_power());
    }
    if (numerator.kind() == FormulaKind::kUpper) {
      return upper(numerator.operand() / bound.operand(1), numerator.error_power());
    }
    return bound;
  }

  void unround_grid(const Rational& spacing) {
    const Formula half = Formula::number(spacing / Rational(2));
    if (goal_.low.kind() != FormulaKind::kNumber || goal_.low != goal_.high) {
      goal_ = {goal_.low - half, goal_.high + half};
      return;
    }
    // The edge of the cell: the nearest multiple is at least y from half a step below the first
    // multiple that is, ties being rounded up.
    const Grid grid = Grid::at_least(spacing);
    const Rational& target = goal_.low.number();
    const Rational edge = at_least_ ? grid.point(grid.ceil_index(target)) - spacing / Rational(2)
                                    : grid.point(grid.floor_index(target)) + spacing / Rational(2);
    goal_ = {Formula::number(edge), Formula::number(edge)};
  }

  void check_clamp(const Formula& part) {
    const Extent inside = Extent::between(-part.number(), part.number());
    const ExtentEnd& low = extents_.of(goal_.low).low;
    const ExtentEnd& high = extents_.of(goal_.high).high;
    const bool within = low.infinite == 0 && high.infinite == 0 && low.value >= inside.low.value &&
                        high.value <= inside.high.value;
    // At the bound itself "at least −B" is always true and says nothing about the operand.
    const bool proper = at_least_ ? low.value > inside.low.value || low.open
                                  : high.value < inside.high.value || high.open;
    if (!within || !proper) {
      throw not_monotone(part, "the target may lie outside what the clamp lets through");
    }
  }

  Extents extents_;
  bool at_least_;
  RoundingBounds goal_;
};

Ball clipped(const Formula& bound, const FormulaValues& values, const FloatFormat& format,
             int precision) {
  const Formula zero = Formula::number(0);
  const Formula one = Formula::number(1);
  return real_value(min(max(bound, zero), one), values, format, precision);
}

}  // namespace

UniformThreshold invert_rounding(const Formula& formula, FloatComparison comparison,
                                 const Formula& target, const Ranges& ranges,
                                 const FloatFormat& format) {
  check_derivable_size(formula);
  check_derivable_size(target);
  if (count_uniform(target) != 0) {
    throw Error::bad_parameter("invert_rounding", "target", "contains U",
                               "compare with something that does not depend on U");
  }
  if (count_uniform(formula) != 1) throw not_monotone(formula, "U does not occur exactly once");
  return Inverter(comparison, target, ranges, format).run(formula);
}

ThresholdEnclosure threshold_enclosure(const UniformThreshold& threshold,
                                       const FormulaValues& values, const FloatFormat& format,
                                       int precision) {
  return {clipped(threshold.low, values, format, precision),
          clipped(threshold.high, values, format, precision)};
}

}  // namespace lastbit::verify
