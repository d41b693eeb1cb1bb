#include "lastbit/sources/utf8.h"

#include <cstdint>
#include <cstring>

namespace lastbit::source {
namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080;

std::uint64_t load_word(std::string_view text, std::size_t at) {
  std::uint64_t word = 0;
  std::memcpy(&word, text.data() + at, sizeof word);
  return word;
}

// skip_ascii: the offset of the first byte from `at` on that is not ASCII, or the end.
std::size_t skip_ascii(std::string_view text, std::size_t at) {
  // The words are joined so that the common case, text without any such byte, takes one branch for
  // sixteen bytes.
  while (text.size() - at >= 16) {
    if (((load_word(text, at) | load_word(text, at + 8)) & kHighBits) != 0) break;
    at += 16;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

// LeadByte: what the first byte of a character of several bytes says about it.
struct LeadByte {
  std::size_t length;        // of the character in bytes, 0 where no character starts like this
  unsigned char second_low;  // The second byte has bounds of its own: they keep out overlong forms,
  unsigned char second_high;  // surrogates and what is above U+10FFFF.
};

LeadByte read_lead_byte(unsigned char lead) {
  if (lead < 0xC2) return {0, 0, 0};
  if (lead < 0xE0) return {2, 0x80, 0xBF};
  if (lead == 0xE0) return {3, 0xA0, 0xBF};
  if (lead == 0xED) return {3, 0x80, 0x9F};
  if (lead < 0xF0) return {3, 0x80, 0xBF};
  if (lead == 0xF0) return {4, 0x90, 0xBF};
  if (lead < 0xF4) return {4, 0x80, 0xBF};
  if (lead == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

// measure_character: how many bytes the character at `at` has, which is not ASCII; 0 where none is.
std::size_t measure_character(std::string_view text, std::size_t at) {
  const LeadByte lead = read_lead_byte(static_cast<unsigned char>(text[at]));
  if (lead.length == 0 || text.size() - at < lead.length) return 0;
  const auto second = static_cast<unsigned char>(text[at + 1]);
  if (second < lead.second_low || second > lead.second_high) return 0;
  for (std::size_t i = 2; i < lead.length; ++i) {
    if ((static_cast<unsigned char>(text[at + i]) & 0xC0) != 0x80) return 0;
  }
  return lead.length;
}

}  // namespace

std::size_t first_invalid_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      at = skip_ascii(text, at);
      continue;
    }
    const std::size_t length = measure_character(text, at);
    if (length == 0) return at;
    at += length;
  }
  return at;
}

}  // namespace lastbit::source
