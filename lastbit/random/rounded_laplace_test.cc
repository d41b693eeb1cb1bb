#include "lastbit/random/rounded_laplace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"
#include "lastbit/random/exponential/exponential.h"
#include "lastbit/random/exponential/law_check.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace rounded_laplace_test {

using testing::fit_of_cuts;
using testing::kFalseAlarm;
using testing::seeded_tape;
using testing::words_used;

// Pr[x + L ≥ y] for the real Laplace variate L of scale c.
double reaches(double y, double x, double c) {
  return y >= x ? std::exp((x - y) / c) / 2 : 1 - std::exp((y - x) / c) / 2;
}

TEST(RoundedLaplaceTest, BlocksEqualTheDefinitionOnTheSameBits) {
  for (const char* text : {"1", "1/3", "1048576", "12345/67"}) {
    const Rational scale = rational(text);
    const std::vector<double> fractions = {-0.5, -0.25, 0.0, 0x1p-60, 0.3, 0x1.fffffffffffffp-2};
    BitSource fast = seeded_tape(21);
    BitSource slow = seeded_tape(21);
    std::vector<Integer> wholes(fractions.size(), Integer(1000));
    RoundedLaplace(scale).add(fractions, wholes, fast);
    std::vector<std::uint64_t> words(fractions.size());
    for (std::uint64_t& word : words) word = slow.word();
    for (std::size_t i = 0; i < words.size(); ++i) {
      Exponential variate(words[i]);
      const Rational middle = Rational::exactly(fractions[i]) + rational("1000.5");
      EXPECT_EQ(wholes[i], variate.floor_affine(middle, Rational(variate.sign()) * scale, slow));
    }
    EXPECT_EQ(words_used(fast), words_used(slow));
  }
}

TEST(RoundedLaplaceTest, LawMatchesTheClosedFormAroundAFraction) {
  for (const double fraction : {-0.5, -0.375, 0.0, 0.25}) {
    for (const double scale : {0.5, 1.0, 3.0}) {
      constexpr std::size_t kSamples = 200'000;
      BitSource bits = seeded_tape(22);
      const std::vector<double> fractions(kSamples, fraction);
      std::vector<Integer> wholes(kSamples, Integer(0));
      RoundedLaplace(Rational::exactly(scale)).add(fractions, wholes, bits);
      std::vector<std::size_t> observed(7);  // cuts −2, …, 3
      for (const Integer& k : wholes) {
        std::size_t cell = 0;
        for (int cut = -2; cut <= 3; ++cut) cell += k >= Integer(cut) ? 1 : 0;
        ++observed[cell];
      }
      EXPECT_GT(fit_of_cuts(observed,
                            [&](std::size_t i) {
                              return reaches(static_cast<double>(i) - 2.5, fraction, scale);
                            }),
                kFalseAlarm)
          << fraction << ' ' << scale;
    }
  }
}

TEST(RoundedLaplaceTest, AroundARationalHasTheSameLaw) {
  constexpr std::size_t kSamples = 20'000;
  const RoundedLaplace noise(2);
  BitSource bits = seeded_tape(23);
  std::vector<std::size_t> observed(7);
  for (std::size_t sample = 0; sample < kSamples; ++sample) {
    const Integer k = noise.around(rational("31/3"), bits);
    std::size_t cell = 0;
    for (int cut = 7; cut <= 12; ++cut) cell += k >= Integer(cut) ? 1 : 0;
    ++observed[cell];
  }
  EXPECT_GT(
      fit_of_cuts(observed,
                  [](std::size_t i) { return reaches(static_cast<double>(i) + 6.5, 31.0 / 3, 2); }),
      kFalseAlarm);
}

// With a scale of 2^62 most samples lie beyond the cut of the block sampler, on both sides.
TEST(RoundedLaplaceTest, LawIsRightBeyondTheCut) {
  const Integer unit = Integer::two_to(62);
  constexpr std::size_t kSamples = 20'000;
  BitSource bits = seeded_tape(24);
  const std::vector<double> fractions(kSamples, 0.25);
  std::vector<Integer> wholes(kSamples, Integer(0));
  RoundedLaplace(Rational(unit)).add(fractions, wholes, bits);
  std::vector<std::size_t> observed(9);
  for (const Integer& z : wholes) {
    std::size_t cell = 0;
    for (std::int64_t i = -4; i <= 3; ++i) cell += z >= Integer(i) * unit ? 1 : 0;
    ++observed[cell];
  }
  EXPECT_GT(fit_of_cuts(observed,
                        [](std::size_t i) { return reaches(static_cast<double>(i) - 4, 0, 1); }),
            kFalseAlarm);
}

TEST(RoundedLaplaceTest, SumsStopAtTheEndsOfTheType) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  BitSource bits = seeded_tape(25);
  for (const Rational& scale : {Rational(1), Rational::two_to(70)}) {
    std::vector<std::int64_t> wholes(400, kMost);
    RoundedLaplace(scale).add(wholes, bits);
    EXPECT_GT(std::ranges::count(wholes, kMost), 100);
    wholes.assign(400, kLeast);
    RoundedLaplace(scale).add(wholes, bits);
    EXPECT_GT(std::ranges::count(wholes, kLeast), 100);
  }
}

TEST(RoundedLaplaceTest, BadParametersAreRefused) {
  expect_code(ErrorCode::kBadParameter, [&] { RoundedLaplace(0); });
  BitSource bits = seeded_tape(26);
  std::vector<Integer> wholes(2);
  expect_code(ErrorCode::kBadParameter,
              [&] { RoundedLaplace(1).add(std::vector<double>{0.0}, wholes, bits); });
}

}  // namespace rounded_laplace_test
}  // namespace lastbit
