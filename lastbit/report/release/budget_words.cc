#include "lastbit/report/release/budget_words.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "lastbit/numerics/ball.h"
#include "lastbit/report/numbers/answer_numbers.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/release/plan_report.h"

namespace lastbit::report {
namespace {

using Json = nlohmann::ordered_json;

// The root of the mean square: what an error of the plan typically is. It bounds nothing.
Rational typical_error(const Rational& squared) { return sqrt(Ball(squared, 64)).lower_rational(); }

std::string percent_of(const Rational& part) { return error_text(part * Rational(100)) + " %"; }

std::string_view noise_of(const AccountingWay& way) {
  if (way.mixed) return "epsilons beside rhos (Laplace noise for some, Gaussian for others)";
  return way.accounting == LossKind::kConcentrated ? "rhos (Gaussian noise)"
                                                   : "epsilons (Laplace noise)";
}

// What two ways give, as in "relative errors are about 1 %", "they would be about 2 %".
std::pair<std::string, std::string> compared(const AccountingWay& chosen,
                                             const AccountingWay& other) {
  if (!other.obstacle.empty()) return {"the budget is enough", "it would not be"};
  if (chosen.squared_error && other.squared_error) {
    const auto words = [](const AccountingWay& way) {
      return percent_of(typical_error(*way.squared_error));
    };
    return {"relative errors are typically " + words(chosen), "they would be " + words(other)};
  }
  return {fmt::format("the release takes {} of the budget's epsilon", percent_of(chosen.needed)),
          fmt::format("it would take {}", percent_of(other.needed))};
}

bool shares_by_errors(const PlannedStatistic& planned) {
  return planned.release && planned.statistic.share.kind == ShareKind::kPlanned;
}

}  // namespace

std::string sharing_words(const ReleasePlan& plan) {
  const auto sharing = std::ranges::count_if(plan.statistics, shares_by_errors);
  if (sharing < 2) return "";
  const bool unknown = std::ranges::any_of(plan.statistics, [](const PlannedStatistic& planned) {
    return shares_by_errors(planned) && !planned.relative.error;
  });
  return fmt::format(
      "The budget is shared so that relative errors are small together: their squares add up to "
      "the least, for a guess of {} rows in all.{} A `weight`, or an `expected_rows`, changes "
      "that.",
      error_text(Rational(plan.guessed_rows)),
      unknown ? " Statistics whose error is not known before the release get an equal part." : "");
}

std::string accounting_words(const ReleasePlan& plan) {
  if (plan.ways.size() < 2) return "";
  const AccountingWay& chosen = plan.ways[0];
  // Where rhos are no choice, nobody expects them.
  const auto expected = [](const AccountingWay& way) {
    return way.obstacle.empty() || way.accounting != LossKind::kConcentrated;
  };
  std::string words;
  for (const AccountingWay& other : plan.ways) {
    // Epsilons beside rhos are named where they are better.
    if (&other == &chosen || !expected(other) || other.mixed) continue;
    const auto [is, would_be] = compared(chosen, other);
    if (words.empty()) words = fmt::format("Losses add up as {}: {}.", noise_of(chosen), is);
    words += fmt::format(" As {}, {}.", noise_of(other), would_be);
  }
  return words.empty() ? words : words + " `accounting` in the budget decides otherwise.";
}

std::string conversion_words(const ReleasePlan& plan) {
  if (!plan.converted || !plan.converted->by_gaussian_law) return "";
  return "All noise is Gaussian, and its own law says what the rhos are as an epsilon and a delta: "
         "less than rhos of other noise could be, so the noise can be smaller.";
}

Json conversion_json(const ReleasePlan& plan) {
  if (!plan.converted) return nullptr;
  Json json = cost_as_json(plan.converted->cost);
  json["by"] = plan.converted->by_gaussian_law ? "law of Gaussian noise" : "rho";
  return json;
}

Json accounting_json(const ReleasePlan& plan) {
  Json ways = Json::array();
  for (const AccountingWay& way : plan.ways) {
    Json json = {{"accounting", way.mixed ? "mixed" : accounting_name(way.accounting)},
                 {"needed_double", nullptr},
                 {"typical_relative_error_double", nullptr},
                 {"obstacle", nullptr}};
    if (!way.obstacle.empty()) {
      json["obstacle"] = way.obstacle;
    } else {
      json["needed_double"] = way.needed.up();
      if (way.squared_error) {
        json["typical_relative_error_double"] = typical_error(*way.squared_error).up();
      }
    }
    ways.push_back(std::move(json));
  }
  return ways;
}

}  // namespace lastbit::report
