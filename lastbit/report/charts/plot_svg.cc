#include "lastbit/report/charts/plot_svg.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

namespace lastbit::report {
namespace {

constexpr double kWidth = 860;
constexpr double kHeight = 460;
constexpr double kLeft = 96;
constexpr double kRight = 830;
constexpr double kTop = 84;
constexpr double kBottom = 372;
// A line at most this many times as high as the points is drawn, and points at most this many times
// as low as the highest is high.
constexpr double kReach = 4;

constexpr std::string_view kStyle =
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
    "</style>\n";

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

// nice_step: 1, 2 or 5 times a power of ten that cuts `range` into about `parts`.
double nice_step(double range, double parts) {
  const double rough = range / parts;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power) return factor * power;
  }
  return 10 * power;
}

// Axis: from a range of numbers to a range of pixels.
struct Axis {
  double low;
  double high;
  double from;
  double to;

  double at(double value) const { return from + (value - low) / (high - low) * (to - from); }
  std::vector<double> ticks(double parts) const {
    const double step = nice_step(high - low, parts);
    std::vector<double> values;
    for (double k = std::ceil(low / step); k * step <= high; ++k) values.push_back(k * step);
    return values;
  }
};

std::string tick_text(double value) {
  if (value == 0) return "0";
  return fmt::format("{:.6g}", value);
}

Axis x_axis(const Plot& plot) {
  double low = 0;
  double high = 0;
  if (!plot.points.empty()) {
    const auto [least, most] = std::ranges::minmax_element(plot.points, {}, &PlotPoint::x);
    low = least->x;
    high = most->x;
  }
  const double margin = high > low ? 0.03 * (high - low) : 1;
  return {low - margin, high + margin, kLeft, kRight};
}

// y_axis: 0, the highest point and what is near them; the line where it is near.
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
  return {low - margin, high + margin, kBottom, kTop};
}

std::string frame(const Plot& plot, const Axis& across, const Axis& up) {
  std::string svg;
  for (const double value : up.ticks(6)) {
    const double y = up.at(value);
    svg += fmt::format(
        "<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
        value == 0 ? "axis" : "rule", kLeft, y, kRight, y);
    svg += fmt::format(
        "<text class=\"soft\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", kLeft - 8,
        y + 4, tick_text(value));
  }
  for (const double value : across.ticks(10)) {
    const double x = across.at(value);
    svg += fmt::format(
        "<line class=\"axis\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", x,
        kBottom, x, kBottom + 5);
    svg += fmt::format(
        "<text class=\"soft\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", x,
        kBottom + 20, tick_text(value));
  }
  svg += fmt::format(
      "<line class=\"axis\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kLeft,
      kBottom, kRight, kBottom);
  svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                     (kLeft + kRight) / 2, kBottom + 42, escaped(plot.x_label));
  svg += fmt::format(
      "<text transform=\"translate(22 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
      (kTop + kBottom) / 2, escaped(plot.y_label));
  return svg;
}

// visible: of the points of one pixel column only the highest, so that a file stays small.
std::vector<PlotPoint> visible(const Plot& plot, const Axis& across, const Axis& up) {
  std::map<std::pair<int, long>, PlotPoint> columns;  // (infinite, near or far; pixel) -> highest
  for (const PlotPoint& point : plot.points) {
    const int kind = point.infinite ? 0 : (point.y < up.low ? 1 : 2);
    const long column = std::lround(across.at(point.x));
    const auto [at, added] = columns.try_emplace({kind, column}, point);
    if (!added && point.y > at->second.y) at->second = point;
  }
  std::vector<PlotPoint> points;
  points.reserve(columns.size());
  for (const auto& [key, point] : columns) points.push_back(point);
  return points;
}

std::string diamond(double x, double y) {
  return fmt::format("<path class=\"alarm\" d=\"M{:.1f} {:.1f}l6 6l-6 6l-6 -6z\"/>\n", x, y - 6);
}
std::string far_mark(double x, double y) {
  return fmt::format("<path class=\"far\" d=\"M{:.1f} {:.1f}l4 -7l-8 0z\"/>\n", x, y);
}

std::string legend(const Plot& plot, bool infinite, bool far, bool line_told) {
  double y = kBottom + 68;
  double x = kLeft;
  std::string svg;
  const auto entry = [&](const std::string& mark, const std::string& text) {
    svg += mark;
    svg += fmt::format("<text class=\"soft\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x + 14, y + 4,
                       escaped(text));
    x += 40 + 7 * static_cast<double>(text.size());
  };
  if (infinite) entry(diamond(x + 2, y), plot.infinite_label);
  if (far) entry(far_mark(x + 2, y + 4), plot.far_label);
  if (line_told) {
    svg += fmt::format("<text class=\"bound-text\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x, y + 4,
                       escaped(plot.line_label + ", above this picture"));
  }
  return svg;
}

}  // namespace

std::string as_svg(const Plot& plot) {
  const Axis across = x_axis(plot);
  const Axis up = y_axis(plot);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" role=\"img\">\n<title>{2}</title>\n{3}"
      "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n",
      kWidth, kHeight, escaped(plot.title), kStyle);
  svg += fmt::format(
      "<text class=\"title\" x=\"{0:.0f}\" y=\"32\">{1}</text>\n"
      "<text class=\"soft\" x=\"{0:.0f}\" y=\"54\">{2}</text>\n",
      kLeft, escaped(plot.title), escaped(plot.subtitle));
  svg += frame(plot, across, up);
  bool infinite = false;
  bool far = false;
  for (const PlotPoint& point : visible(plot, across, up)) {
    const double x = across.at(point.x);
    if (point.infinite) {
      infinite = true;
      svg += diamond(x, kTop);
    } else if (point.y < up.low) {
      far = true;
      svg += far_mark(x, kBottom - 1);
    } else {
      svg += fmt::format("<circle class=\"mark\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.6\"/>\n", x,
                         up.at(point.y));
    }
  }
  const bool drawn = plot.line && *plot.line <= up.high;
  if (drawn) {
    const double y = up.at(*plot.line);
    svg += fmt::format(
        "<line class=\"bound\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kLeft,
        y, kRight, y);
    svg += fmt::format(
        "<text class=\"bound-text\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
        kRight, y - 6, escaped(plot.line_label));
  }
  return svg + legend(plot, infinite, far, plot.line && !drawn) + "</svg>\n";
}

}  // namespace lastbit::report
