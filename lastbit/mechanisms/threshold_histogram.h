// Histograms over keys that are not known beforehand: noisy counts, of which only large ones are
// released, because the presence of a key is private too.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lastbit/core/chain.h"
#include "lastbit/core/measurement.h"
#include "lastbit/core/metric.h"
#include "lastbit/mechanisms/noise_space.h"
#include "lastbit/mechanisms/threshold_rule.h"
#include "lastbit/numerics/ball.h"
#include "lastbit/random/discrete_laplace.h"

namespace lastbit {

// CountThreshold: one count c ≥ 1 becomes c + Z, Z discrete Laplace, and is kept if that reaches
// the threshold; a count below 1 is never kept.
// Requires  checked: scale > 0, threshold ≥ 1, else kBadParameter.
// Proof     proofs/mechanisms.md#threshold-histogram
class CountThreshold {
 public:
  CountThreshold(const Rational& scale, std::int64_t threshold);

  const Rational& scale() const { return noise_.scale(); }
  std::int64_t threshold() const { return threshold_; }

  // release: for each count the noisy count, or nothing. Cut at the largest int64.
  std::vector<std::optional<std::int64_t>> release(std::span<const std::int64_t> counts,
                                                   BitSource& bits) const;

  // kept: the probability that a count c ≥ 1 is kept, the mass at the threshold included.
  Ball kept(const Integer& count, int precision) const;
  // delta: max(kept(d), 1 − (1 − kept(1))^d), the largest probability that a key that only one of
  // two histograms has is released; rounded up to a double. 0 for d = 0.
  Rational delta(const Integer& d) const;
  // loss: (⌊d_in⌋/scale, delta(⌊d_in⌋)); (∞, 1) for infinity.
  PrivacyLoss loss(const Distance& d_in) const;

  // smallest: the smallest threshold with delta(⌊d_in⌋) ≤ delta.
  // Requires  checked: scale > 0, 0 < delta < 1, d_in finite, and some int64 suffices; else
  //           kBadParameter.
  static std::int64_t smallest(const Rational& scale, const Rational& delta,
                               const Distance& d_in = 1);

 private:
  DiscreteLaplace noise_;
  std::int64_t threshold_;
};

// require_delta: a kBadParameter Error that names the smallest threshold that works, unless
// threshold.loss(limit.d_in) has a delta of at most limit.delta.
void require_delta(const CountThreshold& threshold, const DeltaLimit& limit);

// make_threshold_histogram
// Releases the keys whose count, with discrete Laplace noise, reaches the threshold, with those
// noisy counts. Keys without a positive count are treated as absent, whether listed or not.
// Requires  typed: maps from keys to integers (make_histogram_by_key<1>) with the L1 distance.
//           checked: scale > 0; threshold ≥ 1; a limit, if given, holds; else kBadParameter, with
//           the smallest threshold that works.  caller: nothing.
// Ensures   with d = ⌊d_in⌋, map(d_in) = (d/scale, δ), where δ is the largest probability that a
//           key is released that only one of two d-close histograms has: the exact value, which no
//           ε makes smaller, rounded up to a double. The mass at the threshold counts.
// Limits    time and memory grow with the number of keys, which is private: do not let others
//           measure them. The released counts of kept keys are biased upward.
// Fails     when releasing: with the Errors of the source, whatever the input is.
// Proof     proofs/mechanisms.md#threshold-histogram
template <CountMap D>
auto make_threshold_histogram(const D& domain, const L1Distance& metric, const Rational& scale,
                              std::int64_t threshold,
                              const std::optional<DeltaLimit>& limit = std::nullopt) {
  const CountThreshold rule(scale, threshold);
  if (limit) require_delta(rule, *limit);
  using Counts = CarrierOf<D>;
  using Result = Measurement<D, L1Distance, Counts, SmoothedMaxDivergence>;
  return Result(
      "threshold histogram", domain, metric, {},
      [rule](const Counts& histogram, BitSource& bits) {
        return mechanism_internal::release_keys(rule, histogram, bits);
      },
      Result::PrivacyRelation::from_map([rule](const Distance& d_in) { return rule.loss(d_in); }));
}

// make_threshold_histogram, step form: for the counts it meets in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/mechanisms.md#threshold-histogram
inline auto make_threshold_histogram(const Rational& scale, std::int64_t threshold,
                                     const std::optional<DeltaLimit>& limit = std::nullopt) {
  return Step{[scale, threshold, limit]<CountMap D>(const D& domain, const L1Distance& metric) {
    return make_threshold_histogram(domain, metric, scale, threshold, limit);
  }};
}

// make_threshold_histogram_for: the step form with scale = d_in/epsilon and the smallest threshold
// that keeps delta.
// Requires  checked: epsilon > 0, 0 < delta < 1, d_in a whole number of rows, at least 1, else
//           kBadParameter.
// Ensures   map(d_in) = (epsilon, δ) with δ ≤ delta.
// Proof     proofs/mechanisms.md#threshold-histogram
inline auto make_threshold_histogram_for(const Rational& epsilon, const Rational& delta,
                                         std::int64_t d_in = 1) {
  const Rational scale =
      mechanism_internal::scale_for("make_threshold_histogram_for", epsilon, Rational(d_in));
  return make_threshold_histogram(scale, CountThreshold::smallest(scale, delta, d_in));
}

}  // namespace lastbit
