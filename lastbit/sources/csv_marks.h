// CsvMarks: the bytes of a text that can end a field, from front to back, found 64 at a time.
// For this module only.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace lastbit::source {

class CsvMarks {
 public:
  // Without a quote or an escape, these are '\0'.
  CsvMarks(std::string_view text, char delimiter, char quote, char escape)
      : text_(text),
        delimiter_(delimiter),
        quote_(quote == '\0' ? delimiter : quote),
        escape_(escape) {
    load();
  }

  // next: the place of the first mark (delimiter, quote, escape, line feed, carriage return) that
  // was not returned yet, or the size of the text.
  std::size_t next() {
    while (marks_ == 0) {
      if (block_ + kBlock >= text_.size()) return text_.size();
      block_ += kBlock;
      load();
    }
    const auto bit = static_cast<std::size_t>(std::countr_zero(marks_));
    marks_ &= marks_ - 1;
    return block_ + bit;
  }

 private:
  static constexpr std::size_t kBlock = 64;

  void load() {
    if (block_ + kBlock <= text_.size()) {
      marks_ = marks_of(text_.data() + block_);
      return;
    }
    std::array<char, kBlock> padded = {};
    const std::size_t rest = text_.size() - block_;
    if (rest > 0) std::memcpy(padded.data(), text_.data() + block_, rest);
    // The padding may look like a delimiter that is a zero byte.
    marks_ = rest == 0 ? 0 : marks_of(padded.data()) & (~std::uint64_t{0} >> (kBlock - rest));
  }

#ifdef __SSE2__
  std::uint64_t marks_of(const char* bytes) const {
    const __m128i delimiter = _mm_set1_epi8(delimiter_);
    const __m128i quote = _mm_set1_epi8(quote_);
    const __m128i feed = _mm_set1_epi8('\n');
    const __m128i carriage = _mm_set1_epi8('\r');
    std::uint64_t marks = 0;
    for (std::size_t i = 0; i < kBlock; i += 16) {
      const __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + i));
      const __m128i found =
          _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(part, delimiter), _mm_cmpeq_epi8(part, quote)),
                       _mm_or_si128(_mm_cmpeq_epi8(part, feed), _mm_cmpeq_epi8(part, carriage)));
      marks |= static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(found))) << i;
    }
    return escape_ == '\0' ? marks : marks | escapes_of(bytes);
  }
#else
  std::uint64_t marks_of(const char* bytes) const {
    std::uint64_t marks = 0;
    for (std::size_t i = 0; i < kBlock; ++i) {
      const char c = bytes[i];
      const bool found = c == delimiter_ || c == quote_ || c == '\n' || c == '\r';
      marks |= static_cast<std::uint64_t>(found) << i;
    }
    return escape_ == '\0' ? marks : marks | escapes_of(bytes);
  }
#endif
  std::uint64_t escapes_of(const char* bytes) const {
    std::uint64_t marks = 0;
    for (std::size_t i = 0; i < kBlock; ++i) {
      marks |= static_cast<std::uint64_t>(bytes[i] == escape_) << i;
    }
    return marks;
  }

  std::string_view text_;
  char delimiter_;
  char quote_;
  char escape_;
  std::size_t block_ = 0;
  std::uint64_t marks_ = 0;
};

}  // namespace lastbit::source
