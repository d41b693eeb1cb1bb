// The theorems about the snapping mechanism, on exact laws of the function that a release runs.

#include <gtest/gtest.h>

#include "lastbit/mechanisms/snapping.h"
#include "lastbit/random/tape.h"
#include "lastbit/verify/floats/bound.h"
#include "lastbit/verify/floats/test_support.h"

namespace lastbit::verify {
namespace snapping_loss_test {

using testing::Law;
using testing::law_of;
using testing::worst_ratio;

TEST(SnappingLawTest, LawIsTheLawOfTheDrawnBits) {
  const FloatMechanism mechanism({.scale = 1, .half_width = 2, .precision = 4});
  const auto drawn = lastbit::testing::enumerate_tapes<Rational>(
      [&](BitSource& bits) {
        const SnappingDraw draw = draw_snapping(bits, 4);
        return mechanism.function().snap_with(draw.u, draw.sign, rational("1/3"));
      },
      13);
  for (const auto& [output, mass] : law_of(mechanism, rational("1/3"))) {
    const auto found = drawn.probability.find(output);
    ASSERT_NE(found, drawn.probability.end());
    EXPECT_LE(found->second, mass);
    EXPECT_LE(mass, found->second + drawn.undecided);
  }
  EXPECT_LE(drawn.undecided, rational("1/200"));
}

// The theorem at p = 7 for every mantissa of the scale (Λ/λ from 1 to almost 2) and at p = 8 for every
// second one, the widest B it allows and small ones, and all pairs of a grid of inputs with the ends.
TEST(SnappingLossTest, LossIsBelowTheProvedBoundOnExactLaws) {
  for (const int p : {7, 8}) {
    for (int mantissa = 64; mantissa < 128; ++mantissa) {
      const Rational widest = Rational(mantissa) * Rational::two_to(p - 7);
      for (const char* part : {"1/50", "1/3", "1"}) {
        const FloatMechanism mechanism(
            {.scale = mantissa, .half_width = widest * rational(part), .precision = p});
        const Rational excess = SnappingPrice::excess(mechanism.scale(), mechanism.half_width(), p);
        std::vector<std::pair<Rational, Law>> laws;
        for (int i = -6; i <= 6; ++i) {
          const Rational x = mechanism.half_width() * Rational(i) / Rational(6);
          laws.emplace_back(x, law_of(mechanism, x));
        }
        for (const auto& [x, law_x] : laws) {
          for (const auto& [y, law_y] : laws) {
            if (!(x < y)) continue;
            EXPECT_TRUE(
                is_at_most_exp(worst_ratio(law_x, law_y), (y - x) / mechanism.scale() + excess))
                << p << " " << mantissa << " " << part << " " << x.to_string();
          }
        }
      }
    }
  }
}

// A check that the test above can fail: without the terms for rounding, the bound is exceeded.
TEST(SnappingLossTest, LossExceedsTheOneOfRealNoise) {
  const FloatMechanism mechanism({.scale = 1, .half_width = 2, .precision = 8});
  bool exceeded = false;
  for (int i = -16; i < 16 && !exceeded; ++i) {
    const Rational x = Rational(i) / Rational(8);
    exceeded = !is_at_most_exp(
        worst_ratio(law_of(mechanism, x), law_of(mechanism, x + rational("1/8"))), rational("1/8"));
  }
  EXPECT_TRUE(exceeded);
}

TEST(SnappingLossTest, PublishedLossHoldsOnExactLawsWithinItsHypotheses) {
  for (const int p : {8, 9}) {
    for (const int mantissa : {64, 81, 100, 127}) {
      const Rational widest = Rational(mantissa) * (Rational::two_to(p - 7) - rational("1/8"));
      const FloatMechanism mechanism({.scale = mantissa, .half_width = widest, .precision = p});
      for (int i = -8; i < 8; ++i) {
        const Rational x = widest * Rational(i) / Rational(8);
        const Rational y = std::min(x + 1, widest);
        EXPECT_TRUE(is_at_most_exp(worst_ratio(law_of(mechanism, x), law_of(mechanism, y)),
                                   published_bound(bound_parameters(mechanism.model(), 1)).total))
            << p << " " << mantissa << " " << i;
      }
    }
  }
}

}  // namespace snapping_loss_test
}  // namespace lastbit::verify
