#include "lastbit/transformations/aggregates/mean.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "lastbit/base/test_support.h"

namespace lastbit {
namespace mean_test {

TEST(MeanTest, IsAnExactFraction) {
  const auto mean = make_mean(vector_of(interval(0, 10), 3), SymmetricDistance{});
  EXPECT_EQ(mean({1, 2, 2}), Rational(5, 3));
  EXPECT_EQ(mean.output_domain(), IntervalDomain<Rational>(0, 10));
  const auto of_doubles =
      make_mean(vector_of(interval(0.0, 1.0), 3), SymmetricDistance{}, Grid(-1));
  // Halves: 0.2, 0.3 and 0.8 become 0, 1/2 and 1.
  EXPECT_EQ(of_doubles({0.2, 0.3, 0.8}), Rational(1, 2));
}

TEST(MeanTest, MapIsTheWidthOnTheGridSharedByTheRows) {
  const auto mean = make_mean(vector_of(interval(-0.4, 2.5), 4), SymmetricDistance{}, Grid(0));
  EXPECT_EQ(mean.output_domain(), IntervalDomain<Rational>(0, 3));
  EXPECT_EQ(mean.map(1), Distance(0));
  EXPECT_EQ(mean.map(2), Distance(Rational(3, 4)));
  EXPECT_EQ(mean.map(Distance::infinity()), Distance(3));
  EXPECT_EQ(make_mean(vector_of(interval(1, 8), 7), HammingDistance{}).map(2), Distance(2));
}

TEST(MeanTest, NoRowsAreRefusedByName) {
  try {
    make_mean(vector_of(interval(0, 10), 0), SymmetricDistance{});
    FAIL() << "a mean of no rows was made";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadParameter);
    EXPECT_NE(std::string(error.what()).find("size"), std::string::npos);
  }
  expect_code(ErrorCode::kBadParameter,
              [&] { make_mean(vector_of(interval(0.0, 1.0), 3), SymmetricDistance{}, Grid(-70)); });
}

TEST(MeanTest, DataOfTheWrongSizeIsStillSafe) {
  const auto mean = make_mean(vector_of(interval(0.0, 1.0), 2), SymmetricDistance{});
  EXPECT_EQ(mean({}), Rational(0));
  EXPECT_EQ(mean({std::numeric_limits<double>::quiet_NaN(), 7.0, 1.0, 1.0}), Rational(3, 2));
}

TEST(MeanTest, StepsNeedAPublicSize) {
  const auto mean = make_mean().build(vector_of(interval(0, 4), 2), SymmetricDistance{});
  EXPECT_EQ(mean({1, 4}), Rational(5, 2));
  EXPECT_EQ(make_mean(Grid(0)).build(vector_of(interval(0.0, 4.0), 1), SymmetricDistance{})({0.5}),
            Rational(1));
  using Plain = decltype(make_mean().build);
  static_assert(!std::invocable<Plain, VectorDomain<IntervalDomain<double>>, SymmetricDistance>);
  static_assert(!std::invocable<Plain, SizedVectorDomain<AllDomain<double>>, SymmetricDistance>);
}

RC_GTEST_PROP(MeanTest, EqualsTheRationalMean, ()) {
  const auto data = *rc::gen::nonEmpty<std::vector<std::int64_t>>();
  Rational sum;
  for (const auto row : data) sum += Rational(std::clamp<std::int64_t>(row, -50, 50));
  const auto mean = make_mean(vector_of(interval(-50, 50), data.size()), SymmetricDistance{});
  RC_ASSERT(mean(data) == sum / Rational(data.size()));
  RC_ASSERT(mean.output_domain().contains(mean(data)));
}

}  // namespace mean_test
}  // namespace lastbit
