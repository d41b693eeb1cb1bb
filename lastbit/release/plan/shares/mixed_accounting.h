// Epsilons beside rhos: which statistics of a release are paid in which. For this module only.
//
// Everything here is computed from the release file and from planned errors and prices, which
// depend on it alone. Proof: proofs/release.md#accounting
#pragma once

#include <optional>
#include <vector>

#include "lastbit/release/plan/shares/plan_shares.h"

namespace lastbit::release_internal {

// mixed_total: the loss of statistics of which some cost epsilons and others rhos: the epsilons
// added up, and the epsilon that the rhos are with this delta.
Cost mixed_total(const std::vector<Cost>& costs, const Rational& delta);

// find_mix: the set of statistics that are best paid in rhos beside the others, and the split of
// the budget between both, by the law of errors of each. Nothing if there is no such set: fewer
// than two statistics, weights, keys to be discovered, or errors that are not known in advance.
// Requires  caller: `epsilons` and `rhos` hold the release as planned in one accounting each; the
//           budget is an epsilon and a delta, `delta` is at most that.
// Limits    statistics move in order of what they gain, all others are not tried; the split is
//           searched for on a grid. Work grows with the square of the number of statistics.
std::optional<MixedBudget> find_mix(const ReleaseFile& release, const SharedBudget& epsilons,
                                    const SharedBudget& rhos, const Planner& in_epsilons,
                                    const Planner& in_rhos, const std::vector<Integer>& rows,
                                    const Rational& delta);

}  // namespace lastbit::release_internal
