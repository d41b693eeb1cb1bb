#include "cli/chart.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/chart_scale.h"
#include "cli/release_report_words.h"
#include "lastbit/base/error.h"

namespace lastbit::cli {
namespace {

std::string percent(double value) { return fmt::format("{:.2f}%", value); }

std::string named(const ChartMark& mark) {
  return mark.error.empty() ? fmt::format("{}: {}", mark.label, mark.text)
                            : fmt::format("{}: {} ± {}", mark.label, mark.text, mark.error);
}

// bidi: a text whose direction of writing stays its own.
std::string bidi(const std::string& text) { return "<bdi>" + html_text(text) + "</bdi>"; }

std::string svg(std::string_view css, int height, const std::string& description,
                const std::string& content) {
  return fmt::format(
      "<svg class=\"{}\" width=\"100%\" height=\"{}\" role=\"img\"><title>{}</title>{}</svg>", css,
      height, html_text(description), content);
}

// anchor: labels near an edge stay inside of the picture.
std::string_view anchor(double at) {
  constexpr double kEdge = 5;
  if (at < kEdge) return "start";
  return at > 100 - kEdge ? "end" : "middle";
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

std::vector<double> ends_of(const std::vector<ChartPanel>& panels) {
  std::vector<double> values;
  for (const ChartPanel& panel : panels) {
    for (const ChartMark& mark : panel.marks) {
      values.push_back(mark.value);
      if (!mark.interval) continue;
      values.push_back(mark.interval->lower);
      values.push_back(mark.interval->upper);
    }
  }
  return values;
}

std::string rules(const ChartScale& scale, double height) {
  std::string lines;
  for (const double tick : scale.ticks()) {
    lines += vertical(tick == 0 ? "zero" : "rule", scale.percent(tick), 0, height);
  }
  return lines;
}

// across_axis: the numbers below a picture.
std::string across_axis(const ChartScale& scale) {
  std::string labels;
  for (const double tick : scale.ticks()) {
    const double at = scale.percent(tick);
    labels += fmt::format("<text x=\"{}\" y=\"14\" text-anchor=\"{}\">{}</text>", percent(at),
                          anchor(at), scale.label(tick));
  }
  return fmt::format(
      "<svg class=\"axis\" width=\"100%\" height=\"20\" aria-hidden=\"true\">{}</svg>", labels);
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
  return fmt::format("{} <small>± {}</small>", html_text(mark.text), html_text(mark.error));
}

std::string panel_of(const std::string& title, const std::string& content) {
  const std::string heading = title.empty() ? "" : fmt::format("<h4>{}</h4>\n", bidi(title));
  return fmt::format("<div class=\"panel\">{}{}</div>\n", heading, content);
}

std::string side_by_side(const std::string& panels, std::size_t count) {
  return fmt::format("<div class=\"{}\">\n{}</div>\n", count > 1 ? "panels many" : "panels",
                     panels);
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
    all += panel_of(panel.title, rows + row("", across_axis(scale), ""));
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
  return side_by_side(panel_of("", rows + row("", across_axis(scale), "")), 1);
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
                     svg("plot", kRowHeight, named(mark), content), across_axis(scale));
}

}  // namespace lastbit::cli
