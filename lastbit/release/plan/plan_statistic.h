// One statistic of a plan. For this module only.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lastbit/release/plan/drafter.h"
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

// StagedRelease: a release in two steps, for statistics of public groups that are made of noisy
// numbers.
struct StagedRelease {
  // draw: the groups are in the order of the aggregation, their keys in that of `by`.
  std::function<NoisyTable(const TableDomain::Carrier&, BitSource&)> draw;
  // answer: what the release of the statistic gives, with its totals.
  std::function<PlannedStatistic::Answers(const NoisyTable&)> answer;
  bool totals = false;                  // whether its groups are added up
  std::optional<GroupNumbers> numbers;  // what is known about the numbers of each group
  // rows: which rows the numbers count, as rows_in_number says; empty if they count none.
  std::string rows;
  std::function<TotalErrors(const CorrectionPointer&, std::int64_t fewest, std::int64_t most)>
      errors;
};

// plan_statistic: the statistic for this loss. Half of the loss is spent on finding keys if they
// are to be discovered and the answer is more than the number of units of each.
PlannedStatistic plan_statistic(const ReleaseFile& release, const Statistic& statistic,
                                const Aggregation& aggregation, const StatisticPlace& place,
                                const LossShare& share);

// suppress: withholds answers whose intervals reach too far for their size, if the statistic asks
// for that. It looks at released numbers only.
// Proof     proofs/release.md#reliability
void suppress(PlannedStatistic::Answers& answers, const Statistic& statistic);

}  // namespace lastbit::release_internal
