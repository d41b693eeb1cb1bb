// Epsilons beside rhos: which statistics of a release are paid in which. For this module only.
//
// Everything here is computed from the release file and from planned errors and prices, which
// depend on it alone. Proof: proofs/release.md#accounting
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "lastbit/release/plan/shares/plan_shares.h"

namespace lastbit::release_internal {

// RhoConversion: about the epsilon that a rho is with some delta.
using RhoConversion = std::function<Rational(const Rational& rho)>;
// general_conversion: whatever the noise. gaussian_conversion: of Gaussian noise of many steps.
RhoConversion general_conversion(const Rational& delta);
RhoConversion gaussian_conversion(const Rational& delta);

// mixed_total: the loss of statistics of which some cost epsilons and others rhos: the epsilons
// added up, and the epsilon that the rhos are with this delta, by convert_rho.
Cost mixed_total(std::span<const PlannedStatistic> statistics, const Rational& delta);

// find_mix: the set of statistics that are best paid in rhos beside the others, and the split of
// the budget between both, by the law of errors of each. Nothing if there is no such set: fewer
// than two statistics, weights, keys to be discovered, or errors that are not known in advance.
// Requires  caller: `epsilons` and `rhos` hold the release as planned in one accounting each; the
//           budget is an epsilon and a delta.
// Limits    the search goes by `conversion`; whether the loss is within the budget, mixed_total says.
//           Statistics move in order of what they gain, all others are not tried; the split is
//           searched for on a grid. Work grows with the square of the number of statistics.
std::optional<MixedBudget> find_mix(const ReleaseFile& release, const SharedBudget& epsilons,
                                    const SharedBudget& rhos, const Planner& in_epsilons,
                                    const Planner& in_rhos, const std::vector<Integer>& rows,
                                    const RhoConversion& conversion);

}  // namespace lastbit::release_internal
