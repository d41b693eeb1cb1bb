// lastbit ledger: budgets that outlive a process. Nothing here spends; releases do.
#include <fmt/core.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/commands/ledger/ledger_topics.h"
#include "cli/terminal/topics.h"
#include "lastbit/base/escape.h"
#include "lastbit/report/release/plan_report.h"

namespace lastbit::cli {

using report::cost_as_json;

namespace {

constexpr std::array<Topic, 4> kLedgerTopics = {{
    {"init", "Create a ledger with a budget", run_ledger_init},
    {"show", "List what was spent, and what is left", run_ledger_show},
    {"verify", "Check every record, the chain of hashes and the sums", run_ledger_verify},
    {"export", "Write all entries as CSV or JSON", run_ledger_export},
}};

constexpr TopicCommand kLedger = {
    .name = "ledger",
    .purpose =
        "Keep a privacy budget in a file. A release books its cost there before it draws noise, so "
        "a\n"
        "ledger may count too much (a release that was killed), never too little.\n",
    .usage = "FILE [options]",
    .topics = kLedgerTopics,
    .examples =
        "  lastbit ledger init survey.ledger --epsilon 2\n"
        "  lastbit ledger show survey.ledger\n"
        "  lastbit ledger verify survey.ledger\n"
        "  lastbit ledger export survey.ledger --csv\n"};

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

}  // namespace

int run_ledger(CommandArguments arguments, Sink& out) { return run_topic(kLedger, arguments, out); }

void add_ledger_file(Arguments& parser, std::string& file) {
  parser.add_argument("FILE", file, "The ledger file");
}

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
                                 {"damage", nullptr}};
  for (const LedgerSubject& subject : contents.subjects) {
    json["about"].push_back(
        {{"data", subject.data}, {"unit", subject.unit}, {"first_entry", subject.first_entry}});
  }
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

}  // namespace lastbit::cli
