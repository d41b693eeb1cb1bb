// UTF-8, as strictly as the Unicode standard defines it (table 3-7), and how characters are shown.
#pragma once

#include <cstddef>
#include <string_view>

namespace lastbit {

// kByteOrderMark: what some programs write before a text; it is no part of it.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// first_invalid_utf8: the offset of the first byte that starts no well-formed character, or
// text.size() where there is none. Overlong forms, surrogates, characters above U+10FFFF and
// characters that the end of the text cuts off are not well-formed. It never fails.
std::size_t first_invalid_utf8(std::string_view text);

// Character: the first of a text. A byte that starts no well-formed character is one of its own.
struct Character {
  char32_t point = 0;  // the byte itself where it is not well-formed
  std::size_t bytes = 1;
  bool well_formed = false;
};
// read_character: of a text that is not empty.
Character read_character(std::string_view text);

// is_hidden: a character that is not seen, and may change how what is around it looks: controls, line
// ends, spaces without width, what turns the direction of writing, tags, fillers, joiners, variation
// selectors, and points that are no characters.
bool is_hidden(char32_t point);
// is_joiner: hidden, but some scripts and emoji are written with it: joiners and variation selectors.
bool is_joiner(char32_t point);

// display_width: how many cells of a terminal the text takes. Combining marks take none, wide East
// Asian characters and most emoji two, the colours that Paint sets none; a byte that is not UTF-8
// takes one.
std::size_t display_width(std::string_view text);
// display_width: of one character.
std::size_t display_width(const Character& character);

}  // namespace lastbit
