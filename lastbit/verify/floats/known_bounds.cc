#include "lastbit/verify/floats/known_bounds.h"

#include <fmt/core.h>

#include <utility>

#include "lastbit/mechanisms/snapping.h"
#include "lastbit/numerics/decimal.h"
#include "lastbit/verify/floats/bound.h"

namespace lastbit::verify {
namespace {

// brief: a number for people, exact if that is short.
std::string brief(const Rational& value) {
  constexpr std::size_t kShort = 12;
  constexpr int kDigits = 6;
  std::string exact = value.to_string();
  return exact.size() <= kShort ? exact : decimal_text(value, kDigits, Rounding::kDown);
}

// model_problem: why a theorem about the mechanism that ships does not apply to this one.
std::string model_problem(const FloatModel& model) {
  if (model.rounding == GridRounding::kNone) return "outputs are not rounded to a grid";
  if (model.rounding != GridRounding::kHalfUp) {
    return fmt::format("the theorem is about rounding half-up, not {}", name_of(model.rounding));
  }
  if (model.grid && model.grid->exponent() != Grid::at_least(model.scale).exponent()) {
    return "the grid is not the smallest power of two from λ on";
  }
  switch (model.uniform) {
    case UniformModel::kUnitFloat:
      return "";
    case UniformModel::kDouble:
    case UniformModel::kNormalDouble:
      return binary64_problem(model.scale, model.half_width);
    case UniformModel::kFewerBits:
      return "u has fewer bits than the arithmetic";
    case UniformModel::kGrid:
      break;
  }
  return "u has a smallest value, as all grids have";
}

std::string theorem_problem(const FloatModel& model) {
  std::string problem = model_problem(model);
  return problem.empty() ? domain_problem(model.precision, model.scale, model.half_width) : problem;
}

std::string linear_text(int per_bound, int fixed, const Rational& distance) {
  return fmt::format("({} + {}·B·η)/λ + {}·η", brief(distance), per_bound, fixed);
}

std::string mironov_problem(const FloatModel& model) {
  std::string problem = model_problem(model);
  if (!problem.empty()) return problem;
  if (model.half_width <= model.scale) return "it needs λ < B";
  if (model.half_width < Rational::two_to(model.precision - 7) * model.scale) return "";
  return fmt::format("it needs B < 2^{}·λ", model.precision - 7);
}

}  // namespace

std::string domain_problem(int precision, const Rational& scale, const Rational& half_width) {
  const int least = SnappingPrice::kMinPrecision;
  if (precision < least) {
    return fmt::format("the theorem needs a precision of at least {} bits", least);
  }
  if (half_width > Rational::two_to(precision - least) * scale) {
    return fmt::format("the theorem needs B ≤ 2^{}·λ, and B/λ is {}", precision - least,
                       brief(half_width / scale));
  }
  return "";
}

std::string binary64_problem(const Rational& scale, const Rational& half_width) {
  constexpr int kReach = 708;
  constexpr int kLeastExponent = -960;
  constexpr int kMostExponent = 1000;
  if (scale < Rational::two_to(kLeastExponent) || scale > Rational::two_to(kMostExponent)) {
    return fmt::format("λ is not between 2^{} and 2^{}, so products may leave the range of doubles",
                       kLeastExponent, kMostExponent);
  }
  const Rational needed = (Rational(2) * half_width + Grid::at_least(scale).spacing()) / scale;
  if (needed <= Rational(kReach)) return "";
  return fmt::format("noise from doubles ends near {} λ, and 2B + Λ is {} λ", kReach,
                     brief(needed));
}

FloatBound proved_bound(const FloatMechanism& mechanism, const Rational& distance) {
  const FloatModel& model = mechanism.model();
  FloatBound bound{.formula = "proved for these λ, B and p",
                   .hypotheses = fmt::format("0 < B ≤ 2^{}·λ", model.precision - 7),
                   .source = "proofs/snapping.md#sharp",
                   .value = {},
                   .why_not = theorem_problem(model)};
  if (!bound.why_not.empty()) return bound;
  // Inputs that clamping makes equal have the same law.
  if (distance.sign() == 0) {
    bound.value = 0;
    return bound;
  }
  bound.value = loss_bound(bound_parameters(model, distance)).total();
  return bound;
}

FloatBound whole_bound(const FloatMechanism& mechanism, const Rational& distance) {
  FloatBound bound = proved_bound(mechanism, distance);
  bound.formula = "the same for inputs that are whole numbers";
  if (!bound.value || distance.sign() == 0) return bound;
  BoundParameters parameters = bound_parameters(mechanism.model(), distance);
  parameters.input_grid = Rational(1);
  try {
    bound.value = loss_bound(parameters).total();
  } catch (const Error& error) {
    bound.value.reset();
    bound.why_not = error.problem();
  }
  return bound;
}

FloatBound simple_bound(const FloatMechanism& mechanism, const Rational& distance) {
  const FloatModel& model = mechanism.model();
  FloatBound bound{
      .formula = linear_text(SnappingPrice::kPerBound, SnappingPrice::kFixed, distance),
      .hypotheses = fmt::format("0 < B ≤ 2^{}·λ", model.precision - 7),
      .source = "proofs/snapping.md#loss",
      .value = {},
      .why_not = theorem_problem(model)};
  if (!bound.why_not.empty()) return bound;
  bound.value = distance / model.scale +
                SnappingPrice::excess(model.scale, model.half_width, model.precision);
  return bound;
}

FloatBound mironov_formula(const FloatMechanism& mechanism, const Rational& distance) {
  const FloatModel& model = mechanism.model();
  FloatBound bound{.formula = linear_text(12, 2, distance) + "; published, float inputs only",
                   .hypotheses = fmt::format("λ < B < 2^{}·λ", model.precision - 7),
                   .source = "Mironov (2012)",
                   .value = {},
                   .why_not = mironov_problem(model)};
  if (!bound.why_not.empty()) return bound;
  bound.value = published_bound(bound_parameters(model, distance)).total;
  return bound;
}

}  // namespace lastbit::verify
