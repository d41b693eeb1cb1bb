#include "cli/commands/loss/loss_coq.h"

#include <fmt/core.h>

#include <algorithm>

#include "lastbit/base/error.h"
#include "lastbit/numerics/decimal.h"
#include "lastbit/verify/floats/bound_coq.h"

namespace lastbit::cli {

namespace {

std::string definition(const std::string& name, const Rational& value) {
  return fmt::format("Definition {} : R := {}.\n", name, verify::coq_number(value));
}

std::string theorem(const std::string& name, const std::string& statement, int bits) {
  return fmt::format(
      "\nTheorem {} : {}.\n"
      "Proof.\n"
      "  unfold loss, ideal, more, less.\n"
      "  interval with (i_prec {}).\n"
      "Qed.\n",
      name, statement, bits);
}

}  // namespace

std::string loss_as_coq(const LossStudy& study) {
  const auto loss = study.loss();
  if (!loss) {
    throw Error(ErrorCode::kNotSupported, "loss", "the loss is infinite, so no number bounds it",
                "leave --coq out; --certificate can hold an infinite loss");
  }
  constexpr int kDigits = 12;
  const int bits = study.ball_precision();
  const verify::OutputLoss& output = study.worst.worst;
  const Rational ideal = study.ideal();
  const Rational low = loss->lower_rational() - ideal;
  const Rational high = loss->upper_rational() - ideal;
  // Multiplied by the same power of two, both probabilities are whole and keep their ratio.
  const Rational scale(output.first.denominator() > output.second.denominator()
                           ? output.first.denominator()
                           : output.second.denominator());
  std::string text = fmt::format(
      "(* The exact loss of one output of the snapping mechanism in floats of {} bits:\n"
      "   model {}, scale {}, answers in [{}, {}], inputs {} and {}, output {}.\n"
      "   more and less are its two probabilities times 2^{}.\n"
      "   Needs coq-interval. Check with: coqc FILE *)\n"
      "From Coq Require Import Reals Lra.\n"
      "From Interval Require Import Tactic.\n"
      "Open Scope R_scope.\n\n",
      study.question.precision, study.question.model, study.mechanism.scale().to_string(),
      study.question.lower.to_string(), study.question.upper.to_string(),
      (study.worst.x1 + study.midpoint).to_string(), (study.worst.x2 + study.midpoint).to_string(),
      (output.output + study.midpoint).to_string(), scale.numerator().bit_length() - 1);
  text += definition("more", std::max(output.first, output.second) * scale);
  text += definition("less", std::min(output.first, output.second) * scale);
  text += "Definition loss : R := ln (more / less).\n";
  text += "(* The loss of real noise: distance / scale. *)\n" + definition("ideal", ideal);
  text += theorem(
      "loss_is_enclosed",
      fmt::format("{} <= loss - ideal <= {}",
                  verify::coq_number(Rational::parse(decimal_text(low, kDigits, Rounding::kDown))),
                  verify::coq_number(Rational::parse(decimal_text(high, kDigits, Rounding::kUp)))),
      bits);
  if (low.sign() > 0) text += theorem("loss_is_above_ideal", "ideal < loss", bits);
  if (study.proved.value) {
    text += theorem("loss_is_within_the_proved_bound",
                    fmt::format("loss <= {}", verify::coq_number(*study.proved.value)), bits);
  }
  // Inputs that clamping makes equal have the same law, and no cases.
  if (study.proved.value && study.distance.sign() > 0) {
    text += "\n" + verify::bound_as_coq(verify::loss_bound(
                       verify::bound_parameters(study.mechanism.model(), study.distance)));
  }
  return text;
}

}  // namespace lastbit::cli
