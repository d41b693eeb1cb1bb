#include "lastbit/report/charts/chart.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
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
std::string misplaced(const Chart& chart) { return misplaced(chart.html); }

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
        std::vector<ChartMark> days = marks;
        for (std::size_t i = 0; i < days.size(); ++i)
          days[i].day = 19'000.0 + 40.0 * static_cast<double>(i);
        ASSERT_EQ(misplaced(time_chart({{"", days}}, "t")), "") << which;
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
      bar_chart({{"", {mark("a", 75, 70, 80), mark("b", -25, -25, -25)}}}).html.str();
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
          .html.str();
  EXPECT_NE(chart.find("role=\"img\"><title>ages</title>"), std::string::npos);
  EXPECT_NE(chart.find("y=\"50.00%\" width=\"46.00%\" height=\"50.00%\"><title>[0, 10): 7 ± 1"),
            std::string::npos)
      << chart;
}

TEST(ChartTest, OneUselessIntervalDoesNotRuinTheScale) {
  std::vector<ChartMark> marks;
  for (int i = 0; i < 9; ++i) marks.push_back(mark("a", 100 + i, 95, 115));
  marks.push_back(mark("wide", 50, -5000, 200'000));
  const Chart bars = bar_chart({{"", marks}});
  EXPECT_EQ(bars.cut, 1U);
  // The scale is 0 … 150; the interval ends in two arrows.
  EXPECT_NE(bars.html.str().find(">150</text>"), std::string::npos) << bars.html.str();
  EXPECT_EQ(bars.html.str().find("200,000"), std::string::npos);
  EXPECT_NE(bars.html.str().find("class=\"arrow\" x=\"0.00%\""), std::string::npos);
  EXPECT_NE(bars.html.str().find("class=\"arrow\" x=\"100.00%\""), std::string::npos);
  EXPECT_EQ(dot_chart(marks, "d").cut, 1U);
  EXPECT_EQ(time_chart({{"", marks}}, "t").cut, 1U);
  marks.pop_back();
  EXPECT_EQ(bar_chart({{"", marks}}).cut, 0U);
  EXPECT_EQ(bar_chart({{"", marks}}).html.str().find("arrow"), std::string::npos);
}

TEST(ChartTest, PoorMarksDetermineAScaleOnlyAmongThemselves) {
  std::vector<ChartMark> marks = {mark("good", 100, 95, 105), mark("poor", 5000, 0, 9000)};
  marks[1].poor = true;
  const Chart both = bar_chart({{"", marks}});
  EXPECT_EQ(both.cut, 1U);
  EXPECT_NE(both.html.str().find(">150</text>"), std::string::npos);
  EXPECT_EQ(bar_chart({{"", {marks[1]}}}).cut, 0U);
}

TEST(ChartTest, IntervalsThatAreAllWideAreShownInFull) {
  const std::vector<ChartMark> marks = {mark("a", 1, -1000, 1000), mark("b", 2, -1500, 1500)};
  EXPECT_EQ(bar_chart({{"", marks}}).cut, 0U);
}

TEST(ChartTest, AMarkThatIsFlaggedIsHollowAndSaysWhy) {
  ChartMark doubtful = mark("a", 10, 1, 20);
  doubtful.flag = "unreliable";
  const std::string chart = bar_chart({{"", {doubtful}}}).html.str();
  EXPECT_NE(chart.find("class=\"bar hollow\""), std::string::npos);
  EXPECT_NE(chart.find("<small class=\"flag\">unreliable</small>"), std::string::npos);
  ChartMark none = mark("a", 10, 1, 20);
  none.missing = true;
  none.text = "withheld";
  const std::string empty = bar_chart({{"", {none}}}).html.str();
  EXPECT_EQ(empty.find("<rect"), std::string::npos);
  EXPECT_NE(empty.find("withheld"), std::string::npos);
}

// ticks_between: the labels of a calendar with marks `gap` days apart, those of years in brackets.
std::string ticks_between(const char* first, const char* last, int gap) {
  const auto day = [](const char* text) {
    int y = 0;
    unsigned m = 0;
    unsigned d = 0;
    EXPECT_EQ(std::sscanf(text, "%d-%u-%u", &y, &m, &d), 3);
    const std::chrono::sys_days days(std::chrono::year(y) / std::chrono::month(m) /
                                     std::chrono::day(d));
    return static_cast<double>(days.time_since_epoch().count());
  };
  std::vector<ChartMark> marks = {mark("a", 1, 0, 2), mark("b", 2, 1, 3), mark("c", 2, 1, 3)};
  marks[0].day = day(first);
  marks[1].day = day(first) + gap;
  marks[2].day = day(last);
  const std::string chart = time_chart({{"", marks}}, "t").html.str();
  static const std::regex kLabel("y=\"(17|31)\" text-anchor=\"[a-z]+\">([^<]*)<");
  std::string labels;
  for (std::sregex_iterator it(chart.begin(), chart.end(), kLabel), end; it != end; ++it) {
    labels += ((*it)[1] == "31" ? "[" + (*it)[2].str() + "] " : (*it)[2].str() + " ");
  }
  return labels;
}

TEST(ChartTest, ACalendarHasFewRoundTicks) {
  EXPECT_EQ(ticks_between("2026-03-01", "2026-03-05", 1), "1 Mar [2026] 2 Mar 3 Mar 4 Mar 5 Mar ");
  EXPECT_EQ(ticks_between("2026-03-01", "2026-04-12", 1),
            "2 Mar [2026] 9 Mar 16 Mar 23 Mar 30 Mar 6 Apr ");
  EXPECT_EQ(ticks_between("2025-11-01", "2026-03-01", 30), "Nov [2025] Dec Jan [2026] Feb Mar ");
  EXPECT_EQ(ticks_between("2024-01-01", "2025-12-31", 7),
            "Jan [2024] Apr Jul Oct Jan [2025] Apr Jul Oct ");
  EXPECT_EQ(ticks_between("1990-01-01", "2009-12-31", 1), "1990 1995 2000 2005 ");
  // Years are not cut into months.
  EXPECT_EQ(ticks_between("2024-01-01", "2026-01-01", 365), "2024 2025 2026 ");
}

TEST(ChartTest, AMissingAnswerLeavesAGapInTheLine) {
  std::vector<ChartMark> marks = {mark("a", 1, 0, 2), mark("b", 2, 1, 3), mark("c", 2, 1, 3)};
  for (std::size_t i = 0; i < marks.size(); ++i) marks[i].day = static_cast<double>(i);
  const auto moves = [&] {
    const std::string chart = time_chart({{"", marks}}, "t").html.str();
    const std::string line = chart.substr(chart.find("class=\"curve\""), 60);
    return std::ranges::count(line, 'M');
  };
  EXPECT_EQ(moves(), 1);
  marks[1].missing = true;
  EXPECT_EQ(moves(), 2);
}

TEST(ChartTest, NoTextIsTakenForMarkup) {
  const std::string evil = "<script>\"&'";
  const std::vector<ChartMark> marks = {{evil, evil, evil, 1, std::nullopt}};
  const std::vector<CurvePoint> points = {{1, 0.5, evil, evil}};
  for (const Html& html :
       {bar_chart({{evil, marks}}).html, ranked_list({{evil, marks}}), dot_chart(marks, evil).html,
        histogram_chart({0, 1}, {{evil, marks}}, evil).html, curve_chart(points, evil),
        strip_chart({{evil, points}}), time_chart({{evil, marks}}, evil).html}) {
    const std::string& chart = html.str();
    EXPECT_EQ(chart.find("<script"), std::string::npos);
    EXPECT_NE(chart.find("&lt;script&gt;&quot;&amp;&#39;"), std::string::npos);
  }
}

TEST(ChartTest, PicturesOfNothingAreRefused) {
  expect_code(ErrorCode::kInternal, [&] { dot_chart({}, "d"); });
  expect_code(ErrorCode::kInternal, [&] { histogram_chart({1}, {}, "h"); });
  expect_code(ErrorCode::kInternal, [&] { time_chart({}, "t"); });
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
