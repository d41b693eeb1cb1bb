// PackedRow: a row of a unit as 64-bit words, and how such rows are compared. For this module only.
//
// The words are: the unit (a whole number, or a hash of the text), the keys, a bit for each content
// that is set where it is null, the contents. Texts are numbers of a TextPool; only the text of a
// unit follows the words, as its length in bytes and its bytes in words, the last one padded with
// zeros. Contents that are null have the word 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "lastbit/engines/kernel/row_function.h"
#include "lastbit/engines/kernel/text_pool.h"

namespace lastbit::engine {

using PackedRow = const std::uint64_t*;

struct RowLayout {
  Carrier unit = Carrier::kInteger;
  std::vector<Carrier> keys;
  std::vector<Carrier> contents;

  std::size_t null_words() const { return (contents.size() + 63) / 64; }
  std::size_t first_null() const { return 1 + keys.size(); }
  std::size_t first_content() const { return first_null() + null_words(); }
  // words: without the text of a unit.
  std::size_t words() const { return first_content() + contents.size(); }
};

// unit_text: of a row whose unit is a text.
inline std::string_view unit_text(const RowLayout& layout, PackedRow row) {
  const std::uint64_t* text = row + layout.words();
  return {reinterpret_cast<const char*>(text + 1), text[0]};
}
// row_words: all words of a row.
inline std::size_t row_words(const RowLayout& layout, PackedRow row) {
  if (layout.unit == Carrier::kInteger) return layout.words();
  return layout.words() + 1 + (row[layout.words()] + 7) / 8;
}
inline bool same_unit(const RowLayout& layout, PackedRow a, PackedRow b) {
  if (a[0] != b[0]) return false;
  return layout.unit == Carrier::kInteger || unit_text(layout, a) == unit_text(layout, b);
}

// PackedOrder: keys and contents in the order of proofs/engine.md#definition.
class PackedOrder {
 public:
  PackedOrder(const RowLayout& layout, const TextPool& pool) : layout_(layout), pool_(pool) {}

  bool keys_before(PackedRow a, PackedRow b) const {
    for (std::size_t i = 0; i < layout_.keys.size(); ++i) {
      const std::uint64_t x = a[1 + i];
      const std::uint64_t y = b[1 + i];
      if (x != y) return before(layout_.keys[i], x, y);
    }
    return false;
  }
  // contents_before: nulls come last.
  bool contents_before(PackedRow a, PackedRow b) const {
    const std::size_t nulls = layout_.first_null();
    const std::size_t first = layout_.first_content();
    for (std::size_t i = 0; i < layout_.contents.size(); ++i) {
      const bool null_a = (a[nulls + i / 64] >> (i % 64) & 1) != 0;
      const bool null_b = (b[nulls + i / 64] >> (i % 64) & 1) != 0;
      if (null_a != null_b) return null_b;
      const std::uint64_t x = a[first + i];
      const std::uint64_t y = b[first + i];
      if (x != y) return before(layout_.contents[i], x, y);
    }
    return false;
  }
  bool same_keys(PackedRow a, PackedRow b) const {
    return std::memcmp(a + 1, b + 1, layout_.keys.size() * sizeof(std::uint64_t)) == 0;
  }

 private:
  bool before(Carrier carrier, std::uint64_t x, std::uint64_t y) const {
    if (carrier == Carrier::kInteger) {
      return static_cast<std::int64_t>(x) < static_cast<std::int64_t>(y);
    }
    return pool_.text(x) < pool_.text(y);
  }

  const RowLayout& layout_;
  const TextPool& pool_;
};

// WordHash: a fast hash of words under secret seeds, for tables and partitions. Nothing that is
// chosen depends on it.
class WordHash {
 public:
  explicit WordHash(const SecretKey& key) : first_(key.words[0]), second_(key.words[3]) {}
  // Different words have different hashes.
  std::uint64_t operator()(std::uint64_t word) const { return mix(mix(word ^ first_) ^ second_); }
  std::uint64_t operator()(std::uint64_t so_far, std::uint64_t word) const {
    return mix(so_far ^ mix(word ^ first_));
  }

 private:
  static std::uint64_t mix(std::uint64_t word) {
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
    word = (word ^ word >> 27) * 0x94d049bb133111eb;
    return word ^ word >> 31;
  }
  std::uint64_t first_;
  std::uint64_t second_;
};

}  // namespace lastbit::engine
