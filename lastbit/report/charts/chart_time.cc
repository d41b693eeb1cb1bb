// Numbers along a calendar.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include "lastbit/base/error.h"
#include "lastbit/report/charts/chart.h"
#include "lastbit/report/charts/chart_parts.h"
#include "lastbit/report/charts/chart_scale.h"

namespace lastbit::report {
namespace {

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
using chart_internal::ticks_of;

using std::chrono::sys_days;
using std::chrono::year_month_day;

// More intervals than these in one picture are drawn as an area.
constexpr std::size_t kMostBars = 40;

// DaySpan: the days of all panels, and the shortest time between two of them.
struct DaySpan {
  double first = std::numeric_limits<double>::max();
  double last = std::numeric_limits<double>::lowest();
  double least = std::numeric_limits<double>::max();

  double days() const { return std::max(1.0, last - first); }
  // percent: a little away from the edges.
  double percent(double day) const {
    constexpr double kRoom = 2;
    return first == last ? 50 : kRoom + (100 - 2 * kRoom) * (day - first) / days();
  }
};

DaySpan span_of(const std::vector<ChartPanel>& panels) {
  DaySpan span;
  for (const ChartPanel& panel : panels) {
    for (std::size_t i = 0; i < panel.marks.size(); ++i) {
      const double day = panel.marks[i].day;
      span.first = std::min(span.first, day);
      span.last = std::max(span.last, day);
      if (i > 0) span.least = std::min(span.least, day - panel.marks[i - 1].day);
    }
  }
  return span;
}

// CalendarStep: every so many months, or, if that is 0, every so many days.
struct CalendarStep {
  int months;
  int days;
};
constexpr double kDaysOfMonth = 30.4375;

// step_for: the finest step that gives at most `most` ticks and is not finer than the marks.
CalendarStep step_for(const DaySpan& span, double most) {
  constexpr double kNearly = 0.9;  // February is a month too
  constexpr std::array kSteps = {
      CalendarStep{0, 1},    CalendarStep{0, 7},    CalendarStep{0, 14},   CalendarStep{1, 0},
      CalendarStep{3, 0},    CalendarStep{6, 0},    CalendarStep{12, 0},   CalendarStep{24, 0},
      CalendarStep{60, 0},   CalendarStep{120, 0},  CalendarStep{240, 0},  CalendarStep{600, 0},
      CalendarStep{1200, 0}, CalendarStep{6000, 0}, CalendarStep{24000, 0}};
  for (const CalendarStep& step : kSteps) {
    const double length = step.months > 0 ? step.months * kDaysOfMonth : step.days;
    if (span.days() / length + 1 <= most && length >= kNearly * std::min(span.least, span.days())) {
      return step;
    }
  }
  return kSteps.back();
}

// DayTick: a day with a label, and one below it where a year begins to be read.
struct DayTick {
  double day;
  std::string label;
  std::string year;
};

std::string month_name(const year_month_day& date) {
  constexpr std::array kNames = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                 "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  return kNames.at(static_cast<unsigned>(date.month()) - 1);
}

DayTick tick_at(sys_days day, const CalendarStep& step, int& year) {
  constexpr int kYear = 12;
  const year_month_day date(day);
  const int now = static_cast<int>(date.year());
  DayTick tick{static_cast<double>(day.time_since_epoch().count()), "", ""};
  if (step.months >= kYear) {
    tick.label = std::to_string(now);
    return tick;
  }
  tick.label = step.months > 0
                   ? month_name(date)
                   : fmt::format("{} {}", static_cast<unsigned>(date.day()), month_name(date));
  if (now != year) tick.year = std::to_string(now);
  year = now;
  return tick;
}

sys_days to_day(double day) {
  constexpr double kFarthest = 2'000'000;  // some five thousand years from 1970
  return sys_days(std::chrono::days(static_cast<int>(std::clamp(day, -kFarthest, kFarthest))));
}

// day_ticks: the first days of round periods within the span.
std::vector<DayTick> day_ticks(const DaySpan& span, double most) {
  const sys_days first = to_day(span.first);
  const sys_days last = to_day(span.last);
  const CalendarStep step = step_for(span, most);
  std::vector<DayTick> ticks;
  int year = std::numeric_limits<int>::min();
  if (step.months == 0) {
    sys_days day = first;
    // Weeks begin on Mondays.
    if (step.days > 1) {
      day += (std::chrono::Monday - std::chrono::weekday(first)) % std::chrono::days(7);
    }
    for (; day <= last; day += std::chrono::days(step.days)) {
      ticks.push_back(tick_at(day, step, year));
    }
    return ticks;
  }
  const year_month_day start(first);
  int month = static_cast<int>(start.year()) * 12 + static_cast<int>(unsigned{start.month()}) - 1;
  month -= ((month % step.months) + step.months) % step.months;
  for (;; month += step.months) {
    const int of_year = ((month % 12) + 12) % 12;
    const year_month_day date(std::chrono::year((month - of_year) / 12),
                              std::chrono::month(static_cast<unsigned>(of_year) + 1),
                              std::chrono::day(1));
    const sys_days day(date);
    if (day > last) return ticks;
    if (day >= first) ticks.push_back(tick_at(day, step, year));
  }
}

Html time_axis(const DaySpan& span, double most) {
  const std::vector<DayTick> ticks = day_ticks(span, most);
  Html labels;
  for (const DayTick& tick : ticks) {
    const double at = span.percent(tick.day);
    labels += relative_line("rule", at, 100, at, 82);
    labels += format_html("<text x=\"{}\" y=\"17\" text-anchor=\"middle\">{}</text>", percent(at),
                          tick.label);
    if (tick.year.empty()) continue;
    labels += format_html("<text x=\"{}\" y=\"31\" text-anchor=\"middle\">{}</text>", percent(at),
                          tick.year);
  }
  return format_html(
      "<svg class=\"axis\" width=\"100%\" height=\"34\" aria-hidden=\"true\">{}</svg>", labels);
}

// Trace: places of a path, in thousandths of a picture that is stretched to its size.
class Trace {
 public:
  void add(double x, double y) {
    path_ += fmt::format("{}{:.1f},{:.1f} ", pen_down_ ? "L" : "M", 10 * x, 1000 - 10 * y);
    pen_down_ = true;
  }
  void lift() { pen_down_ = false; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool pen_down_ = false;
};

// line_of: joins the values; a missing one leaves a gap.
std::string line_of(const ChartPanel& panel, const DaySpan& span, const ChartScale& up) {
  Trace line;
  for (const ChartMark& mark : panel.marks) {
    if (mark.missing) {
      line.lift();
    } else {
      line.add(span.percent(mark.day), up.percent(mark.value));
    }
  }
  return line.path();
}

// band_of: the intervals of marks that follow each other, as areas.
std::string band_of(const ChartPanel& panel, const DaySpan& span, const ChartScale& up) {
  std::string band;
  for (std::size_t from = 0; from < panel.marks.size();) {
    std::size_t to = from;
    while (to < panel.marks.size() && panel.marks[to].interval && !panel.marks[to].missing) ++to;
    Trace area;
    const auto add = [&](const ChartMark& mark, bool upper) {
      if (!mark.interval) return;
      const auto& ends = *mark.interval;
      area.add(span.percent(mark.day), up.percent(upper ? ends.upper : ends.lower));
    };
    for (std::size_t i = from; i < to; ++i) add(panel.marks[i], true);
    for (std::size_t i = to; i > from; --i) add(panel.marks[i - 1], false);
    if (to > from) band += area.path() + "Z ";
    from = to + 1;
  }
  return band;
}

Html stretched(const Html& paths) {
  return format_html(
      "<svg class=\"stretch\" width=\"100%\" height=\"100%\" viewBox=\"0 0 1000 1000\" "
      "preserveAspectRatio=\"none\">{}</svg>",
      paths);
}

Html picture_of(const ChartPanel& panel, const DaySpan& span, const ChartScale& up) {
  constexpr std::size_t kMostMarked = 150;
  const bool few = panel.marks.size() <= kMostBars;
  const bool some = panel.marks.size() <= kMostMarked;
  Html paths;
  if (!few) paths += format_html("<path class=\"band\" d=\"{}\"/>", band_of(panel, span, up));
  paths += format_html("<path class=\"curve\" d=\"{}\"/>", line_of(panel, span, up));
  Html content = stretched(paths);
  for (const ChartMark& mark : panel.marks) {
    if (mark.missing) continue;
    const double x = span.percent(mark.day);
    if (few) content += error_bar(up, mark, x, 0);
    if (!few && !(some && mark.poor)) continue;
    content +=
        dot(mark.flag.empty() ? "dot middle" : "dot", x, up.percent(mark.value), 3.5, named(mark));
  }
  return content;
}

}  // namespace

Chart time_chart(const std::vector<ChartPanel>& panels, const std::string& description,
                 const Numerals& numerals) {
  invariant(!panels.empty() && !panels.front().marks.empty(), "a chart has a mark");
  const ChartScale up = ChartScale::from_zero(scale_values(panels));
  const DaySpan span = span_of(panels);
  const bool many = panels.size() > 1;
  Html all;
  for (const ChartPanel& panel : panels) {
    const std::string words =
        panel.title.empty() ? description : fmt::format("{}, {}", description, panel.title);
    all += panel_of(panel, framed(picture_of(panel, span, up), ticks_of(up, numerals),
                                  time_axis(span, many ? 5 : 9), words));
  }
  const bool shaded = std::ranges::any_of(
      panels, [](const ChartPanel& panel) { return panel.marks.size() > kMostBars; });
  return {side_by_side(all, panels.size()), count_cut(up, panels), shaded};
}

}  // namespace lastbit::report
