#include "lastbit/sources/json_text.h"

#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include "lastbit/base/text.h"
#include "lastbit/sources/records.h"

namespace lastbit::source {
namespace {

// load_word: eight bytes, the first byte of the text lowest.
std::uint64_t load_word(const char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

constexpr std::uint64_t repeat_byte(unsigned char byte) { return byte * 0x0101010101010101U; }

// mark_string_stops: a word whose lowest set bit is in the first byte that is a quote, a backslash
// or a control character; 0 if there is none. Bits above the lowest mean nothing, since the
// subtractions borrow.
std::uint64_t mark_string_stops(std::uint64_t word) {
  const std::uint64_t quotes = word ^ repeat_byte('"');
  const std::uint64_t backslashes = word ^ repeat_byte('\\');
  return (((word - repeat_byte(0x20)) & ~word) | ((quotes - repeat_byte(1)) & ~quotes) |
          ((backslashes - repeat_byte(1)) & ~backslashes)) &
         repeat_byte(0x80);
}

// find_string_stop: the first byte from `at` on that is a quote, a backslash or a control
// character, or the end of the text.
std::size_t find_string_stop(std::string_view text, std::size_t at) {
  for (; text.size() - at >= 8; at += 8) {
    const std::uint64_t stops = mark_string_stops(load_word(text.data() + at));
    if (stops != 0) return at + static_cast<std::size_t>(std::countr_zero(stops)) / 8;
  }
  for (; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x20 || byte == '"' || byte == '\\') break;
  }
  return at;
}

// read_hex: the number given by the four hexadecimal digits at `at`.
std::optional<std::uint32_t> read_hex(std::string_view text, std::size_t at) {
  if (text.size() < at + 4) return std::nullopt;
  std::uint32_t number = 0;
  for (const char byte : text.substr(at, 4)) {
    std::uint32_t digit = 0;
    if (is_digit(byte)) {
      digit = static_cast<std::uint32_t>(byte - '0');
    } else if (byte >= 'a' && byte <= 'f') {
      digit = static_cast<std::uint32_t>(byte - 'a') + 10;
    } else if (byte >= 'A' && byte <= 'F') {
      digit = static_cast<std::uint32_t>(byte - 'A') + 10;
    } else {
      return std::nullopt;
    }
    number = number * 16 + digit;
  }
  return number;
}

// Escape: a backslash and what belongs to it.
struct Escape {
  std::size_t length;       // in the text; 0 if there is no escape
  std::uint32_t character;  // that it represents
};
constexpr Escape kNoEscape = {0, 0};

bool is_high_surrogate(std::uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low_surrogate(std::uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

// read_numbered_escape: a \u at `at`, with its other half if it is one of a pair.
Escape read_numbered_escape(std::string_view text, std::size_t at) {
  const std::optional<std::uint32_t> high = read_hex(text, at + 2);
  if (!high || is_low_surrogate(*high)) return kNoEscape;
  if (!is_high_surrogate(*high)) return {6, *high};
  if (text.substr(at + 6, 2) != "\\u") return kNoEscape;
  const std::optional<std::uint32_t> low = read_hex(text, at + 8);
  if (!low || !is_low_surrogate(*low)) return kNoEscape;
  return {12, 0x10000 + ((*high - 0xD800) << 10) + (*low - 0xDC00)};
}

Escape read_escape(std::string_view text, std::size_t at) {
  if (text.size() - at < 2) return kNoEscape;
  switch (text[at + 1]) {
    case '"':
      return {2, '"'};
    case '\\':
      return {2, '\\'};
    case '/':
      return {2, '/'};
    case 'b':
      return {2, '\b'};
    case 'f':
      return {2, '\f'};
    case 'n':
      return {2, '\n'};
    case 'r':
      return {2, '\r'};
    case 't':
      return {2, '\t'};
    case 'u':
      return read_numbered_escape(text, at);
    default:
      return kNoEscape;
  }
}

void append_utf8(std::string& text, std::uint32_t character) {
  const auto append = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
  const auto append_tail = [&append, character](unsigned shift) {
    append(0x80 | ((character >> shift) & 0x3F));
  };
  if (character < 0x80) {
    append(character);
  } else if (character < 0x800) {
    append(0xC0 | (character >> 6));
    append_tail(0);
  } else if (character < 0x10000) {
    append(0xE0 | (character >> 12));
    append_tail(6);
    append_tail(0);
  } else {
    append(0xF0 | (character >> 18));
    append_tail(12);
    append_tail(6);
    append_tail(0);
  }
}

bool is_opening(char byte) { return byte == '{' || byte == '['; }
bool is_closing(char byte) { return byte == '}' || byte == ']'; }

// skip_string: the place after the string that starts at `at`, or the end of the text.
std::size_t skip_string(std::string_view text, std::size_t at) {
  ++at;
  while ((at = find_string_stop(text, at)) < text.size()) {
    if (text[at] == '"') return at + 1;
    at += text[at] == '\\' ? 2 : 1;
    if (at > text.size()) break;
  }
  return text.size();
}

// Which bytes find_mark stops at, the quote included.
constexpr std::array<bool, 256> kStopsScan = [] {
  std::array<bool, 256> stops = {};
  for (const char byte : {'"', '{', '}', '[', ']', ','})
    stops[static_cast<unsigned char>(byte)] = true;
  return stops;
}();

// find_mark: the first bracket, brace or comma from `at` on that is not in a string, or the end of
// the text.
std::size_t find_mark(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (!kStopsScan[static_cast<unsigned char>(text[at])]) {
      ++at;
    } else if (text[at] == '"') {
      at = skip_string(text, at);
    } else {
      break;
    }
  }
  return at;
}

}  // namespace

std::string unescape(std::string_view raw) {
  std::string text;
  text.reserve(raw.size());
  std::size_t at = 0;
  while (true) {
    const std::size_t backslash = raw.find('\\', at);
    text += raw.substr(at, backslash - at);
    if (backslash == std::string_view::npos) return text;
    const Escape escape = read_escape(raw, backslash);
    append_utf8(text, escape.character);
    at = backslash + escape.length;
  }
}

void JsonText::refuse(std::string_view problem) const {
  throw Malformed{offset_ + at_, std::string(problem),
                  "write each record as one object of strict JSON, on one line or in an array"};
}

bool JsonText::open_object() {
  require_object();
  take('{');
  skip_space();
  return take('}');
}

bool JsonText::pass_comma() {
  skip_space();
  if (take(',')) {
    skip_space();
    return true;
  }
  if (!take('}')) refuse("an object has neither a comma nor its closing brace after a value");
  return false;
}

JsonString JsonText::read_key() {
  if (next_byte() != '"') refuse("an object has no quoted key where one must be");
  const JsonString key = read_string();
  skip_space();
  if (!take(':')) refuse("a key is not followed by a colon");
  skip_space();
  return key;
}

JsonValue JsonText::read_value() {
  const char byte = next_byte();
  if (byte != '{' && byte != '[') return read_scalar();
  skip_nested();
  return {byte == '{' ? JsonValue::Kind::kObject : JsonValue::Kind::kArray, {}};
}

JsonValue JsonText::read_scalar() {
  using Kind = JsonValue::Kind;
  switch (next_byte()) {
    case '"':
      return {Kind::kString, read_string()};
    case 't':
      read_literal("true");
      return {Kind::kTrue, {"true"}};
    case 'f':
      read_literal("false");
      return {Kind::kFalse, {"false"}};
    case 'n':
      read_literal("null");
      return {Kind::kNull, {"null"}};
    default:
      return {Kind::kNumber, {read_number()}};
  }
}

JsonString JsonText::read_string() {
  const std::size_t start = at_ + 1;
  bool has_escape = false;
  std::size_t stop = find_string_stop(text_, start);
  while (stop < text_.size() && text_[stop] != '"') {
    at_ = stop;
    if (text_[stop] != '\\') refuse("a string has a control character that is not escaped");
    const Escape escape = read_escape(text_, stop);
    if (escape.length == 0) refuse("a string has a backslash that starts no valid escape");
    has_escape = true;
    stop = find_string_stop(text_, stop + escape.length);
  }
  if (stop == text_.size()) refuse("a string has no closing quote");
  at_ = stop + 1;
  return {text_.substr(start, stop - start), has_escape};
}

void JsonText::read_digits() {
  if (!is_digit(next_byte())) refuse("a value is not valid JSON");
  while (is_digit(next_byte())) ++at_;
}

std::string_view JsonText::read_number() {
  const std::size_t start = at_;
  take('-');
  // A leading zero stands alone: the code after the number refuses another digit.
  if (!take('0')) read_digits();
  if (take('.')) read_digits();
  if (take('e') || take('E')) {
    if (!take('+')) take('-');
    read_digits();
  }
  return text_.substr(start, at_ - start);
}

void JsonText::read_literal(std::string_view literal) {
  if (text_.substr(at_, literal.size()) != literal) {
    refuse("a value is not valid JSON");
  }
  at_ += literal.size();
}

char JsonText::take_opening() {
  if (take('{')) return '}';
  return take('[') ? ']' : '\0';
}

// Skips an array or an object with everything in it. It keeps its own stack, so that hostile
// nesting cannot exhaust that of the thread.
void JsonText::skip_nested() {
  std::array<char, kMaxJsonDepth> owed;  // the closing brackets, the outermost first
  std::size_t depth = 0;
  while (true) {
    const char closer = take_opening();
    if (closer != '\0') {
      // One level is the outermost object, which is around this value.
      if (depth + 1 == kMaxJsonDepth) refuse("objects or arrays are nested too deeply");
      owed[depth++] = closer;
    } else {
      read_scalar();
    }
    skip_space();
    const bool opened = closer != '\0' && next_byte() != closer;
    if (!opened) {
      for (; depth > 0 && take(owed[depth - 1]); skip_space()) --depth;
      if (depth == 0) return;
      if (!take(',')) refuse("an array or object has neither a comma nor its end after a value");
      skip_space();
    }
    if (owed[depth - 1] == '}') read_key();
  }
}

std::size_t find_object_end(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t at = find_mark(text, 0); at < text.size(); at = find_mark(text, at + 1)) {
    if (is_opening(text[at])) ++depth;
    if (is_closing(text[at]) && --depth == 0) return at + 1;
  }
  return 0;
}

std::size_t find_last_comma(std::string_view text) {
  std::size_t depth = 1;
  std::size_t comma = 0;
  for (std::size_t at = find_mark(text, 1); at < text.size(); at = find_mark(text, at + 1)) {
    if (is_opening(text[at])) ++depth;
    // Anything after the array's end belongs to its last piece.
    if (is_closing(text[at]) && --depth == 0) break;
    if (text[at] == ',' && depth == 1) comma = at;
  }
  return comma;
}

}  // namespace lastbit::source
