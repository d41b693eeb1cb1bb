#include "lastbit/base/utf8.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "lastbit/base/test_support.h"

namespace lastbit {
namespace utf8_test {

using std::string_literals::operator""s;

// first_invalid_by_decoding: the same answer, from the code points of the characters.
std::size_t first_invalid_by_decoding(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const unsigned lead = static_cast<unsigned char>(text[at]);
    const std::size_t size = lead < 0x80       ? 1
                             : lead >> 5 == 6  ? 2
                             : lead >> 4 == 14 ? 3
                             : lead >> 3 == 30 ? 4
                                               : 0;
    if (size == 0 || text.size() - at < size) return at;
    std::uint32_t character = size == 1 ? lead : lead & (0x7FU >> size);
    for (std::size_t i = 1; i < size; ++i) {
      const unsigned tail = static_cast<unsigned char>(text[at + i]);
      if (tail >> 6 != 2) return at;
      character = character << 6 | (tail & 0x3F);
    }
    const std::size_t shortest = character < 0x80      ? 1
                                 : character < 0x800   ? 2
                                 : character < 0x10000 ? 3
                                                       : 4;
    if (size != shortest || character > 0x10FFFF || character >> 11 == 0x1B) return at;
    at += size;
  }
  return at;
}

TEST(Utf8Test, AgreesWithDecodingOnAllFrontsOfThreeBytesAndCornersOfTheFourth) {
  const std::string fourth = "\x00\x7F\x80\xBF\xC0"s;
  for (unsigned bytes = 0x800000; bytes < 0x1000000; bytes += kThinning) {
    std::string text = {static_cast<char>(bytes >> 16), static_cast<char>(bytes >> 8),
                        static_cast<char>(bytes)};
    ASSERT_EQ(first_invalid_utf8(text), first_invalid_by_decoding(text)) << bytes;
    if (bytes < 0xF00000) continue;
    text += fourth[bytes % fourth.size()];
    ASSERT_EQ(first_invalid_utf8(text), first_invalid_by_decoding(text)) << bytes;
  }
}

TEST(Utf8Test, FindsTheByteWhereverItIs) {
  for (std::size_t before = 0; before < 40; ++before) {
    for (std::size_t after = 0; after < 40; ++after) {
      const std::string front(before, 'a');
      const std::string back(after, 'z');
      EXPECT_EQ(first_invalid_utf8(fmt::format("{}{}{}", front, "\x80", back)), before);
      EXPECT_EQ(first_invalid_utf8(fmt::format("{}{}{}", front, "\xC3\xA9", back)),
                before + 2 + after);
      EXPECT_EQ(first_invalid_utf8(fmt::format("{}{}{}", front, "\xC3\xA9\xFF", back)), before + 2);
    }
  }
}

// encoded: any code point as UTF-8.
std::string encoded(char32_t point) {
  const auto part = [&](unsigned shift, std::uint32_t lead) {
    return static_cast<char>(
        lead | ((static_cast<std::uint32_t>(point) >> shift) & (lead == 0x80 ? 0x3FU : 0x7FU)));
  };
  if (point < 0x80) return {static_cast<char>(point)};
  if (point < 0x800) return {part(6, 0xC0), part(0, 0x80)};
  if (point < 0x10000) return {part(12, 0xE0), part(6, 0x80), part(0, 0x80)};
  return {part(18, 0xF0), part(12, 0x80), part(6, 0x80), part(0, 0x80)};
}

TEST(CharacterTest, EveryCharacterIsReadAsItself) {
  for (char32_t point = 0; point <= 0x10FFFF; ++point) {
    const std::string text = encoded(point);
    const Character read = read_character(text + "x");
    const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
    ASSERT_EQ(read.well_formed, !surrogate) << static_cast<std::uint32_t>(point);
    ASSERT_EQ(read.bytes, surrogate ? 1 : text.size());
    ASSERT_TRUE(surrogate || read.point == point);
  }
}

TEST(CharacterTest, ABrokenByteIsACharacterOfItsOwn) {
  for (const char* text :
       {"\x80", "\xC3", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF"}) {
    const Character read = read_character(text);
    EXPECT_FALSE(read.well_formed);
    EXPECT_EQ(read.bytes, 1U);
    EXPECT_EQ(read.point, static_cast<unsigned char>(text[0]));
  }
}

TEST(HiddenTest, WhatIsNotSeenIsHidden) {
  for (const char32_t point :
       {U'\0',     U'\n',         U'\r',         U'\t',         U'\x1b',      U'\x7f',   U'\u0085',
        U'\u00ad', U'\u034f',     U'\u061c',     U'\u115f',     U'\u180e',    U'\u200b', U'\u200c',
        U'\u200d', U'\u200e',     U'\u200f',     U'\u2028',     U'\u2029',    U'\u202a', U'\u202b',
        U'\u202c', U'\u202d',     U'\u202e',     U'\u2060',     U'\u2065',    U'\u2066', U'\u2067',
        U'\u2068', U'\u2069',     U'\u3164',     U'\ufdd0',     U'\ufe0f',    U'\ufeff', U'\ufff9',
        U'\uffff', U'\U000e0001', U'\U000e0041', U'\U000e0100', U'\U0010fffe'}) {
    EXPECT_TRUE(is_hidden(point)) << static_cast<std::uint32_t>(point);
  }
}

TEST(HiddenTest, WhatIsSeenIsNot) {
  // Letters, a space with a width, an accent, an Arabic sign that Unicode calls a format character,
  // private use, and a code point that is not assigned yet.
  for (const char32_t point : {U'a', U' ', U'~', U'\u00a0', U'\u00df', U'\u0301', U'\u0600', U'身',
                               U'\ue000', U'\U0001f600', U'\u0378'}) {
    EXPECT_FALSE(is_hidden(point)) << static_cast<std::uint32_t>(point);
  }
}

TEST(DisplayWidthTest, CountsCellsOfATerminal) {
  EXPECT_EQ(display_width("plain"), 5U);
  EXPECT_EQ(display_width("ε ≤ 1"), 5U);
  EXPECT_EQ(display_width("\xe2\x89"), 2U);  // cut in the middle
  EXPECT_EQ(display_width("größe"), 5U);
  EXPECT_EQ(display_width("e\u0301"), 1U);  // a letter and its accent
  EXPECT_EQ(display_width("किताब"), 3U);    // two of its vowel signs take no cell
  EXPECT_EQ(display_width("身長"), 4U);
  EXPECT_EQ(display_width("한국"), 4U);
  EXPECT_EQ(display_width("ｶﾅ"), 2U);  // half as wide as other kana
  EXPECT_EQ(display_width("Ａ"), 2U);
  EXPECT_EQ(display_width("😀"), 2U);
  EXPECT_EQ(display_width("a\u202eb"), 2U);
  EXPECT_EQ(display_width("\xff\xc3"), 2U);
  EXPECT_EQ(display_width(""), 0U);
}

TEST(DisplayWidthTest, ColoursTakeNoCells) {
  EXPECT_EQ(display_width("\x1b[1;31mred\x1b[0m"), 3U);
  EXPECT_EQ(display_width("\x1b[2Jx"), 4U);  // not a colour
}

}  // namespace utf8_test
}  // namespace lastbit
