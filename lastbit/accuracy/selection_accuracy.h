// Accuracy of a choice: the largest distance of the chosen score from the best.
#pragma once

#include <cstddef>

#include "lastbit/accuracy/accuracy.h"
#include "lastbit/numerics/rational.h"

namespace lastbit {

// selection_accuracy
// For noisy max and for its k rounds (make_noisy_max, make_top_k) over m candidates:
// λ·ln(k·(2m − k − 1)/(4α)), or 0 if that is negative; λ·ln((m − 1)/(2α)) for k = 1. With
// probability at least 1 − α, the score chosen in every round r is at least the best remaining
// score minus this, hence at least the r-th best of all minus this. For choices in several blocks
// at once, divide α by their number.
// Requires  checked: scale > 0, 1 ≤ k ≤ m, 0 < alpha < 1, else kBadParameter.
// Ensures   it holds for all scores. For k = 1 it is nearly sharp: for scores that are all equal
//           except one, the probability of a larger gap can be α·(1 − 2α/3) or more.
// Proof     proofs/accuracy.md#selection
UpperBound selection_accuracy(const Rational& scale, std::size_t candidates, std::size_t k,
                              const Rational& alpha, int precision = kAccuracyPrecision);

}  // namespace lastbit
