// Charts of a page: inline SVG without scripts. Positions are percentages, so charts grow and
// shrink with the page while letters keep their size.
//
// Guarantee      every number, even infinity or NaN, gives finite positions; texts may be anything.
//                The classes are those of the page's style (release_report).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lastbit/base/html.h"

namespace lastbit::report {

struct ChartMark {
  std::string label;
  std::string text;   // the number as it is shown
  std::string error;  // its error as it is shown, as in "± 412"; may be empty
  double value = 0;
  struct Interval {
    double lower = 0;
    double upper = 0;
  };
  std::optional<Interval> interval = std::nullopt;
};

// ChartPanel: one of several pictures side by side, on the same scale.
struct ChartPanel {
  std::string title;  // may be empty
  std::vector<ChartMark> marks;
};

// bar_chart: for each mark, a line with its label, a bar with an error bar, and its number.
Html bar_chart(const std::vector<ChartPanel>& panels);

// ranked_list: labels in order, for answers without numbers.
Html ranked_list(const std::vector<ChartPanel>& panels);

// histogram_chart: columns between edges, panel by panel. Edges increase, and there is one more
// edge than marks in each panel.
Html histogram_chart(const std::vector<double>& edges, const std::vector<ChartPanel>& panels,
                     const std::string& description);

// dot_chart: many numbers with error bars, in order.
Html dot_chart(const std::vector<ChartMark>& marks, const std::string& description);

// curve_chart: points (value, level) joined by lines; levels are from 0 to 1, and labels are
// theirs.
struct CurvePoint {
  double value = 0;
  double level = 0;
  std::string label;
  std::string text;
};
Html curve_chart(const std::vector<CurvePoint>& points, const std::string& description);

// strip_chart: the quantiles of each group on a line.
struct Strip {
  std::string label;
  std::vector<CurvePoint> points;
};
Html strip_chart(const std::vector<Strip>& strips);

// interval_chart: one number and its interval on a scale.
Html interval_chart(const ChartMark& mark);

}  // namespace lastbit::report
