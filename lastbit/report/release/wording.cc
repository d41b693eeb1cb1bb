#include "lastbit/report/release/wording.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "lastbit/base/escape.h"
#include "lastbit/release/kinds/registry.h"
#include "lastbit/report/numbers/answer_numbers.h"
#include "lastbit/report/release/words.h"

namespace lastbit::report {
namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

std::string capitalised(std::string words) {
  if (!words.empty() && is_lower(words.front())) {
    words.front() = static_cast<char>(words.front() - 'a' + 'A');
  }
  return words;
}

// in_sentence: Income as income, in English; abbreviations and other languages stay.
std::string in_sentence(std::string label, const std::string& language) {
  const bool english = language.empty() || language.starts_with("en");
  if (english && label.size() > 1 && is_upper(label[0]) && is_lower(label[1])) {
    label[0] = static_cast<char>(label[0] - 'A' + 'a');
  }
  return label;
}

// code_words: a name such as time_spent as words.
std::string code_words(const std::string& name) {
  std::string words = shown_text(name);
  const bool is_code =
      words.find(' ') == std::string::npos && words.find_first_not_of('_') != std::string::npos;
  if (is_code) std::ranges::replace(words, '_', ' ');
  return words;
}

// shorter: "mean of income" as "mean income".
std::string shorter(const std::string& description) {
  for (const std::string_view start : {"mean of ", "median of "}) {
    if (!description.starts_with(start)) continue;
    return std::string(start.substr(0, start.size() - 3)) + description.substr(start.size());
  }
  return description;
}

std::string time_words(const Date& date, TimePeriod period) {
  constexpr std::array kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  constexpr unsigned kMonthsOfQuarter = 3;
  const int year = static_cast<int>(date.year());
  const unsigned month = static_cast<unsigned>(date.month()) - 1;
  const std::string name = fmt::format("{} {}", kMonths.at(month), year);
  switch (period) {
    case TimePeriod::kMonth:
      return name;
    case TimePeriod::kQuarter:
      return fmt::format("Q{} {}", month / kMonthsOfQuarter + 1, year);
    case TimePeriod::kWeek:
      return fmt::format("week of {} {}", static_cast<unsigned>(date.day()), name);
    default:
      return fmt::format("{} {}", static_cast<unsigned>(date.day()), name);
  }
}

}  // namespace

const ColumnWording* Wording::find(const std::string& column) const {
  const ColumnDeclaration* declared = release_.find_column(column);
  return declared == nullptr ? nullptr : &declared->wording;
}

const std::string* Wording::find_label(const std::string& column, const std::string& key) const {
  const ColumnWording* wording = find(column);
  if (wording == nullptr) return nullptr;
  const auto label = wording->labels.find(key);
  return label == wording->labels.end() ? nullptr : &label->second.value;
}

std::string Wording::column(const std::string& name) const {
  const ColumnWording* wording = find(name);
  if (wording == nullptr || wording->label.empty()) return code_words(name);
  return in_sentence(shown_text(wording->label), language());
}

std::string Wording::with_unit(const std::string& name) const {
  const ColumnWording* wording = find(name);
  if (wording == nullptr || wording->unit.empty()) return column(name);
  return fmt::format("{} ({})", column(name), shown_text(wording->unit));
}

std::string Wording::column_title(const std::string& name) const { return with_unit(name); }

std::string Wording::describe(const Statistic& statistic) const {
  KindWords words{.column = [&](const std::string& name) { return with_unit(name); }};
  if (const auto& noun = release_.publication.noun) {
    words.units = noun->many;
    if (std::holds_alternative<RowUnit>(release_.unit)) words.rows = noun->many;
  }
  return shown_text(describe_kind(statistic.kind, words));
}

std::string Wording::by(const Statistic& statistic) const {
  std::string text;
  for (std::size_t i = 0; i < statistic.by.size(); ++i) {
    if (i > 0) text += i + 1 == statistic.by.size() ? " and " : ", ";
    text += column(statistic.by[i].value);
  }
  return text.empty() ? "" : "by " + text;
}

std::string Wording::description(const Statistic& statistic) const {
  const std::string groups = by(statistic);
  return groups.empty() ? describe(statistic) : fmt::format("{}, {}", describe(statistic), groups);
}

std::string Wording::heading(const Statistic& statistic) const {
  const StatisticWording& wording = statistic.wording;
  const std::string groups = by(statistic);
  if (!wording.title.empty()) {
    const std::string title = shown_text(wording.title);
    if (!wording.total) return title;
    return groups.empty() ? title + ": total" : fmt::format("{}: total {}", title, groups);
  }
  if (wording.named) return name_words(statistic.name.value);
  std::string words = capitalised(shorter(describe(statistic)));
  if (!groups.empty()) words += " " + groups;
  return wording.total ? words + ", total" : words;
}

std::string Wording::unit(const Statistic& statistic) const {
  const auto column = unit_column_of(statistic.kind);
  const ColumnWording* wording = column ? find(*column) : nullptr;
  return wording == nullptr ? "" : shown_text(wording->unit);
}

std::string Wording::key(const std::string& column, const KeyValue& key) const {
  const std::string text = text_of(key);
  if (const std::string* label = find_label(column, text)) return shown_key(*label);
  const auto* date = std::get_if<Date>(&key);
  return date == nullptr ? shown_key(text)
                         : time_words(*date, period(column).value_or(TimePeriod::kDay));
}

std::string Wording::keys(const Statistic& statistic, std::span<const KeyValue> keys) const {
  std::string text;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string& name = statistic.by.at(i).value;
    const bool alone = find_label(name, text_of(keys[i])) != nullptr || period(name).has_value();
    if (i > 0) text += ", ";
    text += alone ? key(name, keys[i]) : fmt::format("{}: {}", column(name), key(name, keys[i]));
  }
  return text;
}

std::string Wording::cell(const Statistic& statistic, const AnswerLine& line) const {
  if (line.cell.empty()) return "";
  if (std::holds_alternative<QuantilesFigure>(figure_of(statistic.kind))) {
    return numerals_.text(percent_text(Rational::parse(line.cell)));
  }
  if (categories_of(statistic.kind) != nullptr && !line.choice) {
    const std::string column = roles_of(statistic.kind).front().column.value;
    if (const std::string* label = find_label(column, line.cell)) return shown_key(*label);
  }
  return shown_key(line.cell);
}

std::optional<TimePeriod> Wording::period(const std::string& column) const {
  const ColumnDeclaration* declared = release_.find_column(column);
  if (declared == nullptr) return std::nullopt;
  if (declared->wording.period) return declared->wording.period;
  const bool dates = declared->type && declared->type->value == FieldType::kDate;
  return dates ? std::optional(TimePeriod::kDay) : std::nullopt;
}

bool Wording::has_order(const std::string& column, const KeyValue& example) const {
  const ColumnWording* wording = find(column);
  return (wording != nullptr && wording->ranges) || !std::holds_alternative<std::string>(example);
}

std::string Wording::one_unit() const {
  if (release_.publication.noun) return shown_text("one " + release_.publication.noun->one);
  return unit_words(release_.unit);
}

std::optional<double> day_of(const KeyValue& key, TimePeriod period) {
  constexpr std::int64_t kLastYear = 9999;
  if (const auto* date = std::get_if<Date>(&key)) {
    return static_cast<double>(std::chrono::sys_days(*date).time_since_epoch().count());
  }
  const auto* year = std::get_if<std::int64_t>(&key);
  if (year == nullptr || period != TimePeriod::kYear) return std::nullopt;
  if (*year < 0 || *year > kLastYear) return std::nullopt;
  const Date first(std::chrono::year(static_cast<int>(*year)), std::chrono::January,
                   std::chrono::day(1));
  return static_cast<double>(std::chrono::sys_days(first).time_since_epoch().count());
}

}  // namespace lastbit::report
