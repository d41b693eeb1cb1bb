// lastbit ledger verify and export: checks that the ledger is intact, and writes it for other
// programs.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/ledger/ledger_topics.h"
#include "lastbit/base/csv.h"
#include "lastbit/base/text.h"
#include "lastbit/report/document.h"
#include "lastbit/report/ledger_report.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/table.h"

namespace lastbit::cli {

using report::Colour;
using report::contents_json;
using report::damage_text;
using report::dumped;
using report::entry_state;
using report::grouped;
using report::Paint;
using report::subjects_text;
using report::summary_json;

namespace {

// checked_head: a head in the form that verify prints.
std::optional<std::string> checked_head(const Arguments& parser, const std::string& head) {
  if (head.empty()) return std::nullopt;
  const bool is_hash =
      head.size() == 64 && head.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (is_hash) return head;
  throw parser.wrong(fmt::format("{} cannot be the value of --head", lastbit::quote(head, 70)),
                     "give the 64 digits that `lastbit ledger verify` printed");
}

// finished_text: of all spendings, how many have finished releases.
std::string finished_text(const LedgerContents& contents) {
  const auto finished = static_cast<std::uint64_t>(std::ranges::count_if(
      contents.entries, [](const LedgerEntry& entry) { return entry.completed.has_value(); }));
  if (contents.entries.size() == 1) {
    return fmt::format("1 spending, {}", finished == 1 ? "finished" : "not finished");
  }
  return fmt::format("{} spendings, {} of them finished", grouped(contents.entries.size()),
                     grouped(finished));
}

std::string in_words(const LedgerContents& contents, bool has_head, const Paint& paint) {
  if (contents.damage) {
    const bool one = contents.records == 1;
    return fmt::format("{} {}\n{} {} {}\n", paint(Colour::kRed, "DAMAGED:"),
                       damage_text(*contents.damage),
                       grouped(static_cast<std::uint64_t>(contents.records)),
                       one ? "record before that is intact; it spends"
                           : "records before that are intact; they spend",
                       contents.spent.to_string());
  }
  std::string text = fmt::format(
      "{} {}; every record fits the chain\n"
      "spent: {} of {}\n"
      "head:  {}\n",
      paint(Colour::kGreen, "whole:"), finished_text(contents), contents.spent.to_string(),
      contents.budget.cap().to_string(), contents.head);
  text += subjects_text(contents, "");
  text += has_head ? "The noted head is in the chain: everything up to it is as it was.\n"
                   : "Records cut off at the end show only against a head noted elsewhere: give it "
                     "with --head.\n";
  return text;
}

// text_line: all fields are quoted, numbers too, since some are fractions.
std::string text_line(std::initializer_list<std::string_view> fields) {
  std::vector<CsvField> line;
  for (const std::string_view field : fields) line.push_back(CsvField::text(field));
  return csv_line(line, "\n");
}

std::string as_csv(const LedgerContents& contents) {
  std::string text = text_line({"id", "time", "state", "completed", "description", "data", "unit",
                                "plan", "mechanisms", "cost", "price", "total", "hash"});
  for (const LedgerEntry& entry : contents.entries) {
    text += text_line({std::to_string(entry.id), entry.time, entry_state(entry),
                       entry.completed.value_or(""), entry.spending.description,
                       entry.spending.data, entry.spending.unit, entry.spending.plan,
                       entry.spending.mechanisms, entry.spending.cost.to_string(),
                       entry.price.to_string(), entry.total.to_string(), entry.hash});
  }
  return text;
}

}  // namespace

int run_ledger_verify(CommandArguments arguments, Sink& out) {
  Arguments parser(
      "ledger verify",
      "Check a ledger: the file, the number and the hash of every record, and the sums, which are "
      "computed again. The chain of hashes shows damage and clumsy changes. Whoever can write the "
      "file can also cut off its end, or write a new chain: note the head where they cannot change "
      "it, and give it with --head later. The exit code is 1 when a check fails.",
      "  lastbit ledger verify survey.ledger\n"
      "  lastbit ledger verify survey.ledger --head \"$(cat head.txt)\"\n");
  std::string file;
  std::string head;
  add_ledger_file(parser, file);
  parser.add_option("--head", head, "A head that was printed earlier; it must be in the chain",
                    "HASH");
  if (!parser.parse(arguments, out)) return kExitOk;
  const auto noted = checked_head(parser, head);
  const LedgerContents contents =
      Ledger::open(LedgerAddress::parse(file), Ledger::Access::kRead).verify(noted);
  if (parser.json()) {
    auto json = summary_json(file, contents);
    json["whole"] = !contents.damage;
    out.write(dumped(json));
  } else {
    out.write(in_words(contents, noted.has_value(), Paint::for_terminal(STDOUT_FILENO)));
  }
  return contents.damage ? kExitViolation : kExitOk;
}

int run_ledger_export(CommandArguments arguments, Sink& out) {
  Arguments parser(
      "ledger export",
      "Write all entries of a ledger, with exact numbers: as CSV, or with --json as one "
      "document. A damaged ledger is not exported.",
      "  lastbit ledger export survey.ledger --csv > survey.csv\n"
      "  lastbit ledger export survey.ledger --json\n");
  std::string file;
  bool csv = false;
  add_ledger_file(parser, file);
  parser.add_flag("--csv", csv, "Write CSV, which is the default");
  if (!parser.parse(arguments, out)) return kExitOk;
  if (csv && parser.json()) throw parser.wrong("--csv and --json are both given", "give one");
  const LedgerContents contents =
      Ledger::open(LedgerAddress::parse(file), Ledger::Access::kRead).verify();
  if (contents.damage) {
    throw Error(ErrorCode::kBadInput, lastbit::quote(file, 200),
                "is damaged: " + damage_text(*contents.damage),
                "see lastbit ledger show, and restore it from a copy");
  }
  out.write(parser.json() ? dumped(contents_json(file, contents)) : as_csv(contents));
  return kExitOk;
}

}  // namespace lastbit::cli
