#include "lastbit/random/bernoulli.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "lastbit/base/error.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace bernoulli_test {

using testing::bits_used;
using testing::enumerate_tapes;
using testing::seeded_tape;
using testing::tape_of_bits;

const Rational kTiny = Rational(1) / Rational(pow(Integer(10), 40));

TEST(BernoulliTest, PmfMatchesClosedForm) {
  constexpr unsigned kBits = 12;
  for (const char* text : {"1/2", "1/3", "2/3", "1/4", "3/4", "5/8", "1/10", "0.99", "1/7", "6/7",
                           "4095/4096", "1/4096", "1/1000000"}) {
    SCOPED_TRACE(text);
    const Rational p = rational(text);
    auto law = enumerate_tapes<bool>([&p](BitSource& bits) { return bernoulli(bits, p); }, kBits);
    EXPECT_LE(law.undecided, Rational::two_to(-static_cast<std::int64_t>(kBits)));
    // U < p is certain on the whole cells below p: their number is the floor of p·2^kBits.
    const Rational cells = p * Rational::two_to(kBits);
    EXPECT_EQ(law.probability[true], Rational(cells.floor()) / Rational::two_to(kBits));
    EXPECT_EQ(law.undecided == Rational(0), cells.is_integer());
  }
}

TEST(BernoulliTest, LargeDenominatorsGiveTheSameLaw) {
  // p = 1/3 + 10^−40 agrees with 1/3 in its first 100 binary digits but uses the other arithmetic.
  const Rational p = rational("1/3") + kTiny;
  ASSERT_FALSE(p.denominator().fits_int64());
  auto law = enumerate_tapes<bool>([&p](BitSource& bits) { return bernoulli(bits, p); }, 12);
  EXPECT_EQ(law.probability[true], rational("1365/4096"));
  EXPECT_EQ(law.undecided, rational("1/4096"));
}

TEST(BernoulliTest, ZeroAndOneDrawNothing) {
  BitSource empty = tape_of_bits("");
  EXPECT_FALSE(bernoulli(empty, Rational(0)));
  EXPECT_TRUE(bernoulli(empty, Rational(1)));
}

TEST(BernoulliTest, AverageNumberOfBitsIsAtMostTwo) {
  for (const char* text : {"1/2", "1/3", "5/8", "0.99", "1/1000000"}) {
    const Rational p = rational(text);
    constexpr unsigned kBits = 12;
    auto law = enumerate_tapes<std::uint64_t>(
        [&p](BitSource& bits) {
          bernoulli(bits, p);
          return bits_used(bits);
        },
        kBits);
    Rational mean;
    for (const auto& [used, mass] : law.probability) mean += Rational(used) * mass;
    // Each further bit decides with probability at least 1/2, so after kBits undecided ones at most
    // two more are needed on average.
    EXPECT_LE(mean + law.undecided * Rational(kBits + 2), Rational(2)) << text;
  }
}

TEST(BernoulliTest, ProbabilitiesOutsideOfTheUnitIntervalAreRefused) {
  BitSource bits = seeded_tape(1);
  for (const Rational& p : {Rational(-1), Rational(2), Rational(1) + kTiny, -kTiny}) {
    try {
      bernoulli(bits, p);
      ADD_FAILURE() << p.to_string();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadParameter);
    }
  }
  EXPECT_EQ(bits_used(bits), 0U);
}

TEST(BernoulliTest, EndOfTheTapeIsAnError) {
  BitSource tape = tape_of_bits("010101");  // the digits of 1/3: never decided
  try {
    bernoulli(tape, rational("1/3"));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kTapeEnded);
  }
}

RC_GTEST_PROP(BernoulliTest, IsTheComparisonOfUWithP, (std::uint64_t seed)) {
  const auto denominator =
      *rc::gen::oneOf(rc::gen::inRange<std::uint64_t>(1, 100), rc::gen::nonZero<std::uint64_t>());
  const auto numerator = *rc::gen::arbitrary<std::uint64_t>() % denominator;
  const Rational p = Rational(numerator) / Rational(denominator);
  BitSource tape = seeded_tape(seed);
  BitSource again = seeded_tape(seed);
  // 256 digits of U decide every p whose denominator has at most 64 bits, except p = U exactly.
  Integer u;
  for (int i = 0; i < 4; ++i) u = u * Integer::two_to(64) + Integer(again.bits(64));
  RC_ASSERT(bernoulli(tape, p) == (Rational(u) * Rational::two_to(-256) < p));
}

}  // namespace bernoulli_test
}  // namespace lastbit
