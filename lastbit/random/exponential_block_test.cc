#include "lastbit/random/exponential_block.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cfenv>
#include <limits>
#include <string>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/numerics/ball.h"
#include "lastbit/random/exponential.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace {

using exponential_internal::kernel_variants;
using exponential_internal::KernelVariant;
using testing::seeded_tape;
using testing::tape_of_words;
using testing::words_used;

constexpr const char* kScales[] = {"1048576", "1",          "1/3",      "0.7",
                                   "1/1024",  "1073741824", "12345/67", "17592186044416"};

std::int64_t cut(const Integer& noise) {
  const Integer most = ScaledExponentials::kMaxNoise;
  return std::clamp(noise, -most, most).to_int64();
}

// The definition: blocks, first words first, every lane by balls.
template <class Answer>
std::vector<std::int64_t> by_definition(std::size_t count, BitSource& bits, Answer answer) {
  std::vector<std::int64_t> result;
  while (result.size() < count) {
    std::vector<std::uint64_t> words(std::min(kBlockSamples, count - result.size()));
    for (std::uint64_t& word : words) word = bits.word();
    for (const std::uint64_t word : words) {
      result.push_back(answer(result.size(), Exponential(word)));
    }
  }
  return result;
}

std::vector<std::int64_t> slow_round_signed(const Rational& scale,
                                            std::span<const double> fractions, BitSource& bits) {
  return by_definition(fractions.size(), bits, [&](std::size_t i, Exponential e) {
    const Rational middle = Rational::exactly(fractions[i]) + Rational(1, 2);
    return cut(e.floor_affine(middle, Rational(e.sign()) * scale, bits));
  });
}

std::vector<std::int64_t> slow_floor(const Rational& scale, std::size_t count, BitSource& bits) {
  return by_definition(
      count, bits, [&](std::size_t, Exponential e) { return cut(e.floor_affine(0, scale, bits)); });
}

// Fractions with the corners −½, 0, subnormal and next to ½ among them.
std::vector<double> make_fractions(std::size_t count, std::uint64_t seed) {
  constexpr double kCorners[] = {-0.5, 0.0, 0x1p-1074, -0x1p-1074, 0x1.fffffffffffffp-2, 0.25};
  BitSource bits = seeded_tape(seed);
  std::vector<double> fractions(count);
  for (std::size_t i = 0; i < count; ++i) {
    fractions[i] = i % 8 < std::size(kCorners)
                       ? kCorners[i % 8]
                       : static_cast<double>(bits.word() >> 11) * 0x1p-53 - 0.5;
  }
  return fractions;
}

// 8 scales, 125 000 samples each: a million for every variant and both questions together.
TEST(ExponentialBlockTest, RoundSignedEqualsItsDefinitionOnEveryProcessor) {
  constexpr std::size_t kSamples = 95'000;
  const std::vector<double> fractions = make_fractions(kSamples, 1);
  for (const char* text : kScales) {
    BitSource slow_bits = seeded_tape(2);
    const std::vector<std::int64_t> slow = slow_round_signed(rational(text), fractions, slow_bits);
    for (const KernelVariant& variant : kernel_variants()) {
      BitSource bits = seeded_tape(2);
      std::vector<std::int64_t> fast(kSamples);
      ScaledExponentials(rational(text), variant).round_signed(fractions, fast, bits);
      EXPECT_EQ(fast, slow) << text << ' ' << variant.name;
      EXPECT_EQ(words_used(bits), words_used(slow_bits)) << text << ' ' << variant.name;
    }
  }
}

TEST(ExponentialBlockTest, FloorEqualsItsDefinitionOnEveryProcessor) {
  constexpr std::size_t kSamples = 30'000;
  for (const char* text : kScales) {
    BitSource slow_bits = seeded_tape(3);
    const std::vector<std::int64_t> slow = slow_floor(rational(text), kSamples, slow_bits);
    for (const KernelVariant& variant : kernel_variants()) {
      BitSource bits = seeded_tape(3);
      std::vector<std::int64_t> fast(kSamples);
      ScaledExponentials(rational(text), variant).floor(fast, bits);
      EXPECT_EQ(fast, slow) << text << ' ' << variant.name;
      EXPECT_EQ(words_used(bits), words_used(slow_bits)) << text << ' ' << variant.name;
    }
  }
}

}  // namespace
}  // namespace lastbit
