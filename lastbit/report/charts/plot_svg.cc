#include "lastbit/report/charts/plot_svg.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "lastbit/base/utf8.h"
#include "lastbit/report/charts/chart_parts.h"
#include "lastbit/report/charts/chart_scale.h"

namespace lastbit::report {
namespace {

using chart_internal::Tick;
using chart_internal::ticks_of;

constexpr double kWidth = 860;
constexpr double kHeight = 460;
constexpr double kLeft = 96;
constexpr double kRight = 830;
constexpr double kTop = 84;
constexpr double kBottom = 372;
// The line is drawn if it is at most this many times as high as the points; so are points at most
// this many times as low as the highest is high.
constexpr double kReach = 4;

constexpr HtmlLiteral kStyle =
    "<style>\n"
    "  svg { --paper: #ffffff; --ink: #1f2328; --soft: #656d76; --rule: #d8dee4;\n"
    "        --mark: #0969da; --bound: #9a6700; --alarm: #cf222e;\n"
    "        font: 13px system-ui, sans-serif; }\n"
    "  @media (prefers-color-scheme: dark) {\n"
    "    svg { --paper: #0d1117; --ink: #e6edf3; --soft: #9198a1; --rule: #30363d;\n"
    "          --mark: #58a6ff; --bound: #d29922; --alarm: #ff7b72; } }\n"
    "  .paper { fill: var(--paper); } text { fill: var(--ink); }\n"
    "  .title { font-size: 16px; font-weight: 600; } .soft { fill: var(--soft); }\n"
    "  .rule { stroke: var(--rule); } .axis { stroke: var(--soft); }\n"
    "  .mark { fill: var(--mark); } .far { fill: none; stroke: var(--mark); }\n"
    "  .bound { stroke: var(--bound); stroke-dasharray: 6 4; }\n"
    "  .bound-text { fill: var(--bound); }\n"
    "  .alarm { fill: var(--alarm); }\n"
    "</style>\n"_html;

// Axis: from a scale to a range of pixels.
struct Axis {
  ChartScale scale;
  double from;
  double to;

  double at(double value) const { return from + scale.percent(value) / 100 * (to - from); }
  double at(const Tick& tick) const { return from + tick.at / 100 * (to - from); }
};

Axis x_axis(const Plot& plot) {
  double low = 0;
  double high = 0;
  if (!plot.points.empty()) {
    const auto [least, most] = std::ranges::minmax_element(plot.points, {}, &PlotPoint::x);
    low = least->x;
    high = most->x;
  }
  const double margin = high > low ? 0.03 * (high - low) : 1;
  return {ChartScale::between(low - margin, high + margin), kLeft, kRight};
}

// y_axis: 0, the highest point and what is near them; the line too if it is near.
Axis y_axis(const Plot& plot) {
  double high = 0;
  for (const PlotPoint& point : plot.points) {
    if (!point.infinite) high = std::max(high, point.y);
  }
  if (high == 0) high = 1;
  double low = 0;
  for (const PlotPoint& point : plot.points) {
    if (!point.infinite && point.y >= -kReach * high) low = std::min(low, point.y);
  }
  if (plot.line && *plot.line <= kReach * high) high = std::max(high, *plot.line);
  const double margin = 0.08 * (high - low);
  return {ChartScale::between(low - margin, high + margin), kBottom, kTop};
}

Html line(std::string_view css, double x1, double y1, double x2, double y2) {
  return format_html(
      "<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", css, x1, y1,
      x2, y2);
}

Html label(std::string_view css, std::string_view anchor, double x, double y,
           std::string_view text) {
  return format_html("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n",
                     css, x, y, anchor, text);
}

Html frame(const Plot& plot, const Axis& across, const Axis& up) {
  Html svg;
  for (const Tick& tick : ticks_of(up.scale, {}, 6)) {
    const double y = up.at(tick);
    svg += line(tick.label == "0" ? "axis" : "rule", kLeft, y, kRight, y);
    svg += label("soft", "end", kLeft - 8, y + 4, tick.label);
  }
  for (const Tick& tick : ticks_of(across.scale, {}, 10)) {
    const double x = across.at(tick);
    svg += line("axis", x, kBottom, x, kBottom + 5);
    svg += label("soft", "middle", x, kBottom + 20, tick.label);
  }
  svg += line("axis", kLeft, kBottom, kRight, kBottom);
  svg += label("name", "middle", (kLeft + kRight) / 2, kBottom + 42, plot.x_label);
  svg += format_html(
      "<text transform=\"translate(22 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
      (kTop + kBottom) / 2, plot.y_label);
  return svg;
}

// visible: only the highest of the points in one pixel column, so that a file stays small.
std::vector<PlotPoint> visible(const Plot& plot, const Axis& across, const Axis& up) {
  std::map<std::pair<int, long>, PlotPoint> columns;  // (infinite, near or far; pixel) -> highest
  for (const PlotPoint& point : plot.points) {
    const int kind = point.infinite ? 0 : (point.y < up.scale.low() ? 1 : 2);
    const long column = std::lround(across.at(point.x));
    const auto [at, added] = columns.try_emplace({kind, column}, point);
    if (!added && point.y > at->second.y) at->second = point;
  }
  std::vector<PlotPoint> points;
  points.reserve(columns.size());
  for (const auto& [key, point] : columns) points.push_back(point);
  return points;
}

Html diamond(double x, double y) {
  return format_html("<path class=\"alarm\" d=\"M{:.1f} {:.1f}l6 6l-6 6l-6 -6z\"/>\n", x, y - 6);
}
Html far_mark(double x, double y) {
  return format_html("<path class=\"far\" d=\"M{:.1f} {:.1f}l4 -7l-8 0z\"/>\n", x, y);
}

Html legend(const Plot& plot, bool infinite, bool far, bool line_told) {
  const double y = kBottom + 68;
  double x = kLeft;
  Html svg;
  const auto entry = [&](const Html& mark, const std::string& text) {
    svg += mark + label("soft", "start", x + 14, y + 4, text);
    x += 40 + 7 * static_cast<double>(display_width(text));
  };
  if (infinite) entry(diamond(x + 2, y), plot.infinite_label);
  if (far) entry(far_mark(x + 2, y + 4), plot.far_label);
  if (line_told) {
    svg += label("bound-text", "start", x, y + 4, plot.line_label + ", above this picture");
  }
  return svg;
}

}  // namespace

Html as_svg(const Plot& plot) {
  const Axis across = x_axis(plot);
  const Axis up = y_axis(plot);
  Html svg = format_html(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" role=\"img\">\n<title>{2}</title>\n{3}"
      "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n",
      kWidth, kHeight, plot.title, kStyle);
  svg += label("title", "start", kLeft, 32, plot.title);
  svg += label("soft", "start", kLeft, 54, plot.subtitle);
  svg += frame(plot, across, up);
  bool infinite = false;
  bool far = false;
  for (const PlotPoint& point : visible(plot, across, up)) {
    const double x = across.at(point.x);
    if (point.infinite) {
      infinite = true;
      svg += diamond(x, kTop);
    } else if (point.y < up.scale.low()) {
      far = true;
      svg += far_mark(x, kBottom - 1);
    } else {
      svg += format_html("<circle class=\"mark\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.6\"/>\n", x,
                         up.at(point.y));
    }
  }
  const bool drawn = plot.line && *plot.line <= up.scale.high();
  if (drawn) {
    const double y = up.at(*plot.line);
    svg += line("bound", kLeft, y, kRight, y);
    svg += label("bound-text", "end", kRight, y - 6, plot.line_label);
  }
  return svg + legend(plot, infinite, far, plot.line && !drawn) + "</svg>\n"_html;
}

}  // namespace lastbit::report
