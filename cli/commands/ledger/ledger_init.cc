// lastbit ledger init: a new ledger.
#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/commands/ledger/ledger_topics.h"
#include "cli/terminal/number_option.h"
#include "lastbit/base/text.h"
#include "lastbit/report/document.h"
#include "lastbit/report/ledger_report.h"

namespace lastbit::cli {

using report::dumped;
using report::summary_json;

namespace {

Budget budget_from(const Arguments& parser, const NumberOption& epsilon, const NumberOption& delta,
                   const NumberOption& rho) {
  require_positive(parser, epsilon);
  require_probability(parser, delta);
  require_positive(parser, rho);
  if (rho.optional()) {
    if (!epsilon.optional()) {
      return Budget(Cost::concentrated(rho.value(), delta.optional().value_or(Rational(0))));
    }
    throw parser.wrong("--rho is given together with --epsilon",
                       "a budget is in epsilon or in rho, each with a delta or without");
  }
  if (!epsilon.optional()) {
    throw parser.wrong("no budget was given", "give --epsilon or --rho, each may have a --delta");
  }
  if (!delta.optional()) return Budget(Cost::pure(epsilon.value()));
  return Budget(Cost::approximate(epsilon.value(), delta.value()));
}

}  // namespace

int run_ledger_init(CommandArguments arguments, Sink& out) {
  Arguments parser(
      "ledger init",
      "Create a ledger. Its budget never changes. With --epsilon the epsilons of all releases "
      "add "
      "up to it at most; with --delta also their deltas; with --rho the budget is one of "
      "zero-concentrated differential privacy, where an epsilon costs epsilon^2/2; a --delta "
      "beside "
      "it pays for keys that are discovered. Use one ledger "
      "for all releases about the same people: the first one fixes the unit and the data that it "
      "is "
      "about. A file that exists is never overwritten.",
      "  lastbit ledger init survey.ledger --epsilon 2\n"
      "  lastbit ledger init survey.ledger --epsilon 2 --delta 1e-6 --description \"survey 2026\"\n"
      "  lastbit ledger init survey.ledger --rho 1/2\n"
      "  lastbit ledger init survey.ledger --rho 1/2 --delta 1e-6\n");
  std::string file;
  std::string description;
  add_ledger_file(parser, file);
  const NumberOption epsilon(parser, "--epsilon", "The most epsilon to spend");
  const NumberOption delta(parser, "--delta", "The most delta to spend");
  const NumberOption rho(parser, "--rho", "The most rho to spend");
  parser.add_option("--description", description, "What the ledger is for; no private data",
                    "TEXT");
  if (!parser.parse(arguments, out)) return kExitOk;
  const Ledger ledger = Ledger::create(LedgerAddress::parse(file),
                                       budget_from(parser, epsilon, delta, rho), description);
  const LedgerContents contents = ledger.verify();
  if (parser.json()) {
    out.write(dumped(summary_json(file, contents)));
    return kExitOk;
  }
  out.write(fmt::format("{}: {} to spend\nhead: {}\n", lastbit::quote(file, 200),
                        contents.budget.cap().to_string(), contents.head));
  return kExitOk;
}

}  // namespace lastbit::cli
