// Bounds on sums of noisy numbers, against the exact law of the sum, by convolution.
#include "lastbit/accuracy/sum_accuracy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "lastbit/accuracy/accuracy.h"
#include "lastbit/base/test_support.h"

namespace lastbit {
namespace sum_accuracy_test {

// A law on −reach … reach.
using Law = std::vector<double>;

std::int64_t reach_of(const Law& law) { return static_cast<std::int64_t>(law.size() / 2); }

Law make_law(std::int64_t reach, double (*weight)(std::int64_t, double), double parameter) {
  Law law;
  double total = 0;
  for (std::int64_t k = -reach; k <= reach; ++k) {
    law.push_back(weight(k, parameter));
    total += law.back();
  }
  for (double& mass : law) mass /= total;
  return law;
}

// Rounded Laplace noise of a scale in steps of the grid.
double laplace_weight(std::int64_t k, double scale) {
  const double s = 1 / scale;
  if (k == 0) return 1 - std::exp(-s / 2);
  return std::sinh(s / 2) * std::exp(-s * static_cast<double>(std::abs(k)));
}
double gaussian_weight(std::int64_t k, double variance) {
  const auto x = static_cast<double>(k);
  return std::exp(-x * x / (2 * variance));
}

Law sum_of(const Law& a, const Law& b) {
  Law sum(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) sum[i + j] += a[i] * b[j];
  }
  return sum;
}

double probability_beyond(const Law& law, double a) {
  double probability = 0;
  const std::int64_t reach = reach_of(law);
  for (std::int64_t k = -reach; k <= reach; ++k) {
    if (std::abs(static_cast<double>(k)) > a)
      probability += law[static_cast<std::size_t>(k + reach)];
  }
  return probability;
}

double smallest_bound(const Law& law, double alpha) {
  double a = 0;
  while (probability_beyond(law, a) > alpha) ++a;
  return a;
}

TEST(SumAccuracyTest, BoundsHoldForTheExactLawAndAreNotFarAbove) {
  struct Case {
    Law law;
    Rational (*bound)(std::int64_t terms, const Rational& alpha);
  };
  const std::vector<Case> cases = {
      {make_law(150, laplace_weight, 4),
       [](std::int64_t terms, const Rational& alpha) {
         return laplace_sum_accuracy(4, Grid(0), SumInputs::kOnGrid, terms, alpha);
       }},
      {make_law(30, laplace_weight, 0.5),
       [](std::int64_t terms, const Rational& alpha) {
         return laplace_sum_accuracy(Rational(1, 2), Grid(0), SumInputs::kOnGrid, terms, alpha);
       }},
      {make_law(60, gaussian_weight, 9), [](std::int64_t terms, const Rational& alpha) {
         return gaussian_sum_accuracy(9, Grid(0), terms, alpha);
       }}};
  for (const Case& one : cases) {
    Law law = one.law;
    for (std::int64_t terms = 1; terms <= 12; ++terms) {
      for (const Rational& alpha : {Rational(1, 20), Rational(1, 1000)}) {
        const double level = alpha.up();
        const Rational a = one.bound(terms, alpha);
        EXPECT_TRUE(a.is_integer());
        EXPECT_LE(probability_beyond(law, a.up()), level * (1 + 1e-9)) << terms;
        // Chernoff's bound is worst for a large α and two terms.
        EXPECT_LE(a.up(), 1.7 * smallest_bound(law, level) + 1) << terms;
      }
      law = sum_of(law, one.law);
    }
  }
}

// Adding up bounds one by one costs a factor of about the root of the number.
TEST(SumAccuracyTest, ErrorsOfManyNumbersPartlyCancel) {
  const Rational alpha(1, 20);
  const Rational one = smallest_accuracy(10, Grid(0), alpha).ball.upper_rational();
  for (const std::int64_t terms : {100, 10'000, 1'000'000}) {
    const Rational root(static_cast<std::int64_t>(std::sqrt(static_cast<double>(terms))));
    const Rational on = laplace_sum_accuracy(10, Grid(0), SumInputs::kOnGrid, terms, alpha);
    EXPECT_LT(on, Rational(3, 2) * root * one) << terms;
    const Rational off = laplace_sum_accuracy(10, Grid(-16), SumInputs::kAnywhere, terms, alpha);
    EXPECT_LT(off, Rational(3, 2) * root * one + Rational(terms) * Rational::two_to(-17)) << terms;
  }
}

TEST(SumAccuracyTest, ImpossibleSumsAreRefused) {
  const Rational half(1, 2);
  const auto laplace = [&](const Rational& scale, std::int64_t terms) {
    expect_code(ErrorCode::kBadParameter,
                [&] { laplace_sum_accuracy(scale, Grid(0), SumInputs::kOnGrid, terms, half); });
  };
  laplace(1, 0);
  laplace(0, 1);
  expect_code(ErrorCode::kBadParameter, [&] { gaussian_sum_accuracy(1, Grid(0), -1, half); });
  expect_code(ErrorCode::kBadParameter, [&] { gaussian_sum_accuracy(1, Grid(0), 2, 2); });
}

}  // namespace sum_accuracy_test
}  // namespace lastbit
