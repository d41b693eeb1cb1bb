#include "cli/commands/loss/loss_files.h"

#include <fmt/core.h>

#include <set>

#include "cli/commands/loss/loss_coq.h"
#include "cli/commands/loss/loss_derivation.h"
#include "cli/commands/proof_files.h"
#include "cli/terminal/output.h"
#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/numerics/decimal.h"
#include "lastbit/report/charts/plot_svg.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/verify/floats/loss_certificate.h"
#include "lastbit/verify/floats/rounding/gappa.h"

namespace lastbit::cli {

using report::as_svg;
using report::Plot;
using report::PlotPoint;
using report::short_text;

namespace {

Plot plot_of(const LossStudy& study) {
  const Rational x1 = study.worst.x1;
  const Rational x2 = study.worst.x2;
  const Rational& bound = study.mechanism.half_width();
  const Rational apart = clamped_distance(study.mechanism.model(), x1, x2);
  const Rational ideal = apart / study.mechanism.scale();
  Plot plot;
  plot.title =
      fmt::format("Exact privacy loss by output, floats of {} bits", study.question.precision);
  plot.subtitle =
      fmt::format("x = {}, x' = {}, λ = {}, B = {}, model {}", short_text(x1 + study.midpoint),
                  short_text(x2 + study.midpoint), short_text(study.mechanism.scale()),
                  short_text(bound), study.question.model);
  plot.x_label = "output";
  plot.y_label = fmt::format("loss − |x − x'|/λ, in units of η = 2^-{}", study.question.precision);
  plot.infinite_label = "infinite: only one input gives this output";
  plot.far_label = "far below (between x and x')";
  for (const verify::OutputLoss& output : output_losses(study.mechanism, x1, x2)) {
    PlotPoint point;
    point.x = (output.output + study.midpoint).down();
    point.infinite = output.infinite();
    if (!point.infinite) {
      const Rational loss = output.loss(study.ball_precision()).lower_rational();
      point.y = ((loss - ideal) / study.eta()).down();
    }
    plot.points.push_back(point);
  }
  if (const auto proved = proved_bound(study.mechanism, apart).value) {
    const Rational excess = (*proved - ideal) / study.eta();
    plot.line = excess.up();
    plot.line_label = fmt::format("proved bound: {} η", decimal_text(excess, 6, Rounding::kUp));
  }
  return plot;
}

// gappa_of: the rounded sum for every input and every u whose noise is not beyond both bounds.
std::string gappa_of(const LossStudy& study) {
  const Rational& bound = study.mechanism.half_width();
  const Rational& scale = study.mechanism.scale();
  // 2^−k ≤ e^−t for k ≥ t/ln 2, and 1/ln 2 < 3/2.
  const Rational reach = (Rational(2) * bound + study.mechanism.grid().spacing()) / scale;
  const Integer exponent = (reach * Rational(3) / Rational(2)).ceil();
  constexpr std::int64_t kMostExponent = 1 << 16;
  if (exponent > Integer(kMostExponent)) {
    throw Error(ErrorCode::kNotSupported, "loss", "the bound is too wide for a Gappa script",
                "choose a smaller bound, or a larger scale");
  }
  const verify::Ranges ranges = {
      {"f", verify::Extent::between(-bound, bound)},
      {"lambda", verify::Extent::point(scale)},
      {"U",
       verify::Extent::between(Rational::two_to(-exponent.to_int64()), Rational(1) - study.eta())}};
  return verify::gappa_script(verify::snapping_formula(1), ranges,
                              FloatFormat::unbounded(study.question.precision));
}

}  // namespace

void LossFiles::add_options(Arguments& parser) {
  const auto file = [&](const char* name, std::string& value, const char* help) {
    parser.add_option(name, value, help, "OUT");
  };
  file("--plot", plot, "Draw the loss by output, as SVG");
  file("--certificate", certificate, "Write the worst loss for lastbit check");
  file("--coq", coq, "Write the worst loss as Coq theorems");
  file("--latex", latex, "Write the derivation of rounding errors as LaTeX");
  file("--gappa", gappa, "Write the rounding errors of the sum as a Gappa script");
}

void LossFiles::require_different(const Arguments& parser) const {
  std::set<std::string> names;
  for (const std::string* name : {&plot, &certificate, &coq, &gappa, &latex}) {
    if (name->empty() || names.insert(*name).second) continue;
    throw parser.wrong(fmt::format("{} would be written twice", lastbit::quote(*name)),
                       "give each file its own name");
  }
}

std::vector<std::string> LossFiles::write(const LossStudy& study) const {
  std::vector<std::string> lines;
  if (!plot.empty()) {
    write_file(plot, as_svg(plot_of(study)).str());
    lines.push_back("plot:        " + plot);
  }
  if (!certificate.empty()) {
    write_file(certificate, verify::write_loss_certificate(verify::certify_loss(
                                study.mechanism, study.midpoint, study.worst)));
    lines.push_back("certificate: " + certificate);
  }
  if (!coq.empty()) {
    write_file(coq, loss_as_coq(study));
    lines.push_back("Coq:         " + coq);
  }
  if (!gappa.empty()) {
    write_file(gappa, gappa_of(study));
    lines.push_back("Gappa:       " + gappa);
  }
  if (!latex.empty()) {
    write_file(latex, derivation_as_latex(study));
    lines.push_back("LaTeX:       " + latex);
  }
  return lines;
}

}  // namespace lastbit::cli
