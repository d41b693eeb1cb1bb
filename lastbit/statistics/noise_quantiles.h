// NoiseQuantiles: how far weighted sums of noises of one law go, remembered. A release asks for
// thousands of such sums with nearly the same weights. Copies share what they know, and all of them
// may be used by several threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>

#include "lastbit/accuracy/weighted_noise.h"

namespace lastbit {

class NoiseQuantiles {
 public:
  static constexpr std::size_t kMostNumbers = 6;

  // Of sums of `terms` noises of this law, divided by `unit`.
  // Requires  checked: as weighted_noise_accuracy.  caller: unit > 0.
  NoiseQuantiles(NoiseLaw law, std::int64_t terms, Rational unit, Rational alpha);

  // bound
  // A q with Pr[|Σ wᵢ·Yᵢ| > q] ≤ α for independent such Yᵢ and any |wᵢ| ≤ weights[i].
  // Requires  caller: at most kMostNumbers weights, none negative, all finite.
  // Ensures   weights are rounded up to a 32nd of the largest (a 16th if there are more than four),
  //           so that few different sums are ever computed.
  // Proof     proofs/statistics.md#remembered
  double bound(std::span<const double> weights) const;

 private:
  using Ratios = std::array<std::uint8_t, kMostNumbers>;  // falling, in steps of the largest
  struct Known {
    std::mutex mutex;
    std::map<Ratios, double> bounds;
  };
  double bound_of(const Ratios& ratios, int steps) const;

  NoiseLaw law_;
  std::int64_t terms_;
  Rational unit_;
  Rational alpha_;
  std::shared_ptr<Known> known_;
};

}  // namespace lastbit
