// The ledger of a release, as the commands meet it: there, or still to be made.
#pragma once

#include <optional>
#include <string>

#include "cli/terminal/arguments.h"
#include "lastbit/accounting/ledger.h"
#include "lastbit/release/plan/plan.h"

namespace lastbit::cli {

// LedgerOptions: --ledger, --same-people and --again.
class LedgerOptions {
 public:
  explicit LedgerOptions(Arguments& parser);
  // redirect: the plan is to be paid by the ledger that was asked for, if one was.
  void redirect(ReleasePlan& plan) const;
  const SpendingIntent& intent() const { return intent_; }

 private:
  Arguments& parser_;
  std::string path_;
  SpendingIntent intent_;
};

// suggest_ledger_command: the command that makes the ledger of the plan, with the file's budget as its cap.
std::string suggest_ledger_command(const ReleasePlan& plan);

// find_ledger: the ledger of the plan, or nothing where nothing lies there.
// Fails  as Ledger::open for what is there and is no ledger.
std::optional<Ledger> find_ledger(const ReleasePlan& plan, Ledger::Access access);

// require_ledger: the same; a missing one is a kBadInput Error with the command that makes it.
// Ledgers are never made on the way: who starts a new one forgets what was spent.
Ledger require_ledger(const ReleasePlan& plan, Ledger::Access access);

// require_payable: a kBadInput Error where the ledger counts in losses that cannot pay the plan.
void require_payable(const ReleasePlan& plan, const Ledger& ledger);

}  // namespace lastbit::cli
