// Small text helpers shared by every module.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lastbit {

// is_digit: one of 0 to 9, in any locale.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// TextCharacter: the first character of a text, or a byte that starts no well-formed UTF-8.
struct TextCharacter {
  std::size_t bytes = 1;
  bool printable = false;  // not a control, and not invisible with an effect on others
  bool joins = false;      // ZWNJ and ZWJ: invisible, but some scripts are written with them
};
// first_character: requires a text that is not empty.
TextCharacter first_character(std::string_view text);

// quote: `text` in single quotes, cut off after at most `limit` bytes. Unprintable characters
// appear as \xNN, so that hostile input cannot garble a terminal or flood a log.
std::string quote(std::string_view text, std::size_t limit = 40);

// joined: the parts with `separator` between them.
std::string joined(std::span<const std::string> parts, std::string_view separator);

// nearest_name: the candidate that a mistyped `name` was most likely meant to be: the first of
// those with the fewest edits (insert, delete, replace, swap of neighbours; case is ignored), if
// that is one edit, or at most a third of its length.
std::optional<std::string> nearest_name(std::string_view name,
                                        std::span<const std::string> candidates);

}  // namespace lastbit
