#include "lastbit/report/inspection/field_remedy.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "lastbit/base/escape.h"
#include "lastbit/base/text.h"
#include "lastbit/release/fields/field_text.h"

namespace lastbit::report {
namespace {

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

// means_missing: what people write where there is nothing.
bool means_missing(const std::string& text) {
  constexpr std::array<std::string_view, 12> kWords = {"",     "na",  "n/a", "n.a.", "nan", "null",
                                                       "none", "nil", "-",   "--",   ".",   "?"};
  std::string lower = text;
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return std::ranges::find(kWords, lower) != kWords.end();
}

// without: the text without a separator; nothing changed where it has none.
std::string without(std::string text, std::string_view separator) {
  for (std::size_t at = text.find(separator); at != std::string::npos; at = text.find(separator)) {
    text.erase(at, separator.size());
  }
  return text;
}

bool has_decimal_comma(const std::string& text) {
  const std::size_t comma = text.rfind(',');
  if (comma == std::string::npos || text.size() - comma == 4) return false;  // 1,500 may be 1500
  std::string pointed = without(text.substr(0, comma), ".");
  return read_real(pointed + "." + text.substr(comma + 1)).has_value();
}

// has_thousands_point: as in 9.110 or 1.234.567, which also reads as 9.11.
bool has_thousands_point(const std::string& text) {
  const std::size_t point = text.find('.');
  if (point == std::string::npos || point == 0 || point > 3) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool expected_point = i >= point && (i - point) % 4 == 0;
    if (expected_point != (text[i] == '.')) return false;
    if (!expected_point && (text[i] < '0' || text[i] > '9')) return false;
  }
  return (text.size() - point) % 4 == 0;
}

// separator_of: between thousands, as in 12 000; empty if there is none.
std::string separator_of(const std::string& text) {
  constexpr std::array<std::string_view, 6> kSeparators = {",", " ", ".", "'", "\u00a0", "\u202f"};
  for (const std::string_view separator : kSeparators) {
    const std::size_t last = text.rfind(separator);
    const bool three = last != std::string::npos && text.size() >= last + separator.size() + 3;
    if (three && read_real(without(text, separator))) return std::string(separator);
  }
  return "";
}

// written_separator: as a release file can tell it from an ordinary space.
std::string written_separator(const std::string& separator) {
  if (separator == "\u00a0") return "\\u00a0";
  return separator == "\u202f" ? "\\u202f" : separator;
}

std::string number_remedy(const InspectedColumn& column, const std::vector<std::string>& texts) {
  const auto all = [&](const auto& test) { return std::ranges::all_of(texts, test); };
  if (column.type != FieldType::kReal && all(has_thousands_point)) {
    return "If a point separates thousands, write thousands = \".\" and decimal = \",\" in "
           "[source].";
  }
  if (column.type != FieldType::kReal &&
      all([](const std::string& text) { return read_real(text).has_value(); })) {
    return fmt::format("Declare type = \"real\" for `{}`.", shown_text(column.name));
  }
  if (const auto comma = std::ranges::find_if(texts, has_decimal_comma); comma != texts.end()) {
    const bool grouped = comma->find('.') != std::string::npos;
    return fmt::format("If the file writes decimals with a comma, write {} in [source].",
                       grouped ? "decimal = \",\" and thousands = \".\"" : "decimal = \",\"");
  }
  for (const std::string& text : texts) {
    const std::string separator = separator_of(text);
    if (!separator.empty()) {
      return fmt::format("If the file separates thousands, write thousands = \"{}\" in [source].",
                         written_separator(separator));
    }
  }
  return "Correct the file, or declare another `type`.";
}

// date_remedy: for dates such as 31.12.2025, whose separator can be told.
std::string date_remedy(const std::string& text) {
  const std::size_t first = text.find_first_not_of("0123456789");
  const char separator = first == std::string::npos ? '.' : text[first];
  const bool known = separator == '.' || separator == '/' || separator == '-';
  const std::size_t second = known ? text.find(separator, first + 1) : std::string::npos;
  const bool parted = first != std::string::npos && second != std::string::npos &&
                      text.size() == second + 5 &&
                      text.find_first_not_of("0123456789", second + 1) == std::string::npos;
  const char mark = parted ? separator : '.';
  return fmt::format(
      "Dates are read as in 2026-03-01. If the file writes the day first, write date_format = "
      "\"%d{0}%m{0}%Y\" in [source].",
      mark);
}

}  // namespace

std::string values_words(FieldType type) {
  switch (type.kind()) {
    case FieldType::kInteger:
      return "whole numbers";
    case FieldType::kReal:
      return "numbers";
    case FieldType::kUnsigned:
      return "whole numbers from 0 on";
    case FieldType::kDecimal:
      return fmt::format("numbers with at most {} decimals", type.decimals());
    case FieldType::kBoolean:
      return "true or false";
    case FieldType::kDate:
      return "dates";
    case FieldType::kTimestamp:
      return "timestamps";
    case FieldType::kTime:
      return "times of day";
    case FieldType::kText:
      break;
  }
  return "texts";
}

std::string field_remedy(const InspectedColumn& column, bool text_file) {
  if (!text_file) {
    return "Such values are NaN, infinite, beyond 64 bits or outside the years 0 to 9999. Correct "
           "them where the file is made.";
  }
  std::vector<std::string> texts;
  for (const UnreadableField& field : column.facts.first) texts.push_back(trimmed(field.text));
  if (texts.empty()) return "Correct the file, or declare another `type`.";
  if (std::ranges::all_of(texts, means_missing)) {
    return fmt::format("If {} means missing, add it to `null_text` in [source].",
                       quote(texts.front(), 30));
  }
  if (is_number(column.type)) return number_remedy(column, texts);
  switch (column.type.kind()) {
    case FieldType::kDate:
      return date_remedy(texts.front());
    case FieldType::kTimestamp:
      return "Timestamps are read as in 2026-03-01T10:00:00. Correct the file, or declare another "
             "`type`.";
    case FieldType::kBoolean:
      return "If the file has other words for true and false, say which with `true_text` and "
             "`false_text` in [source].";
    default:
      return "Correct the file, or declare another `type`.";
  }
}

}  // namespace lastbit::report
