#include "lastbit/random/geometric.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "lastbit/base/error.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace geometric_test {

using testing::bits_used;
using testing::enumerate_tapes;
using testing::seeded_tape;
using testing::tape_of_bits;

TEST(GeometricHalfTest, PmfMatchesClosedForm) {
  constexpr unsigned kBits = 12;
  const auto law =
      enumerate_tapes<std::uint64_t>([](BitSource& bits) { return geometric_half(bits); }, kBits);
  EXPECT_EQ(law.probability.size(), kBits);
  for (unsigned e = 1; e <= kBits; ++e) {
    EXPECT_EQ(law.probability.at(e), Rational::two_to(-static_cast<std::int64_t>(e))) << e;
  }
  EXPECT_EQ(law.undecided, Rational::two_to(-static_cast<std::int64_t>(kBits)));
}

TEST(GeometricHalfTest, SupportStartsAtOneNotAtZero) {
  BitSource tape = tape_of_bits("1");
  EXPECT_EQ(geometric_half(tape), 1U);
}

TEST(GeometricHalfTest, LongRunsCrossWordsAndWindows) {
  for (const std::size_t zeros : {0U, 1U, 62U, 63U, 64U, 65U, 127U, 128U, 200'000U}) {
    BitSource tape = tape_of_bits(std::string(zeros, '0') + "11");
    EXPECT_EQ(geometric_half(tape), zeros + 1);
    EXPECT_EQ(bits_used(tape), zeros + 1);
    EXPECT_EQ(geometric_half(tape), 1U);
  }
}

TEST(GeometricHalfTest, EndOfTheTapeIsAnError) {
  BitSource tape = tape_of_bits("000");
  try {
    geometric_half(tape);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kTapeEnded);
  }
}

TEST(GeometricHalfTest, ConsumesAsManyBitsAsItReturns) {
  BitSource tape = seeded_tape(3);
  std::uint64_t sum = 0;
  for (int i = 0; i < 100'000; ++i) sum += geometric_half(tape);
  EXPECT_EQ(bits_used(tape), sum);
}

}  // namespace geometric_test
}  // namespace lastbit
