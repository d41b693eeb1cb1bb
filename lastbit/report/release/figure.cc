#include "lastbit/report/release/figure.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/release/kinds/registry.h"
#include "lastbit/report/charts/chart.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/release/words.h"
#include "lastbit/report/table.h"

namespace lastbit::report {
namespace {

constexpr std::size_t kMostRows = 40;
constexpr std::size_t kMostDots = 500;
constexpr std::size_t kMostHistograms = 12;

using Lines = std::span<const AnswerLine>;

// key_words: keys with the names of their columns, as in "sex = 1, married = 0".
std::string key_words(const Statistic& statistic, std::span<const KeyValue> keys) {
  std::string text;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i > 0) text += ", ";
    text += fmt::format("{} = {}", statistic.by.at(i).value, shown_key(text_of(keys[i])));
  }
  return text;
}

// The words of a line that all lines around it share, and those that are its own.
struct Heading {
  std::string panel;
  std::string label;
};
Heading heading_of(const Statistic& statistic, const AnswerLine& line) {
  const std::span<const KeyValue> keys = line.group;
  if (line.choice) return {key_words(statistic, keys), shown_key(text_of(*line.choice))};
  if (!line.cell.empty()) return {key_words(statistic, keys), shown_key(line.cell)};
  if (keys.empty()) return {"", statistic.name.value};
  return {key_words(statistic, keys.first(keys.size() - 1)), shown_key(text_of(keys.back()))};
}

ChartMark mark_of(const AnswerLine& line, std::string label, const NumberStyle& style) {
  ChartMark mark{.label = std::move(label), .text = "", .error = ""};
  if (line.value) {
    mark.text = style.text(*line.value);
    mark.value = nearest_double(*line.value);
  }
  if (line.suppressed) mark.text = "suppressed";
  mark.error = interval_words(line, style);
  if (line.interval) {
    mark.interval = {nearest_double(line.interval->lower), nearest_double(line.interval->upper)};
  }
  return mark;
}

std::vector<ChartPanel> panels_of(const Statistic& statistic, Lines lines,
                                  const NumberStyle& style) {
  std::vector<ChartPanel> panels;
  for (const AnswerLine& line : lines) {
    auto [panel, label] = heading_of(statistic, line);
    if (panels.empty() || panels.back().title != panel) panels.push_back({panel, {}});
    panels.back().marks.push_back(mark_of(line, std::move(label), style));
  }
  return panels;
}

std::string first_words(std::size_t shown, std::size_t all) {
  if (shown >= all) return "";
  return fmt::format(" The picture shows the first {} of {} answers.", grouped(shown),
                     grouped(all));
}

std::string line_words(const Statistic& statistic) {
  return fmt::format("The thin lines are intervals; each holds the truth with {} confidence.",
                     percent_text(statistic.confidence.value));
}

Figure histogram(const Statistic& statistic, const HistogramFigure& shape, Lines lines,
                 const NumberStyle& style) {
  const std::size_t bins = shape.edges.size() - 1;
  const std::size_t count = std::min(lines.size(), bins * kMostHistograms);
  const auto panels = panels_of(statistic, lines.first(count), style);
  const bool whole = std::ranges::all_of(
      panels, [&](const ChartPanel& panel) { return panel.marks.size() == bins; });
  invariant(whole, "a histogram has an answer for each bin");
  std::vector<double> edges;
  for (const Rational& edge : shape.edges) edges.push_back(nearest_double(edge));
  return {histogram_chart(edges, panels, kind_words(statistic)),
          line_words(statistic) + first_words(count, lines.size()), false};
}

std::vector<Strip> strips_of(const Statistic& statistic, const QuantilesFigure& shape, Lines lines,
                             const NumberStyle& style) {
  std::vector<Strip> strips;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const AnswerLine& line = lines[i];
    if (i % shape.levels.size() == 0) strips.push_back({key_words(statistic, line.group), {}});
    const Rational& level = shape.levels[i % shape.levels.size()];
    if (!line.value) continue;
    strips.back().points.push_back({nearest_double(*line.value), nearest_double(level),
                                    percent_text(level), style.text(*line.value)});
  }
  return strips;
}

Figure quantiles(const Statistic& statistic, const QuantilesFigure& shape, Lines lines,
                 const NumberStyle& style) {
  const std::size_t levels = shape.levels.size();
  const std::size_t count = std::min(lines.size(), levels * kMostRows);
  const auto strips = strips_of(statistic, shape, lines.first(count), style);
  if (strips.size() == 1 && levels > 1) {
    return {curve_chart(strips.front().points, kind_words(statistic)),
            "For each value, the share of the rows below it.", false};
  }
  return {strip_chart(strips),
          fmt::format("The dots are the quantiles from {} to {}{}.{}",
                      percent_text(shape.levels.front()), percent_text(shape.levels.back()),
                      std::ranges::find(shape.levels, Rational(1, 2)) == shape.levels.end()
                          ? ""
                          : "; the full one is the median",
                      first_words(count, lines.size())),
          levels == 1};
}

Figure ranking(const Statistic& statistic, Lines lines, const NumberStyle& style) {
  const std::size_t count = std::min(lines.size(), kMostRows);
  const auto panels = panels_of(statistic, lines.first(count), style);
  const bool has_values =
      std::ranges::all_of(lines, [](const AnswerLine& line) { return line.value.has_value(); });
  if (has_values) {
    return {bar_chart(panels), line_words(statistic) + first_words(count, lines.size())};
  }
  return {ranked_list(panels), "The most frequent first. How frequent they are is not published." +
                                   first_words(count, lines.size())};
}

Figure numbers(const Statistic& statistic, Lines lines, const NumberStyle& style) {
  if (lines.size() == 1 && statistic.by.empty() && lines.front().cell.empty()) {
    const ChartMark mark = mark_of(lines.front(), statistic.name.value, style);
    return {interval_chart(mark), ""};
  }
  if (lines.size() <= kMostRows) {
    return {bar_chart(panels_of(statistic, lines, style)), line_words(statistic)};
  }
  const std::size_t count = std::min(lines.size(), kMostDots);
  std::vector<ChartMark> marks;
  for (const AnswerLine& line : lines.first(count)) {
    std::string label = key_words(statistic, line.group);
    if (!line.cell.empty()) label += (label.empty() ? "" : ", ") + shown_key(line.cell);
    marks.push_back(mark_of(line, std::move(label), style));
  }
  return {dot_chart(marks, kind_words(statistic)),
          "A dot for each answer, in the order of the table. " + line_words(statistic) +
              first_words(count, lines.size()),
          false};
}

}  // namespace

Figure figure_of(const Statistic& statistic, const std::vector<AnswerLine>& lines) {
  invariant(!lines.empty(), "a figure shows an answer");
  const NumberStyle style = NumberStyle::for_lines(lines);
  const FigureShape shape = figure_of(statistic.kind);
  if (const auto* points = std::get_if<QuantilesFigure>(&shape)) {
    return quantiles(statistic, *points, lines, style);
  }
  if (std::holds_alternative<RankingFigure>(shape)) return ranking(statistic, lines, style);
  if (const auto* bins = std::get_if<HistogramFigure>(&shape)) {
    return histogram(statistic, *bins, lines, style);
  }
  return numbers(statistic, lines, style);
}

}  // namespace lastbit::report
