#include "lastbit/statistics/noise_quantiles.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "lastbit/statistics/enclosure.h"

namespace lastbit {

using statistics_internal::next_up;

NoiseQuantiles::NoiseQuantiles(NoiseLaw law, std::int64_t terms, Rational unit, Rational alpha)
    : law_(std::move(law)),
      terms_(terms),
      unit_(std::move(unit)),
      alpha_(std::move(alpha)),
      known_(std::make_shared<Known>()) {}

double NoiseQuantiles::bound(std::span<const double> weights) const {
  const double most = *std::ranges::max_element(weights);
  if (!(most > 0)) return 0;
  const int steps = weights.size() > 4 ? 16 : 32;
  Ratios ratios{};
  for (std::size_t i = 0; i < weights.size(); ++i) {
    // The quotient is at most one unit in the last place too small.
    const double up = std::ceil(next_up(weights[i] / most * steps));
    ratios.at(i) = static_cast<std::uint8_t>(std::min(up, static_cast<double>(steps)));
    if (weights[i] == 0) ratios.at(i) = 0;
  }
  std::ranges::sort(ratios, std::ranges::greater());
  const std::scoped_lock lock(known_->mutex);
  auto known = known_->bounds.find(ratios);
  if (known == known_->bounds.end()) {
    known = known_->bounds.emplace(ratios, bound_of(ratios, steps)).first;
  }
  return next_up(known->second * most);
}

double NoiseQuantiles::bound_of(const Ratios& ratios, int steps) const {
  std::vector<WeightedNoise> noises;
  for (const std::uint8_t ratio : ratios) {
    if (ratio > 0) noises.push_back({law_, Rational(Integer(ratio), Integer(steps)), terms_});
  }
  return (weighted_noise_accuracy(noises, alpha_) / unit_).up();
}

}  // namespace lastbit
