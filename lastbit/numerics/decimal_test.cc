#include "lastbit/numerics/decimal.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "lastbit/base/test_support.h"

namespace lastbit {
namespace decimal_test {

TEST(DecimalTest, ShortNumbersAreExact) {
  for (const char* text :
       {"0", "1", "-1", "0.5", "-0.001", "1500", "123456", "0.00012", "1e-14", "-2.5e-9", "1e20"}) {
    for (const Rounding rounding : {Rounding::kDown, Rounding::kUp, Rounding::kNearestEven}) {
      EXPECT_EQ(decimal_text(rational(text), 6, rounding), text);
      EXPECT_EQ(to_decimal(rational(text), 6, rounding), rational(text));
    }
  }
}

TEST(DecimalTest, RoundsInTheDirectionAskedFor) {
  EXPECT_EQ(decimal_text(rational("2/3"), 4, Rounding::kDown), "0.6666");
  EXPECT_EQ(decimal_text(rational("2/3"), 4, Rounding::kUp), "0.6667");
  EXPECT_EQ(decimal_text(rational("-2/3"), 4, Rounding::kDown), "-0.6667");
  EXPECT_EQ(decimal_text(rational("-2/3"), 4, Rounding::kUp), "-0.6666");
  EXPECT_EQ(decimal_text(rational("-2/3"), 4, Rounding::kTowardZero), "-0.6666");
  EXPECT_EQ(decimal_text(rational("2/3"), 4, Rounding::kNearestEven), "0.6667");
  EXPECT_EQ(decimal_text(rational("0.125"), 2, Rounding::kNearestEven), "0.12");
  EXPECT_EQ(decimal_text(rational("0.99999"), 3, Rounding::kUp), "1");
  EXPECT_EQ(decimal_text(rational("9999.9"), 2, Rounding::kUp), "10000");
}

RC_GTEST_PROP(DecimalTest, LiesOnItsSideAndWithinTheLastDigit, ()) {
  const auto numerator = *rc::gen::nonZero<std::int64_t>();
  const auto denominator = *rc::gen::positive<std::int64_t>();
  const auto shift = *rc::gen::inRange(-300, 300);
  const auto digits = *rc::gen::inRange(1, 30);
  const Rational value = Rational(numerator, denominator) * Rational::two_to(shift);
  const Rational down = to_decimal(value, digits, Rounding::kDown);
  const Rational up = to_decimal(value, digits, Rounding::kUp);
  const Rational near = to_decimal(value, digits, Rounding::kNearestEven);
  RC_ASSERT(down <= value && value <= up);
  RC_ASSERT(abs(near - value) <= std::min(value - down, up - value));
  // One unit in the last of d digits is at most 10^(1−d) times the number.
  RC_ASSERT((up - down) * pow(Rational(10), static_cast<unsigned>(digits - 1)) <= abs(value));
  RC_ASSERT(Rational::parse(decimal_text(value, digits, Rounding::kDown)) == down);
  RC_ASSERT(Rational::parse(decimal_text(value, digits, Rounding::kUp)) == up);
}

RC_GTEST_PROP(BinaryFractionTest, IsTheNumberWithAnOddMantissa, (std::int64_t mantissa)) {
  const auto shift = *rc::gen::inRange(-200, 200);
  const Rational value = Rational(mantissa) * Rational::two_to(shift);
  const BinaryFraction fraction = binary_fraction(value);
  RC_ASSERT(Rational(fraction.mantissa) * Rational::two_to(fraction.exponent) == value);
  RC_ASSERT(value.sign() == 0 || floor_mod(fraction.mantissa, 2) == Integer(1));
}

TEST(BinaryFractionTest, OtherDenominatorsAreRefused) {
  EXPECT_EQ(code_of([] { binary_fraction(rational("1/3")); }), ErrorCode::kNotSupported);
}

}  // namespace decimal_test
}  // namespace lastbit
