// The ledger of a release, as the commands find it: existing, or still to be made.
#pragma once

#include <string>

#include "cli/terminal/arguments.h"
#include "lastbit/accounting/ledger.h"
#include "lastbit/release/plan/plan.h"

namespace lastbit::cli {

// LedgerOptions: --ledger, --same-people and --again.
class LedgerOptions {
 public:
  explicit LedgerOptions(Arguments& parser);
  // redirect: lets the requested ledger, if any, pay for the plan, and plans in another accounting
  // if the ledger cannot pay the one that the plan chose.
  void redirect(ReleasePlan& plan) const;
  const SpendingIntent& intent() const { return intent_; }

 private:
  Arguments& parser_;
  std::string address_;
  SpendingIntent intent_;
};

// suggest_ledger_command: the command that makes the ledger of the plan, with the file's budget as
// its cap.
std::string suggest_ledger_command(const ReleasePlan& plan);

// require_ledger: the ledger of the plan; a missing one is a kBadInput Error with the command that
// makes it.
// Ledgers are never made as a side effect: starting a new one forgets what was spent.
Ledger require_ledger(const ReleasePlan& plan, Ledger::Access access);

}  // namespace lastbit::cli
