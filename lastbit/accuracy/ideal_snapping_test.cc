#include "lastbit/accuracy/ideal_snapping.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/verify/floats/loss/exact_law.h"

namespace lastbit {
namespace ideal_snapping_test {

constexpr int kBits = 128;

// Every output of the mechanism, from lower to upper.
std::vector<Rational> outputs(const IdealSnapping& snapping) {
  std::vector<Rational> all{snapping.midpoint() - snapping.half_width()};
  for (Integer j = -snapping.last_index(); j <= snapping.last_index(); j += 1) {
    all.push_back(snapping.midpoint() + snapping.grid().point(j));
  }
  all.push_back(snapping.midpoint() + snapping.half_width());
  return all;
}

bool close_to(const Ball& ball, const Rational& value, const Rational& tolerance) {
  return certainly_less(abs(ball - Ball(value, kBits)), Ball(tolerance, kBits));
}

const Rational kTiny = Rational::two_to(-90);

TEST(IdealSnappingTest, ProbabilitiesSumToOneAndAreThoseOfErrorsBindingAndBias) {
  for (const char* scale : {"1", "1.7", "0.3", "10"}) {
    for (const int exponent : {-1, 0, 1, 3}) {
      for (const char* upper : {"0.4", "3", "4", "9.25"}) {
        const IdealSnapping snapping(rational(scale), Grid(exponent), -1, rational(upper));
        for (const char* guess : {"-1", "-0.99", "0", "0.3", "2", "4", "50", "-7.5"}) {
          const Rational x = rational(guess);
          Ball total(Rational(0), kBits);
          Ball error(Rational(0), kBits);
          Ball mean(Rational(0), kBits);
          const Rational a = rational("1.25");
          for (const Rational& output : outputs(snapping)) {
            const Ball mass = snapping.probability(output, x);
            EXPECT_FALSE(certainly_less(mass, Ball(Rational(0), kBits)));
            total = total + mass;
            mean = mean + mass * Ball(output, kBits);
            if (abs(output - x) > a) error = error + mass;
          }
          EXPECT_TRUE(close_to(total, 1, kTiny));
          EXPECT_TRUE(close_to(snapping.error_probability(x, a) - error, 0, kTiny));
          EXPECT_TRUE(close_to(snapping.bias(x) - (mean - Ball(x, kBits)), 0, kTiny))
              << scale << " 2^" << exponent << " " << upper << " " << guess;
          EXPECT_TRUE(
              close_to(snapping.binding_probability(x) -
                           (snapping.probability(-1, x) + snapping.probability(rational(upper), x)),
                       0, kTiny));
        }
      }
    }
  }
}

// Grids thousands of scales wide: the mean by its closed form against the sum over all outputs.
TEST(IdealSnappingTest, BiasIsExactOnCoarseGrids) {
  for (const char* scale : {"0.01", "0.3", "1/1000"}) {
    for (const char* half_width : {"100", "96", "95.5", "20", "300"}) {
      const Rational bound = rational(half_width);
      const IdealSnapping snapping(rational(scale), Grid(6), -bound, bound);
      for (const char* guess : {"0", "0.3", "31.99", "32", "32.01", "63", "95.99", "96", "96.01",
                                "99", "100", "-100", "-97", "160", "1000"}) {
        const Rational x = rational(guess);
        Ball mean(Rational(0), kBits);
        for (const Rational& output : outputs(snapping)) {
          mean = mean + snapping.probability(output, x) * Ball(output, kBits);
        }
        EXPECT_TRUE(close_to(snapping.bias(x) - (mean - Ball(x, kBits)), 0, kTiny))
            << scale << " " << half_width << " " << guess;
        EXPECT_LT(snapping.bias(x).upper() - snapping.bias(x).lower(), 1e-12);
      }
    }
  }
}

TEST(IdealSnappingTest, NumbersThatAreNoOutputsHaveProbabilityZero) {
  const IdealSnapping snapping(1, Grid(0), 0, 10);
  for (const char* output : {"0.5", "10.5", "11", "-1", "100"}) {
    EXPECT_TRUE(snapping.probability(rational(output), 3).is_exact()) << output;
    EXPECT_TRUE(snapping.probability(rational(output), 3).contains(0)) << output;
  }
}

// The floating-point mechanism with 40 bits differs from the ideal law by about B/λ·2^-40.
TEST(IdealSnappingTest, LawIsTheLimitOfTheFloatingPointMechanism) {
  for (const char* epsilon : {"0.3", "1", "1.9"}) {
    const Snapping snapping(
        {.epsilon = rational(epsilon), .lower = -3, .upper = 12, .precision = 40});
    const IdealSnapping ideal = IdealSnapping::of(snapping);
    const verify::FloatMechanism mechanism(snapping.function());
    for (const char* guess : {"-3", "0", "4.4", "12"}) {
      const auto law = verify::output_law(mechanism, rational(guess) - snapping.midpoint());
      EXPECT_EQ(law.size(), outputs(ideal).size());
      for (const auto& [output, mass] : law) {
        EXPECT_TRUE(close_to(ideal.probability(output + ideal.midpoint(), rational(guess)), mass,
                             Rational::two_to(-32)));
      }
    }
  }
}

TEST(IdealSnappingTest, CoarseGridIsTheSmallestPowerOfTwoAboveTheScale) {
  const IdealSnapping snapping = IdealSnapping::coarse(rational("0.3"), 2, 0, 100);
  EXPECT_EQ(snapping.scale(), rational("20/3"));
  EXPECT_EQ(snapping.grid().exponent(), 3);
  EXPECT_EQ(IdealSnapping::coarse(rational("0.25"), 1, 0, 100).grid().exponent(), 2);
}

TEST(IdealSnappingTest, BiasMeetsThePublishedExamplesCorrected) {
  // The published formula gave -0.5599 for the first; the second points away from zero.
  EXPECT_TRUE(close_to(IdealSnapping::coarse(1, 1, -4, 4).bias(4), rational("-0.4796"),
                       rational("0.00005")));
  EXPECT_TRUE(close_to(IdealSnapping::coarse(rational("1.9"), 1, -50, 50).bias(rational("0.7")),
                       rational("0.0265"), rational("0.00005")));
}

TEST(IdealSnappingTest, ImpossibleParametersAreRefusedByName) {
  const auto parameter_of = [](const auto& action) -> std::string {
    try {
      action();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadParameter);
      return error.problem().substr(0, error.problem().find('`', 11) + 1);
    }
    return "";
  };
  EXPECT_EQ(parameter_of([] { IdealSnapping(0, Grid(0), 0, 1); }), "parameter `scale`");
  EXPECT_EQ(parameter_of([] { IdealSnapping(1, Grid(0), 1, 1); }), "parameter `lower`");
  EXPECT_EQ(parameter_of([] { IdealSnapping::coarse(0, 1, 0, 1); }), "parameter `epsilon`");
  EXPECT_EQ(parameter_of([] { IdealSnapping::coarse(1, -1, 0, 1); }), "parameter `sensitivity`");
}

// The same sums by the closed form, where the grid has too many points to add up.
RC_GTEST_PROP(IdealSnappingTest, BiasIsOddAndSmallFarFromTheBoundsOnFineGrids, ()) {
  const int exponent = -*rc::gen::inRange(10, 60);
  const Rational x = Rational(*rc::gen::inRange(-1000, 1000)) / Rational(7);
  const IdealSnapping snapping(1, Grid(exponent), -1000, 1000);
  const Ball bias = snapping.bias(x);
  RC_ASSERT(close_to(bias, 0, Rational::two_to(exponent)));
  RC_ASSERT(close_to(bias + snapping.bias(-x), 0, kTiny));
}

}  // namespace ideal_snapping_test
}  // namespace lastbit
