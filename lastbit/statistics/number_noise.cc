#include "lastbit/statistics/number_noise.h"

#include <cstddef>
#include <map>

namespace lastbit {

Rational variance_of(const NoiseLaw& law) {
  if (const auto* laplace = std::get_if<LaplaceNoise>(&law)) {
    return Rational(2) * laplace->scale * laplace->scale;
  }
  return std::get<GaussianNoise>(law).variance;
}

std::vector<WeightedNoise> NumberNoise::of(std::span<const Rational> weights) const {
  std::vector<WeightedNoise> noises;
  noises.reserve(weights.size() + (correction ? correction->others.size() : 0));
  for (const Rational& weight : weights) noises.push_back({law, weight, terms});
  if (!correction) return noises;
  Rational gain = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) gain += weights[i] * correction->gains[i];
  for (std::size_t i = 0; i < weights.size(); ++i) noises[i].weight += gain * correction->own[i];
  for (const WeightedNoise& other : correction->others) {
    const std::int64_t count = correction->of_sum ? other.count : other.count * terms;
    noises.push_back({other.law, gain * other.weight, count});
  }
  return noises;
}

Rational NumberNoise::error(std::span<const Rational> weights, const Rational& alpha) const {
  // The cells of a histogram come in with few different weights.
  std::vector<WeightedNoise> all = of(weights);
  std::map<Rational, std::int64_t> counts;
  for (std::size_t i = 0; i < weights.size(); ++i) counts[all[i].weight] += all[i].count;
  std::vector<WeightedNoise> noises;
  for (const auto& [weight, count] : counts) {
    if (weight.sign() != 0) noises.push_back({law, weight, count});
  }
  noises.insert(noises.end(), all.begin() + static_cast<std::ptrdiff_t>(weights.size()), all.end());
  return weighted_noise_accuracy(noises, alpha);
}

}  // namespace lastbit
