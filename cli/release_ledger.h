// The ledger of a release file, as the commands meet it: there, or still to be made.
#pragma once

#include <optional>
#include <string>

#include "lastbit/accounting/ledger.h"
#include "lastbit/query/plan.h"

namespace lastbit::cli {

// ledger_command: the command that makes the ledger of the file, with the file's budget as its cap.
std::string ledger_command(const ReleaseFile& release);

// found_ledger: the ledger of the file, or nothing where nothing lies there.
// Fails  as Ledger::open for what is there and is no ledger.
std::optional<Ledger> found_ledger(const ReleaseFile& release, Ledger::Access access);

// required_ledger: the same; a missing one is a kBadInput Error with the command that makes it.
// Ledgers are never made on the way: who starts a new one forgets what was spent.
Ledger required_ledger(const ReleaseFile& release, Ledger::Access access);

// require_payable: a kBadInput Error where the ledger counts in losses that cannot pay the plan.
void require_payable(const ReleasePlan& plan, const Ledger& ledger);

}  // namespace lastbit::cli
