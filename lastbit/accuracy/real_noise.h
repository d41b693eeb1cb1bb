// Inside accuracy only: a sum of noises on grids as real noise and rounding.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "lastbit/accuracy/weighted_noise.h"
#include "lastbit/numerics/ball.h"
#include "lastbit/numerics/rational.h"

namespace lastbit::accuracy_internal {

// real_noise_accuracy
// An a with Pr[|sum of all noises| > a] ≤ α, tight where grids are fine; nothing if none was
// proved. It also holds for all weights of smaller magnitude.
// Requires  caller: at least one noise; weights are not 0; parameters were checked.
// Proof     proofs/accuracy.md#weighted
std::optional<Rational> real_noise_accuracy(std::span<const WeightedNoise> noises,
                                            const Rational& alpha);

// gaussian_sum_factor
// F with Pr[Z₁ + … + Z_m = j] ≤ F·e^(−j²/(2mσ²))/√(2πmσ²) for m discrete Gaussians of variance σ²
// on the whole numbers.
// Proof     proofs/accuracy.md#gaussian-sums
Ball gaussian_sum_factor(const Rational& variance, std::int64_t count);

// gaussian_quantile_bound: a z with factor·erfc(z/√2) ≤ α, close to the smallest; nothing if none
// was proved.
// Requires  caller: factor ≥ 1, 0 < alpha < 1.
std::optional<Rational> gaussian_quantile_bound(const Ball& factor, const Rational& alpha);

}  // namespace lastbit::accuracy_internal
