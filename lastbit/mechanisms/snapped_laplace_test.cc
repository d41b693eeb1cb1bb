#include "lastbit/mechanisms/snapped_laplace.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "lastbit/base/test_support.h"
#include "lastbit/core/transformation.h"
#include "lastbit/numerics/ball.h"
#include "lastbit/random/exponential/exponential.h"
#include "lastbit/random/exponential/law_check.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace snapped_laplace_test {

using testing::fit_of_cuts;
using testing::kFalseAlarm;
using testing::seeded_tape;
using testing::tape_of_words;
using testing::words_used;

constexpr int kPrecision = 4096;  // cells in the far tail are differences of numbers near 1
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

SnappedLaplaceOptions on(int exponent) {
  return {.grid = Grid(exponent), .lower = {}, .upper = {}};
}

TEST(SnappedLaplaceTest, MapIsDistanceOverScaleExactly) {
  const auto release = make_snapped_laplace(doubles(), AbsoluteDistance{}, rational("3/7"));
  EXPECT_EQ(release.map(1), Distance(rational("7/3")));
  EXPECT_EQ(release.map(0), Distance(0));
  EXPECT_EQ(release.map(Distance::infinity()), Distance::infinity());
  const auto many = make_snapped_laplace(vector_of(rationals()), L1Distance{}, 4, on(10));
  EXPECT_EQ(many.map(rational("1/3")), Distance(rational("1/12")));
}

TEST(SnappedLaplaceTest, ScaleForEpsilonIsExact) {
  const auto step = make_snapped_laplace_for(rational("0.1"), rational("1/3"));
  EXPECT_EQ(step.build(doubles(), AbsoluteDistance{}).map(rational("1/3")),
            Distance(rational("0.1")));
}

TEST(SnappedLaplaceTest, DefaultGridIsFineAndIntegersStayIntegers) {
  EXPECT_EQ(default_noise_grid(doubles(), 1).exponent(), -20);
  EXPECT_EQ(default_noise_grid(doubles(), rational("3/2")).exponent(), -19);
  EXPECT_EQ(default_noise_grid(rationals(), 1024).exponent(), -10);
  EXPECT_EQ(default_noise_grid(integers(), Rational::two_to(30)).exponent(), 0);
  EXPECT_EQ(default_noise_grid(GridDomain(Grid(-30)), 1).exponent(), -20);
  EXPECT_EQ(default_noise_grid(GridDomain(Grid(-3)), 1).exponent(), -3);
  BitSource bits = seeded_tape(51);
  const auto of_doubles = make_snapped_laplace(doubles(), AbsoluteDistance{}, 1);
  EXPECT_TRUE(GridDomain(Grid(-20)).contains(of_doubles(0.1, bits)));
  const auto of_integers = make_snapped_laplace(integers(), AbsoluteDistance{}, rational("1/2"));
  static_assert(std::same_as<decltype(of_integers)::Output, std::int64_t>);
  static_assert(std::same_as<decltype(of_doubles)::Output, Rational>);
}

// Pr[x + L ≥ y].
Ball reaches(const Rational& y, const Rational& x, const Rational& scale) {
  const Ball half(Rational(1, 2), kPrecision);
  const Ball tail = half * exp(Ball(-abs(y - x) / scale, kPrecision));
  return y >= x ? tail : Ball(1, kPrecision) - tail;
}

// Of the 2^63 first words with the sign +, those that release at least the multiple j are the ones
// with U below 2·Pr[x + L ≥ (j − ½)·Λ]: where the answer switches is found by bisection.
TEST(SnappedLaplaceTest, WordsSwitchWhereTheClosedFormSays) {
  const Rational scale = rational("3/4");
  for (const int exponent : {-4, 0, 1}) {
    const auto release = make_snapped_laplace(doubles(), AbsoluteDistance{}, scale, on(exponent));
    for (const double x : {0.0, 0.3, -0.1, 100.7}) {
      const Grid grid(exponent);
      for (int above = 1; above <= 3; ++above) {
        const Rational target = grid.point(grid.nearest_index(x) + Integer(above));
        std::uint64_t low = 0;  // releases at least the target; 2^63 does not
        std::uint64_t high = std::uint64_t{1} << 63;
        while (high - low > 1) {
          const std::uint64_t middle = low + (high - low) / 2;
          BitSource bits = tape_of_words({middle << 1, 0x5555, 0x123456789, 77});
          (release(x, bits) >= target ? low : high) = middle;
        }
        const Rational edge = target - grid.spacing() / Rational(2);
        const Ball expected =
            Ball(Rational::two_to(64), kPrecision) * reaches(edge, Rational::exactly(x), scale);
        EXPECT_TRUE(certainly_less(abs(expected - Ball(Rational(high), kPrecision)),
                                   Ball(rational("1.01"), kPrecision)))
            << exponent << ' ' << x << ' ' << above;
      }
    }
  }
}

// The released law of every grid, from the closed form: no outcome differs by more than the map
// says, and the tails differ by exactly that.
TEST(SnappedLaplaceTest, MapIsSoundAndTightOnEveryGrid) {
  const Ball slack(Rational::two_to(-150), kPrecision);
  const Rational scale = rational("2/3");
  for (const int exponent : {-3, 0, 2, 5}) {
    const Rational spacing = Grid(exponent).spacing();
    for (const char* other : {"1", "1/7", "5/2"}) {
      const Rational x = rational("0.4");
      const Rational x2 = x + rational(other);
      const Ball epsilon(make_snapped_laplace(rationals(), AbsoluteDistance{}, scale, on(exponent))
                             .map(rational(other))
                             .value(),
                         kPrecision);
      const auto ratio = [&](int k) {
        const Rational low = (Rational(k) - Rational(1, 2)) * spacing;
        const Rational high = low + spacing;
        return ln((reaches(low, x, scale) - reaches(high, x, scale)) /
                  (reaches(low, x2, scale) - reaches(high, x2, scale)));
      };
      for (int k = -40; k <= 40; ++k) {
        EXPECT_TRUE(certainly_less(abs(ratio(k)), epsilon + slack)) << exponent << ' ' << k;
      }
      EXPECT_TRUE(certainly_greater(ratio(-30), epsilon - slack)) << exponent;
      EXPECT_TRUE(certainly_less(ratio(30), slack - epsilon)) << exponent;
    }
  }
}

TEST(SnappedLaplaceTest, AllCarriersReleaseTheSameNumbersOnTheSameBits) {
  const auto options = on(0);
  const auto of_doubles = make_snapped_laplace(doubles(), AbsoluteDistance{}, 10, options);
  const auto of_rationals = make_snapped_laplace(rationals(), AbsoluteDistance{}, 10, options);
  const auto of_integers = make_snapped_laplace(interval(-99, 99), AbsoluteDistance{}, 10, options);
  const auto of_grid = make_snapped_laplace(GridDomain(Grid(-2)), AbsoluteDistance{}, 10, options);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    BitSource tapes[] = {seeded_tape(seed), seeded_tape(seed), seeded_tape(seed),
                         seeded_tape(seed)};
    const Rational released = of_doubles(7.0, tapes[0]);
    EXPECT_EQ(released, of_rationals(7, tapes[1]));
    EXPECT_EQ(released, Rational(of_integers(7, tapes[2])));
    EXPECT_EQ(released, of_grid(7, tapes[3]));
  }
}

RC_GTEST_PROP(SnappedLaplaceTest, DoublesEqualTheRationalDefinition, (std::uint64_t seed)) {
  const int exponent = *rc::gen::inRange(-30, 30);
  const auto mantissa = *rc::gen::arbitrary<std::int64_t>();
  const int shift = *rc::gen::inRange(-80, 40);
  const double x = std::ldexp(static_cast<double>(mantissa), shift);
  const Rational scale = Rational(*rc::gen::inRange(1, 1000)) / Rational(7);
  BitSource fast = seeded_tape(seed);
  BitSource slow = seeded_tape(seed);
  const Rational released =
      make_snapped_laplace(doubles(), AbsoluteDistance{}, scale, on(exponent))(x, fast);
  Exponential variate(slow);
  const Rational spacing = Grid(exponent).spacing();
  const Integer index = variate.floor_affine(Rational::exactly(x) / spacing + Rational(1, 2),
                                             Rational(variate.sign()) * scale / spacing, slow);
  RC_ASSERT(released == Rational(index) * spacing);
  RC_ASSERT(words_used(fast) == words_used(slow));
}

TEST(SnappedLaplaceTest, LawOfAMeanMatchesTheClosedForm) {
  // A third is not a binary fraction, so this takes the slow path.
  const auto release =
      make_snapped_laplace(interval<Rational>(0, 1), AbsoluteDistance{}, rational("1/4"), on(-2));
  BitSource bits = seeded_tape(52);
  std::vector<std::size_t> observed(7);  // cuts −1/4, 0, …, 1
  for (int sample = 0; sample < 20'000; ++sample) {
    const Rational y = release(rational("1/3"), bits);
    std::size_t cell = 0;
    for (int cut = -1; cut <= 4; ++cut) cell += y >= Rational(cut, 4) ? 1 : 0;
    ++observed[cell];
  }
  EXPECT_GT(
      fit_of_cuts(observed,
                  [](std::size_t i) {
                    const Rational cut = Rational(static_cast<std::int64_t>(i) - 1, 4);
                    return reaches(cut - rational("1/8"), rational("1/3"), rational("1/4")).lower();
                  }),
      kFalseAlarm);
}

TEST(SnappedLaplaceTest, LawOfAVectorMatchesTheClosedFormInEveryPlace) {
  const auto release =
      make_snapped_laplace(vector_of(interval(-10.0, 10.0), 3), L1Distance{}, 1, on(0));
  const std::vector<double> x = {0.25, -3.5, 7.0};
  std::vector<std::vector<std::size_t>> observed(3, std::vector<std::size_t>(5));
  BitSource bits = seeded_tape(53);
  for (int sample = 0; sample < 30'000; ++sample) {
    const std::vector<Rational> y = release(x, bits);
    for (std::size_t i = 0; i < 3; ++i) {
      std::size_t cell = 0;
      for (int cut = -1; cut <= 2; ++cut) {
        cell += y[i] >= Rational(Grid(0).nearest_index(x[i]) + Integer(cut)) ? 1 : 0;
      }
      ++observed[i][cell];
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_GT(
        fit_of_cuts(
            observed[i],
            [&](std::size_t cut) {
              const Integer at =
                  Grid(0).nearest_index(x[i]) + Integer(static_cast<std::int64_t>(cut) - 1);
              return reaches(Rational(at) - Rational(1, 2), Rational::exactly(x[i]), 1).lower();
            }),
        kFalseAlarm);
  }
}

// How much randomness is drawn reveals nothing about the value, except when a fraction leaves a
// rounding undecided, which happens at most once in 2^14 draws.
TEST(SnappedLaplaceTest, WordsDrawnDoNotDependOnTheWholePart) {
  const auto release = make_snapped_laplace(vector_of(doubles()), L1Distance{}, 3, on(-1));
  BitSource one = seeded_tape(54);
  BitSource other = seeded_tape(54);
  const std::vector<double> small(50'000, 0.125);
  const std::vector<double> large(50'000, -8191.375);  // the same fraction of the spacing
  release(small, one);
  release(large, other);
  EXPECT_EQ(words_used(one), words_used(other));
  BitSource third = seeded_tape(54);
  release(std::vector<double>(50'000, 17.3), third);
  EXPECT_LE(words_used(third), 50'000u + 20u);
  EXPECT_GE(words_used(third), 50'000u);
}

TEST(SnappedLaplaceTest, BoundsCutWhatIsReleased) {
  const SnappedLaplaceOptions options = {.grid = Grid(0), .lower = rational("-1.5"), .upper = 2};
  const auto of_doubles = make_snapped_laplace(doubles(), AbsoluteDistance{}, 5, options);
  const auto of_integers = make_snapped_laplace(integers(), AbsoluteDistance{}, 5, options);
  BitSource bits = seeded_tape(55);
  std::map<Rational, int> seen;
  std::map<std::int64_t, int> whole;
  for (int i = 0; i < 2000; ++i) {
    ++seen[of_doubles(0.0, bits)];
    ++whole[of_integers(0, bits)];
  }
  EXPECT_EQ(seen.size(), 5u);  // −1.5, −1, 0, 1, 2
  EXPECT_EQ(seen.begin()->first, rational("-1.5"));
  EXPECT_EQ(seen.rbegin()->first, Rational(2));
  EXPECT_EQ(whole.begin()->first, -1);
  EXPECT_EQ(whole.rbegin()->first, 2);
  const auto above = make_snapped_laplace(integers(), AbsoluteDistance{}, 5,
                                          {.grid = {}, .lower = 0, .upper = {}});
  for (int i = 0; i < 200; ++i) EXPECT_GE(above(0, bits), 0);
}

TEST(SnappedLaplaceTest, NoValueMakesAReleaseFail) {
  constexpr double kMost = std::numeric_limits<double>::max();
  for (const int exponent : {-1000, -20, 0, 40, 2000}) {
    const auto release = make_snapped_laplace(vector_of(doubles()), L1Distance{}, 1, on(exponent));
    const std::vector<double> strange = {kNan,      kInfinity, -kInfinity, kMost,    -kMost,
                                         0x1p-1074, -0.0,      0x1p-1022,  0x1p1000, -0x1.8p-1060};
    BitSource one = seeded_tape(56);
    BitSource other = seeded_tape(56);
    const std::vector<Rational> y = release(strange, one);
    ASSERT_EQ(y.size(), strange.size());
    for (const Rational& value : y) EXPECT_TRUE(GridDomain(Grid(exponent)).contains(value));
    std::vector<double> ordinary = strange;
    ordinary[0] = -kMost;
    ordinary[1] = kMost;
    ordinary[2] = -kMost;
    EXPECT_EQ(release(ordinary, other), y);
  }
  const auto integer_release = make_snapped_laplace(integers(), AbsoluteDistance{}, 2, on(5));
  BitSource bits = seeded_tape(57);
  constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < 100; ++i) {
    EXPECT_GT(integer_release(kLast, bits), kLast - 10'000);
    EXPECT_LT(integer_release(-kLast - 1, bits), -kLast + 10'000);
    EXPECT_EQ(integer_release(64, bits) % 32, 0);
  }
}

TEST(SnappedLaplaceTest, ChainsAfterWhatFitsOnly) {
  const Transformation<VectorDomain<AllDomain<bool>>, SymmetricDistance, AllDomain<std::int64_t>,
                       AbsoluteDistance>
      count(
          "count", vector_of(booleans()), {}, integers(), {},
          [](const std::vector<bool>& rows) { return static_cast<std::int64_t>(rows.size()); },
          Relation<Distance, Distance>::linear(1));
  const auto release = count >> make_snapped_laplace(rational("1/2"));
  EXPECT_EQ(release.map(3), Distance(6));
  BitSource bits = seeded_tape(58);
  const std::int64_t answer = release({true, false}, bits);
  EXPECT_LT(answer, 1000);
  using Build = decltype(make_snapped_laplace(1).build);
  static_assert(std::invocable<Build, VectorDomain<GridDomain>, L1Distance>);
  static_assert(!std::invocable<Build, VectorDomain<GridDomain>, L2Distance>);
  static_assert(!std::invocable<Build, AllDomain<std::string>, DiscreteDistance>);
  static_assert(!std::invocable<Build, AllDomain<double>, DiscreteDistance>);
}

TEST(SnappedLaplaceTest, ImpossibleParametersAreRefusedByName) {
  const auto make = [](const auto& domain, const char* scale,
                       const SnappedLaplaceOptions& options = {}) {
    return refusal(
        [&] { make_snapped_laplace(domain, AbsoluteDistance{}, rational(scale), options); });
  };
  EXPECT_NE(make(doubles(), "0").find("scale"), std::string::npos);
  EXPECT_NE(make(doubles(), "-1/2").find("scale"), std::string::npos);
  EXPECT_NE(make(doubles_or_nan(), "1").find("domain"), std::string::npos);
  EXPECT_NE(make(integers(), "1", on(-1)).find("grid"), std::string::npos);
  EXPECT_NE(make(doubles(), "1", {.grid = {}, .lower = 1, .upper = 0}).find("lower"),
            std::string::npos);
  const SnappedLaplaceOptions narrow = {
      .grid = {}, .lower = rational("1/4"), .upper = rational("3/4")};
  EXPECT_NE(make(integers(), "1", narrow).find("lower"), std::string::npos);
  EXPECT_EQ(make(doubles(), "1", narrow), "accepted");
  EXPECT_NE(refusal([] { make_snapped_laplace_for(0, 1); }).find("epsilon"), std::string::npos);
  EXPECT_NE(refusal([] { make_snapped_laplace_for(1, 0); }).find("sensitivity"), std::string::npos);
}

}  // namespace snapped_laplace_test
}  // namespace lastbit
