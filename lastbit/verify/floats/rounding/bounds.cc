#include "lastbit/verify/floats/rounding/bounds.h"

#include <fmt/core.h>

#include "lastbit/base/error.h"

namespace lastbit::verify {
namespace {

// An end of an operand, and where it lies: its sign decides which ends make a product extreme.
struct End {
  const Formula& formula;
  Extent extent;
};

struct Factor {
  End low;
  End high;

  bool is_nonnegative() const { return low.extent.is_nonnegative(); }
  bool is_nonpositive() const { return high.extent.is_nonpositive(); }
  bool is_positive() const { return low.extent.is_positive() && high.extent.is_positive(); }
  bool is_negative() const { return low.extent.is_negative() && high.extent.is_negative(); }
  bool contains_zero() const { return low.extent.is_nonpositive() && high.extent.is_nonnegative(); }
};

using Combine = Formula (*)(const Formula&, const Formula&);

bool is_number(const Formula& a, int number) {
  return a.kind() == FormulaKind::kNumber && a.number() == Rational(number);
}

// People read bounds, so −(a − b) is written as b − a, factors 1 and −1 are left out, and sums with
// negatives are differences.
Formula negative_of(const Formula& a) {
  if (a.kind() == FormulaKind::kScaled) {
    return scaled(negative_of(a.operand()), a.error_power(), a.grain_power());
  }
  return a.kind() == FormulaKind::kSubtract ? a.operand(1) - a.operand(0) : -a;
}

Formula product_of(const Formula& a, const Formula& b) {
  if (is_number(a, 1)) return b;
  if (is_number(b, 1)) return a;
  if (is_number(a, -1)) return negative_of(b);
  if (is_number(b, -1)) return negative_of(a);
  return a * b;
}

Formula quotient_of(const Formula& a, const Formula& b) {
  if (is_number(b, 1)) return a;
  if (is_number(b, -1)) return negative_of(a);
  return a / b;
}

bool is_negation(const Formula& a) {
  return a.kind() == FormulaKind::kNegate ||
         (a.kind() == FormulaKind::kScaled && is_negation(a.operand()));
}

Formula sum_of(const Formula& a, const Formula& b) { return is_negation(b) ? a - (-b) : a + b; }
Formula difference_of(const Formula& a, const Formula& b) {
  return is_negation(b) ? a + (-b) : a - b;
}

// Corners: the product (or quotient) of two ends, the least and the greatest of the four.
class Corners {
 public:
  Corners(const Factor& x, const Factor& y, Combine combine) : x_(x), y_(y), combine_(combine) {}

  // If x ≥ 0, the least product lies at y.low, and there at x.low or x.high by the sign of y.low;
  // likewise in the other cases.
  Formula least() const {
    if (x_.is_nonnegative()) return by(y_.low, at(x_.low, y_.low), at(x_.high, y_.low), min);
    if (x_.is_nonpositive()) return by(y_.high, at(x_.low, y_.high), at(x_.high, y_.high), min);
    if (y_.is_nonnegative()) return by(x_.low, at(x_.low, y_.low), at(x_.low, y_.high), min);
    if (y_.is_nonpositive()) return by(x_.high, at(x_.high, y_.low), at(x_.high, y_.high), min);
    const Formula mixed = min(at(x_.low, y_.high), at(x_.high, y_.low));
    if (x_.contains_zero() && y_.contains_zero()) return mixed;
    return min(mixed, min(at(x_.low, y_.low), at(x_.high, y_.high)));
  }

  Formula greatest() const {
    if (x_.is_nonnegative()) return by(y_.high, at(x_.high, y_.high), at(x_.low, y_.high), max);
    if (x_.is_nonpositive()) return by(y_.low, at(x_.high, y_.low), at(x_.low, y_.low), max);
    if (y_.is_nonnegative()) return by(x_.high, at(x_.high, y_.high), at(x_.high, y_.low), max);
    if (y_.is_nonpositive()) return by(x_.low, at(x_.low, y_.high), at(x_.low, y_.low), max);
    const Formula equal = max(at(x_.low, y_.low), at(x_.high, y_.high));
    if (x_.contains_zero() && y_.contains_zero()) return equal;
    return max(equal, max(at(x_.low, y_.high), at(x_.high, y_.low)));
  }

 private:
  Formula at(const End& x, const End& y) const { return combine_(x.formula, y.formula); }

  // One of two forms by the sign of an end, or both if the sign is open.
  static Formula by(const End& end, const Formula& if_nonnegative, const Formula& if_nonpositive,
                    Combine both) {
    if (end.extent.is_nonnegative()) return if_nonnegative;
    if (end.extent.is_nonpositive()) return if_nonpositive;
    return both(if_nonnegative, if_nonpositive);
  }

  const Factor& x_;
  const Factor& y_;
  Combine combine_;
};

Factor factor(const RoundingBounds& bounds, Extents& extents) {
  return {{bounds.low, extents.of(bounds.low)}, {bounds.high, extents.of(bounds.high)}};
}

Error reaches_zero(std::string_view what, const Formula& formula) {
  return Error(ErrorCode::kNotSupported, "derive_rounding",
               fmt::format("{} {}, which may reach 0 within the ranges", what, real_text(formula)),
               "give ranges that keep it away from 0");
}

}  // namespace

RoundingBounds sum_bounds(const RoundedOperand& a, const RoundedOperand& b, Extents&) {
  return {sum_of(a.bounds.low, b.bounds.low), sum_of(a.bounds.high, b.bounds.high)};
}

RoundingBounds difference_bounds(const RoundedOperand& a, const RoundedOperand& b, Extents&) {
  return {difference_of(a.bounds.low, b.bounds.high), difference_of(a.bounds.high, b.bounds.low)};
}

RoundingBounds product_bounds(const RoundedOperand& a, const RoundedOperand& b, Extents& extents) {
  const Factor x = factor(a.bounds, extents);
  const Factor y = factor(b.bounds, extents);
  const Corners corners(x, y, product_of);
  return {corners.least(), corners.greatest()};
}

RoundingBounds quotient_bounds(const RoundedOperand& a, const RoundedOperand& b, Extents& extents) {
  const Factor x = factor(a.bounds, extents);
  const Factor divisor = factor(b.bounds, extents);
  // Both ends, though one would be enough: their extents are found separately and may be loose.
  if (!divisor.is_positive() && !divisor.is_negative()) {
    throw reaches_zero("a division by", b.real);
  }
  // 1/y falls where y keeps its sign, so the ends of the reciprocal are exchanged; signs stay.
  const Factor reciprocal = {divisor.high, divisor.low};
  const Corners corners(x, reciprocal, quotient_of);
  return {corners.least(), corners.greatest()};
}

RoundingBounds negation_bounds(const RoundedOperand& a, Extents&) {
  return {negative_of(a.bounds.high), negative_of(a.bounds.low)};
}

RoundingBounds rounded_bounds(const RoundingBounds& bounds, Extents& extents) {
  return {lower_rounded(bounds.low, 1, extents), upper_rounded(bounds.high, 1, extents)};
}

RoundingBounds logarithm_bounds(const RoundedOperand& a, Extents& extents) {
  if (!factor(a.bounds, extents).is_positive()) throw reaches_zero("the logarithm of", a.real);
  return rounded_bounds({ln(a.bounds.low), ln(a.bounds.high)}, extents);
}

RoundingBounds uniform_bounds() { return {scaled(Formula::uniform(), 0, -1), Formula::uniform()}; }

Formula lower_rounded(const Formula& a, int power, Extents& extents) {
  const Extent& extent = extents.of(a);
  if (extent.is_nonnegative()) return scaled(a, -power);
  if (extent.is_nonpositive()) return scaled(a, power);
  return lower(a, power);
}

Formula upper_rounded(const Formula& a, int power, Extents& extents) {
  const Extent& extent = extents.of(a);
  if (extent.is_nonnegative()) return scaled(a, power);
  if (extent.is_nonpositive()) return scaled(a, -power);
  return upper(a, power);
}

}  // namespace lastbit::verify
