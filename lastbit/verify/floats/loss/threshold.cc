#include "lastbit/verify/floats/loss/threshold.h"

#include <algorithm>
#include <utility>

namespace lastbit::verify {

namespace {

// Bits beyond those of u in the numbers that steer the search; they decide nothing.
constexpr int kGuard = 32;

FloatFormat format_of(const FloatModel& model) {
  switch (model.uniform) {
    case UniformModel::kUnitFloat:
      break;
    case UniformModel::kDouble:
    case UniformModel::kNormalDouble:
      return FloatFormat::binary64();
    case UniformModel::kFewerBits:
      return FloatFormat::unbounded(model.uniform_bits.value_or(model.precision));
    case UniformModel::kGrid:
      // With emin = −1 all positive floats below 1 are multiples of 2^−p, and all of those are floats.
      return FloatFormat::ieee(model.precision, 2);
  }
  return FloatFormat::unbounded(model.precision);
}

Float largest_of(const FloatModel& model) {
  Float one = Float::from(Rational(1), format_of(model));
  return model.uniform == UniformModel::kGrid ? one : next_down(one);
}

FloatFormat wide(const UniformSupport& support) {
  return FloatFormat::unbounded(support.format().precision() + kGuard);
}

// The search moves away from the guess by factors that are squared from step to step: first a few
// neighbours, then parts of a binade, then exponents.
class Stride {
 public:
  explicit Stride(const UniformSupport& support)
      : support_(support),
        factor_(Float::from(Rational(1) - Rational::two_to(1 - support.format().precision()),
                            wide(support))) {}

  Float down(const Float& from) {
    const Float next = support_.at_or_below(multiply(from, factor_, factor_.format()));
    lengthen();
    return next;
  }
  Float up(const Float& from) {
    const Float next = support_.at_or_above(divide(from, factor_, factor_.format()));
    lengthen();
    return next;
  }

 private:
  void lengthen() { factor_ = multiply(factor_, factor_, factor_.format()); }

  const UniformSupport& support_;
  Float factor_;
};

// A value strictly between two that are not neighbours: about half-way among the values, which is
// the mean within a binade and the geometric mean across many.
Float between(const UniformSupport& support, const Float& low, const Float& high) {
  const FloatFormat format = wide(support);
  Float middle(format);
  if (high.exponent() - low.exponent() > 1) {
    middle = sqrt(multiply(low, high, format), format);
  } else {
    middle = multiply(add(low, high, format), Float::from(Rational(1, 2), format), format);
  }
  return std::clamp(support.at_or_below(middle), next_up(low), next_down(high));
}

using Holds = std::function<bool(const Float&)>;

// `holds` is false at low and true at high.
Float bisected(const UniformSupport& support, const Holds& holds, Float low, Float high) {
  while (next_up(low) != high) {
    Float middle = between(support, low, high);
    (holds(middle) ? high : low) = std::move(middle);
  }
  return high;
}

// `holds` is true at high.
Float searched_down(const UniformSupport& support, const Holds& holds, Float high) {
  Stride stride(support);
  while (true) {
    if (support.smallest() == high) return high;
    Float low = stride.down(high);
    if (!holds(low)) return bisected(support, holds, std::move(low), std::move(high));
    high = std::move(low);
  }
}

// `holds` is false at low.
std::optional<Float> searched_up(const UniformSupport& support, const Holds& holds, Float low) {
  Stride stride(support);
  while (low != support.largest()) {
    Float high = stride.up(low);
    if (holds(high)) return bisected(support, holds, std::move(low), std::move(high));
    low = std::move(high);
  }
  return std::nullopt;
}

}  // namespace

UniformSupport::UniformSupport(const FloatModel& model)
    : model_(model.uniform), largest_(largest_of(model)) {
  if (model_ == UniformModel::kNormalDouble) smallest_ = Float::smallest_normal(format());
  if (model_ == UniformModel::kDouble || model_ == UniformModel::kGrid) {
    smallest_ = Float::smallest(format());
  }
}

Float UniformSupport::within_ends(Float value) const {
  if (value > largest_) return largest_;
  if (smallest_ && value < *smallest_) return *smallest_;
  return value;
}

Float UniformSupport::at_or_above(const Float& number) const {
  return within_ends(Float::from(number, format(), Rounding::kUp));
}

Float UniformSupport::at_or_below(const Float& number) const {
  return within_ends(Float::from(number, format(), Rounding::kDown));
}

Dyadic UniformSupport::probability_below(const std::optional<Float>& t) const {
  if (!t) return {1, 0};
  if (smallest_ == *t) return {};
  // A grid of n values has k − 1 of them below the k-th; the others tile (0, t) with their gaps.
  return Dyadic::of(model_ == UniformModel::kGrid ? next_down(*t) : *t);
}

std::optional<Float> least_true(const UniformSupport& support,
                                const std::function<bool(const Float&)>& holds,
                                const Float& guess) {
  const Float start = support.at_or_above(guess);
  return holds(start) ? searched_down(support, holds, start) : searched_up(support, holds, start);
}

}  // namespace lastbit::verify
