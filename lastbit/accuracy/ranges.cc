#include "lastbit/accuracy/ranges.h"

#include <fmt/core.h>

#include <optional>

#include "lastbit/accuracy/refusals.h"
#include "lastbit/base/error.h"
#include "lastbit/numerics/float.h"

namespace lastbit {

namespace {

using accuracy_internal::require_count;
using accuracy_internal::require_ordered;
using accuracy_internal::require_positive;
using accuracy_internal::require_positive_probability;

constexpr int kLogBits = 64;

// ln(1/γ), rounded up.
Rational log_inverse_up(const Rational& gamma) {
  if (gamma == Rational(1)) return 0;
  return ln_up(Rational(1) / gamma, kLogBits);
}

// ⌊n²/4⌋/(n(n − 1)), the largest share of a squared width that a variance can have.
Rational largest_share(const Integer& n) { return Rational(floor_div(n * n, 4), n * (n - 1)); }

void require_statistic(std::string_view place, const Range& statistic, const Rational& gamma) {
  if (statistic.upper < statistic.lower) {
    throw Error::bad_parameter(place, "statistic", "has its lower end above its upper end",
                               "swap the two");
  }
  require_positive_probability(place, "gamma", gamma);
}

// The half-width B that solves B = B′ + η·B + λ_up(B)·(1 + η + L′), where
// λ_up(B) = (1 + 2η)·(Δ + C·B·η)/(ε − C′·η) is at least the scale; nothing if none is positive.
std::optional<Rational> solved_half_width(const Rational& inner, const Rational& log_inverse,
                                          const SnappingParameters& wanted, int precision) {
  const Rational eta = Rational::two_to(-precision);
  const Rational net = wanted.epsilon - Rational(SnappingPrice::kFixed) * eta;
  if (net.sign() <= 0) return std::nullopt;
  const Rational two_eta = Rational(2) * eta;
  const Rational float_log = (log_inverse + two_eta) / (Rational(1) - two_eta);
  const Rational factor = (Rational(1) + eta + float_log) * (Rational(1) + two_eta) / net;
  const Rational denominator =
      Rational(1) - eta - factor * Rational(SnappingPrice::kPerBound) * eta;
  if (denominator.sign() <= 0) return std::nullopt;
  return (inner + factor * wanted.sensitivity) / denominator;
}

}  // namespace

Range count_range(const Integer& n) {
  require_count("count_range", "n", n, 1);
  return {0, n};
}

Range histogram_range(const Integer& n) {
  require_count("histogram_range", "n", n, 1);
  return {0, n};
}

Range sum_range(const Integer& n, const Rational& lower, const Rational& upper) {
  require_count("sum_range", "n", n, 1);
  require_ordered("sum_range", "lower", lower, upper);
  return {Rational(n) * lower, Rational(n) * upper};
}

Range mean_range(const Rational& lower, const Rational& upper) {
  require_ordered("mean_range", "lower", lower, upper);
  return {lower, upper};
}

Range variance_range(const Integer& n, const Rational& lower, const Rational& upper) {
  require_count("variance_range", "n", n, 2);
  require_ordered("variance_range", "lower", lower, upper);
  return {0, largest_share(n) * pow(upper - lower, 2)};
}

Range covariance_range(const Integer& n, const Rational& lower_x, const Rational& upper_x,
                       const Rational& lower_y, const Rational& upper_y) {
  require_count("covariance_range", "n", n, 2);
  require_ordered("covariance_range", "lower_x", lower_x, upper_x);
  require_ordered("covariance_range", "lower_y", lower_y, upper_y);
  const Rational largest = largest_share(n) * (upper_x - lower_x) * (upper_y - lower_y);
  return {-largest, largest};
}

Range non_binding_range(const Range& statistic, const Rational& gamma, const Rational& scale,
                        const Grid& grid) {
  require_statistic("non_binding_range", statistic, gamma);
  require_positive("non_binding_range", "scale", scale);
  const Rational margin = scale * log_inverse_up(gamma) + grid.spacing() / Rational(2);
  return {statistic.lower - margin, statistic.upper + margin};
}

SnappingParameters non_binding_parameters(const Range& statistic, const Rational& gamma,
                                          const SnappingParameters& wanted) {
  constexpr std::string_view kPlace = "non_binding_parameters";
  require_statistic(kPlace, statistic, gamma);
  require_positive(kPlace, "epsilon", wanted.epsilon);
  require_positive(kPlace, "sensitivity", wanted.sensitivity);
  const Rational inner = statistic.half_width();
  const Rational log_inverse = log_inverse_up(gamma);
  const auto solved = [&](int precision) {
    return solved_half_width(inner, log_inverse, wanted, precision);
  };
  const int given = FloatFormat::unbounded(wanted.precision).precision();
  const auto half_width = solved(given);
  if (!half_width) {
    int enough = given + 1;
    while (!solved(enough)) ++enough;
    throw Error::bad_parameter(
        kPlace, "precision",
        fmt::format("({}) is too low: every wider bound costs more noise than it makes room for",
                    given),
        fmt::format("give precision {} or more", enough));
  }
  SnappingParameters parameters = wanted;
  parameters.lower = statistic.lower - (*half_width - inner);
  parameters.upper = statistic.upper + (*half_width - inner);
  return parameters;
}

}  // namespace lastbit
