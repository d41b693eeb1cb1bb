#include "lastbit/accuracy/weighted_noise.h"

#include "lastbit/accuracy/accuracy.h"
#include "lastbit/accuracy/gaussian_accuracy.h"
#include "lastbit/accuracy/sum_accuracy.h"

namespace lastbit {
namespace {

Rational accuracy_of(const LaplaceNoise& noise, std::int64_t count, const Rational& alpha) {
  if (count == 1) return smallest_accuracy(noise.scale, noise.grid, alpha).ball.upper_rational();
  const auto inputs = noise.on_grid ? SumInputs::kOnGrid : SumInputs::kAnywhere;
  return laplace_sum_accuracy(noise.scale, noise.grid, inputs, count, alpha);
}

Rational accuracy_of(const GaussianNoise& noise, std::int64_t count, const Rational& alpha) {
  if (count == 1) return gaussian_accuracy(noise.variance, noise.grid, alpha);
  return gaussian_sum_accuracy(noise.variance, noise.grid, count, alpha);
}

}  // namespace

Rational weighted_noise_accuracy(std::span<const WeightedNoise> noises, const Rational& alpha) {
  std::int64_t kinds = 0;
  for (const WeightedNoise& noise : noises) kinds += noise.weight.sign() == 0 ? 0 : 1;
  Rational sum = 0;
  for (const WeightedNoise& noise : noises) {
    if (noise.weight.sign() == 0) continue;
    sum += abs(noise.weight) * std::visit(
                                   [&](const auto& law) {
                                     return accuracy_of(law, noise.count, alpha / Rational(kinds));
                                   },
                                   noise.law);
  }
  return sum;
}

}  // namespace lastbit
