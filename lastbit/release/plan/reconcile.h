// SharedRows: statistics that count the same rows of the same groups know their number together.
// For this module only.
//
// Each of them has a noisy estimate of it, a public combination of its own numbers. The best of
// their weighted means is the estimate of all, and the numbers of each statistic are moved, as
// little as possible, to agree with it. This looks at released numbers only, so it costs nothing.
// Proof: proofs/release.md#together
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "lastbit/release/plan/drafter.h"
#include "lastbit/statistics/number_noise.h"

namespace lastbit::release_internal {

// RowEstimate: Σ weights[i]·(number i of a group) is the number of its rows, plus noise.
struct RowEstimate {
  NoiseLaw law;                   // of each number
  std::vector<Rational> weights;  // not all 0
  bool learns = true;             // whether the numbers are moved to agree with the others
};

class SharedRows {
 public:
  // Requires  caller: at least one estimate.
  explicit SharedRows(std::vector<RowEstimate> estimates);

  std::size_t size() const { return estimates_.size(); }
  // correction: of the numbers of one of the statistics.
  const std::shared_ptr<const Correction>& correction(std::size_t statistic) const {
    return corrections_[statistic];
  }
  // reconcile: moves the numbers of all tables, which are those of the statistics in order, and
  // returns the number of rows in each group that they then agree on.
  // Requires  caller: one part each, about the same groups in the same order.
  std::vector<Rational> reconcile(const std::vector<NoisyTable*>& tables) const;

 private:
  std::vector<RowEstimate> estimates_;
  std::vector<Rational> shares_;  // of the estimates in their mean; they add up to 1
  std::vector<std::shared_ptr<const Correction>> corrections_;
};

}  // namespace lastbit::release_internal
