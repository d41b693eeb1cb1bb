// How the number of rows follows from combinations of the entries of a measure. For this module
// only.
#pragma once

#include <vector>

#include "lastbit/numerics/integer.h"
#include "lastbit/numerics/rational.h"

namespace lastbit::release_internal {

// row_weights: the weights, smallest in the sum of their squares, with which the combinations, in
// steps of 2^step_exponent, add up to the first entry of the measure, its number of rows; empty if
// the combinations do not determine all entries.
std::vector<Rational> row_weights(const std::vector<std::vector<Integer>>& combinations,
                                  int step_exponent);

}  // namespace lastbit::release_internal
