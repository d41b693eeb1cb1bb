// The picture of a statistic's answers on a page: which kind of chart, and what goes into it.
#pragma once

#include <string>
#include <vector>

#include "lastbit/base/html.h"
#include "lastbit/release/file/release_file.h"
#include "lastbit/release/plan/answer.h"

namespace lastbit::report {

struct Figure {
  Html html;
  std::string caption;      // how to read it, as text
  bool has_numbers = true;  // whether it shows the answers as numbers too
};
// figure_of: needs at least one answer. If there are too many for a picture, the caption says so.
Figure figure_of(const Statistic& statistic, const std::vector<AnswerLine>& lines);

}  // namespace lastbit::report
