#include "lastbit/report/numbers/decimal_text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "lastbit/base/test_support.h"
#include "lastbit/report/charts/plot_svg.h"

namespace lastbit::report {
namespace {

TEST(DecimalTextTest, ShortNumbersAreExact) {
  for (const char* text :
       {"0", "1", "-1", "0.5", "-0.001", "1500", "123456", "0.00012", "1e-14", "-2.5e-9", "1e20"}) {
    EXPECT_EQ(decimal_text(rational(text), 6, Toward::kDown), text);
    EXPECT_EQ(decimal_text(rational(text), 6, Toward::kUp), text);
  }
}

TEST(DecimalTextTest, RoundsTowardTheSideAskedFor) {
  EXPECT_EQ(decimal_text(rational("2/3"), 4, Toward::kDown), "0.6666");
  EXPECT_EQ(decimal_text(rational("2/3"), 4, Toward::kUp), "0.6667");
  EXPECT_EQ(decimal_text(rational("-2/3"), 4, Toward::kDown), "-0.6667");
  EXPECT_EQ(decimal_text(rational("-2/3"), 4, Toward::kUp), "-0.6666");
  EXPECT_EQ(decimal_text(rational("0.99999"), 3, Toward::kUp), "1");
  EXPECT_EQ(decimal_text(rational("9999.9"), 2, Toward::kUp), "10000");
}

RC_GTEST_PROP(DecimalTextTest, LiesOnItsSideAndWithinTheLastDigit, ()) {
  const auto numerator = *rc::gen::nonZero<std::int64_t>();
  const auto denominator = *rc::gen::positive<std::int64_t>();
  const auto shift = *rc::gen::inRange(-300, 300);
  const auto digits = *rc::gen::inRange(1, 30);
  const Rational value = Rational(numerator, denominator) * Rational::two_to(shift);
  const Rational down = Rational::parse(decimal_text(value, digits, Toward::kDown));
  const Rational up = Rational::parse(decimal_text(value, digits, Toward::kUp));
  RC_ASSERT(down <= value && value <= up);
  // One unit of the last of d digits is at most 10^(1−d) of the number.
  RC_ASSERT((up - down) * pow(Rational(10), static_cast<unsigned>(digits - 1)) <= abs(value));
}

TEST(BinaryTextTest, IsExactWhereThatIsShort) {
  EXPECT_EQ(binary_text(rational("13/64")), "13/64");
  EXPECT_EQ(binary_text(0), "0");
  EXPECT_EQ(binary_text(1), "1");
  EXPECT_EQ(binary_text(Rational(3) * Rational::two_to(-100)),
            "2.36658271566303e-30 (a multiple of 2^-100)");
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

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(PlotSvgTest, DrawsPointsMarksAndTheLine) {
  Plot plot;
  plot.points = {{-1, 2}, {0, -1e9}, {1, 3}, {2, 0, true}};
  plot.line = 5;
  plot.line_label = "a <bound> & more";
  const std::string svg = as_svg(plot);
  EXPECT_EQ(count(svg, "<circle"), 2U);
  EXPECT_EQ(count(svg, "class=\"far\" d="), 2U);    // the point, and the mark in the legend
  EXPECT_EQ(count(svg, "class=\"alarm\" d="), 2U);  // likewise
  EXPECT_EQ(count(svg, "class=\"bound\" x1"), 1U);
  EXPECT_NE(svg.find("a &lt;bound&gt; &amp; more"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(PlotSvgTest, TellsALineFarAboveInWords) {
  Plot plot;
  plot.points = {{0, 1}, {1, 1}};
  plot.line = 1000;
  plot.line_label = "bound";
  const std::string svg = as_svg(plot);
  EXPECT_EQ(count(svg, "class=\"bound\" x1"), 0U);
  EXPECT_NE(svg.find("bound, above this picture"), std::string::npos);
}

TEST(PlotSvgTest, SurvivesEmptyAndFlatPlots) {
  for (const auto& points :
       {std::vector<PlotPoint>{}, std::vector<PlotPoint>{{3, 0}},
        std::vector<PlotPoint>{{3, 0, true}}, std::vector<PlotPoint>{{3, -7}}}) {
    Plot plot;
    plot.points = points;
    const std::string svg = as_svg(plot);
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf\""), std::string::npos);
  }
}

TEST(PlotSvgTest, ManyPointsStayAFewKilobytes) {
  Plot plot;
  for (int i = 0; i < 200'000; ++i) plot.points.push_back({static_cast<double>(i), (i % 7) * 1.0});
  const std::string svg = as_svg(plot);
  EXPECT_LE(count(svg, "<circle"), 800U);
}

}  // namespace
}  // namespace lastbit::report
