#include "lastbit/accuracy/accuracy.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"
#include "lastbit/core/divergence.h"
#include "lastbit/verify/floats/loss/exact_law.h"

namespace lastbit {
namespace accuracy_test {

constexpr int kBits = 128;

Ball ball(const Rational& value) { return Ball(value, kBits); }
Ball ball(std::string_view text) { return ball(rational(text)); }

bool close_to(const Ball& a, std::string_view value, std::string_view tolerance) {
  return certainly_less(abs(a - ball(value)), ball(tolerance));
}

Rational stated(const UpperBound& bound) { return Rational::exactly(bound.value()); }

TEST(LaplaceAccuracyTest, TailAtTheAccuracyIsAlpha) {
  for (const char* alpha : {"0.05", "1/2", "1e-9", "0.999"}) {
    const UpperBound a = laplace_accuracy(rational("0.3"), 7, rational(alpha));
    const Ball tail = exp(-a.ball * ball("0.3") / ball("7"));
    EXPECT_TRUE(tail.contains(rational(alpha)));
    EXPECT_TRUE(certainly_less_or_equal(a.ball, Ball::exactly(a.value(), kBits)));
  }
}

struct Setting {
  const char* scale;
  int grid;
  const char* upper;
};
constexpr Setting kSettings[] = {{"1", 0, "4"},    {"1", 1, "30"},     {"1.9", 1, "7"},
                                 {"0.6", 0, "50"}, {"1", -3, "6"},     {"2.5", -6, "3"},
                                 {"10", 4, "12"},  {"0.26", -1, "2.2"}};

TEST(SnappingAccuracyTest, ErrorsAreLargerWithProbabilityAlphaAtMost) {
  for (const Setting& setting : kSettings) {
    const IdealSnapping snapping(rational(setting.scale), Grid(setting.grid),
                                 -rational(setting.upper), rational(setting.upper));
    for (const char* alpha : {"0.3", "0.05", "0.001"}) {
      const Rational a = stated(snapping_accuracy(snapping, rational(alpha)));
      for (int i = -20; i <= 20; ++i) {
        const Rational guess = rational(setting.upper) * Rational(i) / Rational(20);
        EXPECT_FALSE(certainly_less(ball(alpha), snapping.error_probability(guess, a)));
      }
    }
  }
}

TEST(SnappingAccuracyTest, BoundIsApproachedOnHalfGridSteps) {
  // λ = Λ = 1 and α = e^-3.5 give a = 4; for inputs on the grid, errors above 3.999 are ≥ 4.
  const Rational alpha = exp(ball("-3.5")).upper_rational();
  const IdealSnapping snapping(1, Grid(0), -100, 100);
  EXPECT_TRUE(close_to(snapping_accuracy(snapping, alpha).ball, "4", "1e-30"));
  const Ball reached = snapping.error_probability(0, rational("3.999"));
  EXPECT_TRUE(certainly_less(ball(alpha) * ball("0.999999"), reached));
}

TEST(SnappingAccuracyTest, NeverExceedsTheWidthOfTheBounds) {
  const IdealSnapping narrow(100, Grid(7), 5, 8);
  EXPECT_TRUE(snapping_accuracy(narrow, rational("0.05")).ball.contains(3));
  EXPECT_EQ(snapping_accuracy(narrow, rational("0.05")).value(), 3);
}

TEST(SnappingAccuracyTest, SimpleBoundIsLooserOnTheSmallestGrid) {
  for (const char* epsilon : {"0.1", "0.5", "0.51", "1", "3"}) {
    const IdealSnapping snapping =
        IdealSnapping::coarse(rational(epsilon), 1, -1'000'000, 1'000'000);
    EXPECT_TRUE(
        certainly_less(snapping_accuracy(snapping, rational("0.05")).ball,
                       simple_snapping_accuracy(rational(epsilon), 1, rational("0.05")).ball));
  }
}

// The accuracy of a published algorithm that looked at the data: exceeded far more often than α.
TEST(SnappingAccuracyTest, AccuracyFromTheDataIsUnsoundAndOursIsNot) {
  struct Case {
    const char *epsilon, *bound, *guess, *alpha, *claimed, *truth;
  };
  for (const Case& c : {Case{"0.8485", "3.974", "1.068", "0.1346", "2.9059", "0.1835"},
                        Case{"0.978", "10.143", "9.473", "0.0012", "1.468", "0.315"}}) {
    const IdealSnapping snapping =
        IdealSnapping::coarse(rational(c.epsilon), 1, -rational(c.bound), rational(c.bound));
    EXPECT_TRUE(close_to(snapping.error_probability(rational(c.guess), rational(c.claimed)),
                         c.truth, "0.0005"));
    const Rational ours = stated(snapping_accuracy(snapping, rational(c.alpha)));
    EXPECT_TRUE(certainly_less_or_equal(snapping.error_probability(rational(c.guess), ours),
                                        ball(c.alpha)));
  }
}

TEST(SnappingAccuracyTest, FloatingPointErrorsAreLargerWithProbabilityAlphaAtMost) {
  for (const int precision : {8, 9, 12}) {
    for (const char* epsilon : {"0.7", "1", "1.5"}) {
      const Snapping snapping({.epsilon = rational(epsilon),
                               .lower = rational("-1.5"),
                               .upper = rational("1.2"),
                               .precision = precision});
      const verify::FloatMechanism mechanism(snapping.function());
      for (const char* alpha : {"0.6", "0.3", "0.1"}) {
        const Rational a = stated(snapping_accuracy(snapping, rational(alpha)));
        for (int i = 0; i <= 16; ++i) {
          const Rational x = snapping.half_width() * Rational(i - 8) / Rational(8);
          Rational failing;
          for (const auto& [output, mass] : verify::output_law(mechanism, x)) {
            if (abs(output - x) > a) failing += mass;
          }
          EXPECT_LE(failing, rational(alpha));
        }
      }
    }
  }
}

TEST(SmallestAccuracyTest, IsSufficientForEveryInputAndNothingSmallerIs) {
  for (const Setting& setting : kSettings) {
    const Grid grid(setting.grid);
    const Rational spacing = grid.spacing();
    const IdealSnapping snapping(rational(setting.scale), grid, -10'000, 10'000);
    for (const char* alpha : {"0.9", "0.5", "0.05", "0.0001"}) {
      const UpperBound smallest = smallest_accuracy(rational(setting.scale), grid, rational(alpha));
      EXPECT_FALSE(
          certainly_less(snapping_accuracy(snapping, rational(alpha)).ball, smallest.ball));
      const Rational a = stated(smallest);
      for (int i = 0; i < 64; ++i) {
        const Rational guess = spacing * Rational(2 * i + 1) / Rational(128);
        EXPECT_FALSE(certainly_less(ball(alpha), snapping.error_probability(guess, a)));
      }
      // Just below a, the input with an output just beyond the error fails.
      const Rational less = a * (Rational(1) - Rational::two_to(-30));
      const Rational worst = spacing * Rational(3) - less - spacing * Rational::two_to(-60);
      const Rational mirrored = -worst;
      EXPECT_TRUE(certainly_less(ball(alpha), snapping.error_probability(worst, less)) ||
                  certainly_less(ball(alpha), snapping.error_probability(mirrored, less)))
          << setting.scale << " " << setting.grid << " " << alpha;
    }
  }
}

TEST(PlanAccuracyTest, IterationThatOscillatesHasAnExactAnswer) {
  const AccuracyPlan plan = plan_accuracy(rational("7.5"), rational("0.05"), 1);
  EXPECT_EQ(plan.epsilon, rational("1/2"));
  EXPECT_EQ(plan.grid.exponent(), 1);
  EXPECT_TRUE(close_to(plan.accuracy.ball, "6.9915", "0.0001"));
}

RC_GTEST_PROP(PlanAccuracyTest, AccuracyIsReachedAndNoSmallerLossReachesIt, ()) {
  const Rational accuracy =
      Rational(*rc::gen::inRange(1, 1'000'000)) * Rational::two_to(*rc::gen::inRange(-30, 30));
  const Rational alpha(Integer(*rc::gen::inRange(1, 9999)), Integer(10'000));
  const Rational sensitivity = Rational(*rc::gen::inRange(1, 100)) / Rational(10);
  const AccuracyPlan plan = plan_accuracy(accuracy, alpha, sensitivity);
  RC_ASSERT(plan.epsilon * plan.scale == sensitivity);
  RC_ASSERT(certainly_less_or_equal(plan.accuracy.ball,
                                    ball(accuracy * (Rational(1) + Rational::two_to(-100)))));
  // The formula itself, by the other function, at the plan's epsilon and slightly below.
  const Rational wide = accuracy * Rational(4);
  const auto at = [&](const Rational& epsilon) {
    return snapping_accuracy(IdealSnapping::coarse(epsilon, sensitivity, -wide, wide), alpha).ball;
  };
  RC_ASSERT(overlaps(at(plan.epsilon), plan.accuracy.ball));
  RC_ASSERT(
      certainly_less(ball(accuracy), at(plan.epsilon * (Rational(1) - Rational::two_to(-60)))));
}

TEST(PlanAccuracyTest, FixedGridUsesAllOfTheAccuracy) {
  const AccuracyPlan plan = plan_accuracy(10, rational("0.05"), 3, Grid(-5));
  EXPECT_TRUE(close_to(plan.accuracy.ball, "10", "1e-30"));
  EXPECT_TRUE(certainly_less(plan.accuracy.ball, ball(Rational(10) + Rational::two_to(-100))));
  EXPECT_LT(plan.epsilon, plan_accuracy(10, rational("0.05"), 3).epsilon);
  EXPECT_EQ(refused_parameter([] { plan_accuracy(1, rational("0.05"), 1, Grid(1)); }), "accuracy");
  EXPECT_EQ(refused_parameter([] { plan_accuracy(1, rational("0.05"), 1, Grid(0)); }), "");
}

TEST(PlanSnappingTest, ParametersReachTheAccuracyAndALargerScaleDoesNot) {
  for (const char* accuracy : {"7.5", "3", "40", "0.9"}) {
    const SnappingParameters planned = plan_snapping(rational(accuracy), rational("0.05"),
                                                     {.sensitivity = 2, .lower = 0, .upper = 1000});
    const Snapping snapping(planned);
    EXPECT_FALSE(
        certainly_less(ball(accuracy), snapping_accuracy(snapping, rational("0.05")).ball));
    // With one more float of noise it is missed: a smaller epsilon gives at least that much.
    const Rational more =
        next_up(Float::from(snapping.scale(), FloatFormat::unbounded(53))).to_rational();
    SnappingParameters cheaper = planned;
    cheaper.epsilon = planned.epsilon * snapping.scale() / more;
    const Snapping other(cheaper);
    EXPECT_LT(snapping.scale(), other.scale());
    EXPECT_TRUE(certainly_less(ball(accuracy), snapping_accuracy(other, rational("0.05")).ball));
  }
}

TEST(AccuracyComparisonTest, GridCostsHalfItsSpacing) {
  const IdealSnapping snapping = IdealSnapping::coarse(1, 1, -500, 500);
  const AccuracyComparison compared = compare_with_laplace(snapping, 1, 1, rational("0.05"));
  EXPECT_TRUE(close_to(compared.snapping.ball - compared.laplace.ball, "0.5", "1e-30"));
  EXPECT_TRUE(close_to(compared.factor, "1.1669", "0.0001"));
  const Snapping floats({.epsilon = 1, .lower = -500, .upper = 500});
  const AccuracyComparison rounded = compare_with_laplace(floats, rational("0.05"));
  EXPECT_TRUE(certainly_less(rounded.laplace.ball, rounded.snapping.ball));
}

TEST(AccuracyTest, ImpossibleParametersAreRefusedByName) {
  const Rational alpha = rational("0.05");
  EXPECT_EQ(refused_parameter([&] { laplace_accuracy(0, 1, alpha); }), "epsilon");
  EXPECT_EQ(refused_parameter([&] { laplace_accuracy(1, 0, alpha); }), "sensitivity");
  for (const char* bad : {"0", "1", "-1", "2"}) {
    EXPECT_EQ(refused_parameter([&] { laplace_accuracy(1, 1, rational(bad)); }), "alpha");
    EXPECT_EQ(refused_parameter([&] { plan_accuracy(1, rational(bad), 1); }), "alpha");
    EXPECT_EQ(refused_parameter([&] { smallest_accuracy(1, Grid(0), rational(bad)); }), "alpha");
  }
  EXPECT_EQ(refused_parameter([&] { smallest_accuracy(0, Grid(0), alpha); }), "scale");
  EXPECT_EQ(refused_parameter([&] { plan_accuracy(0, alpha, 1); }), "accuracy");
  EXPECT_EQ(refused_parameter([&] { plan_accuracy(Rational::two_to(20'000), alpha, 1); }),
            "accuracy");
  EXPECT_EQ(refused_parameter([&] { plan_snapping(1, alpha, {.lower = 1, .upper = 1}); }), "lower");
  EXPECT_EQ(refused_parameter(
                [&] { plan_snapping(1, alpha, {.lower = 0, .upper = Rational::two_to(60)}); }),
            "precision");
}

}  // namespace accuracy_test
}  // namespace lastbit
