// The k best candidates of each block by rounds of the exponential mechanism, priced in ρ.
#pragma once

#include <cstddef>
#include <vector>

#include "lastbit/core/chain.h"
#include "lastbit/mechanisms/exponential_mechanism.h"
#include "lastbit/mechanisms/selection.h"

namespace lastbit {

// make_concentrated_top_k_each
// Releases, for each block, the indices of k different candidates with high scores, the best first:
// the choice of the exponential mechanism, then a fresh one among the others, and so on. At the
// same ρ the scale is half of what noisy max needs.
// Requires  typed: vectors of a public number of blocks, each a vector of a public number of scores
//           (integers, doubles, rationals, grid numbers), with the root of the sum of squares over
//           the blocks of the L-infinity, L1 or range distance.  checked: scale > 0; 1 ≤ k ≤ number
//           of candidates; doubles without NaN; else kBadParameter.  caller: nothing.
// Ensures   map(d_in) = k·d_in²/(8·scale²) as ρ of zero-concentrated divergence for L1 and for the
//           range distance, four times that for L-infinity, exact rationals, for any number of
//           blocks; approached for scales that are large against d_in and k = 1.
// Limits    as make_exponential_mechanism, k times. Without blocks the answer is empty.
// Fails     when releasing: with the Errors of the source, whatever the input is.
// Source    [Dong2020]; [CesarRogers2021]
// Proof     proofs/mechanisms.md#concentrated-top-k
template <class D, class M>
  requires ConcentratedBlocks<D, M>
auto make_concentrated_top_k_each(const D& domain, const M& metric, const Rational& scale,
                                  std::size_t k) {
  constexpr std::string_view kPlace = "make_concentrated_top_k_each";
  const auto& candidates = mechanism_internal::candidates_of(domain);
  mechanism_internal::require_scale(kPlace, scale);
  mechanism_internal::require_no_nan(kPlace, candidates);
  mechanism_internal::require_rounds(kPlace, k, candidates.size());
  using Output = std::vector<std::vector<std::size_t>>;
  using Result = Measurement<D, M, Output, ZeroConcentratedDivergence>;
  return Result(
      "top k in each block, by exponential mechanisms", domain, metric, {},
      mechanism_internal::in_each_block(
          mechanism_internal::InRounds(mechanism_internal::ExponentialChoice(scale), k)),
      Result::PrivacyRelation::from_map(
          [metric, rho = Rational(k) / (Rational(8) * scale * scale)](const Radical<2>& d_in) {
            return rho * selection_range(metric, d_in).radicand();
          }));
}

// make_concentrated_top_k_each, step form: for the scores it meets in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/mechanisms.md#concentrated-top-k
inline auto make_concentrated_top_k_each(const Rational& scale, std::size_t k) {
  return Step{[scale, k]<class D, class M>(const D& domain, const M& metric)
                requires ConcentratedBlocks<D, M>
              { return make_concentrated_top_k_each(domain, metric, scale, k); }};
}

}  // namespace lastbit
