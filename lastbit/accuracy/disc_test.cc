// Discs against exact complex arithmetic.
#include "lastbit/accuracy/disc.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "lastbit/numerics/rational.h"

namespace lastbit::accuracy_internal {
namespace disc_test {

struct Point {
  Rational re;
  Rational im;
};
Point times(const Point& a, const Point& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
Point inverted(const Point& a) {
  const Rational norm = a.re * a.re + a.im * a.im;
  return {a.re / norm, -a.im / norm};
}

bool holds(const Disc& disc, const Point& point) {
  const Rational re = point.re - Rational::exactly(disc.re);
  const Rational im = point.im - Rational::exactly(disc.im);
  const Rational radius = Rational::exactly(disc.radius);
  return re * re + im * im <= radius * radius;
}

// A disc, and a point near its edge: 3² + 4² = 5².
struct Sample {
  Disc disc;
  Point point;
};
Sample make_sample() {
  const auto number = [] {
    const int mantissa = *rc::gen::inRange(-(1 << 30), 1 << 30);
    return std::ldexp(static_cast<double>(mantissa) / 7, *rc::gen::inRange(-40, 10) - 30);
  };
  Disc disc{number(), number(), 0};
  disc.radius = std::abs(number()) * 0x1p-30;
  const Rational radius = Rational::exactly(disc.radius);
  const int side = *rc::gen::element(-1, 1);
  return {disc,
          {Rational::exactly(disc.re) + radius * Rational(3 * side, 5),
           Rational::exactly(disc.im) + radius * Rational(4, 5)}};
}

RC_GTEST_PROP(DiscTest, OperationsHoldTheExactResult, ()) {
  const Sample a = make_sample();
  const Sample b = make_sample();
  RC_ASSERT(holds(a.disc * b.disc, times(a.point, b.point)));
  RC_ASSERT(holds(a.disc + b.disc, {a.point.re + b.point.re, a.point.im + b.point.im}));
  const Disc inverse_a = inverse(a.disc);
  if (std::isfinite(inverse_a.radius)) {
    RC_ASSERT(holds(inverse_a, inverted(a.point)));
  }
  Point power{1, 0};
  for (std::int64_t exponent = 0; exponent < 8; ++exponent) {
    RC_ASSERT(holds(pow(a.disc, exponent), power));
    power = times(power, a.point);
  }
}

TEST(DiscTest, RadiiAreAboutTheRoundings) {
  const Disc one = disc_about(0.6, 0.8, 0);
  EXPECT_LT((one * one).radius, 8 * kDiscUnit);
  EXPECT_GT((one * one).radius, 0);
  EXPECT_LT(pow(one, 1 << 20).radius, 0x1p-28);
  EXPECT_LT(inverse(one).radius, 8 * kDiscUnit);
  EXPECT_TRUE(holds(disc_of(Ball(Rational(1, 3), 64), Ball(Rational(-1, 7), 64)),
                    {Rational(1, 3), Rational(-1, 7)}));
}

TEST(DiscTest, NothingIsClaimedNearZeroOrBeyondTheLargestNumber) {
  EXPECT_FALSE(std::isfinite(inverse({0, 0, 0}).radius));
  EXPECT_FALSE(std::isfinite(inverse({1, 1, 2}).radius));
  const double largest = std::numeric_limits<double>::max();
  EXPECT_FALSE(std::isfinite((Disc{largest, 0, 0} * Disc{2, 0, 0}).radius));
  // The inverse of a number too large to be squared is 0, up to what underflow may lose.
  const Disc small = inverse({0x1p600, 0, 0});
  EXPECT_TRUE(holds(small, {Rational::two_to(-600), 0}));
}

}  // namespace disc_test
}  // namespace lastbit::accuracy_internal
