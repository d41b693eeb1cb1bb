// Exact sums of products.
// Proof: proofs/statistics.md#product-sum
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "lastbit/core/chain.h"
#include "lastbit/core/metric.h"
#include "lastbit/core/transformation.h"
#include "lastbit/numerics/integer.h"

namespace lastbit {

using IntegerPairs =
    VectorDomain<PairDomain<IntervalDomain<std::int64_t>, IntervalDomain<std::int64_t>>>;

// product_sum: Σa·b, exactly, for any number of pairs.
Integer product_sum(std::span<const std::pair<std::int64_t, std::int64_t>> pairs);

}  // namespace lastbit
