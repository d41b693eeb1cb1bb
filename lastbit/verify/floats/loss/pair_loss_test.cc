#include "lastbit/verify/floats/loss/pair_loss.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lastbit/base/test_support.h"

namespace lastbit::verify {
namespace pair_loss_test {

Ball ball(std::string_view text) { return Ball(rational(text), 256); }

// The number printed with this many digits: within half a unit of the last.
bool prints_as(const Ball& number, std::string_view text) {
  const auto places = static_cast<unsigned>(text.size() - text.find('.') - 1);
  const Ball unit(Rational(1) / Rational(2) / pow(Rational(10), places), 256);
  return certainly_less_or_equal(abs(number - ball(text)), unit);
}

OutputLoss loss_at(const FloatMechanism& mechanism, std::string_view x1, std::string_view x2,
                   std::string_view output) {
  const Rational o = rational(output);
  return {o, output_probability(mechanism, rational(x1), o),
          output_probability(mechanism, rational(x2), o)};
}

FloatMechanism mechanism_at(int precision, std::string_view scale, std::string_view half_width) {
  return FloatMechanism(
      {.scale = rational(scale), .half_width = rational(half_width), .precision = precision});
}

// (1 + 12·B·η)/λ + 2·η: the published loss.
Ball published_loss(const FloatMechanism& mechanism) {
  const Rational eta = Rational::two_to(-mechanism.model().precision);
  return Ball((Rational(1) + Rational(12) * mechanism.half_width() * eta) / mechanism.scale() +
                  Rational(2) * eta,
              256);
}

TEST(PairLossTest, PublishedLossIsExceededWhenTheBoundIsNarrow) {
  const FloatMechanism five = mechanism_at(5, "144", "4");
  PairLoss pair = pair_loss(five, 3, 4);
  EXPECT_EQ(pair.worst.output, Rational(-4));
  EXPECT_EQ(pair.worst.first, rational("13/64"));
  EXPECT_EQ(pair.worst.second, rational("3/16"));
  EXPECT_TRUE(prints_as(pair.worst.loss(), "0.080043"));
  EXPECT_TRUE(prints_as(published_loss(five), "0.079861"));

  const FloatMechanism six = mechanism_at(6, "220", "6");
  pair = pair_loss(six, 5, 6);
  EXPECT_EQ(pair.worst.output, Rational(-6));
  EXPECT_EQ(pair.worst.first, rational("9/32"));
  EXPECT_EQ(pair.worst.second, rational("17/64"));
  EXPECT_TRUE(prints_as(pair.worst.loss(), "0.057158"));
  EXPECT_TRUE(prints_as(published_loss(six), "0.040909"));

  const FloatMechanism nine = mechanism_at(9, "3296", "447");
  pair = pair_loss(nine, -83, -82);
  EXPECT_EQ(pair.worst.output, Rational(447));
  EXPECT_TRUE(certainly_less(published_loss(nine), pair.worst.loss()));
}

TEST(PairLossTest, LossIsInfiniteWhenTheBoundIsTooWideForThePrecision) {
  OutputLoss loss = loss_at(mechanism_at(4, "0.4375", "3.75"), "2.75", "3.75", "-3.5");
  EXPECT_TRUE(loss.infinite());
  EXPECT_EQ(loss.second, Rational(0));
  EXPECT_EQ(code_of([&] { return loss.loss(); }), ErrorCode::kNotSupported);
  loss = loss_at(mechanism_at(6, "0.453125", "8.25"), "-8.25", "-8", "8");
  EXPECT_TRUE(loss.infinite());
  loss = loss_at(mechanism_at(7, "0.4609375", "16.25"), "-16.25", "-16", "16");
  EXPECT_TRUE(loss.infinite());
  const FloatMechanism six = mechanism_at(6, "0.453125", "8.25");
  const PairLoss pair = pair_loss(six, rational("-8.25"), -8);
  EXPECT_TRUE(pair.worst.infinite());
  EXPECT_EQ(code_of([&] { excess_in_eta(six, pair); }), ErrorCode::kNotSupported);
}

TEST(PairLossTest, PublishedCasesOfTheFloatTheoremAreExceeded) {
  const OutputLoss at_zero = loss_at(mechanism_at(6, "15/16", "3.75"), "2.75", "3.75", "0");
  EXPECT_TRUE(prints_as(at_zero.loss(), "1.20137"));
  const FloatMechanism seven = mechanism_at(7, "116", "144");
  const OutputLoss at_bound = loss_at(seven, "-98", "-97", "144");
  EXPECT_TRUE(prints_as(at_bound.loss(), "0.069796"));
}

// λ = 0.999·2^46, B = 2^53 + 3·2^46: the witness that the constant 12 cannot become less than 9.1.
TEST(PairLossTest, WitnessAtTheWidestBoundOfDoublesCostsTenTimesEpsilon) {
  const Rational cell = Rational::two_to(46);
  const Rational scale = Rational::exactly(0.999) * cell;
  const Rational half_width = Rational::two_to(53) + Rational(3) * cell;
  const FloatMechanism mechanism({.scale = scale, .half_width = half_width});
  const Rational f = Rational::two_to(53) - Rational(31'616'762'215'338);
  const PairLoss pair = pair_loss(mechanism, f, f + 1);
  EXPECT_EQ(pair.worst.output, Rational(-130) * cell);
  EXPECT_EQ(pair.outputs, 263);
  const Ball in_epsilon = pair.worst.loss(256) * Ball(scale, 256);
  EXPECT_TRUE(prints_as(in_epsilon, "10.319"));
  const Ball constant = excess_in_eta(mechanism, pair) * Ball(scale / half_width, 256);
  EXPECT_TRUE(prints_as(constant, "9.106"));
}

std::size_t infinite_losses(const FloatMechanism& mechanism, const Rational& x1,
                            const Rational& x2) {
  const std::vector<OutputLoss> losses = output_losses(mechanism, x1, x2);
  return static_cast<std::size_t>(
      std::ranges::count_if(losses, [](const OutputLoss& loss) { return loss.infinite(); }));
}

TEST(PairLossTest, UniformOnAGridLosesEverythingAtTwoOutputs) {
  const FloatMechanism grid({.scale = 1, .half_width = 64, .uniform = UniformModel::kGrid});
  EXPECT_EQ(infinite_losses(grid, 0, 1), 2U);
  EXPECT_TRUE(pair_loss(grid, 0, 1).worst.infinite());
  EXPECT_EQ(pair_loss(grid, 0, 1).worst.output, Rational(-37));
  EXPECT_EQ(infinite_losses(FloatMechanism({.scale = 1, .half_width = 64}), 0, 1), 0U);
}

TEST(PairLossTest, DoublesEndBeforeWideBounds) {
  const FloatMechanism wide({.scale = 1, .half_width = 400, .uniform = UniformModel::kDouble});
  EXPECT_TRUE(pair_loss(wide, 399, 400).worst.infinite());
  const FloatMechanism normal(
      {.scale = 1, .half_width = 355, .uniform = UniformModel::kNormalDouble});
  EXPECT_EQ(output_probability(normal, rational("354.5"), -355), Rational(0));
  EXPECT_GT(output_probability(normal, rational("353.5"), -355), Rational(0));
  EXPECT_FALSE(
      pair_loss(FloatMechanism({.scale = 1, .half_width = 400}), 399, 400).worst.infinite());
}

TEST(PairLossTest, WorstOutputIsTheWorstOfAllAndTheSmallestAmongEquals) {
  const FloatMechanism mechanism = mechanism_at(11, "1.25", "17.3");
  for (const auto& [x1, x2] : {std::pair{"0", "1"}, {"16.9", "17.3"}, {"-3", "-2.5"}, {"4", "4"}}) {
    const PairLoss pair = pair_loss(mechanism, rational(x1), rational(x2));
    const std::vector<OutputLoss> losses = output_losses(mechanism, rational(x1), rational(x2));
    EXPECT_EQ(pair.outputs, static_cast<std::int64_t>(losses.size()));
    for (const OutputLoss& loss : losses) {
      EXPECT_FALSE(worse(loss, pair.worst));
      EXPECT_FALSE(certainly_less(pair.worst.loss(), loss.loss()));
      EXPECT_TRUE(pair.worst.output <= loss.output || worse(pair.worst, loss));
    }
    // Both directions have the same loss.
    const PairLoss turned = pair_loss(mechanism, rational(x2), rational(x1));
    EXPECT_EQ(turned.worst.output, pair.worst.output);
    EXPECT_EQ(turned.worst.first, pair.worst.second);
  }
  EXPECT_TRUE(pair_loss(mechanism, 4, 4).worst.loss().contains(0));
}

TEST(OutputLossTest, InfiniteIsWorseThanFiniteAndImpossibleIsNoLoss) {
  const OutputLoss none{0, 0, 0};
  const OutputLoss equal{0, rational("1/4"), rational("1/4")};
  const OutputLoss half{0, rational("1/8"), rational("1/4")};
  const OutputLoss twice{0, rational("1/8"), rational("1/16")};
  const OutputLoss infinite{0, 0, rational("1/1024")};
  EXPECT_TRUE(worse(half, equal));
  EXPECT_TRUE(worse(half, none));
  EXPECT_TRUE(worse(infinite, half));
  EXPECT_FALSE(worse(half, infinite));
  EXPECT_FALSE(worse(infinite, infinite));
  EXPECT_FALSE(worse(half, twice));
  EXPECT_FALSE(worse(twice, half));
  EXPECT_FALSE(worse(equal, none));
  EXPECT_FALSE(worse(none, equal));
  EXPECT_FALSE(none.infinite());
  EXPECT_TRUE(none.loss().is_exact());
  EXPECT_TRUE(prints_as(half.loss(), "0.6931472"));
}

}  // namespace pair_loss_test
}  // namespace lastbit::verify
