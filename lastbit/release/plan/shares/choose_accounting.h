// Which accounting a release uses where its file leaves the choice. For this module only.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "lastbit/release/plan/shares/plan_shares.h"

namespace lastbit::release_internal {

// ChosenBudget: the shares in the accounting that was chosen, and all that were considered.
struct ChosenBudget {
  SharedBudget shared;
  std::vector<AccountingWay> ways;  // the chosen one first
};

// cost_in_ledger: what a cost takes from a ledger that counts in `kind`, if rhos can be converted to
// this; nothing if such a ledger cannot pay it.
std::optional<Cost> cost_in_ledger(const Cost& cost, const std::optional<ConvertedCost>& converted,
                                   LossKind kind);

// fits_into: whether a ledger that has this left can pay the cost.
bool fits_into(const Cost& cost, const std::optional<ConvertedCost>& converted, const Cost& left);

// choose_accounting: plans the release in every accounting that its file and its ledger allow, and
// takes the one with the smallest relative errors; where errors are all given, the one that needs
// the smallest part of the budget. If both are equal, losses add up as the cap is written; epsilons
// beside rhos have to be better by a hundredth. A way for which the ledger has too little `left` is
// taken only if all are; rhos are turned into epsilons with no more delta than is left.
// A file that can be planned in none of them has the problems of the first.
// Ensures   the choice depends on the file and on the ledger, not on the data.
// Proof     proofs/release.md#accounting
ChosenBudget choose_accounting(const ReleaseFile& release, const std::optional<Cost>& left,
                               const std::function<Planner(LossKind)>& planners,
                               const std::vector<Integer>& rows, Problems& problems);

}  // namespace lastbit::release_internal
