// The lemmas of proofs/snapping.md#steps by brute force: every threshold of small formats at every
// eighth of a gap, every shift, against A(D) computed from floats alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "lastbit/numerics/float.h"

namespace lastbit::verify {
namespace steps_test {

// All in eighths of the gap between floats in [1, 2), so that everything is a whole number.
struct Threshold {
  long at;        // D
  long step;      // A(D): the infimum of what rounds to D or more, twice over
  long half_gap;  // H(D), twice over
};

// Thresholds D in (1, 8] for p bits. `strict` asks for more than D instead of D or more.
std::vector<Threshold> thresholds(int p, bool strict) {
  const FloatFormat format = FloatFormat::unbounded(p);
  const Rational unit = Rational::two_to(1 - p) / Rational(8);
  const auto in_units = [&](const Rational& value) {
    return static_cast<long>((value / unit).down());
  };
  std::vector<Threshold> result;
  for (long at = in_units(1) + 1; at < in_units(8); ++at) {
    const Rational d = Rational(at) * unit;
    Float above = Float::from(d, format, Rounding::kUp);
    if (strict && above.to_rational() == d) above = next_up(above);
    const Rational low = next_down(above).to_rational();
    const Rational high = above.to_rational();
    result.push_back({at, in_units(low + high), in_units(high - low)});
  }
  return result;
}

class StepsTest : public ::testing::TestWithParam<bool> {};

// The excess of both ends of (3), with gaps counted as in the proof.
TEST_P(StepsTest, ThresholdsMoveAsTheShiftDoesUpToTheirGaps) {
  const std::vector<Threshold> all = thresholds(4, GetParam());
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      const long t = all[j].at - all[i].at;
      const long gap = all[i].half_gap;  // half a gap, twice over: the gap itself
      const long theta = t % gap;
      const long part = all[j].half_gap - all[i].half_gap;  // (1 − 2^−k)·H, twice over
      const long moved = all[j].step - all[i].step - 2 * t;
      ASSERT_LE(moved, part + 2 * ((gap - theta) % gap));
      ASSERT_LE(-moved, part + 2 * theta);
    }
  }
}

TEST_P(StepsTest, WeighedShiftsExceedByOneGapOfTheNearEnd) {
  const std::vector<Threshold> all = thresholds(3, GetParam());
  for (std::size_t first = 0; first < all.size(); ++first) {
    for (std::size_t second = first + 1; second < all.size(); ++second) {
      for (std::size_t t = 1; second + t < all.size(); ++t) {
        const long near = all[first + t].step - all[first].step;
        const long far = all[second + t].step - all[second].step;
        const auto shift = static_cast<long>(t);
        for (long v = 4; v <= 8; ++v) {  // in quarters, from 1 to 2
          ASSERT_LE(v * near - (v - 4) * far, 8 * shift + 2 * v * all[second + t].half_gap);
        }
      }
    }
  }
}

TEST_P(StepsTest, BeyondWeightTwoTheLemmaIsFalse) {
  const std::vector<Threshold> all = thresholds(3, GetParam());
  bool violated = false;
  for (std::size_t first = 0; first < all.size() && !violated; ++first) {
    for (std::size_t second = first + 1; second < all.size() && !violated; ++second) {
      for (std::size_t t = 1; second + t < all.size() && !violated; ++t) {
        const long near = all[first + t].step - all[first].step;
        const long far = all[second + t].step - all[second].step;
        violated = 12 * near - 8 * far > 8 * static_cast<long>(t) + 24 * all[second + t].half_gap;
      }
    }
  }
  EXPECT_TRUE(violated);
}

TEST_P(StepsTest, ShiftsByWholeGapsMoveThresholdsExactlyWithinABinade) {
  const std::vector<Threshold> all = thresholds(4, GetParam());
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      const long t = all[j].at - all[i].at;
      if (t % all[j].half_gap != 0) continue;
      const long moved = std::abs(all[j].step - all[i].step - 2 * t);
      ASSERT_LE(moved, all[j].half_gap - all[i].half_gap);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, StepsTest, ::testing::Bool());

}  // namespace steps_test
}  // namespace lastbit::verify
