#include "lastbit/random/discrete_laplace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"
#include "lastbit/random/exponential/exponential.h"
#include "lastbit/random/exponential/law_check.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace discrete_laplace_test {

using testing::fit_of_cuts;
using testing::kFalseAlarm;
using testing::seeded_tape;
using testing::words_used;

std::vector<std::int64_t> samples(const Rational& scale, std::size_t count, BitSource& bits) {
  std::vector<std::int64_t> values(count, 0);
  DiscreteLaplace(scale).add(values, bits);
  return values;
}

TEST(DiscreteLaplaceTest, IsTheDifferenceOfTwoFloors) {
  for (const char* text : {"1", "1/7", "22/7", "1000000", "1e12"}) {
    const Rational scale = rational(text);
    constexpr std::size_t kCount = 700;  // one whole block of 512 pairs, and a rest
    BitSource fast = seeded_tape(11);
    BitSource slow = seeded_tape(11);
    std::vector<Integer> expected;
    for (const std::size_t size : {std::size_t{512}, std::size_t{188}}) {
      std::vector<std::uint64_t> words(2 * size);
      for (std::uint64_t& word : words) word = slow.word();
      std::vector<Integer> floors;
      for (const std::uint64_t word : words) {
        floors.push_back(Exponential(word).floor_affine(0, scale, slow));
      }
      for (std::size_t i = 0; i < size; ++i) expected.push_back(floors[i] - floors[size + i]);
    }
    std::vector<Integer> sums(kCount, Integer(0));
    DiscreteLaplace(scale).add(sums, fast);
    EXPECT_EQ(sums, expected) << text;
    EXPECT_EQ(words_used(fast), words_used(slow)) << text;
  }
}

TEST(DiscreteLaplaceTest, BothFormsUseTheSameNoise) {
  BitSource one = seeded_tape(12);
  BitSource other = seeded_tape(12);
  const std::vector<std::int64_t> whole = samples(rational("5/2"), 2000, one);
  std::vector<Integer> exact(2000, Integer(7));
  DiscreteLaplace(rational("5/2")).add(exact, other);
  for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_EQ(exact[i], Integer(whole[i] + 7));
}

// Pr[Z ≥ k] = q^k/(1 + q) for k ≥ 0, and Pr[Z ≥ k] = 1 − q^(1 − k)/(1 + q) below, q = e^(−1/scale).
double reaches(double k, double scale) {
  const double q = std::exp(-1 / scale);
  return k >= 0 ? std::exp(-k / scale) / (1 + q) : 1 - std::exp((k - 1) / scale) / (1 + q);
}

TEST(DiscreteLaplaceTest, LawMatchesTheClosedForm) {
  const std::vector<std::pair<const char*, std::int64_t>> cases = {
      {"1", 1}, {"1/2", 1}, {"10", 7}, {"4096/3", 900}};
  for (const auto& [text, step] : cases) {
    constexpr std::int64_t kSide = 4;  // cuts −4·step, …, 4·step: ten cells; one more on the right
    BitSource bits = seeded_tape(13);
    std::vector<std::size_t> observed(2 * kSide + 3);
    std::vector<std::int64_t> cuts;
    for (std::int64_t i = -kSide; i <= kSide + 1; ++i) cuts.push_back(i * step);
    for (const std::int64_t z : samples(rational(text), 400'000, bits)) {
      ++observed[static_cast<std::size_t>(std::ranges::upper_bound(cuts, z) - cuts.begin())];
    }
    const double scale = rational(text).down();
    EXPECT_GT(
        fit_of_cuts(observed,
                    [&](std::size_t i) { return reaches(static_cast<double>(cuts[i]), scale); }),
        kFalseAlarm)
        << text;
  }
}

// With a scale of 2^62 most samples lie beyond the cut of the block sampler.
TEST(DiscreteLaplaceTest, LawIsRightBeyondTheCut) {
  const Integer unit = Integer::two_to(62);
  BitSource bits = seeded_tape(14);
  std::vector<Integer> values(20'000, Integer(0));
  DiscreteLaplace(Rational(unit)).add(values, bits);
  std::vector<std::size_t> observed(9);
  for (const Integer& z : values) {
    std::size_t cell = 0;
    for (std::int64_t i = -3; i <= 4; ++i) cell += z >= Integer(i) * unit ? 1 : 0;
    ++observed[cell];
  }
  EXPECT_GT(fit_of_cuts(observed,
                        [](std::size_t i) {
                          const double k = static_cast<double>(i) - 3;
                          return k >= 0 ? std::exp(-k) / 2 : 1 - std::exp(k) / 2;
                        }),
            kFalseAlarm);
}

TEST(DiscreteLaplaceTest, SumsStopAtTheEndsOfTheType) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  BitSource bits = seeded_tape(15);
  std::vector<std::int64_t> high(1000, kMost);
  std::vector<std::int64_t> low(1000, kLeast);
  DiscreteLaplace(1).add(high, bits);
  DiscreteLaplace(1).add(low, bits);
  // Pr[Z ≥ 0] = 1/(1 + 1/e) = 0.73 of them end at the limit, none wraps around.
  EXPECT_GT(std::ranges::count(high, kMost), 600);
  EXPECT_GT(std::ranges::count(low, kLeast), 600);
  EXPECT_GT(*std::ranges::min_element(high), kMost - 100);
  EXPECT_LT(*std::ranges::max_element(low), kLeast + 100);
  // The same where the noise itself does not fit.
  std::vector<std::int64_t> wide(200, kMost);
  DiscreteLaplace(Rational::two_to(70)).add(wide, bits);
  EXPECT_GT(std::ranges::count(wide, kMost), 50);
  EXPECT_GT(std::ranges::count(wide, kLeast), 50);
}

TEST(DiscreteLaplaceTest, ScalesThatAreNotPositiveAreRefused) {
  expect_code(ErrorCode::kBadParameter, [&] { DiscreteLaplace(0); });
  expect_code(ErrorCode::kBadParameter, [&] { DiscreteLaplace(-1); });
}

}  // namespace discrete_laplace_test
}  // namespace lastbit
