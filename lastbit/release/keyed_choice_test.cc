#include "lastbit/release/keyed_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace lastbit::engine {
namespace keyed_choice_test {

std::uint64_t hash_of(std::vector<std::uint64_t> words) {
  // The key of the published test vectors: the bytes 0, 1, …, 15.
  KeyedHash hash(0x0706050403020100, 0x0f0e0d0c0b0a0908);
  for (const std::uint64_t word : words) hash.add(word);
  return hash.finish();
}

TEST(KeyedHashTest, PublishedVectorsOfSipHashComeOut) {
  EXPECT_EQ(hash_of({}), 0x726fdb47dd0e0e31);
  EXPECT_EQ(hash_of({0x0706050403020100}), 0x93f5f5799a932462);
  EXPECT_EQ(hash_of({0x0706050403020100, 0x0f0e0d0c0b0a0908}), 0x3f2acc7f57c29bdb);
}

TEST(KeyedHashTest, TextIsItsLengthThenItsBytes) {
  const auto text_hash = [](std::vector<std::string_view> texts) {
    KeyedHash hash(0x0706050403020100, 0x0f0e0d0c0b0a0908);
    for (const std::string_view text : texts) hash.add(text);
    return hash.finish();
  };
  EXPECT_EQ(text_hash({""}), hash_of({0}));
  EXPECT_EQ(text_hash({"ab"}), hash_of({2, 0x6261}));
  EXPECT_EQ(text_hash({"abcdefgh"}), hash_of({8, 0x6867666564636261}));
  EXPECT_EQ(text_hash({"abcdefghi"}), hash_of({9, 0x6867666564636261, 0x69}));
  const std::set<std::uint64_t> hashes = {text_hash({"ab", "c"}), text_hash({"a", "bc"}),
                                          text_hash({"abc", ""}), text_hash({"", "abc"}),
                                          text_hash({"abc"})};
  EXPECT_EQ(hashes.size(), 5U);
}

TEST(SecretKeyTest, KeysAreDrawnWhole) {
  BitSource bits = BitSource::secure();
  const SecretKey first = SecretKey::draw(bits);
  const SecretKey second = SecretKey::draw(bits);
  // Each pair of words is equal with a probability of 2^-64.
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NE(first.words[i], second.words[i]);
}

std::vector<std::uint64_t> members(const Subset& subset, std::uint64_t total) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t i = 0; i < total; ++i) {
    if (subset.contains(i)) numbers.push_back(i);
  }
  return numbers;
}

TEST(SubsetTest, HasTheSizeAskedForAndKnowsItsFirst) {
  for (std::uint64_t total = 1; total <= 40; ++total) {
    for (std::uint64_t size = 1; size <= total + 2; ++size) {
      for (std::uint64_t lot = 0; lot < 5; ++lot) {
        const Subset subset({{9, 8, 7, 6}}, lot, total, size);
        const std::vector<std::uint64_t> numbers = members(subset, total);
        ASSERT_EQ(numbers.size(), std::min(size, total));
        EXPECT_EQ(numbers.front(), subset.first());
      }
    }
  }
}

TEST(SubsetTest, LargeOnesAreDrawnToo) {
  const Subset subset({{9, 8, 7, 6}}, 3, 1'000'000, 999'000);
  EXPECT_EQ(members(subset, 1'000'000).size(), 999'000U);
}

// The draws are recorded, so a failing test is a bug; fresh keys would give a false alarm with a
// probability below 1e-6, that of a chi-square variable with 19 degrees of freedom exceeding 65.
constexpr double kLimitOf19Degrees = 65;

constexpr int kDraws = 40'000;

double chi_square_of_20(const std::map<std::vector<std::uint64_t>, int>& seen) {
  double sum = 0;
  for (const auto& [subset, count] : seen) {
    const double difference = count - kDraws / 20.0;
    sum += difference * difference / (kDraws / 20.0);
  }
  return sum;
}

TEST(SubsetTest, AllSubsetsOfASizeAreEquallyLikely) {
  std::map<std::vector<std::uint64_t>, int> three_of_six;
  std::map<std::vector<std::uint64_t>, int> nineteen_of_twenty;  // drawn as the one left out
  for (std::uint64_t lot = 0; lot < kDraws; ++lot) {
    ++three_of_six[members(Subset({{1, 2, 3, 4}}, lot, 6, 3), 6)];
    ++nineteen_of_twenty[members(Subset({{1, 2, 3, 4}}, lot, 20, 19), 20)];
  }
  EXPECT_EQ(three_of_six.size(), 20U);
  EXPECT_EQ(nineteen_of_twenty.size(), 20U);
  EXPECT_LT(chi_square_of_20(three_of_six), kLimitOf19Degrees);
  EXPECT_LT(chi_square_of_20(nineteen_of_twenty), kLimitOf19Degrees);
}

TEST(SubsetTest, PositionsAreTheMembersOfTheSubset) {
  std::vector<std::uint64_t> positions;
  for (std::uint64_t total = 2; total < 70; ++total) {
    for (std::uint64_t size = 1; size < total; ++size) {
      draw_positions({{1, 2, 3, 4}}, 7 * total, total, size, positions);
      EXPECT_EQ(positions, members(Subset({{1, 2, 3, 4}}, 7 * total, total, size), total));
    }
  }
}

}  // namespace keyed_choice_test
}  // namespace lastbit::engine
