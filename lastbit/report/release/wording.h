// Wording: what a release calls its statistics, columns and keys, and how it writes numbers: in the
// words of its file where that has some, otherwise in ours. For everything that people read.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lastbit/release/file/release_file.h"
#include "lastbit/release/plan/answer.h"
#include "lastbit/report/numbers/numerals.h"

namespace lastbit::report {

class Wording {
 public:
  // The release must outlive it.
  explicit Wording(const ReleaseFile& release)
      : release_(release), numerals_(release.publication.number_format) {}

  const Numerals& numerals() const { return numerals_; }
  const std::string& language() const { return release_.publication.language; }

  // heading: its title, else its name as words, else as in "Mean income (€ per year) by sex".
  std::string heading(const Statistic& statistic) const;
  // describes: whether the heading already says what the statistic is.
  bool describes(const Statistic& statistic) const {
    return statistic.wording.title.empty() && !statistic.wording.named;
  }
  // description: what it is, as in "mean of income (€ per year), by sex".
  std::string description(const Statistic& statistic) const;
  // unit: of its answers, as in "€ per year"; empty if the file does not say it.
  std::string unit(const Statistic& statistic) const;

  // column: its label within a sentence, otherwise its name. title: the same with its unit, as the
  // head of a table.
  std::string column(const std::string& name) const;
  std::string column_title(const std::string& name) const;
  // key: its label; a time as in "Mar 2026"; otherwise as it is.
  std::string key(const std::string& column, const KeyValue& key) const;
  // keys: of the first columns of the groups, as in "women, married: 0", where only labels stand by
  // themselves.
  std::string keys(const Statistic& statistic, std::span<const KeyValue> keys) const;
  // cell: which of several answers about a group this is; empty if there is one.
  std::string cell(const Statistic& statistic, const AnswerLine& line) const;

  // period: if the keys of a column are times. has_order: whether its keys have an order that
  // readers expect, as numbers, times and ranges do.
  std::optional<TimePeriod> period(const std::string& column) const;
  bool has_order(const std::string& column, const KeyValue& example) const;

  // one_unit: whose privacy is protected, as in "one household".
  std::string one_unit() const;

 private:
  const ColumnWording* find(const std::string& column) const;
  const std::string* find_label(const std::string& column, const std::string& key) const;
  std::string describe(const Statistic& statistic) const;
  std::string by(const Statistic& statistic) const;
  std::string with_unit(const std::string& column) const;

  const ReleaseFile& release_;
  Numerals numerals_;
};

// day_of: the first day of a time, counted from 1970; nothing if it is none, or too far away.
std::optional<double> day_of(const KeyValue& key, TimePeriod period);

}  // namespace lastbit::report
