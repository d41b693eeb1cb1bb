// The k best candidates, one by one, by rounds of noisy max over those that are left.
#pragma once

#include <cstddef>

#include "lastbit/core/chain.h"
#include "lastbit/mechanisms/noisy_max.h"
#include "lastbit/mechanisms/selection.h"

namespace lastbit {

// make_top_k
// Releases the indices of k different candidates with high scores, the best first: the choice of
// noisy max, then the choice of a fresh noisy max among the others, and so on.
// Requires  typed: as make_noisy_max.  checked: scale > 0; 1 ≤ k ≤ number of candidates; doubles
//           without NaN; else kBadParameter.  caller: nothing.
// Ensures   map(d_in) = 2·k·d_in/scale for L-infinity, k·d_in/scale for L1 and for the range
//           distance, exact rationals; approached for k below the number of candidates. Pure only.
// Limits    k rounds over all candidates; the time depends on noise and scores as for
//           make_noisy_max.
// Fails     when releasing: with the Errors of the source, whatever the input is.
// Proof     proofs/mechanisms.md#top-k
template <class D, class M>
  requires SelectionSpace<D, M>
auto make_top_k(const D& domain, const M& metric, const Rational& scale, std::size_t k) {
  mechanism_internal::require_scale("make_top_k", scale);
  mechanism_internal::require_rounds("make_top_k", k, domain.size());
  return mechanism_internal::selection_measurement(
      "make_top_k", "top k", domain, metric, scale / Rational(k),
      mechanism_internal::InRounds(mechanism_internal::NoisyMax(scale), k));
}

// make_top_k, step form: for the scores it meets in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/mechanisms.md#top-k
inline auto make_top_k(const Rational& scale, std::size_t k) {
  return Step{[scale, k]<class D, class M>(const D& domain, const M& metric)
                requires SelectionSpace<D, M>
              { return make_top_k(domain, metric, scale, k); }};
}

// make_top_k_for: the step form with the scale 2·k·sensitivity/epsilon for L-infinity and
// k·sensitivity/epsilon for the other distances.
// Requires  checked: epsilon > 0, sensitivity > 0, else kBadParameter; and as the full form.
// Ensures   map(sensitivity) = epsilon.
// Proof     proofs/mechanisms.md#top-k
inline auto make_top_k_for(const Rational& epsilon, const Rational& sensitivity, std::size_t k) {
  return Step{[epsilon, sensitivity, k]<class D, class M>(const D& domain, const M& metric)
                requires SelectionSpace<D, M>
              {
                mechanism_internal::require_rounds("make_top_k_for", k, domain.size());
                const Rational one_round = mechanism_internal::selection_scale_for(
                    "make_top_k_for", metric, epsilon, sensitivity);
                return make_top_k(domain, metric, one_round * Rational(k), k);
              }};
}

// make_top_k_each
// The same in each block: for each, the indices of its k candidates.
// Requires  typed: as make_noisy_max_each.  checked: as make_top_k.  caller: nothing.
// Ensures   map(d_in) as make_top_k, d_in being the sum over the blocks, for any number of them.
// Limits    as make_top_k. Without blocks the answer is empty.
// Fails     when releasing: with the Errors of the source, whatever the input is.
// Proof     proofs/mechanisms.md#top-k
template <class D, class M>
  requires SelectionBlocks<D, M>
auto make_top_k_each(const D& domain, const M& metric, const Rational& scale, std::size_t k) {
  mechanism_internal::require_scale("make_top_k_each", scale);
  mechanism_internal::require_rounds("make_top_k_each", k, domain.element().size());
  return mechanism_internal::selection_measurement(
      "make_top_k_each", "top k in each block", domain, metric, scale / Rational(k),
      mechanism_internal::in_each_block(
          mechanism_internal::InRounds(mechanism_internal::NoisyMax(scale), k)));
}

// make_top_k_each, step form: for the scores it meets in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/mechanisms.md#top-k
inline auto make_top_k_each(const Rational& scale, std::size_t k) {
  return Step{[scale, k]<class D, class M>(const D& domain, const M& metric)
                requires SelectionBlocks<D, M>
              { return make_top_k_each(domain, metric, scale, k); }};
}

// make_top_k_each_for: the step form with the scale 2·k·sensitivity/epsilon for L-infinity and
// k·sensitivity/epsilon for the other distances.
// Requires  checked: epsilon > 0, sensitivity > 0, else kBadParameter; and as the full form.
// Ensures   map(sensitivity) = epsilon.
// Proof     proofs/mechanisms.md#top-k
inline auto make_top_k_each_for(const Rational& epsilon, const Rational& sensitivity,
                                std::size_t k) {
  return Step{[epsilon, sensitivity, k]<class D, class M>(const D& domain, const M& metric)
                requires SelectionBlocks<D, M>
              {
                mechanism_internal::require_rounds("make_top_k_each_for", k,
                                                   domain.element().size());
                const Rational one_round = mechanism_internal::selection_scale_for(
                    "make_top_k_each_for", metric, epsilon, sensitivity);
                return make_top_k_each(domain, metric, one_round * Rational(k), k);
              }};
}

}  // namespace lastbit
