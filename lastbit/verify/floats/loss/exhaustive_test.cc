#include "lastbit/verify/floats/loss/exhaustive.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "lastbit/base/test_support.h"
#include "lastbit/verify/floats/loss/small_laws.h"

namespace lastbit::verify {
namespace exhaustive_test {

FloatMechanism snapping(const Rational& scale, const Rational& half_width, int precision) {
  FloatModel model;
  model.scale = scale;
  model.half_width = half_width;
  model.precision = precision;
  return FloatMechanism(model);
}

RC_GTEST_PROP(SmallLawsTest, LawsEqualThoseOfTheMechanism, ()) {
  const int precision = *rc::gen::inRange(2, 11);
  const FloatFormat format = FloatFormat::unbounded(precision);
  const std::vector<Float> scales = positive_floats(format, -2, 3);
  const Rational scale = scales[*rc::gen::inRange<std::size_t>(0, scales.size())].to_rational();
  const Rational widest = scale * Rational(*rc::gen::inRange(1, 65), 8);
  const int finest = *rc::gen::inRange(-8, -6);
  const SmallLaws laws(precision, scale, widest, finest);
  const std::size_t i = *rc::gen::inRange<std::size_t>(0, laws.inputs().size());
  const Rational& x = laws.inputs()[i];
  // Any smaller B that does not clamp the input, whatever number it is.
  const Rational half_width =
      abs(x) + (widest - abs(x)) * Rational(*rc::gen::inRange(x.sign() == 0 ? 1 : 0, 31), 30);

  const std::vector<Atom> law = output_law(snapping(scale, half_width, precision), x);
  const auto last = static_cast<std::int64_t>(law.size() - 3) / 2;
  const auto from = [&](std::int64_t edge) {
    return Rational(laws.from_edge(edge)[i]) / Rational(laws.whole());
  };
  RC_ASSERT(law.front().probability == Rational(1) - from(-last));
  RC_ASSERT(law.back().probability == from(last + 1));
  for (std::int64_t k = -last; k <= last; ++k) {
    const Atom& atom = law[static_cast<std::size_t>(k + last + 1)];
    RC_ASSERT(atom.output == laws.grid().point(k));
    RC_ASSERT(atom.probability == from(k) - from(k + 1));
  }
}

TEST(SmallLawsTest, RefusesWhatItCannotTabulate) {
  EXPECT_EQ(refused_parameter([] { SmallLaws(13, 1, 1, -4); }), "precision");
  EXPECT_EQ(refused_parameter([] { SmallLaws(4, 0, 1, -4); }), "scale");
  EXPECT_EQ(refused_parameter([] { SmallLaws(4, Rational(1, 3), 1, -4); }), "scale");
  EXPECT_EQ(refused_parameter([] { SmallLaws(4, 1, 9, -4); }), "half_width");
  EXPECT_EQ(refused_parameter([] { SmallLaws(4, 1, 0, -4); }), "half_width");
  EXPECT_EQ(refused_parameter([] { SmallLaws(4, 1, 1, 1); }), "finest");
  EXPECT_EQ(refused_parameter([] { SmallLaws(4, 1, 1, -25); }), "finest");
}

// The same question by two loops over inputs, one law each, and balls for every pair.
double worst_ratio_by_all_pairs(const ExhaustiveOptions& options, const Rational& scale,
                                const Rational& half_width, const Rational& bound) {
  const FloatMechanism mechanism = snapping(scale, half_width, options.precision);
  const SmallLaws laws(options.precision, scale, half_width, options.finest);
  std::vector<std::vector<Atom>> all;
  for (const Rational& x : laws.inputs()) all.push_back(output_law(mechanism, x));
  double worst = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      const Rational ideal = (laws.inputs()[j] - laws.inputs()[i]) / scale;
      for (std::size_t k = 0; k < all[i].size(); ++k) {
        const OutputLoss loss{all[i][k].output, all[i][k].probability, all[j][k].probability};
        if (loss.infinite()) return HUGE_VAL;
        const Ball excess = loss.loss(64) - Ball(ideal, 64);
        worst = std::max(worst, (excess / Ball(bound, 64)).lower());
      }
    }
  }
  return worst;
}

// SLOW: ExhaustiveTest.*
TEST(ExhaustiveTest, AgreesWithALoopOverAllPairs) {
  ExhaustiveOptions options;
  options.precision = 3;
  options.least_ratio = Rational(1, 2);
  options.most_ratio = Rational(5, 2);
  options.finest = -4;
  options.bounds = {linear_bound("loose", 3, 12, 2, 0, 4)};
  const ExhaustiveResult result = exhaustive_losses(options);
  double worst = 0;
  std::uint64_t settings = 0;
  std::uint64_t violations = 0;
  for (const Float& scale : positive_floats(FloatFormat::unbounded(3), 0, 0)) {
    for (const Float& b : positive_floats(FloatFormat::unbounded(3), -2, 3)) {
      const Rational ratio = b.to_rational() / scale.to_rational();
      if (ratio < options.least_ratio || ratio > options.most_ratio) continue;
      const Rational bound = (Rational(12) * ratio + Rational(2)) / Rational(8);
      const double here =
          worst_ratio_by_all_pairs(options, scale.to_rational(), b.to_rational(), bound);
      ++settings;
      if (here > 1) ++violations;
      worst = std::max(worst, here);
    }
  }
  EXPECT_EQ(result.settings, settings);
  EXPECT_EQ(result.bounds[0].violations, violations);
  EXPECT_NEAR(result.bounds[0].worst_ratio, worst, 1e-12);
}

// The bound of proofs/snapping.md#loss, also where B or p are outside its domain; and the published one.
ExhaustiveResult bounds_at(int precision) {
  ExhaustiveOptions options;
  options.precision = precision;
  options.finest = -8;
  options.bounds = {linear_bound("proved", precision, 18, 14, 0, 4),
                    linear_bound("published", precision, 12, 2, 1, 4),
                    linear_bound("published, any B", precision, 12, 2, 0, 4)};
  return exhaustive_losses(options);
}

TEST(ExhaustiveTest, NoPairOfSmallFloatsViolatesTheProvedBound) {
  for (const int precision : {6, 7}) {
    const ExhaustiveResult result = bounds_at(precision);
    EXPECT_EQ(result.bounds[0].violations, 0U) << precision;
    EXPECT_EQ(result.bounds[0].settings, result.settings);
    EXPECT_LT(result.bounds[0].worst_ratio, 0.35);
    EXPECT_GT(result.bounds[0].worst_ratio, 0.25);
  }
}

TEST(ExhaustiveTest, PublishedFormulaNeedsABoundAboveTheScale) {
  const ExhaustiveResult result = bounds_at(6);
  EXPECT_EQ(result.bounds[1].violations, 0U);
  EXPECT_LT(result.bounds[1].worst_ratio, 0.61);
  const BoundOutcome& any = result.bounds[2];
  EXPECT_GT(any.violations, 200U);
  ASSERT_TRUE(any.worst);
  if (!any.first_violation) FAIL() << "a violation has no witness";
  const SettingWitness& witness = *any.first_violation;
  EXPECT_LT(witness.half_width, witness.scale);
  const FloatMechanism mechanism = snapping(witness.scale, witness.half_width, 6);
  const Rational& output = witness.pair.worst.output;
  EXPECT_EQ(output_probability(mechanism, witness.pair.x1, output), witness.pair.worst.first);
  EXPECT_EQ(output_probability(mechanism, witness.pair.x2, output), witness.pair.worst.second);
}

TEST(ExhaustiveTest, WorstOutputsAreWhereTheGapBetweenFloatsChanges) {
  // The grid is 2 here: 4 is a power of two, and 6 would be possible too.
  const ExhaustiveResult result = bounds_at(6);
  const std::optional<SettingWitness>& worst = result.bounds[1].worst;
  if (!worst) FAIL() << "no pair is the worst";
  EXPECT_EQ(abs(worst->pair.worst.output), Rational(4));
}

TEST(ExhaustiveTest, ReportsProgressAndRefusesBadOptions) {
  ExhaustiveOptions options;
  options.precision = 2;
  options.finest = -5;
  double part = 0;
  options.progress = [&](double now) { part = now; };
  exhaustive_losses(options);
  EXPECT_EQ(part, 1);
  const auto refused = [&](auto change) {
    ExhaustiveOptions bad;
    change(bad);
    return refused_parameter([&] { exhaustive_losses(bad); });
  };
  EXPECT_EQ(refused([](auto& bad) { bad.precision = 13; }), "precision");
  EXPECT_EQ(refused([](auto& bad) { bad.most_ratio = 5; }), "least_ratio, most_ratio");
  EXPECT_EQ(refused([](auto& bad) { bad.least_ratio = 0; }), "least_ratio, most_ratio");
  EXPECT_EQ(refused([](auto& bad) { bad.finest = -3; }), "finest");
}

}  // namespace exhaustive_test
}  // namespace lastbit::verify
