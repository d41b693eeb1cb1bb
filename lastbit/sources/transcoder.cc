#include "lastbit/sources/transcoder.h"

#include <fmt/core.h>

#include <array>
#include <cstddef>
#include <utility>

#include "lastbit/base/utf8.h"

namespace lastbit::source {
namespace {

// The characters of windows-1252 from 80 to 9F; 0 where there is none.
constexpr std::array<char32_t, 32> kWindows1252 = {
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

void append_character(char32_t point, std::string& out) {
  if (point < 0x80) {
    out += static_cast<char>(point);
  } else {
    out += as_utf8(point);
  }
}

bool is_high(char32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool is_low(char32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }

}  // namespace

void Transcoder::stop(std::string problem, std::string remedy) {
  if (!malformed_) {
    malformed_ = Malformed{text_bytes_ + out_->size(), std::move(problem), std::move(remedy)};
  }
}

void Transcoder::convert(std::string_view bytes, bool last, std::string& out) {
  if (malformed_) throw Malformed(*malformed_);
  const std::size_t before = out.size();
  out_ = &out;
  text_bytes_ -= before;
  if (encoding_ == TextEncoding::kLatin1 || encoding_ == TextEncoding::kWindows1252) {
    for (const char c : bytes) {
      auto point = static_cast<char32_t>(static_cast<unsigned char>(c));
      if (encoding_ == TextEncoding::kWindows1252 && point >= 0x80 && point < 0xa0) {
        point = kWindows1252[point - 0x80];
        if (point == 0) {
          stop("there is a byte that is no character in windows-1252",
               "declare the encoding that the file has, such as encoding = \"latin-1\"");
          break;
        }
      }
      append_character(point, out);
    }
  } else {
    convert_units(bytes, last, out);
  }
  text_bytes_ += out.size();
  // What is wrong at the very end is thrown by the next call, so there is one.
  ended_ = last && !malformed_;
}

void Transcoder::convert_units(std::string_view bytes, bool last, std::string& out) {
  for (const char c : bytes) {
    const auto half = std::exchange(half_, std::nullopt);
    if (!half) {
      half_ = c;
      continue;
    }
    const auto first = static_cast<unsigned char>(*half);
    const auto second = static_cast<unsigned char>(c);
    const char32_t big = static_cast<char32_t>(first) << 8 | second;
    const char32_t little = static_cast<char32_t>(second) << 8 | first;
    if (encoding_ == TextEncoding::kUtf16) {
      if (big != 0xfeff && little != 0xfeff) {
        return stop("the file does not start with the byte order mark of UTF-16",
                    "write encoding = \"utf-16le\" or \"utf-16be\" if it is UTF-16 without one");
      }
      encoding_ = big == 0xfeff ? TextEncoding::kUtf16Be : TextEncoding::kUtf16Le;
    }
    take_unit(encoding_ == TextEncoding::kUtf16Be ? big : little, out);
    if (malformed_) return;
  }
  if (!last) return;
  if (half_) {
    stop("the file ends within a character of UTF-16", "check that it is a whole file");
  } else if (high_ != 0) {
    stop("there is half a surrogate pair of UTF-16", "check that the encoding is the declared one");
  }
}

void Transcoder::take_unit(char32_t unit, std::string& out) {
  if (is_low(unit) != (high_ != 0)) {
    stop("there is half a surrogate pair of UTF-16", "check that the encoding is the declared one");
  } else if (is_high(unit)) {
    high_ = unit;
  } else if (is_low(unit)) {
    append_character(0x10000 + ((high_ - 0xd800) << 10) + (unit - 0xdc00), out);
    high_ = 0;
  } else {
    append_character(unit, out);
  }
}

}  // namespace lastbit::source
