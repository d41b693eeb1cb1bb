#include "lastbit/transformations/aggregates/covariance.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <utility>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"
#include "lastbit/transformations/aggregates/variance.h"

namespace lastbit {
namespace covariance_test {

using IntegerPairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

auto pairs(std::size_t size) { return vector_of(pair_of(interval(0, 10), interval(-2, 3)), size); }

// The definition: the means first, then the products of deviations.
Rational slow_covariance(const IntegerPairs& rows, std::size_t ddof) {
  const Rational size(rows.size());
  Rational mean_x;
  Rational mean_y;
  for (const auto& [x, y] : rows) {
    mean_x += Rational(x) / size;
    mean_y += Rational(y) / size;
  }
  Rational products;
  for (const auto& [x, y] : rows) products += (Rational(x) - mean_x) * (Rational(y) - mean_y);
  return products / Rational(rows.size() - ddof);
}

TEST(CovarianceTest, IsAnExactFractionWithItsSign) {
  const auto covariance = make_covariance(pairs(3), SymmetricDistance{});
  EXPECT_EQ(covariance({{0, 0}, {1, 1}, {2, 1}}), Rational(1, 2));
  EXPECT_EQ(covariance({{0, 1}, {1, 0}, {2, 0}}), Rational(-1, 2));
}

TEST(CovarianceTest, ColumnsMayDifferInTypeAndGrid) {
  const auto domain = vector_of(pair_of(interval(0, 4), interval(0.0, 1.0)), 2);
  const auto covariance = make_covariance(domain, HammingDistance{}, Grid(0), Grid(-1));
  // 0.3 becomes 1/2, 0.8 becomes 1.
  EXPECT_EQ(covariance({{0, 0.3}, {4, 0.8}}), Rational(1));
  expect_code(ErrorCode::kBadParameter,
              [&] { make_covariance(domain, HammingDistance{}, Grid(-1), Grid(-1)); });
  expect_code(ErrorCode::kBadParameter,
              [&] { make_covariance(domain, HammingDistance{}, Grid(0), Grid(-70)); });
}

TEST(CovarianceTest, MapGrowsByTheRowAndStopsAtTheRange) {
  const auto covariance = make_covariance(pairs(4), HammingDistance{}, 0);
  const Rational area(50);
  EXPECT_EQ(covariance.map(0), Distance(0));
  EXPECT_EQ(covariance.map(1), Distance(area * Rational(3, 16)));
  EXPECT_EQ(covariance.map(2), Distance(area * Rational(6, 16)));
  EXPECT_EQ(covariance.map(3), Distance(area * Rational(8, 16)));
  EXPECT_EQ(covariance.map(Distance::infinity()), Distance(area / Rational(2)));
  EXPECT_EQ(covariance.output_domain(),
            IntervalDomain<Rational>(-area / Rational(4), area / Rational(4)));
}

TEST(CovarianceTest, RangeIsAttainedAtBothEnds) {
  for (std::size_t size = 2; size <= 6; ++size) {
    const auto covariance = make_covariance(pairs(size), HammingDistance{});
    IntegerPairs up(size, {0, -2});
    IntegerPairs down(size, {0, 3});
    for (std::size_t i = 0; i < size / 2; ++i) {
      up[i] = {10, 3};
      down[i] = {10, -2};
    }
    EXPECT_EQ(covariance(up), covariance.output_domain().upper());
    EXPECT_EQ(covariance(down), covariance.output_domain().lower());
  }
}

TEST(CovarianceTest, ImpossibleDegreesAreRefusedByName) {
  expect_code(ErrorCode::kBadParameter, [&] { make_covariance(pairs(0), SymmetricDistance{}, 0); });
  try {
    make_covariance(pairs(1), SymmetricDistance{});
    FAIL() << "ddof = size was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadParameter);
    EXPECT_NE(std::string(error.what()).find("ddof"), std::string::npos);
  }
}

TEST(CovarianceTest, LargestProductsDoNotOverflow) {
  constexpr std::int64_t kMin64 = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMax64 = std::numeric_limits<std::int64_t>::max();
  const auto all = interval(kMin64, kMax64);
  const auto covariance = make_covariance(vector_of(pair_of(all, all), 4), SymmetricDistance{}, 0);
  EXPECT_EQ(covariance({{kMin64, kMax64}, {kMax64, kMin64}, {kMin64, kMax64}, {kMax64, kMin64}}),
            -pow(Rational::two_to(64) - Rational(1), 2) / Rational(4));
}

TEST(CovarianceTest, StepsFitPairsOfAPublicSize) {
  EXPECT_EQ(make_covariance(0).build(pairs(2), SymmetricDistance{})({{0, 0}, {2, 2}}), Rational(1));
  const auto step = make_covariance(Grid(0), Grid(0));
  EXPECT_EQ(step.build(pairs(2), SymmetricDistance{})({{0, 0}, {2, 2}}), Rational(2));
  using Plain = decltype(make_covariance().build);
  static_assert(
      !std::invocable<Plain, SizedVectorDomain<IntervalDomain<double>>, SymmetricDistance>);
}

RC_GTEST_PROP(CovarianceTest, EqualsTheDefinitionAndTheVarianceOnTheDiagonal, ()) {
  const auto size = *rc::gen::inRange<std::size_t>(2, 30);
  IntegerPairs rows;
  IntegerPairs diagonal;
  std::vector<std::int64_t> single;
  for (std::size_t i = 0; i < size; ++i) {
    rows.emplace_back(*rc::gen::inRange(0, 11), *rc::gen::inRange(-2, 4));
    diagonal.emplace_back(rows.back().first, rows.back().first);
    single.push_back(rows.back().first);
  }
  const auto covariance = make_covariance(pairs(size), SymmetricDistance{});
  RC_ASSERT(covariance(rows) == slow_covariance(rows, 1));
  RC_ASSERT(covariance.output_domain().contains(covariance(rows)));
  const auto square = vector_of(pair_of(interval(0, 10), interval(0, 10)), size);
  RC_ASSERT(make_covariance(square, SymmetricDistance{})(diagonal) ==
            make_variance(vector_of(interval(0, 10), size), SymmetricDistance{})(single));
}

}  // namespace covariance_test
}  // namespace lastbit
