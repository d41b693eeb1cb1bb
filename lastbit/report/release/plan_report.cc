#include "lastbit/report/release/plan_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/escape.h"
#include "lastbit/base/utf8.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/release/budget_words.h"
#include "lastbit/report/release/words.h"

namespace lastbit::report {
namespace {

// Notes are for reading, so their lines stay short on wide terminals.
constexpr std::size_t kWidestNotes = 100;
constexpr std::size_t kNarrowestNotes = 40;

std::size_t notes_width(std::size_t width) {
  return std::clamp(width, kNarrowestNotes, kWidestNotes);
}

// note: words after a mark; further lines are aligned with the first word.
std::string note(std::string_view mark, std::string_view words, std::size_t indent,
                 std::size_t width) {
  const std::size_t inner = indent + display_width(mark) + 1;
  std::string text = indented(wrapped(words, width - inner), inner);
  return text.replace(0, inner, std::string(indent, ' ') + std::string(mark) + " ");
}

bool depends_on_rows(const PlannedError& error) {
  return !error.always && static_cast<bool>(error.for_rows);
}

std::string error_cell(const PlannedError& error, const Integer& rows, std::string_view sign) {
  const auto size = error.at(rows);
  if (!size) return "—";
  std::string text = fmt::format("{}{}", sign, error_text(*size));
  if (error.unit == ErrorUnit::kRows) text += " rows";
  return depends_on_rows(error) ? text + " *" : text;
}

std::string overview(const PlanReport& report, const Paint& paint, std::size_t width) {
  const ReleasePlan& plan = report.plan;
  const auto confidence = same_confidence(plan);
  // On narrow terminals names matter more; the mechanism is shown below, with its noise.
  constexpr std::size_t kWide = 96;
  const bool wide = width >= kWide;
  std::vector<Table::Column> columns = {{"statistic"}, {"by"}};
  if (wide) columns.push_back({"mechanism"});
  columns.push_back({plan.mixed ? "cost" : loss_name(plan.cost), Align::kRight});
  columns.push_back({confidence ? "± at " + percent_text(*confidence) : "±", Align::kRight});
  if (!confidence) columns.push_back({"at", Align::kRight});
  columns.push_back({"bias ≤", Align::kRight});
  Table table(columns);
  for (const PlannedStatistic& planned : plan.statistics) {
    std::vector<Table::Cell> row = {{shown_text(planned.statistic.name.value), Colour::kBold},
                                    by_words(planned.statistic)};
    if (wide) row.emplace_back(mechanism_words(planned));
    row.emplace_back(plan.mixed ? cost_words(planned.cost) : cost_text(planned.cost));
    row.emplace_back(error_cell(planned.accuracy, report.rows, "± "));
    if (!confidence) row.emplace_back(percent_text(planned.statistic.confidence.value));
    row.emplace_back(error_cell(planned.bias, report.rows, ""));
    table.add(std::move(row));
  }
  return table.render(paint, width);
}

std::string footnotes(const PlanReport& report, std::size_t width) {
  bool guessed = false;
  bool unknown = false;
  for (const PlannedStatistic& planned : report.plan.statistics) {
    for (const PlannedError* error : {&planned.accuracy, &planned.bias}) {
      guessed |= depends_on_rows(*error) && error->at(report.rows).has_value();
      unknown |= !error->at(report.rows).has_value();
    }
  }
  std::string text;
  if (guessed) {
    text += note("*",
                 fmt::format("for groups of {} rows, a guess: the true number is private. "
                             "--rows sets another.",
                             error_text(Rational(report.rows))),
                 2, notes_width(width));
  }
  if (unknown) {
    text += note("—", "not known before the release.", 2, notes_width(width));
  }
  return text;
}

Table parts_table(const PlannedStatistic& planned) {
  Table table({{"noisy numbers"}, {"mechanism"}, {"noise"}, {"grid"}, {"sensitivity"}, {"cost"}});
  for (const PlannedPart& part : planned.parts) {
    std::string noise = shown_text(part.noise);
    if (part.threshold) noise += fmt::format(", threshold {}", *part.threshold);
    table.add({shown_text(part.name), shown_text(name_of(part.mechanism)), noise,
               part.grid ? grid_text(*part.grid) : "—", shown_text(part.sensitivity),
               cost_text(part.cost)});
  }
  return table;
}

std::string details(const PlanReport& report, std::size_t index, const Paint& paint,
                    std::size_t width) {
  const PlannedStatistic& planned = report.plan.statistics[index];
  constexpr std::size_t kIndent = 4;
  const std::size_t inner = notes_width(width);
  std::string text = fmt::format(
      "  {}\n",
      paint(Colour::kBold, cut(fmt::format("{}: {} ({})", name_words(planned.statistic.name.value),
                                           kind_words(planned.statistic),
                                           shown_text(planned.statistic.name.value)),
                               inner - 2)));
  if (!planned.parts.empty()) {
    text += indented(parts_table(planned).render(paint, width - 2), 2);
  }
  for (const std::string& step : planned.steps) {
    text += note("·", shown_text(step), kIndent, inner);
  }
  for (const std::string& caveat : planned.caveats) {
    text += note("!", shown_text(caveat), kIndent, inner);
  }
  if (const auto half = report.half_error_of(index)) {
    const auto error = planned.accuracy.at(report.rows);
    text += note("→",
                 fmt::format("Half the error{} would cost {}.",
                             error ? fmt::format(", ± {},", error_text(*error / Rational(2))) : "",
                             cost_words(*half)),
                 kIndent, inner);
  }
  return text;
}

// price_of: what the plan costs in the ledger, or why the ledger cannot pay it.
std::variant<Cost, std::string> price_of(const ReleasePlan& plan, const Budget& budget) {
  try {
    return budget.price(plan.cost_for(budget.kind()));
  } catch (const Error& error) {
    return error.problem();
  }
}

std::string ledger_words(const PlanReport& report, const Paint& paint) {
  const std::string file = shown_text(report.plan.ledger);
  if (!report.ledger) {
    return fmt::format("The ledger {} does not exist yet.", file);
  }
  const auto& [budget, spent, refusal] = *report.ledger;
  if (refusal) {
    return fmt::format("{} by the ledger {}: {}; {}.", paint(Colour::kRed, "REFUSED"), file,
                       shown_text(refusal->problem()), refusal->remedy());
  }
  const auto price = price_of(report.plan, budget);
  if (const auto* problem = std::get_if<std::string>(&price)) {
    return fmt::format("{} The ledger {} cannot pay this: {}.",
                       paint(Colour::kRed, "NOT POSSIBLE:"), file, *problem);
  }
  const std::string left = cost_words(budget.left(spent), Rounding::kDown);
  const auto after = budget.after(spent, std::get<Cost>(price));
  if (!after) {
    return fmt::format("{} The ledger {} has {} left; this release costs {}.",
                       paint(Colour::kRed, "NOT ENOUGH:"), file, left,
                       cost_words(std::get<Cost>(price)));
  }
  return fmt::format("The ledger {} has {} left, and {} after this release.", file, left,
                     cost_words(budget.left(*after), Rounding::kDown));
}

std::string total_words(const PlanReport& report, const Paint& paint, std::size_t width) {
  const ReleasePlan& plan = report.plan;
  const std::size_t inner = notes_width(width) - 2;
  const std::string converted =
      plan.converted ? fmt::format(", which is {}", cost_words(plan.converted->cost)) : "";
  std::string text =
      indented(wrapped(fmt::format("In total: {}{}, of {} that the file allows.",
                                   paint(Colour::kBold, cost_words(plan.cost)), converted,
                                   cost_words(plan.release.budget.cap.value, Rounding::kDown)),
                       inner),
               2);
  text += indented(wrapped(ledger_words(report, paint), inner), 2);
  if (const std::string warning = loss_warning(plan.cost); !warning.empty()) {
    text += note(paint(Colour::kYellow, "WARNING:"), warning, 2, inner + 2);
  }
  return text;
}

// How shares and accounting came about, where the plan decided them.
std::string budget_notes(const ReleasePlan& plan, std::size_t width) {
  std::string text;
  for (const std::string& words :
       {sharing_words(plan), accounting_words(plan), conversion_words(plan)}) {
    if (!words.empty()) text += indented(wrapped(words, notes_width(width) - 2), 2);
  }
  return text.empty() ? text : text + "\n";
}

std::string advice(std::size_t width) {
  return indented(wrapped("To change an error, give its statistic a `weight`, an `epsilon` or "
                          "`rho`, or an `accuracy` in the release file, or raise the budget. "
                          "Nothing was spent, and no row was read.",
                          notes_width(width) - 2),
                  2);
}

}  // namespace

PlanReport plan_report(ReleasePlan plan, std::optional<LedgerPosition> ledger,
                       const Integer& rows) {
  PlanReport report{.plan = std::move(plan), .ledger = std::move(ledger), .rows = rows};
  for (std::size_t i = 0; i < report.plan.statistics.size(); ++i) {
    const auto error = report.plan.statistics[i].accuracy.at(rows);
    report.half_error.push_back(error && error->sign() > 0
                                    ? cost_for_accuracy(report.plan, i, *error / Rational(2), rows)
                                    : std::nullopt);
  }
  return report;
}

std::string plan_table(const PlanReport& report, const Paint& paint, std::size_t width) {
  const ReleaseFile& release = report.plan.release;
  std::string text = fmt::format("\n  {}\n", paint(Colour::kBold, title_of(release)));
  text += indented(
      wrapped(fmt::format("about {}; protected: {}", shown_text(written_path(release.source)),
                          unit_words(release.unit)),
              notes_width(width) - 2),
      2);
  text += "\n" + overview(report, paint, width) + footnotes(report, width) + "\n";
  text += total_words(report, paint, width) + "\n" + budget_notes(report.plan, width) +
          advice(width) + "\n";
  for (std::size_t i = 0; i < report.plan.statistics.size(); ++i) {
    text += details(report, i, paint, width) + "\n";
  }
  return text;
}

std::string plan_summary(const PlanReport& report, const Paint& paint, std::size_t width) {
  return "\n" + overview(report, paint, width) + footnotes(report, width) + "\n" +
         total_words(report, paint, width);
}

}  // namespace lastbit::report
