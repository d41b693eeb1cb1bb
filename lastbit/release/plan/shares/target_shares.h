// Losses of statistics with target errors that learn from others. For this module only.
//
// Everything here is computed from the release file and from planned errors, which depend on it
// alone. Proof: proofs/release.md#targets
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "lastbit/release/plan/plan_statistic.h"
#include "lastbit/release/plan/shares/error_shares.h"

namespace lastbit::release_internal {

// TargetError: the error that a statistic may have beside all others, in groups of `rows` rows if
// that matters, and the loss that it is planned for.
struct TargetError {
  Rational accuracy = 0;
  Integer rows = 1;
  LossShare loss;
  Rational least = 0;  // no loss is lowered below this, so that every statistic has a share
};

// PlannedNumbers: planned statistics, and target errors of some of them, by their numbers.
using PlannedNumbers = std::map<std::size_t, PlannedStatistic>;
using TargetErrors = std::map<std::size_t, TargetError>;

// loss_in: the epsilon or the rho of a cost.
Rational loss_in(const Cost& cost);

// meet_targets: plans the statistics with target errors again, for losses such that each stated
// error, with what they and the others in `planned` know together, is at most its target.
// Requires  caller: each of them is planned for the loss that its target takes alone, or for what
//           an earlier call with fewer others found.
// Ensures   a target that is not reached is reached by raising losses; then, or otherwise, losses
//           are lowered as far as all targets allow: none can be lowered by more than a hundredth
//           with the others as they are, unless the search reached its limit.
// Limits    the sum of losses is the least that a few orders of lowering find, not always the least
//           of all. Work is bounded by the number of statistics.
void meet_targets(const Planner& planner, PlannedNumbers& planned, TargetErrors& targets);

// first_missed: a statistic whose stated error, with what all know together, exceeds its target.
std::optional<std::size_t> first_missed(const PlannedNumbers& planned, const TargetErrors& targets);

}  // namespace lastbit::release_internal
