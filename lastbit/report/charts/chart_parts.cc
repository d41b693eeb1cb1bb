#include "lastbit/report/charts/chart_parts.h"

#include <fmt/core.h>

#include <algorithm>

namespace lastbit::report::chart_internal {
namespace {

double width_of(const ChartMark::Interval& interval) {
  return drawable(interval.upper) - drawable(interval.lower);
}

// usual_width: the width up to which intervals determine a scale: three times that of most, or half
// of what the values need anyway.
double usual_width(const std::vector<ChartPanel>& panels, bool with_poor) {
  constexpr double kMuch = 3;
  constexpr double kPart = 0.5;
  std::vector<double> widths;
  double low = 0;
  double high = 0;
  for (const ChartPanel& panel : panels) {
    for (const ChartMark& mark : panel.marks) {
      if (mark.missing || (mark.poor && !with_poor)) continue;
      low = std::min(low, drawable(mark.value));
      high = std::max(high, drawable(mark.value));
      if (mark.interval) widths.push_back(width_of(*mark.interval));
    }
  }
  if (widths.empty()) return 0;
  std::ranges::sort(widths);
  const double middle = widths[(widths.size() - 1) / 2];
  return std::max(kMuch * middle, kPart * (high - low));
}

}  // namespace

std::string percent(double value) { return fmt::format("{:.2f}%", value); }

std::string named(const ChartMark& mark) {
  std::string words = fmt::format("{}: {}", mark.label, mark.text);
  if (!mark.error.empty()) words += " " + mark.error;
  if (!mark.flag.empty()) words += ", " + mark.flag;
  return words;
}

std::vector<double> scale_values(const std::vector<ChartPanel>& panels) {
  const bool with_poor = std::ranges::none_of(panels, [](const ChartPanel& panel) {
    return std::ranges::any_of(panel.marks,
                               [](const ChartMark& mark) { return !mark.missing && !mark.poor; });
  });
  const double usual = usual_width(panels, with_poor);
  std::vector<double> values;
  for (const ChartPanel& panel : panels) {
    for (const ChartMark& mark : panel.marks) {
      if (mark.missing || (mark.poor && !with_poor)) continue;
      values.push_back(mark.value);
      if (!mark.interval || width_of(*mark.interval) > usual) continue;
      values.push_back(mark.interval->lower);
      values.push_back(mark.interval->upper);
    }
  }
  return values;
}

Ends ends_on(const ChartScale& scale, const ChartMark::Interval& interval) {
  constexpr double kSlack = 1e-6;  // an end at the edge is inside
  const double slack = kSlack * (scale.high() - scale.low());
  return {scale.percent(interval.lower), scale.percent(interval.upper),
          drawable(interval.lower) < scale.low() - slack,
          drawable(interval.upper) > scale.high() + slack};
}

std::size_t count_cut(const ChartScale& scale, const std::vector<ChartPanel>& panels) {
  std::size_t count = 0;
  for (const ChartPanel& panel : panels) {
    count +=
        static_cast<std::size_t>(std::ranges::count_if(panel.marks, [&](const ChartMark& mark) {
          return !mark.missing && mark.interval && ends_on(scale, *mark.interval).cut();
        }));
  }
  return count;
}

Html arrow(const std::string& x, const std::string& y, Heading heading) {
  constexpr const char* kPaths[] = {"M6,-4 L0,0 L6,4", "M-6,-4 L0,0 L-6,4", "M-4,6 L0,0 L4,6",
                                    "M-4,-6 L0,0 L4,-6"};
  return format_html(
      "<svg class=\"arrow\" x=\"{}\" y=\"{}\" width=\"1\" height=\"1\"><path class=\"error\" "
      "d=\"{}\"/></svg>",
      x, y, kPaths[static_cast<std::size_t>(heading)]);
}

std::vector<Tick> ticks_of(const ChartScale& scale, const Numerals& numerals, int parts) {
  std::vector<Tick> ticks;
  for (const double value : scale.ticks(parts)) {
    ticks.push_back({scale.percent(value), numerals.text(scale.label(value))});
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

Html relative_line(std::string_view css, double x1, double y1, double x2, double y2) {
  return format_html("<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>", css,
                     percent(x1), percent(100 - y1), percent(x2), percent(100 - y2));
}

Html dot(std::string_view css, double x, double y, double radius, const std::string& tip) {
  return format_html(
      "<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{:.1f}\"><title>{}</title></circle>", css,
      percent(x), percent(100 - y), radius, tip);
}

Html error_bar(const ChartScale& scale, const ChartMark& mark, double x, double reach) {
  if (!mark.interval || mark.missing) return {};
  const Ends ends = ends_on(scale, *mark.interval);
  Html bar = relative_line("error", x, ends.low, x, ends.high);
  const auto end = [&](double at, bool goes_on, Heading heading) {
    if (goes_on) {
      bar += arrow(percent(x), percent(100 - at), heading);
    } else if (reach > 0) {
      bar += relative_line("error", x - reach, at, x + reach, at);
    }
  };
  end(ends.low, ends.below, Heading::kDown);
  end(ends.high, ends.above, Heading::kUp);
  return bar;
}

Html framed(const Html& content, const std::vector<Tick>& up, const Html& across,
            const std::string& description) {
  constexpr int kFrameHeight = 200;
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
      "role=\"img\"><title>{2}</title><desc>The table below this picture holds its "
      "numbers.</desc>{3}{4}</svg><span></span>{5}</div>\n",
      kFrameHeight, left, description, grid, content, across);
}

Html in_language(const std::string& language, const std::string& text) {
  if (language.empty()) return bidi(text);
  return format_html("<bdi lang=\"{}\">{}</bdi>", language, text);
}

Html panel_of(const ChartPanel& panel, const Html& content) {
  const Html heading = panel.title.empty()
                           ? Html()
                           : format_html("<h3>{}</h3>\n", in_language(panel.language, panel.title));
  return format_html("<div class=\"panel\">{}{}</div>\n", heading, content);
}

Html side_by_side(const Html& panels, std::size_t count) {
  return format_html("<div class=\"{}\">\n{}</div>\n", count > 1 ? "panels many" : "panels",
                     panels);
}

}  // namespace lastbit::report::chart_internal
