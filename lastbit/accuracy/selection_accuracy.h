// Accuracy of a choice: the largest distance of the chosen score from the best.
#pragma once

#include <cstddef>

#include "lastbit/accuracy/accuracy.h"
#include "lastbit/accuracy/weighted_noise.h"
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

// exponential_accuracy
// The same for the exponential mechanism and its k rounds (make_exponential_mechanism,
// make_concentrated_top_k_each): λ·ln((2m − k − 1)·(k − α)/(2α)), or 0 if that is negative;
// λ·ln((m − 1)·(1 − α)/α) for k = 1.
// Requires  as selection_accuracy.
// Ensures   it holds for all scores. For k = 1 it is sharp: for one best score and all others just
//           more than this below it, the probability of a larger gap comes as close to α as one
//           likes.
// Proof     proofs/accuracy.md#exponential-selection
UpperBound exponential_accuracy(const Rational& scale, std::size_t candidates, std::size_t k,
                                const Rational& alpha, int precision = kAccuracyPrecision);

// ranking_accuracy
// For the k largest of m numbers with independent noise of one law, in the order of the noisy
// numbers: with probability at least 1 − α, the number in each place r is at least the r-th largest
// of all minus this.
// Requires  checked: 1 ≤ k ≤ m, 0 < alpha < 1, noise on a grid that the numbers are on, else
//           kBadParameter; and as weighted_noise_accuracy.
// Ensures   it holds for all numbers, whatever the order of equal noisy numbers is.
// Proof     proofs/accuracy.md#ranking
Rational ranking_accuracy(const NoiseLaw& law, std::size_t candidates, std::size_t k,
                          const Rational& alpha);

}  // namespace lastbit
