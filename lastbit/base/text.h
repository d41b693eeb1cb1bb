// Small text helpers shared by every module.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lastbit {

// is_digit: one of 0 to 9, whatever the locale says.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// TextCharacter: the first of a text. A byte that begins no well-formed UTF-8 is one of its own.
struct TextCharacter {
  std::size_t bytes = 1;
  bool printable =
      false;           // no control character, and nothing invisible that changes what is around it
  bool joins = false;  // ZWNJ and ZWJ: invisible, but some scripts are written with them
};
// first_character: of a text that is not empty.
TextCharacter first_character(std::string_view text);

// quote: `text` in single quotes, cut before its `limit` bytes are exceeded. What is not printable
// stands there as \xNN, so that hostile input cannot garble a terminal or flood a log.
std::string quote(std::string_view text, std::size_t limit = 40);

// joined: the parts with `separator` between them.
std::string joined(std::span<const std::string> parts, std::string_view separator);

// nearest_name: the candidate that a mistyped `name` was most likely meant to be: the first of
// those with the fewest edits (insert, delete, replace, swap of neighbours; case is ignored), if
// that is at most a third of its length, or one edit.
std::optional<std::string> nearest_name(std::string_view name,
                                        std::span<const std::string> candidates);

}  // namespace lastbit
