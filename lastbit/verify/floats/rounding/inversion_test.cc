#include "lastbit/verify/floats/rounding/inversion.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lastbit/base/test_support.h"
#include "lastbit/verify/floats/rounding/rounding_test_support.h"

namespace lastbit::verify {
namespace inversion_test {

constexpr int kLeastExponent = -9;

// The random floats from 2^−9 on, increasing.
std::vector<Rational> unit_floats(int precision) {
  return floats_of(precision, kLeastExponent, -1, false);
}

struct Question {
  Formula formula;
  FloatComparison comparison;
  Rational target;
  FormulaValues values;
};

bool happens(const Question& question, const Rational& u, const FloatFormat& format) {
  FormulaValues values = question.values;
  values["U"] = u;
  const Rational result = float_value(question.formula, values, format).to_rational();
  return question.comparison == FloatComparison::kAtLeast ? result >= question.target
                                                          : result <= question.target;
}

// The threshold, by looking at every float: the event is U ≥ T or U < T. If it changes below the
// smallest float examined, T is put in [0, 2^−9] by its upper end.
struct TrueThreshold {
  FloatComparison side;
  Rational low;
  Rational high;
};

TrueThreshold by_enumeration(const Question& question, FloatComparison side,
                             const std::vector<Rational>& floats, const FloatFormat& format) {
  const bool rising = side == FloatComparison::kAtLeast;
  const auto first = std::ranges::find_if(
      floats, [&](const Rational& u) { return happens(question, u, format) == rising; });
  for (auto u = first; u != floats.end(); ++u) {
    EXPECT_EQ(happens(question, *u, format), rising) << "the event is no half-line";
  }
  if (first == floats.begin()) return {side, 0, *first};
  const Rational threshold = first == floats.end() ? Rational(1) : *first;
  return {side, threshold, threshold};
}

// Checks one question; returns whether T lies above the bound without the granularity of u.
bool check(const Question& question, const Ranges& ranges, int precision) {
  const FloatFormat format = FloatFormat::unbounded(precision);
  const UniformThreshold bound = invert_rounding(question.formula, question.comparison,
                                                 Formula::number(question.target), ranges, format);
  const TrueThreshold truth = by_enumeration(question, bound.side, unit_floats(precision), format);
  const ThresholdEnclosure enclosure = threshold_enclosure(bound, question.values, format, 100);
  const std::string what = real_text(question.formula) + " against " + question.target.to_string() +
                           " at " + values_text(question.values);
  EXPECT_FALSE(certainly_greater(enclosure.low, Ball(truth.high, 100))) << what;
  EXPECT_FALSE(certainly_less(enclosure.high, Ball(truth.low, 100))) << what;
  const UniformThreshold smooth = {bound.side, bound.low, scaled(bound.high, 0, -1)};
  return certainly_less(threshold_enclosure(smooth, question.values, format, 100).high,
                        Ball(truth.low, 100));
}

const Ranges kSnappingRanges = {{"f", Extent::between(-4, 4)},
                                {"lambda", Extent::between(rational("1/2"), 2)}};

// SLOW: InversionTest.SnappingThresholdsLieWithinForBothSignsAndAllTargets
TEST(InversionTest, SnappingThresholdsLieWithinForBothSignsAndAllTargets) {
  int beyond_smooth = 0;
  for (const int p : {4, std::min(kMostBits, 6)}) {
    for (const int sign : {1, -1}) {
      for (const auto comparison : {FloatComparison::kAtLeast, FloatComparison::kAtMost}) {
        for (const char* lambda : {"0.5", "0.625", "1.375", "1.875"}) {
          for (const char* f : {"-3.25", "-1", "0", "0.875", "3"}) {
            for (const char* y : {"-4.5", "-1", "-0.25", "0", "0.3", "1", "2.5", "3", "4.5"}) {
              const Question question = {snapping_formula(sign),
                                         comparison,
                                         rational(y),
                                         {{"f", rational(f)}, {"lambda", rational(lambda)}}};
              beyond_smooth += check(question, kSnappingRanges, p);
            }
          }
        }
      }
    }
  }
  // Without the granularity of the random float the bound is false.
  EXPECT_GT(beyond_smooth, 0);
}

TEST(InversionTest, OtherMonotoneExpressionsLieWithin) {
  const Formula u = Formula::uniform();
  const Formula x = Formula::real("x");
  const Formula c = Formula::real("c");
  const Ranges ranges = {{"x", Extent::between(-2, 2)}, {"c", Extent::between(-3, -1)}};
  const FormulaValues values = {{"x", rational("1/3")}, {"c", rational("-5/3")}};
  const std::vector<Formula> formulas = {
      x - c * ln(u),
      -(x + ln(u) / c),
      (u - x) * c,
      ln(u * Formula::number(3)) - x,
      round_to(x + c * ln(u), rational("1/2")),
      clamp_to(round_to(x - ln(u), 1), 4),
      (Formula::number(1) - u) * Formula::number(4) + x,
  };
  for (const int p : {4, std::min(kMostBits, 7)}) {
    for (const Formula& formula : formulas) {
      for (const auto comparison : {FloatComparison::kAtLeast, FloatComparison::kAtMost}) {
        for (const char* y : {"-3.3", "-1", "-1/7", "0", "0.5", "0.6", "1", "2.9"}) {
          check({formula, comparison, rational(y), values}, ranges, p);
        }
      }
    }
  }
}

}  // namespace inversion_test
}  // namespace lastbit::verify
