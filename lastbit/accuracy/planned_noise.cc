#include "lastbit/accuracy/planned_noise.h"

#include <fmt/core.h>

#include <string_view>

#include "lastbit/accuracy/accuracy.h"
#include "lastbit/accuracy/gaussian_accuracy.h"
#include "lastbit/accuracy/refusals.h"
#include "lastbit/base/error.h"

namespace lastbit {
namespace {

constexpr int kBits = 20;           // after the leading one
constexpr int kMaxStepBits = 4000;  // so that variances stay within 2^10000

// log2 of a positive number, off by at most 1.
int rough_log2(const Rational& value) {
  return static_cast<int>(value.numerator().bit_length()) -
         static_cast<int>(value.denominator().bit_length());
}

// The largest number of kBits + 1 bits for which `holds`, which is true up to some number > 0 and
// false beyond. The search begins near 2^exponent.
template <class Holds>
Rational largest_that(const Holds& holds, int exponent) {
  while (holds(Rational::two_to(exponent + 1))) ++exponent;
  while (!holds(Rational::two_to(exponent))) --exponent;
  Rational number = Rational::two_to(exponent);
  for (int bit = 1; bit <= kBits; ++bit) {
    const Rational more = number + Rational::two_to(exponent - bit);
    if (holds(more)) number = more;
  }
  return number;
}

void require_wanted(std::string_view place, const Rational& accuracy, const Rational& alpha) {
  accuracy_internal::require_moderate(place, "accuracy", accuracy);
  accuracy_internal::require_open_probability(place, "alpha", alpha);
}

Rational stated_accuracy(const Rational& scale, const Grid& grid, const Rational& alpha) {
  return smallest_accuracy(scale, grid, alpha).ball.upper_rational();
}

}  // namespace

Rational scale_for_accuracy(const Rational& accuracy, const Rational& alpha, const Grid& grid) {
  constexpr std::string_view kPlace = "scale_for_accuracy";
  require_wanted(kPlace, accuracy, alpha);
  const Rational half = grid.spacing() / Rational(2);
  if (accuracy <= half * (Rational(1) + Rational::two_to(-60))) {
    throw Error::bad_parameter(
        kPlace, "accuracy",
        fmt::format("({}) is not above half the spacing of the grid, which rounding alone can cost",
                    accuracy.to_string()),
        fmt::format("ask for more than {}", half.to_string()));
  }
  return largest_that(
      [&](const Rational& scale) { return stated_accuracy(scale, grid, alpha) <= accuracy; },
      rough_log2(accuracy - half));
}

Rational scale_for_whole_accuracy(const Rational& accuracy, const Rational& alpha) {
  require_wanted("scale_for_whole_accuracy", accuracy, alpha);
  const Grid whole(0);
  const Rational most = accuracy.floor();
  return largest_that(
      [&](const Rational& scale) {
        return Rational(stated_accuracy(scale, whole, alpha).floor()) <= most;
      },
      rough_log2(most + 1));
}

Rational variance_for_accuracy(const Rational& accuracy, const Rational& alpha, const Grid& grid) {
  constexpr std::string_view kPlace = "variance_for_accuracy";
  require_wanted(kPlace, accuracy, alpha);
  const Rational spacing = grid.spacing();
  const Rational steps = Rational(grid.floor_index(accuracy));
  if (steps > Rational::two_to(kMaxStepBits)) {
    throw Error::bad_parameter(kPlace, "accuracy",
                               fmt::format("is more than 2^{} steps of the grid", kMaxStepBits),
                               "take a coarser grid");
  }
  const Ball wanted(alpha, kAccuracyPrecision);
  const Grid whole(0);
  const Rational variance = largest_that(
      [&](const Rational& candidate) {
        return certainly_less_or_equal(gaussian_error_probability(candidate, whole, steps).ball,
                                       wanted);
      },
      2 * rough_log2(steps + 1));
  return variance * spacing * spacing;
}

}  // namespace lastbit
