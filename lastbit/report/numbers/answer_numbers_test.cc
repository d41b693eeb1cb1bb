#include "lastbit/report/numbers/answer_numbers.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace lastbit::report {
namespace answer_numbers_test {

// number_in: reads a shown number back.
Rational number_in(std::string text) {
  std::erase(text, ',');
  return Rational::parse(text);
}

AnswerLine line(const Rational& value, const Rational& error) {
  return {{}, "", std::nullopt, value, Range{value - error, value + error}};
}
AnswerLine line(const Rational& value) { return {{}, "", std::nullopt, value, std::nullopt}; }

std::string shown(const Rational& value, const Rational& error) {
  return NumberStyle::for_lines({line(value, error)}).text(value);
}

TEST(NumberStyleTest, NumbersHaveTheDigitsThatTheirErrorsJustify) {
  EXPECT_EQ(shown(rational("53214.33"), rational("412")), "53,214");
  EXPECT_EQ(shown(rational("53214.33"), rational("41.2")), "53,214");
  EXPECT_EQ(shown(rational("53214.33"), rational("4.12")), "53,214.3");
  EXPECT_EQ(shown(rational("53214.33"), rational("0.0412")), "53,214.330");
  EXPECT_EQ(shown(rational("-1/3"), rational("0.02")), "-0.333");
  EXPECT_EQ(shown(rational("2e9"), rational("1e8")), "2,000,000,000");
}

TEST(NumberStyleTest, VeryLargeAndVerySmallNumbersAreShort) {
  EXPECT_EQ(shown(rational("1.23456e300"), rational("1e298")), "1.235e300");
  EXPECT_EQ(shown(rational("-1.23456e300"), rational("1e298")), "-1.235e300");
  EXPECT_EQ(shown(rational("1.23456e-30"), rational("1e-31")), "1.235e-30");
  EXPECT_EQ(shown(rational("0"), rational("1e-31")), "0");
}

TEST(NumberStyleTest, LargeNumbersAndTheirErrorsShareANotation) {
  const std::vector<AnswerLine> lines = {line(rational("30030123456789012"), 4243954073600)};
  const NumberStyle style = NumberStyle::for_lines(lines);
  EXPECT_EQ(style.text(rational("30030123456789012")), "3.00301e16");
  EXPECT_EQ(style.text(rational("30030123456789012"), Rounding::kUp), "3.00302e16");
  EXPECT_EQ(style.text(rational("-30030123456789012"), Rounding::kUp), "-3.00301e16");
  EXPECT_EQ(style.text(4243954073600, Rounding::kUp), "4.3e12");
  EXPECT_EQ(style.text(7), "0");
  EXPECT_EQ(NumberStyle::for_lines({line(rational("1e300"), 1)}).text(rational("1e300")), "1e300");
}

TEST(NumberStyleTest, WholeNumbersWithWholeIntervalsHaveNoDecimals) {
  EXPECT_EQ(NumberStyle::for_lines({line(600, 3), line(0, 3)}).text(600), "600");
  EXPECT_EQ(NumberStyle::for_lines({line(600, 3), line(rational("0.5"), 3)}).text(600), "600.0");
  EXPECT_EQ(NumberStyle::for_lines({line(600, rational("0.5"))}).text(600), "600.00");
  EXPECT_EQ(error_text(3), "3");
  EXPECT_EQ(error_text(rational("2.95")), "3.0");
}

TEST(NumberStyleTest, ANumberThatRoundsToZeroHasNoSign) {
  EXPECT_EQ(shown(rational("-0.3"), rational("412")), "0");
  EXPECT_EQ(NumberStyle::for_error(412).text(rational("-0.3"), Rounding::kUp), "0");
  EXPECT_EQ(NumberStyle::for_error(412).text(rational("-0.3"), Rounding::kDown), "-1");
}

TEST(NumberStyleTest, TheMedianErrorDecidesWithTwoDigitsMoreForSmallerOnes) {
  EXPECT_EQ(NumberStyle::for_lines({line(1, 400), line(1, 400), line(1, 40'000)}).places(), 0);
  EXPECT_EQ(NumberStyle::for_lines({line(1, rational("0.4")), line(1, 400), line(1, 400)}).places(),
            2);
  EXPECT_EQ(
      NumberStyle::for_lines({line(1, rational("0.0004")), line(1, 400), line(1, 400)}).places(),
      2);
}

TEST(NumberStyleTest, WithoutIntervalsValuesAreExactWhereThatIsShort) {
  const auto style = NumberStyle::for_lines({line(rational("0.5")), line(rational("21.25"))});
  EXPECT_EQ(style.text(rational("0.5")), "0.50");
  EXPECT_EQ(style.text(rational("21.25")), "21.25");
  EXPECT_EQ(NumberStyle::for_lines({line(rational("1/3"))}).text(rational("1/3")), "0.3333");
  EXPECT_EQ(NumberStyle::for_lines({line(rational("4000/3"))}).text(rational("4000/3")), "1,333");
  EXPECT_EQ(NumberStyle::for_lines({}).text(7), "7");
}

RC_GTEST_PROP(NumberStyleTest, RoundedNumbersLieOnTheirSide,
              (std::int64_t top, std::int64_t bottom, std::int64_t scale, int digits)) {
  RC_PRE(bottom != 0);
  const Rational power = pow(Rational(10), static_cast<unsigned>(std::abs(digits % 40)));
  const Rational value = Rational(top, bottom) * (scale % 2 == 0 ? power : Rational(1) / power);
  const Rational error = abs(Rational(scale, bottom)) + Rational(1, 1000);
  const NumberStyle style = NumberStyle::for_error(error);
  const Rational below = number_in(style.text(value, Rounding::kDown));
  const Rational above = number_in(style.text(value, Rounding::kUp));
  const Rational nearest = number_in(style.text(value));
  RC_ASSERT(below <= value);
  RC_ASSERT(value <= above);
  RC_ASSERT(abs(nearest - value) <= std::min(value - below, above - value));
}

RC_GTEST_PROP(NumberStyleTest, ErrorsKeepTwoDigitsAndAreNeverUnderstated,
              (std::uint32_t top, std::uint32_t bottom)) {
  RC_PRE(top != 0 && bottom != 0);
  const Rational error(top, bottom);
  const Rational told = number_in(error_text(error));
  RC_ASSERT(error <= told);
  RC_ASSERT(told <= error * rational("1.11"));
}

TEST(HalfWidthTest, ItIsTheDistanceToTheFartherEnd) {
  EXPECT_EQ(half_width({{}, "", {}, Rational(10), Range{4, 11}}), Rational(6));
  EXPECT_EQ(half_width({{}, "", {}, Rational(10), Range{9, 18}}), Rational(8));
  EXPECT_FALSE(half_width(line(10)));
  EXPECT_FALSE(half_width({{}, "", {}, std::nullopt, Range{4, 11}}));
}

TEST(CostTextTest, ShortNumbersAreExactAndLongOnesAreRoundedToTheirSide) {
  EXPECT_EQ(cost_text(Cost::pure(rational("0.5"))), "0.5");
  EXPECT_EQ(cost_text(Cost::pure(rational("1/3"))), "1/3");
  EXPECT_EQ(cost_text(Cost::pure(rational("1000/2999"))), "0.333445");
  EXPECT_EQ(cost_text(Cost::pure(rational("1000/2999")), Rounding::kDown), "0.333444");
  EXPECT_EQ(cost_text(Cost::approximate(1, rational("0.0000001"))), "1, 1e-7");
  EXPECT_EQ(cost_text(Cost::pure(999'999'990), Rounding::kDown), "999999990");
  EXPECT_EQ(cost_text(Cost::pure(rational("1e13") - 1), Rounding::kDown), "9999990000000");
  EXPECT_EQ(cost_words(Cost::approximate(1, rational("1e-7"))), "epsilon 1 and delta 1e-7");
  EXPECT_EQ(cost_words(Cost::approximate(1, 0)), "epsilon 1");
  EXPECT_EQ(cost_words(Cost::concentrated(rational("1/8"))), "rho 0.125");
  const Cost both = Cost::concentrated(rational("1/8"), rational("1e-7"));
  EXPECT_EQ(cost_words(both), "rho 0.125 and delta 1e-7");
  EXPECT_EQ(cost_text(both), "0.125, 1e-7");
  EXPECT_EQ(loss_name(both), "rho, delta");
  EXPECT_EQ(loss_name(Cost::concentrated(1)), "rho");
  EXPECT_EQ(loss_name(Cost::approximate(1, 0)), "epsilon, delta");
}

TEST(PercentTextTest, ConfidencesReadAsPercents) {
  EXPECT_EQ(percent_text(rational("0.95")), "95 %");
  EXPECT_EQ(percent_text(rational("0.999")), "99.9 %");
  EXPECT_EQ(percent_text(rational("0.99999999999999999")), "99.9999 %");
  EXPECT_EQ(percent_text(rational("1/3")), "33.3333 %");
}

TEST(NearestDoubleTest, DecimalsBecomeTheDoublesThatPeopleWrite) {
  EXPECT_EQ(nearest_double(rational("0.1")), 0.1);
  EXPECT_EQ(nearest_double(rational("-1/3")), -1.0 / 3);
  EXPECT_EQ(nearest_double(rational("123456789.125")), 123456789.125);
  EXPECT_TRUE(std::isinf(nearest_double(rational("1e400"))));
  EXPECT_EQ(nearest_double(rational("1e-400")), 0.0);
}

}  // namespace answer_numbers_test
}  // namespace lastbit::report
