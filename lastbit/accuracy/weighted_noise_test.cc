// Sums of weighted noises, against the law of the sum: by convolution, in closed form, by
// integration.
#include "lastbit/accuracy/weighted_noise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "lastbit/accuracy/accuracy.h"
#include "lastbit/accuracy/gaussian_accuracy.h"
#include "lastbit/accuracy/sum_accuracy.h"
#include "lastbit/base/test_support.h"

namespace lastbit {
namespace weighted_noise_test {

using Noises = std::vector<WeightedNoise>;

// Noise on so fine a grid that it is real.
WeightedNoise laplace(const Rational& width, std::int64_t count = 1) {
  return {LaplaceNoise{1, Grid(-40), false}, width, count};
}
WeightedNoise gaussian(const Rational& width, std::int64_t count = 1) {
  return {GaussianNoise{1, Grid(-40)}, width, count};
}
WeightedNoise laplace_steps(const Rational& scale, std::int64_t count) {
  return {LaplaceNoise{scale, Grid(0), true}, 1, count};
}
WeightedNoise gaussian_steps(const Rational& variance, std::int64_t count) {
  return {GaussianNoise{variance, Grid(0)}, 1, count};
}

double accuracy(const Noises& noises, const Rational& alpha) {
  return weighted_noise_accuracy(noises, alpha).up();
}

// The masses of 0, 1, 2, …, reach of a symmetric law on the whole numbers.
using Law = std::vector<double>;

double mass_at(const Law& law, std::int64_t k) {
  const auto index = static_cast<std::size_t>(std::abs(k));
  return index < law.size() ? law[index] : 0;
}
Law laplace_law(double scale, std::size_t reach) {
  Law law{1 - std::exp(-0.5 / scale)};
  for (std::size_t k = 1; k <= reach; ++k) {
    law.push_back(std::sinh(0.5 / scale) * std::exp(-static_cast<double>(k) / scale));
  }
  return law;
}
Law gaussian_law(double variance, std::size_t reach) {
  Law law;
  double total = 0;
  for (std::size_t k = 0; k <= reach; ++k) {
    const auto x = static_cast<double>(k);
    law.push_back(std::exp(-x * x / (2 * variance)));
    total += law.back() * (k == 0 ? 1 : 2);
  }
  for (double& mass : law) mass /= total;
  return law;
}
Law sum_of(const Law& a, const Law& b) {
  const auto reach = static_cast<std::int64_t>(b.size()) - 1;
  Law sum;
  for (std::int64_t k = 0; k < static_cast<std::int64_t>(a.size()) + reach; ++k) {
    double mass = 0;
    for (std::int64_t j = -reach; j <= reach; ++j) mass += mass_at(b, j) * mass_at(a, k - j);
    sum.push_back(mass);
  }
  return sum;
}
double probability_beyond(const Law& law, double a) {
  double probability = 0;
  for (std::size_t k = law.size() - 1; static_cast<double>(k) > a; --k) {
    probability += 2 * law[k];
  }
  return probability;
}

TEST(WeightedNoiseTest, SumsOnTheGridHaveTheSmallestBound) {
  struct Case {
    Law law;
    WeightedNoise noise;
  };
  const std::vector<Case> cases = {{laplace_law(4, 160), laplace_steps(4, 1)},
                                   {laplace_law(0.5, 25), laplace_steps(Rational(1, 2), 1)},
                                   {laplace_law(0.125, 8), laplace_steps(Rational(1, 8), 1)},
                                   {gaussian_law(9, 40), gaussian_steps(9, 1)},
                                   {gaussian_law(1, 14), gaussian_steps(1, 1)},
                                   {gaussian_law(0.25, 8), gaussian_steps(Rational(1, 4), 1)}};
  for (const Case& one : cases) {
    Law law = one.law;
    WeightedNoise noise = one.noise;
    for (noise.count = 1; noise.count <= 9; ++noise.count) {
      for (const Rational& alpha :
           {Rational(9, 10), Rational(1, 2), Rational(1, 20), Rational(1, 1000000)}) {
        const double level = alpha.up();
        const double a = accuracy({noise}, alpha);
        EXPECT_LE(probability_beyond(law, a), level * (1 + 1e-9)) << noise.count;
        if (a == 0) continue;
        EXPECT_GT(probability_beyond(law, a - 1), level * (1 - 0.015)) << noise.count;
      }
      law = sum_of(law, one.law);
    }
  }
}

// Pr[|S| > q], and the noises that add up to S.
struct RealCase {
  const char* name;
  Noises noises;
  std::function<double(double)> tail;
};

// Σ over i of c_i·e^(−q/w_i) for different widths.
std::function<double(double)> separate_tail(const std::vector<double>& widths) {
  return [widths](double q) {
    double sum = 0;
    for (const double own : widths) {
      double term = std::exp(-q / own);
      for (const double other : widths) {
        if (other != own) term *= own * own / (own * own - other * other);
      }
      sum += term;
    }
    return sum;
  };
}

// m equal ones: given k of the first m arrivals of a Poisson process, a fair game decides.
std::function<double(double)> equal_tail(int m) {
  return [m](double q) {
    double sum = 0;
    for (int k = 0; k < m; ++k) {
      double fewer = 0;  // Pr[at most m − 1 − k failures before the m-th success]
      for (int f = 0; f <= m - 1 - k; ++f) {
        fewer += std::exp(std::lgamma(m + f) - std::lgamma(m) - std::lgamma(f + 1) -
                          (m + f) * std::numbers::ln2);
      }
      sum += 2 * fewer * std::exp(k * std::log(q) - q - std::lgamma(k + 1));
    }
    return sum;
  };
}

// By inverting a characteristic function that falls quickly, without leaving the real axis.
std::function<double(double)> inverted_tail(std::function<double(double)> transform, double end) {
  return [transform = std::move(transform), end](double q) {
    constexpr int kSteps = 200'000;
    const double h = end / kSteps;
    double sum = q / 2;
    for (int i = 1; i < kSteps; ++i) sum += std::sin(q * i * h) / (i * h) * transform(i * h);
    return 1 - 2 / std::numbers::pi * h * sum;
  };
}

double laplace_transform(double width, double t) { return 1 / (1 + width * width * t * t); }

std::vector<RealCase> real_cases() {
  return {
      {"two equal", {laplace(1), laplace(1)}, [](double q) { return (1 + q / 2) * std::exp(-q); }},
      {"two of a count", {laplace(1, 2)}, [](double q) { return (1 + q / 2) * std::exp(-q); }},
      {"apart", {laplace(1), laplace(Rational(1, 2))}, separate_tail({1, 0.5})},
      {"far apart", {laplace(1), laplace(Rational(-1, 1000))}, separate_tail({1, 0.001})},
      {"close", {laplace(1), laplace(Rational(15, 16))}, separate_tail({1, 0.9375})},
      {"four",
       {laplace(1), laplace(Rational(3, 4)), laplace(Rational(1, 2)), laplace(Rational(1, 8))},
       separate_tail({1, 0.75, 0.5, 0.125})},
      {"seven equal", {laplace(1, 7)}, equal_tail(7)},
      {"sixty equal", {laplace(1, 60)}, equal_tail(60)},
      {"two totals",
       {laplace(1, 3), laplace(Rational(1, 4), 3)},
       inverted_tail(
           [](double t) {
             return std::pow(laplace_transform(1, t) * laplace_transform(0.25, t), 3);
           },
           60)},
      {"Laplace and Gaussian",
       {laplace(1), gaussian(1)},
       inverted_tail([](double t) { return laplace_transform(1, t) * std::exp(-t * t / 2); }, 12)},
      {"little Laplace",
       {laplace(Rational(1, 64), 2), gaussian(-1)},
       inverted_tail(
           [](double t) {
             return std::pow(laplace_transform(1.0 / 64, t), 2) * std::exp(-t * t / 2);
           },
           12)},
      {"little Gaussian",
       {laplace(1, 4), gaussian(Rational(1, 64))},
       inverted_tail(
           [](double t) { return std::pow(laplace_transform(1, t), 4) * std::exp(-t * t / 8192); },
           60)},
      {"Gaussians",
       {gaussian(1), gaussian(Rational(3, 4))},
       [](double q) { return std::erfc(q / (1.25 * std::numbers::sqrt2)); }},
      {"many Gaussians", {gaussian(1, 100), gaussian(Rational(3, 4), 100)}, [](double q) {
         return std::erfc(q / (12.5 * std::numbers::sqrt2));
       }}};
}

TEST(WeightedNoiseTest, RealNoisesAreBoundedToAThousandth) {
  for (const RealCase& one : real_cases()) {
    for (const Rational& alpha : {Rational(1, 2), Rational(1, 20), Rational(1, 10000)}) {
      const double level = alpha.up();
      const double a = accuracy(one.noises, alpha);
      EXPECT_LE(one.tail(a), level * (1 + 1e-8)) << one.name << " " << level;
      EXPECT_GT(one.tail(a * 0.999), level) << one.name << " " << level;
    }
  }
}

// By the central limit theorem, whose error is below 10^−6 here.
TEST(WeightedNoiseTest, LargeTotalsAreBoundedToAHundredth) {
  constexpr double kNormal = 1.959963984540054;
  const Rational alpha(1, 20);
  for (const std::int64_t count : {1'000'000, 1'000'000'000}) {
    const double root = std::sqrt(2 * static_cast<double>(count));
    const auto expect_close = [&](const WeightedNoise& noise, double deviation) {
      const double exact = kNormal * deviation;
      const double a = accuracy({noise}, alpha);
      EXPECT_GT(a, exact * (1 - 1e-5) - 1);
      EXPECT_LT(a, exact * 1.002 + 1);
    };
    expect_close({LaplaceNoise{1, Grid(-10), false}, 1, count}, root);
    expect_close({LaplaceNoise{1, Grid(-10), true}, 1, count}, root);
    expect_close(laplace_steps(10, count), root * std::sqrt(100 + 1.0 / 24));
    expect_close(gaussian_steps(8, count), root * 2);
  }
}

TEST(WeightedNoiseTest, OneNoiseHasItsOwnAccuracy) {
  const Rational alpha(1, 20);
  const LaplaceNoise anywhere{3, Grid(0), false};
  const Rational smallest = smallest_accuracy(3, Grid(0), alpha).ball.upper_rational();
  EXPECT_EQ(weighted_noise_accuracy(Noises{{anywhere, -2, 1}}, alpha), Rational(2) * smallest);
  const GaussianNoise gauss{10, Grid(2)};
  EXPECT_EQ(weighted_noise_accuracy(Noises{{gauss, Rational(1, 3), 1}}, alpha),
            gaussian_accuracy(10, Grid(2), alpha) / Rational(3));
  // e^(−8.5/3) > 1/20 > e^(−9.5/3).
  EXPECT_EQ(weighted_noise_accuracy(Noises{laplace_steps(3, 1)}, alpha), Rational(9));
  EXPECT_EQ(weighted_noise_accuracy(Noises{laplace_steps(Rational(1, 8), 1)}, alpha), Rational(0));
  EXPECT_EQ(weighted_noise_accuracy(Noises{}, alpha), Rational(0));
  EXPECT_EQ(weighted_noise_accuracy(Noises{{gauss, 0, 5}}, alpha), Rational(0));
  EXPECT_EQ(weighted_noise_accuracy(Noises{{gauss, 0, 5}, laplace_steps(3, 1)}, alpha),
            Rational(9));
}

// Whatever the grids are, the bound is at most the one that adds up the noises one by one.
TEST(WeightedNoiseTest, IsAtMostTheUnionBound) {
  for (const int exponent : {-12, -3, 0, 2, 6}) {
    for (const bool on_grid : {false, true}) {
      for (const Rational& weight : {Rational(1), Rational(1, 3), Rational(1, 1'000'000)}) {
        for (const Rational& alpha : {Rational(1, 20), Rational::two_to(-2000)}) {
          const WeightedNoise first{LaplaceNoise{2, Grid(exponent), on_grid}, 1, 1};
          const WeightedNoise second{LaplaceNoise{3, Grid(exponent), on_grid}, weight, 3};
          const WeightedNoise third{GaussianNoise{5, Grid(exponent)}, weight, 1};
          const Rational part = alpha / Rational(3);
          const auto inputs = on_grid ? SumInputs::kOnGrid : SumInputs::kAnywhere;
          const Rational plain = smallest_accuracy(2, Grid(exponent), part).ball.upper_rational() +
                                 weight * laplace_sum_accuracy(3, Grid(exponent), inputs, 3, part) +
                                 weight * gaussian_accuracy(5, Grid(exponent), part);
          EXPECT_LE(weighted_noise_accuracy(Noises{first, second, third}, alpha), plain)
              << exponent << " " << on_grid << " " << weight.to_string();
        }
      }
    }
  }
}

TEST(WeightedNoiseTest, GrowsWithTheWeights) {
  const Rational alpha(1, 20);
  double before = 0;
  for (int i = 0; i <= 64; ++i) {
    const WeightedNoise first{LaplaceNoise{1, Grid(-10), true}, 1, 1};
    const WeightedNoise second{LaplaceNoise{1, Grid(-10), true}, Rational(i, 32), 1};
    const double a = accuracy({first, second}, alpha);
    EXPECT_GT(a, before * (1 - 1e-3)) << i;
    EXPECT_NEAR(a, accuracy({second, first}, alpha), 1e-3 * a) << i;
    before = a;
  }
}

// Rounding of many numbers that lie anywhere nearly cancels.
TEST(WeightedNoiseTest, RoundingAddsLittleToLargeTotals) {
  const Rational alpha(1, 20);
  const Rational real = weighted_noise_accuracy(Noises{laplace(1, 1'000'000)}, alpha);
  const WeightedNoise rounded{LaplaceNoise{1, Grid(-5), false}, 1, 1'000'000};
  const Rational a = weighted_noise_accuracy(Noises{rounded}, alpha);
  // Each rounding is by up to 2^−6.
  EXPECT_GT(a, real);
  EXPECT_LT(a, real * Rational(11, 10));
}

TEST(WeightedNoiseTest, ExtremeNumbersHaveBoundsToo) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (const Rational& alpha :
       {Rational::two_to(-20'000), Rational::two_to(-1100), Rational(1, 20),
        Rational(1) - Rational::two_to(-30), Rational(1) - Rational::two_to(-3000)}) {
    for (const Rational& scale :
         {Rational::two_to(-4900), Rational(1, 1000), Rational(1), Rational::two_to(4900)}) {
      for (const std::int64_t count : {std::int64_t{1}, std::int64_t{1'000'000'000}, most}) {
        const LaplaceNoise noise{scale, Grid(0), true};
        const LaplaceNoise anywhere{scale, Grid(0), false};
        const GaussianNoise gauss{scale * scale / Rational(16), Grid(0)};
        for (const Noises& noises :
             {Noises{{noise, 1, count}}, Noises{{anywhere, 1, count}}, Noises{{gauss, 1, count}},
              Noises{{noise, 1, count}, {anywhere, Rational::two_to(-4000), 1}},
              Noises{{noise, 1, 1}, {gauss, Rational::two_to(4000), count}, {noise, 0, 1}}}) {
          EXPECT_GE(weighted_noise_accuracy(noises, alpha), Rational(0));
        }
      }
    }
  }
}

TEST(WeightedNoiseTest, ImpossibleNoisesAreRefused) {
  const auto refuse = [](const WeightedNoise& noise, const Rational& alpha) {
    expect_code(ErrorCode::kBadParameter,
                [&] { weighted_noise_accuracy(Noises{noise, laplace(1)}, alpha); });
    expect_code(ErrorCode::kBadParameter, [&] { weighted_noise_accuracy(Noises{noise}, alpha); });
  };
  const Rational half(1, 2);
  refuse(laplace_steps(0, 1), half);
  refuse(laplace_steps(-1, 1), half);
  refuse(laplace_steps(1, 0), half);
  refuse(gaussian_steps(0, 1), half);
  refuse(gaussian_steps(1, -1), half);
  refuse(gaussian_steps(Rational::two_to(10'001), 1), half);
  refuse({LaplaceNoise{0, Grid(0), true}, 0, 1}, half);
  refuse(laplace(1), 0);
  refuse(laplace(1), 1);
}

}  // namespace weighted_noise_test
}  // namespace lastbit
