// lastbit accuracy error and epsilon: what a loss buys, and what an accuracy costs.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/accuracy/accuracy_topics.h"
#include "cli/commands/reports.h"
#include "cli/terminal/arguments.h"
#include "cli/terminal/number_option.h"
#include "lastbit/accuracy/accuracy.h"
#include "lastbit/mechanisms/snapped_laplace.h"
#include "lastbit/mechanisms/snapping.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/table.h"

namespace lastbit::cli {

using report::Align;
using report::at_most_text;
using report::Colour;
using report::dumped;
using report::grid_text;
using report::indented;
using report::json_of;
using report::Paint;
using report::short_text;
using report::Table;
using report::terminal_width;
using report::wrapped;

namespace {

constexpr std::array<int, 2> kPrecisions = {53, 118};

// ErrorRow: one mechanism, or a refusal that says why it is impossible.
struct ErrorRow {
  std::string mechanism;
  double epsilon = 0;  // rounded up
  Rational scale = 0;
  std::optional<Grid> grid = {};
  double accuracy = 0;  // rounded up
  double ratio = 0;     // to Laplace on real numbers
  std::string refusal = {};
};

// or_refusal: the row, or the reason why there is none.
ErrorRow or_refusal(const std::string& mechanism, const std::function<ErrorRow()>& row) {
  try {
    return row();
  } catch (const Error& error) {
    ErrorRow refused{.mechanism = mechanism};
    refused.refusal = fmt::format("{}; {}", error.problem(), error.remedy());
    return refused;
  }
}

double half_spacing(const Grid& grid) { return (grid.spacing() / Rational(2)).up(); }

struct Common {
  Common(Arguments& parser, const std::string& bound_help)
      : alpha(parser, "--alpha", "The probability of a larger error", "0.05"),
        sensitivity(parser, "--sensitivity", "The most one person can change the statistic", "1"),
        bound(parser, "--bound", bound_help) {}
  void check(const Arguments& parser) const {
    require_probability(parser, alpha);
    require_positive(parser, sensitivity);
    require_positive(parser, bound);
  }
  SnappingParameters parameters(const Rational& epsilon, int precision) const {
    SnappingParameters result;
    result.epsilon = epsilon;
    result.sensitivity = sensitivity.value();
    result.lower = -bound.value();
    result.upper = bound.value();
    result.precision = precision;
    return result;
  }

  NumberOption alpha;
  NumberOption sensitivity;
  NumberOption bound;
};

std::string float_name(int precision) { return fmt::format("snapping, {} bits", precision); }
constexpr const char* kLaplace = "Laplace on real numbers";
constexpr const char* kCoarse = "exact, coarse grid";
constexpr const char* kFine = "exact, fine grid";

ErrorRow snapped_row(const char* name, const IdealSnapping& snapping, const Rational& epsilon,
                     const Common& common) {
  const auto compared =
      compare_with_laplace(snapping, epsilon, common.sensitivity.value(), common.alpha.value());
  return {name,
          epsilon.up(),
          snapping.scale(),
          snapping.grid(),
          compared.snapping.value(),
          compared.factor.upper()};
}

std::vector<ErrorRow> accuracy_rows(const Rational& epsilon, const Common& common) {
  const Rational sensitivity = common.sensitivity.value();
  const Rational bound = common.bound.value();
  const Rational scale = sensitivity / epsilon;
  std::vector<ErrorRow> rows = {
      {kLaplace, epsilon.up(), scale, std::nullopt,
       laplace_accuracy(epsilon, sensitivity, common.alpha.value()).value(), 1.0}};
  for (const int precision : kPrecisions) {
    rows.push_back(or_refusal(float_name(precision), [&] {
      const Snapping snapping(common.parameters(epsilon, precision));
      const auto compared = compare_with_laplace(snapping, common.alpha.value());
      return ErrorRow{float_name(precision),     epsilon.up(),
                      snapping.scale(),          snapping.grid(),
                      compared.snapping.value(), compared.factor.upper()};
    }));
  }
  rows.push_back(snapped_row(kCoarse, IdealSnapping::coarse(epsilon, sensitivity, -bound, bound),
                             epsilon, common));
  const Grid fine = default_noise_grid(rationals(), scale);
  rows.push_back(snapped_row(kFine, IdealSnapping(scale, fine, -bound, bound), epsilon, common));
  return rows;
}

// The smallest loss; L·Δ/a is laplace_accuracy with the accuracy in the place of epsilon.
std::vector<ErrorRow> epsilon_rows(const Rational& accuracy, const Common& common) {
  const Rational sensitivity = common.sensitivity.value();
  const Rational alpha = common.alpha.value();
  const UpperBound laplace = laplace_accuracy(accuracy, sensitivity, alpha);
  const Rational least = laplace.ball.upper_rational();
  std::vector<ErrorRow> rows = {
      {kLaplace, laplace.value(), sensitivity / least, std::nullopt, accuracy.up(), 1.0}};
  const auto row_of = [&](const std::string& name, const Rational& epsilon, const Rational& scale,
                          const Grid& grid, const UpperBound& achieved) {
    // No plan achieves less than the requested accuracy; the minimum removes the ball's own radius.
    return ErrorRow{name,
                    epsilon.up(),
                    scale,
                    grid,
                    std::min(achieved.value(), accuracy.up()),
                    (epsilon / least).up()};
  };
  for (const int precision : kPrecisions) {
    if (!common.bound.optional()) continue;
    rows.push_back(or_refusal(float_name(precision), [&] {
      const Snapping snapping(plan_snapping(accuracy, alpha, common.parameters(1, precision)));
      return row_of(float_name(precision), snapping.parameters().epsilon, snapping.scale(),
                    snapping.grid(), snapping_accuracy(snapping, alpha));
    }));
  }
  const AccuracyPlan coarse = plan_accuracy(accuracy, alpha, sensitivity);
  rows.push_back(row_of(kCoarse, coarse.epsilon, coarse.scale, coarse.grid, coarse.accuracy));
  const Grid grid = default_noise_grid(rationals(), sensitivity / least);
  const AccuracyPlan fine = plan_accuracy(accuracy, alpha, sensitivity, grid);
  rows.push_back(row_of(kFine, fine.epsilon, fine.scale, fine.grid, fine.accuracy));
  return rows;
}

// table_of: the number in question, the loss or the accuracy, comes first and in bold.
std::string table_of(const std::vector<ErrorRow>& rows, bool asked_for_loss, const Paint& paint) {
  using Cell = Table::Cell;
  Table table({{"mechanism"},
               {asked_for_loss ? "epsilon" : "accuracy", Align::kRight},
               {asked_for_loss ? "accuracy" : "half a cell", Align::kRight},
               {asked_for_loss ? "half a cell" : "noise scale", Align::kRight},
               {asked_for_loss ? "noise scale" : "grid", Align::kRight},
               {asked_for_loss ? "grid" : "to Laplace", Align::kRight}});
  std::string notes;
  for (const ErrorRow& row : rows) {
    if (!row.refusal.empty()) {
      notes += indented(wrapped(fmt::format("{}: {}", row.mechanism, row.refusal), 90), 2);
      table.add({row.mechanism, "-", "-", "-", "-", "-"});
      continue;
    }
    const Cell accuracy(at_most_text(row.accuracy), asked_for_loss ? Colour::kNone : Colour::kBold);
    const Cell half(row.grid ? at_most_text(half_spacing(*row.grid)) : "0");
    const Cell scale(short_text(row.scale));
    const Cell grid(row.grid ? grid_text(*row.grid) : "none");
    if (asked_for_loss) {
      table.add(
          {row.mechanism, {at_most_text(row.epsilon), Colour::kBold}, accuracy, half, scale, grid});
    } else {
      table.add({row.mechanism, accuracy, half, scale, grid, fmt::format("{:.4f}", row.ratio)});
    }
  }
  return table.render(paint, terminal_width(STDOUT_FILENO)) + (notes.empty() ? "" : "\n" + notes);
}

nlohmann::ordered_json as_json(const std::vector<ErrorRow>& rows) {
  auto list = nlohmann::ordered_json::array();
  for (const ErrorRow& row : rows) {
    nlohmann::ordered_json entry = {{"mechanism", row.mechanism}};
    if (!row.refusal.empty()) {
      entry["refusal"] = row.refusal;
    } else {
      entry["epsilon"] = row.epsilon;
      entry["scale"] = row.scale.to_string();
      entry["grid_exponent"] = nullptr;
      if (row.grid) entry["grid_exponent"] = row.grid->exponent();
      entry["half_spacing"] = row.grid ? half_spacing(*row.grid) : 0.0;
      entry["accuracy"] = row.accuracy;
      entry["ratio_to_laplace"] = row.ratio;
    }
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

int run_accuracy_error(CommandArguments arguments, Sink& out) {
  Arguments parser(
      "accuracy error",
      "The error that answers exceed with probability at most alpha, for the mechanisms of "
      "lastbit next to Laplace noise on real numbers, which no computer can draw. "
      "Accuracies are rounded up and hold for every value of the statistic.",
      "  lastbit accuracy error --epsilon 1 --alpha 0.05 --bound 1000\n"
      "  lastbit accuracy error --epsilon 0.1 --sensitivity 200 --bound 1e6 --json\n");
  const NumberOption epsilon(parser, "--epsilon", "The loss to spend");
  const Common common(parser, "The statistic is in [-X, X]");
  if (!parser.parse(arguments, out)) return kExitOk;
  require_positive(parser, epsilon);
  common.check(parser);
  const auto rows = accuracy_rows(epsilon.value(), common);
  if (parser.json()) {
    out.write(dumped({{"epsilon", epsilon.value().to_string()},
                      {"alpha", common.alpha.value().to_string()},
                      {"sensitivity", common.sensitivity.value().to_string()},
                      {"bound", common.bound.value().to_string()},
                      {"mechanisms", as_json(rows)}}));
    return kExitOk;
  }
  const Paint paint = Paint::for_terminal(STDOUT_FILENO);
  out.write(fmt::format(
      "\n  Error exceeded with probability at most {}, for a loss of epsilon {}\n\n{}\n"
      "  Rounding to the grid costs half a cell. A coarse grid is as wide as the noise; a fine "
      "one\n"
      "  is free where the noise is sampled exactly.\n\n",
      common.alpha.value().to_string(), epsilon.value().to_string(), table_of(rows, false, paint)));
  return kExitOk;
}

int run_accuracy_epsilon(CommandArguments arguments, Sink& out) {
  Arguments parser(
      "accuracy epsilon",
      "The smallest loss for which the error exceeds the target with "
      "probability at most alpha, and the error that it achieves: on a coarse grid "
      "that may be better than what was asked for, because its cells double in size. "
      "With --bound also for floats.",
      "  lastbit accuracy epsilon --accuracy 5 --alpha 0.05\n"
      "  lastbit accuracy epsilon --accuracy 0.5 --sensitivity 0.01 --bound 100 --json\n");
  const NumberOption accuracy(parser, "--accuracy", "The target error");
  const Common common(parser, "The statistic is in [-X, X]; for floats");
  if (!parser.parse(arguments, out)) return kExitOk;
  require_positive(parser, accuracy);
  common.check(parser);
  const auto rows = epsilon_rows(accuracy.value(), common);
  if (parser.json()) {
    out.write(dumped({{"accuracy", accuracy.value().to_string()},
                      {"alpha", common.alpha.value().to_string()},
                      {"sensitivity", common.sensitivity.value().to_string()},
                      {"bound", json_of(common.bound.optional())},
                      {"mechanisms", as_json(rows)}}));
    return kExitOk;
  }
  const Paint paint = Paint::for_terminal(STDOUT_FILENO);
  out.write(fmt::format(
      "\n  The smallest loss for an error of at most {}, except with probability {}\n\n{}\n",
      accuracy.value().to_string(), common.alpha.value().to_string(), table_of(rows, true, paint)));
  return kExitOk;
}

}  // namespace lastbit::cli
