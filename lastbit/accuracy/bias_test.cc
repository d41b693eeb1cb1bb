#include "lastbit/accuracy/bias.h"

#include <gtest/gtest.h>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"

namespace lastbit {
namespace bias_test {

constexpr int kBits = 128;

Ball ball(const Rational& value) { return Ball(value, kBits); }
Ball ball(std::string_view text) { return ball(rational(text)); }

bool close_to(const Ball& a, const Ball& b, const Rational& tolerance) {
  return certainly_less(abs(a - b), ball(tolerance));
}

TEST(ClampedLaplaceTest, MeanIsTheLimitOfFineGrids) {
  for (const char* scale : {"1", "0.2", "5"}) {
    for (const char* x : {"0", "0.5", "-2", "3.9", "4"}) {
      // At a spacing of 2^-30 rounding moves the mean by less than 2^-30.
      const IdealSnapping fine(rational(scale), Grid(-30), -4, 4);
      const Ball mean = fine.bias(rational(x)) + ball(x);
      EXPECT_TRUE(close_to(clamped_laplace_mean(rational(scale), 4, rational(x)), mean,
                           Rational::two_to(-30)));
    }
  }
}

TEST(ClampedLaplaceTest, MeanIsOddContinuousAtTheBoundAndInsideIt) {
  const auto mean = [](const char* x) { return clamped_laplace_mean(1, 2, rational(x)); };
  EXPECT_TRUE(close_to(mean("3"), -mean("-3"), Rational::two_to(-100)));
  EXPECT_TRUE(close_to(mean("2"), mean("2.0000000001"), rational("1e-9")));
  EXPECT_TRUE(certainly_less(mean("2"), mean("3")));
  EXPECT_TRUE(certainly_less(mean("100000"), ball("2.0000000001")));
  expect_code(ErrorCode::kBadParameter, [&] { clamped_laplace_mean(0, 2, 1); });
  expect_code(ErrorCode::kBadParameter, [&] { clamped_laplace_mean(1, 0, 1); });
}

// Shifting the mean down by half a cell bounds the bias from below, and from above likewise.
TEST(ClampedLaplaceTest, HalfACellBelowBoundsTheBiasOfSnapping) {
  for (const char* epsilon : {"0.3", "1", "1.7"}) {
    const IdealSnapping snapping = IdealSnapping::coarse(rational(epsilon), 1, -9, 9);
    const Rational half = snapping.grid().spacing() / Rational(2);
    for (int i = 0; i <= 18; ++i) {
      const Rational x = Rational(i) / Rational(2);
      const auto shifted = [&](const Rational& to) {
        return clamped_laplace_mean(snapping.scale(), 9, to) - ball(x);
      };
      EXPECT_TRUE(certainly_less(shifted(x - half), snapping.bias(x)));
      EXPECT_TRUE(certainly_less(snapping.bias(x), shifted(x + half)));
    }
  }
}

TEST(RoundingBiasTest, IsTheBiasOfSnappingFarFromTheBounds) {
  for (const char* scale : {"1", "1.3", "0.26", "40"}) {
    for (const int exponent : {-1, 0, 1}) {
      const IdealSnapping wide(rational(scale), Grid(exponent), -100'000, 100'000);
      for (const char* x : {"0", "0.1", "0.7", "-3.3", "1.5"}) {
        EXPECT_TRUE(close_to(rounding_bias(rational(scale), Grid(exponent), rational(x)),
                             wide.bias(rational(x)), Rational::two_to(-60)));
      }
    }
  }
}

TEST(RoundingBiasTest, LargestIsReachedAndNotExceeded) {
  for (const char* scale : {"1", "0.7", "0.51", "20", "0.01"}) {
    const UpperBound largest = largest_rounding_bias(rational(scale), Grid(0));
    Ball seen = ball("0");
    for (int i = 0; i <= 500; ++i) {
      const Ball bias = abs(rounding_bias(rational(scale), Grid(0), Rational(i) / Rational(1000)));
      EXPECT_FALSE(certainly_less(largest.ball, bias));
      if (certainly_less(seen, bias)) seen = bias;
    }
    EXPECT_TRUE(certainly_less(largest.ball * ball("0.99"), seen)) << scale;
  }
}

TEST(RoundingBiasTest, LargestIsBelowAThirtyFourthOfTheSmallestGrid) {
  for (const char* scale : {"1", "0.9", "0.75", "0.6", "0.5000001"}) {
    EXPECT_LT(largest_rounding_bias(rational(scale), Grid(0)).value(), 0.02917);
  }
  EXPECT_GT(largest_rounding_bias(rational("0.5"), Grid(0)).ball.lower(), 0.02916);
}

TEST(RoundingBiasTest, LargestIsFiniteOnExtremeGrids) {
  EXPECT_LT(largest_rounding_bias(1, Grid(-300)).value(), 1e-90);
  EXPECT_GT(largest_rounding_bias(1, Grid(-300)).ball.lower(), 0);
  // A wide grid: half a cell, and no more than the radius of a ball beyond it.
  EXPECT_LT(largest_rounding_bias(1, Grid(300)).value(), 0x1.00001p299);
  EXPECT_GT(largest_rounding_bias(1, Grid(300)).ball.lower(), 0x1.ffp298);
  EXPECT_LE(largest_rounding_bias(1, Grid(20)).value(), 0x1p19);
  expect_code(ErrorCode::kBadParameter, [&] { largest_rounding_bias(0, Grid(0)); });
  expect_code(ErrorCode::kBadParameter, [&] { rounding_bias(-1, Grid(0), 0); });
}

TEST(WorstBiasTest, BoundHoldsForAllInputsAndIsCloseToTheBiasAtTheBound) {
  for (const char* scale : {"1", "0.55", "3", "12"}) {
    for (const int exponent : {-4, 0, 2, 4}) {
      for (const char* upper : {"0.7", "4", "10.3"}) {
        const IdealSnapping snapping(rational(scale), Grid(exponent), -rational(upper),
                                     rational(upper));
        const WorstBias worst = worst_bias(snapping);
        for (int i = -40; i <= 40; ++i) {
          const Ball bias = abs(snapping.bias(rational(upper) * Rational(i) / Rational(40)));
          EXPECT_FALSE(certainly_less(worst.bound.ball, bias));
        }
        const Ball rounding = largest_rounding_bias(rational(scale), Grid(exponent)).ball;
        EXPECT_FALSE(certainly_less(abs(worst.at_upper) + ball("2") * rounding, worst.bound.ball));
        EXPECT_TRUE(
            close_to(worst.at_upper, snapping.bias(rational(upper)), Rational::two_to(-90)));
      }
    }
  }
}

}  // namespace bias_test
}  // namespace lastbit
