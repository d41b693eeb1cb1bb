#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/base/csv.h"
#include "lastbit/base/error.h"
#include "lastbit/numerics/decimal.h"
#include "lastbit/release/plan/reliability.h"
#include "lastbit/report/release/release_report.h"

namespace lastbit::report {
namespace {

constexpr std::array<std::string_view, 8> kAfterKeys = {
    "cell", "choice", "answer", "lower", "upper", "confidence", "reliability", "suppressed"};
constexpr std::string_view kBeforeKeys = "statistic";

// KeyColumns: a column of the file for every column of `by`, in the order in which they appear.
class KeyColumns {
 public:
  explicit KeyColumns(const ReleasePlan& plan) {
    for (const PlannedStatistic& planned : plan.statistics) {
      for (const auto& column : planned.statistic.by) {
        if (places_.emplace(column.value, names_.size()).second) names_.push_back(column.value);
      }
    }
  }

  std::size_t size() const { return names_.size(); }
  std::size_t place_of(const std::string& column) const { return places_.at(column); }

  // titles: the names; `key.` comes before those that other columns of the file have.
  std::vector<std::string> titles() const {
    std::set<std::string, std::less<>> taken(kAfterKeys.begin(), kAfterKeys.end());
    taken.emplace(kBeforeKeys);
    std::vector<std::string> titles;
    for (const std::string& name : names_) {
      std::string title = name;
      const auto is_other = [&] { return title != name && places_.contains(title); };
      while (taken.contains(title) || is_other()) title.insert(0, "key.");
      taken.insert(title);
      titles.push_back(std::move(title));
    }
    return titles;
  }

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::size_t> places_;
};

CsvField csv_number(const Rational& value, Rounding rounding) {
  constexpr int kDigits = 17;
  const std::string exact = value.to_string();
  const bool is_decimal = exact.find('/') == std::string::npos;
  return CsvField::word(is_decimal ? exact : decimal_text(value, kDigits, rounding));
}

std::string answer_line(const Statistic& statistic, const AnswerLine& line,
                        const KeyColumns& columns) {
  std::vector<CsvField> keys(columns.size(), CsvField::nothing());
  for (std::size_t i = 0; i < line.group.size(); ++i) {
    keys[columns.place_of(statistic.by.at(i).value)] = CsvField::text(text_of(line.group[i]));
  }
  const auto& interval = line.interval;
  const auto reliability = reliability_of(line);
  std::vector<CsvField> fields = {CsvField::text(statistic.name.value)};
  fields.insert(fields.end(), keys.begin(), keys.end());
  const std::vector<CsvField> rest = {
      CsvField::text(line.cell),
      CsvField::text(line.choice ? text_of(*line.choice) : ""),
      line.value ? csv_number(*line.value, Rounding::kNearestEven) : CsvField::nothing(),
      interval ? csv_number(interval->lower, Rounding::kDown) : CsvField::nothing(),
      interval ? csv_number(interval->upper, Rounding::kUp) : CsvField::nothing(),
      csv_number(statistic.confidence.value, Rounding::kDown),
      reliability ? CsvField::word(name_of(*reliability)) : CsvField::nothing(),
      CsvField::word(line.suppressed ? "true" : "false")};
  fields.insert(fields.end(), rest.begin(), rest.end());
  return csv_line(fields);
}

std::string title_line(const KeyColumns& columns) {
  std::vector<CsvField> titles = {CsvField::word(kBeforeKeys)};
  for (const std::string& title : columns.titles()) titles.push_back(CsvField::text(title));
  for (const std::string_view title : kAfterKeys) titles.push_back(CsvField::word(title));
  return csv_line(titles);
}

}  // namespace

std::string answers_csv(const ReleasePlan& plan, const Release& release) {
  invariant(plan.statistics.size() == release.answers.size(), "every statistic has its answers");
  const KeyColumns columns(plan);
  std::string text = title_line(columns);
  for (std::size_t i = 0; i < release.answers.size(); ++i) {
    for (const AnswerLine& line : release.answers[i].lines) {
      text += answer_line(plan.statistics[i].statistic, line, columns);
    }
  }
  return text;
}

}  // namespace lastbit::report
