#include "lastbit/release/plan/together/reconcile.h"

#include <utility>

#include "lastbit/base/error.h"

namespace lastbit::release_internal {

Rational squares_of_weights(const std::vector<Rational>& weights) {
  Rational sum = 0;
  for (const Rational& weight : weights) sum += weight * weight;
  return sum;
}

Rational precision_of(const RowEstimate& estimate) {
  return Rational(1) / (variance_of(estimate.law) * squares_of_weights(estimate.weights));
}

std::vector<Rational> shares_of(const std::vector<Rational>& precisions) {
  constexpr int kShareBits = 16;
  Rational sum = 0;
  for (const Rational& precision : precisions) sum += precision;
  const Grid grid(-kShareBits);
  Rational left = 1;
  std::size_t largest = 0;
  for (std::size_t i = 0; i < precisions.size(); ++i) {
    if (precisions[i] > precisions[largest]) largest = i;
  }
  std::vector<Rational> shares;
  for (const Rational& precision : precisions) {
    shares.push_back(grid.point(grid.floor_index(precision / sum)));
    left -= shares.back();
  }
  shares[largest] += left;
  return shares;
}

Rational rows_of_group(const RowEstimate& estimate, const NoisyTable& table, std::size_t group) {
  const std::size_t count = estimate.weights.size();
  Rational rows = 0;
  for (std::size_t i = 0; i < count; ++i) {
    rows += estimate.weights[i] * table.parts.front()[group * count + i];
  }
  return rows;
}

namespace {

std::vector<Rational> precisions_of(const std::vector<RowEstimate>& estimates) {
  std::vector<Rational> precisions;
  for (const RowEstimate& one : estimates) precisions.push_back(precision_of(one));
  return precisions;
}

// add_noises: those of an estimate with this share; neighbours of equal weight, such as the cells
// of a histogram, together.
void add_noises(const RowEstimate& estimate, const Rational& share,
                std::vector<WeightedNoise>& noises) {
  const std::size_t first = noises.size();
  for (const Rational& weight : estimate.weights) {
    const Rational part = share * weight;
    if (noises.size() > first && noises.back().weight == part) {
      ++noises.back().count;
    } else if (part.sign() != 0) {
      noises.push_back({estimate.law, part, 1});
    }
  }
}

}  // namespace

SharedRows::SharedRows(std::vector<RowEstimate> estimates)
    : estimates_(std::move(estimates)), shares_(shares_of(precisions_of(estimates_))) {
  for (std::size_t k = 0; k < estimates_.size(); ++k) {
    const std::vector<Rational>& weights = estimates_[k].weights;
    const Rational squares = squares_of_weights(weights);
    Correction correction;
    for (const Rational& weight : weights) {
      correction.gains.push_back(weight / squares);
      correction.own.push_back((shares_[k] - Rational(1)) * weight);
    }
    for (std::size_t other = 0; other < estimates_.size(); ++other) {
      if (other == k) continue;
      add_noises(estimates_[other], shares_[other], correction.others);
    }
    corrections_.push_back(std::make_shared<const Correction>(std::move(correction)));
  }
}

std::vector<Rational> SharedRows::reconcile(const std::vector<NoisyTable*>& tables) const {
  invariant(tables.size() == estimates_.size(), "each statistic has its table");
  const std::size_t groups = tables.front()->groups.size();
  std::vector<Rational> all;
  all.reserve(groups);
  std::vector<Rational> own(tables.size());
  for (std::size_t group = 0; group < groups; ++group) {
    Rational& mean = all.emplace_back(0);
    for (std::size_t k = 0; k < tables.size(); ++k) {
      own[k] = rows_of_group(estimates_[k], *tables[k], group);
      mean += shares_[k] * own[k];
    }
    for (std::size_t k = 0; k < tables.size(); ++k) {
      if (!estimates_[k].learns) continue;
      const Rational correction = mean - own[k];
      const std::vector<Rational>& gains = corrections_[k]->gains;
      for (std::size_t i = 0; i < gains.size(); ++i) {
        tables[k]->parts.front()[group * gains.size() + i] += gains[i] * correction;
      }
    }
  }
  for (std::size_t k = 0; k < tables.size(); ++k) {
    if (estimates_[k].learns) tables[k]->correction = corrections_[k];
  }
  return all;
}

}  // namespace lastbit::release_internal
