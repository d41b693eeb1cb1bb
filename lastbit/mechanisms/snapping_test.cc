#include "lastbit/mechanisms/snapping.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "lastbit/base/test_support.h"
#include "lastbit/core/chain.h"
#include "lastbit/numerics/ball.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace snapping_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::string refused_in(const SnappingParameters& parameters) {
  return refused_parameter([&] { const Snapping snapping(parameters); });
}

// (d + 18·B·η)/λ + 14·η, written out again.
Rational bound(const Rational& scale, const Rational& half_width, int precision,
               const Rational& d) {
  const Rational eta = Rational::two_to(-precision);
  return (d + Rational(18) * half_width * eta) / scale + Rational(14) * eta;
}

TEST(UnitFloatTest, EveryFloatHasTheProbabilityOfItsGap) {
  const auto law = testing::enumerate_tapes<Rational>(
      [](BitSource& bits) { return draw_unit_float(bits, 5).to_rational(); }, 12);
  for (const Float& u : positive_floats(FloatFormat::unbounded(5), -8, -1)) {
    const auto found = law.probability.find(u.to_rational());
    ASSERT_NE(found, law.probability.end()) << u.to_string();
    EXPECT_EQ(found->second, next_up(u).to_rational() - u.to_rational());
  }
  EXPECT_EQ(law.undecided, Rational::two_to(-8));
}

Ball ball(std::string_view text) { return Ball(rational(text), 128); }

TEST(SnappingLossTest, TheInequalitiesOfTheProofHoldAtTheCorner) {
  const Rational eta = Rational::two_to(-7);
  const Rational beta = 1;
  const Rational reach = Rational(2) * beta + 1 + eta * (beta + 1);  // E
  const Rational below = (Rational(2) * eta + eta * eta) * reach;    // a
  const Rational above = Rational(2) * eta * (reach + 1);            // b
  const Rational delta = (below + above) / Rational(2);
  const Rational width = Rational(1) - eta * (beta + rational("1/2"));
  const Rational per_bound = Rational(8) + Rational(6) * eta + eta * eta;
  const Rational fixed = Rational(6) + Rational(5) * eta + eta * eta;
  EXPECT_EQ(delta * Rational(2), eta * (per_bound * beta + fixed));
  const Ball half(width / Rational(2), 128);
  const Ball average = (coth(half - Ball(delta, 128)) + coth(half + Ball(delta, 128))) / ball("2");
  EXPECT_TRUE(certainly_less(average, ball("2.2112")));
  EXPECT_TRUE(certainly_less(average * Ball(per_bound, 128), ball("17.8")));
  EXPECT_TRUE(certainly_less(average * Ball(fixed, 128), ball("13.4")));

  const Ball c(width, 128);
  const Ball decay = exp(-c);
  EXPECT_TRUE(certainly_less(decay, ball("0.3723")));
  EXPECT_TRUE(certainly_less(Ball(above, 128), ball("0.0628")));
  EXPECT_TRUE(certainly_less(expm1(Ball(above, 128)), ball("1.0325") * Ball(above, 128)));
  const Ball k = (ball("1") + (ball("1") + c) * decay) / (ball("1") - decay);
  EXPECT_TRUE(
      certainly_less(k * exp(Ball(Rational(2) * eta, 128) * (c + ball("1"))), ball("2.861")));
  const Ball v = ball("5.722") * Ball(eta, 128);
  EXPECT_TRUE(certainly_less(v / (ball("1") - v), ball("5.99") * Ball(eta, 128)));
}

TEST(SnappingTest, ScaleIsTheSmallestFloatThatPaysForEpsilon) {
  for (const char* epsilon : {"0.1", "1/3", "1", "7"}) {
    const Snapping snapping({.epsilon = rational(epsilon),
                             .sensitivity = rational("2.5"),
                             .lower = -300,
                             .upper = 300});
    EXPECT_LE(snapping.loss(rational("2.5")), Distance(rational(epsilon)));
    const Float less = next_down(Float::from(snapping.scale(), FloatFormat::unbounded(53)));
    EXPECT_LT(rational(epsilon), bound(less.to_rational(), 300, 53, rational("2.5")));
  }
}

TEST(SnappingTest, LossIsZeroAtZeroIncreasesAndEndsAtTheWidth) {
  const Snapping snapping({.epsilon = 1, .sensitivity = 2, .lower = 0, .upper = 50});
  EXPECT_EQ(snapping.loss(0), Distance(0));
  Distance last = 0;
  for (const char* d : {"0.001", "1", "2", "2.001", "4", "10", "50"}) {
    const Distance loss = snapping.loss(rational(d));
    EXPECT_LE(last, loss);
    EXPECT_EQ(loss, Distance(bound(snapping.scale(), 25, 53, rational(d))));
    last = loss;
  }
  EXPECT_EQ(snapping.loss(51), last);
  EXPECT_EQ(snapping.loss(Distance::infinity()), last);
  EXPECT_LE(snapping.loss(2), Distance(1));
}

TEST(SnappingTest, ImpossibleParametersAreRefusedByName) {
  const SnappingParameters good{.epsilon = 1, .sensitivity = 1, .lower = 0, .upper = 10};
  EXPECT_EQ(refused_in(good), "");
  auto with = [&](auto change) {
    SnappingParameters parameters = good;
    change(parameters);
    return refused_in(parameters);
  };
  EXPECT_EQ(with([](auto& p) { p.epsilon = 0; }), "epsilon");
  EXPECT_EQ(with([](auto& p) { p.epsilon = -1; }), "epsilon");
  EXPECT_EQ(with([](auto& p) { p.epsilon = Rational::two_to(-50); }), "epsilon");
  EXPECT_EQ(with([](auto& p) { p.sensitivity = 0; }), "sensitivity");
  EXPECT_EQ(with([](auto& p) { p.sensitivity = Rational::two_to(30'000); }), "sensitivity");
  EXPECT_EQ(with([](auto& p) { p.lower = 10; }), "lower");
  EXPECT_EQ(with([](auto& p) { p.precision = 6; }), "precision");
  EXPECT_EQ(with([](auto& p) { p.precision = -1; }), "precision");
  EXPECT_EQ(with([](auto& p) { p.precision = std::numeric_limits<int>::max(); }), "precision");
  EXPECT_EQ(with([](auto& p) { p.upper = Rational::two_to(100); }), "upper");
}

TEST(SnappingTest, RefusalsOfTooFewBitsNameTheSmallestPrecisionThatWorks) {
  SnappingParameters parameters{.epsilon = Rational::two_to(-60), .lower = 0, .upper = 1};
  try {
    const Snapping snapping(parameters);
    FAIL() << "epsilon is below what rounding costs";
  } catch (const Error& error) {
    EXPECT_NE(error.remedy().find("give precision 64 or more"), std::string::npos) << error.what();
  }
  parameters.precision = 63;
  EXPECT_EQ(refused_in(parameters), "epsilon");
  parameters.precision = 64;
  EXPECT_EQ(refused_in(parameters), "");
}

RC_GTEST_PROP(SnappingTest, AcceptedParametersSatisfyTheHypotheses, ()) {
  const auto positive = [] {
    return Rational(*rc::gen::inRange(1, 1'000'000)) * Rational::two_to(*rc::gen::inRange(-40, 40));
  };
  const Rational lower = Rational(*rc::gen::inRange(-1000, 1000));
  const SnappingParameters parameters{.epsilon = positive(),
                                      .sensitivity = positive(),
                                      .lower = lower,
                                      .upper = lower + positive(),
                                      .precision = *rc::gen::inRange(7, 120)};
  try {
    const Snapping snapping(parameters);
    RC_ASSERT(snapping.loss(parameters.sensitivity) <= Distance(parameters.epsilon));
    const Rational widest = snapping.scale() * Rational::two_to(parameters.precision - 7);
    RC_ASSERT(snapping.half_width() <= widest);
    RC_ASSERT(snapping.grid().spacing() >= snapping.scale());
    RC_ASSERT(snapping.grid().spacing() < Rational(2) * snapping.scale());
  } catch (const Error& error) {
    RC_ASSERT(error.code() == ErrorCode::kBadParameter);
    RC_ASSERT(!error.remedy().empty());
  }
}

TEST(SnappingFunctionTest, InputThatIsNoFloatIsAddedExactly) {
  // With p = 8 the input 1/3 is not a float; the sum is rounded once.
  const FloatFormat format = FloatFormat::unbounded(8);
  const SnappingFunction function(Float::from(rational("1/64"), format), 1);
  const Float u = Float::from(rational("1/2"), format);
  const Rational noise = function.noise(u, 1);
  EXPECT_EQ(noise,
            multiply(Float::from(rational("1/64"), format), ln(u, format), format).to_rational());
  const Float sum = Float::from(rational("1/3") + noise, format);
  const Grid& grid = function.grid();
  EXPECT_EQ(function.snap_with(u, 1, rational("1/3")),
            grid.point(grid.nearest_index(sum.to_rational())));
}

TEST(SnappingFunctionTest, ImpossibleArgumentsAreRefused) {
  const FloatFormat format = FloatFormat::unbounded(8);
  const Float one = Float::from(Rational(1), format);
  const SnappingFunction function(one, 1);
  const auto code_of = [](const auto& action) {
    try {
      action();
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::kInternal;
  };
  const auto bad = ErrorCode::kBadParameter;
  EXPECT_EQ(code_of([&] { function.snap_with(Float(format), 1, 0); }), bad);
  EXPECT_EQ(code_of([&] { function.snap_with(Float::nan(format), 1, 0); }), bad);
  EXPECT_EQ(code_of([&] { function.snap_with(-one, 1, 0); }), bad);
  EXPECT_EQ(code_of([&] { function.snap_with(one, 0, 0); }), bad);
  EXPECT_EQ(code_of([&] { SnappingFunction(Float(format), 1); }), bad);
  EXPECT_EQ(code_of([&] { SnappingFunction(-one, 1); }), bad);
  EXPECT_EQ(code_of([&] { SnappingFunction(Float::infinity(format), 1); }), bad);
  EXPECT_EQ(code_of([&] { SnappingFunction(Float::from(1.0, FloatFormat::binary64()), 1); }), bad);
  EXPECT_EQ(code_of([&] { SnappingFunction(one, 0); }), bad);
}

TEST(MakeSnappingTest, OutputsAreGridPointsBesideTheMidpointOrTheBounds) {
  const SnappingParameters parameters{
      .epsilon = rational("0.7"), .lower = rational("-1/3"), .upper = rational("20.1")};
  const auto release = make_snapping(rationals(), AbsoluteDistance{}, parameters);
  const Snapping snapping(parameters);
  const GridDomain grid(snapping.grid());
  BitSource tape = testing::seeded_tape(7);
  bool inside = false;
  for (int i = 0; i < 500; ++i) {
    const Rational out = release(rational("9.9"), tape);
    if (out == parameters.lower || out == parameters.upper) continue;
    inside = true;
    EXPECT_TRUE(grid.contains(out - snapping.midpoint()));
  }
  EXPECT_TRUE(inside);
  EXPECT_EQ(release.map(1), snapping.loss(1));
}

TEST(MakeSnappingTest, EveryKindOfNumberGivesTheSameReleaseForTheSameBits) {
  const SnappingParameters parameters{.epsilon = 1, .lower = -100, .upper = 100};
  const AbsoluteDistance metric;
  const auto from_doubles = make_snapping(doubles(), metric, parameters);
  const auto from_interval = make_snapping(interval(0.0, 50.0), metric, parameters);
  const auto from_integers = make_snapping(integers(), metric, parameters);
  const auto from_rationals = make_snapping(rationals(), metric, parameters);
  const auto from_rational_interval = make_snapping(interval<Rational>(0, 50), metric, parameters);
  const auto from_grid = make_snapping(GridDomain(Grid(-3)), metric, parameters);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto run = [seed](const auto& measurement, const auto& x) {
      BitSource tape = testing::seeded_tape(seed);
      return measurement(x, tape);
    };
    const Rational expected = run(from_rationals, Rational(37));
    EXPECT_EQ(run(from_doubles, 37.0), expected);
    EXPECT_EQ(run(from_interval, 37.0), expected);
    EXPECT_EQ(run(from_integers, std::int64_t{37}), expected);
    EXPECT_EQ(run(from_rational_interval, Rational(37)), expected);
    EXPECT_EQ(run(from_grid, Rational(37)), expected);
  }
}

TEST(MakeSnappingTest, ValuesOutsideTheDomainFollowAFixedRule) {
  const SnappingParameters parameters{.epsilon = 1, .lower = 3, .upper = 90};
  const auto release = make_snapping(doubles(), AbsoluteDistance{}, parameters);
  const auto run = [&](double x) {
    BitSource tape = testing::seeded_tape(11);
    return release(x, tape);
  };
  EXPECT_EQ(run(kNan), run(3));
  EXPECT_EQ(run(-kInfinity), run(3));
  EXPECT_EQ(run(kInfinity), run(90));
  EXPECT_EQ(run(1e308), run(90));
  EXPECT_EQ(run(-0.0), run(0.0));
  expect_code(ErrorCode::kBadParameter,
              [&] { make_snapping(doubles_or_nan(), AbsoluteDistance{}, parameters); });
}

template <class D, class M>
concept Snaps = requires(const D& domain, const M& metric, const SnappingParameters& parameters) {
  make_snapping(domain, metric, parameters);
};
static_assert(Snaps<AllDomain<double>, AbsoluteDistance>);
static_assert(!Snaps<AllDomain<std::string>, AbsoluteDistance>);
static_assert(!Snaps<VectorDomain<AllDomain<double>>, AbsoluteDistance>);
static_assert(!Snaps<VectorDomain<AllDomain<double>>, SymmetricDistance>);

TEST(MakeSnappingTest, StepFormsEndAChain) {
  using Identity = Transformation<AllDomain<std::int64_t>, AbsoluteDistance,
                                  AllDomain<std::int64_t>, AbsoluteDistance>;
  const Identity twice(
      "twice", integers(), {}, integers(), {}, [](const std::int64_t& x) { return 2 * x; },
      Relation<Distance, Distance>::linear(2));
  const SnappingParameters parameters{
      .epsilon = rational("1/2"), .sensitivity = 2, .lower = 0, .upper = 64};
  const auto chain = twice >> make_snapping(parameters);
  EXPECT_LE(chain.map(1), Distance(rational("1/2")));
  EXPECT_EQ(chain.map(1), Snapping(parameters).loss(2));
}

}  // namespace snapping_test
}  // namespace lastbit
