#include "lastbit/accuracy/real_noise.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <vector>

#include "lastbit/accuracy/bias.h"
#include "lastbit/accuracy/contour.h"

namespace lastbit::accuracy_internal {
namespace {

Ball real_ball(const Rational& value) { return Ball(value, kContourPrecision); }

// RealNoise: what is left of noises on grids. All but `rounding` of the error is real noise.
struct RealNoise {
  struct Laplace {
    Rational width;
    std::int64_t count;
  };
  std::vector<Laplace> laplace;
  Rational variance = 0;
  Ball factor = real_ball(1);   // probabilities of real noise are multiplied by this
  Rational fixed_rounding = 0;  // at most this
  Rational far_rounding = 0;    // of Laplace noise: at most this,
  Rational mean_rounding = 0;   // and this on average,
  Rational squares = 0;         // and the sum of the squared lengths of the cells
};

void add_width(RealNoise& all, const Rational& width, std::int64_t count) {
  for (auto& part : all.laplace) {
    if (part.width != width || part.count > kMostVariates || count > kMostVariates) continue;
    part.count += count;
    return;
  }
  all.laplace.push_back({width, count});
}

void add_noise(RealNoise& all, const LaplaceNoise& noise, const Rational& weight,
               std::int64_t count) {
  const Rational length = weight * noise.grid.spacing();
  const Rational m(count);
  add_width(all, weight * noise.scale, count);
  all.far_rounding += m * length / Rational(2);
  if (!noise.on_grid && count < 16) {
    all.mean_rounding += m * length / Rational(2);
    return;
  }
  all.squares += m * length * length;
  if (noise.on_grid) return;
  // The bias falls as the scale grows; beyond 2^16 steps it is as good as 0, and hard to compute.
  const Rational scale = std::min(noise.scale, noise.grid.spacing() * Rational::two_to(16));
  const Ball bias = largest_rounding_bias(scale, noise.grid).ball;
  all.mean_rounding += m * weight * bias.upper_rational();
}

void add_noise(RealNoise& all, const GaussianNoise& noise, const Rational& weight,
               std::int64_t count) {
  const Rational spacing = noise.grid.spacing();
  const Rational steps = noise.variance / (spacing * spacing);
  all.variance += weight * weight * noise.variance * Rational(count);
  all.factor = all.factor * gaussian_sum_factor(steps, count) *
               exp(real_ball(Rational(1) / (Rational(24) * Rational(count) * steps)));
  all.fixed_rounding += weight * spacing / Rational(2);
}

// A double of at most 24 bits, at least as large as the number.
double raised_to_24_bits(const Rational& value) {
  constexpr double kLeast = 0x1p-300;
  int exponent = 0;
  const double mantissa = std::frexp(std::max(value.up(), kLeast), &exponent);
  return std::ldexp(std::ceil(std::ldexp(mantissa, 24)), exponent - 24);
}

// q with Pr[|real noise| > q] ≤ α, if it is found.
std::optional<Rational> real_quantile(const RealNoise& all, const Rational& alpha) {
  if (all.laplace.empty()) {
    const std::optional<Rational> z = gaussian_quantile_bound(all.factor, alpha);
    if (!z) return std::nullopt;
    return *z * sqrt(real_ball(all.variance)).upper_rational();
  }
  Rational unit = sqrt(real_ball(all.variance)).upper_rational();
  for (const auto& part : all.laplace) {
    if (part.count > kMostVariates) return std::nullopt;
    unit = std::max(unit, part.width);
  }
  if (all.laplace.size() > kMostParts) return std::nullopt;
  RealSum sum;
  for (const auto& part : all.laplace) {
    sum.laplace.push_back({raised_to_24_bits(part.width / unit), part.count});
  }
  if (all.variance.sign() > 0) sum.variance = raised_to_24_bits(all.variance / (unit * unit));
  std::optional<double> q = smallest_separated_bound(sum, alpha);
  if (!q) q = smallest_real_bound(sum, all.factor, alpha);
  if (!q) return std::nullopt;
  return Rational::exactly(*q) * unit;
}

}  // namespace

Ball gaussian_sum_factor(const Rational& variance, std::int64_t count) {
  if (count == 1) return real_ball(1);
  const Ball p = pi(kContourPrecision);
  const Ball small = exp(-(p * p * real_ball(variance)));
  const Ball excess = real_ball(2) * small / (real_ball(1) - small);
  return exp(real_ball(Rational(count - 1)) * excess);
}

std::optional<Rational> gaussian_quantile_bound(const Ball& factor, const Rational& alpha) {
  const Ball wanted = real_ball(alpha);
  const Ball root = sqrt(real_ball(2));
  const double target = (ln(wanted) - ln(factor)).lower();
  if (!std::isfinite(target)) return std::nullopt;
  const auto log_tail = [](double z) {
    if (z < 30) return std::log(std::erfc(z * std::numbers::sqrt2 / 2));
    return -z * z / 2 - std::log(z * std::sqrt(std::numbers::pi / 2));
  };
  // Newton's method without proof.
  double z = std::sqrt(std::max(-2 * target, 0x1p-60));
  for (int i = 0; i < 60; ++i) {
    const double now = log_tail(z);
    const double slope = std::exp(-z * z / 2 - now) * std::sqrt(2 / std::numbers::pi);
    const double next = std::max(z + (now - target) / slope, z / 4);
    if (!(std::abs(next - z) > 1e-12 * z)) break;
    z = next;
  }
  for (double step = 0x1p-30; step < 0x1p60 && std::isfinite(z); step *= 2) {
    z *= 1 + step;
    const Rational bound = Rational::exactly(z);
    if (certainly_less_or_equal(factor * erfc(real_ball(bound) / root), wanted)) return bound;
  }
  return std::nullopt;
}

std::optional<Rational> real_noise_accuracy(std::span<const WeightedNoise> noises,
                                            const Rational& alpha) {
  RealNoise all;
  for (const WeightedNoise& noise : noises) {
    std::visit([&](const auto& law) { add_noise(all, law, abs(noise.weight), noise.count); },
               noise.law);
  }
  Rational rounding = all.far_rounding;
  Rational left = alpha;
  if (all.squares.sign() > 0) {
    // All roundings together are rarely far from their mean.
    const Rational rarely = alpha / Rational(1024);
    const Ball log_rarely = ln(real_ball(Rational(2) / rarely));
    const Rational near = all.mean_rounding +
                          sqrt(log_rarely * real_ball(all.squares / Rational(2))).upper_rational();
    Rational variance = all.variance;
    for (const auto& part : all.laplace) {
      variance += Rational(2) * Rational(part.count) * part.width * part.width;
    }
    // The α that this takes costs less than 2^−11 deviations.
    const Rational price = sqrt(real_ball(variance)).upper_rational() * Rational::two_to(-11);
    if (near + price < rounding) {
      rounding = near;
      left -= rarely;
    }
  }
  const std::optional<Rational> q = real_quantile(all, left);
  if (!q) return std::nullopt;
  return *q + rounding + all.fixed_rounding;
}

}  // namespace lastbit::accuracy_internal
