#include "lastbit/random/tape.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "lastbit/base/test_support.h"

namespace lastbit {
namespace tape_test {

using testing::bits_used;
using testing::enumerate_tapes;
using testing::seeded_tape;
using testing::tape_of_bits;
using testing::tape_of_words;
using testing::words_used;

template <class F>
void expect_tape_ended(F&& draw) {
  try {
    draw();
    ADD_FAILURE() << "the tape did not end";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kTapeEnded);
  }
}

TEST(TapeTest, BitsEndExactlyAfterTheLastOne) {
  BitSource tape = tape_of_bits("0110");
  EXPECT_FALSE(tape.bit());
  EXPECT_EQ(tape.bits(3), 6U);
  expect_tape_ended([&] { tape.bit(); });
  expect_tape_ended([&] { tape.bit(); });
  EXPECT_EQ(tape.bits(0), 0U);
  EXPECT_EQ(bits_used(tape), 4U);
}

TEST(TapeTest, AnEmptyTapeEndsAtOnce) {
  BitSource bits = tape_of_bits("");
  BitSource words = tape_of_words({});
  expect_tape_ended([&] { bits.bit(); });
  expect_tape_ended([&] { bits.word(); });
  expect_tape_ended([&] { bits.leading_zeros(); });
  expect_tape_ended([&] { words.word(); });
  EXPECT_EQ(bits_used(bits), 0U);
  EXPECT_EQ(words_used(words), 0U);
}

TEST(TapeTest, ADrawThatIsTooLongLeavesTheLastBits) {
  BitSource tape = tape_of_bits("101");
  expect_tape_ended([&] { tape.bits(4); });
  EXPECT_EQ(bits_used(tape), 0U);
  expect_tape_ended([&] { tape.word(); });
  EXPECT_EQ(tape.bits(3), 5U);
}

TEST(TapeTest, AnIncompleteLastWordServesBitsButNotWord) {
  BitSource tape = tape_of_bits(std::string(64, '1') + "010");
  EXPECT_EQ(tape.word(), ~std::uint64_t{0});
  EXPECT_EQ(words_used(tape), 1U);
  expect_tape_ended([&] { tape.word(); });
  EXPECT_EQ(tape.bits(3), 2U);
  EXPECT_EQ(bits_used(tape), 67U);
  EXPECT_EQ(words_used(tape), 2U);
}

TEST(TapeTest, ADrawMayCrossIntoTheIncompleteLastWord) {
  BitSource tape = tape_of_bits(std::string(64, '0') + "11");
  EXPECT_EQ(tape.bits(60), 0U);
  expect_tape_ended([&] { tape.bits(7); });
  EXPECT_EQ(tape.bits(6), 3U);
  expect_tape_ended([&] { tape.bit(); });
}

TEST(TapeTest, AnEndlessRunOfZerosEndsTheTape) {
  BitSource tape = tape_of_bits(std::string(200, '0'));
  expect_tape_ended([&] { tape.leading_zeros(); });
}

TEST(TapeTest, OtherCharactersAreRefused) {
  try {
    tape_of_bits("01 1");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadText);
  }
}

TEST(TapeTest, OnlyTapesCountWhatWasUsed) {
  const BitSource source = BitSource::secure();
  expect_code(ErrorCode::kBadParameter, [&] { bits_used(source); });
  expect_code(ErrorCode::kBadParameter, [&] { words_used(source); });
}

RC_GTEST_PROP(TapeTest, AnyMixtureOfDrawsFollowsTheDocumentedStream,
              (const std::vector<bool>& recorded)) {
  // The documentation implemented again: a cursor over the tape, and the list of bits cut off.
  std::string text;
  for (const bool bit : recorded) text += bit ? '1' : '0';
  const int copies = *rc::gen::inRange(1, 9);
  const std::string unit = text;
  for (int i = 1; i < copies; ++i) text += unit;
  BitSource tape = tape_of_bits(text);
  std::size_t cursor = 0;
  std::string cut;
  for (int step = 0; step < 40; ++step) {
    if (*rc::gen::arbitrary<bool>()) {
      if (text.size() - cursor < 64) {
        RC_ASSERT(code_of([&] { tape.word(); }) == ErrorCode::kTapeEnded);
        continue;
      }
      RC_ASSERT(tape.word() == std::stoull(text.substr(cursor, 64), nullptr, 2));
      cursor += 64;
    } else {
      const unsigned count = *rc::gen::inRange(1U, 65U);
      while (cut.size() < count && cursor < text.size()) {
        cut += text.substr(cursor, 64);
        cursor += std::min<std::size_t>(64, text.size() - cursor);
      }
      if (cut.size() < count) {
        RC_ASSERT(code_of([&] { tape.bits(count); }) == ErrorCode::kTapeEnded);
      } else {
        RC_ASSERT(tape.bits(count) == std::stoull(cut.substr(0, count), nullptr, 2));
        cut.erase(0, count);
      }
    }
    RC_ASSERT(bits_used(tape) == cursor - cut.size());
  }
}

TEST(TapeTest, LongTapesCrossTheWindow) {
  std::vector<std::uint64_t> words(5000);
  std::iota(words.begin(), words.end(), 1);
  BitSource tape = tape_of_words(words);
  std::vector<std::uint64_t> read(5000);
  tape.fill(std::span(read).first(3000));
  for (std::size_t i = 3000; i < 5000; ++i) read[i] = tape.word();
  EXPECT_EQ(read, words);
  EXPECT_EQ(words_used(tape), 5000U);
  expect_tape_ended([&] { tape.word(); });
}

TEST(SeededTapeTest, StreamIsFixedForever) {
  // Computed once with the OpenSSL command line: sha256 of the label and eight zero bytes as key,
  // aes-256-ctr of zeros from a zero counter block, read as little-endian words.
  BitSource tape = seeded_tape(0);
  EXPECT_EQ(tape.word(), 0xa836cd337ec57f69U);
  EXPECT_EQ(tape.word(), 0x9b5dc6b781652ab9U);
}

TEST(SeededTapeTest, DifferentSeedsGiveDifferentStreams) {
  BitSource a = seeded_tape(1);
  BitSource again = seeded_tape(1);
  BitSource b = seeded_tape(std::uint64_t{1} << 63);
  const std::uint64_t word = a.word();
  EXPECT_EQ(word, again.word());
  EXPECT_NE(word, b.word());
}

// Two tests of the stream's fairness, on recorded bits. Were the bits fresh, each would give a
// false alarm with probability below 1e-6; being recorded, they always pass or always fail.
constexpr double kFalseAlarm = 1e-6;

TEST(SeededTapeTest, OnesAreAsFrequentAsZeros) {
  BitSource tape = seeded_tape(20);
  constexpr int kWords = 1 << 18;
  std::int64_t ones = 0;
  for (int i = 0; i < kWords; ++i) ones += std::popcount(tape.word());
  // Hoeffding: Pr[|ones − n/2| ≥ t] ≤ 2·exp(−2t²/n); n = 2^24 and t = 11100 give 8.4e-7.
  static_assert(kFalseAlarm >= 8.4e-7);
  EXPECT_LT(std::abs(ones - std::int64_t{kWords} * 32), 11100);
}

TEST(SeededTapeTest, BytesAreUniformByChiSquare) {
  BitSource tape = seeded_tape(21);
  constexpr std::int64_t kDraws = 1 << 20;
  std::array<std::int64_t, 256> count{};
  for (std::int64_t i = 0; i < kDraws; ++i) ++count[tape.bits(8)];
  std::int64_t squares = 0;
  for (const std::int64_t c : count) squares += (c - kDraws / 256) * (c - kDraws / 256);
  // χ² with 255 degrees of freedom exceeds 378 with probability 8.6e-7, and falls below 154 with
  // probability 8.9e-8.
  static_assert(kFalseAlarm >= 8.6e-7 + 8.9e-8);
  const std::int64_t chi_square = squares / (kDraws / 256);
  EXPECT_LT(chi_square, 378);
  EXPECT_GE(chi_square, 154);
}

TEST(EnumerateTapesTest, OneBitIsAFairCoin) {
  const auto law = enumerate_tapes<bool>([](BitSource& bits) { return bits.bit(); }, 1);
  EXPECT_EQ(law.probability.at(false), rational("1/2"));
  EXPECT_EQ(law.probability.at(true), rational("1/2"));
  EXPECT_EQ(law.undecided, Rational(0));
}

TEST(EnumerateTapesTest, UndecidedMassIsCounted) {
  const auto sample = [](BitSource& bits) { return bits.bits(2) + bits.bits(2); };
  EXPECT_EQ(enumerate_tapes<std::uint64_t>(sample, 3).undecided, Rational(1));
  const auto law = enumerate_tapes<std::uint64_t>(sample, 4);
  EXPECT_EQ(law.undecided, Rational(0));
  EXPECT_EQ(law.probability.at(3), rational("4/16"));
  EXPECT_EQ(law.probability.at(6), rational("1/16"));
}

TEST(EnumerateTapesTest, ABiasedSamplerIsSeenToBeBiased) {
  // Reduction modulo 3 instead of rejection: the mistake that the enumeration must catch.
  const auto law =
      enumerate_tapes<std::uint64_t>([](BitSource& bits) { return bits.bits(3) % 3; }, 3);
  EXPECT_EQ(law.probability.at(0), rational("3/8"));
  EXPECT_EQ(law.probability.at(2), rational("2/8"));
}

TEST(EnumerateTapesTest, AConstantDrawsNothing) {
  const auto law = enumerate_tapes<int>([](BitSource&) { return 7; }, 0);
  EXPECT_EQ(law.probability.at(7), Rational(1));
}

TEST(EnumerateTapesTest, OutcomesMayHaveAnOrderOfTheirOwn) {
  const auto law = enumerate_tapes<int, std::greater<int>>(
      [](BitSource& bits) { return static_cast<int>(bits.bits(2)); }, 2);
  EXPECT_EQ(law.probability.begin()->first, 3);
}

TEST(EnumerateTapesTest, ASamplerWithAMemoryIsRefused) {
  int run = 0;
  const auto sample = [&run](BitSource& bits) { return ++run % 2 == 1 ? bits.bits(2) : 0; };
  expect_code(ErrorCode::kInternal, [&] { enumerate_tapes<std::uint64_t>(sample, 4); });
}

TEST(EnumerateTapesTest, OtherErrorsOfTheSamplerComeThrough) {
  const auto sample = [](BitSource& bits) { return bits.bits(65); };
  try {
    enumerate_tapes<std::uint64_t>(sample, 4);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadParameter);
  }
}

}  // namespace tape_test
}  // namespace lastbit
