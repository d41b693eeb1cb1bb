#include "lastbit/random/shuffle.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace shuffle_test {

using testing::bits_used;
using testing::enumerate_tapes;
using testing::seeded_tape;
using testing::tape_of_bits;

using Indices = std::vector<std::uint64_t>;

Indices shuffled(BitSource& bits, std::size_t n) {
  Indices items(n);
  std::iota(items.begin(), items.end(), 0);
  shuffle(bits, std::span(items));
  return items;
}

std::uint64_t binomial(std::uint64_t n, std::uint64_t k) {
  std::uint64_t result = 1;
  for (std::uint64_t i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

// All `count` outcomes have the same probability.
void expect_equal_masses(const testing::TapeLaw<Indices>& law, std::size_t count) {
  ASSERT_EQ(law.probability.size(), count);
  const Rational each = (Rational(1) - law.undecided) / Rational(count);
  for (const auto& [outcome, mass] : law.probability) EXPECT_EQ(mass, each);
}

TEST(ShuffleTest, EveryOrderHasTheSameProbability) {
  // Masses within a bound of max_bits are equal only if rejections are cut symmetrically, which
  // holds when every order needs its draws in the same sequence of blocks: it does.
  std::size_t orders = 1;
  for (std::size_t n = 0; n <= 4; ++n) {
    if (n > 0) orders *= n;
    const auto law =
        enumerate_tapes<Indices>([n](BitSource& bits) { return shuffled(bits, n); }, 13);
    expect_equal_masses(law, orders);
    EXPECT_LT(law.undecided, rational("1/50")) << n;
  }
}

TEST(ShuffleTest, NoItemIsLost) {
  BitSource bits = seeded_tape(4);
  Indices items = shuffled(bits, 1000);
  EXPECT_FALSE(std::ranges::is_sorted(items));
  std::ranges::sort(items);
  for (std::size_t i = 0; i < items.size(); ++i) EXPECT_EQ(items[i], i);
}

TEST(ShuffleTest, ItemsNeedOnlyBeMovable) {
  BitSource bits = seeded_tape(5);
  std::vector<std::unique_ptr<int>> items;
  for (int i = 0; i < 10; ++i) items.push_back(std::make_unique<int>(i));
  shuffle(bits, std::span(items));
  int sum = 0;
  for (const auto& item : items) sum += *item;
  EXPECT_EQ(sum, 45);
}

TEST(ShuffleTest, EndOfTheTapeIsAnErrorAndLosesNoItem) {
  BitSource tape = tape_of_bits("00");
  Indices items = {0, 1, 2, 3};
  try {
    shuffle(tape, std::span(items));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kTapeEnded);
  }
  std::ranges::sort(items);
  EXPECT_EQ(items, (Indices{0, 1, 2, 3}));
}

TEST(SampleIndicesTest, EverySubsetHasTheSameProbability) {
  for (std::uint64_t n = 0; n <= 5; ++n) {
    for (std::uint64_t k = 0; k <= n; ++k) {
      SCOPED_TRACE(std::to_string(k) + " of " + std::to_string(n));
      const auto law = enumerate_tapes<Indices>(
          [n, k](BitSource& bits) { return sample_indices(bits, n, k); }, 13);
      expect_equal_masses(law, binomial(n, k));
      EXPECT_LT(law.undecided, rational("1/10"));
      for (const auto& [subset, mass] : law.probability) {
        EXPECT_EQ(subset.size(), k);
        EXPECT_TRUE(std::ranges::is_sorted(subset));
        EXPECT_EQ(std::ranges::adjacent_find(subset), subset.end());
        EXPECT_TRUE(subset.empty() || subset.back() < n);
      }
    }
  }
}

TEST(SampleIndicesTest, NoneAndAllDrawNothing) {
  BitSource empty = tape_of_bits("");
  EXPECT_EQ(sample_indices(empty, 3, 0), Indices());
  EXPECT_EQ(sample_indices(empty, 3, 3), (Indices{0, 1, 2}));
  EXPECT_EQ(sample_indices(empty, 0, 0), Indices());
}

TEST(SampleIndicesTest, MoreIndicesThanThereAreAreRefused) {
  BitSource bits = seeded_tape(1);
  try {
    sample_indices(bits, 3, 4);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadParameter);
  }
  EXPECT_EQ(bits_used(bits), 0U);
}

TEST(SampleIndicesTest, EndOfTheTapeIsAnError) {
  BitSource tape = tape_of_bits("0");
  try {
    sample_indices(tape, 10, 5);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kTapeEnded);
  }
}

TEST(SampleIndicesTest, AHugeRangeCostsOnlyTheIndicesChosen) {
  BitSource bits = seeded_tape(2);
  const Indices chosen = sample_indices(bits, ~std::uint64_t{0}, 3);
  EXPECT_EQ(chosen.size(), 3U);
  EXPECT_LE(bits_used(bits), 3 * 64U);
}

RC_GTEST_PROP(SampleIndicesTest, AnyPairGivesAnIncreasingSubset, (std::uint64_t seed)) {
  const auto n = *rc::gen::inRange<std::uint64_t>(0, 300);
  const auto k = *rc::gen::inRange<std::uint64_t>(0, n + 1);
  BitSource bits = seeded_tape(seed);
  const Indices chosen = sample_indices(bits, n, k);
  RC_ASSERT(chosen.size() == k);
  RC_ASSERT(std::ranges::adjacent_find(chosen, std::greater_equal<>()) == chosen.end());
  if (k > 0) RC_ASSERT(chosen.back() < n);  // the macro would evaluate both sides of an ||
}

}  // namespace shuffle_test
}  // namespace lastbit
