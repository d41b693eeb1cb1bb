// Noisy max in every block of a table of scores: one choice in each of many groups.
#pragma once

#include "lastbit/core/chain.h"
#include "lastbit/mechanisms/noisy_max.h"
#include "lastbit/mechanisms/selection.h"

namespace lastbit {

// make_noisy_max_each
// Releases, for each block, the index of a candidate with a high score, as make_noisy_max does.
// Requires  typed: vectors of a public number of blocks, each a vector of a public number of scores
//           (integers, doubles, rationals, grid numbers), with the sum over the blocks of the
//           L-infinity, L1 or range distance.  checked: scale > 0; at least one candidate; doubles
//           without NaN; else kBadParameter.  caller: nothing.
// Ensures   map(d_in) = 2·d_in/scale for L-infinity, d_in/scale for L1 and for the range distance,
//           exact rationals, for any number of blocks; attained. Pure only, as noisy max is.
// Limits    as make_noisy_max. Without blocks the answer is empty.
// Fails     when releasing: with the Errors of the source, whatever the input is.
// Proof     proofs/mechanisms.md#noisy-max-each
template <class D, class M>
  requires SelectionBlocks<D, M>
auto make_noisy_max_each(const D& domain, const M& metric, const Rational& scale) {
  mechanism_internal::require_scale("make_noisy_max_each", scale);
  return mechanism_internal::selection_measurement(
      "make_noisy_max_each", "noisy max in each block", domain, metric, scale,
      mechanism_internal::in_each_block(mechanism_internal::NoisyMax(scale)));
}

// make_noisy_max_each, step form: for the scores it meets in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/mechanisms.md#noisy-max-each
inline auto make_noisy_max_each(const Rational& scale) {
  return Step{[scale]<class D, class M>(const D& domain, const M& metric)
                requires SelectionBlocks<D, M>
              { return make_noisy_max_each(domain, metric, scale); }};
}

// make_noisy_max_each_for: the step form with the scale 2·sensitivity/epsilon for L-infinity and
// sensitivity/epsilon for the other distances.
// Requires  checked: epsilon > 0, sensitivity > 0, else kBadParameter; and as the full form.
// Ensures   map(sensitivity) = epsilon.
// Proof     proofs/mechanisms.md#noisy-max-each
inline auto make_noisy_max_each_for(const Rational& epsilon, const Rational& sensitivity) {
  return Step{[epsilon, sensitivity]<class D, class M>(const D& domain, const M& metric)
                requires SelectionBlocks<D, M>
              {
                return make_noisy_max_each(
                    domain, metric,
                    mechanism_internal::selection_scale_for("make_noisy_max_each_for", metric,
                                                            epsilon, sensitivity));
              }};
}

}  // namespace lastbit
