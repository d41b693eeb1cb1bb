#include "lastbit/statistics/moments.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "lastbit/random/discrete_gaussian.h"
#include "lastbit/random/rounded_laplace.h"
#include "lastbit/random/tape.h"
#include "lastbit/statistics/moment_errors.h"
#include "lastbit/statistics/moment_sums.h"

namespace lastbit {
namespace moments_test {

using Pair = std::pair<std::int64_t, std::int64_t>;
using Numbers = std::vector<Rational>;

// Literal: the definitions, row by row, in exact numbers.
Rational mean_of(const std::vector<Rational>& values) {
  Rational sum = 0;
  for (const Rational& value : values) sum += value;
  return sum / Rational(values.size());
}
Rational covariance_of(const std::vector<Rational>& xs, const std::vector<Rational>& ys) {
  const Rational x = mean_of(xs);
  const Rational y = mean_of(ys);
  Rational sum = 0;
  for (std::size_t i = 0; i < xs.size(); ++i) sum += (xs[i] - x) * (ys[i] - y);
  return sum / Rational(xs.size() - 1);
}

// The numbers of each statistic of values in [0, 1], by their definitions.
Numbers squares_of(const std::vector<Rational>& us, SquareBasis basis) {
  Numbers sums(3, 0);
  for (const Rational& u : us) {
    const Rational v = Rational(1) - u;
    if (basis == SquareBasis::kBernstein) {
      sums[0] += v * v;
      sums[1] += Rational(2) * u * v;
      sums[2] += u * u;
    } else {
      sums[0] += v * (v - u);
      sums[1] += Rational(4) * u * v;
      sums[2] += u * (u - v);
    }
  }
  return sums;
}
Numbers corners_of(const std::vector<Rational>& us, const std::vector<Rational>& vs) {
  Numbers sums(4, 0);
  for (std::size_t i = 0; i < us.size(); ++i) {
    const Rational u1 = Rational(1) - us[i];
    const Rational v1 = Rational(1) - vs[i];
    sums[0] += u1 * v1;
    sums[1] += u1 * vs[i];
    sums[2] += us[i] * v1;
    sums[3] += us[i] * vs[i];
  }
  return sums;
}
Numbers six_of(const std::vector<Rational>& us, const std::vector<Rational>& vs,
               const Rational& tau) {
  Numbers sums = corners_of(us, vs);
  sums.resize(6);
  for (const Rational& u : us) sums[4] += tau * u * (Rational(1) - u);
  for (const Rational& v : vs) sums[5] += tau * v * (Rational(1) - v);
  return sums;
}

const Grid kFine(-12);
NoiseLaw law_of(const Rational& scale) { return LaplaceNoise{scale, kFine, true}; }

// Shapes of columns with n values of steps of 1/1000.
std::vector<Rational> bell(std::size_t n, int middle, int spread) {
  std::vector<Rational> values;
  for (std::size_t i = 0; i < n; ++i) {
    // Sums of three equidistributed numbers with periods prime to each other.
    const auto wave = [&](std::size_t period) { return static_cast<int>(i * 37 % period); };
    const int sum = wave(101) * 1000 / 100 + wave(103) * 1000 / 102 + wave(107) * 1000 / 106 - 1500;
    values.emplace_back(std::clamp(middle + sum * spread / 500, 0, 1000));
    values.back() /= Rational(1000);
  }
  return values;
}
std::vector<Rational> two_points(std::size_t n, std::size_t high) {
  std::vector<Rational> values(n, 0);
  std::fill_n(values.begin(), high, Rational(1));
  return values;
}

// Trial: many releases of the same numbers.
struct Trial {
  int misses = 0;
  double width = 0;  // the median of the half widths
  double error = 0;  // exceeded by one in twenty answers
};
template <class Estimator, class Noise>
Trial trial_with(const Noise& noise, const Estimator& estimator, const Numbers& exact,
                 const Rational& truth, int releases, std::uint64_t seed) {
  BitSource bits = testing::seeded_tape(seed);
  Trial trial;
  std::vector<double> widths;
  std::vector<double> errors;
  for (int i = 0; i < releases; ++i) {
    Numbers noisy = exact;
    std::vector<std::int64_t> steps(noisy.size(), 0);
    noise.add(steps, bits);
    for (std::size_t j = 0; j < noisy.size(); ++j) noisy[j] += kFine.point(steps[j]);
    const Estimate estimate = estimator.estimate(noisy);
    EXPECT_LE(estimate.lower, estimate.answer);
    EXPECT_LE(estimate.answer, estimate.upper);
    if (truth < estimate.lower || estimate.upper < truth) ++trial.misses;
    widths.push_back((estimate.upper - estimate.lower).up() / 2);
    errors.push_back(abs(estimate.answer - truth).up());
  }
  std::ranges::sort(widths);
  std::ranges::sort(errors);
  trial.width = widths[widths.size() / 2];
  trial.error = errors[errors.size() * 19 / 20];
  return trial;
}
template <class Estimator>
Trial trial_of(const Estimator& estimator, const Numbers& exact, const Rational& scale,
               const Rational& truth, int releases, std::uint64_t seed) {
  const RoundedLaplace noise(scale / kFine.spacing());
  return trial_with(noise, estimator, exact, truth, releases, seed);
}

// N = 1500, α = 1/20: by Chernoff's bound more than 135 misses have probability below 10^-8.
constexpr int kReleases = 1500;
constexpr int kMostMisses = 135;
const Rational kAlpha(1, 20);

RC_GTEST_PROP(MomentSumsTest, AreTheDefinitionsRowByRow, ()) {
  const auto lower = *rc::gen::inRange<std::int64_t>(-50, 50);
  const auto width = *rc::gen::inRange<std::int64_t>(1, 40);
  const auto rows = *rc::gen::container<std::vector<std::int64_t>>(
      rc::gen::inRange<std::int64_t>(lower, lower + width + 1));
  const auto others = *rc::gen::container<std::vector<std::int64_t>>(
      rows.size(), rc::gen::inRange<std::int64_t>(-3, 5));
  std::vector<Rational> us;
  std::vector<Rational> vs;
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    us.push_back(Rational(rows[i] - lower) / Rational(width));
    vs.push_back(Rational(others[i] + 3) / Rational(7));
    pairs.emplace_back(rows[i], others[i]);
  }
  const IntervalDomain<std::int64_t> first(lower, lower + width);
  Numbers squares = square_sums(rows, first);
  for (Rational& number : squares) number /= Rational(width * width);
  RC_ASSERT(squares == squares_of(us, SquareBasis::kBernstein));
  Numbers corners = pair_corner_sums(pairs, first, {-3, 4});
  for (Rational& number : corners) number /= Rational(width * 7);
  RC_ASSERT(corners == corners_of(us, vs));
}

// One row more moves the numbers by what the map says, whatever the row is.
TEST(MomentSumsTest, MapsAreAttainedByEveryRow) {
  const auto squares = make_square_sums(IntegerRows(IntervalDomain<std::int64_t>(-3, 6)), {});
  EXPECT_EQ(squares.map(1), Distance(81));
  EXPECT_EQ(squares.map(Rational(5, 2)), Distance(162));
  const auto corners =
      make_pair_corner_sums(IntegerPairs(pair_of(IntervalDomain<std::int64_t>(-3, 6),
                                                 IntervalDomain<std::int64_t>(0, 4))),
                            {});
  EXPECT_EQ(corners.map(1), Distance(36));
  for (std::int64_t row = -3; row <= 6; ++row) {
    EXPECT_EQ(L1Distance().distance(squares({2, 5}), squares({2, row, 5})), Distance(81));
    EXPECT_EQ(L1Distance().distance(corners({}), corners({Pair(row, 3)})), Distance(36));
  }
}

// Distances from the lower bound of wider intervals would not fit.
TEST(MomentSumsTest, IntervalsOfTwoTo63AreRefused) {
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  const IntervalDomain<std::int64_t> widest(least, -1);  // 2^63 − 1
  EXPECT_EQ(make_square_sums(IntegerRows(widest), {})({least}).back(), Rational(0));
  for (const std::int64_t upper : {std::int64_t{0}, std::numeric_limits<std::int64_t>::max()}) {
    const IntervalDomain<std::int64_t> wide(least, upper);
    EXPECT_THROW(make_square_sums(IntegerRows(wide), {}), Error);
    EXPECT_THROW(make_pair_corner_sums(IntegerPairs(pair_of(widest, wide)), {}), Error);
    EXPECT_THROW(make_pair_corner_sums(IntegerPairs(pair_of(wide, widest)), {}), Error);
  }
}

// The numbers of a row, as functions of u and v, have the norms that the header says.
TEST(MomentSumsTest, RowsHaveTheNormsOfTheirBases) {
  for (int i = 0; i <= 40; ++i) {
    const Rational u(i, 40);
    Rational nodes = 0;
    for (const Rational& x : squares_of({u}, SquareBasis::kNodes)) nodes += x * x;
    EXPECT_LE(nodes, Rational(1));
    for (int j = 0; j <= 40; ++j) {
      Rational one = 0;
      Rational two = 0;
      for (const Rational& x : six_of({u}, {Rational(j, 40)}, 1)) one += abs(x);
      for (const Rational& x : six_of({u}, {Rational(j, 40)}, 2)) two += x * x;
      EXPECT_LE(one, Rational(3, 2));
      EXPECT_LE(two, Rational(1));
    }
  }
  Rational most = 0;
  for (const Rational& x : six_of({Rational(1, 2)}, {Rational(1, 2)}, 1)) most += abs(x);
  EXPECT_EQ(most, Rational(3, 2));
}

// With noise far below the data, answers and intervals are the literal statistics.
RC_GTEST_PROP(MomentsTest, NumbersWithHardlyAnyNoiseGiveTheStatistic, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(3, 30);
  const auto values = [&] {
    std::vector<Rational> column;
    for (const int x : *rc::gen::container<std::vector<int>>(n, rc::gen::inRange(0, 21))) {
      column.emplace_back(Integer(x), Integer(20));
    }
    return column;
  };
  const std::vector<Rational> us = values();
  const std::vector<Rational> vs = values();
  const NoiseLaw law = LaplaceNoise{Rational::two_to(-40), Grid(-60), true};
  const Rational close = Rational::two_to(-20);
  const auto expect_near = [&](const Estimate& estimate, const Rational& truth) {
    RC_ASSERT(abs(estimate.answer - truth) <= close);
    RC_ASSERT(estimate.lower <= truth && truth <= estimate.upper);
    RC_ASSERT(estimate.upper - estimate.lower <= close);
  };
  for (const SquareBasis basis : {SquareBasis::kBernstein, SquareBasis::kNodes}) {
    expect_near(VarianceEstimator(law, 1, 1, basis, kAlpha).estimate(squares_of(us, basis)),
                covariance_of(us, us));
  }
  expect_near(CovarianceEstimator(law, 1, 1, kAlpha).estimate(corners_of(us, vs)),
              covariance_of(us, vs));
  const Rational variances = covariance_of(us, us) * covariance_of(vs, vs);
  if (variances.sign() == 0) return;
  const Rational covariance = covariance_of(us, vs);
  const Rational size = root_down(covariance * covariance / variances);
  const Estimate r = CorrelationEstimator(law, 1, 1, 1, kAlpha).estimate(six_of(us, vs, 1));
  RC_ASSERT(abs(r.answer - (covariance.sign() < 0 ? -size : size)) <= close);
  RC_ASSERT(r.upper - r.lower <= close);
}

// SLOW: MomentsCoverageTest.*
TEST(MomentsCoverageTest, VariancesMissNoMoreOftenThanStatedAndAreNotMuchTooWide) {
  struct Case {
    const char* name;
    std::vector<Rational> values;
    Rational scale;
    bool ordinary;
  };
  const std::vector<Case> cases = {
      {"bell", bell(3000, 500, 100), 1, true},
      {"bell off the middle", bell(3000, 250, 60), 1, true},
      {"two points", two_points(3000, 1200), 1, true},
      {"all equal", std::vector<Rational>(3000, Rational(3, 10)), 1, false},
      {"all at a bound", two_points(3000, 0), 1, false},
      {"few rows", bell(30, 500, 100), 1, false},
      {"three rows", two_points(3, 1), 1, false},
      {"two rows", two_points(2, 1), Rational(1, 4), false},
      {"much noise", bell(300, 400, 150), 20, false}};
  std::uint64_t seed = 100;
  for (const Case& one : cases) {
    for (const SquareBasis basis : {SquareBasis::kBernstein, SquareBasis::kNodes}) {
      const VarianceEstimator estimator(law_of(one.scale), 1, 1, basis, kAlpha);
      const Trial trial = trial_of(estimator, squares_of(one.values, basis), one.scale,
                                   covariance_of(one.values, one.values), kReleases, ++seed);
      EXPECT_LE(trial.misses, kMostMisses) << one.name;
      if (one.ordinary) {
        EXPECT_LE(trial.width, 1.2 * trial.error) << one.name;
      }
      std::printf("%-20s misses %3d of %d, half width %.3g, error %.3g\n", one.name, trial.misses,
                  kReleases, trial.width, trial.error);
    }
  }
}

TEST(MomentsCoverageTest, CovariancesAndCorrelationsMissNoMoreOftenThanStated) {
  struct Case {
    const char* name;
    std::vector<Rational> first;
    std::vector<Rational> second;
    bool ordinary;
  };
  const std::vector<Rational> x = bell(4000, 500, 180);
  std::vector<Rational> y;
  const std::vector<Rational> other = bell(4001, 500, 200);
  for (std::size_t i = 0; i < x.size(); ++i) {
    y.push_back((x[i] * Rational(2) + other[i + 1] * Rational(3)) / Rational(5));
  }
  std::vector<Rational> mirrored;
  for (const Rational& value : x) mirrored.push_back(Rational(1) - value);
  const std::vector<Case> cases = {
      {"correlated", x, y, true},
      {"mirrored", x, mirrored, true},
      {"two points", two_points(4000, 1000), two_points(4000, 1000), true},
      {"few rows", bell(40, 500, 180), bell(40, 400, 100), false},
      {"two rows", two_points(2, 1), two_points(2, 1), false}};
  std::uint64_t seed = 200;
  for (const Case& one : cases) {
    const CovarianceEstimator covariances(law_of(1), 1, 1, kAlpha);
    const Rational covariance = covariance_of(one.first, one.second);
    const Trial c =
        trial_of(covariances, corners_of(one.first, one.second), 1, covariance, kReleases, ++seed);
    const CorrelationEstimator correlations(law_of(1), 1, 1, 1, kAlpha);
    const Rational square = covariance * covariance / covariance_of(one.first, one.first) /
                            covariance_of(one.second, one.second);
    const Rational truth = covariance.sign() < 0 ? -root_down(square) : root_down(square);
    const Trial r =
        trial_of(correlations, six_of(one.first, one.second, 1), 1, truth, kReleases, ++seed);
    EXPECT_LE(c.misses, kMostMisses) << one.name;
    EXPECT_LE(r.misses, kMostMisses) << one.name;
    if (one.ordinary) {
      EXPECT_LE(c.width, 1.2 * c.error) << one.name;
    }
    // At ±1 half of the interval is impossible.
    if (one.ordinary) {
      EXPECT_LE(r.width, 1.3 * r.error) << one.name;
    }
    std::printf(
        "%-12s covariance misses %3d, half width %.3g, error %.3g; correlation %.3f misses "
        "%3d, half width %.3g, error %.3g\n",
        one.name, c.misses, c.width, c.error, truth.up(), r.misses, r.width, r.error);
  }
}

TEST(MomentsCoverageTest, GaussianNoiseMissesNoMoreOftenThanStated) {
  const DiscreteGaussian noise(Rational(1) / (kFine.spacing() * kFine.spacing()));
  const NoiseLaw law = GaussianNoise{1, kFine};
  std::uint64_t seed = 300;
  for (const bool ordinary : {true, false}) {
    const std::vector<Rational> us = ordinary ? bell(3000, 480, 150) : bell(25, 480, 150);
    std::vector<Rational> vs;
    for (const Rational& u : us) vs.push_back(u * u);
    const Rational variance = covariance_of(us, us);
    const Rational covariance = covariance_of(us, vs);
    // Squares rise with their roots, so the correlation is not negative.
    const Rational correlation =
        root_down(covariance * covariance / variance / covariance_of(vs, vs));
    const std::vector<Trial> trials = {
        trial_with(noise, VarianceEstimator(law, 1, 1, SquareBasis::kNodes, kAlpha),
                   squares_of(us, SquareBasis::kNodes), variance, kReleases, ++seed),
        trial_with(noise, CovarianceEstimator(law, 1, 1, kAlpha), corners_of(us, vs), covariance,
                   kReleases, ++seed),
        trial_with(noise, CorrelationEstimator(law, 1, 1, 1, kAlpha), six_of(us, vs, 1),
                   correlation, kReleases, ++seed)};
    for (const Trial& trial : trials) {
      EXPECT_LE(trial.misses, kMostMisses);
      if (ordinary) {
        EXPECT_LE(trial.width, 1.3 * trial.error);
      }
      std::printf("Gaussian: misses %3d of %d, half width %.3g, error %.3g\n", trial.misses,
                  kReleases, trial.width, trial.error);
    }
  }
}

// Against a count, sums and products from the middle of the bounds, each with an equal share of the
// loss.
TEST(MomentsCoverageTest, JointNumbersBeatSplitOnes) {
  const std::vector<Rational> x = bell(3000, 480, 100);
  const Rational truth = covariance_of(x, x);
  const double joint = trial_of(VarianceEstimator(law_of(1), 1, 1, SquareBasis::kBernstein, kAlpha),
                                squares_of(x, SquareBasis::kBernstein), 1, truth, kReleases, 401)
                           .error;
  const double corners = trial_of(CovarianceEstimator(law_of(1), 1, 1, kAlpha), corners_of(x, x), 1,
                                  truth, kReleases, 402)
                             .error;
  // split: the error of (q − st/n)/(n − 1) with `shares` shares.
  const auto split = [&](int shares, std::uint64_t seed) {
    Rational sum = 0;
    Rational products = 0;
    for (const Rational& value : x) sum += value - Rational(1, 2);
    for (const Rational& value : x) products += pow(value - Rational(1, 2), 2);
    BitSource bits = testing::seeded_tape(seed);
    const RoundedLaplace noise(Rational(shares) / kFine.spacing());
    std::vector<double> errors;
    for (int i = 0; i < kReleases; ++i) {
      std::vector<std::int64_t> steps(4, 0);
      noise.add(steps, bits);
      const Rational n = Rational(x.size()) + kFine.point(steps[0]);
      const Rational s = sum + kFine.point(steps[1]) / Rational(2);
      const Rational t = shares == 3 ? s : sum + kFine.point(steps[2]) / Rational(2);
      const Rational q = products + kFine.point(steps[3]) / Rational(4);
      errors.push_back(abs((q - s * t / n) / (n - Rational(1)) - truth).up());
    }
    std::ranges::sort(errors);
    return errors[errors.size() * 19 / 20];
  };
  const double three = split(3, 403);
  const double four = split(4, 404);
  std::printf("variance %.2f times better, covariance %.2f times\n", three / joint, four / corners);
  EXPECT_GE(three, 1.6 * joint);
  EXPECT_GE(four, 1.8 * corners);
}

TEST(MomentsTest, NoisyNumbersThatSayNothingGiveEverything) {
  const NoiseLaw law = law_of(1);
  const Rational huge = Rational::two_to(2000);
  for (const Rational& number : {Rational(0), Rational(-5), Rational(1, 3), -huge, huge}) {
    const Numbers same(6, number);
    const std::span<const Rational> numbers(same);
    const Estimate v =
        VarianceEstimator(law, 1, 1, SquareBasis::kBernstein, kAlpha).estimate(numbers.first(3));
    EXPECT_EQ(v.lower, Rational(0));
    EXPECT_EQ(v.upper, Rational(1, 2));
    const Estimate c = CovarianceEstimator(law, 1, 1, kAlpha).estimate(numbers.first(4));
    EXPECT_EQ(c.lower, Rational(-1, 2));
    EXPECT_EQ(c.upper, Rational(1, 2));
    const Estimate r = CorrelationEstimator(law, 1, 1, 1, kAlpha).estimate(numbers);
    EXPECT_EQ(r.lower, Rational(-1));
    EXPECT_EQ(r.upper, Rational(1));
  }
  // A mean beyond its bounds has no region either.
  const Numbers beyond = {0, -900, 1000};
  const Estimate v = VarianceEstimator(law, 1, 1, SquareBasis::kBernstein, kAlpha).estimate(beyond);
  EXPECT_EQ(v.upper, Rational(1, 2));
}

// Data that come close to the bound, and data that stay far below it.
TEST(MomentErrorsTest, AreKeptByTheWorstDataAndNotMuchTooLarge) {
  const Rational scale = 1;
  const PlannedMoments planned{law_of(scale), 1, 1000};
  const Rational error = variance_error(planned, SquareBasis::kBernstein, kAlpha);
  const auto variances = [&](const std::vector<Rational>& us) {
    return trial_of(VarianceEstimator(law_of(scale), 1, 1, SquareBasis::kBernstein, kAlpha),
                    squares_of(us, SquareBasis::kBernstein), scale, covariance_of(us, us),
                    kReleases, 301);
  };
  // All at a bound: answers below 0 are cut, so the error is exceeded half as often.
  const double worst = variances(two_points(1000, 0)).error;
  EXPECT_LE(worst, error.up());
  EXPECT_GE(worst * 1.5, error.up());
  for (const auto& us : {two_points(1000, 20), two_points(1000, 500), bell(1000, 500, 100)}) {
    EXPECT_LE(variances(us).error, error.up());
  }
  const Rational of_pairs = covariance_error(planned, kAlpha);
  const std::vector<Rational> quarter = two_points(1000, 250);
  for (const auto& us : {two_points(1000, 3), quarter, bell(1000, 500, 100)}) {
    const Trial trial = trial_of(CovarianceEstimator(law_of(scale), 1, 1, kAlpha),
                                 corners_of(us, us), scale, covariance_of(us, us), kReleases, 302);
    EXPECT_LE(trial.error, of_pairs.up());
  }
  EXPECT_LE(of_pairs, error * Rational(11, 10));
}

TEST(MomentErrorsTest, AreEverythingForFewRowsAndFallWithMore) {
  const auto at = [](const Integer& rows) {
    return variance_error({law_of(1), 1, rows}, SquareBasis::kBernstein, kAlpha);
  };
  for (const int rows : {-3, 0, 1, 2, 5}) EXPECT_EQ(at(rows), Rational(1, 2));
  EXPECT_LT(at(1000), at(100));
  EXPECT_LT(at(100), Rational(1, 2));
  EXPECT_EQ(covariance_error({law_of(1), 1, 3}, kAlpha), Rational(1));
  // Totals of m groups have the noise of m numbers.
  EXPECT_GT(variance_error({law_of(1), 1, 1000, 4}, SquareBasis::kBernstein, kAlpha), at(1000));
}

}  // namespace moments_test
}  // namespace lastbit
