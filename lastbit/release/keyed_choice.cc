#include "lastbit/release/keyed_choice.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "lastbit/numerics/integer.h"

namespace lastbit::engine {
namespace {

// The words that a subset is drawn with.
class Draws {
 public:
  Draws(const SecretKey& key, std::uint64_t lot) : key_(key), lot_(lot) {}

  // A number below `bound`. Of the 2^64 words, those that would favour small numbers are skipped,
  // so that each number has equally many words.
  std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t favoured = -bound % bound;  // 2^64 mod bound
    while (true) {
      const UInt128 product = static_cast<UInt128>(word()) * bound;
      if (static_cast<std::uint64_t>(product) >= favoured) {
        return static_cast<std::uint64_t>(product >> 64);
      }
    }
  }

 private:
  std::uint64_t word() {
    KeyedHash hash(key_.words[2], key_.words[3]);
    hash.add(lot_);
    hash.add(count_++);
    return hash.finish();
  }

  const SecretKey& key_;
  std::uint64_t lot_;
  std::uint64_t count_ = 0;
};

// The bytes from `text` on, at most eight, the first as the lowest.
std::uint64_t word_of(std::string_view text) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(text.size(), 8); ++i) {
    word |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[i])) << (8 * i);
  }
  return word;
}

}  // namespace

SecretKey SecretKey::draw(BitSource& bits) {
  SecretKey key;
  bits.fill(key.words);
  return key;
}

KeyedHash::KeyedHash(std::uint64_t first, std::uint64_t second)
    : v0_(first ^ 0x736f6d6570736575),
      v1_(second ^ 0x646f72616e646f6d),
      v2_(first ^ 0x6c7967656e657261),
      v3_(second ^ 0x7465646279746573) {}

void KeyedHash::round() {
  v0_ += v1_;
  v1_ = std::rotl(v1_, 13) ^ v0_;
  v0_ = std::rotl(v0_, 32);
  v2_ += v3_;
  v3_ = std::rotl(v3_, 16) ^ v2_;
  v0_ += v3_;
  v3_ = std::rotl(v3_, 21) ^ v0_;
  v2_ += v1_;
  v1_ = std::rotl(v1_, 17) ^ v2_;
  v2_ = std::rotl(v2_, 32);
}

void KeyedHash::add(std::uint64_t word) {
  v3_ ^= word;
  round();
  round();
  v0_ ^= word;
  ++words_;
}

void KeyedHash::add(std::string_view text) {
  add(std::uint64_t{text.size()});
  for (; text.size() > 8; text.remove_prefix(8)) add(word_of(text));
  if (!text.empty()) add(word_of(text));
}

std::uint64_t KeyedHash::finish() {
  // The last word of SipHash holds the number of bytes in its highest byte.
  add(words_ * 8 << 56);
  v2_ ^= 0xff;
  for (int i = 0; i < 4; ++i) round();
  return v0_ ^ v1_ ^ v2_ ^ v3_;
}

Subset::Subset(const SecretKey& key, std::uint64_t lot, std::uint64_t total, std::uint64_t size)
    : all_(size >= total), inverted_(!all_ && size > total / 2) {
  if (all_) return;
  // Floyd's algorithm: after the step for `last`, the drawn numbers are uniform among the subsets
  // of {0, …, last} of their size.
  Draws draws(key, lot);
  const std::uint64_t wanted = inverted_ ? total - size : size;
  drawn_.reserve(wanted);
  for (std::uint64_t last = total - wanted; last < total; ++last) {
    const std::uint64_t number = draws.below(last + 1);
    if (!drawn_.insert(number).second) drawn_.insert(last);
  }
  if (inverted_) {
    while (drawn_.contains(first_)) ++first_;
  } else {
    first_ = *std::ranges::min_element(drawn_);
  }
}

void draw_positions(const SecretKey& key, std::uint64_t lot, std::uint64_t total,
                    std::uint64_t size, std::vector<std::uint64_t>& positions) {
  constexpr std::uint64_t kFewPositions = 16;
  positions.clear();
  if (size > kFewPositions || size > total / 2) {
    const Subset subset(key, lot, total, size);
    for (std::uint64_t i = subset.first(); i < total; ++i) {
      if (subset.contains(i)) positions.push_back(i);
    }
    return;
  }
  // The steps of Subset.
  Draws draws(key, lot);
  for (std::uint64_t last = total - size; last < total; ++last) {
    const std::uint64_t number = draws.below(last + 1);
    const bool known = std::ranges::find(positions, number) != positions.end();
    positions.push_back(known ? last : number);
  }
  std::ranges::sort(positions);
}

}  // namespace lastbit::engine
