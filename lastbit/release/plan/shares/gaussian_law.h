// What the Gaussian noise of a release loses, by its own law. For this module only.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "lastbit/release/plan/shares/plan_shares.h"

namespace lastbit::release_internal {

// epsilon_by_gaussian_law: an epsilon for which all these parts together lose at most (epsilon,
// delta); nothing if they are not all discrete Gaussian noise, or if their rho alone says as much.
// Requires  caller: 0 < delta < 1.
// Proof     proofs/accounting.md#lattice-gaussian
std::optional<Rational> epsilon_by_gaussian_law(std::span<const PlannedPart> parts,
                                                const Rational& delta);

// convert_rho: the epsilon of a cost in rho with this delta: by the law of the noise where that says
// more. The cost is that of the parts.
ConvertedCost convert_rho(const Cost& cost, std::span<const PlannedPart> parts,
                          const Rational& delta);

// share_by_gaussian_law: the shares that `share` makes of the largest rho found whose noise is known
// by its law to lose at most (epsilon, delta); nothing if no rho above `covered` does, or if the
// noise is not all Gaussian.
// Requires  caller: `share` gives nothing for a rho that cannot be shared, and otherwise shares with
//           their converted cost at delta. `covered` is what epsilon and delta cover whatever the
//           noise is.
// Proof     proofs/release.md#accounting
std::optional<SharedBudget> share_by_gaussian_law(
    const Rational& epsilon, const Rational& delta, const Rational& covered,
    const std::function<std::optional<SharedBudget>(const Rational& rho)>& share);

}  // namespace lastbit::release_internal
