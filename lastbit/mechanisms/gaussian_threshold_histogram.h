// Histograms over keys that are not known beforehand, in rho and delta: counts with discrete
// Gaussian noise, of which only large ones are released.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lastbit/core/chain.h"
#include "lastbit/core/measurement.h"
#include "lastbit/core/metric.h"
#include "lastbit/mechanisms/threshold_rule.h"
#include "lastbit/numerics/ball.h"
#include "lastbit/random/discrete_gaussian.h"

namespace lastbit {

// GaussianCountThreshold: one count c ≥ 1 becomes c + Z, Z discrete Gaussian, and is kept if that
// reaches the threshold; a count below 1 is never kept. One step changes at most `keys` counts,
// each by at most 1.
// Requires  checked: variance > 0, threshold ≥ 1, keys ≥ 1, else kBadParameter.
// Proof     proofs/mechanisms.md#gaussian-threshold
class GaussianCountThreshold {
 public:
  GaussianCountThreshold(const Rational& variance, std::int64_t threshold, Integer keys = 1);

  const Rational& variance() const { return noise_.variance(); }
  std::int64_t threshold() const { return threshold_; }

  // release: for each count the noisy count, or nothing. Cut at the largest int64.
  std::vector<std::optional<std::int64_t>> release(std::span<const std::int64_t> counts,
                                                   BitSource& bits) const;

  // kept: a bound on the probability that a count c ≥ 1 is kept, the mass at the threshold
  // included: the number itself for variances up to 1024, else an integral that is slightly larger,
  // or 1 where the threshold is within one standard deviation.
  Ball kept(const Integer& count, int precision) const;
  // delta: of d steps: the largest 1 − Π(1 − kept(c)) over keys that only one of two histograms
  // has, max(1 − (1 − kept(1))^(d·keys), 1 − (1 − kept(d))^keys); rounded up to a double. 0 for d =
  // 0.
  Rational delta(const Integer& d) const;
  // loss: (keys·⌊d_in⌋²/(2·variance), delta(⌊d_in⌋)); (∞, 1) for infinity.
  ConcentratedLoss loss(const Distance& d_in) const;

  // smallest: the smallest threshold with delta(⌊limit.d_in⌋) ≤ limit.delta.
  // Requires  checked: as above; 0 < limit.delta < 1, limit.d_in finite, and some int64 suffices;
  //           else kBadParameter.
  static std::int64_t smallest(const Rational& variance, const Integer& keys,
                               const DeltaLimit& limit);

 private:
  DiscreteGaussian noise_;
  std::int64_t threshold_;
  Integer keys_;
};

// require_delta: a kBadParameter Error that names the smallest threshold that works, unless the
// delta at limit.d_in is at most limit.delta.
void require_delta(const GaussianCountThreshold& threshold, const Integer& keys,
                   const DeltaLimit& limit);

// make_gaussian_threshold_histogram
// Releases the keys whose count, with discrete Gaussian noise, reaches the threshold, with those
// noisy counts. Keys without a positive count are treated as absent, whether listed or not.
// Requires  typed: maps from keys to integers, with SpreadDistance: a step changes at most g keys
//           by 1.  checked: variance > 0; threshold ≥ 1; g ≥ 1; a limit, if given, holds; else
//           kBadParameter, with the smallest threshold that works.  caller: nothing.
// Ensures   with d = ⌊d_in⌋, map(d_in) = (g·d²/(2·variance), δ), where δ bounds the probability
//           that a key is released that only one of two d-close histograms has. For variances up to
//           1024 it is the exact value, which no ρ makes smaller, rounded up to a double. The mass
//           at the threshold counts.
// Limits    time and memory grow with the number of keys, which is private: do not let others
//           measure them. The released counts of kept keys are biased upward.
// Fails     when releasing: with the Errors of the source, whatever the input is.
// Source    [BunSteinke2016], section 8, for the measure; [Canonne2020], for the noise
// Proof     proofs/mechanisms.md#gaussian-threshold
template <CountMap D>
auto make_gaussian_threshold_histogram(const D& domain, const SpreadDistance& metric,
                                       const Rational& variance, std::int64_t threshold,
                                       const std::optional<DeltaLimit>& limit = std::nullopt) {
  const GaussianCountThreshold rule(variance, threshold, metric.keys);
  if (limit) require_delta(rule, metric.keys, *limit);
  using Counts = CarrierOf<D>;
  using Result = Measurement<D, SpreadDistance, Counts, ApproximateConcentratedDivergence>;
  return Result(
      "threshold histogram with Gaussian noise", domain, metric, {},
      [rule](const Counts& histogram, BitSource& bits) {
        return mechanism_internal::release_keys(rule, histogram, bits);
      },
      Result::PrivacyRelation::from_map([rule](const Distance& d_in) { return rule.loss(d_in); }));
}

// make_gaussian_threshold_histogram, step form: for the counts it meets in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/mechanisms.md#gaussian-threshold
inline auto make_gaussian_threshold_histogram(
    const Rational& variance, std::int64_t threshold,
    const std::optional<DeltaLimit>& limit = std::nullopt) {
  return Step{
      [variance, threshold, limit]<CountMap D>(const D& domain, const SpreadDistance& metric) {
        return make_gaussian_threshold_histogram(domain, metric, variance, threshold, limit);
      }};
}

}  // namespace lastbit
