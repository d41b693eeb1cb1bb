// Means and ratios by pivots: coverage by enumeration of all noise, widths against the true law,
// and what is answered when noise hides everything.
#include "lastbit/statistics/quotients.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace lastbit {
namespace quotients_test {

// The probabilities of noise on whole numbers: that of |Z| ≥ j is e^(−(j − ½)/scale) for j > 0.
std::vector<double> probabilities_of(const Rational& scale, int most) {
  std::vector<double> result;
  const double per_step = 1 / scale.up();
  for (int k = 0; k <= most; ++k) {
    const double from = k == 0 ? 1 : std::exp(-(k - 0.5) * per_step) / 2;
    const double beyond = std::exp(-(k + 0.5) * per_step) / (k == 0 ? 1 : 2);
    result.push_back(from - beyond);
  }
  return result;
}

// The probability, summed over all noise up to `most`, that `holds`. Doubles err by far less than
// the 10^-9 that tests allow.
template <class Holds>
double probability_of(const Rational& scale, int most, const Holds& holds) {
  const std::vector<double> p = probabilities_of(scale, most);
  double sum = 0;
  for (int x = -most; x <= most; ++x) {
    for (int y = -most; y <= most; ++y) {
      if (!holds(Rational(x), Rational(y))) continue;
      sum += p[static_cast<std::size_t>(std::abs(x))] * p[static_cast<std::size_t>(std::abs(y))];
    }
  }
  return sum;
}

bool holds(const Estimate& estimate, const Rational& truth) {
  return estimate.lower <= truth && truth <= estimate.upper;
}

TEST(CornerMeanTest, CoversAsStatedForAllNoiseAndData) {
  const Rational scale = 2;
  const Rational alpha(1, 5);
  const LaplaceNoise law{scale, Grid(0), true};
  const Range bounds{10, 13};
  CornerMean mean({law}, bounds, alpha);
  for (const auto& [rows, sum] :
       std::vector<std::pair<int, int>>{{1, 0}, {1, 2}, {4, 6}, {9, 27}}) {
    const Rational truth = Rational(10) + Rational(sum) / Rational(rows);
    const Rational error = corner_mean_error({law}, bounds, rows, alpha);
    double accurate = 0;
    const double covered = probability_of(scale, 40, [&](const Rational& x, const Rational& y) {
      const Estimate estimate = mean.estimate(Rational(sum) + x, Rational(3 * rows - sum) + y);
      EXPECT_TRUE(holds(estimate, estimate.answer));
      EXPECT_LE(bounds.lower, estimate.lower);
      EXPECT_LE(estimate.upper, bounds.upper);
      return holds(estimate, truth);
    });
    accurate = probability_of(scale, 40, [&](const Rational& x, const Rational& y) {
      const Estimate estimate = mean.estimate(Rational(sum) + x, Rational(3 * rows - sum) + y);
      return abs(estimate.answer - truth) <= error;
    });
    EXPECT_GE(covered, 0.8 - 1e-9) << rows;
    EXPECT_GE(accurate, 0.8 - 1e-9) << rows;
    EXPECT_LE(accurate, 1.0 + 1e-9) << rows;
  }
}

// SLOW: RatioEstimatorTest.CoversAsStatedForAllNoiseAndData
TEST(RatioEstimatorTest, CoversAsStatedForAllNoiseAndData) {
  const Rational scale = 12;
  const Rational alpha(1, 5);
  const LaplaceNoise law{scale, Grid(0), true};
  struct Case {
    RatioTerms terms;
    int first;
    int second;
  };
  // Divisors that cannot be 0, that may be 0, that may have both signs and are near 0.
  const std::vector<Case> cases = {{{{0, 3}, {1, 2}}, 6, 9},
                                   {{{0, 3}, {0, 2}}, 5, 10},
                                   {{{0, 3}, {0, 2}}, 5, 1},
                                   {{{-3, 3}, {-2, 2}}, -4, 1},
                                   {{{-3, 3}, {-2, -1}}, -4, -8}};
  for (const auto& [terms, first, second] : cases) {
    RatioEstimator ratio(law, 1, terms, alpha);
    const Rational x = terms.first.magnitude();
    const Rational y = terms.second.magnitude();
    const Rational p = y * Rational(first) + x * Rational(second);
    const Rational q = y * Rational(first) - x * Rational(second);
    const Rational truth = Rational(first) / Rational(second);
    const double wrong =
        probability_of(scale, 120, [&](const Rational& noise, const Rational& other) {
          const auto estimate = ratio.estimate(p + noise, q + other);
          EXPECT_TRUE(estimate || !terms.possible());
          return estimate && !holds(*estimate, truth);
        });
    EXPECT_LE(wrong, 0.2 + 1e-4) << first << "/" << second;
  }
}

// The true quantiles of |aX − bY| for real Laplace variates of scale 1: the probability of more
// than t is (a²·e^(−t/a) − b²·e^(−t/b))/(a² − b²).
double laplace_quantile(double a, double b, double alpha) {
  const auto tail = [&](double t) {
    const double of_a = a * a * std::exp(-t / a);
    return b == 0 ? of_a / (a * a) : (of_a - b * b * std::exp(-t / b)) / (a * a - b * b);
  };
  double low = 0;
  double high = 100;
  for (int i = 0; i < 100; ++i) (tail((low + high) / 2) > alpha ? low : high) = (low + high) / 2;
  return high;
}

TEST(CornerMeanTest, IntervalsAreNoWiderThanTheNoise) {
  constexpr std::int64_t kRows = 1'000'000;
  const LaplaceNoise laplace{1, Grid(-12), true};
  const GaussianNoise gaussian{1, Grid(-12)};
  CornerMean of_laplace({laplace}, {0, 1}, Rational(1, 20));
  CornerMean of_gaussian({gaussian}, {0, 1}, Rational(1, 20));
  for (const int percent : {0, 1, 10, 30, 48}) {
    const double m = percent / 100.0;
    const Rational trues = Rational(kRows * percent, 100);
    const auto width = [&](CornerMean& mean) {
      const Estimate estimate = mean.estimate(trues, Rational(kRows) - trues);
      return (estimate.upper - estimate.answer).up() * kRows;
    };
    EXPECT_LE(width(of_laplace) / laplace_quantile(1 - m, m, 0.05), 1.02) << percent;
    EXPECT_LE(width(of_gaussian) / (1.959964 * std::hypot(1 - m, m)), 1.02) << percent;
  }
  // What is planned is for the worst mean, which is at a bound.
  const Rational planned = corner_mean_error({laplace}, {0, 1}, kRows, Rational(1, 20));
  EXPECT_LE(planned.up() * kRows / laplace_quantile(1, 0, 0.05), 1.01);
}

TEST(CornerMeanTest, NoiseThatHidesEverythingLeavesEverything) {
  CornerMean mean({LaplaceNoise{100, Grid(-4), true}}, {2, 4}, Rational(1, 20));
  const auto expect_all = [&](const Rational& a, const Rational& b, const Rational& answer) {
    const Estimate estimate = mean.estimate(a, b);
    EXPECT_EQ(estimate.answer, answer);
    EXPECT_EQ(estimate.lower, Rational(2));
    EXPECT_EQ(estimate.upper, Rational(4));
  };
  expect_all(0, 0, 3);
  expect_all(-50, 20, 3);
  expect_all(-5000, -5000, 3);
  expect_all(1, 1, 3);
  expect_all(3, -1, 4);
  // No mean agrees with this.
  expect_all(-100'000, 200'000, 2);
  EXPECT_EQ(corner_mean_error({LaplaceNoise{100, Grid(-4), true}}, {2, 4}, 1, Rational(1, 20)),
            Rational(2));
}

TEST(CornerMeanTest, HugeAndTinyNumbersAreDecidedExactly) {
  for (const int exponent : {-1500, -1000, 900, 1500}) {
    const Rational unit = Rational::two_to(exponent);
    CornerMean mean({GaussianNoise{unit * unit, Grid(exponent - 10)}}, {0, 1}, Rational(1, 20));
    const Estimate estimate = mean.estimate(Rational(3000) * unit, Rational(1000) * unit);
    EXPECT_EQ(estimate.answer, Rational(3, 4)) << exponent;
    EXPECT_LE(estimate.lower, Rational(3, 4)) << exponent;
    EXPECT_LE(Rational(3, 4), estimate.upper) << exponent;
  }
}

// Noises of several numbers, as in totals, are those of their sum.
RC_GTEST_PROP(PivotTest, HoldsEveryValueThatAgrees, ()) {
  const LaplaceNoise law{*rc::gen::inRange(1, 50), Grid(-3), true};
  const std::int64_t terms = *rc::gen::inRange(1, 4);
  const auto number = rc::gen::inRange(-400, 400);
  const auto weight = rc::gen::inRange(-5, 6);
  const PivotNoise noise{{law, terms}, {{*weight, *weight}, {*weight, *weight}}};
  const std::vector<Rational> numbers = {*number, *number};
  Pivot pivot(noise, Rational(1, 10));
  const auto accepted = pivot.accepted(numbers);
  const auto again = pivot.accepted(numbers);
  RC_ASSERT(accepted == again);
  for (int i = 0; i <= 60; ++i) {
    const Rational m(i, 60);
    Rational sum = 0;
    std::vector<WeightedNoise> noises;
    for (std::size_t k = 0; k < 2; ++k) {
      const auto& [zero, one] = noise.weights[k];
      const Rational at = zero + (one - zero) * m;
      sum += at * numbers[k];
      noises.push_back({law, at, terms});
    }
    // Accuracies are found by search, and may fall a little where weights rise.
    const Rational bound = weighted_noise_accuracy(noises, Rational(1, 10)) * Rational(99, 100);
    RC_ASSERT(bound <= largest_pivot_noise(noise, Rational(1, 10)));
    if (abs(sum) > bound) continue;
    RC_ASSERT(accepted.has_value());
    RC_ASSERT(accepted->lower <= m && m <= accepted->upper);
  }
}

TEST(RatioEstimatorTest, KnowsWhereNothingIsKnown) {
  const LaplaceNoise law{1, Grid(-10), true};
  const Rational alpha(1, 20);
  const auto estimate = [&](const RatioTerms& terms, const Rational& s, const Rational& t) {
    const Rational x = terms.first.magnitude();
    const Rational y = terms.second.magnitude();
    return RatioEstimator(law, 1, terms, alpha).estimate(y * s + x * t, y * s - x * t);
  };
  const Estimate ratio = estimate({{0, 9}, {0, 9}}, 1200, 500).value();
  EXPECT_EQ(ratio.answer, Rational(12, 5));
  EXPECT_LT(ratio.upper - ratio.lower, Rational(1, 100));
  EXPECT_FALSE(estimate({{0, 9}, {0, 9}}, 1200, 0));
  EXPECT_FALSE(estimate({{0, 9}, {0, 9}}, 0, 0));
  EXPECT_FALSE(estimate({{0, 9}, {0, 9}}, 1200, -500));
  EXPECT_FALSE(estimate({{0, 9}, {-9, 9}}, 1200, Rational(1, 10)));
  EXPECT_EQ(estimate({{0, 9}, {-9, 9}}, 1200, -400)->answer, Rational(-3));
  // A dividend that noise hides is no obstacle: the ratio is near 0.
  const Estimate small = estimate({{-9, 9}, {-9, 9}}, 0, 400).value();
  EXPECT_LT(small.lower, Rational(0));
  EXPECT_LT(small.upper, Rational(1, 100));
  // 2 to 3 in each row, so that no ratio exceeds 9/2.
  EXPECT_EQ(estimate({{0, 9}, {2, 3}}, 12, -7)->upper, Rational(9, 2));
  EXPECT_EQ(estimate({{0, 9}, {2, 3}}, 12, 1)->answer, Rational(9, 2));
  EXPECT_FALSE(ratio_error(law, 1, {{0, 9}, {0, 3}}, 100, alpha));
  EXPECT_EQ(ratio_error(law, 1, {{0, 9}, {2, 3}}, 0, alpha), Rational(9, 2));
  EXPECT_LT(ratio_error(law, 1, {{0, 9}, {2, 3}}, 100, alpha), Rational(1, 10));
}

}  // namespace quotients_test
}  // namespace lastbit
