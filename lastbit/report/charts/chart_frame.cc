// Charts with two axes: histograms, dots and curves.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "lastbit/base/error.h"
#include "lastbit/base/escape.h"
#include "lastbit/report/charts/chart.h"
#include "lastbit/report/charts/chart_parts.h"
#include "lastbit/report/charts/chart_scale.h"
#include "lastbit/report/table.h"

namespace lastbit::report {
namespace {

using chart_internal::across_axis;
using chart_internal::ends_of;
using chart_internal::named;
using chart_internal::panel_of;
using chart_internal::percent;
using chart_internal::side_by_side;
using chart_internal::Tick;
using chart_internal::ticks_of;

constexpr int kFrameHeight = 200;

Html relative_line(std::string_view css, double x1, double y1, double x2, double y2) {
  return format_html("<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>", css,
                     percent(x1), percent(100 - y1), percent(x2), percent(100 - y2));
}

Html dot(std::string_view css, double x, double y, double radius, const std::string& tip) {
  return format_html(
      "<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{:.1f}\"><title>{}</title></circle>", css,
      percent(x), percent(100 - y), radius, tip);
}

// framed: a picture with an axis on its left and one below it.
Html framed(const Html& content, const std::vector<Tick>& up, const std::vector<Tick>& across,
            const std::string& description) {
  Html left;
  Html grid;
  for (const Tick& tick : up) {
    left += format_html("<text x=\"100%\" y=\"{}\" dy=\"4\" text-anchor=\"end\">{}</text>",
                        percent(100 - tick.at), tick.label);
    grid += relative_line(tick.label == "0" ? "zero" : "rule", 0, tick.at, 100, tick.at);
  }
  return format_html(
      "<div class=\"frame\"><svg class=\"axis\" width=\"100%\" height=\"{0}\" "
      "aria-hidden=\"true\">{1}</svg><svg class=\"plot\" width=\"100%\" height=\"{0}\" "
      "role=\"img\"><title>{2}</title>{3}{4}</svg><span></span>{5}</div>\n",
      kFrameHeight, left, description, grid, content, across_axis(across));
}

Html error_bar(const ChartScale& scale, const ChartMark& mark, double x, double reach) {
  if (!mark.interval) return {};
  const double low = scale.percent(mark.interval->lower);
  const double high = scale.percent(mark.interval->upper);
  Html bar = relative_line("error", x, low, x, high);
  if (reach > 0) {
    bar += relative_line("error", x - reach, low, x + reach, low);
    bar += relative_line("error", x - reach, high, x + reach, high);
  }
  return bar;
}

Html columns(const std::vector<double>& edges, const ChartScale& across, const ChartScale& up,
             const ChartPanel& panel) {
  constexpr double kGap = 0.08;   // of a column
  constexpr double kReach = 0.2;  // of a column: the ends of an error bar
  constexpr double kNarrow = 1.5;
  Html content;
  const double zero = up.percent(0);
  for (std::size_t i = 0; i < panel.marks.size(); ++i) {
    const ChartMark& mark = panel.marks[i];
    const double from = across.percent(edges.at(i));
    const double width = across.percent(edges.at(i + 1)) - from;
    const double top = up.percent(mark.value);
    content += format_html(
        "<rect class=\"bar\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}</title></rect>",
        percent(from + kGap / 2 * width), percent(100 - std::max(top, zero)),
        percent((1 - kGap) * width), percent(std::abs(top - zero)), named(mark));
    content +=
        error_bar(up, mark, from + width / 2, width < kNarrow ? 0 : std::min(kReach * width, 1.5));
  }
  return content;
}

}  // namespace

Html histogram_chart(const std::vector<double>& edges, const std::vector<ChartPanel>& panels,
                     const std::string& description) {
  constexpr int kFewTicks = 4;
  constexpr int kManyTicks = 5;
  invariant(edges.size() >= 2, "a histogram has a bin");
  const ChartScale up = ChartScale::from_zero(ends_of(panels));
  const ChartScale across = ChartScale::between(edges.front(), edges.back());
  Html all;
  for (const ChartPanel& panel : panels) {
    const std::string words =
        panel.title.empty() ? description : fmt::format("{}, {}", description, panel.title);
    all += panel_of(panel.title,
                    framed(columns(edges, across, up, panel), ticks_of(up),
                           ticks_of(across, panels.size() > 1 ? kFewTicks : kManyTicks), words));
  }
  return side_by_side(all, panels.size());
}

Html dot_chart(const std::vector<ChartMark>& marks, const std::string& description) {
  invariant(!marks.empty(), "a chart has a mark");
  const ChartScale up = ChartScale::from_zero(ends_of(marks));
  constexpr std::size_t kLarge = 150;
  const double radius = marks.size() > kLarge ? 1.5 : 2.5;
  Html content;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const double x = 100 * (static_cast<double>(i) + 0.5) / static_cast<double>(marks.size());
    content += error_bar(up, marks[i], x, 0);
    content += dot("dot", x, up.percent(marks[i].value), radius, named(marks[i]));
  }
  constexpr std::size_t kLabelCells = 16;
  const std::vector<Tick> across = {{0, cut(shown_text(marks.front().label), kLabelCells)},
                                    {100, cut(shown_text(marks.back().label), kLabelCells)}};
  return framed(content, ticks_of(up), across, description);
}

Html curve_chart(const std::vector<CurvePoint>& points, const std::string& description) {
  std::vector<double> values;
  for (const CurvePoint& point : points) values.push_back(point.value);
  const ChartScale across = ChartScale::around(values);
  const ChartScale up = ChartScale::between(0, 1);
  Html content;
  for (std::size_t i = 1; i < points.size(); ++i) {
    content +=
        relative_line("curve", across.percent(points[i - 1].value), up.percent(points[i - 1].level),
                      across.percent(points[i].value), up.percent(points[i].level));
  }
  for (const CurvePoint& point : points) {
    content += dot("dot", across.percent(point.value), up.percent(point.level), 4.5,
                   fmt::format("{}: {}", point.label, point.text));
  }
  const std::vector<Tick> levels = {
      {0, "0 %"}, {25, "25 %"}, {50, "50 %"}, {75, "75 %"}, {100, "100 %"}};
  return framed(content, levels, ticks_of(across), description);
}

}  // namespace lastbit::report
