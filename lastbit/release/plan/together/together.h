// What the statistics of a release know together: which of them learn from each other, and what
// happens between drawing noise and answering. For this module only.
//
// All functions    after drawing look at released numbers only, so that they cost nothing.
//                  Proof: proofs/release.md#together, proofs/release.md#cut
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "lastbit/release/plan/drafter.h"
#include "lastbit/release/plan/plan.h"
#include "lastbit/release/plan/together/reconcile.h"
#include "lastbit/release/plan/together/tables_together.h"

namespace lastbit::release_internal {

// sharing_rows: the places of statistics that count the same rows of the same groups, in sets of at
// most as many as may learn from each other.
std::vector<std::vector<std::size_t>> sharing_rows(const std::vector<PlannedStatistic>& statistics);

// learners: what those members of a set know together that gain from it, or lose nothing; the
// others leave `members`. Nothing if fewer than two are left.
std::shared_ptr<const SharedRows> learners(const std::vector<PlannedStatistic>& statistics,
                                           std::vector<std::size_t>& members);

// SharedKnowledge: what statistics know together that count the same rows of the same groups, and
// of tables by different columns.
struct SharedKnowledge {
  std::vector<std::shared_ptr<const SharedRows>> rows;
  std::vector<std::shared_ptr<const TablesTogether>> tables;
};

// plan_together: finds the statistics that count the same rows, notes in each what it shares, and
// states errors that use this.
// Requires  caller: the statistics as planned alone, without totals, in the order of the file.
// Ensures   no error that is stated for all data rises.
// Also     a target error that is met by statistics of the same groups stays met: if tables by
//          other columns would raise it, none of them are used.
SharedKnowledge plan_together(const ReleaseFile& release,
                              const std::vector<Aggregation>& aggregations,
                              std::vector<PlannedStatistic>& statistics);

// reconcile_drawn: reconciles the drawn tables of statistics that share rows. Counts, and sums that
// cannot be negative, get numbers to publish, that are possible and add up to their totals, and to
// the numbers of rows where these are known.
// Requires  caller: a table for each statistic of the plan; empty where nothing was drawn in steps.
void reconcile_drawn(const ReleasePlan& plan, std::vector<NoisyTable>& drawn);

}  // namespace lastbit::release_internal
