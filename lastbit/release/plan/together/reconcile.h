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

// squares_of_weights: the sum of their squares; |weights|² times the variance of one number is that
// of the estimate.
Rational squares_of_weights(const std::vector<Rational>& weights);

// shares_of: in proportion to the precisions, as multiples of 2^−16, so that means have short
// fractions. Any public shares that add up to 1 are allowed; these are all but the best.
// Requires  caller: at least one; all ≥ 0, and one above 0. Those of 0 get a share of 0.
std::vector<Rational> shares_of(const std::vector<Rational>& precisions);

// precision_of: the inverse of the variance of an estimate.
Rational precision_of(const RowEstimate& estimate);

// rows_of_group: the estimate for a group of a table, by its place there.
Rational rows_of_group(const RowEstimate& estimate, const NoisyTable& table, std::size_t group);

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
