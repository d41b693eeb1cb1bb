// What the demo computes: a handful of statistics, each a chain of transformations with its exact
// sensitivity, its exact value on the survey, and the checks of its claim.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cli/commands/reports.h"
#include "cli/demo/survey_table.h"

namespace lastbit::cli {

struct Statistic {
  std::string title;
  std::string chain;        // the pieces, in order
  std::string from;         // input domain and metric
  std::string to;           // output domain and metric
  std::string sensitivity;  // map(1), exact
  std::string meaning;      // the same in words
  std::string result;       // exact, not private
  std::string readable;     // the same for people
  double seconds = 0;       // of computing the result
  std::vector<TimedReport> checks;
};

// survey_statistics: computed and checked one after another; `done` is called with the number that
// are finished. `sample` is the public size of the sample that the mean is taken of.
std::vector<Statistic> survey_statistics(const SurveyTable& survey, std::size_t sample,
                                         const std::function<void(std::size_t)>& done);
inline constexpr std::size_t kStatistics = 6;

// WrongSum: the mistake that the demo shows being caught: doubles added in row order, sold at the
// sensitivity of exact addition.
struct WrongSum {
  double in_file_order = 0;  // of the survey's incomes, each in [0, 200000]
  double in_reverse_order = 0;
  TimedReport check;
};
WrongSum wrong_sum(const SurveyTable& survey);

}  // namespace lastbit::cli
