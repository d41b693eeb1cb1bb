// The ledger of a plan: existing, or still to be made.
#pragma once

#include <optional>
#include <string>

#include "lastbit/accounting/ledger.h"
#include "lastbit/release/plan/plan.h"

namespace lastbit {

// find_ledger: the ledger of the plan, or nothing if there is none at that address.
// Fails  as Ledger::open for what is not a ledger, and for a server that cannot be reached.
std::optional<Ledger> find_ledger(const ReleasePlan& plan, Ledger::Access access);

// redirect_to_ledger: lets the ledger at this path or URL, if any is given, pay for the plan, and
// plans in another accounting if the ledger cannot pay the one that the plan chose.
// Fails  as find_ledger.
ReleasePlan redirect_to_ledger(ReleasePlan plan, const std::optional<std::string>& ledger);

// published_ledger: what reports say of the ledger: its path, or its name on a server.
std::string published_ledger(const ReleasePlan& plan);

// require_payable: a kBadInput Error if the ledger counts losses of a kind that cannot pay for the
// plan.
void require_payable(const ReleasePlan& plan, const Ledger& ledger);

}  // namespace lastbit
