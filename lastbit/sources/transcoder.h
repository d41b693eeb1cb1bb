// Transcoder: text of a declared encoding as UTF-8, piece by piece. For this module only.
//
// Definition     latin-1: each byte is the character with that number. windows-1252: as the table
//                of that name says, in which 81, 8D, 8F, 90 and 9D are no characters. utf-16le,
//                utf-16be: units of two bytes, the low or the high one first; a high surrogate and
//                a low one after it are one character, and there are no others. utf-16: a byte
//                order mark, which says which of the two it is, and is kept.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lastbit/release/fields/text_form.h"
#include "lastbit/sources/records.h"

namespace lastbit::source {

class Transcoder {
 public:
  explicit Transcoder(TextEncoding encoding) : encoding_(encoding) {}

  bool is_utf8() const { return encoding_ == TextEncoding::kUtf8; }
  // ended: whether the last bytes were converted.
  bool ended() const { return ended_; }
  // convert: appends the text of the next bytes to `out`; `last` says that none come after them. At
  // bytes that the encoding does not have it stops, and the next call throws the Malformed: the
  // text before them is handed out first.
  void convert(std::string_view bytes, bool last, std::string& out);

 private:
  void convert_units(std::string_view bytes, bool last, std::string& out);
  void take_unit(char32_t unit, std::string& out);
  void stop(std::string problem, std::string remedy);

  TextEncoding encoding_;
  bool ended_ = false;
  std::uint64_t text_bytes_ = 0;        // handed out so far
  std::string* out_ = nullptr;          // during convert
  std::optional<Malformed> malformed_;  // found, and not thrown yet
  std::optional<char> half_;            // the first byte of a unit
  char32_t high_ = 0;                   // a high surrogate that waits for the low one
};

}  // namespace lastbit::source
