// Charts of a page: inline SVG without scripts. Positions are percentages, so charts grow and
// shrink with the page while letters keep their size.
//
// Guarantee      every number, even infinity or NaN, gives finite positions; texts may be anything.
//                The classes are those of the page's style (release_report). Nothing is said by
//                colour alone. A scale holds all values and all intervals of usual width; a much
//                wider one ends in an arrow. Poor marks determine a scale only among themselves.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lastbit/base/html.h"
#include "lastbit/report/numbers/numerals.h"

namespace lastbit::report {

struct ChartMark {
  std::string label;
  std::string text;   // the number as it is shown; empty if there is none
  std::string error;  // its error as it is shown, as in "± 412"; may be empty
  double value = 0;
  struct Interval {
    double lower = 0;
    double upper = 0;
  };
  std::optional<Interval> interval = std::nullopt;
  std::string flag = "";  // a word of warning beside the number; such a mark is drawn hollow
  bool poor = false;      // says too little to determine a scale, if other marks can
  bool missing = false;   // there is no number, and `text` says why
  double day = 0;         // when: the day, counted from 1970, for time_chart
};

// ChartPanel: one of several pictures side by side, on the same scale.
struct ChartPanel {
  std::string title;  // may be empty
  std::vector<ChartMark> marks;
  std::string language = "";  // of titles and labels; may be empty
};

// Chart: a picture, and how many of its intervals go on beyond it.
struct Chart {
  Html html;
  std::size_t cut = 0;
  bool shaded = false;  // intervals are areas, not lines
};

// bar_chart: for each mark, a line with its label, a bar with an error bar, and its number.
Chart bar_chart(const std::vector<ChartPanel>& panels, const Numerals& numerals = {});

// ranked_list: labels in order, for answers without numbers.
Html ranked_list(const std::vector<ChartPanel>& panels);

// histogram_chart: columns between edges, panel by panel. Edges increase, and there is one more
// edge than marks in each panel.
Chart histogram_chart(const std::vector<double>& edges, const std::vector<ChartPanel>& panels,
                      const std::string& description, const Numerals& numerals = {});

// dot_chart: many numbers with error bars, in order.
Chart dot_chart(const std::vector<ChartMark>& marks, const std::string& description,
                const Numerals& numerals = {});

// time_chart: numbers along a calendar, joined by a line; marks are in the order of their days.
Chart time_chart(const std::vector<ChartPanel>& panels, const std::string& description,
                 const Numerals& numerals = {});

// curve_chart: points (value, level) joined by lines; levels are from 0 to 1, and labels are
// theirs.
struct CurvePoint {
  double value = 0;
  double level = 0;
  std::string label;
  std::string text;
};
Html curve_chart(const std::vector<CurvePoint>& points, const std::string& description,
                 const Numerals& numerals = {});

// strip_chart: the quantiles of each group on a line.
struct Strip {
  std::string label;
  std::vector<CurvePoint> points;
  std::string language = "";
};
Html strip_chart(const std::vector<Strip>& strips, const Numerals& numerals = {});

}  // namespace lastbit::report
