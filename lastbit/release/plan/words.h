// What a planned statistic does and what it may cost, in sentences for people. Only this module
// includes it.
#pragma once

#include <string>
#include <vector>

#include "lastbit/release/plan/plan.h"

namespace lastbit::release_internal {

// steps_in_words, caveats_in_words: what is done to the rows and the answers of a planned
// statistic, and what its bounds may cost.
std::vector<std::string> steps_in_words(const ReleaseFile& release, const PlannedStatistic& planned,
                                        const Aggregation& aggregation);
std::vector<std::string> caveats_in_words(const PlannedStatistic& planned,
                                          const Aggregation& aggregation);
// notes_in_words: those of them that no interval shows, in a line each.
std::vector<std::string> notes_in_words(const ReleaseFile& release, const PlannedStatistic& planned,
                                        const Aggregation& aggregation);

// How missing values, and values outside the bounds, are treated.
std::string missing_in_words(const ColumnUse& column);
void explain_bounds(const BoundedColumn& column, std::vector<std::string>& steps);

}  // namespace lastbit::release_internal
