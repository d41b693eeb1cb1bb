// Quantiles as a plan drafts them: chosen one by one with intervals around them, or read from a
// tree of noisy numbers, whichever is more accurate. For this module only.
#pragma once

#include <cstddef>
#include <vector>

#include "lastbit/release/plan/drafter.h"

namespace lastbit::release_internal {

// PossibleAnswers: the beginning of each cell, and the largest value in it, or what its values come
// close to.
struct PossibleAnswers {
  std::vector<Rational> cells;
  std::vector<Rational> ends;
};

// draft_quantiles: `interval_share` is the part of the loss that pays for intervals where quantiles
// are chosen, 0 for none. The stated number of rows holds for `jointly` quantiles of a group at
// once.
// Requires  caller: increasing levels in [0, 1]; jointly is at least their number.
// Proof     proofs/release.md#quantiles
Draft draft_quantiles(const Drafter& drafter, const std::vector<Rational>& levels,
                      const PossibleAnswers& possible, const Rational& interval_share,
                      std::size_t jointly);

}  // namespace lastbit::release_internal
