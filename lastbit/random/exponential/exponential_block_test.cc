#include "lastbit/random/exponential/exponential_block.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cfenv>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"
#include "lastbit/numerics/ball.h"
#include "lastbit/random/exponential/exponential.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace exponential_block_test {

using exponential_internal::kernel_variants;
using exponential_internal::KernelVariant;
using testing::seeded_tape;
using testing::tape_of_words;
using testing::words_used;

// Sanitizers make balls ten times slower, and do not look for wrong answers.
#ifdef LASTBIT_SANITIZED
constexpr std::size_t kShare = 20;
#else
constexpr std::size_t kShare = 1;
#endif

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

// 8 scales of 95 000 samples here and of 30 000 for the floor: a million for every variant.
TEST(ExponentialBlockTest, RoundSignedEqualsItsDefinitionOnEveryProcessor) {
  constexpr std::size_t kSamples = 95'000 / kShare;
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
  constexpr std::size_t kSamples = 30'000 / kShare;
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

// First words at the boundary where the rounded value changes to j: the undecided one and its
// neighbours, with the sign that reaches j.
std::vector<std::uint64_t> words_at(const Rational& scale, double fraction, int j) {
  const Rational distance = Rational(j) - Rational(1, 2) - Rational::exactly(fraction);
  const Rational e = abs(distance) / scale;
  if (e.sign() == 0 || e > Rational(40)) return {};
  const Ball u = exp(Ball(-e, 200)) * Ball(Rational::two_to(63), 200);
  const Integer center = u.lower_rational().floor();
  std::vector<std::uint64_t> words;
  for (int offset = -3; offset <= 3; ++offset) {
    const Integer known = center + Integer(offset);
    if (known.sign() < 0 || known >= Integer::two_to(63)) continue;
    words.push_back(static_cast<std::uint64_t>(known.to_int64()) << 1 |
                    (distance.sign() < 0 ? 1U : 0U));
  }
  return words;
}

// A tape that begins with these words and continues at random.
BitSource aimed_tape(std::vector<std::uint64_t> words, std::uint64_t seed) {
  BitSource rest = seeded_tape(seed);
  for (int i = 0; i < 4000; ++i) words.push_back(rest.word());
  return tape_of_words(words);
}

TEST(ExponentialBlockTest, WordsAimedAtBoundariesFallBackAndAgree) {
  for (const char* text : kScales) {
    const Rational scale = rational(text);
    for (const double fraction : {0.0, -0.5, 0.5, 0.25, 0x1.fffffffffffffp-2, -0x1p-1074}) {
      std::vector<std::uint64_t> words;
      for (const int j : {-1000, -13, -2, -1, 0, 1, 2, 3, 12, 15, 30, 77}) {
        const auto more = words_at(scale, fraction, j);
        words.insert(words.end(), more.begin(), more.end());
      }
      const std::vector<double> fractions(words.size(), fraction);
      BitSource slow_bits = aimed_tape(words, 9);
      const auto slow = slow_round_signed(scale, fractions, slow_bits);
      for (const KernelVariant& variant : kernel_variants()) {
        BitSource bits = aimed_tape(words, 9);
        std::vector<std::int64_t> fast(words.size());
        ScaledExponentials(scale, variant).round_signed(fractions, fast, bits);
        EXPECT_EQ(fast, slow) << text << ' ' << fraction << ' ' << variant.name;
        EXPECT_EQ(words_used(bits), words_used(slow_bits)) << text << ' ' << variant.name;
      }
    }
  }
}

TEST(ExponentialBlockTest, TinyUAndUNextToOneAgreeInBothSigns) {
  const std::vector<std::uint64_t> corners = {0,
                                              1,
                                              2,
                                              3,
                                              1000,
                                              1001,
                                              (1U << 20),
                                              ~std::uint64_t{0},
                                              ~std::uint64_t{0} - 1,
                                              ~std::uint64_t{0} - 2,
                                              (std::uint64_t{1} << 48) - 1,
                                              std::uint64_t{1} << 48};
  std::vector<std::uint64_t> words;
  for (int i = 0; i < 20; ++i) words.insert(words.end(), corners.begin(), corners.end());
  for (const char* text : kScales) {
    for (const double fraction : {-0.5, 0.0, 0.5}) {
      const std::vector<double> fractions(words.size(), fraction);
      BitSource slow_bits = aimed_tape(words, 10);
      BitSource bits = aimed_tape(words, 10);
      std::vector<std::int64_t> fast(words.size());
      const ScaledExponentials noise(rational(text));
      noise.round_signed(fractions, fast, bits);
      EXPECT_EQ(fast, slow_round_signed(noise.scale(), fractions, slow_bits)) << text;
      EXPECT_EQ(words_used(bits), words_used(slow_bits)) << text;
    }
  }
}

TEST(ExponentialBlockTest, WordsOfZeroAreContinuedUntilUIsBounded) {
  const std::vector<std::uint64_t> words = {0, ~std::uint64_t{0} << 1, 0, 0,
                                            0, std::uint64_t{1} << 40};
  BitSource bits = tape_of_words(words);
  std::vector<std::int64_t> out(2);
  ScaledExponentials(1).floor(out, bits);
  EXPECT_EQ(words_used(bits), words.size());
  // U is about 2^(40 − 63 − 4·64).
  const Rational halvings = 63 + 4 * 64 - 40;
  EXPECT_EQ(out[0], (halvings * rational("0.693147180559945309")).floor().to_int64());
  EXPECT_EQ(out[1], 0);
}

TEST(ExponentialBlockTest, HalfWayAndNegativeNoiseGoesDownAndPositiveStays) {
  // fraction + ½ = 0 and noise too small for a double to show.
  const std::vector<double> fractions = {-0.5, -0.5};
  BitSource bits = tape_of_words({~std::uint64_t{0}, ~std::uint64_t{0} - 1});
  std::vector<std::int64_t> out(2);
  ScaledExponentials(1).round_signed(fractions, out, bits);
  EXPECT_EQ(out, (std::vector<std::int64_t>{-1, 0}));
}

TEST(ExponentialBlockTest, ScalesBeyondTheFastPathAreExactAndCut) {
  for (const Rational& scale : {Rational::two_to(45), Rational::two_to(61), Rational::two_to(100),
                                Rational::two_to(-1000)}) {
    const std::vector<double> fractions = make_fractions(500, 4);
    BitSource slow_bits = seeded_tape(12);
    BitSource bits = seeded_tape(12);
    std::vector<std::int64_t> fast(fractions.size());
    ScaledExponentials(scale).round_signed(fractions, fast, bits);
    EXPECT_EQ(fast, slow_round_signed(scale, fractions, slow_bits));
    EXPECT_EQ(words_used(bits), words_used(slow_bits));
    if (scale == Rational::two_to(100)) {
      EXPECT_EQ(*std::ranges::max_element(fast), ScaledExponentials::kMaxNoise);
      EXPECT_EQ(*std::ranges::min_element(fast), -ScaledExponentials::kMaxNoise);
    }
  }
}

TEST(ExponentialBlockTest, NoFractionsAreFractionsOfZero) {
  for (const std::size_t size : {0U, 1U, 1023U, 1024U, 1025U, 5000U}) {
    const std::vector<double> zeros(size, 0.0);
    std::vector<std::int64_t> with(size);
    std::vector<std::int64_t> without(size);
    BitSource with_bits = seeded_tape(13);
    BitSource without_bits = seeded_tape(13);
    const ScaledExponentials noise(rational("10/3"));
    noise.round_signed(zeros, with, with_bits);
    noise.round_signed(without, without_bits);
    EXPECT_EQ(with, without);
    EXPECT_EQ(words_used(with_bits), words_used(without_bits));
  }
}

TEST(ExponentialBlockTest, ArgmaxEqualsItsDefinition) {
  BitSource choices = seeded_tape(14);
  for (int round = 0; round < 400 / static_cast<int>(kShare); ++round) {
    const std::size_t size = choices.word() % (round % 10 == 0 ? 3000 : 20) + 1;
    const double spread = round % 3 == 0 ? 0.0 : 0x1p-62;
    std::vector<double> scores(size);
    for (double& score : scores) score = static_cast<double>(choices.word()) * spread - 2;
    // Words that repeat make ties among the first 63 bits.
    std::vector<std::uint64_t> words(size);
    for (std::uint64_t& word : words) {
      word = round % 2 == 0 ? choices.word() : (choices.word() % 3) << (round % 64);
    }
    const Rational scale = rational(kScales[static_cast<std::size_t>(round) % 5]);
    BitSource slow_bits = aimed_tape(words, 15);
    std::vector<AffineExponential> variates;
    for (std::size_t i = 0; i < size; ++i) {
      variates.push_back({Rational::exactly(scores[i]), scale, Exponential(slow_bits)});
    }
    const std::size_t slow = argmax(variates, slow_bits);
    for (const KernelVariant& variant : kernel_variants()) {
      BitSource bits = aimed_tape(words, 15);
      ASSERT_EQ(ScaledExponentials(scale, variant).argmax(scores, bits), slow) << round;
      ASSERT_EQ(words_used(bits), words_used(slow_bits)) << round;
    }
  }
}

TEST(ExponentialBlockTest, ArgmaxOfHugeAndRisingScoresIsRight) {
  BitSource bits = seeded_tape(16);
  const double largest = std::numeric_limits<double>::max();
  EXPECT_EQ(ScaledExponentials(1).argmax(std::vector{-largest, largest, 0.0}, bits), 1U);
  std::vector<double> rising(10'000);
  for (std::size_t i = 0; i < rising.size(); ++i) rising[i] = static_cast<double>(i) * 100;
  EXPECT_EQ(ScaledExponentials(1).argmax(rising, bits), rising.size() - 1);
  EXPECT_EQ(ScaledExponentials(Rational::two_to(-2000)).argmax(rising, bits), rising.size() - 1);
}

TEST(ExponentialBlockTest, BernoulliExpEqualsItsDefinition) {
  constexpr std::size_t kSamples = 20'000 / kShare;
  std::vector<Rational> exact(kSamples);
  std::vector<double> x(kSamples);
  for (std::size_t i = 0; i < kSamples; ++i) {
    exact[i] =
        Rational(static_cast<std::int64_t>(i % 1000) - 10, static_cast<std::int64_t>(i % 77 + 1));
    x[i] = exact[i].down();
  }
  for (const double error : {0x1p-40, 0x1p-8, std::numeric_limits<double>::infinity()}) {
    BitSource slow_bits = seeded_tape(17);
    const auto slow = by_definition(kSamples, slow_bits, [&](std::size_t i, Exponential e) {
      return std::int64_t{e.is_below(exact[i], slow_bits) ? 0 : 1};
    });
    for (const KernelVariant& variant : kernel_variants()) {
      BitSource bits = seeded_tape(17);
      std::vector<std::uint8_t> fast(kSamples);
      std::size_t asked = 0;
      const auto threshold = [&](std::size_t i) {
        ++asked;
        return exact[i];
      };
      bernoulli_exp(x, error, threshold, fast, bits, variant);
      EXPECT_TRUE(std::ranges::equal(fast, slow)) << error << ' ' << variant.name;
      EXPECT_EQ(words_used(bits), words_used(slow_bits));
      if (error == 0x1p-40) {
        EXPECT_LT(asked, kSamples / 20);
      }
    }
  }
}

TEST(ExponentialBlockTest, BernoulliExpLooksCloserAtWordsAimedAtTheThreshold) {
  const Rational threshold = rational("3/2");
  const Ball u = exp(Ball(-threshold, 200)) * Ball(Rational::two_to(63), 200);
  const auto known = static_cast<std::uint64_t>(u.lower_rational().floor().to_int64());
  const std::vector<double> x(4, 1.5);
  std::vector<std::uint8_t> out(4);
  BitSource bits = tape_of_words(
      {known << 1, (known + 1) << 1, known << 1, (known - 1) << 1, ~std::uint64_t{0}, 0});
  bernoulli_exp(x, 0, [&](std::size_t) { return threshold; }, out, bits);
  EXPECT_EQ(out, (std::vector<std::uint8_t>{0, 0, 1, 1}));
  EXPECT_EQ(words_used(bits), 6U);
}

TEST(ExponentialBlockTest, ImpossibleParametersAreRefused) {
  BitSource bits = seeded_tape(18);
  const ScaledExponentials noise(1);
  std::vector<std::int64_t> out(3);
  std::vector<std::uint8_t> coins(3);
  const std::vector<double> two(2, 0.0);
  const std::vector<double> wrong = {0.0, std::numeric_limits<double>::quiet_NaN(), 0.0};
  const std::vector<double> infinite = {0.0, std::numeric_limits<double>::infinity(), 0.0};
  const auto zero = [](std::size_t) { return Rational(0); };
  const std::function<void()> refused[] = {
      [] { ScaledExponentials(0); },
      [] { ScaledExponentials(-1); },
      [&] { noise.round_signed(two, out, bits); },
      [&] { noise.round_signed(wrong, out, bits); },
      [&] { noise.round_signed(infinite, out, bits); },
      [&] { noise.argmax({}, bits); },
      [&] { noise.argmax(wrong, bits); },
      [&] { noise.argmax(infinite, bits); },
      [&] { bernoulli_exp(two, 0, zero, coins, bits); },
      [&] { bernoulli_exp(wrong, -1, zero, coins, bits); },
      [&] { bernoulli_exp(wrong, wrong[1], zero, coins, bits); },
  };
  for (const auto& action : refused) EXPECT_EQ(code_of(action), ErrorCode::kBadParameter);
}

TEST(ExponentialBlockTest, OtherRoundingModesAreRefused) {
  BitSource bits = seeded_tape(19);
  std::vector<std::int64_t> out(3);
  const ScaledExponentials noise(1);
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    ASSERT_EQ(std::fesetround(mode), 0);
    ErrorCode code = ErrorCode::kInternal;
    try {
      noise.floor(out, bits);
    } catch (const Error& error) {
      code = error.code();
    }
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(code, ErrorCode::kNotSupported) << mode;
  }
  EXPECT_EQ(words_used(bits), 0U);
}

}  // namespace exponential_block_test
}  // namespace lastbit
