#include "lastbit/core/divergence.h"

#include <algorithm>

#include "lastbit/base/error.h"

namespace lastbit {
namespace {

// y₁/z₁ > y₂/z₂ without dividing; an outcome impossible under Z comes first.
bool likelier_first(const OutcomePair& a, const OutcomePair& b) { return a.y * b.z > b.y * a.z; }

// Impossible under both: it has no likelihood ratio, and no weight in any event.
bool is_impossible(const OutcomePair& pair) { return pair.y.sign() == 0 && pair.z.sign() == 0; }

}  // namespace

std::vector<OutcomePair> checked_outcome_pairs(std::vector<OutcomePair> pairs) {
  Rational total_y;
  Rational total_z;
  for (const OutcomePair& pair : pairs) {
    if (pair.y.sign() < 0 || pair.z.sign() < 0) {
      throw Error::bad_parameter("divergence", "distribution", "has a negative probability",
                                 "give probabilities");
    }
    total_y += pair.y;
    total_z += pair.z;
  }
  if (total_y != Rational(1) || total_z != Rational(1)) {
    throw Error::bad_parameter(
        "divergence", "distribution",
        "has probabilities that sum to " + (total_y == Rational(1) ? total_z : total_y).to_string(),
        "give probabilities that sum to 1");
  }
  std::erase_if(pairs, is_impossible);
  return pairs;
}

Distance smoothed_max_ratio(const std::vector<OutcomePair>& pairs, const Rational& delta) {
  if (delta.sign() < 0 || delta > Rational(1)) {
    throw Error::bad_parameter("divergence", "delta", "is outside [0, 1]", "give a probability");
  }
  // The best event of any given ratio takes the outcomes above that ratio, so the prefixes in order
  // of likelihood ratio contain a best event.
  std::vector<OutcomePair> ordered = pairs;
  std::erase_if(ordered, is_impossible);
  std::ranges::sort(ordered, likelier_first);
  Distance best;
  Rational y;
  Rational z;
  for (const OutcomePair& pair : ordered) {
    y += pair.y;
    z += pair.z;
    if (y <= delta) continue;
    if (z.sign() == 0) return Distance::infinity();
    best = std::max(best, Distance((y - delta) / z));
  }
  return best;
}

Rational smallest_delta(const std::vector<OutcomePair>& pairs, const Rational& ratio) {
  Rational delta;
  for (const OutcomePair& pair : pairs) delta += std::max(Rational(0), pair.y - ratio * pair.z);
  return delta;
}

Ball renyi_divergence(const std::vector<OutcomePair>& pairs, const Rational& alpha, int precision) {
  if (alpha <= Rational(1)) {
    throw Error::bad_parameter("renyi divergence", "alpha", "is not above 1",
                               "give an order greater than 1");
  }
  const Ball order(alpha, precision);
  const Ball one(Rational(1), precision);
  Ball sum(Rational(0), precision);
  for (const OutcomePair& pair : pairs) {
    if (pair.y.sign() == 0) continue;
    // y^α·z^(1−α) = exp(α·ln y + (1 − α)·ln z); ln 0 makes the sum infinite, as it should be.
    const Ball exponent =
        order * ln(Ball(pair.y, precision)) + (one - order) * ln(Ball(pair.z, precision));
    sum = sum + exp(exponent);
  }
  return ln(sum) / (order - one);
}

bool is_at_most_exp(const Distance& ratio, const Distance& epsilon) {
  if (epsilon.is_infinite()) return true;
  if (ratio.is_infinite()) return false;
  if (ratio <= Distance(1)) return true;
  if (epsilon == Distance(0)) return false;
  return decide([&](int precision) {
           return Ball(epsilon.value(), precision) - ln(Ball(ratio.value(), precision));
         }) > 0;
}

bool is_within(const MaxDivergence&, const std::vector<OutcomePair>& pairs,
               const Distance& epsilon) {
  return is_at_most_exp(max_ratio(pairs), epsilon);
}

bool is_within(const SmoothedMaxDivergence&, const std::vector<OutcomePair>& pairs,
               const PrivacyLoss& loss) {
  return is_at_most_exp(smoothed_max_ratio(pairs, loss.delta()), loss.epsilon());
}

bool certainly_exceeds(const ZeroConcentratedDivergence&, const std::vector<OutcomePair>& pairs,
                       const Distance& rho, const Rational& alpha) {
  constexpr int kPrecision = 256;
  if (rho.is_infinite()) return false;
  const bool impossible = max_ratio(pairs).is_infinite();
  if (impossible) return true;
  return certainly_greater(renyi_divergence(pairs, alpha, kPrecision),
                           Ball(rho.value() * alpha, kPrecision));
}

}  // namespace lastbit
