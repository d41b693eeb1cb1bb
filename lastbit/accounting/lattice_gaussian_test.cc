#include "lastbit/accounting/lattice_gaussian.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "lastbit/accounting/cost.h"
#include "lastbit/accounting/total_loss.h"
#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"
#include "lastbit/numerics/ball.h"

namespace lastbit {
namespace lattice_gaussian_test {

constexpr int kBits = 200;

Ball wide(const Rational& value) { return {value, kBits}; }

// exact_delta: the least delta at epsilon of discrete Gaussian noise on whole numbers, where each
// of `moves` coordinates moves by 1: the sum over all outcomes near enough. The loss depends on the
// sum of the coordinates, whose law is a convolution.
Ball exact_delta(const Rational& variance, int moves, const Rational& epsilon) {
  const int reach = 60;
  const auto weight = [&](std::int64_t k) {
    return exp(wide(-Rational(k) * Rational(k) / (Rational(2) * variance)));
  };
  std::vector<Ball> law(1, wide(1));
  Ball all = wide(0);
  for (int k = -reach; k <= reach; ++k) all = all + weight(k);
  for (int move = 0; move < moves; ++move) {
    std::vector<Ball> next(law.size() + 2 * reach, wide(0));
    for (std::size_t i = 0; i < law.size(); ++i) {
      for (int k = -reach; k <= reach; ++k) {
        auto& place = next[i + static_cast<std::size_t>(k + reach)];
        place = place + law[i] * weight(k) / all;
      }
    }
    law = std::move(next);
  }
  // Against the law that is moved by −1: the loss at a sum of t is (2t + moves)/(2·variance).
  Ball delta = wide(0);
  for (std::size_t i = 0; i < law.size(); ++i) {
    const std::int64_t sum = static_cast<std::int64_t>(i) - std::int64_t{reach} * moves;
    const Rational loss = Rational(2 * sum + moves) / (Rational(2) * variance);
    if (loss > epsilon) delta = delta - law[i] * expm1(wide(epsilon - loss));
  }
  return delta;
}

TEST(LatticeGaussian, HoldsForTheExactLawAndIsNear) {
  struct Case {
    int variance;
    int moves;
    const char* delta;
  };
  for (const auto& [variance, moves, delta] : {Case{9, 1, "0.001"}, Case{16, 1, "0.000001"},
                                               Case{16, 2, "0.0001"}, Case{25, 3, "0.001"}}) {
    const Rational rho = Rational(moves) / Rational(2 * variance);
    const LatticeGaussian numbers{rho, variance};
    const auto epsilon = lattice_gaussian_epsilon({&numbers, 1}, rational(delta));
    ASSERT_TRUE(epsilon) << variance << " " << moves;
    EXPECT_TRUE(
        certainly_less_or_equal(exact_delta(variance, moves, *epsilon), wide(rational(delta))));
    // A tenth less would not hold: the bound is not far from the truth.
    EXPECT_TRUE(certainly_greater(exact_delta(variance, moves, *epsilon * Rational(9, 10)),
                                  wide(rational(delta))))
        << variance << " " << moves;
    EXPECT_LT(*epsilon, approximate_epsilon(rho, rational(delta)));
  }
}

TEST(LatticeGaussian, IsThatOfRealNoiseOnFineGrids) {
  // Noise of 1,000 steps, on vectors that move by 100 steps and by 500.
  const std::vector<LatticeGaussian> numbers{{Rational(1, 200), 1'000'000},
                                             {Rational(1, 8), 1'000'000}};
  const auto epsilon = lattice_gaussian_epsilon(numbers, rational("0.000001"));
  ASSERT_TRUE(epsilon);
  const TotalLoss real(std::vector<LossPart>{{GaussianLoss{10}, 1}, {GaussianLoss{2}, 1}},
                       rational("0.000001"));
  const LossRange range = real.epsilon(rational("0.000001"));
  EXPECT_GE(*epsilon, *range.lower);
  EXPECT_LE(*epsilon, *range.upper * rational("1.0001"));
}

TEST(LatticeGaussian, AddsUpAsOneVector) {
  const std::vector<LatticeGaussian> apart(20, {Rational(1, 800), 250'000});
  const LatticeGaussian together{Rational(1, 40), 250'000};
  const auto one = lattice_gaussian_epsilon({&together, 1}, rational("0.00001"));
  const auto many = lattice_gaussian_epsilon(apart, rational("0.00001"));
  ASSERT_TRUE(one && many);
  EXPECT_LT(abs(*one - *many), rational("0.0001"));
}

TEST(LatticeGaussian, SaysNothingAboutNoiseOfFewSteps) {
  const LatticeGaussian coarse{Rational(1, 2), Rational(1)};
  EXPECT_FALSE(lattice_gaussian_epsilon({&coarse, 1}, rational("0.001")));
  // A part that this way says nothing about spoils the others.
  const std::vector<LatticeGaussian> mixed{{Rational(1, 8), 1'000'000}, coarse};
  EXPECT_FALSE(lattice_gaussian_epsilon(mixed, rational("0.001")));
}

TEST(LatticeGaussian, KnowsNoLossAndRefusesBadNumbers) {
  EXPECT_EQ(lattice_gaussian_epsilon({}, rational("0.1")), Rational(0));
  const LatticeGaussian none{0, 5};
  EXPECT_EQ(lattice_gaussian_epsilon({&none, 1}, rational("0.1")), Rational(0));
  const LatticeGaussian negative{-1, 5};
  const LatticeGaussian constant{1, 0};
  for (const LatticeGaussian& bad : {negative, constant}) {
    expect_code(ErrorCode::kBadParameter,
                [&] { lattice_gaussian_epsilon({&bad, 1}, rational("0.1")); });
  }
  expect_code(ErrorCode::kBadParameter, [&] { lattice_gaussian_epsilon({&none, 1}, 0); });
  expect_code(ErrorCode::kBadParameter, [&] { gaussian_rho(1, 1); });
  expect_code(ErrorCode::kBadParameter, [&] { gaussian_rho(0, rational("0.1")); });
}

TEST(GaussianRho, TurnsBackIntoEpsilon) {
  for (const char* epsilon : {"0.01", "1", "12"}) {
    const Rational rho = gaussian_rho(rational(epsilon), rational("0.000001"));
    const LatticeGaussian fine{rho, Rational::two_to(60)};
    const auto back = lattice_gaussian_epsilon({&fine, 1}, rational("0.000001"));
    ASSERT_TRUE(back) << epsilon;
    EXPECT_LE(abs(*back - rational(epsilon)), rational(epsilon) * rational("0.000001"));
    // The bound for every loss of this rho is above it by several hundredths.
    EXPECT_GT(approximate_epsilon(rho, rational("0.000001")), rational(epsilon) * rational("1.04"));
  }
}

}  // namespace lattice_gaussian_test
}  // namespace lastbit
