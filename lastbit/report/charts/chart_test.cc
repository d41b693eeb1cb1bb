#include "lastbit/report/charts/chart.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <regex>
#include <string>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"
#include "lastbit/report/charts/chart_scale.h"

namespace lastbit::report {
namespace chart_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Numbers that break careless charts: equal ones, none, the ends of the doubles.
const std::vector<double>& awkward() {
  static const std::vector<double> kNumbers = {
      0,      1,       -1,         1e10,       1e10 + 1e-5, 1e300,     -1e300,
      5e-324, -5e-324, 1.7e308,    -1.7e308,   1e-300,      kInfinity, -kInfinity,
      0.1,    12345.6, 4294967296, 0x1p-1022L, std::nan("")};
  return kNumbers;
}

// misplaced: the first position that lies outside the picture or is not a number; empty if none.
std::string misplaced_in(const std::string& chart) {
  static const std::regex kPosition(R"re( (x|y|x1|x2|y1|y2|cx|cy|width|height)="([^"]*)")re");
  for (std::sregex_iterator it(chart.begin(), chart.end(), kPosition), end; it != end; ++it) {
    const std::string value = (*it)[2].str();
    static const std::regex kNumber(R"re(-?\d+(\.\d+)?%?)re");
    if (!std::regex_match(value, kNumber)) return it->str();
    const double number = std::stod(value);
    const bool is_percent = value.back() == '%';
    if (is_percent && (number < -2 || number > 102)) return it->str();
  }
  return chart.find('\n') == std::string::npos ? "no chart" : "";
}

std::string misplaced(const Html& chart) { return misplaced_in(chart.str()); }

ChartMark mark(std::string label, double value, double lower, double upper) {
  return {std::move(label), "7", "± 1", value, ChartMark::Interval{lower, upper}};
}

// SLOW: ChartTest.EveryNumberHasAPlaceInEveryPicture
TEST(ChartTest, EveryNumberHasAPlaceInEveryPicture) {
  for (const double a : awkward()) {
    for (const double b : awkward()) {
      for (const double c : {a, b, 0.0, 3.0, kInfinity}) {
        const std::vector<ChartMark> marks = {mark("a", a, b, c), mark("b", b, a, a),
                                              mark("c", c, c, c)};
        const std::string which = std::to_string(a) + " " + std::to_string(b);
        ASSERT_EQ(misplaced(bar_chart({{"", marks}, {"two", marks}})), "") << which;
        ASSERT_EQ(misplaced(dot_chart(marks, "d")), "") << which;
        ASSERT_EQ(misplaced(histogram_chart({0, 1, 2, 3}, {{"", marks}}, "h")), "") << which;
        std::vector<double> edges = {drawable(a), drawable(b), drawable(c), 9};
        std::ranges::sort(edges);
        ASSERT_EQ(misplaced(histogram_chart(edges, {{"", marks}}, "h")), "") << which;
        ASSERT_EQ(misplaced(interval_chart(marks.front())), "") << which;
        const std::vector<CurvePoint> points = {
            {a, 0, "0 %", "1"}, {b, 0.5, "50 %", "2"}, {c, 1, "100 %", "3"}};
        ASSERT_EQ(misplaced(curve_chart(points, "c")), "") << which;
        ASSERT_EQ(misplaced(strip_chart({{"one", points}, {"none", {}}})), "") << which;
      }
    }
  }
}

TEST(ChartTest, TheCheckOfPlacesSeesWhatIsWrong) {
  EXPECT_NE(misplaced_in("<rect x=\"nan%\"/>\n"), "");
  EXPECT_NE(misplaced_in("<rect width=\"120.00%\"/>\n"), "");
  EXPECT_NE(misplaced_in("<rect y=\"-inf\"/>\n"), "");
}

TEST(ChartTest, ABarReachesFromZeroToItsValueOnARoundScale) {
  const std::string chart =
      bar_chart({{"", {mark("a", 75, 70, 80), mark("b", -25, -25, -25)}}}).str();
  // The scale is -50 … 100.
  EXPECT_NE(chart.find("<rect class=\"bar\" x=\"33.33%\" width=\"50.00%\""), std::string::npos)
      << chart;
  EXPECT_NE(chart.find("<rect class=\"bar\" x=\"16.67%\" width=\"16.67%\""), std::string::npos);
  EXPECT_NE(chart.find("<line class=\"error\" x1=\"80.00%\" x2=\"86.67%\""), std::string::npos);
}

TEST(ChartTest, ColumnsStandOnZeroAndHaveNamesForReadersWithoutEyes) {
  const std::string chart =
      histogram_chart({0, 10, 20}, {{"", {mark("[0, 10)", 50, 40, 60), mark("x", 100, 90, 100)}}},
                      "ages")
          .str();
  EXPECT_NE(chart.find("role=\"img\"><title>ages</title>"), std::string::npos);
  EXPECT_NE(chart.find("y=\"50.00%\" width=\"46.00%\" height=\"50.00%\"><title>[0, 10): 7 ± 1"),
            std::string::npos)
      << chart;
}

TEST(ChartTest, NoTextIsTakenForMarkup) {
  const std::string evil = "<script>\"&'";
  const std::vector<ChartMark> marks = {{evil, evil, evil, 1, std::nullopt}};
  const std::vector<CurvePoint> points = {{1, 0.5, evil, evil}};
  for (const Html& html :
       {bar_chart({{evil, marks}}), ranked_list({{evil, marks}}), dot_chart(marks, evil),
        histogram_chart({0, 1}, {{evil, marks}}, evil), curve_chart(points, evil),
        strip_chart({{evil, points}}), interval_chart(marks.front())}) {
    const std::string& chart = html.str();
    EXPECT_EQ(chart.find("<script"), std::string::npos);
    EXPECT_NE(chart.find("&lt;script&gt;&quot;&amp;&#39;"), std::string::npos);
  }
}

TEST(ChartTest, PicturesOfNothingAreRefused) {
  expect_code(ErrorCode::kInternal, [&] { dot_chart({}, "d"); });
  expect_code(ErrorCode::kInternal, [&] { histogram_chart({1}, {}, "h"); });
  EXPECT_NO_THROW(bar_chart({}));
  EXPECT_NO_THROW(curve_chart({}, "c"));
}

TEST(ChartScaleTest, TicksAreRoundAndLabelsShort) {
  const std::vector<double> values = {0, 175'593};
  const ChartScale scale = ChartScale::from_zero(values);
  std::vector<std::string> labels;
  for (const double tick : scale.ticks()) labels.push_back(scale.label(tick));
  EXPECT_EQ(labels, (std::vector<std::string>{"0", "50,000", "100,000", "150,000", "200,000"}));
  EXPECT_EQ(scale.label(1'500'000), "1.5M");
  EXPECT_EQ(scale.label(-2e9), "-2B");
  EXPECT_EQ(scale.label(1e15), "1e+15");
  EXPECT_EQ(scale.label(0.25), "0.25");
  EXPECT_EQ(scale.label(-1234.5), "-1,234.5");
}

TEST(ChartScaleTest, ASmallValueBelowZeroTakesNoLargePartOfTheScale) {
  const std::vector<double> values = {-3, 18'000};
  const ChartScale scale = ChartScale::from_zero(values);
  EXPECT_EQ(scale.ticks().front(), 0);
  EXPECT_EQ(scale.percent(-3), 0);
  EXPECT_GT(scale.percent(0), 0);
  EXPECT_LT(scale.percent(0), 0.1);
  const std::vector<double> opposite = {3, -18'000};
  EXPECT_EQ(ChartScale::from_zero(opposite).ticks().back(), 0);
}

TEST(ChartScaleTest, NoScaleHasManyTicks) {
  for (const double a : awkward()) {
    for (const double b : awkward()) {
      const std::vector<double> values = {a, b};
      EXPECT_LE(ChartScale::from_zero(values).ticks().size(), 12U) << a << " " << b;
      EXPECT_LE(ChartScale::around(values).ticks().size(), 12U) << a << " " << b;
      EXPECT_LE(ChartScale::between(a, b).ticks().size(), 12U) << a << " " << b;
    }
  }
}

}  // namespace chart_test
}  // namespace lastbit::report
