#include "lastbit/report/charts/plot_svg.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lastbit::report {
namespace plot_svg_test {

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
  const std::string svg = as_svg(plot).str();
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
  const std::string svg = as_svg(plot).str();
  EXPECT_EQ(count(svg, "class=\"bound\" x1"), 0U);
  EXPECT_NE(svg.find("bound, above this picture"), std::string::npos);
}

TEST(PlotSvgTest, SurvivesEmptyAndFlatPlots) {
  for (const auto& points :
       {std::vector<PlotPoint>{}, std::vector<PlotPoint>{{3, 0}},
        std::vector<PlotPoint>{{3, 0, true}}, std::vector<PlotPoint>{{3, -7}}}) {
    Plot plot;
    plot.points = points;
    const std::string svg = as_svg(plot).str();
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf\""), std::string::npos);
  }
}

TEST(PlotSvgTest, ManyPointsStayAFewKilobytes) {
  Plot plot;
  for (int i = 0; i < 200'000; ++i) plot.points.push_back({static_cast<double>(i), (i % 7) * 1.0});
  const std::string svg = as_svg(plot).str();
  EXPECT_LE(count(svg, "<circle"), 800U);
}

}  // namespace plot_svg_test
}  // namespace lastbit::report
