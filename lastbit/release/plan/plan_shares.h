// How the budget of a release is divided among its statistics. For this module only.
#pragma once

#include <functional>
#include <vector>

#include "lastbit/release/file/problems.h"
#include "lastbit/release/plan/plan_statistic.h"

namespace lastbit::release_internal {

// whole_budget: the cap of the file in the kind of its accounting. If rhos are counted against an
// epsilon and a delta, the largest rho found that these cover.
Cost whole_budget(const ReleaseBudget& budget);

// sum_of: the sum of costs, counted in `kind`.
Cost sum_of(LossKind kind, const std::vector<Cost>& costs);

// Planner: plans the statistic with this number for a given loss.
using Planner = std::function<PlannedStatistic(std::size_t, const LossShare&)>;

// loss_for_accuracy: the smallest loss, as a decimal with four digits, for which the error of the
// statistic is at most `accuracy`, in groups of `rows` rows if it depends on them; nothing if no
// loss up to a billion is enough.
std::optional<Rational> loss_for_accuracy(const Planner& planner, std::size_t statistic,
                                          bool concentrated, const Rational& accuracy,
                                          const Integer& rows);

// share_out: every statistic, planned for its share. A share that does not fit is a problem.
std::vector<PlannedStatistic> share_out(const ReleaseFile& release, const Planner& planner,
                                        Problems& problems);

}  // namespace lastbit::release_internal
