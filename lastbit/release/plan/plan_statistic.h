// One statistic of a plan. For this module only.
#pragma once

#include <optional>

#include "lastbit/release/plan/plan.h"
#include "lastbit/release/plan/plan_parts.h"

namespace lastbit::release_internal {

// StatisticPlace: where the numbers of a statistic are among those of an aggregation: its measure
// and, if keys are discovered, the number of units of each group.
struct StatisticPlace {
  std::size_t aggregation = 0;
  std::optional<std::size_t> measure = std::nullopt;
  std::optional<std::size_t> units = std::nullopt;
};

// plan_statistic: the statistic for this loss. Half of the loss is spent on finding keys if they
// are to be discovered and the answer is more than the number of units of each.
PlannedStatistic plan_statistic(const ReleaseFile& release, const Statistic& statistic,
                                const Aggregation& aggregation, const StatisticPlace& place,
                                const LossShare& share);

}  // namespace lastbit::release_internal
