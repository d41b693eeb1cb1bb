#include "lastbit/transformations/rows/clamp.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "lastbit/base/test_support.h"
#include "lastbit/transformations/rows/impute.h"

namespace lastbit {
namespace clamp_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();
constexpr std::int64_t kMin64 = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax64 = std::numeric_limits<std::int64_t>::max();

template <class Left, class Right>
concept Joins = requires(const Left& left, const Right& right) { left >> right; };

TEST(ClampTest, MovesRowsToTheNearestBound) {
  const auto clamp = make_clamp(vector_of(integers()), SymmetricDistance{}, -3, 10);
  EXPECT_EQ(clamp({kMin64, -4, -3, 0, 10, 11, kMax64}),
            (std::vector<std::int64_t>{-3, -3, -3, 0, 10, 10, 10}));
  EXPECT_TRUE(clamp({}).empty());
  EXPECT_EQ(clamp.output_domain(), vector_of(interval(-3, 10)));
  EXPECT_EQ(clamp.map(4), Distance(4));
  EXPECT_EQ(clamp.map(Distance::infinity()), Distance::infinity());
}

TEST(ClampTest, DoublesAtTheCornersStayInTheInterval) {
  const auto clamp = make_clamp(vector_of(doubles()), SymmetricDistance{}, 0, 1);
  const auto out =
      clamp({-kInfinity, -kTiny, -0.0, 0.0, kTiny, 1.0, std::nextafter(1.0, 2.0), kInfinity});
  const std::vector<double> expected{0.0, 0.0, -0.0, 0.0, kTiny, 1.0, 1.0, 1.0};
  EXPECT_TRUE(identical(out, expected));
  EXPECT_TRUE(clamp.output_domain().contains(out));
}

TEST(ClampTest, NanOutsideTheDomainBecomesTheLowerBound) {
  EXPECT_EQ(make_clamp(vector_of(doubles()), SymmetricDistance{}, 2, 3)({kNan, -kNan}),
            (std::vector<double>{2, 2}));
  EXPECT_EQ(make_clamp(doubles(), AbsoluteDistance{}, 2, 3)(kNan), 2);
}

TEST(ClampTest, BoundsAreNarrowedInward) {
  const auto integers_only =
      make_clamp(vector_of(integers()), SymmetricDistance{}, rational("1/2"), rational("5/2"));
  EXPECT_EQ(integers_only({0, 5}), (std::vector<std::int64_t>{1, 2}));
  const auto tenth = make_clamp(doubles(), AbsoluteDistance{}, 0, rational("1/10"));
  EXPECT_LE(Rational::exactly(tenth(1.0)), rational("1/10"));
  EXPECT_EQ(tenth.map(1), Distance(Rational::exactly(std::nextafter(0.1, 0.0))));
  const auto exact = make_clamp(rationals(), AbsoluteDistance{}, 0, rational("1/10"));
  EXPECT_EQ(exact(rational("1/3")), rational("1/10"));
}

TEST(ClampTest, WholeRangeOfTheTypeCutsNothing) {
  const auto clamp = make_clamp(vector_of(integers()), SymmetricDistance{}, kMin64, kMax64);
  EXPECT_EQ(clamp({kMin64, kMax64}), (std::vector<std::int64_t>{kMin64, kMax64}));
}

TEST(ClampTest, RefusesImpossibleBounds) {
  const SymmetricDistance metric;
  EXPECT_EQ(refused_parameter([&] { make_clamp(vector_of(integers()), metric, 2, 1); }), "lower");
  EXPECT_EQ(refused_parameter([&] {
              make_clamp(vector_of(integers()), metric, rational("1/3"), rational("2/3"));
            }),
            "lower");
  EXPECT_EQ(refused_parameter([&] { make_clamp(doubles(), AbsoluteDistance{}, 2, 1); }), "lower");
  EXPECT_EQ(refused_parameter([&] { make_clamp(vector_of(integers()), metric, 1, 1); }), "");
}

TEST(ClampTest, RefusesRowsThatMayBeNanAndNamesTheRemedy) {
  try {
    make_clamp(vector_of(doubles_or_nan()), SymmetricDistance{}, 0, 1);
    FAIL() << "NaN was admitted";
  } catch (const Error& error) {
    EXPECT_NE(error.problem().find("`domain`"), std::string::npos);
    EXPECT_NE(error.remedy().find("impute"), std::string::npos);
  }
  EXPECT_EQ(refused_parameter([] { make_clamp(doubles_or_nan(), AbsoluteDistance{}, 0, 1); }),
            "domain");
  const auto remedied =
      make_impute_constant(vector_of(doubles_or_nan()), SymmetricDistance{}, 0) >> make_clamp(0, 1);
  EXPECT_EQ(remedied({kNan, 7}), (std::vector<double>{0, 1}));
}

TEST(ClampTest, OutputDomainAloneStartsAChain) {
  const auto clamp = make_clamp(vector_of(interval(0, 200'000)));
  EXPECT_EQ(clamp.input_domain(), vector_of(integers()));
  EXPECT_EQ(clamp.output_domain(), vector_of(interval(0, 200'000)));
  EXPECT_EQ(clamp({-1, 300'000}), (std::vector<std::int64_t>{0, 200'000}));
  const auto sized = make_clamp(vector_of(interval(0.5, 1.5), 2));
  EXPECT_EQ(sized.input_domain(), vector_of(doubles(), 2));
  EXPECT_EQ(sized({0.0, 2.0}), (std::vector<double>{0.5, 1.5}));
}

TEST(ClampTest, StepFitsRowsAndNumbersAndNothingElse) {
  const auto rows = make_clamp(vector_of(interval(0, 9), 3)) >> make_clamp(2, 5);
  EXPECT_EQ(rows({-1, 3, 8}), (std::vector<std::int64_t>{2, 3, 5}));
  EXPECT_EQ(rows.output_domain(), vector_of(interval(2, 5), 3));
  const auto number = make_clamp(integers(), AbsoluteDistance{}, 0, 9) >> make_clamp(2, 5);
  EXPECT_EQ(number(7), 5);
  const auto texts = make_row_transform(vector_of(integers()), SymmetricDistance{}, strings(),
                                        [](std::int64_t) { return std::string(); });
  static_assert(!Joins<decltype(texts), decltype(make_clamp(2, 5))>);
}

TEST(ClampNumberTest, MapStopsGrowingAtTheWidth) {
  const auto clamp = make_clamp(integers(), AbsoluteDistance{}, -2, 5);
  EXPECT_EQ(clamp.map(0), Distance(0));
  EXPECT_EQ(clamp.map(rational("13/2")), Distance(rational("13/2")));
  EXPECT_EQ(clamp.map(7), Distance(7));
  EXPECT_EQ(clamp.map(8), Distance(7));
  EXPECT_EQ(clamp.map(Distance::infinity()), Distance(7));
  const auto whole = make_clamp(integers(), AbsoluteDistance{}, kMin64, kMax64);
  EXPECT_EQ(whole.map(Distance::infinity()), Distance(Rational(kMax64) - Rational(kMin64)));
}

template <class Transform, class T>
void expect_stable(const Transform& clamp, const std::vector<T>& values) {
  const AbsoluteDistance metric;
  for (const T& x : values) {
    EXPECT_TRUE(clamp.output_domain().contains(clamp(x)));
    for (const T& y : values) {
      EXPECT_LE(metric.distance(clamp(x), clamp(y)), clamp.map(metric.distance(x, y)));
    }
  }
}

TEST(ClampNumberTest, StableOnAllPairsOfCorners) {
  const std::vector<double> corners{-kInfinity, -1e308, -1.0, -kTiny, -0.0,  0.0,      kTiny,
                                    0.1,        0.5,    1.0,  1.5,    1e308, kInfinity};
  for (const auto& [lower, upper] : std::vector<std::pair<std::string, std::string>>{
           {"0", "1"}, {"-1", "0"}, {"0", "0"}, {"-1e308", "1e308"}, {"0.1", "0.5"}}) {
    expect_stable(make_clamp(doubles(), AbsoluteDistance{}, rational(lower), rational(upper)),
                  corners);
  }
  const std::vector<std::int64_t> whole{kMin64, kMin64 + 1, -1, 0, 1, kMax64 - 1, kMax64};
  expect_stable(make_clamp(integers(), AbsoluteDistance{}, -1, kMax64), whole);
  expect_stable(make_clamp(integers(), AbsoluteDistance{}, kMin64, 0), whole);
}

RC_GTEST_PROP(ClampNumberTest, DoublesAndRationalsAgree, (std::uint64_t bits, int a, int b)) {
  const auto value = std::bit_cast<double>(bits);
  RC_PRE(std::isfinite(value));
  const Rational lower = Rational(std::min(a, b)) / 8;
  const Rational upper = Rational(std::max(a, b)) / 8;
  const auto in_doubles = make_clamp(doubles(), AbsoluteDistance{}, lower, upper);
  const auto in_rationals = make_clamp(rationals(), AbsoluteDistance{}, lower, upper);
  RC_ASSERT(Rational::exactly(in_doubles(value)) == in_rationals(Rational::exactly(value)));
}

}  // namespace clamp_test
}  // namespace lastbit
