#include "lastbit/sources/utf8.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "lastbit/base/test_support.h"

namespace lastbit::source {
namespace {

using std::string_literals::operator""s;

// first_invalid_by_decoding: the same question by way of the numbers of the characters.
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

}  // namespace
}  // namespace lastbit::source
