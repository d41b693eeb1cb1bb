#include "lastbit/statistics/product_sum.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace lastbit {
namespace product_sum_test {

using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

TEST(ProductSumTest, LargestProductsOfBothSignsDoNotOverflow) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(product_sum(Pairs(100, {kLeast, kLeast})), Integer(100) * Integer::two_to(126));
  EXPECT_EQ(product_sum(Pairs(100, {kLeast, kMost})),
            Integer(100) * Integer(kLeast) * Integer(kMost));
}

RC_GTEST_PROP(ProductSumTest, EqualsTheSumInUnboundedIntegers, (const Pairs& pairs)) {
  Integer expected;
  for (const auto& [a, b] : pairs) expected += Integer(a) * Integer(b);
  RC_ASSERT(product_sum(pairs) == expected);
}

}  // namespace product_sum_test
}  // namespace lastbit
