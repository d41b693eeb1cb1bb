// A scatter plot as one SVG file: no scripts, no external fonts, readable on light and dark
// backgrounds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lastbit/base/html.h"

namespace lastbit::report {

struct PlotPoint {
  double x = 0;
  double y = 0;           // ignored when infinite
  bool infinite = false;  // drawn at the upper edge, with a mark of its own
};

struct Plot {
  std::string title;
  std::string subtitle;
  std::string x_label;
  std::string y_label;
  std::vector<PlotPoint> points;
  std::optional<double> line;  // a horizontal line, such as a bound
  std::string line_label;
  std::string infinite_label;  // what the mark of infinite points means
  std::string far_label;       // what the mark of points far below the rest means
};

// as_svg: the plot. Points so far below the rest that they would flatten it are marked at the lower
// edge; a line so far above that it would do the same is stated in words. Where points are closer
// than a pixel, only the highest is drawn.
Html as_svg(const Plot& plot);

}  // namespace lastbit::report
