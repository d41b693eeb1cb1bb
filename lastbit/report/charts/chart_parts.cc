#include "lastbit/report/charts/chart_parts.h"

#include <fmt/core.h>

namespace lastbit::report::chart_internal {

std::string percent(double value) { return fmt::format("{:.2f}%", value); }

std::string named(const ChartMark& mark) {
  return mark.error.empty() ? fmt::format("{}: {}", mark.label, mark.text)
                            : fmt::format("{}: {} {}", mark.label, mark.text, mark.error);
}

std::vector<double> ends_of(const std::vector<ChartMark>& marks) {
  std::vector<double> values;
  for (const ChartMark& mark : marks) {
    values.push_back(mark.value);
    if (!mark.interval) continue;
    values.push_back(mark.interval->lower);
    values.push_back(mark.interval->upper);
  }
  return values;
}

std::vector<double> ends_of(const std::vector<ChartPanel>& panels) {
  std::vector<double> values;
  for (const ChartPanel& panel : panels) {
    const auto ends = ends_of(panel.marks);
    values.insert(values.end(), ends.begin(), ends.end());
  }
  return values;
}

std::vector<Tick> ticks_of(const ChartScale& scale, int parts) {
  std::vector<Tick> ticks;
  for (const double value : scale.ticks(parts)) {
    ticks.push_back({scale.percent(value), scale.label(value)});
  }
  return ticks;
}

Html across_axis(const std::vector<Tick>& ticks) {
  constexpr double kEdge = 5;
  constexpr std::size_t kLong = 3;
  Html labels;
  for (const auto& [at, label] : ticks) {
    const bool is_long = label.size() > kLong;
    const char* anchor = "middle";
    if (is_long && at < kEdge) anchor = "start";
    if (is_long && at > 100 - kEdge) anchor = "end";
    labels += format_html("<text x=\"{}\" y=\"14\" text-anchor=\"{}\">{}</text>", percent(at),
                          anchor, label);
  }
  return format_html(
      "<svg class=\"axis\" width=\"100%\" height=\"20\" aria-hidden=\"true\">{}</svg>", labels);
}

Html panel_of(const std::string& title, const Html& content) {
  const Html heading = title.empty() ? Html() : format_html("<h4>{}</h4>\n", bidi(title));
  return format_html("<div class=\"panel\">{}{}</div>\n", heading, content);
}

Html side_by_side(const Html& panels, std::size_t count) {
  return format_html("<div class=\"{}\">\n{}</div>\n", count > 1 ? "panels many" : "panels",
                     panels);
}

}  // namespace lastbit::report::chart_internal
