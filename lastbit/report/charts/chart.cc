#include "lastbit/report/charts/chart.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "lastbit/report/charts/chart_parts.h"
#include "lastbit/report/charts/chart_scale.h"

namespace lastbit::report {
namespace {

constexpr int kRowHeight = 22;
constexpr double kRowMiddle = 11;

using chart_internal::across_axis;
using chart_internal::arrow;
using chart_internal::count_cut;
using chart_internal::Ends;
using chart_internal::ends_on;
using chart_internal::Heading;
using chart_internal::in_language;
using chart_internal::named;
using chart_internal::panel_of;
using chart_internal::percent;
using chart_internal::scale_values;
using chart_internal::side_by_side;
using chart_internal::ticks_of;

// What a row shows stands beside it in words, so only eyes need its picture.
Html row_svg(const std::string& tip, const Html& content) {
  return format_html(
      "<svg class=\"plot\" width=\"100%\" height=\"{}\" "
      "aria-hidden=\"true\"><title>{}</title>{}</svg>",
      kRowHeight, tip, content);
}

Html horizontal(std::string_view css, double from, double to, double y) {
  return format_html("<line class=\"{}\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", css,
                     percent(from), percent(to), y, y);
}
Html vertical(std::string_view css, double at, double top, double bottom) {
  return format_html("<line class=\"{}\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", css,
                     percent(at), percent(at), top, bottom);
}

// error_line: a line with two ends across a row.
Html error_line(const ChartScale& scale, const ChartMark::Interval& interval) {
  constexpr double kReach = 4;
  const Ends ends = ends_on(scale, interval);
  const std::string middle = fmt::format("{:.1f}", kRowMiddle);
  const auto end = [&](double at, bool goes_on, Heading heading) {
    return goes_on ? arrow(percent(at), middle, heading)
                   : vertical("error", at, kRowMiddle - kReach, kRowMiddle + kReach);
  };
  return horizontal("error", ends.low, ends.high, kRowMiddle) +
         end(ends.low, ends.below, Heading::kLeft) + end(ends.high, ends.above, Heading::kRight);
}

Html rules(const ChartScale& scale, double height) {
  Html lines;
  for (const double tick : scale.ticks()) {
    lines += vertical(tick == 0 ? "zero" : "rule", scale.percent(tick), 0, height);
  }
  return lines;
}

// axis_row: the round numbers of a scale, as shown below rows.
Html axis_row(const ChartScale& scale, const Numerals& numerals) {
  return format_html(
      "<div class=\"row\" aria-hidden=\"true\"><span class=\"label\"></span>{}<span "
      "class=\"number\"></span></div>\n",
      across_axis(ticks_of(scale, numerals)));
}

// row: a label, a picture and a number; the style puts them beside or above each other.
Html row(const Html& label, const Html& picture, const Html& number) {
  return format_html(
      "<li class=\"row\"><span class=\"label\">{}</span>{}<span class=\"number\">{}</span></li>\n",
      label, picture, number);
}

Html rows_of(const Html& rows) { return format_html("<ul class=\"rows\">\n{}</ul>\n", rows); }

Html bar(const ChartMark& mark, const ChartScale& scale) {
  Html content = rules(scale, kRowHeight);
  if (mark.missing) return row_svg(named(mark), content);
  const double zero = scale.percent(0);
  const double end = scale.percent(mark.value);
  content +=
      format_html("<rect class=\"{}\" x=\"{}\" width=\"{}\" y=\"4\" height=\"14\" rx=\"2\"/>",
                  mark.flag.empty() ? "bar" : "bar hollow", percent(std::min(zero, end)),
                  percent(std::abs(end - zero)));
  if (mark.interval) content += error_line(scale, *mark.interval);
  return row_svg(named(mark), content);
}

Html number_of(const ChartMark& mark) {
  if (mark.missing) return format_html("<small>{}</small>", mark.text);
  Html html = Html::text(mark.text);
  if (!mark.error.empty()) html += format_html(" <small>{}</small>", mark.error);
  if (!mark.flag.empty()) html += format_html(" <small class=\"flag\">{}</small>", mark.flag);
  return html;
}

}  // namespace

Chart bar_chart(const std::vector<ChartPanel>& panels, const Numerals& numerals) {
  const ChartScale scale = ChartScale::from_zero(scale_values(panels));
  Html all;
  for (const ChartPanel& panel : panels) {
    Html rows;
    for (const ChartMark& mark : panel.marks) {
      rows += row(in_language(panel.language, mark.label), bar(mark, scale), number_of(mark));
    }
    all += panel_of(panel, rows_of(rows) + axis_row(scale, numerals));
  }
  return {side_by_side(all, panels.size()), count_cut(scale, panels)};
}

Html ranked_list(const std::vector<ChartPanel>& panels) {
  Html all;
  for (const ChartPanel& panel : panels) {
    Html items;
    for (const ChartMark& mark : panel.marks)
      items += format_html("<li>{}</li>", in_language(panel.language, mark.label));
    all += panel_of(panel, format_html("<ol class=\"ranks\">{}</ol>\n", items));
  }
  return side_by_side(all, panels.size());
}

Html strip_chart(const std::vector<Strip>& strips, const Numerals& numerals) {
  std::vector<double> values;
  for (const Strip& strip : strips) {
    for (const CurvePoint& point : strip.points) values.push_back(point.value);
  }
  const ChartScale scale = ChartScale::around(values);
  Html rows;
  for (const Strip& strip : strips) {
    Html content = rules(scale, kRowHeight);
    std::string description = strip.label + ":";
    if (!strip.points.empty()) {
      content += horizontal("range", scale.percent(strip.points.front().value),
                            scale.percent(strip.points.back().value), kRowMiddle);
    }
    for (const CurvePoint& point : strip.points) {
      content += format_html(
          "<circle class=\"{}\" cx=\"{}\" cy=\"{:.1f}\" r=\"4.5\"><title>{}</title></circle>",
          point.level == 0.5 ? "dot middle" : "dot", percent(scale.percent(point.value)),
          kRowMiddle, fmt::format("{}, {}: {}", strip.label, point.label, point.text));
      description += fmt::format(" {} {};", point.label, point.text);
    }
    Html ends;
    if (!strip.points.empty()) {
      ends = Html::text(strip.points.size() == 1 ? strip.points.front().text
                                                 : fmt::format("{} – {}", strip.points.front().text,
                                                               strip.points.back().text));
    }
    rows += row(in_language(strip.language, strip.label), row_svg(description, content), ends);
  }
  return side_by_side(panel_of({}, rows_of(rows) + axis_row(scale, numerals)), 1);
}

}  // namespace lastbit::report
