// lastbit release: what a release file says, once and permanently.
#include <fmt/core.h>
#include <unistd.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/release_folder.h"
#include "cli/commands/release_ledger.h"
#include "cli/commands/release_limits.h"
#include "cli/commands/release_output.h"
#include "cli/commands/release_prepare.h"
#include "cli/terminal/arguments.h"
#include "cli/terminal/command.h"
#include "cli/terminal/interruption.h"
#include "cli/terminal/progress.h"
#include "lastbit/base/text.h"
#include "lastbit/engines/engines.h"
#include "lastbit/release/plan_ledger.h"
#include "lastbit/report/document.h"
#include "lastbit/report/inspection/inspection_report.h"
#include "lastbit/report/numbers/answer_numbers.h"
#include "lastbit/report/release/plan_report.h"

namespace lastbit::cli {

using report::cost_as_json;
using report::cost_words;
using report::dumped;

namespace {

// print_rehearsal: what --dry-run says. What was found in the data is for the custodian alone, and
// marked as such.
void print_rehearsal(const ReleasePlan& plan, const std::optional<ReleaseFolder>& folder,
                     const Inspection& inspection, bool json, Sink& out) {
  const std::vector<report::Finding> findings = report::findings_of(inspection);
  if (json) {
    out.write(dumped({{"dry_run", true},
                      {"file", plan.release.filename},
                      {"plan", plan.digest},
                      {"cost", cost_as_json(plan.cost)},
                      {"private",
                       {{"notice", report::private_notice(inspection)},
                        {"findings", report::findings_json(findings)}}}}));
    return;
  }
  out.write(fmt::format(
      "A release of {} would succeed: the ledger allows it and the data can be read{}.\n"
      "It would cost {}. Nothing was spent, and no noise was drawn.\n",
      lastbit::quote(plan.release.filename, 200), folder ? ", and the folder can be written" : "",
      cost_words(plan.cost)));
  out.write(fmt::format("\n{}\n{}", report::private_notice(inspection),
                        report::findings_text(findings, report::Paint::for_terminal(STDOUT_FILENO),
                                              report::terminal_width(STDOUT_FILENO))));
}

struct ReleaseRequest {
  std::string file;
  std::string folder;
  bool dry_run = false;
  bool json = false;
};

void carry_out(const ReleaseRequest& request, const LedgerOptions& from, ReleaseOptions options,
               Sink& out) {
  ReleasePlan plan = plan_file(request.file, engine_for_files());
  from.redirect(plan);
  options.intent = from.intent();
  Ledger ledger = require_ledger(plan, Ledger::Access::kSpend);
  require_payable(plan, ledger);
  std::optional<ReleaseFolder> folder;
  if (!request.folder.empty()) folder.emplace(request.folder);
  PreparedRelease prepared = prepare_with_signals(plan, ledger, options);
  if (request.dry_run) {
    return print_rehearsal(plan, folder, inspect_with_signals(plan, options), request.json, out);
  }
  const Release release = BookedRelease(std::move(prepared), ledger).answer(thread_bit_source());
  publish(plan, release, folder, request.json, out);
}

}  // namespace

int run_release_command(CommandArguments arguments, Sink& out) {
  Arguments parser(
      "release",
      "Release the statistics that a file describes: read the data, book the cost in the ledger, "
      "and only then draw "
      "noise and print the answers. What fails before the booking costs nothing; a release that is "
      "killed after it stays booked. Exit code 1 when the ledger refuses: it has too little left, "
      "it is about another unit or other data (--same-people), or it holds this plan already "
      "(--again).",
      "  lastbit release survey.toml\n"
      "  lastbit release survey.toml --out report\n"
      "  lastbit release survey.toml --dry-run\n"
      "  lastbit release survey.toml --ledger /srv/ledgers/survey.ledger\n"
      "  lastbit release june.toml --same-people   # the people of the May survey\n"
      "  lastbit release survey.toml --again       # fresh noise, the same cost again\n"
      "  lastbit release survey.toml --memory 4GB --spill /scratch --out report\n");
  ReleaseRequest request;
  parser.add_argument("FILE", request.file, "The release file");
  parser.add_option("--out", request.folder, "Folder for report.html, release.json and answers.csv",
                    "DIR");
  parser.add_flag("--dry-run", request.dry_run,
                  "Spend nothing, draw no noise; say what is likely wrong (private)");
  const LedgerOptions ledger(parser);
  const LimitOptions limits(parser);
  if (!parser.parse(arguments, out)) return kExitOk;
  if (parser.has("--out") && request.folder.empty()) {
    throw parser.wrong("--out has no name", "give it the name of a folder, or leave it out");
  }

  request.json = parser.json();
  Progress progress("reading the data", kProgressSteps);
  try {
    carry_out(request, ledger, watched(limits.limits(), progress), out);
  } catch (const Interrupted& interrupted) {  // everything is cleaned up by now
    end_by(interrupted);
  }
  return kExitOk;
}

}  // namespace lastbit::cli
