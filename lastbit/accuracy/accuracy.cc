#include "lastbit/accuracy/accuracy.h"

#include <fmt/core.h>

#include <functional>
#include <optional>

#include "lastbit/accuracy/refusals.h"
#include "lastbit/base/error.h"

namespace lastbit {

namespace {

using accuracy_internal::require_moderate;
using accuracy_internal::require_open_probability;
using accuracy_internal::require_ordered;
using accuracy_internal::require_positive;

// ln(1/α). Near 1 the difference from 1 is exact, so that no digits are lost.
Ball log_inverse(const Rational& alpha, int precision) {
  if (alpha > Rational(Integer(1), Integer(2))) return -log1p(Ball(alpha - 1, precision));
  return -ln(Ball(alpha, precision));
}

// The smaller of a real number and a rational; either the number never equals the rational, or it
// does not matter which is taken.
UpperBound at_most(const RealAtPrecision& number, const Rational& limit, int precision) {
  const auto difference = [&](int bits) { return number(bits) - Ball(limit, bits); };
  const bool above = try_decide(difference).value_or(0) > 0;
  return {above ? Ball(limit, precision) : number(precision)};
}

void require_laplace(std::string_view place, const Rational& epsilon, const Rational& sensitivity,
                     const Rational& alpha) {
  require_positive(place, "epsilon", epsilon);
  require_positive(place, "sensitivity", sensitivity);
  require_open_probability(place, "alpha", alpha);
}

// (L + 2η)/(1 − 2η): what L becomes when the noise is computed in p bits.
Ball float_log_inverse(const Rational& alpha, int bits, int precision) {
  const Rational two_eta = Rational::two_to(1 - bits);
  return (log_inverse(alpha, precision) + Ball(two_eta, precision)) /
         Ball(Rational(1) - two_eta, precision);
}

// The accuracy of a mechanism with smallest grid Λ ≥ λ is per_scale·λ + per_spacing·Λ.
struct AccuracyLaw {
  RealAtPrecision per_scale;  // an irrational number
  Rational per_spacing;
};

// The largest λ with per_scale·λ + per_spacing·Λ(λ) ≤ accuracy, rounded down.
// On (2^(k−1), 2^k] the left side grows from 2^(k−1)·(per_scale + 2·per_spacing), not included, to
// 2^k·(per_scale + per_spacing), so λ lies in the last interval that begins below `accuracy`.
Rational largest_scale(const AccuracyLaw& law, const Rational& accuracy, int precision) {
  std::optional<int> k;
  for (int bits = precision; !k; bits *= 2) {
    invariant(bits <= Ball::kMaxPrecision / 2, "an irrational number equals a power of two");
    const Ball start =
        Ball(accuracy, bits) / (law.per_scale(bits) + Ball(law.per_spacing * Rational(2), bits));
    const Grid low = Grid::at_least(start.lower_rational());
    if (low.exponent() == Grid::at_least(start.upper_rational()).exponent()) k = low.exponent();
  }
  const Rational end = Rational::two_to(*k);
  const Rational left = accuracy - law.per_spacing * end;
  const int room =
      decide([&](int bits) { return Ball(left, bits) - law.per_scale(bits) * Ball(end, bits); });
  if (room > 0) return end;
  return (Ball(left, precision) / law.per_scale(precision)).lower_rational();
}

void require_plannable(std::string_view place, const Rational& accuracy, const Rational& alpha,
                       const Rational& sensitivity) {
  require_moderate(place, "accuracy", accuracy);
  require_positive(place, "sensitivity", sensitivity);
  require_open_probability(place, "alpha", alpha);
}

AccuracyPlan plan_of(const Rational& scale, const Grid& grid, const Rational& sensitivity,
                     const Rational& alpha, int precision) {
  const Ball accuracy = Ball(scale, precision) * log_inverse(alpha, precision) +
                        Ball(grid.spacing() / Rational(2), precision);
  return {sensitivity / scale, scale, grid, {accuracy}};
}

}  // namespace

UpperBound laplace_accuracy(const Rational& epsilon, const Rational& sensitivity,
                            const Rational& alpha, int precision) {
  require_laplace("laplace_accuracy", epsilon, sensitivity, alpha);
  return {log_inverse(alpha, precision) * Ball(sensitivity / epsilon, precision)};
}

UpperBound snapping_accuracy(const IdealSnapping& snapping, const Rational& alpha, int precision) {
  require_open_probability("snapping_accuracy", "alpha", alpha);
  return at_most(
      [&](int bits) {
        return log_inverse(alpha, bits) * Ball(snapping.scale(), bits) +
               Ball(snapping.grid().spacing() / Rational(2), bits);
      },
      snapping.half_width() * Rational(2), precision);
}

UpperBound snapping_accuracy(const Snapping& snapping, const Rational& alpha, int precision) {
  require_open_probability("snapping_accuracy", "alpha", alpha);
  const int p = snapping.parameters().precision;
  const Rational half_spacing = snapping.grid().spacing() / Rational(2);
  const Rational rounding =
      half_spacing + Rational::two_to(-p) * (snapping.half_width() + half_spacing);
  return at_most(
      [&](int bits) {
        return float_log_inverse(alpha, p, bits) * Ball(snapping.scale(), bits) +
               Ball(rounding, bits);
      },
      snapping.half_width() * Rational(2), precision);
}

UpperBound simple_snapping_accuracy(const Rational& epsilon, const Rational& sensitivity,
                                    const Rational& alpha, int precision) {
  require_laplace("simple_snapping_accuracy", epsilon, sensitivity, alpha);
  return {(Ball(Rational(1), precision) + log_inverse(alpha, precision)) *
          Ball(sensitivity / epsilon, precision)};
}

UpperBound smallest_accuracy(const Rational& scale, const Grid& grid, const Rational& alpha,
                             int precision) {
  require_positive("smallest_accuracy", "scale", scale);
  require_open_probability("smallest_accuracy", "alpha", alpha);
  const Rational c = grid.spacing() / scale;
  // The worst input's Pr[error > a] on [(n−1)Λ/2, nΛ/2) is ½e^(c/2)·(e^(−a/λ) + e^(a/λ−nc)), falling
  // to e^(−(n−1)c/2); n is the first interval where it falls below α, n − 1 = ⌊2L/c⌋ + 1.
  std::optional<Integer> floor;
  for (int bits = precision; !floor; bits *= 2) {
    invariant(bits <= Ball::kMaxPrecision / 2, "ln of a rational equals a rational");
    const Ball quotient = log_inverse(alpha, bits) * Ball(Rational(2) / c, bits);
    const Integer low = quotient.lower_rational().floor();
    if (low == quotient.upper_rational().floor()) floor = low;
  }
  const Rational n(*floor + 2);
  const Rational half_c = c / Rational(2);
  const Rational start = (n - 1) * grid.spacing() / Rational(2);
  const int excess = decide([&](int bits) {
    return exp_of(-(n - 2) * half_c, bits) + exp_of(-n * half_c, bits) -
           Ball(Rational(2) * alpha, bits);
  });
  if (excess < 0) return {Ball(start, precision)};
  // Here a solves v + e^(−nc)/v = q with v = e^(−a/λ), q = 2α·e^(−c/2), and v is the larger root. It
  // is scaled by e^(nc/2), so that the root is taken of a number near 1.
  for (int bits = precision;; bits *= 2) {
    invariant(bits <= Ball::kMaxPrecision / 2, "the discriminant of a positive root is 0");
    const Ball sum = Ball(alpha, bits) * exp_of((n - 1) * half_c, bits);
    const Ball root = sqrt(sum * sum - Ball(Rational(1), bits));
    const Ball a = Ball(scale, bits) * (Ball(n * half_c, bits) - ln(sum + root));
    if (a.is_finite()) return {a};
  }
}

AccuracyComparison compare_with_laplace(const IdealSnapping& snapping, const Rational& epsilon,
                                        const Rational& sensitivity, const Rational& alpha) {
  const UpperBound laplace = laplace_accuracy(epsilon, sensitivity, alpha);
  const UpperBound snapped = snapping_accuracy(snapping, alpha);
  return {laplace, snapped, snapped.ball / laplace.ball};
}

AccuracyComparison compare_with_laplace(const Snapping& snapping, const Rational& alpha) {
  const SnappingParameters& parameters = snapping.parameters();
  const UpperBound laplace = laplace_accuracy(parameters.epsilon, parameters.sensitivity, alpha);
  const UpperBound snapped = snapping_accuracy(snapping, alpha);
  return {laplace, snapped, snapped.ball / laplace.ball};
}

AccuracyPlan plan_accuracy(const Rational& accuracy, const Rational& alpha,
                           const Rational& sensitivity, int precision) {
  require_plannable("plan_accuracy", accuracy, alpha, sensitivity);
  const AccuracyLaw law{[&](int bits) { return log_inverse(alpha, bits); },
                        Rational(Integer(1), Integer(2))};
  const Rational scale = largest_scale(law, accuracy, precision);
  return plan_of(scale, Grid::at_least(scale), sensitivity, alpha, precision);
}

AccuracyPlan plan_accuracy(const Rational& accuracy, const Rational& alpha,
                           const Rational& sensitivity, const Grid& grid, int precision) {
  require_plannable("plan_accuracy", accuracy, alpha, sensitivity);
  const Rational left = accuracy - grid.spacing() / Rational(2);
  if (left.sign() <= 0) {
    throw Error::bad_parameter(
        "plan_accuracy", "accuracy", "is not above half the spacing of the grid",
        fmt::format("take a grid of 2^{} or finer", Grid::at_least(accuracy).exponent()));
  }
  const Rational scale = (Ball(left, precision) / log_inverse(alpha, precision)).lower_rational();
  return plan_of(scale, grid, sensitivity, alpha, precision);
}

SnappingParameters plan_snapping(const Rational& accuracy, const Rational& alpha,
                                 const SnappingParameters& wanted) {
  constexpr std::string_view kPlace = "plan_snapping";
  require_plannable(kPlace, accuracy, alpha, wanted.sensitivity);
  require_ordered(kPlace, "lower", wanted.lower, wanted.upper);
  const FloatFormat format = FloatFormat::unbounded(wanted.precision);
  const Rational eta = Rational::two_to(-wanted.precision);
  const Rational half_width = (wanted.upper - wanted.lower) / Rational(2);
  const Rational left = accuracy - eta * half_width;
  if (left <= accuracy / Rational(2)) {
    throw Error::bad_parameter(
        kPlace, "precision",
        fmt::format("({}) is too low: rounding alone costs half of the accuracy", wanted.precision),
        fmt::format("give precision {} or more",
                    Grid::at_least(Rational(2) * half_width / accuracy).exponent() + 1));
  }
  const AccuracyLaw law{[&](int bits) { return float_log_inverse(alpha, wanted.precision, bits); },
                        (Rational(1) + eta) / Rational(2)};
  const int bits = wanted.precision + kAccuracyPrecision;
  const Rational scale =
      Float::from(largest_scale(law, left, bits), format, Rounding::kDown).to_rational();
  SnappingParameters planned = wanted;
  planned.epsilon =
      (wanted.sensitivity + Rational(SnappingPrice::kPerBound) * half_width * eta) / scale +
      Rational(SnappingPrice::kFixed) * eta;
  return planned;
}

}  // namespace lastbit
