// Report noisy max with exponential noise, which is the permute-and-flip mechanism.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "lastbit/core/chain.h"
#include "lastbit/mechanisms/selection.h"
#include "lastbit/random/exponential/exponential_block.h"

namespace lastbit {

namespace mechanism_internal {

// NoisyMax: argmax of scores[i] + scale·E_i.
class NoisyMax {
 public:
  explicit NoisyMax(const Rational& scale) : noise_(scale) {}
  std::size_t operator()(std::span<const double> scores, BitSource& bits) const;
  std::size_t operator()(std::span<const std::int64_t> scores, BitSource& bits) const;
  std::size_t operator()(std::span<const Rational> scores, BitSource& bits) const;

 private:
  ScaledExponentials noise_;
};

}  // namespace mechanism_internal

// make_noisy_max
// Releases the index of a candidate with a high score: that of the largest scores[i] + scale·E_i,
// for exponential variates E_i. This has the law of permute-and-flip, which is never worse than the
// exponential mechanism at the same loss.
// Requires  typed: vectors of a public number of scores (integers, doubles, rationals, grid
//           numbers) with the L-infinity, L1 or range distance.  checked: scale > 0; at least one
//           candidate; doubles without NaN; else kBadParameter.  caller: nothing.
// Ensures   map(d_in) = 2·d_in/scale for L-infinity, d_in/scale for L1 and for the range distance
//           (which fits scores that all move one way), exact rationals; attained. Pure only: a pure
//           loss ε implies a zero-concentrated one of ε²/2, and no better one is claimed.
// Limits    the time depends on the noise and the scores: near ties take microseconds, and so do
//           scores that no double holds exactly. An infinite double counts as the largest of its
//           sign.
// Fails     when releasing: with the Errors of the source, whatever the input is.
// Source    [McKennaSheldon2020]; [Ding2021], for the equality of the two
// Proof     proofs/mechanisms.md#noisy-max
template <class D, class M>
  requires SelectionSpace<D, M>
auto make_noisy_max(const D& domain, const M& metric, const Rational& scale) {
  mechanism_internal::require_scale("make_noisy_max", scale);
  return mechanism_internal::selection_measurement("make_noisy_max", "noisy max", domain, metric,
                                                   scale, mechanism_internal::NoisyMax(scale));
}

// make_noisy_max, step form: for the scores it meets in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/mechanisms.md#noisy-max
inline auto make_noisy_max(const Rational& scale) {
  return Step{[scale]<class D, class M>(const D& domain, const M& metric)
                requires SelectionSpace<D, M>
              { return make_noisy_max(domain, metric, scale); }};
}

// make_noisy_max_for: the step form with the scale 2·sensitivity/epsilon for L-infinity and
// sensitivity/epsilon for the other distances.
// Requires  checked: epsilon > 0, sensitivity > 0, else kBadParameter; and as the full form.
// Ensures   map(sensitivity) = epsilon.
// Proof     proofs/mechanisms.md#noisy-max
inline auto make_noisy_max_for(const Rational& epsilon, const Rational& sensitivity) {
  return Step{[epsilon, sensitivity]<class D, class M>(const D& domain, const M& metric)
                requires SelectionSpace<D, M>
              {
                return make_noisy_max(domain, metric,
                                      mechanism_internal::selection_scale_for(
                                          "make_noisy_max_for", metric, epsilon, sensitivity));
              }};
}

}  // namespace lastbit
