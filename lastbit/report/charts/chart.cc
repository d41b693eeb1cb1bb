#include "lastbit/report/charts/chart.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "lastbit/report/charts/chart_parts.h"
#include "lastbit/report/charts/chart_scale.h"
#include "lastbit/report/release/words.h"

namespace lastbit::report {
namespace {

using chart_internal::across_axis;
using chart_internal::bidi;
using chart_internal::ends_of;
using chart_internal::named;
using chart_internal::panel_of;
using chart_internal::percent;
using chart_internal::side_by_side;
using chart_internal::Tick;

std::string svg(std::string_view css, int height, const std::string& description,
                const std::string& content) {
  return fmt::format(
      "<svg class=\"{}\" width=\"100%\" height=\"{}\" role=\"img\"><title>{}</title>{}</svg>", css,
      height, html_text(description), content);
}

std::string horizontal(std::string_view css, double from, double to, double y) {
  return fmt::format("<line class=\"{}\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", css,
                     percent(from), percent(to), y, y);
}
std::string vertical(std::string_view css, double at, double top, double bottom) {
  return fmt::format("<line class=\"{}\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", css,
                     percent(at), percent(at), top, bottom);
}

// error_bar: a line with two ends across a row.
std::string error_bar(const ChartScale& scale, const ChartMark::Interval& interval, double middle,
                      double reach) {
  const double from = scale.percent(interval.lower);
  const double to = scale.percent(interval.upper);
  return horizontal("error", from, to, middle) +
         vertical("error", from, middle - reach, middle + reach) +
         vertical("error", to, middle - reach, middle + reach);
}

std::string rules(const ChartScale& scale, double height) {
  std::string lines;
  for (const double tick : scale.ticks()) {
    lines += vertical(tick == 0 ? "zero" : "rule", scale.percent(tick), 0, height);
  }
  return lines;
}

// axis_of: the round numbers of a scale, as they stand below a picture.
std::string axis_of(const ChartScale& scale) {
  std::vector<Tick> ticks;
  for (const double value : scale.ticks()) {
    ticks.push_back({scale.percent(value), scale.label(value)});
  }
  return across_axis(ticks);
}

constexpr int kRowHeight = 22;
constexpr double kRowMiddle = 11;

// row: a label, a picture and a number; the style puts them beside or above each other.
std::string row(const std::string& label, const std::string& picture, const std::string& number) {
  return fmt::format(
      "<div class=\"row\"><span class=\"label\">{}</span>{}<span "
      "class=\"number\">{}</span></div>\n",
      label, picture, number);
}

std::string bar(const ChartMark& mark, const ChartScale& scale) {
  const double zero = scale.percent(0);
  const double end = scale.percent(mark.value);
  std::string content = rules(scale, kRowHeight);
  content +=
      fmt::format("<rect class=\"bar\" x=\"{}\" width=\"{}\" y=\"4\" height=\"14\" rx=\"2\"/>",
                  percent(std::min(zero, end)), percent(std::abs(end - zero)));
  if (mark.interval) content += error_bar(scale, *mark.interval, kRowMiddle, 4);
  return svg("plot", kRowHeight, named(mark), content);
}

std::string number_of(const ChartMark& mark) {
  if (mark.error.empty()) return html_text(mark.text);
  return fmt::format("{} <small>{}</small>", html_text(mark.text), html_text(mark.error));
}

}  // namespace

std::string bar_chart(const std::vector<ChartPanel>& panels) {
  const ChartScale scale = ChartScale::from_zero(ends_of(panels));
  std::string all;
  for (const ChartPanel& panel : panels) {
    std::string rows;
    for (const ChartMark& mark : panel.marks) {
      rows += row(bidi(mark.label), bar(mark, scale), number_of(mark));
    }
    all += panel_of(panel.title, rows + row("", axis_of(scale), ""));
  }
  return side_by_side(all, panels.size());
}

std::string ranked_list(const std::vector<ChartPanel>& panels) {
  std::string all;
  for (const ChartPanel& panel : panels) {
    std::string items;
    for (const ChartMark& mark : panel.marks) items += "<li>" + bidi(mark.label) + "</li>";
    all += panel_of(panel.title, "<ol class=\"ranks\">" + items + "</ol>\n");
  }
  return side_by_side(all, panels.size());
}

std::string strip_chart(const std::vector<Strip>& strips) {
  std::vector<double> values;
  for (const Strip& strip : strips) {
    for (const CurvePoint& point : strip.points) values.push_back(point.value);
  }
  const ChartScale scale = ChartScale::around(values);
  std::string rows;
  for (const Strip& strip : strips) {
    std::string content = rules(scale, kRowHeight);
    std::string description = strip.label + ":";
    if (!strip.points.empty()) {
      content += horizontal("range", scale.percent(strip.points.front().value),
                            scale.percent(strip.points.back().value), kRowMiddle);
    }
    for (const CurvePoint& point : strip.points) {
      content += fmt::format(
          "<circle class=\"{}\" cx=\"{}\" cy=\"{:.1f}\" r=\"4.5\"><title>{}</title></circle>",
          point.level == 0.5 ? "dot middle" : "dot", percent(scale.percent(point.value)),
          kRowMiddle, html_text(fmt::format("{}, {}: {}", strip.label, point.label, point.text)));
      description += fmt::format(" {} {};", point.label, point.text);
    }
    std::string ends;
    if (!strip.points.empty()) {
      ends = html_text(strip.points.size() == 1 ? strip.points.front().text
                                                : fmt::format("{} – {}", strip.points.front().text,
                                                              strip.points.back().text));
    }
    rows += row(bidi(strip.label), svg("plot", kRowHeight, description, content), ends);
  }
  return side_by_side(panel_of("", rows + row("", axis_of(scale), "")), 1);
}

std::string interval_chart(const ChartMark& mark) {
  constexpr double kRoom = 0.5;
  const ChartMark::Interval interval =
      mark.interval.value_or(ChartMark::Interval{mark.value, mark.value});
  const double low = drawable(interval.lower);
  const double high = drawable(interval.upper);
  const double room = kRoom * (high - low);
  const ChartScale scale = ChartScale::between(low - room, high + room);
  std::string content = rules(scale, kRowHeight);
  content += error_bar(scale, interval, kRowMiddle, 5);
  content += fmt::format("<circle class=\"dot middle\" cx=\"{}\" cy=\"{:.1f}\" r=\"5\"/>",
                         percent(scale.percent(mark.value)), kRowMiddle);
  return fmt::format("<div class=\"single\">{}{}</div>\n",
                     svg("plot", kRowHeight, named(mark), content), axis_of(scale));
}

}  // namespace lastbit::report
