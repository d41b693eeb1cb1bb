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
using chart_internal::count_cut;
using chart_internal::dot;
using chart_internal::error_bar;
using chart_internal::framed;
using chart_internal::named;
using chart_internal::panel_of;
using chart_internal::percent;
using chart_internal::relative_line;
using chart_internal::scale_values;
using chart_internal::side_by_side;
using chart_internal::Tick;
using chart_internal::ticks_of;

Html columns(const std::vector<double>& edges, const ChartScale& across, const ChartScale& up,
             const ChartPanel& panel) {
  constexpr double kGap = 0.08;   // of a column
  constexpr double kReach = 0.2;  // of a column: the ends of an error bar
  constexpr double kNarrow = 1.5;
  Html content;
  const double zero = up.percent(0);
  for (std::size_t i = 0; i < panel.marks.size(); ++i) {
    const ChartMark& mark = panel.marks[i];
    if (mark.missing) continue;
    const double from = across.percent(edges.at(i));
    const double width = across.percent(edges.at(i + 1)) - from;
    const double top = up.percent(mark.value);
    content += format_html(
        "<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}</title></rect>",
        mark.flag.empty() ? "bar" : "bar hollow", percent(from + kGap / 2 * width),
        percent(100 - std::max(top, zero)), percent((1 - kGap) * width),
        percent(std::abs(top - zero)), named(mark));
    content +=
        error_bar(up, mark, from + width / 2, width < kNarrow ? 0 : std::min(kReach * width, 1.5));
  }
  return content;
}

}  // namespace

Chart histogram_chart(const std::vector<double>& edges, const std::vector<ChartPanel>& panels,
                      const std::string& description, const Numerals& numerals) {
  constexpr int kFewTicks = 4;
  constexpr int kManyTicks = 5;
  invariant(edges.size() >= 2, "a histogram has a bin");
  const ChartScale up = ChartScale::from_zero(scale_values(panels));
  const ChartScale across = ChartScale::between(edges.front(), edges.back());
  Html all;
  for (const ChartPanel& panel : panels) {
    const std::string words =
        panel.title.empty() ? description : fmt::format("{}, {}", description, panel.title);
    all += panel_of(
        panel,
        framed(columns(edges, across, up, panel), ticks_of(up, numerals),
               across_axis(ticks_of(across, numerals, panels.size() > 1 ? kFewTicks : kManyTicks)),
               words));
  }
  return {side_by_side(all, panels.size()), count_cut(up, panels)};
}

Chart dot_chart(const std::vector<ChartMark>& marks, const std::string& description,
                const Numerals& numerals) {
  invariant(!marks.empty(), "a chart has a mark");
  const std::vector<ChartPanel> all = {{"", marks}};
  const ChartScale up = ChartScale::from_zero(scale_values(all));
  constexpr std::size_t kLarge = 150;
  const double radius = marks.size() > kLarge ? 1.5 : 2.5;
  Html content;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const double x = 100 * (static_cast<double>(i) + 0.5) / static_cast<double>(marks.size());
    if (marks[i].missing) continue;
    content += error_bar(up, marks[i], x, 0);
    content += dot(marks[i].flag.empty() ? "dot middle" : "dot", x, up.percent(marks[i].value),
                   radius, named(marks[i]));
  }
  constexpr std::size_t kLabelCells = 16;
  const std::vector<Tick> across = {{0, cut(shown_text(marks.front().label), kLabelCells)},
                                    {100, cut(shown_text(marks.back().label), kLabelCells)}};
  return {framed(content, ticks_of(up, numerals), across_axis(across), description),
          count_cut(up, all)};
}

Html curve_chart(const std::vector<CurvePoint>& points, const std::string& description,
                 const Numerals& numerals) {
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
  return framed(content, levels, across_axis(ticks_of(across, numerals)), description);
}

}  // namespace lastbit::report
