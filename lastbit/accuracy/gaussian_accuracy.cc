#include "lastbit/accuracy/gaussian_accuracy.h"

#include <algorithm>
#include <vector>

#include "lastbit/accuracy/refusals.h"
#include "lastbit/base/error.h"

namespace lastbit {
namespace {

// Up to this variance masses are summed one by one; beyond it an integral bounds them.
// proofs/accuracy.md#gaussian
constexpr int kMostSummedVariance = 1024;
constexpr int kMostSummedSteps = 8192;

Ball ball(const Rational& value) { return Ball(value, kAccuracyPrecision); }

// The variance in steps of the grid.
Rational steps_squared(std::string_view place, const Rational& variance, const Grid& grid) {
  accuracy_internal::require_positive(place, "variance", variance);
  const Rational spacing = grid.spacing();
  const Rational steps = variance / (spacing * spacing);
  accuracy_internal::require_moderate(place, "variance", steps);
  return steps;
}

// Pr[|Z| > k] = 2·tail/(1 + 2·(head + tail)), head being the masses of 1, …, k and tail those
// beyond. The tail is summed over 12σ plus two steps; what is left of it is between 0 and ∫_last^∞
// e^(−x²/(2σ²)) dx < (σ²/last)·e^(−last²/(2σ²)).
Ball summed_probability(std::int64_t k, const Rational& variance) {
  const std::int64_t deviation = sqrt(ball(variance)).upper_rational().ceil().to_int64();
  const std::int64_t last = k + 12 * deviation + 2;
  const Rational exponent = Rational(-1) / (Rational(2) * variance);
  // The masses are q^(j²) for q = e^exponent, each q^(2j+1) times the one before.
  Ball mass = ball(1);
  Ball ratio = exp(ball(exponent));
  const Ball ratio_step = exp(ball(Rational(2) * exponent));
  Ball head = ball(0);
  Ball tail = ball(0);
  for (std::int64_t j = 1; j <= last; ++j) {
    mass = mass * ratio;
    ratio = ratio * ratio_step;
    Ball& part = j <= k ? head : tail;
    part = part + mass;
  }
  const Ball rest = ball(variance / Rational(last)) * mass;
  tail = tail + rest * Ball::between(0, 1, kAccuracyPrecision);
  return ball(2) * tail / (ball(1) + ball(2) * (head + tail));
}

// erfc(x/(σ√2)) with x = k + ½ if masses are convex beyond x, otherwise x = k.
Ball integral_bound(const Integer& k, const Rational& variance) {
  const Rational between = Rational(k) + Rational(1, 2);
  const Rational start = between * between >= variance ? between : Rational(k);
  return erfc(ball(start) / sqrt(ball(Rational(2) * variance)));
}

Ball probability_bound(const Integer& k, const Rational& variance) {
  if (variance <= Rational(kMostSummedVariance) && k <= Integer(kMostSummedSteps)) {
    return summed_probability(k.to_int64(), variance);
  }
  return integral_bound(k, variance);
}

}  // namespace

UpperBound gaussian_error_probability(const Rational& variance, const Grid& grid,
                                      const Rational& a) {
  constexpr std::string_view kPlace = "gaussian_error_probability";
  if (a.sign() < 0) {
    throw Error::bad_parameter(kPlace, "a", "is negative", "give an error of 0 or more");
  }
  return {probability_bound(grid.floor_index(a), steps_squared(kPlace, variance, grid))};
}

Rational gaussian_accuracy(const Rational& variance, const Grid& grid, const Rational& alpha) {
  constexpr std::string_view kPlace = "gaussian_accuracy";
  accuracy_internal::require_open_probability(kPlace, "alpha", alpha);
  const Rational steps = steps_squared(kPlace, variance, grid);
  const Ball wanted = ball(alpha);
  const auto suffices = [&](const Integer& k) {
    return certainly_less_or_equal(probability_bound(k, steps), wanted);
  };
  Integer low = -1;  // does not suffice
  Integer high = 0;
  if (!suffices(high)) {
    low = high;
    high = sqrt(ball(steps)).upper_rational().ceil();
    while (!suffices(high)) {
      low = high;
      high *= 2;
    }
  }
  while (high - low > Integer(1)) {
    const Integer middle = floor_div(low + high, 2);
    (suffices(middle) ? high : low) = middle;
  }
  return grid.point(high);
}

}  // namespace lastbit
