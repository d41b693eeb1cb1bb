// Which rows and groups of a unit count: random to anyone who does not know the key, and fixed by
// it.
//
// Guarantee      what a function here returns depends only on its arguments. If the keyed function
//                were truly random, lots would be independent uniform words and subsets uniform
//                among those of their size. Proof: proofs/engine.md#choice
// Not promised   anything for privacy, which holds for every key: proofs/engine.md#bounding
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "lastbit/random/bit_source.h"

namespace lastbit::engine {

// SecretKey: 256 bits, drawn for one release, never stored and never shown.
struct SecretKey {
  std::array<std::uint64_t, 4> words{};
  static SecretKey draw(BitSource& bits);
  friend bool operator==(const SecretKey&, const SecretKey&) = default;
};

// KeyedHash: SipHash-2-4 of a sequence of 64-bit words.
class KeyedHash {
 public:
  KeyedHash(std::uint64_t first, std::uint64_t second);
  void add(std::uint64_t word);
  // add: the length, then the bytes in words, the last one padded with zeros. No sequence of texts
  // and words is the beginning of another of the same types.
  void add(std::string_view text);
  std::uint64_t finish();

 private:
  void round();

  std::uint64_t v0_;
  std::uint64_t v1_;
  std::uint64_t v2_;
  std::uint64_t v3_;
  std::uint64_t words_ = 0;
};

// lot_hash: ready to take the unit and its group; the result is the lot of the two.
inline KeyedHash lot_hash(const SecretKey& key) { return {key.words[0], key.words[1]}; }

// Subset: `size` of the numbers 0, …, total − 1, or all if there are fewer.
class Subset {
 public:
  // Requires  caller: size ≥ 1, total ≥ 1.
  Subset(const SecretKey& key, std::uint64_t lot, std::uint64_t total, std::uint64_t size);

  bool contains(std::uint64_t number) const { return all_ || drawn_.contains(number) != inverted_; }
  // first: the smallest.
  std::uint64_t first() const { return first_; }

 private:
  std::unordered_set<std::uint64_t> drawn_;
  bool all_;
  bool inverted_;  // whether the drawn numbers are the ones left out
  std::uint64_t first_ = 0;
};

// draw_positions: the members of Subset(key, lot, total, size) in ascending order, in `positions`.
// It makes no set, so it is faster where `size` is small.
// Requires  caller: total > size ≥ 1.
void draw_positions(const SecretKey& key, std::uint64_t lot, std::uint64_t total,
                    std::uint64_t size, std::vector<std::uint64_t>& positions);

}  // namespace lastbit::engine
