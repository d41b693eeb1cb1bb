// Which published tables do not add up to others, though readers would expect it. For this module
// only.
#pragma once

#include <vector>

#include "lastbit/release/plan/answer.h"
#include "lastbit/release/plan/plan.h"

namespace lastbit::release_internal {

// add_sum_notes: gives each table of counts or sums a note that names the coarser tables of the
// same numbers, its totals among them, to which its answers do not add up. Groups with an answer
// that is suppressed are not compared. It looks at published answers only, so it costs nothing.
// Requires  caller: the answers of each statistic of the plan.
// Limits    where comparing would take long, the note says that tables need not add up.
void add_sum_notes(const ReleasePlan& plan, std::vector<StatisticAnswers>& answers);

}  // namespace lastbit::release_internal
