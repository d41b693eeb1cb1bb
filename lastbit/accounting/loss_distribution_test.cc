#include "lastbit/accounting/loss_distribution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "lastbit/accounting/cost.h"
#include "lastbit/accounting/loss_elements.h"
#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"
#include "lastbit/numerics/decimal.h"

namespace lastbit::accounting_internal {
namespace loss_distribution_test {

constexpr int kBits = 96;
constexpr int kPrecision = 400;

// Numbers: a fixed sequence that looks random.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next(std::uint64_t count) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return (state_ >> 33) % count;
  }

 private:
  std::uint64_t state_;
};

// some_losses: a distribution with gaps, peaks and mass at infinity; its total is at most 1.
LossDistribution some_losses(End end, Numbers& numbers) {
  LossDistribution losses{end, kBits, Rational(1 + static_cast<int>(numbers.next(9)), 10),
                          0,   {},    0};
  losses.first = static_cast<std::int64_t>(numbers.next(20)) - 12;
  const std::uint64_t count = 1 + numbers.next(25);
  const Integer unit = Integer::two_to(kBits - 12);
  for (std::uint64_t i = 0; i < count; ++i) {
    const bool is_gap = numbers.next(3) == 0;
    losses.masses.push_back(is_gap ? Integer(0)
                                   : unit * Integer(numbers.next(100)) + Integer(numbers.next(9)));
  }
  losses.infinity = unit * Integer(numbers.next(3));
  return losses;
}

// profile: h(ε) by its definition, in a tight ball.
Ball profile(const LossDistribution& losses, const Rational& epsilon) {
  Ball sum(Rational(losses.infinity), kPrecision);
  for (std::size_t i = 0; i < losses.masses.size(); ++i) {
    const Rational loss = losses.step * Rational(losses.first + static_cast<std::int64_t>(i));
    if (loss <= epsilon) continue;
    sum = sum -
          Ball(Rational(losses.masses[i]), kPrecision) * expm1(Ball(epsilon - loss, kPrecision));
  }
  return sum * Ball(Rational::two_to(-losses.bits), kPrecision);
}

Rational from_tenths(int tenths) { return {tenths, 10}; }

// expect_order: nowhere is `low` above `high`; the small allowance is for equal ones, which balls
// cannot tell apart.
void expect_order(const LossDistribution& low, const LossDistribution& high) {
  const Ball allowance(Rational::two_to(-300), kPrecision);
  for (int tenths = -80; tenths <= 180; tenths += 3) {
    const Rational epsilon = from_tenths(tenths) + Rational(1, 37);
    EXPECT_TRUE(certainly_less(profile(low, epsilon), profile(high, epsilon) + allowance))
        << "at " << epsilon.to_string();
  }
}

void expect_end(End end, const LossDistribution& before, const LossDistribution& after) {
  if (end == End::kUpper) {
    expect_order(before, after);
  } else {
    expect_order(after, before);
  }
}

TEST(LossDistributionTest, OtherStepsKeepTheEnd) {
  for (const End end : {End::kUpper, End::kLower}) {
    Numbers numbers(1);
    for (int i = 0; i < 60; ++i) {
      const LossDistribution losses = some_losses(end, numbers);
      const Rational step(1 + static_cast<int>(numbers.next(40)), 20);
      expect_end(end, losses, regridded(losses, step));
      expect_end(end, losses, regridded(losses, losses.step * Rational(2)));
    }
  }
}

TEST(LossDistributionTest, AFinerStepThatDividesMovesNothing) {
  for (const End end : {End::kUpper, End::kLower}) {
    Numbers numbers(2);
    for (int i = 0; i < 10; ++i) {
      const LossDistribution losses = some_losses(end, numbers);
      const LossDistribution finer = regridded(losses, losses.step / Rational(3));
      expect_order(losses, finer);
      expect_order(finer, losses);
    }
  }
}

// If a lower end were moved as an upper one is, the test above would notice.
TEST(LossDistributionTest, TheTwoEndsDiffer) {
  Numbers numbers(3);
  LossDistribution losses = some_losses(End::kUpper, numbers);
  losses.masses = {Integer::two_to(kBits - 1), Integer::two_to(kBits - 1)};
  losses.step = Rational(1, 2);
  losses.first = 1;
  const LossDistribution up = regridded(losses, Rational(2, 3));
  losses.end = End::kLower;
  const LossDistribution down = regridded(losses, Rational(2, 3));
  const Rational at(3, 5);
  EXPECT_TRUE(certainly_less(profile(down, at), profile(losses, at)));
  EXPECT_TRUE(certainly_less(profile(losses, at), profile(up, at)));
}

TEST(LossDistributionTest, CutTailsKeepTheEnd) {
  for (const End end : {End::kUpper, End::kLower}) {
    Numbers numbers(4);
    for (int i = 0; i < 60; ++i) {
      const LossDistribution losses = some_losses(end, numbers);
      LossDistribution cut = losses;
      cut_tails(cut, Integer::two_to(kBits - 12) * Integer(numbers.next(300)));
      EXPECT_FALSE(cut.masses.empty());
      expect_end(end, losses, cut);
    }
  }
}

// composed_exactly: the sum of losses, in units of 2^−(2·bits), without rounding.
LossDistribution composed_exactly(const LossDistribution& a, const LossDistribution& b) {
  LossDistribution sum{a.end, 2 * kBits, a.step, a.first + b.first, {}, 0};
  sum.masses.resize(a.masses.size() + b.masses.size() - 1);
  Integer all_a = 0;
  Integer all_b = 0;
  for (const Integer& mass : a.masses) all_a += mass;
  for (const Integer& mass : b.masses) all_b += mass;
  for (std::size_t i = 0; i < a.masses.size(); ++i) {
    for (std::size_t j = 0; j < b.masses.size(); ++j) {
      sum.masses[i + j] += a.masses[i] * b.masses[j];
    }
  }
  sum.infinity = (all_a + a.infinity) * (all_b + b.infinity) - all_a * all_b;
  return sum;
}

TEST(LossDistributionTest, SumsAreExactButForRoundingToTheEnd) {
  for (const End end : {End::kUpper, End::kLower}) {
    Numbers numbers(5);
    for (int i = 0; i < 40; ++i) {
      const LossDistribution a = some_losses(end, numbers);
      LossDistribution b = some_losses(end, numbers);
      b.step = a.step;
      const LossDistribution sum = compose(a, b);
      const LossDistribution exact = composed_exactly(a, b);
      expect_end(end, exact, sum);
      // Each mass is off by less than one unit.
      LossDistribution off = sum;
      for (Integer& mass : off.masses) {
        mass += end == End::kUpper ? -std::min(mass, Integer(1)) : Integer(1);
      }
      off.infinity += end == End::kUpper ? -std::min(off.infinity, Integer(1)) : Integer(1);
      expect_end(end == End::kUpper ? End::kLower : End::kUpper, exact, off);
    }
  }
}

TEST(LossDistributionTest, DifferentStepsDoNotCompose) {
  Numbers numbers(6);
  const LossDistribution a = some_losses(End::kUpper, numbers);
  LossDistribution b = a;
  b.step = a.step * Rational(2);
  expect_code(ErrorCode::kInternal, [&] { (void)compose(a, b); });
  b = a;
  b.end = End::kLower;
  expect_code(ErrorCode::kInternal, [&] { (void)compose(a, b); });
}

TEST(LossDistributionTest, EpsilonAndDeltaAreThoseOfTheProfile) {
  for (const End end : {End::kUpper, End::kLower}) {
    Numbers numbers(7);
    for (int i = 0; i < 60; ++i) {
      const LossDistribution losses = some_losses(end, numbers);
      for (const int tenths : {0, 3, 11, 40}) {
        const Ball exact = profile(losses, from_tenths(tenths));
        const Rational delta = delta_at(losses, from_tenths(tenths));
        const Rational far = Rational::two_to(-kBits + 1);
        EXPECT_TRUE(certainly_less(exact - Ball(delta, kPrecision), Ball(far, kPrecision)));
        EXPECT_TRUE(certainly_less(Ball(delta, kPrecision) - exact, Ball(far, kPrecision)));
        if (delta.sign() == 0 || delta >= Rational(1)) continue;
        const auto epsilon = epsilon_at(losses, delta);
        if (!epsilon) continue;
        // At the epsilon itself, give or take very little, the profile crosses delta.
        const Rational step = Rational::two_to(-40);
        const Ball there(delta, kPrecision);
        EXPECT_FALSE(certainly_greater(profile(losses, *epsilon + step), there));
        if (epsilon->sign() > 0) {
          EXPECT_FALSE(certainly_less(profile(losses, *epsilon - step), there));
        }
      }
    }
  }
}

TEST(LossDistributionTest, ADeltaBelowTheMassAtInfinityHasNoEpsilon) {
  LossDistribution losses{End::kUpper, kBits, 1, 0, {Integer::two_to(kBits - 1)}, 0};
  losses.infinity = Integer::two_to(kBits - 3);
  EXPECT_EQ(epsilon_at(losses, Rational(1, 9)), std::nullopt);
  EXPECT_EQ(epsilon_at(losses, Rational(1, 8)), Rational(0));
}

// gaussian_delta: the known profile of Gaussian noise, Φ(μ/2 − ε/μ) − e^ε·Φ(−μ/2 − ε/μ).
Ball gaussian_delta(const Rational& square, const Rational& epsilon) {
  const Ball mu = sqrt(Ball(square, kPrecision));
  const Ball root = sqrt(Ball(2, kPrecision));
  const Ball ratio = Ball(epsilon, kPrecision) / mu;
  const Ball half = mu / Ball(2, kPrecision);
  const Ball both =
      erfc((ratio - half) / root) - exp(Ball(epsilon, kPrecision)) * erfc((ratio + half) / root);
  return both / Ball(2, kPrecision);
}

TEST(LossDistributionTest, ManyGaussiansAreOneWiderGaussian) {
  // The engine composes 1,000 discretised ones; the truth is that of one with 1,000 times the
  // square.
  const Rational square(1, 2500);
  const Rational tail = Rational::two_to(-60);
  const CutRule rule{tail / Rational(1000), std::size_t{1} << 13};
  const auto total = [&](End end) {
    return power(gaussian_losses(square, Rational(1, 8000), tail, end, kBits), 1000, rule);
  };
  const LossDistribution upper = total(End::kUpper);
  const LossDistribution lower = total(End::kLower);
  for (const int tenths : {0, 5, 10, 20, 30}) {
    const Rational epsilon = from_tenths(tenths);
    const Ball exact = gaussian_delta(square * Rational(1000), epsilon);
    const Rational above = delta_at(upper, epsilon);
    const Rational below = delta_at(lower, epsilon);
    EXPECT_TRUE(certainly_less(exact, Ball(above, kPrecision))) << tenths;
    EXPECT_TRUE(certainly_less(Ball(below, kPrecision), exact)) << tenths;
    EXPECT_LT((above - below) / above, Rational(1, 100)) << tenths;
  }
}

TEST(LossDistributionTest, OneLaplaceHasItsKnownProfile) {
  for (const char* text : {"1e-9", "0.01", "1", "7", "200"}) {
    const Rational epsilon = rational(text);
    for (const int ninths : {0, 1, 4, 8}) {
      // 1 − e^((ε' − ε)/2) for 0 ≤ ε' ≤ ε.
      const Rational at = epsilon * Rational(ninths, 9);
      const Ball exact = -expm1(Ball((at - epsilon) / Rational(2), kPrecision));
      const Rational above = delta_at(laplace_losses(epsilon, 90, End::kUpper, kBits), at);
      const Rational below = delta_at(laplace_losses(epsilon, 90, End::kLower, kBits), at);
      // 1/9 is a place of the grid, so the upper end is exact but for rounding.
      EXPECT_TRUE(certainly_less(exact, Ball(above + Rational::two_to(-300), kPrecision))) << text;
      EXPECT_TRUE(certainly_less(Ball(below, kPrecision), exact)) << text;
      EXPECT_TRUE(certainly_less(Ball(above, kPrecision), exact + Ball(Rational::two_to(-80), 64)))
          << text;
    }
  }
}

TEST(LossDistributionTest, ALossInRhoCoversGaussianNoiseAndTheConversion) {
  for (const char* text : {"0.001", "0.1", "2"}) {
    const Rational rho = rational(text);
    const Rational step =
        to_decimal(Rational::exactly(sqrt(Ball(rho, 64)).upper() / 50), 3, Rounding::kDown);
    const LossDistribution losses = concentrated_losses(rho, step, Rational::two_to(-60), kBits);
    for (int tenths = -30; tenths <= 60; tenths += 5) {
      const Rational at = step * Rational(5 * tenths) + step / Rational(3);
      EXPECT_TRUE(certainly_less(gaussian_delta(Rational(2) * rho, at), profile(losses, at)))
          << text << " " << tenths;
    }
    const Rational delta = rational("1e-9");
    const Rational converted = approximate_epsilon(rho, delta);
    const Rational found = *epsilon_at(losses, delta);
    EXPECT_LT(abs(found - converted), converted / Rational(1000)) << text;
  }
}

}  // namespace loss_distribution_test
}  // namespace lastbit::accounting_internal
