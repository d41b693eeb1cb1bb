#include "lastbit/numerics/distance.h"

#include <gtest/gtest.h>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"

namespace lastbit {
namespace distance_test {

TEST(DistanceTest, RefusesNegativeValuesByName) {
  try {
    Distance(rational("-1/3"));
    FAIL() << "a negative distance was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadParameter);
    EXPECT_NE(std::string(error.what()).find("-1/3"), std::string::npos);
  }
}

TEST(DistanceTest, InfinityIsAboveEveryRationalAndEqualToItself) {
  EXPECT_GT(Distance::infinity(), Distance(rational("1e300")));
  EXPECT_LT(Distance(0), Distance::infinity());
  EXPECT_EQ(Distance::infinity(), Distance::infinity());
  EXPECT_EQ(Distance::infinity() + Distance(1), Distance::infinity());
}

TEST(DistanceTest, ZeroTimesInfinityIsZero) {
  EXPECT_EQ(Distance(0) * Distance::infinity(), Distance(0));
  EXPECT_EQ(Distance::infinity() * Distance(0), Distance(0));
  EXPECT_EQ(Distance(rational("1/7")) * Distance::infinity(), Distance::infinity());
}

TEST(DistanceTest, FloorKeepsWholeNumbersAndInfinity) {
  EXPECT_EQ(Distance(rational("7/2")).floor(), Distance(3));
  EXPECT_EQ(Distance(4).floor(), Distance(4));
  EXPECT_EQ(Distance::infinity().floor(), Distance::infinity());
}

TEST(DistanceTest, DivisionRefusesZeroAndNegative) {
  EXPECT_EQ(Distance(1) / Rational(3), Distance(rational("1/3")));
  expect_code(ErrorCode::kBadParameter, [&] { Distance(1) / Rational(0); });
  expect_code(ErrorCode::kBadParameter, [&] { Distance(1) / Rational(-1); });
}

TEST(DistanceTest, ValueOfInfinityIsAnError) {
  expect_code(ErrorCode::kNotSupported, [&] { Distance::infinity().value(); });
  EXPECT_EQ(Distance::infinity().to_string(), "infinity");
}

TEST(DistanceTest, PowersOfInfinity) {
  EXPECT_EQ(pow(Distance::infinity(), 2), Distance::infinity());
  EXPECT_EQ(pow(Distance::infinity(), 0), Distance(1));
  EXPECT_EQ(pow(Distance(rational("2/3")), 3), Distance(rational("8/27")));
}

TEST(RadicalTest, ComparesExactlyWhereDoublesCannot) {
  const auto root2 = Radical<2>::root_of(2);
  // Neighbouring convergents of √2, closer to it than any double can tell apart.
  EXPECT_GT(Radical<2>(rational("1572584048032918633353217/1111984844349868137938112")), root2);
  EXPECT_LT(Radical<2>(rational("3796553736732654909229441/2684568892382786771291329")), root2);
}

TEST(RadicalTest, ScalesByDistances) {
  EXPECT_EQ(Distance(3) * Radical<2>::root_of(2), Radical<2>::root_of(18));
  EXPECT_EQ(Distance(0) * Radical<2>::infinity(), Radical<2>(0));
}

TEST(RadicalTest, WritesRationalRootsOut) {
  EXPECT_EQ(Radical<2>::root_of(Distance(rational("9/4"))).to_string(), "1.5");
  EXPECT_EQ(Radical<3>::root_of(2).to_string(), "(2)^(1/3)");
  EXPECT_EQ(Radical<3>::infinity().to_string(), "infinity");
  EXPECT_EQ(exact_root(Rational(-4), 2), std::nullopt);
  EXPECT_EQ(exact_root(Rational(2), 2), std::nullopt);
}

}  // namespace distance_test
}  // namespace lastbit
