// Accuracy of a choice: how far the score of what was chosen is from the best, at most.
#pragma once

#include <cstddef>

#include "lastbit/accuracy/accuracy.h"
#include "lastbit/numerics/rational.h"

namespace lastbit {

// selection_accuracy
// For noisy max and for its k rounds (make_noisy_max, make_top_k) over m candidates:
// λ·ln(k·(2m − k − 1)/(4α)), or 0 where that is less; λ·ln((m − 1)/(2α)) for k = 1. With probability
// 1 − α or more, the score chosen in every round r is at least the best score that was left minus
// this, hence at least the r-th best of all minus this. For choices in several blocks together
// divide α by their number.
// Requires  checked: scale > 0, 1 ≤ k ≤ m, 0 < alpha < 1, else kBadParameter.
// Ensures   it holds for all scores. For k = 1 it is sharp up to a factor of α: for scores that are
//           equal but for one the probability of a larger gap is up to α·(1 − 2α/3) and more.
// Proof     proofs/accuracy.md#selection
UpperBound selection_accuracy(const Rational& scale, std::size_t candidates, std::size_t k,
                              const Rational& alpha, int precision = kAccuracyPrecision);

}  // namespace lastbit
