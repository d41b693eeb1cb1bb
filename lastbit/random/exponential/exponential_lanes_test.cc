#include "lastbit/random/exponential/exponential_lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "lastbit/numerics/ball.h"
#include "lastbit/random/exponential/exponential.h"
#include "lastbit/random/exponential/exponential_kernel.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace exponential_lanes_test {

using namespace exponential_internal;  // NOLINT(google-build-using-namespace)
using testing::seeded_tape;

constexpr std::uint64_t kSmallest = std::uint64_t{1} << 48;

// Words at every place where something changes: powers of two, √½ times those, the smallest fast
// word, the largest word, each with its neighbours; then random ones, U being spread evenly on a
// logarithmic scale.
std::vector<std::uint64_t> make_words(std::size_t random_count) {
  std::vector<std::uint64_t> words;
  for (unsigned exponent = 48; exponent < 64; ++exponent) {
    const std::uint64_t power = std::uint64_t{1} << exponent;
    const auto root = static_cast<std::uint64_t>(static_cast<double>(power) * (2 * kRootHalf));
    for (std::uint64_t offset = 0; offset < 3000; offset = 2 * offset + 1) {
      words.insert(words.end(), {power + offset, root + offset, root - offset});
      if (exponent > 48) words.push_back(power - 1 - offset);
    }
  }
  for (std::uint64_t offset = 0; offset < 10'000; offset = 2 * offset + 1) words.push_back(~offset);
  BitSource bits = seeded_tape(31);
  for (std::size_t i = 0; i < random_count; ++i) {
    const std::uint64_t word = bits.word() | std::uint64_t{1} << 63;
    words.push_back(word >> (i % 16));
  }
  return words;
}

// Whether |value − E| ≤ kLogError for all U that begin with the word: E is monotone in U.
bool is_close(double value, std::uint64_t word) {
  const Exponential e(word);
  const Ball computed = Ball::exactly(value, 160);
  const Ball bound = Ball::exactly(kLogError, 160);
  const Ball most = -ln(Ball(e.lower_u(), 160));
  const Ball least = -ln(Ball(e.upper_u(), 160));
  return certainly_less_or_equal(most - computed, bound) &&
         certainly_less_or_equal(computed - least, bound);
}

TEST(ExponentialLanesTest, WordBecomesTheDoubleNearestToItsMiddle) {
  for (const std::uint64_t word : make_words(10'000)) {
    ASSERT_EQ(lane_word(word), static_cast<double>(word | 1));
    ASSERT_EQ(lane_word(word >> 40), static_cast<double>((word >> 40) | 1));
  }
  EXPECT_EQ(lane_word(0), 1.0);
  EXPECT_EQ(lane_word(~std::uint64_t{0}), 0x1p64);
}

TEST(ExponentialLanesTest, LogarithmIsWithinItsBoundForEveryUnknownBit) {
  for (const std::uint64_t word : make_words(50'000)) {
    ASSERT_TRUE(is_close(lane_log(lane_word(word)), word)) << word;
  }
}

TEST(ExponentialLanesTest, BoundIsNotFarFromWhatIsMet) {
  // The undrawn bits alone give 2^−48 at the smallest word, so a bound below that is wrong.
  const Exponential e(kSmallest);
  const double spread = (ln(Ball(e.upper_u(), 160)) - ln(Ball(e.lower_u(), 160))).lower();
  EXPECT_GT(spread / 2, kLogError / 5);
  EXPECT_LT(lane_log(lane_word(kSmallest)), kMaxE);
}

// A logarithm that is as wrong as allowed.
struct WrongLog {
  double toward = 0;  // moves E toward this number; infinities push it in one direction
  double operator()(std::uint64_t word, double middle) const {
    const double honest = lane_log(middle);
    const Exponential e(word);
    // The farthest doubles within kLogError of every possible E, rounded inward.
    if (toward > honest) {
      const double most = (-ln(Ball(e.upper_u(), 160)) + Ball::exactly(kLogError, 160)).lower();
      return std::max(honest, std::min(most, toward));
    }
    const double least = (-ln(Ball(e.lower_u(), 160)) - Ball::exactly(kLogError, 160)).upper();
    return std::min(honest, std::max(least, toward));
  }
};

constexpr double kInfinity = std::numeric_limits<double>::infinity();

LaneScale scale_of(double c) { return lane_scale(Rational::exactly(c)); }

// Words around the U where ⌊fraction + ½ ± c·E⌋ changes to or from j, from far to within the bound.
std::vector<std::uint64_t> words_at_boundary(double c, double fraction, int j, bool negative) {
  const Rational distance = Rational(j) - Rational::exactly(fraction) - Rational(1, 2);
  const Rational e = (negative ? -distance : distance) / Rational::exactly(c);
  std::vector<std::uint64_t> words;
  if (e.sign() <= 0 || e > Rational(10)) return words;
  const Ball u = exp(Ball(-e, 160)) * Ball(Rational(Integer::two_to(64)), 160);
  const Integer center = u.lower_rational().floor();
  for (std::uint64_t offset = 0; offset < (std::uint64_t{1} << 24); offset = 2 * offset + 2) {
    for (const Integer& word : {center + Integer(offset), center - Integer(offset)}) {
      if (word.sign() <= 0 || word >= Integer::two_to(64)) continue;
      const auto bits = static_cast<std::uint64_t>(floor_div(word, 2).to_int64());
      words.push_back(bits << 1 | (negative ? 1U : 0U));
    }
  }
  return words;
}

TEST(ExponentialLanesTest, WorstLegalErrorNeverChangesASureFloor) {
  std::size_t sure = 0;
  std::size_t unsure = 0;
  for (const double c : {1.0, 0x1p20, 0x1p30, 1.0 / 3, 0x1p-10}) {
    for (const double fraction : {0.0, -0.5, 0.5, 0.3, -0x1p-60}) {
      for (const int j : {-70, -3, -1, 0, 1, 2, 5, 100}) {
        for (const bool negative : {false, true}) {
          const LaneScale lane_scale = scale_of(c);
          const double at = std::abs((j - 0.5 - fraction) / c);
          for (const std::uint64_t word : words_at_boundary(c, fraction, j, negative)) {
            BitSource bits = seeded_tape(1);
            const Rational b = Rational::exactly(negative ? -c : c);
            const auto exact = Exponential(word).floor_affine(
                Rational::exactly(fraction) + Rational(1, 2), b, bits);
            for (const double toward : {at, kInfinity, -kInfinity}) {
              const LaneWhole lane =
                  lane_round_signed(word, fraction, lane_scale, WrongLog{toward});
              ++(lane.unsure == 0 ? sure : unsure);
              if (lane.unsure != 0) continue;
              ASSERT_EQ(Integer(static_cast<std::int64_t>(lane.whole)), exact)
                  << c << ' ' << fraction << ' ' << j << ' ' << word;
            }
          }
        }
      }
    }
  }
  EXPECT_GT(sure, 5'000U);
  EXPECT_GT(unsure, 5'000U);
}

TEST(ExponentialLanesTest, ScaleIsTheNearestDoubleAndItsErrorsAreOnTheSafeSide) {
  for (const char* text : {"1/3", "0.7", "12345/67", "1048576", "1e-200", "17592186044416"}) {
    const Rational c = rational(text);
    const LaneScale lane = lane_scale(c);
    const Rational nearest = Rational::exactly(lane.scale);
    EXPECT_LE(abs(nearest - c), nearest * Rational::two_to(-53)) << text;
    const Rational error = nearest * Rational::two_to(-46);
    EXPECT_LE(Rational::exactly(lane.certain), Rational(1, 2) - error - Rational::two_to(-52));
    EXPECT_GE(Rational::exactly(lane.affine_error), error);
  }
  for (const Rational& c : {Rational::two_to(45), Rational::two_to(-901)}) {
    EXPECT_EQ(lane_scale(c).certain, -kInfinity);
    EXPECT_EQ(lane_scale(c).affine_error, kInfinity);
  }
}

TEST(ExponentialLanesTest, BoundsHoldWithTheWorstLegalError) {
  BitSource bits = seeded_tape(5);
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t word = bits.word() | kSmallest;
    const double c = std::ldexp(1.0 + static_cast<double>(i % 7) / 8, i % 60 - 30);
    const double a = std::ldexp(static_cast<double>(bits.word()), i % 200 - 150) * (i % 2 ? 1 : -1);
    const Exponential e(word);
    for (const double toward : {kInfinity, -kInfinity}) {
      const LaneBounds bounds = lane_bounds(word, a, scale_of(c), WrongLog{toward});
      const Ball scale = Ball::exactly(c, 300);
      const Ball start = Ball::exactly(a, 300);
      const Ball least = start - scale * ln(Ball(e.upper_u(), 300));
      const Ball most = start - scale * ln(Ball(e.lower_u(), 300));
      ASSERT_TRUE(certainly_less(Ball::exactly(bounds.lower, 300), least));
      ASSERT_TRUE(certainly_less(most, Ball::exactly(bounds.upper, 300)));
    }
  }
}

TEST(ExponentialLanesTest, ExcessHasTheRightSignWithTheWorstLegalError) {
  std::size_t unsure = 0;
  for (const std::uint64_t word : make_words(2000)) {
    const double honest = lane_log(lane_word(word));
    for (const double offset : {0.0, 0x1p-48, 0x1p-47, 0x1p-46, 0x1p-45, 0x1p-40}) {
      for (const double x : {honest + offset, honest - offset}) {
        const LaneExcess lane = lane_excess(word, x, 2 * kLogError, WrongLog{x});
        unsure += lane.unsure;
        if (lane.unsure != 0) continue;
        const Exponential e(word);
        const Ball end(lane.excess > 0 ? e.upper_u() : e.lower_u(), 160);
        ASSERT_EQ((-ln(end) - Ball::exactly(x, 160)).sign(), lane.excess > 0 ? 1 : -1);
      }
    }
  }
  EXPECT_GT(unsure, 1000U);
}

TEST(ExponentialLanesTest, NearestWholeNumberIsRightAndItsDistanceExact) {
  BitSource bits = seeded_tape(6);
  for (int i = 0; i < 100'000; ++i) {
    const double y =
        std::ldexp(static_cast<double>(bits.word()), -(i % 90) - 16) * (i % 2 ? 1 : -1);
    const double nearest = std::nearbyint(y);
    const double distance = std::abs(y - nearest);
    const LaneWhole lane = lane_nearest(y, distance, 0x1p60);
    ASSERT_EQ(static_cast<double>(static_cast<std::int64_t>(lane.whole)), nearest) << y;
    ASSERT_EQ(lane.unsure, 1U) << y;
    ASSERT_EQ(lane_nearest(y, std::nextafter(distance, 1.0), 0x1p60).unsure, 0U) << y;
  }
  EXPECT_EQ(lane_nearest(2.25, 0.4, 0x1p60).unsure, 0U);
  EXPECT_EQ(lane_nearest(2.25, 0.4, 0x1p47).unsure, 1U);
  EXPECT_EQ(lane_nearest(std::nan(""), 0.5, 0x1p60).unsure, 1U);
  EXPECT_EQ(lane_nearest(kInfinity, 0.5, 0x1p60).unsure, 1U);
  EXPECT_EQ(lane_nearest(2.0, -kInfinity, 0x1p60).unsure, 1U);
}

// Every variant computes lane by lane what the scalar functions compute, bit for bit, for every
// length that leaves a vector partly filled.
TEST(ExponentialLanesTest, AllInstructionSetsGiveTheSameBits) {
  BitSource bits = seeded_tape(7);
  const LaneScale c = scale_of(1e6 / 3);
  for (const KernelVariant& variant : kernel_variants()) {
    for (std::size_t count = 0; count <= 130; ++count) {
      std::vector<std::uint64_t> words(count);
      bits.fill(words);
      std::vector<double> x(count);
      for (std::size_t i = 0; i < count; ++i) {
        words[i] >>= count % 16 + (i == count / 2 ? 10 : 0);
        x[i] =
            lane_log(lane_word(words[i])) + (i % 2 ? 0x1p-46 : -0x1p-46) * static_cast<double>(i);
      }
      std::vector<std::int64_t> rounded(count);
      std::vector<std::int64_t> floors(count);
      std::vector<std::uint8_t> exceeded(count);
      const double error = 20 * kLogError;
      const double best = 9e6;
      const bool round_unsure =
          variant.round_signed(words.data(), x.data(), rounded.data(), count, c);
      const bool floor_unsure = variant.floor_scaled(words.data(), floors.data(), count, c);
      const bool excess_unsure =
          variant.exceeds(words.data(), x.data(), exceeded.data(), count, error);
      const bool reached = variant.reaches(words.data(), x.data(), count, c, best);
      std::uint64_t unsure[4] = {};
      for (std::size_t i = 0; i < count; ++i) {
        const LaneWhole lane_rounded = lane_round_signed(words[i], x[i], c);
        const LaneWhole lane_floored = lane_floor_scaled(words[i], c);
        const LaneExcess lane = lane_excess(words[i], x[i], error);
        ASSERT_EQ(rounded[i], static_cast<std::int64_t>(lane_rounded.whole));
        ASSERT_EQ(floors[i], static_cast<std::int64_t>(lane_floored.whole));
        ASSERT_EQ(exceeded[i], lane.excess > 0 ? 1 : 0);
        unsure[0] |= lane_rounded.unsure;
        unsure[1] |= lane_floored.unsure;
        unsure[2] |= lane.unsure;
        const LaneBounds bounds = lane_bounds(words[i], x[i], c);
        unsure[3] |= bounds.unsure | (bounds.upper < best ? 0U : 1U);
      }
      ASSERT_EQ(round_unsure, unsure[0] != 0) << variant.name << ' ' << count;
      ASSERT_EQ(floor_unsure, unsure[1] != 0) << variant.name << ' ' << count;
      ASSERT_EQ(excess_unsure, unsure[2] != 0) << variant.name << ' ' << count;
      ASSERT_EQ(reached, unsure[3] != 0) << variant.name << ' ' << count;
    }
  }
}

}  // namespace exponential_lanes_test
}  // namespace lastbit
