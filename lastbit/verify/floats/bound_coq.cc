#include "lastbit/verify/floats/bound_coq.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

namespace lastbit::verify {

namespace {

std::string definition(std::string_view name, const std::string& value) {
  return fmt::format("Definition bound_{} : R := {}.\n", name, value);
}

// The left side of the case's inequality; at one input there are two.
std::string_view formula(OutputCase output_case) {
  switch (output_case) {
    case OutputCase::kBound:
      return "bound_nearparts * bound_H + 2 * bound_Hlog + 2 * bound_eta";
    case OutputCase::kBeyondBoth:
      return "(bound_nearparts * bound_v + bound_farparts * bound_w) * bound_H + "
             "2 * (bound_v + bound_w) * bound_Hlog + bound_neargap + bound_fargap";
    case OutputCase::kBetween:
      return "(bound_v + bound_w) * bound_between + bound_neargap + bound_fargap";
    case OutputCase::kAtOne:
      return "(bound_v + bound_w) * bound_near + bound_neargap + bound_inside <= bound_excess /\\ "
             "(bound_v + bound_w) * bound_near + bound_fargap + bound_eta * (2 + bound_eta)";
    case OutputCase::kAtBoth:
      return "bound_eta * (2 + bound_eta) + bound_inside";
  }
  return "";
}

std::string_view theorem_name(OutputCase output_case) {
  switch (output_case) {
    case OutputCase::kBound:
      return "at_a_bound";
    case OutputCase::kBeyondBoth:
      return "beyond_both";
    case OutputCase::kBetween:
      return "between";
    case OutputCase::kAtOne:
      return "at_one";
    case OutputCase::kAtBoth:
      return "at_both";
  }
  return "";
}

}  // namespace

std::string coq_number(const Rational& value) {
  if (value.is_integer()) return fmt::format("({})", value.to_string());
  return fmt::format("({} / {})", value.numerator().to_string(), value.denominator().to_string());
}

std::string bound_as_coq(const LossBound& bound) {
  if (bound.excess == bound.linear_excess) {
    return "(* The bound is (18 B/lambda + 14) eta: nothing is to be evaluated. *)\n";
  }
  const BoundQuantities& q = bound.quantities;
  std::string text = "(* The cases of the bound, as the proof states them. *)\n";
  text += definition("eta", coq_number(Rational::two_to(-bound.parameters.precision)));
  text += definition("H", coq_number(q.product_half_gap / bound.parameters.scale));
  text += definition("Hlog", coq_number(q.logarithm_half_gap));
  text += definition("nearparts", coq_number(q.near_products));
  text += definition("farparts", coq_number(q.far_products));
  text += definition("near", coq_number(q.near_error));
  text += definition("between", coq_number(q.between_error));
  text += definition("c", coq_number(q.cell_width));
  text += definition("g", coq_number(q.least_width));
  text += definition("v", "/ (1 - exp (- bound_g))");
  text += definition("w", "/ (exp bound_g - 1)");
  text += definition("neargap", "2 * bound_eta * bound_v");
  text += definition("fargap", "- ln (1 - 2 * bound_eta * bound_w)");
  text +=
      definition("inside",
                 "- ln (1 - 2 * bound_eta * ((1 + (1 + bound_c) * exp (- bound_c)) / (1 - exp (- "
                 "bound_c))) * exp (2 * bound_eta * (bound_c + 1)))");
  text += definition("scale", coq_number(bound.parameters.scale));
  text += definition("spread", coq_number(q.spread));
  text += definition("excess", coq_number(bound.excess));
  const int bits = 3 * bound.parameters.precision + 64;
  for (const CaseBound& one : bound.cases) {
    text += fmt::format(
        "\nTheorem bound_holds_{} : {} <= bound_excess.\n"
        "Proof.\n"
        "  unfold bound_neargap, bound_fargap, bound_inside, bound_v, bound_w, bound_eta, "
        "bound_g,\n"
        "    bound_H, bound_Hlog, bound_nearparts, bound_farparts, bound_near, bound_between, "
        "bound_c,\n"
        "    bound_excess.\n"
        "  {}interval with (i_prec {}).\n"
        "Qed.\n",
        theorem_name(one.output_case), formula(one.output_case),
        one.output_case == OutputCase::kAtOne ? "split; " : "", bits);
  }
  // The condition of the table for leaving out the line of cells between the inputs.
  if (std::ranges::find(bound.cases, OutputCase::kBetween, &CaseBound::output_case) ==
      bound.cases.end()) {
    text +=
        "\nTheorem bound_has_no_cell_between : bound_spread <= bound_c * bound_scale.\n"
        "Proof. unfold bound_spread, bound_c, bound_scale. lra. Qed.\n";
  }
  return text;
}

}  // namespace lastbit::verify
