// The exponential mechanism.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lastbit/core/chain.h"
#include "lastbit/mechanisms/selection.h"

namespace lastbit {

namespace mechanism_internal {

// ExponentialChoice: index i with probability proportional to e^(scores[i]/scale).
class ExponentialChoice {
 public:
  explicit ExponentialChoice(const Rational& scale) : scale_(scale) {}
  std::size_t operator()(std::span<const double> scores, BitSource& bits) const;
  std::size_t operator()(std::span<const std::int64_t> scores, BitSource& bits) const;
  std::size_t operator()(std::span<const Rational> scores, BitSource& bits) const;

 private:
  Rational scale_;
};

}  // namespace mechanism_internal

// make_exponential_mechanism
// Releases the index of a candidate: i with probability proportional to e^(scores[i]/scale),
// exactly. The scale is 2·Δ/ε if scores move by at most Δ. Prefer make_noisy_max, which is never
// worse at the same ε, unless you need exactly this law. Where losses are counted in ρ, this law
// needs half the scale: make_concentrated_top_k_each.
// Requires  typed: vectors of a public number of scores (integers, doubles, rationals, grid
//           numbers) with the L-infinity, L1 or range distance.  checked: scale > 0; at least one
//           candidate; doubles without NaN; else kBadParameter.  caller: nothing.
// Ensures   map(d_in) = 2·d_in/scale for L-infinity, d_in/scale for L1 and for the range distance,
//           exact rationals; approached, not attained. Pure only, as for make_noisy_max.
// Limits    a candidate is drawn and kept with probability e^((scores[i] − best)/scale) until one
//           is kept: on average as many draws as there are candidates for each one as good as the
//           best. So the time reveals how many good candidates there are; do not let others
//           measure it.
// Fails     when releasing: with the Errors of the source, whatever the input is.
// Source    [McSherryTalwar2007]
// Proof     proofs/mechanisms.md#exponential-mechanism
template <class D, class M>
  requires SelectionSpace<D, M>
auto make_exponential_mechanism(const D& domain, const M& metric, const Rational& scale) {
  return mechanism_internal::selection_measurement("make_exponential_mechanism",
                                                   "exponential mechanism", domain, metric, scale,
                                                   mechanism_internal::ExponentialChoice(scale));
}

// make_exponential_mechanism, step form: for the scores it meets in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/mechanisms.md#exponential-mechanism
inline auto make_exponential_mechanism(const Rational& scale) {
  return Step{[scale]<class D, class M>(const D& domain, const M& metric)
                requires SelectionSpace<D, M>
              { return make_exponential_mechanism(domain, metric, scale); }};
}

// make_exponential_mechanism_for: the step form with the scale 2·sensitivity/epsilon for L-infinity
// and sensitivity/epsilon for the other distances.
// Requires  checked: epsilon > 0, sensitivity > 0, else kBadParameter; and as the full form.
// Ensures   map(sensitivity) = epsilon.
// Proof     proofs/mechanisms.md#exponential-mechanism
inline auto make_exponential_mechanism_for(const Rational& epsilon, const Rational& sensitivity) {
  return Step{[epsilon, sensitivity]<class D, class M>(const D& domain, const M& metric)
                requires SelectionSpace<D, M>
              {
                return make_exponential_mechanism(
                    domain, metric,
                    mechanism_internal::selection_scale_for("make_exponential_mechanism_for",
                                                            metric, epsilon, sensitivity));
              }};
}

}  // namespace lastbit
