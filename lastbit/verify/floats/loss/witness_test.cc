#include "lastbit/verify/floats/loss/witness.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "lastbit/base/test_support.h"
#include "lastbit/verify/floats/loss/exact_law.h"

namespace lastbit::verify {
namespace witness_test {

FloatMechanism mechanism(int precision, const Rational& bound,
                         UniformModel uniform = UniformModel::kUnitFloat,
                         GridRounding rounding = GridRounding::kHalfUp) {
  FloatModel model;
  model.scale = rational("13/16");
  model.half_width = bound;
  model.precision = precision;
  model.uniform = uniform;
  model.rounding = rounding;
  if (uniform == UniformModel::kFewerBits) model.uniform_bits = precision - 2;
  return FloatMechanism(model);
}

// Thresholds found by plain bisection give the same probabilities as the law by inversion.
void expect_law(const FloatMechanism& studied, const Rational& x1, const Rational& x2) {
  for (const Rational& output : possible_outputs(studied)) {
    const OutputLoss loss = check_witness(find_witness(studied, x1, x2, output));
    EXPECT_EQ(loss.first, output_probability(studied, x1, output)) << output.to_string();
    EXPECT_EQ(loss.second, output_probability(studied, x2, output)) << output.to_string();
  }
}

TEST(LossWitnessTest, AgreesWithTheLawForEveryModelOfU) {
  for (const UniformModel uniform :
       {UniformModel::kUnitFloat, UniformModel::kFewerBits, UniformModel::kGrid}) {
    expect_law(mechanism(7, rational("3.7"), uniform), rational("0.3"), rational("1.3"));
  }
  for (const UniformModel uniform : {UniformModel::kDouble, UniformModel::kNormalDouble}) {
    expect_law(mechanism(53, rational("5"), uniform), rational("0.3"), rational("1.3"));
  }
}

TEST(LossWitnessTest, AgreesWithTheLawForEveryRounding) {
  for (const GridRounding rounding : {GridRounding::kHalfUp, GridRounding::kHalfEven,
                                      GridRounding::kTowardZero, GridRounding::kHalfAdded}) {
    expect_law(mechanism(6, rational("3.7"), UniformModel::kUnitFloat, rounding), -2, -1);
  }
}

RC_GTEST_PROP(LossWitnessTest, AgreesWithTheLawForInputsAnywhere, ()) {
  const auto thousandths = *rc::gen::inRange(-5000, 5000);
  const Rational x(thousandths, 1000);
  expect_law(mechanism(*rc::gen::inRange(4, 12), 4), x, x + Rational(1));
}

TEST(LossWitnessTest, FindsOutputsThatDoublesCannotReach) {
  const FloatMechanism studied = mechanism(53, 400, UniformModel::kDouble);
  const OutputLoss loss = check_witness(find_witness(studied, -400, 400, 400));
  EXPECT_EQ(loss.first, Rational(0));
  EXPECT_GT(loss.second, Rational(0));
}

TEST(LossWitnessTest, OutputsWithoutAGridHaveWitnessesToo) {
  const FloatMechanism studied = mechanism(10, 4, UniformModel::kUnitFloat, GridRounding::kNone);
  const Rational output =
      studied.output(1, -1, Float::from(rational("0.375"), FloatFormat::unbounded(10)));
  const OutputLoss loss = check_witness(find_witness(studied, 1, 0, output));
  EXPECT_EQ(loss.first, output_probability(studied, 1, output));
  EXPECT_GT(loss.first, Rational(0));
}

// Every threshold that is moved by one value of u in either direction is refused: nothing is
// trusted.
TEST(LossWitnessTest, EveryThresholdThatIsOffByOneIsRefused) {
  const FloatMechanism studied = mechanism(9, 4);
  const FloatFormat format = FloatFormat::unbounded(9);
  const LossWitness right = find_witness(studied, rational("0.3"), rational("1.3"), 1);
  int moved = 0;
  for (std::size_t run = 0; run < right.preimages.size(); ++run) {
    for (const bool end : {false, true}) {
      for (const bool up : {false, true}) {
        LossWitness wrong = right;
        Preimage& preimage = wrong.preimages.at(run);
        Rational& threshold = end ? preimage.to : preimage.from;
        const Float before = Float::from(threshold, format);
        threshold = (up ? next_up(before) : next_down(before)).to_rational();
        EXPECT_EQ(code_of([&] { check_witness(wrong); }), ErrorCode::kBadInput);
        ++moved;
      }
    }
  }
  EXPECT_EQ(moved, 16);
}

TEST(LossWitnessTest, ThresholdsThatAreNoValuesOfUAreRefused) {
  const FloatMechanism studied = mechanism(9, 4);
  for (const char* text : {"0", "-1/2", "2", "1/3", "0.1", "1e-300"}) {
    LossWitness wrong = find_witness(studied, rational("0.3"), rational("1.3"), 1);
    wrong.preimages[0].from = rational(text);
    EXPECT_EQ(code_of([&] { check_witness(wrong); }), ErrorCode::kBadInput) << text;
  }
}

TEST(LossWitnessTest, ImpossibleModelsAreRefused) {
  LossWitness wrong = find_witness(mechanism(9, 4), 0, 1, 1);
  wrong.model.half_width = 0;
  EXPECT_EQ(code_of([&] { check_witness(wrong); }), ErrorCode::kBadParameter);
}

TEST(LossWitnessTest, VerySmallThresholdsAreRefusedAndNotSearchedForever) {
  FloatModel model;
  model.half_width = 1'000'000;
  const FloatMechanism wide(model);
  EXPECT_EQ(code_of([&] { find_witness(wide, -1'000'000, -999'999, 1'000'000); }),
            ErrorCode::kNotSupported);
}

}  // namespace witness_test
}  // namespace lastbit::verify
