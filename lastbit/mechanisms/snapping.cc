#include "lastbit/mechanisms/snapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace lastbit {

namespace {

constexpr std::string_view kPlace = "snapping";

Rational unit_roundoff(int precision) { return Rational::two_to(-precision); }

Rational half_width(const SnappingParameters& parameters) {
  return (parameters.upper - parameters.lower) / Rational(2);
}

// The parameters that no choice of precision can repair.
void require_sane(const SnappingParameters& parameters) {
  if (parameters.epsilon.sign() <= 0) {
    throw Error::bad_parameter(kPlace, "epsilon", "is not positive", "give an epsilon above 0");
  }
  if (parameters.sensitivity.sign() <= 0) {
    throw Error::bad_parameter(kPlace, "sensitivity", "is not positive",
                               "give the largest change one neighbour can make, above 0");
  }
  if (parameters.lower >= parameters.upper) {
    throw Error::bad_parameter(kPlace, "lower", "is not below upper",
                               "give the range where the statistic is expected, lower < upper");
  }
  const int least = parameters.constants.min_precision();
  if (parameters.precision < least || parameters.precision > FloatFormat::kMaxPrecision) {
    throw Error::bad_parameter(kPlace, "precision",
                               fmt::format("({}) is outside [{}, {}]", parameters.precision, least,
                                           FloatFormat::kMaxPrecision),
                               fmt::format("give {} or more; 53 is that of doubles", least));
  }
}

// The smallest λ that pays for epsilon, before it is rounded; epsilon > C′·η.
Rational exact_scale(const SnappingParameters& parameters, int precision) {
  const Rational eta = unit_roundoff(precision);
  const SnappingConstants& constants = parameters.constants;
  return (parameters.sensitivity + constants.per_bound() * half_width(parameters) * eta) /
         (parameters.epsilon - constants.fixed() * eta);
}

Float rounded_scale(const SnappingParameters& parameters, int precision) {
  return Float::from(exact_scale(parameters, precision), FloatFormat::unbounded(precision),
                     Rounding::kUp);
}

enum class Fit { kGood, kEpsilonTooSmall, kScaleOutOfRange, kTooWide, kTooNarrow };

// Whether the theorem behind the constants speaks about these parameters at this precision.
Fit fit_at(const SnappingParameters& parameters, int precision) {
  const SnappingConstants& constants = parameters.constants;
  if (parameters.epsilon <= constants.fixed() * unit_roundoff(precision)) {
    return Fit::kEpsilonTooSmall;
  }
  const Float rounded = rounded_scale(parameters, precision);
  if (std::abs(rounded.exponent()) >= Grid::kMaxExponent) return Fit::kScaleOutOfRange;
  const Rational scale = rounded.to_rational();
  const Rational bound = half_width(parameters);
  const Rational widest = scale * Rational::two_to(precision - 7);
  if (bound > widest || (constants.strict() && bound == widest)) return Fit::kTooWide;
  if (constants.strict() && bound <= scale) return Fit::kTooNarrow;
  return Fit::kGood;
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
      case Fit::kTooNarrow:
        return std::nullopt;  // more bits change neither
    }
  }
  return std::nullopt;
}

[[noreturn]] void refuse_epsilon(const SnappingParameters& parameters) {
  const Rational least = parameters.constants.fixed() * unit_roundoff(parameters.precision);
  const std::string larger = fmt::format("an epsilon above {}", least.up());
  const auto precision = more_precision(parameters);
  throw Error::bad_parameter(kPlace, "epsilon",
                             fmt::format("is not above {}, which rounding to {} bits alone costs",
                                         least.up(), parameters.precision),
                             precision ? *precision + ", or " + larger : "give " + larger);
}

[[noreturn]] void refuse_wide(const SnappingParameters& parameters) {
  // B ≤ 2^(p−7)·λ with λ = (Δ + C·B·η)/(ε − C′·η) is B·(ε − C′·η − C/128) ≤ 2^(p−7)·Δ. The bracket
  // is positive here, or every B would do.
  const Rational bracket = parameters.epsilon -
                           parameters.constants.fixed() * unit_roundoff(parameters.precision) -
                           parameters.constants.per_bound() / Rational(128);
  const Rational widest =
      Rational::two_to(parameters.precision - 7) * parameters.sensitivity / bracket;
  const std::string closer = "bring the bounds closer together";
  const auto precision = more_precision(parameters);
  throw Error::bad_parameter(
      kPlace, "upper",
      fmt::format("is too far above lower: {} bits allow (upper - lower)/2 {} {}",
                  parameters.precision, parameters.constants.strict() ? "below" : "up to",
                  widest.down()),
      precision ? *precision + ", or " + closer : closer);
}

[[noreturn]] void refuse_narrow(const SnappingParameters& parameters) {
  // λ ≤ (1 + 2η)·(Δ + C·B·η)/(ε − C′·η), so B·(ε − C′·η − (1 + 2η)·C·η) > (1 + 2η)·Δ gives B > λ.
  const Rational eta = unit_roundoff(parameters.precision);
  const Rational up = Rational(1) + Rational(2) * eta;
  const Rational bracket =
      parameters.epsilon -
      (parameters.constants.fixed() + up * parameters.constants.per_bound()) * eta;
  const std::string wider = bracket.sign() > 0
                                ? fmt::format("take bounds with (upper - lower)/2 above {}, or ",
                                              (up * parameters.sensitivity / bracket).up())
                                : "";
  throw Error::bad_parameter(
      kPlace, "upper",
      "is too close to lower: Mironov's constants need (upper - lower)/2 above the noise scale",
      wider + "use SnappingConstants::proved(), which need no least width");
}

SnappingFunction checked_function(const SnappingParameters& parameters) {
  require_sane(parameters);
  switch (fit_at(parameters, parameters.precision)) {
    case Fit::kGood:
      break;
    case Fit::kEpsilonTooSmall:
      refuse_epsilon(parameters);
    case Fit::kScaleOutOfRange:
      throw Error::bad_parameter(kPlace, "sensitivity",
                                 fmt::format("over epsilon is beyond 2^{} or below 2^-{}",
                                             Grid::kMaxExponent, Grid::kMaxExponent),
                                 "give the statistic in other units");
    case Fit::kTooWide:
      refuse_wide(parameters);
    case Fit::kTooNarrow:
      refuse_narrow(parameters);
  }
  return {rounded_scale(parameters, parameters.precision), half_width(parameters)};
}

// (d + C·B·η)/λ + C′·η.
Rational charged(const Snapping& snapping, const SnappingConstants& constants, const Rational& d) {
  const Rational eta = unit_roundoff(snapping.parameters().precision);
  return (d + constants.per_bound() * snapping.half_width() * eta) / snapping.scale() +
         constants.fixed() * eta;
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
  const Rational proved = charged(*this, SnappingConstants::proved(), d);
  // Published constants speak about distance Δ; farther inputs are reached in steps of Δ. Where the
  // proved constants say less, they hold as well.
  const Rational& delta = parameters_.sensitivity;
  const Rational steps((d / delta).ceil());
  return std::min(proved, steps * charged(*this, parameters_.constants, delta));
}

Rational Snapping::release(double x, BitSource& bits) const {
  if (std::isfinite(x)) return release(Rational::exactly(x), bits);
  return release(x > 0 ? parameters_.upper : parameters_.lower, bits);
}

}  // namespace lastbit
