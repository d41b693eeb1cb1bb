// How often the stated intervals miss, on recorded bits. The number of misses of independent
// releases is at most binomial; the limits below are crossed with probability at most 10^-8, by
// Chernoff's bound Pr[X ≥ tN] ≤ exp(−N·(t·ln(t/α) + (1 − t)·ln((1 − t)/(1 − α)))) for t > α, and
// the same for X ≤ tN, t < α.
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "lastbit/random/tape.h"
#include "lastbit/statistics/count.h"
#include "lastbit/statistics/covariance.h"
#include "lastbit/statistics/histogram.h"
#include "lastbit/statistics/mean.h"
#include "lastbit/statistics/sum.h"
#include "lastbit/statistics/variance.h"

namespace lastbit {
namespace coverage_test {

constexpr int kReleases = 2000;
// N = 2000, α = 1/20: exponents 21.6 at 170 misses and 19.8 at 45.
constexpr int kMostMisses = 170;
constexpr int kFewestMisses = 45;

std::vector<std::int64_t> column() {
  std::vector<std::int64_t> rows;
  for (std::int64_t i = 0; i < 300; ++i) rows.push_back(i % 10);
  return rows;
}
// 30 times each of 0, …, 9.
const Rational kSum = 1350;
const Rational kMean = Rational(9, 2);
const Rational kVariance = Rational(2475, 299);

int misses(const auto& plan, const auto& rows, const Rational& truth, std::uint64_t seed) {
  BitSource bits = testing::seeded_tape(seed);
  int count = 0;
  for (int i = 0; i < kReleases; ++i) {
    const Released released = plan.release(rows, bits);
    const bool inside = released.lower <= truth && truth <= released.upper;
    if (!inside) ++count;
    EXPECT_TRUE(!inside || abs(released.answer - truth) <= Rational::exactly(released.accuracy));
  }
  return count;
}

ColumnRequest request(const Size& size) {
  return {.lower = 0, .upper = 9, .rows = size, .epsilon = 1};
}

// SLOW: CoverageTest.*
TEST(CoverageTest, SingleNumbersAndMeansMissAsOftenAsStatedAndNotMuchLess) {
  const Size size = PublicSize{300};
  const std::vector<int> counts = {
      misses(plan_sum<std::int64_t>(request(size)), column(), kSum, 1),
      misses(plan_mean<std::int64_t>(request(size)), column(), kMean, 2),
      misses(plan_variance<std::int64_t>(request(size)), column(), kVariance, 3),
      misses(plan_sum<std::int64_t>(request(PrivateSize{})), column(), kSum, 4),
      misses(plan_mean<std::int64_t>(request(PrivateSize{})), column(), kMean, 6)};
  for (const int count : counts) {
    EXPECT_LE(count, kMostMisses);
    EXPECT_GE(count, kFewestMisses);
  }
}

// Integer noise and the union bound err on the safe side, so only the upper limit is checked.
TEST(CoverageTest, CountsAndQuotientsMissNoMoreOftenThanStated) {
  EXPECT_LE(misses(plan_count<std::int64_t>({.epsilon = 1}), column(), 300, 5), kMostMisses);
  EXPECT_LE(misses(plan_variance<std::int64_t>(request(PrivateSize{})), column(), kVariance, 7),
            kMostMisses);
  using Row = std::optional<std::pair<std::int64_t, std::int64_t>>;
  const CovarianceRequest pairs{.first = {0, 9}, .second = {0, 9}, .epsilon = 1};
  EXPECT_LE(misses(plan_covariance<Row>(pairs), paired(column(), column()), kVariance, 8),
            kMostMisses);
}

TEST(CoverageTest, CellsOfAHistogramMissTogetherNoMoreOftenThanStated) {
  std::vector<std::int64_t> categories;
  for (std::int64_t i = 0; i < 10; ++i) categories.push_back(i);
  const auto plan = plan_histogram<std::int64_t>({.categories = categories, .epsilon = 1});
  BitSource bits = testing::seeded_tape(9);
  int count = 0;
  for (int i = 0; i < kReleases; ++i) {
    bool inside = true;
    for (const Estimate& cell : plan.release(column(), bits).cells) {
      inside = inside && cell.lower <= Rational(30) && Rational(30) <= cell.upper;
    }
    if (!inside) ++count;
  }
  EXPECT_LE(count, kMostMisses);
}

// The bound that mean_error states before the release holds for the errors after it.
TEST(CoverageTest, AccuracyOfAPrivateMeanForItsSizeIsMissedNoMoreOftenThanStated) {
  const auto plan = plan_mean<std::int64_t>(request(PrivateSize{}));
  const Rational accuracy = Rational::exactly(plan.accuracy_for(300).value_or(0));
  BitSource bits = testing::seeded_tape(10);
  int count = 0;
  for (int i = 0; i < kReleases; ++i) {
    if (abs(plan.release(column(), bits).answer - kMean) > accuracy) ++count;
  }
  EXPECT_LE(count, kMostMisses);
}

}  // namespace coverage_test
}  // namespace lastbit
