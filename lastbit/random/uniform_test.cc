#include "lastbit/random/uniform.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <string>

#include "lastbit/base/error.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace uniform_test {

using testing::bits_used;
using testing::enumerate_tapes;
using testing::seeded_tape;
using testing::tape_of_bits;

template <class F>
void expect_code(ErrorCode code, F&& draw) {
  try {
    draw();
    ADD_FAILURE() << "no Error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
  }
}

// With at most r blocks of w bits, each number has Σ_{i<r} (1 − n/2^w)^i · 2^−w and the rest of
// the mass, (1 − n/2^w)^r, is undecided.
template <class T, class F>
void expect_uniform(std::uint64_t n, F&& sample) {
  const auto width = static_cast<unsigned>(std::bit_width(n - 1));
  const unsigned blocks = width == 0 ? 1 : 14 / width;
  const auto law = enumerate_tapes<T>(sample, blocks * width);
  const Rational block = Rational::two_to(-static_cast<std::int64_t>(width));
  const Rational rejected = Rational(1) - Rational(n) * block;
  EXPECT_EQ(law.undecided, pow(rejected, blocks));
  EXPECT_EQ(law.probability.size(), n);
  Rational each;
  for (unsigned i = 0; i < blocks; ++i) each += pow(rejected, i) * block;
  for (const auto& [outcome, probability] : law.probability) EXPECT_EQ(probability, each);
  // Given a decision, the law is exactly uniform.
  EXPECT_EQ(each / (Rational(1) - law.undecided), Rational(Integer(1), Integer(n)));
}

TEST(UniformTest, PmfMatchesClosedForm) {
  for (std::uint64_t n = 1; n <= 20; ++n) {
    SCOPED_TRACE(n);
    expect_uniform<std::uint64_t>(n, [n](BitSource& bits) { return uniform_below(bits, n); });
    expect_uniform<Integer>(n, [n](BitSource& bits) { return uniform_below(bits, Integer(n)); });
    expect_uniform<std::int64_t>(n, [n](BitSource& bits) {
      return uniform_between(bits, -3, static_cast<std::int64_t>(n) - 4);
    });
  }
}

TEST(UniformTest, OutcomesAreTheNumbersOfTheRange) {
  const auto law = enumerate_tapes<std::int64_t>(
      [](BitSource& bits) { return uniform_between(bits, -2, 1); }, 2);
  EXPECT_EQ(law.probability.begin()->first, -2);
  EXPECT_EQ(law.probability.rbegin()->first, 1);
}

TEST(UniformTest, OneNumberDrawsNothing) {
  BitSource empty = tape_of_bits("");
  EXPECT_EQ(uniform_below(empty, std::uint64_t{1}), 0U);
  EXPECT_EQ(uniform_below(empty, Integer(1)), Integer(0));
  EXPECT_EQ(uniform_between(empty, 5, 5), 5);
}

TEST(UniformTest, AnEmptyRangeIsRefused) {
  BitSource bits = seeded_tape(1);
  expect_code(ErrorCode::kBadParameter, [&] { uniform_below(bits, std::uint64_t{0}); });
  expect_code(ErrorCode::kBadParameter, [&] { uniform_below(bits, Integer(0)); });
  expect_code(ErrorCode::kBadParameter, [&] { uniform_below(bits, Integer(-5)); });
  expect_code(ErrorCode::kBadParameter, [&] { uniform_below(bits, -5); });
  expect_code(ErrorCode::kBadParameter, [&] { uniform_between(bits, 1, 0); });
  EXPECT_EQ(bits_used(bits), 0U);
}

TEST(UniformTest, EndOfTheTapeIsAnError) {
  BitSource rejected = tape_of_bits("11110");  // two rejected blocks of two bits, half a third
  expect_code(ErrorCode::kTapeEnded, [&] { uniform_below(rejected, std::uint64_t{3}); });
  BitSource bits = tape_of_bits(std::string(99, '1'));
  expect_code(ErrorCode::kTapeEnded, [&] { uniform_below(bits, Integer::two_to(100)); });
  BitSource empty = tape_of_bits("");
  expect_code(ErrorCode::kTapeEnded, [&] { uniform_between(empty, 0, 1); });
}

TEST(UniformTest, TheFullRangeOf64BitsIsReached) {
  constexpr auto kLow = std::numeric_limits<std::int64_t>::min();
  constexpr auto kHigh = std::numeric_limits<std::int64_t>::max();
  BitSource tape = testing::tape_of_words({0, ~std::uint64_t{0}, std::uint64_t{1} << 63});
  EXPECT_EQ(uniform_between(tape, kLow, kHigh), kLow);
  EXPECT_EQ(uniform_between(tape, kLow, kHigh), kHigh);
  EXPECT_EQ(uniform_between(tape, kLow, kHigh), 0);
}

TEST(UniformTest, ABlockEqualToNIsRejected) {
  constexpr std::uint64_t kN = std::numeric_limits<std::uint64_t>::max();
  BitSource tape = testing::tape_of_words({kN, kN - 1});
  EXPECT_EQ(uniform_below(tape, kN), kN - 1);
}

RC_GTEST_PROP(UniformTest, BothFormsUseTheSameBits, (std::uint64_t seed)) {
  const std::uint64_t any = *rc::gen::nonZero<std::uint64_t>();
  const std::uint64_t n = *rc::gen::element(any, any | std::uint64_t{1} << 63,
                                            std::uint64_t{1} << (any % 64), ~std::uint64_t{0});
  BitSource small = seeded_tape(seed);
  BitSource large = seeded_tape(seed);
  for (int i = 0; i < 20; ++i) {
    const std::uint64_t number = uniform_below(small, n);
    RC_ASSERT(number < n);
    RC_ASSERT(uniform_below(large, Integer(n)) == Integer(number));
    RC_ASSERT(bits_used(small) == bits_used(large));
  }
}

RC_GTEST_PROP(UniformTest, LargeNumbersAreBlocksBelowN, (std::uint64_t seed)) {
  const auto width = *rc::gen::inRange<std::uint64_t>(65, 400);
  const Integer n = Integer::two_to(width - 1) + Integer(*rc::gen::nonZero<std::uint64_t>());
  BitSource tape = seeded_tape(seed);
  BitSource again = seeded_tape(seed);
  const Integer number = uniform_below(tape, n);
  // Bit by bit, the long way.
  Integer expected;
  do {
    expected = Integer(0);
    for (std::uint64_t i = 0; i < width; ++i) {
      expected = expected + expected + Integer(again.bit() ? 1 : 0);
    }
  } while (expected >= n);
  RC_ASSERT(number == expected);
}

}  // namespace uniform_test
}  // namespace lastbit
