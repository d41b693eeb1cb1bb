// Accuracy of discrete Gaussian noise, and how much noise a target error leaves room for.
#include "lastbit/accuracy/gaussian_accuracy.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

#include "lastbit/accuracy/planned_noise.h"
#include "lastbit/base/test_support.h"
#include "lastbit/random/discrete_gaussian.h"
#include "lastbit/random/exponential/law_check.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace gaussian_accuracy_test {

using testing::kFalseAlarm;
using testing::seeded_tape;

constexpr int kBits = 256;
Ball ball(const Rational& value) { return Ball(value, kBits); }

// Pr[|Z| > k] by its definition: each mass an exponential of its own, far beyond any weight.
Ball by_definition(std::int64_t k, const Rational& variance) {
  const std::int64_t deviations =
      20 * (sqrt(ball(variance)).upper_rational().ceil().to_int64() + 1);
  const std::int64_t last = k + deviations;
  Ball total = ball(1);
  Ball tail = ball(0);
  for (std::int64_t j = 1; j <= last; ++j) {
    const Ball both = ball(2) * exp(ball(-Rational(j) * Rational(j) / (Rational(2) * variance)));
    total = total + both;
    if (j > k) tail = tail + both;
  }
  return tail / total;
}

TEST(GaussianAccuracyTest, IsTheSmallestForNoiseOfFewSteps) {
  for (const char* text : {"1/1000", "1/8", "0.5", "1", "4", "50.5", "1023", "1024"}) {
    const Rational variance = rational(text);
    for (const char* alpha : {"0.9", "0.5", "0.05", "1e-6", "1e-40"}) {
      const Rational a = gaussian_accuracy(variance, Grid(0), rational(alpha));
      ASSERT_TRUE(a.is_integer());
      const std::int64_t k = a.floor().to_int64();
      EXPECT_TRUE(certainly_less(by_definition(k, variance), ball(rational(alpha))));
      if (k == 0) continue;
      EXPECT_TRUE(certainly_greater(by_definition(k - 1, variance), ball(rational(alpha))))
          << text << " " << alpha;
    }
  }
}

TEST(GaussianAccuracyTest, IsAtMostAStepMoreForNoiseOfManySteps) {
  for (const char* text : {"1025", "3000", "20000"}) {
    const Rational variance = rational(text);
    for (const char* alpha : {"0.9", "0.5", "0.3173", "0.05", "1e-6", "1e-20"}) {
      const Rational a = gaussian_accuracy(variance, Grid(0), rational(alpha));
      const std::int64_t k = a.floor().to_int64();
      EXPECT_TRUE(certainly_less(by_definition(k, variance), ball(rational(alpha))));
      EXPECT_TRUE(certainly_greater(by_definition(k - 2, variance), ball(rational(alpha))))
          << text << " " << alpha;
    }
  }
}

TEST(GaussianErrorProbabilityTest, ContainsTheSumOrExceedsItByLittle) {
  for (const char* text : {"0.3", "7", "1024"}) {
    for (const std::int64_t k : {0, 1, 5, 100}) {
      EXPECT_TRUE(overlaps(gaussian_error_probability(rational(text), Grid(0), k).ball,
                           by_definition(k, rational(text))));
    }
  }
  for (const std::int64_t k : {10, 40, 60, 150, 300}) {
    const Ball exact = by_definition(k, 2000);
    const Ball bound = gaussian_error_probability(2000, Grid(0), k).ball;
    EXPECT_TRUE(certainly_less(exact, bound));
    // Where masses are convex, half a step is not lost.
    const Rational excess = k * k >= 2000 ? rational("1.002") : rational("1.02");
    EXPECT_TRUE(certainly_less(bound, exact * ball(excess))) << k;
  }
}

TEST(GaussianAccuracyTest, MeetsTheNormalQuantiles) {
  EXPECT_EQ(gaussian_accuracy(1'000'000, Grid(0), rational("0.05")), 1960);
  EXPECT_EQ(gaussian_accuracy(1'000'000, Grid(0), rational("0.01")), 2576);
  // A variance of 10^40 on a grid of 2^−20.
  const Rational a = gaussian_accuracy(rational("1e40"), Grid(-20), rational("0.05"));
  EXPECT_LT(abs(a / rational("1e20") - rational("1.959963984540054")), rational("1e-14"));
}

TEST(GaussianAccuracyTest, CountsStepsOfTheGrid) {
  const Rational alpha = rational("0.05");
  const Rational whole = gaussian_accuracy(100, Grid(0), alpha);
  EXPECT_EQ(gaussian_accuracy(rational("100/64"), Grid(-3), alpha), whole / Rational(8));
  EXPECT_EQ(gaussian_accuracy(1600, Grid(2), alpha), whole * Rational(4));
  EXPECT_TRUE(overlaps(gaussian_error_probability(1600, Grid(2), 39).ball,
                       gaussian_error_probability(100, Grid(0), 9).ball));
}

TEST(GaussianAccuracyTest, SamplesExceedItNoMoreOftenThanAlpha) {
  constexpr std::size_t kSamples = 20'000;
  for (const char* variance : {"0.4", "30", "5000"}) {
    for (const char* alpha : {"0.2", "0.01"}) {
      const Integer k = gaussian_accuracy(rational(variance), Grid(0), rational(alpha)).floor();
      std::vector<std::int64_t> noise(kSamples);
      BitSource bits = seeded_tape(92);
      DiscreteGaussian(rational(variance)).add(noise, bits);
      int misses = 0;
      for (const std::int64_t z : noise) {
        if (abs(Integer(z)) > k) ++misses;
      }
      // Hoeffding: t more misses than expected have probability at most e^(−2t²/n).
      const double slack = std::sqrt(kSamples * std::log(1 / kFalseAlarm) / 2);
      EXPECT_LT(misses, rational(alpha).up() * kSamples + slack);
    }
  }
}

RC_GTEST_PROP(GaussianAccuracyTest, GrowsWithTheVarianceAndFallsWithAlpha, ()) {
  const Rational variance =
      Rational(*rc::gen::inRange(1, 1000)) * Rational::two_to(*rc::gen::inRange(-12, 30));
  const Rational alpha(Integer(*rc::gen::inRange(1, 9990)), Integer(10'000));
  const Grid grid(*rc::gen::inRange(-4, 4));
  const Rational a = gaussian_accuracy(variance, grid, alpha);
  const Rational more = Rational(1) + Rational(*rc::gen::inRange(1, 100), 100);
  RC_ASSERT(gaussian_accuracy(variance * more, grid, alpha) >= a);
  RC_ASSERT(gaussian_accuracy(variance, grid, alpha / more) >= a);
}

RC_GTEST_PROP(VarianceForAccuracyTest, IsTheLargestThatReachesIt, ()) {
  const Rational accuracy =
      Rational(*rc::gen::inRange(1, 1000)) * Rational::two_to(*rc::gen::inRange(-10, 20));
  const Rational alpha(Integer(*rc::gen::inRange(1, 9990)), Integer(10'000));
  const Grid grid(*rc::gen::inRange(-4, 4));
  const Rational variance = variance_for_accuracy(accuracy, alpha, grid);
  RC_ASSERT(gaussian_accuracy(variance, grid, alpha) <= accuracy);
  const Rational more = variance * (Rational(1) + Rational::two_to(-20));
  RC_ASSERT(gaussian_accuracy(more, grid, alpha) > accuracy);
}

TEST(VarianceForAccuracyTest, BelowOneStepAsksForNoNoise) {
  const Rational variance = variance_for_accuracy(rational("0.3"), rational("0.05"), Grid(0));
  EXPECT_EQ(gaussian_accuracy(variance, Grid(0), rational("0.05")), 0);
  EXPECT_EQ(variance, variance_for_accuracy(rational("0.9"), rational("0.05"), Grid(0)));
  EXPECT_GT(variance_for_accuracy(1, rational("0.05"), Grid(0)), variance);
}

TEST(VarianceForAccuracyTest, LongSearchesEnd) {
  const Rational tiny = variance_for_accuracy(1, rational("1e-15000"), Grid(0));
  EXPECT_LE(gaussian_accuracy(tiny, Grid(0), rational("1e-15000")), 1);
  const Rational wide = variance_for_accuracy(1, Rational(1) - rational("1e-3000"), Grid(0));
  EXPECT_GT(wide, Rational::two_to(200));
  EXPECT_GT(variance_for_accuracy(Rational::two_to(4000), rational("0.5"), Grid(0)),
            Rational::two_to(8000));
}

RC_GTEST_PROP(ScaleForAccuracyTest, IsTheLargestThatReachesIt, ()) {
  const Grid grid(*rc::gen::inRange(-6, 6));
  const Rational accuracy =
      grid.spacing() / Rational(2) +
      Rational(*rc::gen::inRange(1, 100'000)) * Rational::two_to(*rc::gen::inRange(-20, 20));
  const Rational alpha(Integer(*rc::gen::inRange(1, 9990)), Integer(10'000));
  const Rational scale = scale_for_accuracy(accuracy, alpha, grid);
  const auto at = [&](const Rational& tried) {
    return smallest_accuracy(tried, grid, alpha).ball.upper_rational();
  };
  RC_ASSERT(at(scale) <= accuracy);
  RC_ASSERT(at(scale * (Rational(1) + Rational::two_to(-20))) > accuracy);
  // The plan for the simple bound asks for more loss, hence for less noise.
  RC_ASSERT(plan_accuracy(accuracy, alpha, 1, grid).scale <=
            scale * (Rational(1) + Rational::two_to(-20)));
}

RC_GTEST_PROP(ScaleForWholeAccuracyTest, IsTheLargestThatReachesIt, ()) {
  const Rational accuracy = Rational(*rc::gen::inRange(1, 4000)) / Rational(4);
  const Rational alpha(Integer(*rc::gen::inRange(1, 9990)), Integer(10'000));
  const Rational scale = scale_for_whole_accuracy(accuracy, alpha);
  const auto at = [&](const Rational& tried) {
    return Rational(smallest_accuracy(tried, Grid(0), alpha).ball.upper_rational().floor());
  };
  RC_ASSERT(at(scale) <= accuracy);
  RC_ASSERT(at(scale * (Rational(1) + Rational::two_to(-20))) > accuracy);
  RC_ASSERT(scale ==
            scale_for_whole_accuracy(
                accuracy < Rational(1) ? rational("0.5") : Rational(accuracy.floor()), alpha));
}

TEST(PlannedNoiseTest, UnreachableAccuraciesAreRefusedByName) {
  const Rational alpha = rational("0.05");
  const auto scale = [&](const Rational& accuracy) {
    return refused_parameter([&] { scale_for_accuracy(accuracy, alpha, Grid(1)); });
  };
  EXPECT_EQ(scale(1), "accuracy");
  EXPECT_EQ(scale(Rational(1) + Rational::two_to(-61)), "accuracy");
  EXPECT_EQ(scale(Rational(1) + Rational::two_to(-59)), "");
  EXPECT_NE(refusal([&] { scale_for_accuracy(1, alpha, Grid(1)); }).find("more than 1"),
            std::string::npos);
  EXPECT_EQ(scale(0), "accuracy");
  EXPECT_EQ(refused_parameter([&] { scale_for_whole_accuracy(0, alpha); }), "accuracy");
  EXPECT_EQ(refused_parameter([&] { variance_for_accuracy(-1, alpha, Grid(0)); }), "accuracy");
  EXPECT_EQ(
      refused_parameter([&] { variance_for_accuracy(Rational::two_to(4001), alpha, Grid(0)); }),
      "accuracy");
  for (const char* bad : {"0", "1", "-1", "2"}) {
    const Rational wrong = rational(bad);
    EXPECT_EQ(refused_parameter([&] { gaussian_accuracy(1, Grid(0), wrong); }), "alpha");
    EXPECT_EQ(refused_parameter([&] { scale_for_accuracy(5, wrong, Grid(0)); }), "alpha");
    EXPECT_EQ(refused_parameter([&] { scale_for_whole_accuracy(5, wrong); }), "alpha");
    EXPECT_EQ(refused_parameter([&] { variance_for_accuracy(5, wrong, Grid(0)); }), "alpha");
  }
  EXPECT_EQ(refused_parameter([&] { gaussian_accuracy(0, Grid(0), alpha); }), "variance");
  EXPECT_EQ(refused_parameter([&] { gaussian_accuracy(1, Grid(-9000), alpha); }), "variance");
  EXPECT_EQ(refused_parameter([&] { gaussian_error_probability(1, Grid(0), -1); }), "a");
  EXPECT_EQ(refused_parameter([&] { gaussian_error_probability(0, Grid(0), 1); }), "variance");
}

}  // namespace gaussian_accuracy_test
}  // namespace lastbit
