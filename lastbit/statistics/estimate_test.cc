#include "lastbit/statistics/estimate.h"

#include <gtest/gtest.h>

namespace lastbit {
namespace estimate_test {

TEST(EstimateNumberTest, CutIntervalHoldsTheNumberAndAnEmptyOneIsTheWholeRange) {
  const Estimate inside = estimate_number({5, 2}, Range{0, 6});
  EXPECT_EQ(inside.answer, Rational(5));
  EXPECT_EQ(inside.lower, Rational(3));
  EXPECT_EQ(inside.upper, Rational(6));
  const Estimate outside = estimate_number({-5, 2}, Range{0, 6});
  EXPECT_EQ(outside.answer, Rational(0));
  EXPECT_EQ(outside.lower, Rational(0));
  EXPECT_EQ(outside.upper, Rational(6));
}

TEST(EstimateTest, ScalingKeepsTheOrderAndRootsAreRoundedOutward) {
  const Estimate half = scaled({3, 1, 4}, Rational(1, 2));
  EXPECT_EQ(half.answer, Rational(3, 2));
  EXPECT_EQ(half.lower, Rational(1, 2));
  EXPECT_EQ(half.upper, Rational(2));
  EXPECT_EQ(root_down(0), Rational(0));
  EXPECT_EQ(root_up(Rational(9, 4)), Rational(3, 2));
  EXPECT_LT(pow(root_down(2), 2), Rational(2));
  EXPECT_GT(pow(root_up(2), 2), Rational(2));
  EXPECT_LT(root_up(2) - root_down(2), Rational::two_to(-60));
}

}  // namespace estimate_test
}  // namespace lastbit
