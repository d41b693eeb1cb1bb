// Totals: the coarser tables that a table of groups implies. For this module only.
#pragma once

#include <cstddef>
#include <vector>

#include "lastbit/release/plan/drafter.h"
#include "lastbit/release/plan/plan.h"

namespace lastbit::release_internal {

// total_columns: which of the columns of `by` each total keeps: every part of them, the larger ones
// first, and none in the end.
std::vector<std::vector<std::size_t>> total_columns(std::size_t columns);

// add_up: the numbers of all groups that agree in the kept columns of their keys, added up.
// Proof  proofs/release.md#totals
NoisyTable add_up(const NoisyTable& table, const std::vector<std::size_t>& kept);

// totals_of: the totals of a statistic of the plan, as statistics that cost nothing.
std::vector<PlannedStatistic> totals_of(const PlannedStatistic& planned,
                                        const Aggregation& aggregation, LossKind accounting);

}  // namespace lastbit::release_internal
