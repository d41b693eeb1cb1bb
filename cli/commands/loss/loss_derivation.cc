#include "cli/commands/loss/loss_derivation.h"

#include <fmt/core.h>

#include "lastbit/base/error.h"
#include "lastbit/numerics/decimal.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/verify/floats/bound.h"
#include "lastbit/verify/floats/rounding/show.h"

namespace lastbit::cli {

using report::Align;
using report::binary_text;
using report::indented;
using report::Paint;
using report::Table;

namespace {

// The end y of a cell below 0, for any input f; the other cases follow by symmetry.
verify::Ranges ranges_of(const LossStudy& study) {
  const Rational& bound = study.mechanism.half_width();
  return {{"f", verify::Extent::between(-bound, bound)},
          {"lambda", verify::Extent::point(study.mechanism.scale())},
          {"y", verify::Extent::at_most(-study.mechanism.grid().spacing() / Rational(2))}};
}

verify::RoundingDerivation rounding_of(const LossStudy& study) {
  return verify::derive_rounding(verify::snapping_formula(1), ranges_of(study),
                                 FloatFormat::unbounded(study.question.precision));
}

// uniform_problem: the rule UNIF, which puts u just below a real number, holds for floats with all
// exponents that matter, but not for the u of every model.
std::string uniform_problem(const LossStudy& study) {
  const verify::FloatModel& model = study.mechanism.model();
  switch (model.uniform) {
    case verify::UniformModel::kUnitFloat:
      return "";
    case verify::UniformModel::kDouble:
    case verify::UniformModel::kNormalDouble:
      return verify::binary64_problem(model.scale, model.half_width);
    case verify::UniformModel::kFewerBits:
    case verify::UniformModel::kGrid:
      break;
  }
  return "u has to be any float of p bits, and here " +
         std::string(model_sentence(study.question.model));
}

std::string cases_text(const LossStudy& study, const Paint& paint) {
  if (study.distance.sign() == 0) {
    return "The two inputs are the same number within the bounds, so the loss is 0\n";
  }
  const verify::LossBound bound =
      verify::loss_bound(verify::bound_parameters(study.mechanism.model(), study.distance));
  const verify::BoundQuantities& q = bound.quantities;
  const auto in_eta = [&](const Rational& value) {
    return decimal_text(value / study.eta(), 6, Rounding::kUp);
  };
  std::string text = fmt::format(
      "The bound, case by case (proofs/snapping.md#sharp)\n\n"
      "  largest distance of an input from an end of a cell  D  = {}\n"
      "  half the gap between floats there                   H  = {}\n"
      "  half the gap between logarithms there               H' = {}\n"
      "  least width of a cell, less the thresholds' errors  g  = {} λ\n"
      "  weights of its two ends: v = 1/(1 − e^−g) = {}, w = v − 1\n\n",
      decimal_text(q.largest_distance, 6, Rounding::kUp), binary_text(q.product_half_gap),
      q.logarithm_half_gap.sign() == 0 ? "0, since λ is a power of two"
                                       : binary_text(q.logarithm_half_gap),
      decimal_text(q.least_width, 6, Rounding::kDown),
      decimal_text(q.near_weight.upper_rational(), 6, Rounding::kUp));
  Table table({{"output"}, {"loss above |x − x'|/λ, in η", Align::kRight}});
  for (const verify::CaseBound& one : bound.cases) {
    table.add({std::string(name_of(one.output_case)), in_eta(one.excess.upper_rational())});
  }
  return text + indented(table.render(paint), 2);
}

}  // namespace

std::string derivation_as_text(const LossStudy& study, const Paint& paint) {
  if (const std::string problem = uniform_problem(study); !problem.empty()) {
    return fmt::format("\nThere is no derivation: {}\n", problem);
  }
  const auto threshold = verify::invert_rounding(
      verify::snapping_formula(1), verify::FloatComparison::kAtMost, verify::Formula::exact("y"),
      ranges_of(study), FloatFormat::unbounded(study.question.precision));
  std::string text = "\nWhat rounding does to the noisy sum (proofs/rounding.md)\n\n" +
                     verify::as_text(rounding_of(study)) +
                     "\nWhich u give at most y, for an end y < 0 of a cell\n\n" +
                     indented(verify::as_text(threshold), 2) + "\n";
  return study.proved.value ? text + cases_text(study, paint) : text;
}

std::string derivation_as_latex(const LossStudy& study) {
  if (const std::string problem = uniform_problem(study); !problem.empty()) {
    throw Error(ErrorCode::kNotSupported, "loss", "there is no derivation: " + problem,
                "leave --latex out");
  }
  return verify::as_latex(rounding_of(study));
}

}  // namespace lastbit::cli
