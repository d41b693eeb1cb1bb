// Divergences of finite distributions, computed exactly: what the measures promise to bound.
//
// The divergences of the theory are logarithms; these functions return what is under the logarithm,
// which is rational, and compare it with e^ε by balls. Nothing is rounded.
// Definitions, and the corrections to the usual ones: proofs/core.md#measures.
#pragma once

#include <map>
#include <vector>

#include "lastbit/core/identity.h"
#include "lastbit/core/measure.h"
#include "lastbit/numerics/ball.h"
#include "lastbit/numerics/distance.h"
#include "lastbit/numerics/rational.h"

namespace lastbit {

template <class T>
using FiniteDistribution = std::map<T, Rational, IdentityLess>;

// OutcomePair: the probability of one outcome under each of two distributions.
struct OutcomePair {
  Rational y;
  Rational z;
};

// outcome_pairs: both distributions side by side, one entry for each outcome of either. Weights that
// are negative, or do not sum to 1, are a kBadParameter Error.
std::vector<OutcomePair> checked_outcome_pairs(std::vector<OutcomePair> pairs);
template <class T>
std::vector<OutcomePair> outcome_pairs(const FiniteDistribution<T>& y,
                                       const FiniteDistribution<T>& z) {
  std::map<T, OutcomePair, IdentityLess> merged;
  for (const auto& [outcome, mass] : y) merged[outcome].y = mass;
  for (const auto& [outcome, mass] : z) merged[outcome].z = mass;
  std::vector<OutcomePair> pairs;
  for (const auto& [outcome, pair] : merged) pairs.push_back(pair);
  return checked_outcome_pairs(std::move(pairs));
}

// smoothed_max_ratio: sup of (Pr[Y ∈ S] − δ)/Pr[Z ∈ S] over events S with Pr[Y ∈ S] > δ, which is
// e^(D∞^δ(Y‖Z)). Infinite where some such S has Pr[Z ∈ S] = 0; 0, for a supremum over nothing, when
// δ = 1. With δ = 0 it is e^(D∞(Y‖Z)), the largest ratio of two probabilities.
// Requires  checked: 0 ≤ δ ≤ 1, else kBadParameter.
// Proof     proofs/core.md#smoothed
Distance smoothed_max_ratio(const std::vector<OutcomePair>& pairs, const Rational& delta);
inline Distance max_ratio(const std::vector<OutcomePair>& pairs) {
  return smoothed_max_ratio(pairs, 0);
}

// smallest_delta: Σ max(0, Pr[Y = s] − ratio·Pr[Z = s]), the least δ with Pr[Y ∈ S] ≤ ratio·Pr[Z ∈ S]
// + δ for every S (the hockey-stick divergence at `ratio` = e^ε).
Rational smallest_delta(const std::vector<OutcomePair>& pairs, const Rational& ratio);

// renyi_divergence: D_α(Y‖Z) = ln(Σ y^α z^(1−α))/(α − 1) for rational α > 1, as a ball; not finite
// when some outcome of Y is impossible under Z. An α ≤ 1 is a kBadParameter Error.
Ball renyi_divergence(const std::vector<OutcomePair>& pairs, const Rational& alpha, int precision);

// is_at_most_exp: ratio ≤ e^epsilon, decided. e^ε of a rational ε ≠ 0 is irrational, so the two are
// never equal and a ball of some precision decides; kNotSupported beyond 8192 bits.
bool is_at_most_exp(const Distance& ratio, const Distance& epsilon);

// is_within: the divergence of Y from Z under the measure is at most the given value, decided. One
// direction only: privacy asks for both.
bool is_within(const MaxDivergence& measure, const std::vector<OutcomePair>& pairs,
               const Distance& epsilon);
bool is_within(const SmoothedMaxDivergence& measure, const std::vector<OutcomePair>& pairs,
               const PrivacyLoss& loss);

// certainly_exceeds: D_α(Y‖Z) > ρ·α is proved for this α, so the pair is not ρ-zero-concentrated.
// False proves nothing: there are infinitely many orders.
bool certainly_exceeds(const ZeroConcentratedDivergence& measure,
                       const std::vector<OutcomePair>& pairs, const Distance& rho,
                       const Rational& alpha);

}  // namespace lastbit
