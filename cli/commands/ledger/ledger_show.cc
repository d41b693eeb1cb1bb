// lastbit ledger show: what was spent, and what is left.
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/commands/ledger/ledger_topics.h"
#include "cli/terminal/number_option.h"
#include "lastbit/report/document.h"
#include "lastbit/report/ledger_report.h"
#include "lastbit/report/table.h"

namespace lastbit::cli {

using report::contents_json;
using report::dumped;
using report::ledger_text;
using report::Paint;
using report::terminal_width;

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
  const LedgerContents contents =
      Ledger::open(LedgerAddress::parse(file), Ledger::Access::kRead).verify();
  if (parser.json()) {
    out.write(dumped(contents_json(file, contents)));
  } else {
    out.write(ledger_text(file, contents, delta.value(), Paint::for_terminal(STDOUT_FILENO),
                          terminal_width(STDOUT_FILENO)));
  }
  return contents.damage ? kExitViolation : kExitOk;
}

}  // namespace lastbit::cli
