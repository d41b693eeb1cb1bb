// Answers along a calendar.
#include <algorithm>
#include <map>
#include <utility>

#include "lastbit/release/kinds/registry.h"
#include "lastbit/report/release/figure.h"
#include "lastbit/report/release/words.h"

namespace lastbit::report::figure_internal {
namespace {

// time_column: the place of the first column of the groups whose keys are times.
std::optional<std::size_t> time_column(const Wording& wording, const Statistic& statistic) {
  for (std::size_t i = 0; i < statistic.by.size(); ++i) {
    if (wording.period(statistic.by[i].value)) return i;
  }
  return std::nullopt;
}

// series_words: the keys of a group without that of its time.
std::string series_words(const Wording& wording, const Statistic& statistic, const KeyTuple& group,
                         std::size_t time) {
  Statistic others = statistic;
  KeyTuple keys = group;
  others.by.erase(others.by.begin() + static_cast<std::ptrdiff_t>(time));
  keys.erase(keys.begin() + static_cast<std::ptrdiff_t>(time));
  return wording.keys(others, keys);
}

}  // namespace

std::optional<Figure> time_figure(const Wording& wording, const Statistic& statistic,
                                  const std::vector<AnswerLine>& lines, const NumberStyle& style) {
  constexpr std::size_t kMostSeries = 12;
  constexpr std::size_t kMostMarks = 4000;
  const auto time = time_column(wording, statistic);
  if (!time || lines.size() < 2) return std::nullopt;
  const std::string& column = statistic.by[*time].value;
  const auto found = wording.period(column);
  if (!found) return std::nullopt;
  const TimePeriod period = *found;
  std::vector<ChartPanel> panels;
  std::map<std::string, std::size_t> places;
  std::size_t shown = 0;
  for (const AnswerLine& line : lines) {
    const auto day = day_of(line.group[*time], period);
    if (!day) return std::nullopt;
    const std::string series = series_words(wording, statistic, line.group, *time);
    const auto [place, added] = places.emplace(series, panels.size());
    if (added) panels.push_back({series, {}, wording.language()});
    if (place->second >= kMostSeries || shown >= kMostMarks) continue;
    ChartMark mark = mark_of(wording, line, wording.key(column, line.group[*time]), style);
    mark.day = *day;
    panels[place->second].marks.push_back(std::move(mark));
    ++shown;
  }
  std::erase_if(panels, [](const ChartPanel& panel) { return panel.marks.empty(); });
  for (ChartPanel& panel : panels) std::ranges::sort(panel.marks, {}, &ChartMark::day);
  const Chart chart = time_chart(panels, wording.description(statistic), wording.numerals());
  return Figure{chart.html,
                line_words(statistic, chart, chart.shaded ? "Shaded areas are" : "Thin lines are") +
                    first_words(shown, lines.size()),
                false};
}

}  // namespace lastbit::report::figure_internal
