// Accuracy of a sum of several released numbers, each with its own noise: better than the sum of
// their accuracies, since errors partly cancel.
#pragma once

#include <cstdint>

#include "lastbit/numerics/grid.h"
#include "lastbit/numerics/rational.h"

namespace lastbit {

// laplace_sum_accuracy
// An a with Pr[|released − exact| > a] ≤ α for the sum of `terms` numbers that SnappedLaplace
// releases without bounds. On the grid all of the numbers are multiples of its spacing.
// Requires  checked: scale > 0, terms > 0, 0 < alpha < 1, else kBadParameter.
// Ensures   a is at most terms times the smallest_accuracy of one number with α/terms.
// Proof     proofs/accuracy.md#sums
enum class SumInputs { kOnGrid, kAnywhere };
Rational laplace_sum_accuracy(const Rational& scale, const Grid& grid, SumInputs inputs,
                              std::int64_t terms, const Rational& alpha);

// gaussian_sum_accuracy: the same for make_discrete_gaussian.
// Requires  checked: as gaussian_accuracy, terms > 0, else kBadParameter.
// Ensures   a is at most terms times the gaussian_accuracy of one number with α/terms.
// Proof     proofs/accuracy.md#sums
Rational gaussian_sum_accuracy(const Rational& variance, const Grid& grid, std::int64_t terms,
                               const Rational& alpha);

}  // namespace lastbit
