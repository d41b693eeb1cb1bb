#include "lastbit/statistics/enclosure.h"

#include <gtest/gtest.h>

#include <array>
#include <cfenv>

namespace lastbit::statistics_internal {
namespace enclosure_test {

void expect_holds(const Enclosure& enclosure, const Rational& exact) {
  EXPECT_LE(Rational::exactly(enclosure.lower), exact);
  EXPECT_GE(Rational::exactly(enclosure.upper), exact);
}

TEST(EnclosureTest, HoldsExactResultsInEveryRoundingMode) {
  const std::array<double, 6> numbers = {0.1, -0.3, 2.3333333333333335, 1e-20, -12345.678, 1};
  for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    for (const double x : numbers) {
      for (const double y : numbers) {
        // The processor, and not the compiler, computes these.
        const volatile double a = x;
        const volatile double b = y;
        std::fesetround(mode);
        const Enclosure first{a, a};
        const Enclosure second{b, b};
        const Enclosure sum = first + second;
        const Enclosure difference = first - second;
        const Enclosure product = first * second;
        const Enclosure square = squared(first);
        const Enclosure positive = squared(second);
        const Enclosure quotient = first / positive;
        const Enclosure side = root(positive);
        std::fesetround(FE_TONEAREST);
        const Rational exact_a = Rational::exactly(x);
        const Rational exact_b = Rational::exactly(y);
        expect_holds(sum, exact_a + exact_b);
        expect_holds(difference, exact_a - exact_b);
        expect_holds(product, exact_a * exact_b);
        expect_holds(square, exact_a * exact_a);
        expect_holds(quotient, exact_a / (exact_b * exact_b));
        expect_holds(side, abs(exact_b));
      }
    }
  }
}

TEST(EnclosureTest, HoldsEveryNumberOfItsOperands) {
  const Enclosure across{-2, 3};
  EXPECT_EQ(squared(across).lower, 0);
  EXPECT_GE(squared(across).upper, 9);
  EXPECT_LE((across * Enclosure{-5, 1}).lower, -15);
  EXPECT_GE((across * Enclosure{-5, 1}).upper, 10);
  EXPECT_FALSE(common({0, 1}, {2, 3}).has_value());
  EXPECT_EQ(common({0, 2}, {1, 3}).value_or(Enclosure{}).lower, 1);
  EXPECT_LE(widened({0, 1}, 0.5).lower, -0.5);
}

}  // namespace enclosure_test
}  // namespace lastbit::statistics_internal
