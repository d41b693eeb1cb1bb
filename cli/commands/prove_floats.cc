#include "cli/commands/prove_floats.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lastbit/base/text.h"
#include "lastbit/mechanisms/snapping.h"
#include "lastbit/verify/floats/snapping_program.h"
#include "lastbit/verify/lang/printer.h"

namespace lastbit::cli {
namespace {

using verify::Product;

std::string factor_text(const verify::Expression& factor) {
  const std::string text = verify::print_expression(factor);
  const bool plain = factor.op == verify::Operator::kVariable;
  return plain ? text : "(" + text + ")";
}

// product_text: factors above and below one fraction stroke: "18*B*eps/L".
std::string product_text(const Product& product) {
  std::vector<std::string> above;
  std::vector<std::string> below;
  const Rational numerator(product.coefficient.numerator());
  const Rational denominator(product.coefficient.denominator());
  if (numerator != Rational(1)) above.push_back(numerator.to_string());
  if (denominator != Rational(1)) below.push_back(denominator.to_string());
  for (const auto& [factor, exponent] : product.factors) {
    auto& side = exponent > 0 ? above : below;
    for (int i = 0; i < (exponent > 0 ? exponent : -exponent); ++i) {
      side.push_back(factor_text(factor));
    }
  }
  std::string text = above.empty() ? "1" : joined(above, "*");
  if (below.size() == 1) text += "/" + below.front();
  if (below.size() > 1) text += "/(" + joined(below, "*") + ")";
  return text;
}

Product number(const Rational& value) { return {value, {}}; }

Product symbol(const std::string& name) {
  return verify::product_of({.op = verify::Operator::kVariable, .name = name});
}

// unused_name: a name for a number that no parameter of the program uses.
std::string unused_name(const verify::Program& program, std::string name) {
  while (std::ranges::find(program.parameters, name, &verify::Parameter::name) !=
         program.parameters.end()) {
    name += "_";
  }
  return name;
}

}  // namespace

FloatTheorem float_theorem(const verify::Program& program, int precision) {
  FloatTheorem theorem;
  theorem.precision = precision;
  const verify::SnappingMatch match = verify::match_snapping(program);
  if (!match.program) {
    theorem.why_not = match.why_not;
    return theorem;
  }
  theorem.eta = unused_name(program, "eta");
  const Product eta = symbol(theorem.eta);
  const Product excess = number(SnappingPrice::kPerBound) * match.program->half_width * eta *
                         inverse(match.program->scale);
  theorem.loss =
      fmt::format("{} + {} + {}", verify::print_expression(program.claimed_epsilon),
                  product_text(excess), product_text(number(SnappingPrice::kFixed) * eta));
  const int spare = precision - SnappingPrice::kMinPrecision;
  const Product scale = match.program->scale;
  const bool one_over = product_text(scale).starts_with("1/");
  theorem.condition =
      fmt::format("0 < {} <= 2^{}{}", product_text(match.program->half_width), spare,
                  one_over ? product_text(scale).substr(1) : "*" + product_text(scale));
  theorem.scale = product_text(scale);
  return theorem;
}

std::string as_text(const FloatTheorem& theorem) {
  if (!theorem.why_not.empty()) {
    return fmt::format(
        "  in floats of {} bits: unknown; what rounding adds is proved for the snapping mechanism "
        "only,\n  and this program is another one: {}\n",
        theorem.precision, theorem.why_not);
  }
  return fmt::format(
      "  in floats of {0} bits: ({1})-DP for {2}, where {4} = 2^-{0}\n"
      "  as the floats of lastbit snap compute it, with the scale {3} rounded up to {0} bits "
      "(proofs/snapping.md#loss)\n",
      theorem.precision, theorem.loss, theorem.condition, theorem.scale, theorem.eta);
}

nlohmann::ordered_json as_json(const FloatTheorem& theorem) {
  nlohmann::ordered_json json = {{"precision", theorem.precision},
                                 {"known", theorem.why_not.empty()}};
  if (!theorem.why_not.empty()) {
    json["reason"] = theorem.why_not;
    return json;
  }
  json["epsilon"] = theorem.loss;
  json["condition"] = theorem.condition;
  json["scale"] = theorem.scale;
  json[theorem.eta] = fmt::format("2^-{}", theorem.precision);
  json["theorem"] = "proofs/snapping.md#loss";
  return json;
}

}  // namespace lastbit::cli
