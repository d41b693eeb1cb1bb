#include "lastbit/release/file/toml_text.h"

#include <fmt/core.h>

#include <algorithm>

namespace lastbit::release_internal {

std::string written(const Rational& number) {
  static const Rational kLargest = Rational::two_to(62);
  const std::string text = number.to_string();
  return number.is_integer() && abs(number) <= kLargest ? text : toml_string(text);
}

std::string written(const KeyValue& key) {
  const auto* text = std::get_if<std::string>(&key);
  return text != nullptr ? toml_string(*text) : text_of(key);
}

// A text that represents a number would be read as text here, so a decimal is written as a number.
std::string written(const FieldValue& value) {
  if (const auto* number = std::get_if<Rational>(&value)) {
    constexpr int kMostPlaces = 310;
    Rational scaled = *number;
    for (int places = 0; places <= kMostPlaces; ++places, scaled *= 10) {
      if (!scaled.is_integer()) continue;
      const std::string digits = scaled.to_string();
      return places == 0 ? written(*number) : fmt::format("{}e-{}", digits, places);
    }
    return written(*number);
  }
  if (const auto* flag = std::get_if<bool>(&value)) return written(KeyValue(*flag));
  if (const auto* date = std::get_if<Date>(&value)) return written(KeyValue(*date));
  return toml_string(std::get<std::string>(value));
}

// Consecutive whole numbers are a range, however they were written.
std::string written(KeyList keys) {
  if (keys.empty()) return "[]";
  std::ranges::sort(keys);
  const auto* first = std::get_if<std::int64_t>(&keys.front());
  const auto* last = std::get_if<std::int64_t>(&keys.back());
  if (first != nullptr && last != nullptr &&
      KeyRange{*first, *last}.size() == Integer(keys.size())) {
    return fmt::format("{{ from = {}, to = {} }}", *first, *last);
  }
  return list_of(keys);
}
std::string written(const KeyRange& range) {
  return fmt::format("{{ from = {}, to = {} }}", range.first, range.last);
}

std::string written(const std::optional<Located<FieldValue>>& impute) {
  return impute ? fmt::format("{{ impute = {} }}", written(impute->value)) : "\"drop\"";
}

}  // namespace lastbit::release_internal
