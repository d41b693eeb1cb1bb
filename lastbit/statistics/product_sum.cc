#include "lastbit/statistics/product_sum.h"

namespace lastbit {

Integer product_sum(std::span<const std::pair<std::int64_t, std::int64_t>> pairs) {
  constexpr Int128 kFull = static_cast<Int128>(1) << 125;
  Integer total;
  Int128 block = 0;
  for (const auto& [a, b] : pairs) {
    // |block| < 2^125 and |a·b| ≤ 2^126, so the sum stays below 2^127.
    block += static_cast<Int128>(a) * b;
    if (block >= kFull || block <= -kFull) {
      total += Integer(block);
      block = 0;
    }
  }
  total += Integer(block);
  return total;
}

}  // namespace lastbit
