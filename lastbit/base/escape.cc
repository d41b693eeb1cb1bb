#include "lastbit/base/escape.h"

#include <fmt/core.h>

#include <cstdint>

#include "lastbit/base/utf8.h"

namespace lastbit {
namespace {

std::string escape_point(char32_t point) {
  const auto number = static_cast<std::uint32_t>(point);
  return number > 0xFFFF ? fmt::format("\\U{:08x}", number) : fmt::format("\\u{:04x}", number);
}

}  // namespace

std::string shown_text(std::string_view text) {
  std::string shown;
  bool may_join = false;  // the character before is visible and not ASCII
  while (!text.empty()) {
    const Character next = read_character(text);
    const bool joins = may_join && next.well_formed && is_joiner(next.point);
    if (!next.well_formed) {
      shown += fmt::format("\\x{:02x}", static_cast<std::uint32_t>(next.point));
    } else if (is_hidden(next.point) && !joins) {
      shown += escape_point(next.point);
    } else {
      shown += text.substr(0, next.bytes);
    }
    may_join = next.well_formed && next.point >= 0x80 && (joins || !is_hidden(next.point));
    text.remove_prefix(next.bytes);
  }
  return shown;
}

std::string with_hidden_escaped(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const Character next = read_character(text);
    const bool hidden = next.well_formed && is_hidden(next.point);
    shown += hidden ? escape_point(next.point) : std::string(text.substr(0, next.bytes));
    text.remove_prefix(next.bytes);
  }
  return shown;
}

std::string shell_text(std::string_view text) {
  constexpr std::string_view kHarmless =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-";
  // A word with a leading - would be taken for an option.
  const std::string word = (text.starts_with('-') ? "./" : "") + std::string(text);
  if (!word.empty() && word.find_first_not_of(kHarmless) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace lastbit
