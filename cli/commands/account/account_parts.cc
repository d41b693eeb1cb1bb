#include "cli/commands/account/account_parts.h"

#include <fmt/core.h>

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <variant>

#include "lastbit/base/text.h"
#include "lastbit/report/release/plan_report.h"

namespace lastbit::cli {

namespace {

// Written: VALUE or VALUExTIMES, taken apart.
struct Written {
  std::string value;
  std::string times;
};

Written take_apart(const std::string& text) {
  const std::size_t x = text.rfind('x');
  // 0x10 is a number in base 16, and 0.1x is none at all.
  const bool has_times = x != std::string::npos && x + 1 < text.size() &&
                         text.substr(0, x) != "0" && text.substr(0, x) != "-0";
  if (!has_times) return {text, ""};
  return {text.substr(0, x), text.substr(x + 1)};
}

class PartReader {
 public:
  PartReader(const Arguments& parser, std::string option, std::uint64_t times)
      : parser_(parser), option_(std::move(option)), times_(times) {}

  template <class MakeLoss>
  void read(const std::vector<std::string>& texts, const MakeLoss& make,
            std::vector<LossPart>& parts) const {
    for (const std::string& text : texts) {
      const Written written = take_apart(text);
      const std::uint64_t times =
          written.times.empty()
              ? times_
              : parser_.whole_number(option_, written.times, 1, TotalLoss::kMaxTimes);
      parts.push_back({make(written.value), times});
    }
  }

  Rational number(const std::string& text, bool may_be_zero = false) const {
    try {
      const Rational value = Rational::parse(text);
      if (value.sign() > 0 || (may_be_zero && value.sign() == 0)) return value;
    } catch (const Error&) {
      // Explained below, like a number that is not positive.
    }
    throw parser_.wrong(fmt::format("{} cannot be the value of {}", lastbit::quote(text), option_),
                        "give a positive number such as 2, 0.1 or 1/3; x and a whole number after "
                        "it say how often, as in 0.1x100");
  }

  Cost approximate(const std::string& text) const {
    const std::size_t comma = text.find(',');
    if (comma == std::string::npos) {
      throw parser_.wrong(
          fmt::format("{} cannot be the value of {}", lastbit::quote(text), option_),
          "give epsilon and delta, as in 0.1,1e-9 or 0.1,1e-9x100");
    }
    return Cost::approximate(number(text.substr(0, comma), true), number(text.substr(comma + 1)));
  }

  Cost concentrated(const std::string& text) const {
    const std::size_t comma = text.find(',');
    if (comma == std::string::npos) return Cost::concentrated(number(text));
    return Cost::concentrated(number(text.substr(0, comma)), number(text.substr(comma + 1)));
  }

 private:
  const Arguments& parser_;
  std::string option_;
  std::uint64_t times_;
};

}  // namespace

LossOptions::LossOptions(Arguments& parser) : parser_(parser) {
  parser.add_repeated_option("--pure", pure_, "A release that loses this epsilon", "X[xN]");
  parser.add_repeated_option("--approximate", approximate_, "One that loses this epsilon and delta",
                             "X,D[xN]");
  parser.add_repeated_option("--laplace", laplace_,
                             "Laplace noise on one real number: its change divided by the scale",
                             "X[xN]");
  parser.add_repeated_option(
      "--gaussian", gaussian_,
      "Gaussian noise on real numbers: its deviation divided by their change", "X[xN]");
  parser.add_repeated_option("--rho", rho_, "A release that loses this rho, and perhaps a delta",
                             "X[,D][xN]");
  parser.add_option("--times", times_, "How often, for losses without xN (1)", "N");
}

// With a number of its own for every loss, --times would change nothing.
void LossOptions::require_one_count() const {
  if (times_.empty()) return;
  bool any = false;
  for (const auto* texts : {&pure_, &approximate_, &laplace_, &gaussian_, &rho_}) {
    for (const std::string& text : *texts) {
      if (take_apart(text).times.empty()) return;
      any = true;
    }
  }
  if (!any) return;
  throw parser_.wrong("--times changes nothing: every loss has its own xN",
                      "leave it out, or write the losses without xN");
}

std::vector<LossPart> LossOptions::parts() const {
  const std::uint64_t times =
      times_.empty() ? 1 : parser_.whole_number("--times", times_, 1, TotalLoss::kMaxTimes);
  std::vector<LossPart> parts;
  require_one_count();
  const auto reader = [&](const char* option) { return PartReader(parser_, option, times); };
  const PartReader pure = reader("--pure");
  pure.read(pure_, [&](const auto& text) { return Cost::pure(pure.number(text)); }, parts);
  const PartReader both = reader("--approximate");
  both.read(approximate_, [&](const auto& text) { return both.approximate(text); }, parts);
  const PartReader laplace = reader("--laplace");
  laplace.read(
      laplace_, [&](const auto& text) { return LaplaceLoss{laplace.number(text)}; }, parts);
  const PartReader gaussian = reader("--gaussian");
  gaussian.read(
      gaussian_, [&](const auto& text) { return GaussianLoss{gaussian.number(text)}; }, parts);
  const PartReader rho = reader("--rho");
  rho.read(rho_, [&](const auto& text) { return rho.concentrated(text); }, parts);
  return parts;
}

std::vector<LossPart> parts_of(const LedgerContents& contents) {
  std::vector<LossPart> parts;
  std::map<std::string, std::size_t> places;
  for (const LedgerEntry& entry : contents.entries) {
    const Cost& cost = entry.spending.cost;
    const auto [place, is_new] = places.try_emplace(cost.to_string(), parts.size());
    if (is_new) parts.push_back({cost, 0});
    ++parts[place->second].times;
  }
  return parts;
}

std::string loss_text(const KnownLoss& loss) {
  if (const auto* cost = std::get_if<Cost>(&loss)) return cost->to_string();
  if (const auto* laplace = std::get_if<LaplaceLoss>(&loss)) {
    return "Laplace noise, epsilon " + laplace->epsilon.to_string();
  }
  return "Gaussian noise, sigma " + std::get<GaussianLoss>(loss).sigma.to_string();
}

nlohmann::ordered_json part_json(const LossPart& part) {
  nlohmann::ordered_json json;
  if (const auto* cost = std::get_if<Cost>(&part.loss)) {
    json = {{"loss", report::cost_as_json(*cost)}};
  } else if (const auto* laplace = std::get_if<LaplaceLoss>(&part.loss)) {
    json = {{"laplace", {{"epsilon", laplace->epsilon.to_string()}}}};
  } else {
    json = {{"gaussian", {{"sigma", std::get<GaussianLoss>(part.loss).sigma.to_string()}}}};
  }
  json["times"] = part.times;
  return json;
}

}  // namespace lastbit::cli
