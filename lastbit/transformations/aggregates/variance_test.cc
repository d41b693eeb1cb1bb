#include "lastbit/transformations/aggregates/variance.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"

namespace lastbit {
namespace variance_test {

constexpr std::int64_t kMin64 = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax64 = std::numeric_limits<std::int64_t>::max();

// The definition: the mean first, then the squared deviations.
Rational slow_variance(const std::vector<Rational>& values, std::size_t ddof) {
  Rational mean;
  for (const Rational& value : values) mean += value / Rational(values.size());
  Rational squares;
  for (const Rational& value : values) squares += pow(value - mean, 2);
  return squares / Rational(values.size() - ddof);
}

TEST(VarianceTest, IsAnExactFraction) {
  const auto variance = make_variance(vector_of(interval(0, 10), 3), SymmetricDistance{});
  EXPECT_EQ(variance({1, 2, 2}), Rational(1, 3));
  EXPECT_EQ(make_variance(vector_of(interval(0, 10), 3), SymmetricDistance{}, 0)({1, 2, 2}),
            Rational(2, 9));
  const auto on_halves =
      make_variance(vector_of(interval(0.0, 1.0), 2), SymmetricDistance{}, Grid(-1));
  EXPECT_EQ(on_halves({0.3, 0.8}), Rational(1, 8));
}

TEST(VarianceTest, MapCountsTheLargestMoveOfThatManyRows) {
  const auto variance = make_variance(vector_of(interval(0, 10), 5), HammingDistance{}, 0);
  EXPECT_EQ(variance.map(0), Distance(0));
  EXPECT_EQ(variance.map(1), Distance(16));  // 4/5 · 100/5
  EXPECT_EQ(variance.map(2), Distance(24));  // 6/5 · 100/5
  EXPECT_EQ(variance.map(3), Distance(24));
  EXPECT_EQ(variance.map(Distance::infinity()), Distance(24));
  EXPECT_EQ(variance.output_domain(), IntervalDomain<Rational>(0, 24));
}

// "The sample variance of an odd number of values in [l, u] is at most (u − l)²/4": too small, for
// three values it is (u − l)²/3. All datasets on three points are tried; the middle point shows
// that only the ends matter. The quarter is correct only for ddof = 0 and even sizes.
TEST(VarianceTest, QuarterOfTheSquaredWidthIsTooSmallForSampleVariancesOfOddSizes) {
  for (std::size_t size = 1; size <= 7; ++size) {
    for (std::size_t ddof = 0; ddof < std::min<std::size_t>(size, 2); ++ddof) {
      const auto variance = make_variance(vector_of(interval(0, 2), size), HammingDistance{}, ddof);
      Rational most;
      std::size_t datasets = 1;
      for (std::size_t i = 0; i < size; ++i) datasets *= 3;
      for (std::size_t code = 0; code < datasets; ++code) {
        std::vector<std::int64_t> rows;
        for (std::size_t rest = code, i = 0; i < size; ++i, rest /= 3) {
          rows.push_back(static_cast<std::int64_t>(rest % 3));
        }
        most = std::max(most, variance(rows));
      }
      EXPECT_EQ(most, variance.output_domain().upper()) << size << " rows, ddof " << ddof;
      EXPECT_EQ(Distance(most), variance.map(size));
      const Rational quarter(1);  // of (u − l)² = 4
      EXPECT_EQ(most > quarter, ddof == 1);
      EXPECT_EQ(most == quarter, ddof == 0 && size % 2 == 0);
    }
  }
}

TEST(VarianceTest, ImpossibleDegreesAreRefusedByName) {
  const auto refusal = [](std::size_t size, std::size_t ddof) {
    try {
      make_variance(vector_of(interval(0, 1), size), SymmetricDistance{}, ddof);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadParameter);
      return std::string(error.problem());
    }
    return std::string("accepted");
  };
  EXPECT_NE(refusal(0, 0).find("size"), std::string::npos);
  EXPECT_NE(refusal(1, 1).find("ddof"), std::string::npos);
  EXPECT_NE(refusal(3, std::numeric_limits<std::size_t>::max()).find("ddof"), std::string::npos);
  EXPECT_EQ(refusal(1, 0), "accepted");
  expect_code(ErrorCode::kBadParameter, [&] {
    make_variance(vector_of(interval(0.0, 1.0), 3), SymmetricDistance{}, Grid(-70));
  });
}

TEST(VarianceTest, LargestSquaresDoNotOverflow) {
  const auto integers_of_all =
      make_variance(vector_of(interval(kMin64, kMax64), 6), SymmetricDistance{}, 0);
  EXPECT_EQ(integers_of_all({kMin64, kMax64, kMin64, kMax64, kMin64, kMax64}),
            pow(Rational::two_to(64) - Rational(1), 2) / Rational(4));
  const auto doubles_of_61_bits =
      make_variance(vector_of(interval(-1.0, 1.0), 100), SymmetricDistance{}, Grid(-61), 0);
  std::vector<double> rows(100, 1.0);
  for (std::size_t i = 0; i < 50; ++i) rows[i] = -1.0;
  EXPECT_EQ(doubles_of_61_bits(rows), Rational(1));
}

TEST(VarianceTest, DataOfTheWrongSizeIsStillSafe) {
  const auto variance = make_variance(vector_of(interval(0.0, 1.0), 2), SymmetricDistance{});
  EXPECT_EQ(variance({}), Rational(0));
  EXPECT_NO_THROW(variance({std::numeric_limits<double>::quiet_NaN(), 1e300, 0.5, 0.5}));
}

TEST(VarianceTest, StepsNeedAPublicSize) {
  EXPECT_EQ(make_variance().build(vector_of(interval(0, 4), 2), SymmetricDistance{})({0, 4}),
            Rational(8));
  EXPECT_EQ(make_variance(0).build(vector_of(interval(0, 4), 2), SymmetricDistance{})({0, 4}),
            Rational(4));
  const auto step = make_variance(Grid(1), 0);
  EXPECT_EQ(step.build(vector_of(interval(0.0, 4.0), 2), SymmetricDistance{})({0.9, 4.0}),
            Rational(4));
  using Plain = decltype(make_variance().build);
  static_assert(!std::invocable<Plain, VectorDomain<IntervalDomain<double>>, SymmetricDistance>);
}

RC_GTEST_PROP(VarianceTest, EqualsTheDefinition, (std::int64_t a, std::int64_t b)) {
  const auto data = *rc::gen::suchThat<std::vector<std::int64_t>>(
      [](const auto& rows) { return rows.size() >= 2; });
  const auto rows = interval(std::min(a, b), std::max(a, b));
  std::vector<Rational> values;
  for (const auto row : data) values.emplace_back(std::clamp(row, rows.lower(), rows.upper()));
  const auto variance = make_variance(vector_of(rows, data.size()), SymmetricDistance{});
  RC_ASSERT(variance(data) == slow_variance(values, 1));
  RC_ASSERT(variance.output_domain().contains(variance(data)));
}

}  // namespace variance_test
}  // namespace lastbit
