#include "lastbit/report/charts/chart.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "lastbit/report/charts/chart_parts.h"
#include "lastbit/report/charts/chart_scale.h"

namespace lastbit::report {
namespace {

using chart_internal::across_axis;
using chart_internal::ends_of;
using chart_internal::named;
using chart_internal::panel_of;
using chart_internal::percent;
using chart_internal::side_by_side;
using chart_internal::ticks_of;

Html svg(std::string_view css, int height, const std::string& description, const Html& content) {
  return format_html(
      "<svg class=\"{}\" width=\"100%\" height=\"{}\" role=\"img\"><title>{}</title>{}</svg>", css,
      height, description, content);
}

Html horizontal(std::string_view css, double from, double to, double y) {
  return format_html("<line class=\"{}\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", css,
                     percent(from), percent(to), y, y);
}
Html vertical(std::string_view css, double at, double top, double bottom) {
  return format_html("<line class=\"{}\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", css,
                     percent(at), percent(at), top, bottom);
}

// error_bar: a line with two ends across a row.
Html error_bar(const ChartScale& scale, const ChartMark::Interval& interval, double middle,
               double reach) {
  const double from = scale.percent(interval.lower);
  const double to = scale.percent(interval.upper);
  return horizontal("error", from, to, middle) +
         vertical("error", from, middle - reach, middle + reach) +
         vertical("error", to, middle - reach, middle + reach);
}

Html rules(const ChartScale& scale, double height) {
  Html lines;
  for (const double tick : scale.ticks()) {
    lines += vertical(tick == 0 ? "zero" : "rule", scale.percent(tick), 0, height);
  }
  return lines;
}

// axis_of: the round numbers of a scale, as shown below a picture.
Html axis_of(const ChartScale& scale) { return across_axis(ticks_of(scale)); }

constexpr int kRowHeight = 22;
constexpr double kRowMiddle = 11;

// row: a label, a picture and a number; the style puts them beside or above each other.
Html row(const Html& label, const Html& picture, const Html& number) {
  return format_html(
      "<div class=\"row\"><span class=\"label\">{}</span>{}<span "
      "class=\"number\">{}</span></div>\n",
      label, picture, number);
}

Html bar(const ChartMark& mark, const ChartScale& scale) {
  const double zero = scale.percent(0);
  const double end = scale.percent(mark.value);
  Html content = rules(scale, kRowHeight);
  content +=
      format_html("<rect class=\"bar\" x=\"{}\" width=\"{}\" y=\"4\" height=\"14\" rx=\"2\"/>",
                  percent(std::min(zero, end)), percent(std::abs(end - zero)));
  if (mark.interval) content += error_bar(scale, *mark.interval, kRowMiddle, 4);
  return svg("plot", kRowHeight, named(mark), content);
}

Html number_of(const ChartMark& mark) {
  if (mark.error.empty()) return Html::text(mark.text);
  return format_html("{} <small>{}</small>", mark.text, mark.error);
}

}  // namespace

Html bar_chart(const std::vector<ChartPanel>& panels) {
  const ChartScale scale = ChartScale::from_zero(ends_of(panels));
  Html all;
  for (const ChartPanel& panel : panels) {
    Html rows;
    for (const ChartMark& mark : panel.marks) {
      rows += row(bidi(mark.label), bar(mark, scale), number_of(mark));
    }
    all += panel_of(panel.title, rows + row({}, axis_of(scale), {}));
  }
  return side_by_side(all, panels.size());
}

Html ranked_list(const std::vector<ChartPanel>& panels) {
  Html all;
  for (const ChartPanel& panel : panels) {
    Html items;
    for (const ChartMark& mark : panel.marks) items += format_html("<li>{}</li>", bidi(mark.label));
    all += panel_of(panel.title, format_html("<ol class=\"ranks\">{}</ol>\n", items));
  }
  return side_by_side(all, panels.size());
}

Html strip_chart(const std::vector<Strip>& strips) {
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
    rows += row(bidi(strip.label), svg("plot", kRowHeight, description, content), ends);
  }
  return side_by_side(panel_of("", rows + row({}, axis_of(scale), {})), 1);
}

Html interval_chart(const ChartMark& mark) {
  constexpr double kRoom = 0.5;
  const ChartMark::Interval interval =
      mark.interval.value_or(ChartMark::Interval{mark.value, mark.value});
  const double low = drawable(interval.lower);
  const double high = drawable(interval.upper);
  const double room = kRoom * (high - low);
  const ChartScale scale = ChartScale::between(low - room, high + room);
  Html content = rules(scale, kRowHeight);
  content += error_bar(scale, interval, kRowMiddle, 5);
  content += format_html("<circle class=\"dot middle\" cx=\"{}\" cy=\"{:.1f}\" r=\"5\"/>",
                         percent(scale.percent(mark.value)), kRowMiddle);
  return format_html("<div class=\"single\">{}{}</div>\n",
                     svg("plot", kRowHeight, named(mark), content), axis_of(scale));
}

}  // namespace lastbit::report
