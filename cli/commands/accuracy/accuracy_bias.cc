// lastbit accuracy bias: how far the mean of the answers is from the statistic.
#include <fmt/core.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands/accuracy/accuracy_topics.h"
#include "cli/commands/reports.h"
#include "cli/terminal/arguments.h"
#include "cli/terminal/number_option.h"
#include "lastbit/accuracy/bias.h"
#include "lastbit/mechanisms/snapped_laplace.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/table.h"

namespace lastbit::cli {

using report::Align;
using report::at_most_text;
using report::Colour;
using report::dumped;
using report::Paint;
using report::short_text;
using report::signed_text;
using report::Table;
using report::terminal_width;

namespace {

struct BiasRow {
  std::string mechanism;
  Ball bias;
  double worst;  // an upper bound of |bias| over all values within the bounds
};

std::vector<BiasRow> rows_of(const Rational& scale, const Rational& bound, const Rational& value) {
  const IdealSnapping coarse(scale, Grid::at_least(scale), -bound, bound);
  const IdealSnapping fine(scale, default_noise_grid(rationals(), scale), -bound, bound);
  // The bias of clamping grows with the distance from the middle, so it is worst at a bound.
  const auto clamped = [&](const Rational& x) {
    return clamped_laplace_mean(scale, bound, x) - Ball(x, kAccuracyPrecision);
  };
  const Rational within = std::clamp(value, -bound, bound);
  return {{"Laplace on real numbers, clamped", clamped(within), abs(clamped(bound)).upper()},
          {"exact, coarse grid, clamped", coarse.bias(value), worst_bias(coarse).bound.value()},
          {"exact, fine grid, clamped", fine.bias(value), worst_bias(fine).bound.value()}};
}

double middle_of(const Ball& ball) { return (ball.lower() + ball.upper()) / 2; }

}  // namespace

int run_accuracy_bias(CommandArguments arguments, Sink& out) {
  Arguments parser("accuracy bias",
                   "The mean of the answers minus the statistic, for a value of the statistic that "
                   "you guess (never the private one). Clamping to [-bound, bound] moves answers "
                   "inward; a coarse grid moves them toward its points.",
                   "  lastbit accuracy bias --value 990 --epsilon 0.1 --bound 1000\n"
                   "  lastbit accuracy bias --value 0.3 --epsilon 1 --bound 10 --json\n");
  const NumberOption value(parser, "--value", "The guessed value of the statistic");
  const NumberOption epsilon(parser, "--epsilon", "The loss to spend");
  const NumberOption sensitivity(parser, "--sensitivity",
                                 "The most one person can change the statistic", "1");
  const NumberOption bound(parser, "--bound", "Answers are clamped to [-X, X]");
  if (!parser.parse(arguments, out)) return kExitOk;
  for (const NumberOption* option : {&epsilon, &sensitivity, &bound}) {
    require_positive(parser, *option);
  }
  const Rational guess = value.value();
  if (abs(guess) > bound.value()) {
    throw parser.wrong(fmt::format("--value ({}) is outside [-{}, {}]", short_text(guess),
                                   short_text(bound.value()), short_text(bound.value())),
                       "guess a value within the bound, or raise --bound");
  }
  const auto rows = rows_of(sensitivity.value() / epsilon.value(), bound.value(), guess);
  if (parser.json()) {
    auto list = nlohmann::ordered_json::array();
    for (const BiasRow& row : rows) {
      list.push_back({{"mechanism", row.mechanism},
                      {"bias_lower", row.bias.lower()},
                      {"bias_upper", row.bias.upper()},
                      {"worst_bias_at_most", row.worst}});
    }
    out.write(dumped({{"value", guess.to_string()},
                      {"epsilon", epsilon.value().to_string()},
                      {"sensitivity", sensitivity.value().to_string()},
                      {"bound", bound.value().to_string()},
                      {"mechanisms", std::move(list)}}));
    return kExitOk;
  }
  Table table({{"mechanism"},
               {fmt::format("bias at {}", short_text(guess)), Align::kRight},
               {"worst bias at most", Align::kRight}});
  for (const BiasRow& row : rows) {
    table.add({row.mechanism,
               {signed_text(middle_of(row.bias)), Colour::kBold},
               at_most_text(row.worst)});
  }
  out.write("\n" + table.render(Paint::for_terminal(STDOUT_FILENO), terminal_width(STDOUT_FILENO)) +
            "\n");
  return kExitOk;
}

}  // namespace lastbit::cli
