#include "lastbit/report/numbers/number_text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace lastbit::report {
namespace number_text_test {

TEST(ExactTextTest, BinaryFractionsAreWrittenToTheLastDigit) {
  EXPECT_EQ(exact_text(0), "0");
  EXPECT_EQ(exact_text(rational("-1/2")), "-0.5");
  EXPECT_EQ(exact_text(rational("1/1024")), "0.0009765625");
  EXPECT_EQ(exact_text(rational("1/3")), "1/3");
  EXPECT_EQ(exact_text(Rational::two_to(-61)), "1/2305843009213693952");
  EXPECT_EQ(exact_text(Rational::two_to(80)), "1208925819614629174706176");
}

RC_GTEST_PROP(ExactTextTest, ReadsBackAsTheSameNumber, (std::int64_t numerator)) {
  const auto exponent = *rc::gen::inRange(-60, 61);
  const Rational value = Rational(numerator) * Rational::two_to(exponent);
  RC_ASSERT(Rational::parse(exact_text(value)) == value);
  RC_ASSERT(exact_text(value).find('/') == std::string::npos);
}

double double_by_chance() {
  const auto mantissa = *rc::gen::arbitrary<std::int64_t>();
  return std::ldexp(static_cast<double>(mantissa), *rc::gen::inRange(-300, 300));
}

RC_GTEST_PROP(SixDigitsTest, TheRoundedNumbersEncloseTheValueClosely, ()) {
  const double value = double_by_chance();
  const Rational exact = Rational::exactly(value);
  const Rational most = Rational::parse(at_most_text(value));
  const Rational least = Rational::parse(at_least_text(value));
  RC_ASSERT(least <= exact);
  RC_ASSERT(exact <= most);
  RC_ASSERT((most - least) * Rational(100'000) <= abs(exact));
}

TEST(SixDigitsTest, CornersAreRight) {
  EXPECT_EQ(at_most_text(0), "0");
  EXPECT_EQ(at_least_text(0), "0");
  EXPECT_EQ(at_most_text(5), "5");
  EXPECT_EQ(at_most_text(std::nextafter(5, 6)), "5.00001");
  EXPECT_EQ(at_most_text(999999.5), "1000000");
  EXPECT_EQ(at_most_text(1e-7), "1e-7");  // the double is a little below
  EXPECT_EQ(signed_text(-0.1), "-0.1");
  EXPECT_EQ(at_least_text(-9.985774), "-9.98578");
  EXPECT_EQ(at_most_text(-9.985774), "-9.98577");
  EXPECT_EQ(at_most_text(std::numeric_limits<double>::infinity()), "inf");
}

TEST(ShortTextTest, ShortNumbersAreExactAndLongOnesCut) {
  EXPECT_EQ(short_text(rational("10/3")), "10/3");
  EXPECT_EQ(short_text(rational("0.1")), "0.1");
  EXPECT_EQ(short_text(rational("1234567/890123456")), "0.00138696");
  EXPECT_EQ(short_text(Rational(2) / Rational(3) * pow(Rational(10), 400)), "6.66666e399");
}

TEST(BinaryTextTest, IsExactWhereThatIsShort) {
  EXPECT_EQ(binary_text(rational("13/64")), "13/64");
  EXPECT_EQ(binary_text(0), "0");
  EXPECT_EQ(binary_text(1), "1");
  EXPECT_EQ(binary_text(Rational(3) * Rational::two_to(-100)),
            "2.36658271566303e-30 (a multiple of 2^-100)");
}

TEST(GroupedTest, PutsACommaBeforeEveryThirdDigit) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(CommasTest, GroupTheDigitsBeforeThePoint) {
  EXPECT_EQ(with_commas("0"), "0");
  EXPECT_EQ(with_commas("999"), "999");
  EXPECT_EQ(with_commas("1000"), "1,000");
  EXPECT_EQ(with_commas("-100"), "-100");
  EXPECT_EQ(with_commas("-123456"), "-123,456");
  EXPECT_EQ(with_commas("1234567.8901"), "1,234,567.8901");
}

}  // namespace number_text_test
}  // namespace lastbit::report
