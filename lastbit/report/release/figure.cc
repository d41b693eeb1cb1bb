#include "lastbit/report/release/figure.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/release/kinds/registry.h"
#include "lastbit/release/plan/reliability.h"
#include "lastbit/report/charts/chart.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/release/words.h"

namespace lastbit::report {

using figure_internal::first_words;
using figure_internal::line_words;
using figure_internal::mark_of;
using figure_internal::time_figure;

namespace {

constexpr std::size_t kMostRows = 40;
constexpr std::size_t kMostDots = 500;
constexpr std::size_t kMostHistograms = 12;
// More answers than these are read by their size, if their keys have no order.
constexpr std::size_t kFewAnswers = 12;
constexpr std::size_t kLargestShown = 20;

using Lines = std::span<const AnswerLine>;

// Pictured: what all pictures of a statistic share.
struct Pictured {
  const Wording& wording;
  const Statistic& statistic;
  NumberStyle style;
};

// The words of a line that all lines around it share, and those that are its own.
struct LineWords {
  std::string panel;
  std::string label;
};
LineWords words_of(const Pictured& of, const AnswerLine& line) {
  const std::span<const KeyValue> keys = line.group;
  if (line.choice) {
    const std::string column = roles_of(of.statistic.kind).front().column.value;
    return {of.wording.keys(of.statistic, keys), of.wording.key(column, *line.choice)};
  }
  if (!line.cell.empty()) {
    return {of.wording.keys(of.statistic, keys), of.wording.cell(of.statistic, line)};
  }
  if (keys.empty()) return {"", of.wording.heading(of.statistic)};
  return {of.wording.keys(of.statistic, keys.first(keys.size() - 1)),
          of.wording.key(of.statistic.by.back().value, keys.back())};
}

std::vector<ChartPanel> panels_of(const Pictured& of, Lines lines) {
  std::vector<ChartPanel> panels;
  for (const AnswerLine& line : lines) {
    auto [panel, label] = words_of(of, line);
    if (panels.empty() || panels.back().title != panel) {
      panels.push_back({panel, {}, of.wording.language()});
    }
    panels.back().marks.push_back(mark_of(of.wording, line, std::move(label), of.style));
  }
  return panels;
}

Figure histogram(const Pictured& of, const HistogramFigure& shape, Lines lines) {
  const std::size_t bins = shape.edges.size() - 1;
  const std::size_t count = std::min(lines.size(), bins * kMostHistograms);
  const auto panels = panels_of(of, lines.first(count));
  const bool whole = std::ranges::all_of(
      panels, [&](const ChartPanel& panel) { return panel.marks.size() == bins; });
  invariant(whole, "a histogram has an answer for each bin");
  std::vector<double> edges;
  for (const Rational& edge : shape.edges) edges.push_back(nearest_double(edge));
  const Chart chart =
      histogram_chart(edges, panels, of.wording.description(of.statistic), of.wording.numerals());
  return {chart.html, line_words(of.statistic, chart) + first_words(count, lines.size()), false};
}

std::vector<Strip> strips_of(const Pictured& of, const QuantilesFigure& shape, Lines lines) {
  std::vector<Strip> strips;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const AnswerLine& line = lines[i];
    if (i % shape.levels.size() == 0) {
      strips.push_back({of.wording.keys(of.statistic, line.group), {}, of.wording.language()});
    }
    const Rational& level = shape.levels[i % shape.levels.size()];
    if (!line.value) continue;
    strips.back().points.push_back({nearest_double(*line.value), nearest_double(level),
                                    percent_text(level),
                                    of.wording.numerals().text(of.style.text(*line.value))});
  }
  return strips;
}

// table_words: where the intervals are, which these pictures leave out.
std::string table_words(Lines lines) {
  const bool any =
      std::ranges::any_of(lines, [](const AnswerLine& line) { return line.interval.has_value(); });
  return any ? " The table has their intervals." : "";
}

Figure quantiles(const Pictured& of, const QuantilesFigure& shape, Lines lines) {
  const std::size_t levels = shape.levels.size();
  const std::size_t count = std::min(lines.size(), levels * kMostRows);
  const auto strips = strips_of(of, shape, lines.first(count));
  if (strips.size() == 1 && levels > 1) {
    return {curve_chart(strips.front().points, of.wording.description(of.statistic),
                        of.wording.numerals()),
            "For each value, the share of the rows below it." + table_words(lines), false};
  }
  return {strip_chart(strips, of.wording.numerals()),
          levels == 1
              ? first_words(count, lines.size())
              : fmt::format("The dots are the quantiles from {} to {}{}.{}{}",
                            percent_text(shape.levels.front()), percent_text(shape.levels.back()),
                            std::ranges::find(shape.levels, Rational(1, 2)) == shape.levels.end()
                                ? ""
                                : "; the full one is the median",
                            table_words(lines), first_words(count, lines.size())),
          levels == 1};
}

Figure ranking(const Pictured& of, Lines lines) {
  const std::size_t count = std::min(lines.size(), kMostRows);
  const auto panels = panels_of(of, lines.first(count));
  const bool has_values =
      std::ranges::all_of(lines, [](const AnswerLine& line) { return line.value.has_value(); });
  if (has_values) {
    const Chart chart = bar_chart(panels, of.wording.numerals());
    return {chart.html, line_words(of.statistic, chart) + first_words(count, lines.size())};
  }
  return {ranked_list(panels), "The most frequent first. How frequent they are is not published." +
                                   first_words(count, lines.size())};
}

// has_no_order: whether the answers are about one column of keys without an order.
bool has_no_order(const Wording& wording, const Statistic& statistic, Lines lines) {
  if (statistic.by.size() == 1 && lines.front().cell.empty()) {
    return !wording.has_order(statistic.by.front().value, lines.front().group.front());
  }
  const Categories* categories = categories_of(statistic.kind);
  if (!statistic.by.empty() || categories == nullptr || lines.front().choice) return false;
  const auto type = type_of_keys(*categories);
  return !type || *type == FieldType::kText;
}

Figure many_numbers(const Pictured& of, Lines lines) {
  if (has_no_order(of.wording, of.statistic, lines)) {
    const Chart chart = bar_chart(panels_of(of, lines.first(kLargestShown)), of.wording.numerals());
    return {chart.html,
            fmt::format("The {} largest of {} answers. ", kLargestShown,
                        of.wording.numerals().text(grouped(lines.size()))) +
                line_words(of.statistic, chart),
            false};
  }
  const std::size_t count = std::min(lines.size(), kMostDots);
  std::vector<ChartMark> marks;
  for (const AnswerLine& line : lines.first(count)) {
    std::string label = of.wording.keys(of.statistic, line.group);
    if (of.statistic.by.size() == 1) {
      label = of.wording.key(of.statistic.by.front().value, line.group.front());
    }
    if (!line.cell.empty()) {
      label += (label.empty() ? "" : ", ") + of.wording.cell(of.statistic, line);
    }
    marks.push_back(mark_of(of.wording, line, std::move(label), of.style));
  }
  const Chart chart = dot_chart(marks, of.wording.description(of.statistic), of.wording.numerals());
  return {chart.html,
          "A dot for each answer, in the order of the table. " + line_words(of.statistic, chart) +
              first_words(count, lines.size()),
          false};
}

Figure numbers(const Pictured& of, Lines lines) {
  if (lines.size() > kMostRows) return many_numbers(of, lines);
  const Chart chart = bar_chart(panels_of(of, lines), of.wording.numerals());
  return {chart.html, line_words(of.statistic, chart)};
}

}  // namespace

std::string quality_words(const AnswerLine& line) {
  const auto reliability = reliability_of(line);
  if (!reliability || *reliability == Reliability::kReliable) return "";
  return *reliability == Reliability::kCaution ? "use with caution" : "unreliable";
}

std::string missing_words(const AnswerLine& line) {
  return line.suppressed ? "suppressed" : "no answer";
}

bool is_single(const std::vector<AnswerLine>& lines) {
  return lines.size() == 1 && lines.front().group.empty() && !lines.front().choice;
}

std::vector<AnswerLine> in_reading_order(const Wording& wording, const Statistic& statistic,
                                         std::vector<AnswerLine> lines) {
  if (lines.size() <= kFewAnswers || !has_no_order(wording, statistic, lines)) return lines;
  std::vector<std::size_t> places(lines.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::sort(places, [&](std::size_t a, std::size_t b) {
    const auto& x = lines[a].value;
    const auto& y = lines[b].value;
    if (!x || !y || *x == *y) return x.has_value() == y.has_value() ? a < b : x.has_value();
    return *y < *x;
  });
  std::vector<AnswerLine> ordered;
  ordered.reserve(lines.size());
  for (const std::size_t place : places) ordered.push_back(std::move(lines[place]));
  return ordered;
}

Figure figure_of(const Wording& wording, const Statistic& statistic,
                 const std::vector<AnswerLine>& lines) {
  invariant(!lines.empty(), "a figure shows an answer");
  const Pictured of{wording, statistic, NumberStyle::for_lines(lines)};
  const FigureShape shape = figure_of(statistic.kind);
  const auto* points = std::get_if<QuantilesFigure>(&shape);
  const bool one_each = points != nullptr ? points->levels.size() == 1 : lines[0].cell.empty();
  if (one_each && !lines[0].choice) {
    if (auto figure = time_figure(wording, statistic, lines, of.style)) return *std::move(figure);
  }
  if (points != nullptr) return quantiles(of, *points, lines);
  if (std::holds_alternative<RankingFigure>(shape)) return ranking(of, lines);
  if (const auto* bins = std::get_if<HistogramFigure>(&shape)) return histogram(of, *bins, lines);
  return numbers(of, lines);
}

namespace figure_internal {

ChartMark mark_of(const Wording& wording, const AnswerLine& line, std::string label,
                  const NumberStyle& style) {
  ChartMark mark{.label = std::move(label), .text = "", .error = ""};
  mark.missing = !line.value;
  if (!line.value) {
    mark.text = missing_words(line);
    return mark;
  }
  mark.text = wording.numerals().text(style.text(*line.value));
  mark.value = nearest_double(*line.value);
  mark.error = wording.numerals().text(interval_words(line, style));
  mark.flag = quality_words(line);
  mark.poor = reliability_of(line) == Reliability::kUnreliable;
  if (line.interval) {
    mark.interval = {nearest_double(line.interval->lower), nearest_double(line.interval->upper)};
  }
  return mark;
}

std::string line_words(const Statistic& statistic, const Chart& chart, std::string_view lines) {
  if (!has_intervals(statistic.kind)) return "";
  std::string words = fmt::format("{} intervals: each contains the true value with {} confidence.",
                                  lines, percent_text(statistic.confidence.value));
  if (chart.cut == 0) return words;
  const std::string_view how = chart.shaded ? "cut off at its edge" : "drawn with an arrow";
  if (chart.cut == 1) {
    return words + fmt::format(" One interval is too wide for the picture and {}.", how);
  }
  return words +
         fmt::format(" {} intervals are too wide for the picture and {}.", grouped(chart.cut), how);
}

std::string first_words(std::size_t shown, std::size_t all) {
  if (shown >= all) return "";
  return fmt::format(" The picture shows the first {} of {} answers.", grouped(shown),
                     grouped(all));
}

}  // namespace figure_internal
}  // namespace lastbit::report
