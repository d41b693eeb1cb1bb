#include "lastbit/report/ledger_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "lastbit/base/escape.h"
#include "lastbit/base/text.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/release/plan_report.h"

namespace lastbit::report {
namespace {

nlohmann::ordered_json entry_json(const LedgerEntry& entry) {
  nlohmann::ordered_json json = {{"id", entry.id},
                                 {"time", entry.time},
                                 {"state", entry_state(entry)},
                                 {"completed", nullptr},
                                 {"description", entry.spending.description},
                                 {"data", entry.spending.data},
                                 {"unit", entry.spending.unit},
                                 {"plan", entry.spending.plan},
                                 {"mechanisms", entry.spending.mechanisms},
                                 {"cost", cost_as_json(entry.spending.cost)},
                                 {"price", cost_as_json(entry.price)},
                                 {"total", cost_as_json(entry.total)},
                                 {"hash", entry.hash}};
  if (entry.completed) json["completed"] = *entry.completed;
  return json;
}

// Numbers of at most this many characters are shown exactly; longer ones are rounded in the safe
// direction: up for what is spent, down for what is left.
constexpr std::size_t kShownExactly = 12;

std::string rounded(const Rational& value, bool upward) {
  std::string exact = value.to_string();
  if (exact.size() <= kShownExactly) return exact;
  return upward ? at_most_text(value.up()) : at_least_text(value.down());
}

std::string amount_text(const Cost& cost, bool upward = true) {
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

std::string ledger_table(const LedgerContents& contents, const Paint& paint, std::size_t width) {
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
               amount_text(entry.price),
               amount_text(entry.total),
               {entry_state(entry), entry.completed ? Colour::kGreen : Colour::kYellow}});
  }
  return table.render(paint, width);
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
                     delta.to_string(), amount_text(spent), amount_text(whole));
}

std::string unfinished(const LedgerContents& contents) {
  const auto count = std::ranges::count_if(
      contents.entries, [](const LedgerEntry& entry) { return !entry.completed; });
  if (count == 0) return "";
  if (count == 1) {
    return "  Not finished: 1. This release is still running, or was killed or failed after it "
           "had\n"
           "  been booked. It counts, because noise may have been drawn.\n";
  }
  return fmt::format(
      "  Not finished: {}. These releases are still running, or were killed or failed after they "
      "had\n"
      "  been booked. They count, because noise may have been drawn.\n",
      count);
}

}  // namespace

nlohmann::ordered_json summary_json(const std::string& file, const LedgerContents& contents) {
  nlohmann::ordered_json json = {{"file", file},
                                 {"description", contents.description},
                                 {"created", contents.created},
                                 {"about", nlohmann::ordered_json::array()},
                                 {"budget", cost_as_json(contents.budget.cap())},
                                 {"spent", cost_as_json(contents.spent)},
                                 {"left", cost_as_json(contents.budget.left(contents.spent))},
                                 {"spendings", contents.entries.size()},
                                 {"records", contents.records},
                                 {"head", contents.head},
                                 {"moved_to", nullptr},
                                 {"damage", nullptr}};
  for (const LedgerSubject& subject : contents.subjects) {
    json["about"].push_back(
        {{"data", subject.data}, {"unit", subject.unit}, {"first_entry", subject.first_entry}});
  }
  if (contents.moved_to) json["moved_to"] = *contents.moved_to;
  if (contents.damage) {
    json["left"] = nullptr;  // the unreadable part may have spent it
    json["damage"] = {{"record", contents.damage->record}, {"problem", contents.damage->problem}};
  }
  return json;
}

nlohmann::ordered_json contents_json(const std::string& file, const LedgerContents& contents) {
  auto entries = nlohmann::ordered_json::array();
  for (const LedgerEntry& entry : contents.entries) entries.push_back(entry_json(entry));
  auto json = summary_json(file, contents);
  json["entries"] = std::move(entries);
  return json;
}

std::string entry_state(const LedgerEntry& entry) {
  return entry.completed ? "finished" : "not finished";
}

std::string subjects_text(const LedgerContents& contents, std::string_view indent) {
  std::string text;
  for (const LedgerSubject& subject : contents.subjects) {
    const bool first = &subject == &contents.subjects.front();
    text += fmt::format(
        "{}{} {}{}\n", indent, first ? "about:" : "and:  ", shown_text(subject.to_string()),
        first ? ""
              : fmt::format(", said to be about the same people by entry {}", subject.first_entry));
  }
  return text;
}

std::string damage_text(const LedgerDamage& damage) {
  if (damage.record == 0) return damage.problem;
  return fmt::format("record {}: {}", damage.record, damage.problem);
}

std::string ledger_text(const std::string& file, const LedgerContents& contents,
                        const Rational& delta, const Paint& paint, std::size_t width) {
  const std::string title =
      contents.description.empty() ? "" : ": " + shown_text(contents.description);
  std::string text = fmt::format("\n  {}{}\n\n", lastbit::quote(file, 200), title);
  if (!contents.entries.empty()) {
    text += ledger_table(contents, paint, width) + "\n" + subjects_text(contents, "  ") + "\n";
  }
  if (contents.damage) {
    return text +
           fmt::format(
               "  {} {}\n  From there on nothing is certain, so how much was spent and how much is "
               "left of\n  {} {} cannot be known: at least {} is spent.\n\n",
               paint(Colour::kRed, "DAMAGED:"), damage_text(*contents.damage),
               amount_text(contents.budget.cap()), unit_of(contents.budget),
               amount_text(contents.spent, false));
  }
  text +=
      fmt::format("  Spent {} of {} {}; {} is left.\n", amount_text(contents.spent),
                  amount_text(contents.budget.cap()), unit_of(contents.budget),
                  paint(Colour::kBold, amount_text(contents.budget.left(contents.spent), false)));
  if (contents.moved_to) {
    text += fmt::format("  {} to {}\n  This file is closed, and pays for nothing more.\n",
                        paint(Colour::kYellow, "MOVED"), shown_text(*contents.moved_to));
  }
  return text + in_epsilon(contents, delta) + unfinished(contents) + "\n";
}

}  // namespace lastbit::report
