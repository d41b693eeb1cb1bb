// Which numbers are published of noisy ones: possible ones, that add up where they should. For this
// module only.
//
// All functions    look at released numbers only, so that they cost nothing.
//                  Proof: proofs/release.md#cut
#pragma once

#include <cstddef>
#include <vector>

#include "lastbit/numerics/integer.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/release/plan/drafter.h"
#include "lastbit/release/plan/plan_statistic.h"
#include "lastbit/release/plan/together/fit_totals.h"

namespace lastbit::release_internal {

// publishes_counts: whether the numbers of a statistic are the answers, and have limits.
bool publishes_counts(const StagedRelease& staged);

// by_columns: the numbers of a table by each of the keys of its groups.
std::vector<Partition> by_columns(const NoisyTable& table, std::size_t cells);

// publish_cells: sets the numbers to publish so that the cells of each group add up to its rows,
// unless one would move too far.
// Requires  caller: a statistic that publishes counts, and rows ≥ 0 for each group.
void publish_cells(const StagedRelease& staged, const CorrectionPointer& correction,
                   const std::vector<Integer>& rows, NoisyTable& table);

// publish_alone: a statistic with totals, of numbers that all have one sign.
void publish_alone(const StagedRelease& staged, NoisyTable& table);

}  // namespace lastbit::release_internal
