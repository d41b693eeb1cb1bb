#include "lastbit/verify/floats/loss/exact_law.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cstdint>
#include <span>

#include "lastbit/base/test_support.h"
#include "lastbit/mechanisms/snapping.h"
#include "lastbit/random/tape.h"
#include "lastbit/verify/floats/loss/dyadic_law.h"
#include "lastbit/verify/floats/loss/threshold.h"
#include "lastbit/verify/floats/test_support.h"

namespace lastbit::verify {
namespace exact_law_test {

using testing::Law;
using testing::law_of;

constexpr GridRounding kRoundings[] = {GridRounding::kHalfUp, GridRounding::kHalfEven,
                                       GridRounding::kTowardZero, GridRounding::kHalfAdded};
constexpr UniformModel kUniforms[] = {UniformModel::kUnitFloat, UniformModel::kDouble,
                                      UniformModel::kNormalDouble, UniformModel::kFewerBits,
                                      UniformModel::kGrid};

Rational total(const std::vector<Atom>& law) {
  Rational sum;
  for (const Atom& atom : law) sum += atom.probability;
  return sum;
}

// The law by running every possible u, each with the probability that the definition of its model
// gives it. Unit floats below 2^−last are assumed to lead to ±B.
constexpr int kLastExponent = 14;
Law law_by_enumeration(const FloatMechanism& mechanism, const Rational& x) {
  const FloatModel& model = mechanism.model();
  const int p = model.precision;
  Law law;
  for (const int sign : {1, -1}) {
    if (model.uniform == UniformModel::kGrid) {
      for (int k = 1; k <= (1 << p); ++k) {
        const Rational u = Rational(k) * Rational::two_to(-p);
        law[mechanism.output(x, sign, Float::from(u, FloatFormat::unbounded(p)))] +=
            Rational::two_to(-p - 1);
      }
      continue;
    }
    const int q = model.uniform_bits.value_or(p);
    for (const Float& u : positive_floats(FloatFormat::unbounded(q), -kLastExponent, -1)) {
      law[mechanism.output(x, sign, u)] += Rational::two_to(u.exponent() - q);
    }
    const Rational end = sign > 0 ? -mechanism.half_width() : mechanism.half_width();
    law[end] += Rational::two_to(-kLastExponent - 1);
  }
  return law;
}

struct Setting {
  std::string_view ratio;  // B/λ
  std::string_view x;      // x/λ
  int grid;                // how much finer than usual the grid is, in powers of two
};
constexpr Setting kSettings[] = {
    {"1", "1", 0}, {"2.3", "0.3", 0}, {"1.7", "0.6", 3}, {"3.5", "-3.4", 0}, {"0.03", "0", 0}};

TEST(OutputLawTest, LawEqualsPlainEnumeration) {
  for (int p = 2; p <= 8; ++p) {
    for (const UniformModel uniform :
         {UniformModel::kUnitFloat, UniformModel::kFewerBits, UniformModel::kGrid}) {
      for (const GridRounding rounding : kRoundings) {
        for (const auto& [ratio, x, finer] : std::span(kSettings).first(p < 7 ? 5 : 3)) {
          // Another mantissa of λ in each setting.
          const Rational scale((1 << (p - 1)) + (p * finer + 3) % (1 << (p - 1)));
          FloatModel model{.scale = scale,
                           .half_width = scale * rational(ratio),
                           .precision = p,
                           .uniform = uniform,
                           .rounding = rounding,
                           .grid = Grid(Grid::at_least(scale).exponent() - finer)};
          if (uniform == UniformModel::kFewerBits) model.uniform_bits = p / 2 + 1;
          const FloatMechanism mechanism(model);
          const Rational input = scale * rational(x);
          EXPECT_EQ(law_of(mechanism, input), law_by_enumeration(mechanism, input))
              << p << " " << name_of(uniform) << " " << name_of(rounding) << " " << ratio;
        }
      }
    }
  }
}

// A model of u, biased to few bits, narrow and wide bounds, and inputs at bounds, edges and zero.
FloatModel any_model() {
  FloatModel model;
  model.uniform = *rc::gen::elementOf(std::vector(std::begin(kUniforms), std::end(kUniforms)));
  model.rounding = *rc::gen::elementOf(std::vector(std::begin(kRoundings), std::end(kRoundings)));
  const bool doubles =
      model.uniform == UniformModel::kDouble || model.uniform == UniformModel::kNormalDouble;
  model.precision = doubles ? 53 : *rc::gen::element(2, 3, 5, 11, 24, 53, 118);
  if (model.uniform == UniformModel::kFewerBits) {
    model.uniform_bits = *rc::gen::inRange(2, model.precision + 1);
  }
  const Rational mantissa = Rational(*rc::gen::inRange(1, 1000)) / Rational(64);
  model.scale = Float::from(mantissa, FloatFormat::unbounded(model.precision)).to_rational();
  model.half_width = model.scale * Rational(*rc::gen::inRange(1, 400)) / Rational(16);
  if (*rc::gen::arbitrary<bool>()) {
    const int exponent = Grid::at_least(model.scale).exponent();
    model.grid = Grid(exponent + *rc::gen::inRange(-4, 4));
  }
  return model;
}

Rational any_input(const FloatMechanism& mechanism) {
  const Rational& bound = mechanism.half_width();
  const Rational half_cells =
      Rational(*rc::gen::inRange(-9, 9)) * mechanism.grid().spacing() / Rational(2);
  return *rc::gen::element(bound, -bound, Rational(0), half_cells,
                           bound * Rational(*rc::gen::inRange(-77, 77)) / Rational(70));
}

RC_GTEST_PROP(OutputLawTest, ProbabilitiesSumToOneAndAreThoseOfSingleOutputs, ()) {
  const FloatMechanism mechanism(any_model());
  const Rational x = any_input(mechanism);
  const std::vector<Atom> law = output_law(mechanism, x);
  RC_ASSERT(total(law) == Rational(1));
  RC_ASSERT(law.size() == possible_outputs(mechanism).size());
  for (int i = 0; i < 4; ++i) {
    const Atom& atom = law[*rc::gen::inRange<std::size_t>(0, law.size())];
    RC_ASSERT(output_probability(mechanism, x, atom.output) == atom.probability);
  }
  RC_ASSERT(output_probability(mechanism, x, law.front().output) == law.front().probability);
  RC_ASSERT(output_probability(mechanism, x, law.back().output) == law.back().probability);
  RC_ASSERT(output_probability(mechanism, x, mechanism.half_width() + 1) == Rational(0));
}

RC_GTEST_PROP(OutputLawTest, ThresholdDoesNotDependOnTheGuess, ()) {
  const FloatMechanism mechanism(any_model());
  const Rational x = any_input(mechanism);
  const UniformSupport support(mechanism.model());
  const Rational edge = mechanism.grid().point(*rc::gen::inRange(-3, 4));
  RC_PRE(-mechanism.half_width() < edge && edge <= mechanism.half_width());
  const int sign = *rc::gen::element(1, -1);
  const auto holds = [&](const Float& u) {
    return (mechanism.output(x, sign, u) >= edge) == (sign > 0);
  };
  const FloatFormat format = FloatFormat::unbounded(60);
  const std::optional<Float> expected = least_true(support, holds, support.largest());
  for (const int exponent : {-1, -7, -60, -1021, -1022, -1023, -1074, -5000}) {
    const Float guess = Float::from(
        Rational(*rc::gen::inRange(1, 1 << 20)) * Rational::two_to(exponent - 20), format);
    RC_ASSERT(least_true(support, holds, guess) == expected);
  }
  if (!expected) {
    RC_ASSERT(!holds(support.largest()));
  } else {
    RC_ASSERT(holds(*expected));
    if (support.smallest() != *expected) {
      RC_ASSERT(!holds(next_down(*expected)));
    }
  }
}

// Positive doubles are in the order of their bits: another way to find the same thresholds.
Rational reached_by_doubles(const FloatMechanism& mechanism, const Rational& x,
                            const Rational& edge, int sign) {
  const bool normal = mechanism.model().uniform == UniformModel::kNormalDouble;
  const std::uint64_t first = normal ? std::uint64_t{1} << 52 : 1;
  std::uint64_t low = first;
  std::uint64_t high = std::bit_cast<std::uint64_t>(1.0);
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    const Float u = Float::from(std::bit_cast<double>(middle), FloatFormat::unbounded(53));
    const bool reached = mechanism.output(x, sign, u) >= edge;
    (reached == (sign > 0) ? high : low) = reached == (sign > 0) ? middle : middle + 1;
  }
  const Rational below = low == first ? 0 : Rational::exactly(std::bit_cast<double>(low));
  return sign > 0 ? Rational(1) - below : below;
}

TEST(OutputLawTest, LawOfDoublesIsThatOfABisectionOverTheirBits) {
  for (const UniformModel uniform : {UniformModel::kDouble, UniformModel::kNormalDouble}) {
    const FloatMechanism mechanism({.scale = 8, .half_width = 3000, .uniform = uniform});
    for (const char* x : {"3000", "2961.3", "-2836"}) {
      const std::vector<Atom> law = output_law(mechanism, rational(x));
      Rational tail;
      for (std::size_t i = law.size(); i-- > 1;) {
        tail += law[i].probability;
        if (i % 11 != 1 && i + 9 < law.size() && i > 9) continue;
        const Rational edge = law[i].output;
        EXPECT_EQ(tail * Rational(2), reached_by_doubles(mechanism, rational(x), edge, 1) +
                                          reached_by_doubles(mechanism, rational(x), edge, -1));
      }
    }
  }
}

TEST(OutputLawTest, ModelsOfDoublesAgreeWithUnitFloatsWhileNoneIsTooSmall) {
  FloatModel model{.scale = rational("0.75"), .half_width = 100};
  const auto unit = law_of(FloatMechanism(model), rational("3.3"));
  model.uniform = UniformModel::kDouble;
  EXPECT_EQ(law_of(FloatMechanism(model), rational("3.3")), unit);
  model.uniform = UniformModel::kNormalDouble;
  EXPECT_EQ(law_of(FloatMechanism(model), rational("3.3")), unit);
  model.half_width = 600;
  EXPECT_NE(law_of(FloatMechanism(model), 600).size(),
            possible_outputs(FloatMechanism(model)).size());
}

TEST(OutputLawTest, NoiseFarBeyondTheRangeOfDoublesIsExact) {
  const FloatMechanism mechanism({.scale = 1, .half_width = 1500});
  const std::vector<Atom> law = output_law(mechanism, 1500);
  EXPECT_EQ(law.size(), 3001U);
  EXPECT_EQ(total(law), Rational(1));
  EXPECT_GT(law.front().probability.sign(), 0);
  // e^−2999.5/2, within rounding.
  const Ball ideal = exp(Ball(rational("-2999.5"), 128)) / Ball(2, 128);
  const Ball ratio = Ball(law.front().probability, 128) / ideal;
  EXPECT_TRUE(certainly_less(abs(ratio - Ball(1, 128)), Ball(Rational::two_to(-40), 128)));
}

TEST(OutputProbabilityTest, FewOutputsOfAHugeLawNeedNotTheRest) {
  const FloatMechanism wide({.scale = 1, .half_width = Rational::two_to(46)});
  const FloatMechanism narrow({.scale = 1, .half_width = 64});
  for (const int output : {-20, 0, 3, 41}) {
    EXPECT_EQ(output_probability(wide, 5, output), output_probability(narrow, 5, output));
  }
  EXPECT_EQ(code_of([&] { output_law(wide, 5); }), ErrorCode::kNotSupported);
  EXPECT_EQ(code_of([&] { output_probability(wide, 5, Rational::two_to(30)); }),
            ErrorCode::kNotSupported);
  const FloatMechanism distant({.scale = 1, .half_width = 100'000});
  EXPECT_EQ(output_probability(distant, 100'000, -100'000).sign(), 1);
  EXPECT_EQ(output_probability(distant, -100'000, 100'000).sign(), 1);
}

TEST(OutputLawTest, MechanismsWithoutAGridHaveNoListOfOutputs) {
  const FloatMechanism naive({.scale = 1, .half_width = 1, .rounding = GridRounding::kNone});
  EXPECT_EQ(code_of([&] { possible_outputs(naive); }), ErrorCode::kNotSupported);
  EXPECT_EQ(code_of([&] { output_law(naive, 0); }), ErrorCode::kNotSupported);
}

// The naive mechanism at few bits: every sum that occurs, by running every u.
TEST(OutputProbabilityTest, NaiveLaplaceEqualsPlainEnumeration) {
  for (const UniformModel uniform : {UniformModel::kUnitFloat, UniformModel::kGrid}) {
    for (const int p : {2, 5, 7}) {
      const FloatMechanism naive({.scale = 3,
                                  .half_width = 5,
                                  .precision = p,
                                  .uniform = uniform,
                                  .rounding = GridRounding::kNone});
      for (const char* x : {"0", "1.3", "5"}) {
        Law law = law_by_enumeration(naive, rational(x));
        for (const auto& [output, probability] : law) {
          // Outcomes beyond the enumerated exponents have a share in the outermost sums.
          if (uniform != UniformModel::kGrid && (abs(output) > Rational(10) || abs(output) == 5)) {
            continue;
          }
          EXPECT_EQ(output_probability(naive, rational(x), output), probability)
              << name_of(uniform) << " " << p << " " << x << " " << output.to_string();
        }
      }
      EXPECT_EQ(output_probability(naive, 0, Rational(1) + Rational::two_to(-p)), Rational(0));
    }
  }
}

TEST(OutputProbabilityTest, NaiveLaplaceLeavesHolesThatTellTheInput) {
  const FloatMechanism naive({.scale = 1, .half_width = 1, .rounding = GridRounding::kNone});
  // Sums with 0 are all floats of the noise; sums with 1 are multiples of 2^−53 above 1/2 only.
  const Rational odd = rational("0.125") + Rational::two_to(-55);
  EXPECT_EQ(output_probability(naive, 1, odd), Rational(0));
  int possible = 0;
  for (int i = 0; i < 16; ++i) {
    possible += output_probability(naive, 0, odd + Rational(i) * Rational::two_to(-55)).sign();
  }
  EXPECT_GT(possible, 0);
}

// `lastbit snap --precision p` runs Snapping::release: the same bits give what the study computes.
TEST(FloatMechanismTest, ReleaseOnATapeIsTheStudiedFunction) {
  for (const int p : {8, 12, 53, 118}) {
    const Snapping snapping(
        {.epsilon = rational("0.9"), .lower = rational("-1/3"), .upper = 2, .precision = p});
    const FloatMechanism mechanism(
        {.scale = snapping.scale(), .half_width = snapping.half_width(), .precision = p});
    BitSource released = lastbit::testing::seeded_tape(static_cast<std::uint64_t>(p));
    BitSource studied = lastbit::testing::seeded_tape(static_cast<std::uint64_t>(p));
    for (int i = 0; i < 10'000; ++i) {
      const Rational x = Rational(i % 97) / Rational(41);
      const SnappingDraw draw = draw_snapping(studied, p);
      ASSERT_EQ(snapping.release(x, released),
                snapping.midpoint() + mechanism.output(x - snapping.midpoint(), draw.sign, draw.u));
    }
  }
}

TEST(FloatMechanismTest, MechanismOfAFunctionIsTheModelThatShips) {
  const Snapping snapping({.epsilon = 1, .lower = -7, .upper = 7});
  const FloatMechanism mechanism(snapping.function());
  EXPECT_EQ(mechanism.model().uniform, UniformModel::kUnitFloat);
  EXPECT_EQ(mechanism.model().rounding, GridRounding::kHalfUp);
  EXPECT_EQ(mechanism.scale(), snapping.scale());
  EXPECT_EQ(mechanism.half_width(), Rational(7));
  EXPECT_EQ(mechanism.grid().exponent(), snapping.grid().exponent());
}

TEST(FloatMechanismTest, RoundingsDifferInTiesAndDirection) {
  const auto at = [](GridRounding rounding, std::string_view sum) {
    return FloatMechanism({.scale = 1, .half_width = 10, .rounding = rounding})
        .finished(rational(sum))
        .to_string();
  };
  EXPECT_EQ(at(GridRounding::kHalfUp, "2.5"), "3");
  EXPECT_EQ(at(GridRounding::kHalfUp, "-2.5"), "-2");
  EXPECT_EQ(at(GridRounding::kHalfEven, "2.5"), "2");
  EXPECT_EQ(at(GridRounding::kHalfEven, "3.5"), "4");
  EXPECT_EQ(at(GridRounding::kHalfEven, "-2.5"), "-2");
  EXPECT_EQ(at(GridRounding::kHalfEven, "-3.5"), "-4");
  EXPECT_EQ(at(GridRounding::kHalfEven, "2.4999"), "2");
  EXPECT_EQ(at(GridRounding::kTowardZero, "2.9"), "2");
  EXPECT_EQ(at(GridRounding::kTowardZero, "-2.9"), "-2");
  EXPECT_EQ(at(GridRounding::kHalfAdded, "2.5"), "3");
  // The sum with ½ is rounded to 1, so the number below ½ is rounded up.
  EXPECT_EQ(at(GridRounding::kHalfAdded, "0x1.fffffffffffffp-2"), "1");
  EXPECT_EQ(at(GridRounding::kHalfUp, "0x1.fffffffffffffp-2"), "0");
  EXPECT_EQ(at(GridRounding::kHalfEven, "77"), "10");
  EXPECT_EQ(at(GridRounding::kNone, "77.25"), "77.25");
}

TEST(FloatMechanismTest, ImpossibleModelsAreRefusedByName) {
  const auto refused = [](auto change) {
    FloatModel model{.scale = 1, .half_width = 1, .precision = 8};
    change(model);
    return refused_parameter([&] { const FloatMechanism mechanism(model); });
  };
  EXPECT_EQ(refused([](auto&) {}), "");
  EXPECT_EQ(refused([](auto& m) { m.precision = 1; }), "precision");
  EXPECT_EQ(refused([](auto& m) { m.precision = 5000; }), "precision");
  EXPECT_EQ(refused([](auto& m) { m.scale = 0; }), "scale");
  EXPECT_EQ(refused([](auto& m) { m.scale = -1; }), "scale");
  EXPECT_EQ(refused([](auto& m) { m.scale = rational("1/3"); }), "scale");
  EXPECT_EQ(refused([](auto& m) { m.scale = 257; }), "scale");
  EXPECT_EQ(refused([](auto& m) { m.half_width = 0; }), "half_width");
  EXPECT_EQ(refused([](auto& m) { m.uniform = UniformModel::kDouble; }), "precision");
  EXPECT_EQ(refused([](auto& m) { m.uniform = UniformModel::kFewerBits; }), "uniform_bits");
  EXPECT_EQ(refused([](auto& m) { m.uniform_bits = 4; }), "uniform_bits");
  for (const int bits : {0, 1, 9}) {
    EXPECT_EQ(refused([bits](auto& m) {
                m.uniform = UniformModel::kFewerBits;
                m.uniform_bits = bits;
              }),
              "uniform_bits");
  }
}

TEST(FloatMechanismTest, NamesOfModelsAreReadBack) {
  for (const UniformModel uniform : kUniforms) EXPECT_EQ(uniform_model(name_of(uniform)), uniform);
  for (const GridRounding rounding : kRoundings) {
    EXPECT_EQ(grid_rounding(name_of(rounding)), rounding);
  }
  EXPECT_EQ(grid_rounding("none"), GridRounding::kNone);
  EXPECT_NE(refusal([] { uniform_model("dobule"); }).find("normal-double"), std::string::npos);
  EXPECT_EQ(refused_parameter([] { grid_rounding(""); }), "rounding");
}

RC_GTEST_PROP(DyadicTest, ArithmeticAndOrderAreThoseOfRationals, ()) {
  const auto any = [] { return Dyadic(*rc::gen::inRange(-40, 40), *rc::gen::inRange(-70, 70)); };
  const Dyadic a = any();
  const Dyadic b = any();
  RC_ASSERT((a + b).to_rational() == a.to_rational() + b.to_rational());
  RC_ASSERT((a - b).to_rational() == a.to_rational() - b.to_rational());
  RC_ASSERT((a * b).to_rational() == a.to_rational() * b.to_rational());
  RC_ASSERT((a <=> b) == (a.to_rational() <=> b.to_rational()));
  RC_ASSERT(a.halved() + a.halved() == a);
}

TEST(DyadicTest, NumbersTooFarApartAreRefused) {
  const Dyadic one(1, 0);
  const Dyadic tiny(1, -Dyadic::kMaxShift - 1);
  EXPECT_GT(one, tiny);
  EXPECT_LT(-one, tiny);
  EXPECT_EQ(code_of([&] { return one + tiny; }), ErrorCode::kNotSupported);
  EXPECT_EQ(code_of([&] { return tiny.to_rational(); }), ErrorCode::kNotSupported);
}

}  // namespace exact_law_test
}  // namespace lastbit::verify
