#include "lastbit/numerics/grid.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"

namespace lastbit {
namespace grid_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();
constexpr double kBelowHalf = 0.49999999999999994;

// The definition, in exact arithmetic and nothing else.
Integer defined_nearest_index(const Rational& x, int exponent) {
  const Rational ratio = x / Rational::two_to(exponent);
  const Integer below = floor_div(ratio.numerator(), ratio.denominator());
  return ratio - Rational(below) < Rational(1, 2) ? below : below + 1;
}

void expect_as_defined(double x, int exponent) {
  const Grid grid(exponent);
  const Rational exact = Rational::exactly(x);
  const Integer index = defined_nearest_index(exact, exponent);
  ASSERT_EQ(grid.nearest_index(x), index) << x << " on 2^" << exponent;
  ASSERT_EQ(grid.nearest_index(exact), index) << x << " on 2^" << exponent;
  if (abs(exact) <= grid.point(Integer::two_to(62))) {
    ASSERT_EQ(Integer(grid.nearest_index_int64(x)), index) << x << " on 2^" << exponent;
  }
  const Rational point = grid.point(index);
  const double nearest = grid.nearest(x);
  if (abs(point) >= Rational::two_to(1024)) {
    ASSERT_EQ(nearest, point.sign() > 0 ? kInfinity : -kInfinity);
  } else {
    ASSERT_EQ(Rational::exactly(nearest), point) << x << " on 2^" << exponent;
  }
  ASSERT_FALSE(nearest == 0 && std::signbit(nearest));
  const Grid::Split split = grid.split(x);
  ASSERT_EQ((Rational(split.whole) + split.fraction) * grid.spacing(), exact);
  ASSERT_TRUE(split.fraction.sign() >= 0 && split.fraction < Rational(1));
  ASSERT_EQ(grid.floor_index(x), split.whole);
  ASSERT_EQ(grid.floor_index(exact), split.whole);
  const Integer ceiling = split.fraction.sign() == 0 ? split.whole : split.whole + 1;
  ASSERT_EQ(grid.ceil_index(x), ceiling);
  ASSERT_EQ(grid.ceil_index(exact), ceiling);
}

std::vector<double> corners() {
  std::vector<double> values = {0.0,        0.5,      1.5,   2.5, 3.5,   3.75,  7.5,
                                kBelowHalf, kLargest, kTiny, 0.1, 1e300, 1e-300};
  for (const double around : {0.5, 1.5, 2.5, 0x1p52, 0x1p51, 0x1p53, 0x1p62, 0x1p1023, 0x1p-1022}) {
    for (const double value : {around, std::nextafter(around, kInfinity), std::nextafter(around, 0),
                               around + 0.5, around - 0.5, around + 1.5}) {
      values.push_back(value);
    }
  }
  for (int k = 2; k < 20; ++k) values.push_back(static_cast<double>(k) * kTiny);
  const std::size_t count = values.size();
  for (std::size_t i = 0; i < count; ++i) values.push_back(-values[i]);
  return values;
}

TEST(GridTest, TiesGoTowardPositiveInfinity) {
  const Grid unit(0);
  EXPECT_EQ(unit.nearest(0.5), 1.0);
  EXPECT_EQ(unit.nearest(-0.5), 0.0);
  EXPECT_EQ(unit.nearest(2.5), 3.0);
  EXPECT_EQ(unit.nearest(-2.5), -2.0);
  EXPECT_EQ(unit.nearest(-1.5), -1.0);
}

TEST(GridTest, CarryRunsIntoTheExponent) {
  // A carry test on the bits that are kept, wrapping around, gives 1, 2, 2 and 4 here.
  const Grid unit(0);
  EXPECT_EQ(unit.nearest(1.5), 2.0);
  EXPECT_EQ(unit.nearest(3.5), 4.0);
  EXPECT_EQ(unit.nearest(3.75), 4.0);
  EXPECT_EQ(unit.nearest(7.5), 8.0);
}

TEST(GridTest, FloorOfXPlusHalfInDoublesIsNotTheNearestInteger) {
  EXPECT_EQ(std::floor(kBelowHalf + 0.5), 1.0);
  EXPECT_EQ(Grid(0).nearest(kBelowHalf), 0.0);
  const double odd = 0x1p52 + 1;
  EXPECT_EQ(std::floor(odd + 0.5), odd + 1);
  EXPECT_EQ(Grid(0).nearest(odd), odd);
}

TEST(GridTest, ZeroResultsArePositiveZero) {
  for (const double x : {0.0, -0.0, -0.5, -kTiny, kTiny, -0.25}) {
    EXPECT_EQ(Grid(0).nearest(x), 0.0);
    EXPECT_FALSE(std::signbit(Grid(0).nearest(x)));
  }
  EXPECT_FALSE(std::signbit(Grid(-2000).nearest(-0.0)));
}

TEST(GridTest, OverflowIsInfinityAndCoarserGridsGiveZero) {
  EXPECT_EQ(Grid(1024).nearest(kLargest), kInfinity);
  EXPECT_EQ(Grid(1024).nearest(-kLargest), -kInfinity);
  EXPECT_EQ(Grid(1024).nearest(-0x1p1023), 0.0);
  EXPECT_EQ(Grid(1024).nearest(0x1p1023), kInfinity);
  EXPECT_EQ(Grid(1023).nearest(kLargest), kInfinity);
  EXPECT_EQ(Grid(1025).nearest(kLargest), 0.0);
  EXPECT_EQ(Grid(Grid::kMaxExponent).nearest(kLargest), 0.0);
  EXPECT_EQ(Grid(-Grid::kMaxExponent).nearest(kLargest), kLargest);
}

TEST(GridTest, EveryGridAgreesWithTheDefinitionAtCorners) {
  const std::vector<double> values = corners();
  for (int exponent = -1080; exponent <= 1030;
       exponent += (exponent > -60 && exponent < 64 ? 1 : 7)) {
    for (const double x : values) expect_as_defined(x, exponent);
  }
  for (const int exponent : {-1080, -1075, -1074, -1073, -1023, -1022, 970, 971, 1022, 1023, 1024,
                             1025, 1030, -20'000, 20'000}) {
    for (const double x : values) expect_as_defined(x, exponent);
  }
}

TEST(GridTest, EveryGridAgreesWithTheDefinitionAroundItsOwnTies) {
  for (int exponent = -1080; exponent <= 1030; ++exponent) {
    for (const int twice : {1, 2, 3, 5, 7, 15, -1, -2, -3, -5, -7, -15}) {
      const double x = std::ldexp(twice, exponent - 1);
      if (!std::isfinite(x)) continue;
      expect_as_defined(x, exponent);
      for (const double toward : {kInfinity, -kInfinity}) {
        const double y = std::nextafter(x, toward);
        if (std::isfinite(y)) expect_as_defined(y, exponent);
      }
    }
  }
}

RC_GTEST_PROP(GridTest, AgreesWithTheDefinitionOnRandomDoubles,
              (std::uint64_t fraction, bool negative)) {
  const auto field = *rc::gen::inRange<std::uint64_t>(0, 2047);
  const auto kept = *rc::gen::inRange(0, 53);
  // Clearing low bits makes ties and exact multiples likely.
  const std::uint64_t mask = ~std::uint64_t{0} << kept;
  const std::uint64_t bits = (fraction & mask & 0x000f'ffff'ffff'ffff) | (field << 52) |
                             (static_cast<std::uint64_t>(negative) << 63);
  const auto offset = *rc::gen::inRange(-5, 60);
  const int exponent = static_cast<int>(field) - 1075 + offset;
  expect_as_defined(std::bit_cast<double>(bits), exponent);
}

// A fixed sequence of mixed 64-bit words, so that the long loop below is the same in every run.
std::uint64_t mixed(std::uint64_t& state) {
  state += 0x9e37'79b9'7f4a'7c15;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9;
  z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11eb;
  return z ^ (z >> 31);
}

TEST(GridTest, FastPathEqualsTheExactIndexOnALongSequence) {
  std::uint64_t state = 1;
  for (int i = 0; i < 300'000; ++i) {
    const std::uint64_t word = mixed(state);
    const std::uint64_t choice = mixed(state);
    const std::uint64_t mask = ~std::uint64_t{0} << (choice % 53);
    const std::uint64_t field = (choice >> 8) % 2046;
    const std::uint64_t sign = word & (std::uint64_t{1} << 63);
    const auto x = std::bit_cast<double>(sign | (field << 52) | (word & mask & (~0ull >> 12)));
    // From 9 binary places below the last bit of x, which keeps |x|/Λ ≤ 2^62, to past its first.
    const int exponent = static_cast<int>(field) - 1084 + static_cast<int>((choice >> 32) % 66);
    const Grid grid(exponent);
    ASSERT_EQ(Integer(grid.nearest_index_int64(x)),
              floor_div(grid.floor_index(x + x) + 1, Integer(2)))
        << x << " on 2^" << exponent;
  }
}

RC_GTEST_PROP(GridTest, RationalRoundingCommutesWithShiftsByTheGrid,
              (std::int64_t a, std::int64_t b, std::int32_t shift)) {
  RC_PRE(b != 0);
  const Grid grid(*rc::gen::inRange(-70, 70));
  const Rational x(a, b);
  RC_ASSERT(grid.nearest_index(x + grid.point(Integer(shift))) ==
            grid.nearest_index(x) + Integer(shift));
  RC_ASSERT(grid.nearest_index(x) == defined_nearest_index(x, grid.exponent()));
}

TEST(GridTest, AtLeastIsTheSmallestPowerOfTwoNotBelowTheScale) {
  for (const char* text : {"1", "0.1", "1/3", "3", "4", "4.0000001", "0x1p-1074", "1e300", "7/8",
                           "1023/1024", "1025/1024", "0x1p20000", "0x1p-20000", "1e-6000"}) {
    const Rational scale = rational(text);
    const Grid grid = Grid::at_least(scale);
    EXPECT_GE(grid.spacing(), scale) << text;
    EXPECT_LT(grid.spacing() / 2, scale) << text;
  }
}

TEST(GridTest, ImpossibleGridsAndValuesAreErrors) {
  EXPECT_EQ(code_of([] { Grid{20'001}; }), ErrorCode::kBadParameter);
  EXPECT_EQ(code_of([] { Grid{std::numeric_limits<int>::min()}; }), ErrorCode::kBadParameter);
  EXPECT_EQ(code_of([] { Grid::at_least(Rational(0)); }), ErrorCode::kBadParameter);
  EXPECT_EQ(code_of([] { Grid::at_least(Rational(-1)); }), ErrorCode::kBadParameter);
  for (const Rational& scale : {Rational::two_to(20'000) + 1, Rational::two_to(30'000),
                                Rational::two_to(-20'001), Rational::two_to(-30'000)}) {
    EXPECT_EQ(code_of([&] { Grid::at_least(scale); }), ErrorCode::kBadParameter);
  }
  const Grid unit(0);
  for (const double bad : {kInfinity, -kInfinity, std::nan("")}) {
    EXPECT_EQ(code_of([&] { unit.nearest(bad); }), ErrorCode::kBadParameter);
    EXPECT_EQ(code_of([&] { unit.nearest_index(bad); }), ErrorCode::kBadParameter);
    EXPECT_EQ(code_of([&] { unit.floor_index(bad); }), ErrorCode::kBadParameter);
    EXPECT_EQ(code_of([&] { unit.ceil_index(bad); }), ErrorCode::kBadParameter);
    EXPECT_EQ(code_of([&] { unit.split(bad); }), ErrorCode::kBadParameter);
  }
}

TEST(GridTest, MisuseOfTheFastPathIsDefinedBehaviour) {
  for (const int exponent : {-20'000, -1074, -64, 0, 63, 1024, 20'000}) {
    for (const double x : {kInfinity, -kInfinity, std::nan(""), kLargest, -kLargest, kTiny}) {
      static_cast<void>(Grid(exponent).nearest_index_int64(x));
    }
  }
}

}  // namespace grid_test
}  // namespace lastbit
