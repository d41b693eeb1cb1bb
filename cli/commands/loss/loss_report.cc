#include "cli/commands/loss/loss_report.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "lastbit/numerics/decimal.h"
#include "lastbit/report/numbers/number_text.h"

namespace lastbit::cli {

using report::Align;
using report::binary_text;
using report::Colour;
using report::duration;
using report::exact_text;
using report::grid_text;
using report::grouped;
using report::indented;
using report::json_of;
using report::Paint;
using report::short_text;
using report::Table;

namespace {

constexpr int kLossDigits = 20;
constexpr int kExcessDigits = 6;

// Row: a loss, and by how much it exceeds the ideal one, rounded in the safe direction.
std::vector<Table::Cell> row(const std::string& name, const Rational& loss, const LossStudy& study,
                             Rounding toward, std::string note) {
  const Rational excess = loss - study.ideal();
  return {name, decimal_text(loss, kLossDigits, toward),
          decimal_text(excess, kExcessDigits, toward),
          decimal_text(excess / study.eta(), kExcessDigits, toward), std::move(note)};
}

std::vector<Table::Cell> bound_row(const std::string& name, const verify::FloatBound& bound,
                                   const LossStudy& study) {
  if (!bound.value) return {name, "none", "", "", bound.why_not};
  return row(name, *bound.value, study, Rounding::kUp, bound.formula);
}

std::vector<Table::Cell> found_row(const LossStudy& study) {
  const std::string name = study.question.pair ? "exact loss" : "worst found";
  const auto loss = study.loss();
  if (!loss) return {name, {"infinite", Colour::kRed}, "", "", "one input never gives this output"};
  return row(name, loss->lower_rational(), study, Rounding::kDown, "exact, for the pair below");
}

std::string header(const LossStudy& study) {
  const LossQuestion& question = study.question;
  const verify::FloatMechanism& mechanism = study.mechanism;
  std::string text =
      fmt::format("Laplace noise in floats of {} bits, model {}: {}\n", question.precision,
                  question.model, model_sentence(question.model));
  text += fmt::format(
      "  scale λ = {}{}; grid {}; answers in [{}, {}], B = {}\n", exact_text(mechanism.scale()),
      question.shipped ? " (as lastbit snap chooses it)" : "",
      mechanism.has_grid() ? grid_text(mechanism.grid()) : "none", short_text(question.lower),
      short_text(question.upper), short_text(mechanism.half_width()));
  return text + fmt::format("  inputs {} {} apart; η = 2^-{}\n\n",
                            question.pair ? "exactly" : "at most", short_text(study.distance),
                            question.precision);
}

// slack: (bound − ideal)/(found − ideal), where the found loss is above the ideal one.
std::optional<Rational> slack(const LossStudy& study) {
  const auto loss = study.loss();
  if (!loss || !study.proved.value) return std::nullopt;
  const Rational excess = loss->lower_rational() - study.ideal();
  if (excess.sign() <= 0) return std::nullopt;
  return (*study.proved.value - study.ideal()) / excess;
}

std::string witness_text(const LossStudy& study) {
  const verify::PairLoss& worst = study.worst;
  const std::string output = exact_text(worst.worst.output + study.midpoint);
  std::string text =
      fmt::format("\n  x  = {}\n  x' = {}\n  output {}\n", exact_text(worst.x1 + study.midpoint),
                  exact_text(worst.x2 + study.midpoint), output);
  text += fmt::format("  P[output | x ] = {}\n  P[output | x'] = {}\n",
                      binary_text(worst.worst.first), binary_text(worst.worst.second));
  return text + fmt::format("  {} {} tried, for this one {} {} compared, in {}\n",
                            grouped(study.pairs), study.pairs == 1 ? "pair" : "pairs",
                            grouped(static_cast<std::uint64_t>(worst.outputs)),
                            worst.outputs == 1 ? "output" : "outputs", duration(study.seconds));
}

std::string verdict_text(const LossStudy& study, const std::optional<Rational>& claim,
                         const Paint& paint) {
  std::string text;
  if (study.breaks_proved_bound()) {
    text +=
        paint(Colour::kRed, "VIOLATION:") +
        " the exact loss is above the proved bound; this is a bug in lastbit, please report it\n";
  }
  if (claim) {
    const bool broken = study.exceeds(*claim);
    text += fmt::format("{} {} the claim of {}\n",
                        broken ? paint(Colour::kRed, "VIOLATION:") : "within the claim:",
                        broken ? "the exact loss is above" : "no loss above", short_text(*claim));
  }
  if (const auto value = slack(study)) {
    text += fmt::format("slack of the proved bound: {} (1 would be tight)\n",
                        decimal_text(*value, 4, Rounding::kUp));
  }
  if (const auto reach = study.searched_reach()) {
    text += fmt::format(
        "not searched: outputs farther than {} λ from an input; a larger loss may be there\n",
        grouped(static_cast<std::uint64_t>(*reach)));
  }
  return text.empty() ? text : "\n" + indented(text, 2);
}

// domain_text: the limits of the theorem and, for 53 bits, of hardware doubles.
std::string domain_text(const LossStudy& study) {
  std::string text;
  if (study.proved.value) {
    text += fmt::format("  inside the domain of the theorem: {}\n", study.proved.hypotheses);
  }
  if (study.question.precision != 53 || study.question.model != "unit-float") return text;
  const std::string problem =
      verify::binary64_problem(study.mechanism.scale(), study.mechanism.half_width());
  return text + (problem.empty()
                     ? "  hardware doubles would suffice: 2B + Λ ≤ 708 λ\n"
                     : fmt::format("  hardware doubles would not suffice: {}\n", problem));
}

nlohmann::ordered_json as_json(const verify::FloatBound& bound) {
  nlohmann::ordered_json json = {{"holds", bound.value.has_value()},
                                 {"hypotheses", bound.hypotheses},
                                 {"source", bound.source},
                                 {"formula", bound.formula},
                                 {"loss", json_of(bound.value)}};
  if (!bound.value) json["why_not"] = bound.why_not;
  return json;
}

nlohmann::ordered_json found_json(const LossStudy& study) {
  const auto loss = study.loss();
  if (!loss) return {{"loss", "infinity"}};
  const auto decimal = [](const Rational& value, Rounding toward) {
    return decimal_text(value, 40, toward);
  };
  const Rational low = loss->lower_rational();
  const Rational high = loss->upper_rational();
  const auto in_eta = [&](const Rational& value) { return (value - study.ideal()) / study.eta(); };
  return {{"loss", {decimal(low, Rounding::kDown), decimal(high, Rounding::kUp)}},
          {"excess_in_eta",
           {decimal(in_eta(low), Rounding::kDown), decimal(in_eta(high), Rounding::kUp)}}};
}

// searched_json: what the search for the worst loss covered; null for a given pair.
nlohmann::ordered_json searched_json(const LossStudy& study) {
  if (study.question.pair) return nullptr;
  nlohmann::ordered_json json = {{"all_pairs", false}, {"reach_in_scales", nullptr}};
  if (const auto reach = study.searched_reach()) json["reach_in_scales"] = *reach;
  return json;
}

}  // namespace

std::string loss_as_text(const LossStudy& study, const std::optional<Rational>& claim,
                         const Paint& paint) {
  Table table({{""}, {"loss"}, {"above ideal"}, {"in η", Align::kRight}, {""}});
  table.add({"ideal", decimal_text(study.ideal(), kLossDigits, Rounding::kDown), "", "",
             fmt::format("{}/λ, the loss of real noise", short_text(study.distance))});
  table.add(bound_row("proved bound", study.proved, study));
  if (study.whole.value) table.add(bound_row("  whole inputs", study.whole, study));
  if (study.simple.value) table.add(bound_row("simple bound", study.simple, study));
  table.add(bound_row("Mironov's formula", study.mironov, study));
  table.add(found_row(study));
  return header(study) + table.render(paint) + witness_text(study) + domain_text(study) +
         verdict_text(study, claim, paint);
}

nlohmann::ordered_json loss_as_json(const LossStudy& study, const std::optional<Rational>& claim) {
  const LossQuestion& question = study.question;
  nlohmann::ordered_json json = {
      {"model", question.model},
      {"precision", question.precision},
      {"epsilon", question.epsilon.to_string()},
      {"sensitivity", question.sensitivity.to_string()},
      {"scale", study.mechanism.scale().to_string()},
      {"grid_exponent", nullptr},
      {"lower", question.lower.to_string()},
      {"upper", question.upper.to_string()},
      {"distance", study.distance.to_string()},
      {"ideal", study.ideal().to_string()},
      {"proved", as_json(study.proved)},
      {"proved_whole", as_json(study.whole)},
      {"simple", as_json(study.simple)},
      {"mironov", as_json(study.mironov)},
      {"found", found_json(study)},
      {"slack", nullptr},
      {"witness",
       {{"x", (study.worst.x1 + study.midpoint).to_string()},
        {"x2", (study.worst.x2 + study.midpoint).to_string()},
        {"output", (study.worst.worst.output + study.midpoint).to_string()},
        {"probability", study.worst.worst.first.to_string()},
        {"probability2", study.worst.worst.second.to_string()}}},
      {"pairs", study.pairs},
      {"searched", searched_json(study)},
      {"outputs", study.worst.outputs},
      {"violates_proved_bound", study.breaks_proved_bound()},
      {"seconds", study.seconds}};
  if (study.mechanism.has_grid()) json["grid_exponent"] = study.mechanism.grid().exponent();
  if (const auto value = slack(study)) json["slack"] = decimal_text(*value, 6, Rounding::kUp);
  if (claim) {
    json["claim"] = claim->to_string();
    json["violates_claim"] = study.exceeds(*claim);
  }
  return json;
}

}  // namespace lastbit::cli
