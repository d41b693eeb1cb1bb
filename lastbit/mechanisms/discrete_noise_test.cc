// Both mechanisms on a lattice; the laws of their samplers are tested with the samplers.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "lastbit/base/test_support.h"
#include "lastbit/core/compose.h"
#include "lastbit/mechanisms/discrete_gaussian.h"
#include "lastbit/mechanisms/discrete_laplace.h"
#include "lastbit/numerics/ball.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace discrete_noise_test {

using testing::seeded_tape;

constexpr int kPrecision = 256;

Ball e_to_minus(const Rational& x) { return exp(Ball(-x, kPrecision)); }

TEST(DiscreteLaplaceMechanismTest, MapIsDistanceOverScaleExactly) {
  const auto release = make_discrete_laplace(integers(), AbsoluteDistance{}, rational("3/7"));
  EXPECT_EQ(release.map(3), Distance(7));
  EXPECT_EQ(release.map(Distance::infinity()), Distance::infinity());
  const auto many = make_discrete_laplace(vector_of(GridDomain(Grid(-3))), L1Distance{}, 2);
  EXPECT_EQ(many.map(rational("1/8")), Distance(rational("1/16")));
}

// Pr[release = y] is proportional to e^(−|y − x|/scale), for every x, so the log-ratio of two of
// them is (|y − x'| − |y − x|)/scale: at most |x − x'|/scale, and exactly that outside of [x, x'].
TEST(DiscreteLaplaceMechanismTest, MapIsSoundAndTight) {
  const Rational scale = rational("5/2");
  const auto release = make_discrete_laplace(integers(), AbsoluteDistance{}, scale);
  for (int d = 0; d <= 5; ++d) {
    Distance largest;
    for (int y = -20; y <= 20; ++y) {
      const Rational loss = (abs(Rational(y - d)) - abs(Rational(y))) / scale;
      largest = std::max(largest, Distance(abs(loss)));
    }
    EXPECT_EQ(release.map(d), largest);
  }
}

TEST(DiscreteLaplaceMechanismTest, NoiseIsScaledToTheGrid) {
  // On the grid 2^−3 a scale of 2 is one of 16 spacings.
  const auto release = make_discrete_laplace(GridDomain(Grid(-3)), AbsoluteDistance{}, 2);
  const auto whole = make_discrete_laplace(integers(), AbsoluteDistance{}, 16);
  const auto finer = make_discrete_laplace(GridDomain(Grid(0)), AbsoluteDistance{}, 2, Grid(-3));
  BitSource one = seeded_tape(61);
  BitSource other = seeded_tape(61);
  BitSource third = seeded_tape(61);
  for (int i = 0; i < 200; ++i) {
    const Rational y = release(5, one);
    EXPECT_EQ(y, Rational(whole(40, other)) / Rational(8));
    EXPECT_EQ(y, finer(5, third));
  }
}

TEST(DiscreteLaplaceMechanismTest, ReleasesVectorsAndCutsAtTheEndsOfTheType) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const auto release = make_discrete_laplace(vector_of(integers()), L1Distance{}, 3);
  BitSource bits = seeded_tape(62);
  const std::vector<std::int64_t> y = release({kMost, 0, -kMost - 1}, bits);
  ASSERT_EQ(y.size(), 3u);
  EXPECT_GT(y[0], kMost - 1000);
  EXPECT_LT(y[2], -kMost + 1000);
  EXPECT_TRUE(release({}, bits).empty());
}

TEST(DiscreteLaplaceMechanismTest, ImpossibleParametersAreRefusedByName) {
  const auto make = [](const auto& domain, const char* scale,
                       std::optional<Grid> grid = std::nullopt) {
    return refusal(
        [&] { make_discrete_laplace(domain, AbsoluteDistance{}, rational(scale), grid); });
  };
  EXPECT_NE(make(integers(), "0").find("scale"), std::string::npos);
  EXPECT_NE(make(integers(), "-1").find("scale"), std::string::npos);
  EXPECT_NE(make(GridDomain(Grid(-3)), "1", Grid(-2)).find("grid"), std::string::npos);
  EXPECT_NE(make(integers(), "1", Grid(-2)).find("grid"), std::string::npos);
  EXPECT_NE(make(integers(), "1", Grid(1)).find("grid"), std::string::npos);
  EXPECT_EQ(make(GridDomain(Grid(-3)), "1", Grid(-5)), "accepted");
  EXPECT_EQ(make(integers(), "1", Grid(0)), "accepted");
}

TEST(DiscreteGaussianMechanismTest, MapIsSquaredDistanceOverTwiceTheVariance) {
  const auto release = make_discrete_gaussian(integers(), AbsoluteDistance{}, rational("9/4"));
  EXPECT_EQ(release.map(3), Distance(2));
  EXPECT_EQ(release.map(Distance::infinity()), Distance::infinity());
  const auto many = make_discrete_gaussian(vector_of(integers()), L2Distance{}, 10);
  EXPECT_EQ(many.map(Radical<2>::root_of(2)), Distance(rational("1/10")));
  EXPECT_EQ(many.map(3), Distance(rational("9/20")));
  EXPECT_EQ(compose(many, many).map(3), Distance(rational("9/10")));
}

// Σ_y P(y)^α·P'(y)^(1 − α) = e^((α − 1)·D_α), from the law e^(−(y − x)²/(2σ²)), by summation.
Ball renyi(const Rational& variance, int d, const Rational& alpha) {
  Ball sum(0, kPrecision);
  Ball total(0, kPrecision);
  for (int y = -400; y <= 400; ++y) {
    const Rational here = Rational(y * y);
    const Rational there = Rational((y - d) * (y - d));
    sum =
        sum + e_to_minus((alpha * here + (Rational(1) - alpha) * there) / (Rational(2) * variance));
    total = total + e_to_minus(here / (Rational(2) * variance));
  }
  return ln(sum / total) / Ball(alpha - Rational(1), kPrecision);
}

TEST(DiscreteGaussianMechanismTest, MapIsSoundAndAttainedAtWholeOrders) {
  const Ball slack(Rational::two_to(-150), kPrecision);
  for (const char* text : {"1/4", "1", "5/2", "30"}) {
    const Rational variance = rational(text);
    const auto release = make_discrete_gaussian(integers(), AbsoluteDistance{}, variance);
    for (const int d : {1, 2, 5}) {
      const Rational rho = release.map(d).value();
      for (const char* order : {"1.01", "3/2", "2", "9/4", "3", "7"}) {
        const Rational alpha = rational(order);
        const Ball bound(rho * alpha, kPrecision);
        const Ball divergence = renyi(variance, d, alpha);
        EXPECT_TRUE(certainly_less(divergence, bound + slack)) << text << ' ' << d << ' ' << order;
        if (!alpha.is_integer()) continue;
        EXPECT_TRUE(certainly_greater(divergence, bound - slack)) << text << ' ' << order;
      }
    }
  }
}

TEST(DiscreteGaussianMechanismTest, NoiseIsScaledToTheGrid) {
  const auto release = make_discrete_gaussian(GridDomain(Grid(-2)), AbsoluteDistance{}, 3);
  const auto whole = make_discrete_gaussian(integers(), AbsoluteDistance{}, 48);
  BitSource one = seeded_tape(63);
  BitSource other = seeded_tape(63);
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(release(5, one), Rational(whole(20, other)) / Rational(4));
  }
  const auto many = make_discrete_gaussian(vector_of(integers(), 700), L2Distance{}, 48);
  EXPECT_EQ(many(std::vector<std::int64_t>(700, 5), one).size(), 700u);
}

TEST(DiscreteGaussianMechanismTest, StepsFitTheRightMetricsOnly) {
  using Gaussian = decltype(make_discrete_gaussian(1).build);
  using Laplace = decltype(make_discrete_laplace(1).build);
  using Vectors = VectorDomain<AllDomain<std::int64_t>>;
  static_assert(std::invocable<Gaussian, Vectors, L2Distance>);
  static_assert(!std::invocable<Gaussian, Vectors, L1Distance>);
  static_assert(std::invocable<Laplace, Vectors, L1Distance>);
  static_assert(!std::invocable<Laplace, Vectors, L2Distance>);
  static_assert(!std::invocable<Laplace, AllDomain<double>, AbsoluteDistance>);
  static_assert(!std::invocable<Gaussian, AllDomain<Rational>, AbsoluteDistance>);
  static_assert(std::invocable<Gaussian, GridDomain, AbsoluteDistance>);
}

TEST(DiscreteGaussianMechanismTest, ImpossibleParametersAreRefusedByName) {
  const auto make = [](const char* variance, std::optional<Grid> grid = std::nullopt) {
    return refusal([&] {
      make_discrete_gaussian(GridDomain(Grid(-3)), AbsoluteDistance{}, rational(variance), grid);
    });
  };
  EXPECT_NE(make("0").find("variance"), std::string::npos);
  EXPECT_NE(make("-1").find("variance"), std::string::npos);
  EXPECT_NE(make("1", Grid(0)).find("grid"), std::string::npos);
  EXPECT_EQ(make("1", Grid(-4)), "accepted");
}

}  // namespace discrete_noise_test
}  // namespace lastbit
