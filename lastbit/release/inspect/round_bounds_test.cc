#include "lastbit/release/inspect/round_bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lastbit {
namespace round_bounds_test {

// bounds_of: what an engine would answer about these values.
RoundBounds bounds_of(const Rational& lower, const Rational& upper,
                      const std::vector<Rational>& values) {
  std::vector<Rational> thresholds = RoundBounds::thresholds_for(lower, upper);
  std::vector<std::int64_t> between(thresholds.size() + 1);
  for (const Rational& value : values) {
    const auto rank = std::ranges::upper_bound(thresholds, value) - thresholds.begin();
    ++between[static_cast<std::size_t>(rank)];
  }
  return {std::move(thresholds), between};
}

}  // namespace round_bounds_test

namespace {

using round_bounds_test::bounds_of;

TEST(RoundBounds, NothingLiesBetweenANumberAndJustAbove) {
  for (const double number : {0.0, 1.0, -1.0, 0.1, 1e300, -1e-300, 5e-324}) {
    const double next = std::nextafter(number, std::numeric_limits<double>::infinity());
    EXPECT_GT(just_above(Rational::exactly(number)), Rational::exactly(number));
    EXPECT_EQ(just_above(Rational::exactly(number)).up(), next);
  }
  EXPECT_EQ(just_above(7).ceil(), Integer(8));
  EXPECT_EQ(just_above(-7).ceil(), Integer(-6));
}

TEST(RoundBounds, AreRoundAndIncreasing) {
  const std::vector<Rational>& numbers = round_numbers();
  EXPECT_TRUE(std::ranges::is_sorted(numbers));
  for (const char* text : {"0", "1500", "-0.25", "200000", "1e-9", "8e17", "12", "100"}) {
    EXPECT_EQ(std::ranges::count(numbers, Rational::parse(text)), 1) << text;
  }
  EXPECT_EQ(std::ranges::count(numbers, Rational(1300)), 0);
}

TEST(RoundBounds, CountsWhatLiesBeyond) {
  const RoundBounds bounds = bounds_of(0, Rational(77), {-3, 0, 5, 10, 10, 76, 77, 78, 1000});
  EXPECT_EQ(bounds.values(), 9);
  EXPECT_EQ(bounds.below(0), 1);
  EXPECT_EQ(bounds.above(Rational(77)), 2);
  EXPECT_EQ(bounds.above(10), 4);
  EXPECT_EQ(bounds.below(10), 3);
  EXPECT_EQ(bounds.least_upper(0, 0), Rational(1000));
  EXPECT_EQ(bounds.least_upper(0, 1), Rational(80));
  EXPECT_EQ(bounds.least_upper(0, 4), Rational(10));
  EXPECT_EQ(bounds.least_upper(20, 9), Rational(25));
  EXPECT_EQ(bounds.greatest_lower(Rational(77), 0), Rational(-3));
  EXPECT_EQ(bounds.greatest_lower(Rational(77), 1), Rational(0));
}

TEST(RoundBounds, ValuesBeyondAllRoundNumbersHaveNoBound) {
  EXPECT_EQ(bounds_of(0, 1, {Rational::parse("1e30")}).least_upper(0, 0), std::nullopt);
}

}  // namespace
}  // namespace lastbit
