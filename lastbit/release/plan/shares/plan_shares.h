// How the budget of a release is divided among its statistics. For this module only.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lastbit/release/file/problems.h"
#include "lastbit/release/plan/plan_statistic.h"
#include "lastbit/release/plan/shares/error_shares.h"

namespace lastbit::release_internal {

// whole_budget: the cap of the file in the kind of the accounting. If rhos are counted against an
// epsilon and a delta, the largest rho found that this epsilon and `delta` cover whatever the noise
// is, with the deltas of discovered keys.
// Requires  caller: in that case, delta is above 0 and at most conversion_delta.
Cost whole_budget(const ReleaseFile& release, LossKind accounting, const Rational& delta);

// conversion_delta: what discovered keys leave of the budget's delta; if rhos are counted against
// an epsilon and a delta, they are converted with it. Proof: proofs/release.md#shares
Rational conversion_delta(const ReleaseFile& release);

// sum_of: the sum of costs, counted in `kind`.
Cost sum_of(LossKind kind, const std::vector<Cost>& costs);

// parts_of, costs_of: the parts of all statistics, and the cost of each.
std::vector<PlannedPart> parts_of(std::span<const PlannedStatistic> statistics);
std::vector<Cost> costs_of(std::span<const PlannedStatistic> statistics);

// MixedBudget: some statistics are paid in epsilons and the others in rhos, which are turned into
// an epsilon with this delta.
struct MixedBudget {
  std::vector<bool> in_rhos;  // of each statistic
  Rational epsilon;           // for those in epsilons
  Rational rho;               // for the others
  Rational delta;
};

// SharedBudget: every statistic, planned for its share.
struct SharedBudget {
  LossKind accounting = LossKind::kPure;
  bool mixed = false;         // epsilons beside rhos; the accounting is approximate
  Rational delta = 0;         // with which rhos are turned into epsilons
  Cost cost = Cost::pure(0);  // of all statistics, in the kind of the accounting
  // What that is in epsilon and delta, if rhos alone are counted against these.
  std::optional<ConvertedCost> converted = std::nullopt;
  std::vector<PlannedStatistic> statistics;
  Rational needed = 0;  // the part of the file's budget that they lose
  // The mean of the squared relative errors of those that share what the others leave; nothing if
  // none of them is known.
  std::optional<Rational> squared_error;
};

// share_out: every statistic, planned for its share in this accounting. Losses and target errors
// that the file gives come first; what they leave is divided by weights, or by errors. Under rhos,
// noise is Gaussian, or Laplace noise of as much rho where that has the smaller error. If all of it
// is Gaussian and an epsilon and a delta are to pay for it, its own law says how much there is to
// share.
// A share that does not fit is a problem, and then the result is of no use. `delta` is what rhos
// are turned into epsilons with. With `mix`, the planner counts each statistic as that says.
// Proof  proofs/release.md#shares
SharedBudget share_out(const ReleaseFile& release, LossKind accounting, const Rational& delta,
                       const Planner& planner, const std::vector<Integer>& rows, Problems& problems,
                       const std::optional<MixedBudget>& mix = std::nullopt);

}  // namespace lastbit::release_internal
