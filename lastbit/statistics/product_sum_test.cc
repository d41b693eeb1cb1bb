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

RC_GTEST_PROP(ProductSumTest, OneRowMovesItByTheMapAtMost, ()) {
  const auto bounds = pair_of(interval(-3, 5), interval(-7, 2));
  const auto sum = make_product_sum(vector_of(bounds), SymmetricDistance{});
  Pairs pairs = *rc::gen::container<Pairs>(
      rc::gen::pair(rc::gen::inRange<std::int64_t>(-3, 6), rc::gen::inRange<std::int64_t>(-7, 3)));
  const Rational before = sum(pairs);
  pairs.emplace_back(*rc::gen::inRange<std::int64_t>(-3, 6),
                     *rc::gen::inRange<std::int64_t>(-7, 3));
  RC_ASSERT(Distance(abs(sum(pairs) - before)) <= sum.map(1));
}

TEST(ProductSumTest, MapIsAttainedAtTheFarCorner) {
  const auto sum =
      make_product_sum(vector_of(pair_of(interval(-3, 5), interval(-7, 2))), SymmetricDistance{});
  EXPECT_EQ(sum.map(1), Distance(35));
  EXPECT_EQ(sum({{5, -7}}), Rational(-35));
  EXPECT_EQ(sum.map(3), Distance(105));
}

}  // namespace product_sum_test
}  // namespace lastbit
