#include "lastbit/accuracy/weighted_noise.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "lastbit/accuracy/accuracy.h"
#include "lastbit/accuracy/contour.h"
#include "lastbit/accuracy/gaussian_accuracy.h"
#include "lastbit/accuracy/real_noise.h"
#include "lastbit/accuracy/refusals.h"
#include "lastbit/accuracy/sum_accuracy.h"
#include "lastbit/base/error.h"
#include "lastbit/numerics/ball.h"

namespace lastbit {
namespace {

constexpr std::string_view kPlace = "weighted_noise_accuracy";

Ball weighted_ball(const Rational& value) { return Ball(value, kAccuracyPrecision); }

// The grid's spacing over the scale, and its square over the variance.
Rational fineness(const LaplaceNoise& noise) { return noise.grid.spacing() / noise.scale; }
Rational fineness_squared(const GaussianNoise& noise) {
  return noise.grid.spacing() * noise.grid.spacing() / noise.variance;
}

void check(const LaplaceNoise& noise) {
  accuracy_internal::require_positive(kPlace, "scale", noise.scale);
}
void check(const GaussianNoise& noise) {
  accuracy_internal::require_positive(kPlace, "variance", noise.variance);
  accuracy_internal::require_moderate(kPlace, "variance", fineness_squared(noise));
}

void require_noises(std::span<const WeightedNoise> noises, const Rational& alpha) {
  accuracy_internal::require_open_probability(kPlace, "alpha", alpha);
  for (const WeightedNoise& noise : noises) {
    std::visit([](const auto& law) { check(law); }, noise.law);
    if (noise.count > 0) continue;
    throw Error::bad_parameter(kPlace, "count", "is not positive", "add at least one number");
  }
}

// Whether rounding to the grid is more than a small part of the noise.
bool is_coarse(const LaplaceNoise& noise) { return fineness(noise) > Rational(1, 16); }
bool is_coarse(const GaussianNoise& noise) { return fineness_squared(noise) > Rational(1, 256); }

// One number on the grid is off by more than k steps with probability e^(−(k + ½)s).
Rational accuracy_on_grid(const LaplaceNoise& noise, const Rational& alpha) {
  const Ball steps = -ln(weighted_ball(alpha)) / weighted_ball(fineness(noise));
  const Integer k = (steps.upper_rational() - Rational(1, 2)).ceil();
  return noise.grid.point(std::max(k, Integer(0)));
}

// What Chernoff's bound and the union bound give for `count` noises of one law.
Rational plain_accuracy(const LaplaceNoise& noise, std::int64_t count, const Rational& alpha) {
  if (count > 1 && noise.on_grid) {
    // A larger scale has a larger error, and very small ones have moments that are hard to compute.
    const Rational scale = std::max(noise.scale, noise.grid.spacing() / Rational(64));
    return laplace_sum_accuracy(scale, noise.grid, SumInputs::kOnGrid, count, alpha);
  }
  if (count > 1) {
    return laplace_sum_accuracy(noise.scale, noise.grid, SumInputs::kAnywhere, count, alpha);
  }
  if (noise.on_grid) return accuracy_on_grid(noise, alpha);
  return smallest_accuracy(noise.scale, noise.grid, alpha).ball.upper_rational();
}
Rational plain_accuracy(const GaussianNoise& noise, std::int64_t count, const Rational& alpha) {
  if (count > 1) return gaussian_sum_accuracy(noise.variance, noise.grid, count, alpha);
  return gaussian_accuracy(noise.variance, noise.grid, alpha);
}

std::optional<Rational> real_accuracy(const NoiseLaw& law, std::int64_t count,
                                      const Rational& alpha) {
  const WeightedNoise noise{law, 1, count};
  return accuracy_internal::real_noise_accuracy({&noise, 1}, alpha);
}

// `count` noises of one law, at least 2.
Rational sum_accuracy(const LaplaceNoise& noise, std::int64_t count, const Rational& alpha) {
  // Below this, rounding matters less than the steps cost.
  const Rational finest = Rational::two_to(-12);
  const Rational steps = fineness(noise);
  if (noise.on_grid && steps >= finest && count <= accuracy_internal::kMostVariates) {
    const double step = std::min(steps.down(), 64.0);
    const auto k = accuracy_internal::smallest_steps_bound(
        accuracy_internal::LaplaceSteps{step, count}, alpha);
    if (k) return noise.grid.point(*k);
  }
  const std::optional<Rational> real = real_accuracy(noise, count, alpha);
  if (!real || is_coarse(noise)) {
    const Rational plain = plain_accuracy(noise, count, alpha);
    return real ? std::min(*real, plain) : plain;
  }
  return noise.on_grid ? noise.grid.point(noise.grid.floor_index(*real)) : *real;
}

// A whole k with Pr[|Z| > k] ≤ α for masses of at most factor·e^(−j²/(2V))/√(2πV).
std::optional<Rational> gaussian_steps_bound(const Ball& factor, const Rational& variance,
                                             const Rational& alpha) {
  const Rational half(1, 2);
  const Rational deviation = sqrt(weighted_ball(variance)).upper_rational();
  const auto bound_with = [&](const Ball& whole_factor) -> std::optional<Rational> {
    const auto z = accuracy_internal::gaussian_quantile_bound(whole_factor, alpha);
    if (!z) return std::nullopt;
    return Rational(std::max((*z * deviation - half).ceil(), Integer(0)));
  };
  // Beyond the deviation a mass is at most the integral over the step around it.
  const std::optional<Rational> far = bound_with(factor);
  if (!far || (*far + half) * (*far + half) >= variance) return far;
  return bound_with(factor * exp(weighted_ball(Rational(1) / (Rational(24) * variance))));
}

Rational sum_accuracy(const GaussianNoise& noise, std::int64_t count, const Rational& alpha) {
  const Rational steps = Rational(1) / fineness_squared(noise);
  if (steps <= Rational(4) && count <= accuracy_internal::kMostVariates) {
    const double raised = std::max(steps.up(), 0x1p-6);
    const auto k = accuracy_internal::smallest_steps_bound(
        accuracy_internal::GaussianSteps{raised, count}, alpha);
    // Noise that is hardly ever there is raised above, and then the plain bound is the better one.
    if (k) return std::min(noise.grid.point(*k), plain_accuracy(noise, count, alpha));
  }
  const Ball factor = accuracy_internal::gaussian_sum_factor(steps, count);
  const std::optional<Rational> k = gaussian_steps_bound(factor, Rational(count) * steps, alpha);
  if (k && factor.upper() < 1.01) return *k * noise.grid.spacing();
  const Rational plain = plain_accuracy(noise, count, alpha);
  return k ? std::min(plain, *k * noise.grid.spacing()) : plain;
}

Rational accuracy_of_one(const WeightedNoise& noise, const Rational& alpha) {
  return abs(noise.weight) * std::visit(
                                 [&](const auto& law) {
                                   return noise.count == 1 ? plain_accuracy(law, 1, alpha)
                                                           : sum_accuracy(law, noise.count, alpha);
                                 },
                                 noise.law);
}

// Each of k noises is within its own accuracy at α/k.
Rational union_bound(std::span<const WeightedNoise> noises, const Rational& alpha) {
  const Rational part = alpha / Rational(noises.size());
  Rational sum = 0;
  for (const WeightedNoise& noise : noises) sum += accuracy_of_one(noise, part);
  return sum;
}

}  // namespace

Rational weighted_noise_accuracy(std::span<const WeightedNoise> noises, const Rational& alpha) {
  require_noises(noises, alpha);
  std::vector<WeightedNoise> all;
  for (const WeightedNoise& noise : noises) {
    if (noise.weight.sign() != 0) all.push_back(noise);
  }
  if (all.empty()) return 0;
  if (all.size() == 1) return accuracy_of_one(all.front(), alpha);
  const std::optional<Rational> real = accuracy_internal::real_noise_accuracy(all, alpha);
  const bool rough = std::ranges::any_of(all, [](const WeightedNoise& noise) {
    return std::visit([](const auto& law) { return is_coarse(law); }, noise.law);
  });
  if (real && !rough && alpha > Rational::two_to(-64)) return *real;
  const Rational plain = union_bound(all, alpha);
  return real ? std::min(*real, plain) : plain;
}

}  // namespace lastbit
