#include "lastbit/verify/floats/bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "lastbit/base/test_support.h"
#include "lastbit/random/tape.h"
#include "lastbit/verify/floats/loss/pair_loss.h"

namespace lastbit::verify {
namespace bound_test {

Rational r(std::string_view text) { return Rational::parse(text); }

FloatMechanism mechanism_of(const BoundParameters& parameters) {
  return FloatMechanism({.scale = parameters.scale,
                         .half_width = parameters.half_width,
                         .precision = parameters.precision});
}

Ball excess_at(const BoundParameters& parameters, const Rational& x1, const Rational& x2,
               const Rational& output) {
  const FloatMechanism mechanism = mechanism_of(parameters);
  return output_loss(mechanism, x1, x2, output).loss(256) - Ball((x2 - x1) / parameters.scale, 256);
}

// The pair that shows how good the bound is: an output that is a power of two, where the spacing of
// floats changes inside its cell, seen from almost the largest possible distance; inputs 99 + 2^-12
// apart.
const BoundParameters kHard{.scale = r("17417898200546.7265625"),
                            .half_width = r("2260595906771398.875"),
                            .sensitivity = r("99.000244140625")};
Ball hard_excess() {
  return excess_at(kHard, r("2260595906771299.874755859375"), r("2260595906771398.875"),
                   -Rational::two_to(51));
}

TEST(LossBoundTest, IsNearlyReached) {
  const LossBound bound = loss_bound(kHard);
  const Ball found = hard_excess();
  EXPECT_TRUE(certainly_less(found, Ball(bound.excess, 256)));
  EXPECT_TRUE(certainly_greater(found, Ball(bound.excess * r("0.99"), 256)));
  EXPECT_LT(bound.excess, bound.linear_excess);
}

TEST(LossBoundTest, PublishedFormulaIsFalseForInputsThatAreNotFloats) {
  const PublishedBound published = published_bound(kHard);
  EXPECT_TRUE(published.hypotheses_hold);
  const Rational allowed = published.total - kHard.sensitivity / kHard.scale;
  EXPECT_TRUE(certainly_greater(hard_excess(), Ball(allowed * r("1.2"), 256)));
}

// 4(2e+1)/(e−1) = 14.98… is the limit; see proofs/snapping.md#sharp-constants
TEST(LossBoundTest, NoConstantBelowFourteenAndAHalfIsTrue) {
  const Ball in_units =
      hard_excess() / Ball(kHard.half_width / kHard.scale * Rational::two_to(-53), 256);
  EXPECT_TRUE(certainly_greater(in_units, Ball(r("14.5"), 256)));
}

// Random inputs anywhere, at precisions where roundings are large; every output of every pair.
TEST(LossBoundTest, HoldsForRealInputs) {
  BitSource tape = lastbit::testing::seeded_tape(5);
  const auto below = [&tape](std::int64_t limit) {
    return Rational(static_cast<std::int64_t>(tape.bits(40)) % limit);
  };
  for (int p = 7; p <= 10; ++p) {
    for (int trial = 0; trial < 40; ++trial) {
      const Rational one = Rational::two_to(p - 1);
      BoundParameters parameters{.scale = (one + below(1 << (p - 1))) / one, .precision = p};
      const Rational ratio = Rational(1, 16) + below(16 << (p - 7)) / Rational(16);
      parameters.half_width = parameters.scale * std::min(ratio, Rational::two_to(p - 7));
      parameters.sensitivity = Rational(1, 64) * (below(192) + 1);
      const LossBound bound = loss_bound(parameters);
      const FloatMechanism mechanism = mechanism_of(parameters);
      const Rational x = parameters.half_width * (below(2001) / Rational(1000) - 1);
      const Rational y =
          std::min(parameters.half_width, x + parameters.sensitivity * below(101) / Rational(100));
      const PairLoss pair = pair_loss(mechanism, x, y);
      ASSERT_FALSE(pair.worst.infinite());
      ASSERT_FALSE(certainly_greater(pair.worst.loss(), Ball(bound.at(y - x), 128)))
          << p << " " << parameters.scale.to_string() << " " << x.to_string() << " "
          << y.to_string();
    }
  }
}

// Whole numbers, at precisions that hold every distance between them.
TEST(LossBoundTest, HoldsForInputsOnAGridAndIsSmallerThere) {
  BitSource tape = lastbit::testing::seeded_tape(6);
  for (int p = 9; p <= 12; ++p) {
    for (int trial = 0; trial < 20; ++trial) {
      const auto mantissa = static_cast<std::int64_t>(tape.bits(static_cast<unsigned>(p - 1)));
      const BoundParameters parameters{
          .scale = Rational(4) * (Rational(1) + Rational(mantissa) * Rational::two_to(1 - p)),
          .half_width = Rational(static_cast<std::int64_t>(5 + tape.bits(4))),
          .precision = p,
          .input_grid = Rational(1)};
      const LossBound bound = loss_bound(parameters);
      BoundParameters without = parameters;
      without.input_grid.reset();
      ASSERT_LE(bound.excess, loss_bound(without).excess);
      const FloatMechanism mechanism = mechanism_of(parameters);
      for (Rational x = -parameters.half_width; x < parameters.half_width; x += 1) {
        const PairLoss pair = pair_loss(mechanism, x, x + 1);
        ASSERT_FALSE(certainly_greater(pair.worst.loss(), Ball(bound.at(1), 128)))
            << p << " " << parameters.scale.to_string() << " " << x.to_string();
      }
    }
  }
}

TEST(LossBoundTest, PowerOfTwoScaleRoundsOnceOnly) {
  const LossBound one = loss_bound({.scale = 1, .half_width = 64});
  EXPECT_EQ(one.quantities.logarithm_half_gap, Rational(0));
  const LossBound near_one = loss_bound({.scale = r("0.9990234375"), .half_width = 64});
  EXPECT_LT(one.excess * 2, near_one.excess);
}

TEST(LossBoundTest, CasesThatCannotOccurAreLeftOut) {
  const auto has_between = [](const LossBound& bound) {
    return std::ranges::any_of(
        bound.cases, [](const CaseBound& one) { return one.output_case == OutputCase::kBetween; });
  };
  EXPECT_FALSE(has_between(loss_bound({.scale = 2, .half_width = 64, .sensitivity = 1})));
  EXPECT_TRUE(has_between(loss_bound({.scale = 2, .half_width = 64, .sensitivity = 4})));
}

// (15¼·B/λ + 13½)·η for p ≥ 10 and B ≤ 2^(p−10)·λ. The weights grow with η and with ηB/λ, so they are
// largest at the corner η = ηB/λ = 2^−10; with them every case is a line in B/λ.
// Proof: proofs/snapping.md#sharp-constants
TEST(LossBoundTest, ConstantsHoldAtTheCorner) {
  const auto ball = [](const Rational& value) { return Ball(value, 128); };
  const Rational eta = Rational::two_to(-10);
  const Rational cell = Rational(1) - Rational(3, 2) * eta;
  const Rational error = eta * (Rational(2) + eta) * (Rational(3) + Rational(2) * eta);
  const Ball v = ball(1) / -expm1(-ball(cell - Rational(2) * error));
  const Ball w = v - ball(1);
  const Ball gaps = ball(2) * v - log1p(-(ball(Rational(2) * eta) * w)) / ball(eta);
  const Ball relative = ball(Rational(2) + eta);
  const auto holds = [&](const Ball& slope, const Ball& constant) {
    return certainly_less(slope, ball(r("15.25"))) && certainly_less(constant, ball(r("13.5")));
  };

  const Ball beyond = ball(2) * v + ball(2) * (v + w) * ball(Rational(1) + eta);
  EXPECT_TRUE(holds(beyond * relative, beyond * ball(Rational(1) + eta) + gaps));

  // Ends within 2B and a cell, which is at most 2 + 2^-9 wide.
  const Ball near = (v + w) * relative;
  EXPECT_TRUE(holds(near * ball(2), near * ball(r("2.002")) + gaps));

  const Ball c = ball(cell);
  const Ball k = (ball(1) + (ball(1) + c) * exp(-c)) / (ball(1) - exp(-c));
  const Ball inside = -log1p(-(ball(Rational(2) * eta) * k * exp(ball(r("0.006"))))) / ball(eta);
  EXPECT_TRUE(holds(near * relative, near * ball(Rational(1) + eta) + ball(2) * v + inside));
}

TEST(LossBoundTest, RefusesWhatTheTheoremDoesNotCover) {
  const auto refused = [](const BoundParameters& parameters) {
    return refused_parameter([&] { loss_bound(parameters); });
  };
  EXPECT_EQ(refused({.scale = 1, .half_width = 1, .precision = 6}), "precision");
  EXPECT_EQ(refused({.scale = 1, .half_width = 1, .precision = 5000}), "precision");
  EXPECT_EQ(refused({.scale = 0, .half_width = 1}), "scale");
  EXPECT_EQ(refused({.scale = r("1/3"), .half_width = 1}), "scale");
  EXPECT_EQ(refused({.scale = 1, .half_width = 0}), "bound");
  EXPECT_EQ(refused({.scale = 1, .half_width = 3, .precision = 8}), "bound");
  EXPECT_EQ(refused({.scale = 1, .half_width = 1, .sensitivity = 0}), "sensitivity");
  EXPECT_EQ(refused({.scale = 1, .half_width = r("1.5"), .input_grid = Rational(1)}), "input grid");
  EXPECT_EQ(refused({.scale = 1, .half_width = 1, .input_grid = r("1/3")}), "input grid");
  EXPECT_EQ(refused({.scale = 1, .half_width = 2, .precision = 8}), "");
}

}  // namespace bound_test
}  // namespace lastbit::verify
