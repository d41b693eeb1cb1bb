// UTF-8, strictly as the Unicode standard defines it (table 3-7), and how it is displayed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lastbit {

// kByteOrderMark: what some programs write before a text; it is not part of the text.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// first_invalid_utf8: the offset of the first byte that starts no well-formed character, or
// text.size() if there is none. Overlong forms, surrogates, characters above U+10FFFF and
// characters cut off by the end of the text are not well-formed. It never fails.
std::size_t first_invalid_utf8(std::string_view text);

// Character: the first character of a text, or a byte that starts no well-formed character.
struct Character {
  char32_t point = 0;  // the byte itself where it is not well-formed
  std::size_t bytes = 1;
  bool well_formed = false;
};
// read_character: requires a text that is not empty.
Character read_character(std::string_view text);

// as_utf8: the bytes of a character, which must be a Unicode scalar value.
std::string as_utf8(char32_t point);

// in_upper_case, in_lower_case: each character by itself, as utf8proc maps it, so that none becomes
// two: ß becomes ẞ. Bytes that are not UTF-8 stay as they are.
std::string in_upper_case(std::string_view text);
std::string in_lower_case(std::string_view text);

// is_hidden: an invisible character that may change how the text around it looks: controls, line
// ends, zero-width spaces, characters that change the writing direction, tags, fillers, joiners,
// variation selectors, and code points that are not characters.
bool is_hidden(char32_t point);
// is_joiner: hidden, but needed in some scripts and emoji: joiners and variation selectors.
bool is_joiner(char32_t point);

// display_width: how many terminal cells the text takes. Combining marks and the colours that Paint
// sets take none, wide East Asian characters and most emoji two; a byte that is not UTF-8 one.
std::size_t display_width(std::string_view text);
// display_width: of one character.
std::size_t display_width(const Character& character);

}  // namespace lastbit
