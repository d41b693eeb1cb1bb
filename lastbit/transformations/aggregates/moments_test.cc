#include "lastbit/transformations/aggregates/moments.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <utility>
#include <vector>

namespace lastbit {
namespace moments_test {

// Bounds of every size, so that blocks of one, a few and very many products occur.
RC_GTEST_PROP(ProductSumsTest, EqualsTheSumOfIntegers, (std::uint64_t max_a, std::uint64_t max_b)) {
  max_a >>= *rc::gen::inRange(0, 64);
  max_b >>= *rc::gen::inRange(0, 64);
  ProductSums sums(max_a, max_b);
  Integer a_sum;
  Integer b_sum;
  Integer products;
  const auto size = *rc::gen::inRange<std::size_t>(1, 40);
  for (std::size_t i = 0; i < size; ++i) {
    const bool extreme = *rc::gen::arbitrary<bool>();
    const auto pick = [&](std::uint64_t most) {
      const auto value = *rc::gen::arbitrary<std::uint64_t>();
      return extreme || most == std::numeric_limits<std::uint64_t>::max() ? most
                                                                          : value % (most + 1);
    };
    const std::uint64_t a = pick(max_a);
    const std::uint64_t b = pick(max_b);
    sums.add(a, b);
    a_sum += Integer(a);
    b_sum += Integer(b);
    products += Integer(a) * Integer(b);
  }
  RC_ASSERT(sums.centred(size) == Rational(products) - Rational(a_sum * b_sum, Integer(size)));
}

TEST(ProductSumsTest, OnlyZeroesHaveNoSpread) {
  ProductSums sums(0, 0);
  for (int i = 0; i < 10; ++i) sums.add(0, 0);
  EXPECT_EQ(sums.centred(10), Rational(0));
}

TEST(MomentsTest, SplitSquareIsTheSpreadOfOnesAndZeros) {
  for (std::size_t n = 1; n <= 6; ++n) {
    for (std::size_t ones = 0; ones <= n; ++ones) {
      ProductSums sums(1, 1);
      for (std::size_t i = 0; i < n; ++i) sums.add(i < ones, i < ones);
      EXPECT_EQ(split_square(Rational(ones), n), sums.centred(n));
    }
  }
}

}  // namespace moments_test
}  // namespace lastbit
