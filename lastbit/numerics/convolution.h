// convolve: products of polynomials with whole coefficients, exact.
#pragma once

#include <span>
#include <vector>

#include "lastbit/numerics/integer.h"

namespace lastbit {

// convolve: c with c_n = Σ a_i·b_{n−i}, of a.size() + b.size() − 1 numbers; empty if one of
// them is.
//
// Requires  checked: no number is negative, else kInternal.
// Ensures   every number is exact. Both sequences become one long number each, with so many bits
//           per place that places cannot run into each other; one multiplication does the rest.
// Fails     kNotSupported if these numbers would exceed Integer::kMaxBits.
// Proof     proofs/numerics.md#convolution
std::vector<Integer> convolve(std::span<const Integer> a, std::span<const Integer> b);

}  // namespace lastbit
