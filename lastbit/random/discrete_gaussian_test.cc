#include "lastbit/random/discrete_gaussian.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"
#include "lastbit/numerics/ball.h"
#include "lastbit/random/exponential/exponential.h"
#include "lastbit/random/exponential/law_check.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace discrete_gaussian_test {

using testing::fit_of_cuts;
using testing::kFalseAlarm;
using testing::seeded_tape;
using testing::tape_of_words;
using testing::words_used;

// The definition: proposals of a discrete Laplace law, each kept when an exponential variate exceeds
// the rational threshold. Blocks of 512, first words first.
std::vector<Integer> by_definition(const Rational& variance, std::size_t count, BitSource& bits) {
  const Rational t = DiscreteGaussian(variance).proposal_scale();
  std::vector<Integer> result;
  while (result.size() < count) {
    std::vector<Integer> proposals(std::min<std::size_t>(512, count - result.size()));
    DiscreteLaplace(t).add(proposals, bits);
    std::vector<std::uint64_t> words(proposals.size());
    for (std::uint64_t& word : words) word = bits.word();
    for (std::size_t i = 0; i < words.size(); ++i) {
      const Rational offset = Rational(abs(proposals[i])) - variance / t;
      const Rational threshold = offset * offset / (Rational(2) * variance);
      if (!Exponential(words[i]).is_below(threshold, bits)) result.push_back(proposals[i]);
    }
  }
  return result;
}

TEST(DiscreteGaussianTest, EqualsItsDefinitionOnTheSameBits) {
  for (const char* text : {"1", "1/4", "1/10000", "2", "100.25", "1e12", "1e24", "1e30"}) {
    BitSource fast = seeded_tape(31);
    BitSource slow = seeded_tape(31);
    std::vector<Integer> sums(1500, Integer(0));
    DiscreteGaussian(rational(text)).add(sums, fast);
    EXPECT_EQ(sums, by_definition(rational(text), sums.size(), slow)) << text;
    EXPECT_EQ(words_used(fast), words_used(slow)) << text;
  }
}

// Words of zeros make the first proposal about 90·t, beyond what doubles decide.
TEST(DiscreteGaussianTest, ProposalsBeyondTheReachOfDoublesAreDecidedByRationals) {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;
  const std::vector<std::uint64_t> words = {0,     kHalf, 0,         kHalf,  // the first proposal
                                            kHalf,                           // its coin: refused
                                            kHalf, kHalf, kHalf >> 1};       // 0, accepted
  BitSource fast = tape_of_words(words);
  BitSource slow = tape_of_words(words);
  std::vector<Integer> sums(1, Integer(0));
  DiscreteGaussian(100).add(sums, fast);
  EXPECT_EQ(sums, by_definition(100, 1, slow));
  EXPECT_EQ(words_used(fast), words.size());
  EXPECT_EQ(words_used(slow), words.size());
}

TEST(DiscreteGaussianTest, LawMatchesTheClosedForm) {
  const std::vector<std::pair<const char*, std::int64_t>> cases = {
      {"1/4", 1}, {"1", 1}, {"2.5", 1}, {"100", 7}, {"1000000/7", 250}};
  for (const auto& [text, step] : cases) {
    const double variance = rational(text).down();
    std::vector<std::int64_t> cuts;
    for (std::int64_t i = -2; i <= 3; ++i) cuts.push_back(i * step);
    if (variance < 0.5) cuts = {0, 1};
    const auto weight = [&](std::int64_t from) {  // of all k ≥ from
      double sum = 0;
      const auto most = static_cast<std::int64_t>(60 * std::sqrt(variance)) + 2;
      for (std::int64_t k = std::max(from, -most); k <= most; ++k) {
        sum += std::exp(-static_cast<double>(k) * static_cast<double>(k) / (2 * variance));
      }
      return sum;
    };
    BitSource bits = seeded_tape(32);
    std::vector<std::int64_t> values(300'000, 0);
    DiscreteGaussian(rational(text)).add(values, bits);
    std::vector<std::size_t> observed(cuts.size() + 1);
    for (const std::int64_t z : values) {
      ++observed[static_cast<std::size_t>(std::ranges::upper_bound(cuts, z) - cuts.begin())];
    }
    const double total = weight(std::numeric_limits<std::int64_t>::min());
    EXPECT_GT(fit_of_cuts(observed, [&](std::size_t i) { return weight(cuts[i]) / total; }),
              kFalseAlarm)
        << text;
  }
}

// σ = 2^65: proposals do not fit 64 bits, and the law is as good as continuous.
TEST(DiscreteGaussianTest, LawIsRightBeyondSixtyFourBits) {
  const Integer unit = Integer::two_to(65);
  BitSource bits = seeded_tape(33);
  std::vector<Integer> values(8'000, Integer(0));
  DiscreteGaussian(Rational::two_to(130)).add(values, bits);
  std::vector<std::size_t> observed(7);
  for (const Integer& z : values) {
    std::size_t cell = 0;
    for (std::int64_t i = -2; i <= 3; ++i) cell += z >= Integer(i) * unit ? 1 : 0;
    ++observed[cell];
  }
  EXPECT_GT(fit_of_cuts(observed,
                        [](std::size_t i) {
                          return std::erfc((static_cast<double>(i) - 2) / std::sqrt(2.0)) / 2;
                        }),
            kFalseAlarm);
  std::vector<std::int64_t> cut(100, 0);
  DiscreteGaussian(Rational::two_to(140)).add(cut, bits);
  EXPECT_GT(std::ranges::count(cut, std::numeric_limits<std::int64_t>::max()), 20);
  EXPECT_GT(std::ranges::count(cut, std::numeric_limits<std::int64_t>::min()), 20);
}

TEST(DiscreteGaussianTest, ProposalScaleIsJustAboveSigma) {
  for (const char* text : {"1", "4", "63.999", "64", "64.001", "1/3", "1e-9", "1e9", "255/256"}) {
    const Rational variance = rational(text);
    const Rational t = DiscreteGaussian(variance).proposal_scale();
    EXPECT_GT(t * t, variance) << text;
    EXPECT_LE(t * t, variance * rational("81/64")) << text;
  }
}

// Acceptance = e^(−σ²/(2t²))·(Σ_k e^(−k²/(2σ²)))·tanh(1/(2t)).
TEST(DiscreteGaussianTest, MoreThanHalfOfTheProposalsAreAccepted) {
  constexpr int kPrecision = 128;
  for (const char* text :
       {"1/1000", "1/20", "0.159", "0.16", "0.2", "1/4", "1", "3", "50", "2000"}) {
    const Rational variance = rational(text);
    const Rational t = DiscreteGaussian(variance).proposal_scale();
    const auto e_to_minus = [](const Rational& x) { return exp(Ball(-x, kPrecision)); };
    Ball weight(1, kPrecision);
    for (int k = 1; k <= 1000; ++k) {
      weight =
          weight + Ball(2, kPrecision) * e_to_minus(Rational(k * k) / (Rational(2) * variance));
    }
    const Ball s = Ball(Rational(1) / (Rational(2) * t), kPrecision);
    const Ball accepted = e_to_minus(variance / (Rational(2) * t * t)) * weight * sinh(s) / cosh(s);
    EXPECT_GT(accepted.lower(), 0.515) << text;
    EXPECT_LT(accepted.upper(), 1.0) << text;
  }
}

TEST(DiscreteGaussianTest, VariancesThatAreNotPositiveAreRefused) {
  expect_code(ErrorCode::kBadParameter, [&] { DiscreteGaussian(0); });
  expect_code(ErrorCode::kBadParameter, [&] { DiscreteGaussian(-1); });
}

}  // namespace discrete_gaussian_test
}  // namespace lastbit
