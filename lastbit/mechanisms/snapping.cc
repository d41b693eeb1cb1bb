#include "lastbit/mechanisms/snapping.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace lastbit {

namespace {

constexpr std::string_view kSnapping = "snapping";

Rational unit_roundoff(int precision) { return Rational::two_to(-precision); }

Rational half_width(const SnappingParameters& parameters) {
  return (parameters.upper - parameters.lower) / Rational(2);
}

// Refuses parameters that no precision can make valid.
void require_sane(const SnappingParameters& parameters) {
  if (parameters.epsilon.sign() <= 0) {
    throw Error::bad_parameter(kSnapping, "epsilon", "is not positive", "give an epsilon above 0");
  }
  if (parameters.sensitivity.sign() <= 0) {
    throw Error::bad_parameter(kSnapping, "sensitivity", "is not positive",
                               "give the largest change one neighbour can make, above 0");
  }
  if (parameters.lower >= parameters.upper) {
    throw Error::bad_parameter(kSnapping, "lower", "is not below upper",
                               "give the range where the statistic is expected, lower < upper");
  }
  const int least = SnappingPrice::kMinPrecision;
  if (parameters.precision < least || parameters.precision > FloatFormat::kMaxPrecision) {
    throw Error::bad_parameter(kSnapping, "precision",
                               fmt::format("({}) is outside [{}, {}]", parameters.precision, least,
                                           FloatFormat::kMaxPrecision),
                               fmt::format("give {} or more; 53 is that of doubles", least));
  }
}

// The smallest λ for this epsilon, before it is rounded; epsilon > 14·η.
Rational exact_scale(const SnappingParameters& parameters, int precision) {
  const Rational eta = unit_roundoff(precision);
  return (parameters.sensitivity +
          Rational(SnappingPrice::kPerBound) * half_width(parameters) * eta) /
         (parameters.epsilon - Rational(SnappingPrice::kFixed) * eta);
}

Float rounded_scale(const SnappingParameters& parameters, int precision) {
  return Float::from(exact_scale(parameters, precision), FloatFormat::unbounded(precision),
                     Rounding::kUp);
}

enum class Fit { kGood, kEpsilonTooSmall, kScaleOutOfRange, kTooWide };

// Whether the theorem covers these parameters at this precision.
Fit fit_at(const SnappingParameters& parameters, int precision) {
  if (parameters.epsilon <= Rational(SnappingPrice::kFixed) * unit_roundoff(precision)) {
    return Fit::kEpsilonTooSmall;
  }
  const Float rounded = rounded_scale(parameters, precision);
  if (std::abs(rounded.exponent()) >= Grid::kMaxExponent) return Fit::kScaleOutOfRange;
  const Rational widest = rounded.to_rational() * Rational::two_to(precision - 7);
  return half_width(parameters) > widest ? Fit::kTooWide : Fit::kGood;
}

// "give precision 60" with the smallest precision that works, if any does.
std::optional<std::string> more_precision(const SnappingParameters& parameters) {
  for (int p = parameters.precision + 1; p <= FloatFormat::kMaxPrecision; ++p) {
    switch (fit_at(parameters, p)) {
      case Fit::kGood:
        return fmt::format("give precision {} or more", p);
      case Fit::kEpsilonTooSmall:
      case Fit::kTooWide:
        continue;
      case Fit::kScaleOutOfRange:
        return std::nullopt;  // more bits do not change it
    }
  }
  return std::nullopt;
}

[[noreturn]] void refuse_epsilon(const SnappingParameters& parameters) {
  const Rational least = Rational(SnappingPrice::kFixed) * unit_roundoff(parameters.precision);
  const std::string larger = fmt::format("an epsilon above {}", least.up());
  const auto precision = more_precision(parameters);
  throw Error::bad_parameter(kSnapping, "epsilon",
                             fmt::format("is not above {}, which rounding to {} bits alone costs",
                                         least.up(), parameters.precision),
                             precision ? *precision + ", or " + larger : "give " + larger);
}

[[noreturn]] void refuse_wide(const SnappingParameters& parameters) {
  // B ≤ 2^(p−7)·λ with λ = (Δ + 18·B·η)/(ε − 14·η) is B·(ε − 14·η − 18/128) ≤ 2^(p−7)·Δ. The
  // bracket is positive here; otherwise every B would do.
  const Rational bracket = parameters.epsilon -
                           Rational(SnappingPrice::kFixed) * unit_roundoff(parameters.precision) -
                           Rational(SnappingPrice::kPerBound, 128);
  const Rational widest =
      Rational::two_to(parameters.precision - 7) * parameters.sensitivity / bracket;
  const std::string closer = "bring the bounds closer together";
  const auto precision = more_precision(parameters);
  throw Error::bad_parameter(
      kSnapping, "upper",
      fmt::format("is too far above lower: {} bits allow (upper - lower)/2 up to {}",
                  parameters.precision, widest.down()),
      precision ? *precision + ", or " + closer : closer);
}

SnappingFunction checked_function(const SnappingParameters& parameters) {
  require_sane(parameters);
  switch (fit_at(parameters, parameters.precision)) {
    case Fit::kGood:
      break;
    case Fit::kEpsilonTooSmall:
      refuse_epsilon(parameters);
    case Fit::kScaleOutOfRange:
      throw Error::bad_parameter(kSnapping, "sensitivity",
                                 fmt::format("over epsilon is beyond 2^{} or below 2^-{}",
                                             Grid::kMaxExponent, Grid::kMaxExponent),
                                 "give the statistic in other units");
    case Fit::kTooWide:
      refuse_wide(parameters);
  }
  return {rounded_scale(parameters, parameters.precision), half_width(parameters)};
}

}  // namespace

Snapping::Snapping(SnappingParameters parameters)
    : parameters_(std::move(parameters)),
      midpoint_((parameters_.upper + parameters_.lower) / Rational(2)),
      function_(checked_function(parameters_)) {}

Distance Snapping::loss(const Distance& d_in) const {
  if (d_in == Distance(0)) return 0;
  const Rational width = parameters_.upper - parameters_.lower;
  const Rational d = d_in.is_infinite() ? width : std::min(d_in.value(), width);
  return d / scale() + SnappingPrice::excess(scale(), half_width(), parameters_.precision);
}

Rational Snapping::release(double x, BitSource& bits) const {
  if (std::isfinite(x)) return release(Rational::exactly(x), bits);
  return release(x > 0 ? parameters_.upper : parameters_.lower, bits);
}

}  // namespace lastbit
