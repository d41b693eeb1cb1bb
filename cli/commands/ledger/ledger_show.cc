// lastbit ledger show: what was spent, and what is left.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/commands/ledger/ledger_topics.h"
#include "cli/terminal/number_option.h"
#include "lastbit/base/escape.h"
#include "lastbit/base/text.h"
#include "lastbit/report/document.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/table.h"

namespace lastbit::cli {

using report::Align;
using report::at_least_text;
using report::at_most_text;
using report::Colour;
using report::dumped;
using report::Paint;
using report::Table;
using report::terminal_width;

namespace {

// Numbers of at most this many characters are shown exactly; longer ones are rounded in the safe
// direction: up for what is spent, down for what is left.
constexpr std::size_t kShownExactly = 12;

std::string rounded(const Rational& value, bool upward) {
  std::string exact = value.to_string();
  if (exact.size() <= kShownExactly) return exact;
  return upward ? at_most_text(value.up()) : at_least_text(value.down());
}

std::string cost_text(const Cost& cost, bool upward = true) {
  switch (cost.kind()) {
    case LossKind::kPure:
      return rounded(cost.epsilon(), upward);
    case LossKind::kApproximate:
      return fmt::format("({}, {})", rounded(cost.epsilon(), upward),
                         rounded(cost.delta(), upward));
    case LossKind::kConcentrated:
      break;
  }
  const std::string rho = rounded(cost.rho(), upward);
  return cost.delta().sign() == 0 ? rho
                                  : fmt::format("({}, {})", rho, rounded(cost.delta(), upward));
}

std::string unit_of(const Budget& budget) {
  switch (budget.kind()) {
    case LossKind::kPure:
      return "epsilon";
    case LossKind::kApproximate:
      return "(epsilon, delta)";
    case LossKind::kConcentrated:
      break;
  }
  return budget.cap().delta().sign() == 0 ? "rho" : "(rho, delta)";
}

std::string table_of(const LedgerContents& contents, const Paint& paint) {
  Table table({{"id", Align::kRight},
               {"time"},
               {"what"},
               {"data"},
               {"unit"},
               {"cost", Align::kRight},
               {"total", Align::kRight},
               {"state"}});
  for (const LedgerEntry& entry : contents.entries) {
    table.add({std::to_string(entry.id),
               shown_text(entry.time),
               shown_text(entry.spending.description),
               shown_text(entry.spending.data),
               shown_text(entry.spending.unit),
               cost_text(entry.price),
               cost_text(entry.total),
               {entry_state(entry), entry.completed ? Colour::kGreen : Colour::kYellow}});
  }
  return table.render(paint, terminal_width(STDOUT_FILENO));
}

// in_epsilon: what a budget in rho means in epsilon and delta.
std::string in_epsilon(const LedgerContents& contents, const Rational& delta) {
  if (contents.budget.kind() != LossKind::kConcentrated) return "";
  const Cost& cap = contents.budget.cap();
  if (cap.delta().sign() > 0 && cap.delta() + delta >= Rational(1)) return "";
  const Cost spent = convert(contents.spent, delta);
  const Cost whole = convert(cap, delta);
  if (cap.delta().sign() == 0) {
    return fmt::format("  With delta {} that is epsilon {} spent, of {}.\n", delta.to_string(),
                       at_most_text(spent.epsilon().up()), at_most_text(whole.epsilon().up()));
  }
  return fmt::format("  With a further delta of {} that is (epsilon, delta) {} spent, of {}.\n",
                     delta.to_string(), cost_text(spent), cost_text(whole));
}

std::string unfinished(const LedgerContents& contents) {
  const auto count = std::ranges::count_if(
      contents.entries, [](const LedgerEntry& entry) { return !entry.completed; });
  if (count == 0) return "";
  return fmt::format(
      "  Not finished: {}. These releases are still running, or were killed or failed after they "
      "had\n"
      "  been booked. They count, because noise may have been drawn.\n",
      count);
}

std::string in_words(const std::string& file, const LedgerContents& contents, const Rational& delta,
                     const Paint& paint) {
  const std::string title =
      contents.description.empty() ? "" : ": " + shown_text(contents.description);
  std::string text = fmt::format("\n  {}{}\n\n", lastbit::quote(file, 200), title);
  if (!contents.entries.empty()) {
    text += table_of(contents, paint) + "\n" + subjects_text(contents, "  ") + "\n";
  }
  if (contents.damage) {
    return text +
           fmt::format(
               "  {} {}\n  From there on nothing is certain, so how much was spent and how much is "
               "left of\n  {} {} cannot be known: at least {} is spent.\n\n",
               paint(Colour::kRed, "DAMAGED:"), damage_text(*contents.damage),
               cost_text(contents.budget.cap()), unit_of(contents.budget),
               cost_text(contents.spent, false));
  }
  text += fmt::format("  Spent {} of {} {}; {} is left.\n", cost_text(contents.spent),
                      cost_text(contents.budget.cap()), unit_of(contents.budget),
                      paint(Colour::kBold, cost_text(contents.budget.left(contents.spent), false)));
  return text + in_epsilon(contents, delta) + unfinished(contents) + "\n";
}

}  // namespace

int run_ledger_show(CommandArguments arguments, Sink& out) {
  Arguments parser(
      "ledger show",
      "List the releases that a ledger holds, with what each is about, what it cost and the total "
      "up to it, and say what is left. The ledger is checked on the way. Long numbers are rounded, "
      "costs up and what is left down; --json has the exact ones.",
      "  lastbit ledger show survey.ledger\n"
      "  lastbit ledger show survey.ledger --json\n");
  std::string file;
  add_ledger_file(parser, file);
  const NumberOption delta(parser, "--delta", "For a budget in rho: the delta to convert with",
                           "1e-6");
  if (!parser.parse(arguments, out)) return kExitOk;
  require_probability(parser, delta);
  const LedgerContents contents = Ledger::open(file, Ledger::Access::kRead).verify();
  if (parser.json()) {
    out.write(dumped(contents_json(file, contents)));
  } else {
    out.write(in_words(file, contents, delta.value(), Paint::for_terminal(STDOUT_FILENO)));
  }
  return contents.damage ? kExitViolation : kExitOk;
}

}  // namespace lastbit::cli
