// lastbit ledger: budgets that outlive a process. Nothing here spends; releases do.
#include <array>
#include <string>

#include "cli/commands/ledger/ledger_topics.h"
#include "cli/terminal/topics.h"

namespace lastbit::cli {

namespace {

constexpr std::array<Topic, 5> kLedgerTopics = {{
    {"init", "Create a ledger with a budget", run_ledger_init},
    {"show", "List what was spent, and what is left", run_ledger_show},
    {"verify", "Check every record, the chain of hashes and the sums", run_ledger_verify},
    {"export", "Write all entries as CSV or JSON", run_ledger_export},
    {"move", "Carry a ledger from a file to a PostgreSQL database", run_ledger_move},
}};

constexpr TopicCommand kLedger = {
    .name = "ledger",
    .purpose =
        "Keep a privacy budget in a file, or in a PostgreSQL database that a team shares:\n"
        "postgresql://host/database?ledger=NAME. A release books its cost there before it draws\n"
        "noise, so a ledger may count too much (a release that was killed), never too little.\n",
    .usage = "LEDGER [options]",
    .topics = kLedgerTopics,
    .examples =
        "  lastbit ledger init survey.ledger --epsilon 2\n"
        "  lastbit ledger show survey.ledger\n"
        "  lastbit ledger verify survey.ledger\n"
        "  lastbit ledger export survey.ledger --csv\n"};

}  // namespace

int run_ledger(CommandArguments arguments, Sink& out) { return run_topic(kLedger, arguments, out); }

void add_ledger_file(Arguments& parser, std::string& file) {
  parser.add_argument("LEDGER", file,
                      "The ledger: a file, or postgresql://host/database?ledger=NAME");
}

}  // namespace lastbit::cli
