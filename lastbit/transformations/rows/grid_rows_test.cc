#include "lastbit/transformations/rows/grid_rows.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"

namespace lastbit {
namespace grid_rows_test {

constexpr std::int64_t kMin64 = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax64 = std::numeric_limits<std::int64_t>::max();

TEST(GridRowsTest, DefaultGridFollowsWidthAndMagnitude) {
  EXPECT_EQ(default_grid(interval(-5, 10)).exponent(), 0);
  EXPECT_EQ(default_grid(interval(0.0, 1.0)).exponent(), -40);
  // 200 000 is between 2^17 and 2^18.
  EXPECT_EQ(default_grid(interval(0.0, 200'000.0)).exponent(), -22);
  // A narrow interval far from zero keeps its multiples within 50 bits.
  EXPECT_EQ(default_grid(interval(0x1p30, 0x1p30 + 1)).exponent(), -19);
  EXPECT_EQ(default_grid(interval(0.0, 0.0)).exponent(), 0);
}

TEST(GridRowsTest, DefaultGridIsAcceptedForTheWidestAndNarrowestIntervals) {
  const double most = std::numeric_limits<double>::max();
  for (const auto& rows : {interval(-most, most), interval(0.0, 5e-324), interval(most, most),
                           interval(-5e-324, 5e-324), interval(1.0, std::nextafter(1.0, 2.0))}) {
    const GridRows<double> on_grid("test", rows, default_grid(rows));
    EXPECT_LE(Integer(on_grid.upper_index()), Integer::two_to(50)) << rows.describe();
    EXPECT_GE(Integer(on_grid.lower_index()), -Integer::two_to(50)) << rows.describe();
    EXPECT_EQ(on_grid.upper_index(), on_grid.index(rows.upper()));
  }
}

TEST(GridRowsTest, BoundsMoveToTheGridTiesUp) {
  const GridRows<double> rows("test", interval(-2.5, 2.5), Grid(0));
  EXPECT_EQ(rows.lower(), Rational(-2));
  EXPECT_EQ(rows.upper(), Rational(3));
  EXPECT_EQ(rows.width(), Rational(5));
  EXPECT_EQ(rows.magnitude(), Rational(3));
  EXPECT_EQ(rows.max_offset(), 5u);
  EXPECT_EQ(rows.offset(-100.0), 0u);
}

TEST(GridRowsTest, SixtyTwoBitsAreTheLimitAndTheRemedyWorks) {
  EXPECT_NO_THROW(GridRows<double>("test", interval(-0x1.fffffffffffffp61, 0.0), Grid(0)));
  try {
    GridRows<double>("make_sum", interval(0.0, 0x1p62), Grid(0));
    FAIL() << "63 bits were accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadParameter);
    EXPECT_NE(std::string(error.what()).find("grid"), std::string::npos);
    EXPECT_NE(error.remedy().find("2^1 or coarser"), std::string::npos) << error.remedy();
  }
  EXPECT_NO_THROW(GridRows<double>("make_sum", interval(0.0, 0x1p62), Grid(1)));
  expect_code(ErrorCode::kBadParameter,
              [&] { GridRows<double>("make_sum", interval(-1e300, 0.0), Grid(-20'000)); });
}

TEST(GridRowsTest, IntegersKeepTheirFullRangeOnTheGridOfOne) {
  const GridRows<std::int64_t> rows("test", interval(kMin64, kMax64), Grid(0));
  EXPECT_EQ(rows.index(kMin64), kMin64);
  EXPECT_EQ(rows.offset(kMax64), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(rows.magnitude(), Rational::two_to(63));
  expect_code(ErrorCode::kBadParameter,
              [&] { GridRows<std::int64_t>("test", interval(0, 1), Grid(1)); });
}

RC_GTEST_PROP(GridRowsTest, EveryDoubleHasAnIndexBetweenTheBounds,
              (std::uint64_t bits, std::int8_t exponent, std::int32_t a, std::int32_t b)) {
  const auto rows = IntervalDomain<double>(std::min(a, b), std::max(a, b));
  const GridRows<double> on_grid("test", rows, Grid(exponent / 4));
  const std::int64_t index = on_grid.index(std::bit_cast<double>(bits));
  RC_ASSERT(on_grid.lower_index() <= index);
  RC_ASSERT(index <= on_grid.upper_index());
}

}  // namespace grid_rows_test
}  // namespace lastbit
