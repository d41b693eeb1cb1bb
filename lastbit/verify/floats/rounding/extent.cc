#include "lastbit/verify/floats/rounding/extent.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/numerics/grid.h"

namespace lastbit::verify {
namespace {

// Ends are kept to this many bits, rounded outward, so that long formulas do not need long numbers.
constexpr int kEndBits = 256;

ExtentEnd infinity(int sign) { return {.infinite = sign, .value = {}, .open = true}; }
ExtentEnd finite(const Rational& value, bool open) {
  return {.infinite = 0, .value = value, .open = open};
}

bool value_less(const ExtentEnd& a, const ExtentEnd& b) {
  if (a.infinite != b.infinite) return a.infinite < b.infinite;
  return a.infinite == 0 && a.value < b.value;
}

// The smaller and the larger end; of two equal ones the closed one, which excludes less.
ExtentEnd smaller(const ExtentEnd& a, const ExtentEnd& b) {
  if (value_less(a, b)) return a;
  if (value_less(b, a)) return b;
  return a.open ? b : a;
}
ExtentEnd larger(const ExtentEnd& a, const ExtentEnd& b) {
  if (value_less(a, b)) return b;
  if (value_less(b, a)) return a;
  return a.open ? b : a;
}

ExtentEnd outward(const ExtentEnd& end, Rounding rounding) {
  if (end.infinite != 0) return end;
  const FloatFormat format = FloatFormat::unbounded(kEndBits);
  return finite(Float::from(end.value, format, rounding).to_rational(), end.open);
}

Extent outward(const Extent& extent) {
  return {outward(extent.low, Rounding::kDown), outward(extent.high, Rounding::kUp)};
}

ExtentEnd negated(const ExtentEnd& a) {
  return a.infinite != 0 ? infinity(-a.infinite) : finite(-a.value, a.open);
}

ExtentEnd sum(const ExtentEnd& a, const ExtentEnd& b) {
  if (a.infinite != 0) return a;
  if (b.infinite != 0) return b;
  return finite(a.value + b.value, a.open || b.open);
}

// The product of two ends as a limit: 0 times anything is 0, and it is attained where the 0 is.
ExtentEnd product(const ExtentEnd& a, const ExtentEnd& b) {
  if (a.sign() == 0 || b.sign() == 0) {
    const bool reached = (a.sign() == 0 && !a.open) || (b.sign() == 0 && !b.open);
    return finite(0, !reached);
  }
  if (a.infinite != 0 || b.infinite != 0) return infinity(a.sign() * b.sign());
  return finite(a.value * b.value, a.open || b.open);
}

Extent product(const Extent& a, const Extent& b) {
  const std::array<ExtentEnd, 4> ends = {product(a.low, b.low), product(a.low, b.high),
                                         product(a.high, b.low), product(a.high, b.high)};
  Extent result = {ends[0], ends[0]};
  for (const ExtentEnd& end : ends) {
    result.low = smaller(result.low, end);
    result.high = larger(result.high, end);
  }
  return result;
}

// 1/end, for an end of an extent on the side of 0 that `sign` names.
ExtentEnd reciprocal(const ExtentEnd& end, int sign) {
  if (end.infinite != 0) return finite(0, true);
  if (end.value.sign() == 0) return infinity(sign);
  return finite(Rational(1) / end.value, end.open);
}

ExtentEnd ln_end(const ExtentEnd& end, bool up) {
  if (end.infinite != 0) return end;
  if (end.value.sign() == 0) return infinity(-1);
  return finite(up ? ln_up(end.value, kEndBits) : ln_down(end.value, kEndBits), end.open);
}

ExtentEnd rounded_end(const ExtentEnd& end, const Grid& grid) {
  return end.infinite != 0 ? end : finite(grid.point(grid.nearest_index(end.value)), false);
}

ExtentEnd times(const ExtentEnd& end, const Rational& factor) {
  return end.infinite != 0 ? end : finite(end.value * factor, end.open);
}

Extent exp_extent(const Extent& a) {
  Extent result = {finite(0, true), infinity(1)};
  if (a.is_nonnegative()) result.low = finite(1, false);
  if (a.is_nonpositive()) result.high = finite(1, false);
  return result;
}

Extent clamped(const Extent& a, const Rational& bound) {
  const ExtentEnd low = finite(-bound, false);
  const ExtentEnd high = finite(bound, false);
  return {smaller(larger(a.low, low), high), larger(smaller(a.high, high), low)};
}

Error extent_reaches_zero(std::string_view what, const Formula& formula) {
  return Error(ErrorCode::kNotSupported, "rounding",
               fmt::format("{} {}, which reaches 0 within the ranges", what, real_text(formula)),
               "give ranges that keep it away from 0");
}

std::string end_text(const ExtentEnd& end) {
  if (end.infinite != 0) return end.infinite > 0 ? "inf" : "-inf";
  return end.value.to_string();
}

}  // namespace

Rational signed_power(const Rational& base, int exponent) {
  const Rational result = pow(base, static_cast<unsigned>(exponent < 0 ? -exponent : exponent));
  return exponent < 0 ? Rational(1) / result : result;
}

Extent Extent::between(const Rational& low, const Rational& high) {
  if (low > high) {
    throw Error::bad_parameter("extent", "low", "is above `high`", "give the smaller end first");
  }
  return {finite(low, false), finite(high, false)};
}

Extent Extent::at_least(const Rational& low) { return {finite(low, false), infinity(1)}; }
Extent Extent::at_most(const Rational& high) { return {infinity(-1), finite(high, false)}; }
Extent Extent::all() { return {infinity(-1), infinity(1)}; }
Extent Extent::unit() { return {finite(0, true), finite(1, true)}; }

bool Extent::contains(const Rational& number) const {
  const bool above = low.infinite != 0 || low.value < number || (low.value == number && !low.open);
  const bool below =
      high.infinite != 0 || number < high.value || (high.value == number && !high.open);
  return above && below;
}

std::string Extent::to_string() const {
  return fmt::format("{}{}, {}{}", low.open ? "(" : "[", end_text(low), end_text(high),
                     high.open ? ")" : "]");
}

Extents::Extents(Ranges ranges, const FloatFormat& format)
    : ranges_(std::move(ranges)),
      format_(format),
      error_factor_(Rational(1) + Rational::two_to(-format.precision())),
      grain_factor_(Rational(1) + Rational::two_to(1 - format.precision())) {
  if (format.is_bounded()) {
    throw Error::bad_parameter("rounding", "format", "has limited exponents",
                               "give FloatFormat::unbounded(precision)");
  }
  const Extent& unit = ranges_.try_emplace("U", Extent::unit()).first->second;
  const bool below_one =
      unit.high.infinite == 0 &&
      (unit.high.value < Rational(1) || (unit.high.value == Rational(1) && unit.high.open));
  if (!unit.is_positive() || !below_one) {
    throw Error::bad_parameter("rounding", "ranges", "lets U leave the open interval (0, 1)",
                               "narrow the range of U, or leave it out");
  }
}

const Extent& Extents::of(const Formula& formula) {
  const auto known = known_.find(formula.identity());
  if (known != known_.end()) return known->second.second;
  Extent extent = outward(found(formula));
  return known_.try_emplace(formula.identity(), formula, std::move(extent)).first->second.second;
}

Extent Extents::of_variable(const std::string& name) const {
  const auto range = ranges_.find(name);
  if (range != ranges_.end()) return range->second;
  throw Error::bad_parameter("rounding", "ranges",
                             fmt::format("says nothing about the variable {}", quote(name)),
                             "give its range; Extent::all() if it may be any number");
}

Extent Extents::found(const Formula& formula) {
  const auto a = [&]() -> const Extent& { return of(formula.operand(0)); };
  const auto b = [&]() -> const Extent& { return of(formula.operand(1)); };
  const auto monotone = [&](const auto& end) { return Extent{end(a().low), end(a().high)}; };
  switch (formula.kind()) {
    case FormulaKind::kNumber:
      return Extent::point(formula.number());
    case FormulaKind::kVariable:
      return of_variable(formula.name());
    case FormulaKind::kUniform:
      return of_variable("U");
    case FormulaKind::kAdd:
      return {sum(a().low, b().low), sum(a().high, b().high)};
    case FormulaKind::kSubtract:
      return {sum(a().low, negated(b().high)), sum(a().high, negated(b().low))};
    case FormulaKind::kMultiply:
      return product(a(), b());
    case FormulaKind::kDivide: {
      const Extent& divisor = b();
      if (!divisor.is_positive() && !divisor.is_negative()) {
        throw extent_reaches_zero("a division by", formula.operand(1));
      }
      const int sign = divisor.is_positive() ? 1 : -1;
      return product(a(), {reciprocal(divisor.high, sign), reciprocal(divisor.low, sign)});
    }
    case FormulaKind::kNegate:
      return {negated(a().high), negated(a().low)};
    case FormulaKind::kLn:
      if (!a().is_positive()) throw extent_reaches_zero("the logarithm of", formula.operand());
      return {ln_end(a().low, false), ln_end(a().high, true)};
    case FormulaKind::kRound: {
      const Grid grid = Grid::at_least(formula.number());
      return monotone([&](const ExtentEnd& end) { return rounded_end(end, grid); });
    }
    case FormulaKind::kClamp:
      return clamped(a(), formula.number());
    case FormulaKind::kExp:
      return exp_extent(a());
    case FormulaKind::kMin:
      return {smaller(a().low, b().low), smaller(a().high, b().high)};
    case FormulaKind::kMax:
      return {larger(a().low, b().low), larger(a().high, b().high)};
    case FormulaKind::kScaled: {
      const Rational factor = signed_power(error_factor_, formula.error_power()) *
                              signed_power(grain_factor_, formula.grain_power());
      return monotone([&](const ExtentEnd& end) { return times(end, factor); });
    }
    case FormulaKind::kLower:
    case FormulaKind::kUpper: {
      const Rational factor = signed_power(error_factor_, formula.error_power());
      const int growing = formula.kind() == FormulaKind::kUpper ? 1 : -1;
      return monotone([&](const ExtentEnd& end) {
        return times(end, end.sign() == growing ? factor : Rational(1) / factor);
      });
    }
  }
  broken_invariant("every kind of formula has an extent", std::source_location::current());
}

}  // namespace lastbit::verify
