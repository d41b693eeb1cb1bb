// Plans and releases in words. The names and keys in them can contain anything that a file
// contains; they are made safe to show (base/escape.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lastbit/release/plan/plan.h"
#include "lastbit/report/numbers/answer_numbers.h"

namespace lastbit::report {

// shown_key: shown_text, cut if it is very long, as discovered keys can be.
std::string shown_key(std::string_view text);

// name_words: the name of a statistic as a heading: mean_income as "Mean income".
std::string name_words(std::string_view name);
// kind_words: what a statistic is, as in "mean of income, by region and sex, where age >= 18".
std::string kind_words(const Statistic& statistic);
// by_words: the columns of the groups, as in "region, sex".
std::string by_words(const Statistic& statistic);
// mechanism_words: the different mechanisms that its parts use.
std::string mechanism_words(const PlannedStatistic& planned);
// rank_words: what to read beside the answers: for quantiles and top categories, by how many rows
// they may be off; for found bounds, what the interval is about; otherwise empty.
std::string rank_words(const PlannedStatistic& planned);
// unit_words: whose privacy is protected, as in "one row" or "one person".
std::string unit_words(const PrivacyUnit& unit);
// noise_words: what noise for such a loss achieves, in a sentence that promises no more than it
// delivers.
std::string noise_words(const Cost& cost);
// loss_warning: for a loss that protects hardly anyone; otherwise empty.
std::string loss_warning(const Cost& cost);
// same_confidence: the confidence of all statistics, if they share one.
std::optional<Rational> same_confidence(const ReleasePlan& plan);
// title_of: the title of a report: that of the file, or else its name.
std::string title_of(const ReleaseFile& release);

// interval_words: the interval of an answer, as in "± 412"; if one end is much nearer than the
// other, as in "(0 to 836)". Empty if there is none.
std::string interval_words(const AnswerLine& line, const NumberStyle& style);

// AnswerTable: the answers of a statistic as texts, for terminals and pages alike.
struct AnswerTable {
  struct Column {
    std::string title;
    bool number = false;
  };
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> marks = {};  // reliability_mark of each row, if the rows are answers
};
// answer_table: the first `most` answers. Ends of intervals are rounded outward. A suppressed
// answer says so.
AnswerTable answer_table(const Statistic& statistic, const std::vector<AnswerLine>& lines,
                         std::size_t most);

}  // namespace lastbit::report
