// Laws and losses for the tests of this module and its neighbours. For tests only.
#pragma once

#include <algorithm>

#include "lastbit/core/divergence.h"
#include "lastbit/verify/floats/loss/exact_law.h"

namespace lastbit::verify::testing {

using Law = FiniteDistribution<Rational>;

// law_of: the outputs that can occur, with their probabilities.
inline Law law_of(const FloatMechanism& mechanism, const Rational& x) {
  Law law;
  for (const auto& [output, probability] : output_law(mechanism, x)) {
    if (probability.sign() != 0) law[output] = probability;
  }
  return law;
}

// worst_ratio: the larger of the two largest ratios of probabilities: e to the loss.
inline Distance worst_ratio(const Law& y, const Law& z) {
  return std::max(max_ratio(outcome_pairs(y, z)), max_ratio(outcome_pairs(z, y)));
}

}  // namespace lastbit::verify::testing
