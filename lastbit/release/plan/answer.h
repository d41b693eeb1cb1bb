// Answers: what a release publishes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lastbit/accuracy/ranges.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/release/fields/field.h"

namespace lastbit {

// AnswerLine: one answer of a statistic.
struct AnswerLine {
  KeyTuple group;  // one key for each column of `by`
  // Which of several answers about a group this is: a category, a bin such as "[0, 18)", the level
  // of a quantile, the place of a top category. Empty if there is only one.
  std::string cell;
  std::optional<KeyValue> choice;  // the category in this place, for `top`
  // Nothing for `top` where public categories are chosen one by one, for a ratio by what may be 0,
  // and if suppressed.
  std::optional<Rational> value;
  // Holds the statistic with the confidence, and the value; quantiles may have none. Both are cut
  // to what is possible.
  std::optional<Range> interval;
  // If the statistic finds its bounds: those that values outside counted as.
  std::optional<Range> bounds = std::nullopt;
  // Whether noise had moved the value to where no true value can be, such as below 0, so that it
  // was cut. Answers near there are too large on average.
  bool cut = false;
  // Whether the interval covers more than two thirds of what is possible in any case, so that the
  // answer says next to nothing.
  bool vague = false;
  // Whether value and interval were withheld because the release file asks for that where an
  // interval is wide.
  bool suppressed = false;
};

// StatisticAnswers: the answers of one statistic, in the order of its groups and cells.
struct StatisticAnswers {
  std::string name;
  std::vector<AnswerLine> lines;
  // What to read with these answers, in a line each: which tables they do not add up to.
  std::vector<std::string> notes = {};
};

}  // namespace lastbit
