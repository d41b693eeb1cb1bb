#include "lastbit/base/utf8.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace lastbit {
namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080;

std::uint64_t load_word(std::string_view text, std::size_t at) {
  std::uint64_t word = 0;
  std::memcpy(&word, text.data() + at, sizeof word);
  return word;
}

// skip_ascii: the offset of the first byte from `at` on that is not ASCII, or the end.
std::size_t skip_ascii(std::string_view text, std::size_t at) {
  // The words are combined so that the common case, text without any such byte, takes one branch
  // per sixteen bytes.
  while (text.size() - at >= 16) {
    if (((load_word(text, at) | load_word(text, at + 8)) & kHighBits) != 0) break;
    at += 16;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

// LeadByte: what the first byte of a multi-byte character says about it.
struct LeadByte {
  std::size_t length;        // of the character in bytes, 0 if no character starts like this
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

// measure_character: the length in bytes of the non-ASCII character at `at`; 0 if it is none.
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

bool is_within(char32_t point, char32_t first, char32_t last) {
  return first <= point && point <= last;
}

const utf8proc_property_t& properties_of(char32_t point) {
  return *utf8proc_get_property(static_cast<utf8proc_int32_t>(point));
}

// colour_bytes: the length in bytes of the terminal colour code that the text starts with, or 0.
std::size_t colour_bytes(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
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

Character read_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t bytes = measure_character(text, 0);
  if (bytes == 0) return {lead, 1, false};
  std::uint32_t point = lead & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    point = point << 6U | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  return {point, bytes, true};
}

std::string as_utf8(char32_t point) {
  std::array<utf8proc_uint8_t, 4> bytes = {};
  const auto size = utf8proc_encode_char(static_cast<utf8proc_int32_t>(point), bytes.data());
  return {bytes.begin(), bytes.begin() + size};
}

namespace {

// change_case: ASCII is changed here, since most texts have nothing else.
template <class Change>
std::string change_case(std::string_view text, char first, char last, Change change) {
  std::string result(text);
  std::size_t at = 0;
  for (; at < text.size() && static_cast<unsigned char>(text[at]) < 0x80; ++at) {
    if (text[at] >= first && text[at] <= last) result[at] = static_cast<char>(text[at] ^ 0x20);
  }
  if (at == text.size()) return result;
  result.resize(at);
  text.remove_prefix(at);
  while (!text.empty()) {
    const Character character = read_character(text);
    if (character.well_formed) {
      const auto changed = change(static_cast<utf8proc_int32_t>(character.point));
      result += as_utf8(static_cast<char32_t>(changed));
    } else {
      result += text.front();
    }
    text.remove_prefix(character.bytes);
  }
  return result;
}

}  // namespace

std::string in_upper_case(std::string_view text) {
  return change_case(text, 'a', 'z', utf8proc_toupper);
}
std::string in_lower_case(std::string_view text) {
  return change_case(text, 'A', 'Z', utf8proc_tolower);
}

bool is_hidden(char32_t point) {
  const bool no_character = (point & 0xFFFEU) == 0xFFFE || is_within(point, 0xFDD0, 0xFDEF);
  // Not assigned yet, but reserved for invisible characters.
  const bool set_aside =
      point == 0x2065 || is_within(point, 0xFFF0, 0xFFF8) || is_within(point, 0xE0000, 0xE0FFF);
  if (no_character || set_aside) return true;
  const utf8proc_property_t& properties = properties_of(point);
  const auto boundary = static_cast<utf8proc_boundclass_t>(properties.boundclass);
  return properties.ignorable || boundary == UTF8PROC_BOUNDCLASS_CONTROL ||
         boundary == UTF8PROC_BOUNDCLASS_CR || boundary == UTF8PROC_BOUNDCLASS_LF ||
         properties.category == UTF8PROC_CATEGORY_CS;
}

bool is_joiner(char32_t point) {
  const bool zero_width = point == 0x200C || point == 0x200D;
  const bool selector = is_within(point, 0xFE00, 0xFE0F) || is_within(point, 0xE0100, 0xE01EF) ||
                        is_within(point, 0x180B, 0x180D) || point == 0x180F;
  return zero_width || selector;
}

std::size_t display_width(const Character& character) {
  if (!character.well_formed) return 1;
  const int cells = utf8proc_charwidth(static_cast<utf8proc_int32_t>(character.point));
  return static_cast<std::size_t>(std::max(cells, 0));
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    std::size_t bytes = colour_bytes(text);
    if (bytes == 0) {
      const Character next = read_character(text);
      width += display_width(next);
      bytes = next.bytes;
    }
    text.remove_prefix(bytes);
  }
  return width;
}

}  // namespace lastbit
