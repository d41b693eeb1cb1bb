// The picture of a statistic's answers on a page: which kind of chart, and what goes into it.
#pragma once

#include <string>
#include <vector>

#include "lastbit/base/html.h"
#include "lastbit/release/file/release_file.h"
#include "lastbit/release/plan/answer.h"
#include "lastbit/report/charts/chart.h"
#include "lastbit/report/numbers/answer_numbers.h"
#include "lastbit/report/release/wording.h"

namespace lastbit::report {

struct Figure {
  Html html;
  std::string caption;      // how to read it, as text
  bool has_numbers = true;  // whether it shows the answers as numbers too
};
// figure_of: needs at least one answer. If there are too many for a picture, the caption says so.
Figure figure_of(const Wording& wording, const Statistic& statistic,
                 const std::vector<AnswerLine>& lines);

// is_single: whether the only answer of a statistic is one number about everybody.
bool is_single(const std::vector<AnswerLine>& lines);
// in_reading_order: the answers largest first where there are many and their keys have no order;
// otherwise as they are.
std::vector<AnswerLine> in_reading_order(const Wording& wording, const Statistic& statistic,
                                         std::vector<AnswerLine> lines);

// quality_words: a warning about an answer, as in "use with caution"; empty for a good one.
std::string quality_words(const AnswerLine& line);
// missing_words: why an answer is missing.
std::string missing_words(const AnswerLine& line);

namespace figure_internal {

// mark_of: an answer as it is drawn.
ChartMark mark_of(const Wording& wording, const AnswerLine& line, std::string label,
                  const NumberStyle& style);
// line_words: what the thin lines of a picture, or its shaded areas, are.
std::string line_words(const Statistic& statistic, const Chart& chart,
                       std::string_view lines = "Thin lines are");
// first_words: that only some of the answers are shown; empty if all are.
std::string first_words(std::size_t shown, std::size_t all);
// time_figure: answers along a calendar; nothing if no column of the groups is a time.
std::optional<Figure> time_figure(const Wording& wording, const Statistic& statistic,
                                  const std::vector<AnswerLine>& lines, const NumberStyle& style);

}  // namespace figure_internal
}  // namespace lastbit::report
