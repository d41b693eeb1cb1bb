// The order of quantiles that several statistics give of the same rows. For this module only.
//
// All functions    look at the file or at released numbers only, so that they cost nothing.
//                  Proof: proofs/release.md#quantile-order
#pragma once

#include <cstddef>
#include <vector>

#include "lastbit/release/file/release_file.h"
#include "lastbit/release/plan/plan.h"

namespace lastbit::release_internal {

// levels_in_order: an upper bound on how many quantiles of a group order_quantiles puts in order
// with those of the statistic, its own included; 0 if its kind is another one.
std::size_t levels_in_order(const ReleaseFile& release, const Statistic& statistic);

// order_quantiles: quantiles of the same rows, groups and possible answers are in order, and equal
// for equal levels. Where two statistics disagree, answers of the less accurate one move to those
// of the other, and their intervals grow to hold them.
// Requires  caller: the answers of each statistic of the plan; empty where there are none yet.
// Ensures   with the probability that its stated number of rows has, every statistic keeps it.
void order_quantiles(const ReleasePlan& plan, std::vector<PlannedStatistic::Answers>& answers);

}  // namespace lastbit::release_internal
