#include "lastbit/release/fields/field_notation.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "lastbit/base/text.h"
#include "lastbit/release/fields/field_text.h"

namespace lastbit {
namespace {

std::string_view without_spaces(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// digits_at_front: takes the digits that a text starts with, at most so many.
std::string_view digits_at_front(std::string_view& text, std::size_t most = std::string::npos) {
  const auto end = std::ranges::find_if_not(text, is_digit);
  const std::size_t count = std::min(static_cast<std::size_t>(end - text.begin()), most);
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

// plain_number: the same number as field_text.h reads it; nothing, or a text that is no number, if
// it is none.
std::optional<std::string> plain_number(std::string_view text, const FieldNotation& notation) {
  text = without_spaces(text);
  std::string plain;
  plain.reserve(text.size());
  if (text.starts_with('+') || text.starts_with('-')) {
    plain += text.front();
    text.remove_prefix(1);
  }
  const std::string_view first = digits_at_front(text);
  plain += first;
  const std::string& between = notation.thousands;
  if (!between.empty() && text.starts_with(between)) {
    // A number such as 0.123 was probably not meant to be 123.
    if (first.empty() || first.size() > 3 || first.front() == '0') return std::nullopt;
    while (text.starts_with(between)) {
      text.remove_prefix(between.size());
      const std::string_view group = digits_at_front(text);
      if (group.size() != 3) return std::nullopt;
      plain += group;
    }
  }
  if (text.starts_with(notation.decimal)) {
    plain += '.';
    text.remove_prefix(1);
  }
  if (text.find('.') != std::string_view::npos) return std::nullopt;
  plain += text;
  return plain;
}

// read_plain: what `read` makes of the number in plain notation.
template <class Read>
auto read_plain(std::string_view text, const FieldNotation& notation, Read read)
    -> decltype(read(text)) {
  if (notation.decimal == '.' && notation.thousands.empty()) return read(text);
  const auto plain = plain_number(text, notation);
  if (!plain) return std::nullopt;
  return read(std::string_view(*plain));
}

// take_date: takes a date in this format from the front of a text.
std::optional<std::chrono::year_month_day> take_date(std::string_view& text,
                                                     std::string_view format) {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  while (!format.empty()) {
    if (format.front() != '%') {
      if (!text.starts_with(format.front())) return std::nullopt;
      text.remove_prefix(1);
      format.remove_prefix(1);
      continue;
    }
    const bool one_or_two = format[1] == '-';
    const char part = format[one_or_two ? 2 : 1];
    format.remove_prefix(one_or_two ? 3 : 2);
    const std::size_t size = part == 'Y' ? 4 : 2;
    const std::string_view digits = digits_at_front(text, size);
    if (digits.size() != size && !(one_or_two && digits.size() == 1)) return std::nullopt;
    unsigned number = 0;
    for (const char digit : digits) number = number * 10 + static_cast<unsigned>(digit - '0');
    if (part == 'Y') year = static_cast<int>(number);
    if (part == 'm') month = number;
    if (part == 'd') day = number;
  }
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                         std::chrono::day(day)};
  if (!date.ok()) return std::nullopt;
  return date;
}

}  // namespace

bool is_date_format(std::string_view format) {
  if (format != without_spaces(format)) return false;
  std::string parts;
  bool open = false;  // whether more digits could belong to the part before
  while (!format.empty()) {
    const char c = format.front();
    format.remove_prefix(1);
    if (c != '%') {
      const auto byte = static_cast<unsigned char>(c);
      if (is_digit(c) || byte < 0x20 || byte == 0x7f) return false;
      open = false;
      continue;
    }
    if (open) return false;
    open = format.starts_with('-');
    if (open) format.remove_prefix(1);
    if (format.empty() || (open && format.front() == 'Y')) return false;
    parts += format.front();
    format.remove_prefix(1);
  }
  std::ranges::sort(parts);
  return parts == "Ydm";
}

std::optional<std::int64_t> read_integer(std::string_view text, const FieldNotation& notation) {
  return read_plain(text, notation, [](std::string_view plain) { return read_integer(plain); });
}

std::optional<Int128> read_unsigned(std::string_view text, const FieldNotation& notation) {
  return read_plain(text, notation, [](std::string_view plain) { return read_unsigned(plain); });
}

std::optional<Int128> read_decimal(std::string_view text, int decimals,
                                   const FieldNotation& notation) {
  return read_plain(text, notation,
                    [decimals](std::string_view plain) { return read_decimal(plain, decimals); });
}

std::optional<double> read_real(std::string_view text, const FieldNotation& notation) {
  return read_plain(text, notation, [](std::string_view plain) { return read_real(plain); });
}

std::optional<bool> read_boolean(std::string_view text, const FieldNotation& notation) {
  const std::string_view word = without_spaces(text);
  if (std::ranges::find(notation.true_texts, word) != notation.true_texts.end()) return true;
  if (std::ranges::find(notation.false_texts, word) != notation.false_texts.end()) return false;
  const auto usual = read_boolean(word);
  if (!usual) return std::nullopt;
  const bool replaced = *usual ? !notation.true_texts.empty() : !notation.false_texts.empty();
  return replaced ? std::nullopt : usual;
}

std::optional<std::int64_t> read_date(std::string_view text, const FieldNotation& notation) {
  if (notation.date_format.empty()) return read_date(text);
  text = without_spaces(text);
  const auto date = take_date(text, notation.date_format);
  if (!date || !text.empty()) return std::nullopt;
  return std::chrono::sys_days(*date).time_since_epoch().count();
}

std::optional<std::int64_t> read_timestamp(std::string_view text, const TimeZone& zone,
                                           const FieldNotation& notation) {
  if (notation.date_format.empty()) return read_timestamp(text, zone);
  text = without_spaces(text);
  const auto date = take_date(text, notation.date_format);
  // The longest time with an offset has 22 characters; longer texts need not be copied.
  if (!date || text.size() > 30) return std::nullopt;
  return read_timestamp(
      fmt::format("{:04}-{:02}-{:02}{}", static_cast<int>(date->year()),
                  static_cast<unsigned>(date->month()), static_cast<unsigned>(date->day()), text),
      zone);
}

}  // namespace lastbit
