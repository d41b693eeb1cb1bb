// lastbit ledger move: from a file to a server.
#include "lastbit/accounting/ledger_move.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/commands/ledger/ledger_topics.h"
#include "lastbit/base/text.h"
#include "lastbit/report/document.h"
#include "lastbit/report/ledger_report.h"

namespace lastbit::cli {

using report::dumped;
using report::summary_json;

int run_ledger_move(CommandArguments arguments, Sink& out) {
  Arguments parser(
      "ledger move",
      "Carry a ledger from a file to a PostgreSQL database, record by record. Heads that were "
      "noted stay in the chain. The file is closed: it keeps its records, says where the ledger "
      "is, and pays for nothing more. After an interruption, run the same command again.",
      "  lastbit ledger move survey.ledger postgresql://db.example/privacy\n"
      "  lastbit ledger move survey.ledger \"postgresql:///?service=office&ledger=survey\"\n");
  std::string file;
  std::string address;
  parser.add_argument("FILE", file, "The ledger file");
  parser.add_argument("URL", address, "Where it goes: postgresql://host/database?ledger=NAME");
  if (!parser.parse(arguments, out)) return kExitOk;
  const LedgerAddress target = LedgerAddress::parse(address);
  const LedgerContents contents = move_ledger(file, target);
  if (parser.json()) {
    out.write(dumped(summary_json(target.text(), contents)));
    return kExitOk;
  }
  out.write(fmt::format(
      "{} is closed; its {} in {}\nhead: {}\n", lastbit::quote(file, 200),
      contents.records == 1 ? "1 record is" : fmt::format("{} records are", contents.records),
      target.text(), contents.head));
  return kExitOk;
}

}  // namespace lastbit::cli
