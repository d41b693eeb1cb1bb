// Which accounting a release uses where its file leaves the choice. For this module only.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "lastbit/release/plan/plan_shares.h"

namespace lastbit::release_internal {

// ChosenBudget: the shares in the accounting that was chosen, and all that were considered.
struct ChosenBudget {
  SharedBudget shared;
  std::vector<AccountingWay> ways;  // the chosen one first
};

// choose_accounting: plans the release in every accounting that its file and its ledger allow, and
// takes the one with the smallest relative errors; where errors are all given, the one that needs
// the smallest part of the budget. If both are equal, losses add up as the cap is written.
// A file that can be planned in none of them has the problems of the first.
// Ensures   the choice depends on the file and on the kind of the ledger, not on the data.
// Proof     proofs/release.md#accounting
ChosenBudget choose_accounting(const ReleaseFile& release, std::optional<LossKind> ledger,
                               const std::function<Planner(LossKind)>& planners,
                               const std::vector<Integer>& rows, Problems& problems);

}  // namespace lastbit::release_internal
