// Noisy max and the exponential mechanism.
#include "lastbit/mechanisms/selection.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "lastbit/base/test_support.h"
#include "lastbit/mechanisms/exponential_mechanism.h"
#include "lastbit/mechanisms/noisy_max.h"
#include "lastbit/mechanisms/selection_test_support.h"
#include "lastbit/random/exponential/law_check.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace selection_test {

using testing::all_scores;
using testing::ball;
using testing::coins;
using testing::exponential_law;
using testing::fit;
using testing::kFalseAlarm;
using testing::largest_loss;
using testing::Law;
using testing::lower_ends;
using testing::noisy_max_law;
using testing::Scores;
using testing::seeded_tape;

// Permute-and-flip by its definition: over all subsets of heads, one of them at random.
Law permute_and_flip(const Scores& scores, const Rational& scale) {
  const Law p = coins(scores, scale);
  Law result(p.size(), ball(0));
  for (unsigned heads = 1; heads < (1U << p.size()); ++heads) {
    Ball mass = ball(1);
    for (std::size_t i = 0; i < p.size(); ++i) {
      mass = mass * ((heads >> i) & 1U ? p[i] : ball(1) - p[i]);
    }
    for (std::size_t i = 0; i < p.size(); ++i) {
      if ((heads >> i) & 1U) result[i] = result[i] + mass / ball(std::popcount(heads));
    }
  }
  return result;
}

template <class M, class Input>
std::vector<std::size_t> count_choices(const M& choose, const Input& scores, int samples,
                                       BitSource& bits) {
  std::vector<std::size_t> observed(scores.size());
  for (int i = 0; i < samples; ++i) ++observed[choose(scores, bits)];
  return observed;
}

TEST(NoisyMaxTest, LawIsThatOfPermuteAndFlip) {
  for (const Scores& scores :
       {Scores{0, 0, 0}, Scores{3, 1, 0}, Scores{5, 5, 4, 0}, Scores{7}, Scores{0, 10, 10, 9, 3}}) {
    for (const char* scale : {"1", "1/2", "7/3"}) {
      const Law one = permute_and_flip(scores, rational(scale));
      const Law other = noisy_max_law(scores, rational(scale));
      for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_TRUE(overlaps(one[i], other[i]));
        EXPECT_TRUE(certainly_less(abs(one[i] - other[i]), ball(Rational::two_to(-150))));
      }
    }
  }
}

// SLOW: NoisyMaxTest.SamplesHaveThatLaw
TEST(NoisyMaxTest, SamplesHaveThatLaw) {
  for (const Scores& scores : {Scores{0, 0, 0}, Scores{3, 1, 0}, Scores{1, 2, 3, 2, 1}}) {
    const auto choose =
        make_noisy_max(vector_of(integers(), scores.size()), LInfinityDistance{}, rational("3/2"));
    BitSource bits = seeded_tape(71);
    const auto observed = count_choices(choose, scores, 60'000, bits);
    EXPECT_GT(fit(observed, lower_ends(noisy_max_law(scores, rational("3/2")))), kFalseAlarm);
  }
}

TEST(NoisyMaxTest, ScoresThatAreNoDoublesHaveThatLawToo) {
  const auto choose = make_noisy_max(vector_of(rationals(), 3), RangeDistance{}, rational("1/2"));
  const std::vector<Rational> scores = {rational("10/3"), rational("7/3"), rational("4/3")};
  BitSource bits = seeded_tape(72);
  const auto observed = count_choices(choose, scores, 8'000, bits);
  EXPECT_GT(fit(observed, lower_ends(noisy_max_law({2, 1, 0}, rational("1/2")))), kFalseAlarm);
  // Beyond 2^53 an integer may not be a double.
  const std::int64_t large = (std::int64_t{1} << 60) + 1;
  const auto of_integers = make_noisy_max(vector_of(integers(), 3), RangeDistance{}, 1);
  const auto far = count_choices(of_integers, Scores{large + 1, large, large - 1}, 8'000, bits);
  EXPECT_GT(fit(far, lower_ends(noisy_max_law({2, 1, 0}, 1))), kFalseAlarm);
}

TEST(NoisyMaxTest, AllCarriersChooseAlikeOnTheSameBits) {
  const auto of_integers = make_noisy_max(vector_of(integers(), 4), L1Distance{}, 2);
  const auto of_doubles = make_noisy_max(vector_of(doubles(), 4), L1Distance{}, 2);
  const auto of_grid = make_noisy_max(vector_of(GridDomain(Grid(-3)), 4), L1Distance{}, 2);
  BitSource tapes[] = {seeded_tape(73), seeded_tape(73), seeded_tape(73)};
  for (int i = 0; i < 500; ++i) {
    const std::size_t chosen = of_integers({5, 3, 5, 4}, tapes[0]);
    EXPECT_EQ(chosen, of_doubles({5, 3, 5, 4}, tapes[1]));
    EXPECT_EQ(chosen, of_grid({5, 3, 5, 4}, tapes[2]));
  }
}

template <class MakeLaw, class M>
void expect_sound(const M& measurement, const Rational& scale, MakeLaw law) {
  const Ball slack = ball(Rational::two_to(-120));
  for (const Scores& u : all_scores(2)) {
    for (const Scores& v : all_scores(2)) {
      const Distance d = measurement.input_metric().distance(u, v);
      ASSERT_TRUE(certainly_less(largest_loss(law(u, scale), law(v, scale)),
                                 ball(measurement.map(d).value()) + slack))
          << M::InputMetric::kName << u[0] << u[1] << u[2] << ' ' << v[0] << v[1] << v[2];
    }
  }
}

TEST(SelectionTest, MapsHoldOnAllPairsOfSmallScores) {
  const Rational scale = rational("3/2");
  const auto domain = vector_of(integers(), 3);
  expect_sound(make_noisy_max(domain, LInfinityDistance{}, scale), scale, noisy_max_law);
  expect_sound(make_noisy_max(domain, L1Distance{}, scale), scale, noisy_max_law);
  expect_sound(make_noisy_max(domain, RangeDistance{}, scale), scale, noisy_max_law);
  expect_sound(make_exponential_mechanism(domain, LInfinityDistance{}, scale), scale,
               exponential_law);
  expect_sound(make_exponential_mechanism(domain, L1Distance{}, scale), scale, exponential_law);
  expect_sound(make_exponential_mechanism(domain, RangeDistance{}, scale), scale, exponential_law);
}

TEST(NoisyMaxTest, MapIsAttained) {
  const Ball slack = ball(Rational::two_to(-120));
  const auto domain = vector_of(integers(), 2);
  // One score rises and the other falls: L-infinity 1, L1 2, range 2.
  const Ball opposite = largest_loss(noisy_max_law({5, 0}, 3), noisy_max_law({6, -1}, 3));
  const Ball less = ball(make_noisy_max(domain, LInfinityDistance{}, 3).map(1).value()) - slack;
  EXPECT_TRUE(certainly_greater(opposite, less));
  // One score falls: L1 1, range 1.
  const Ball alone = largest_loss(noisy_max_law({5, 0}, 3), noisy_max_law({5, -1}, 3));
  EXPECT_TRUE(certainly_greater(
      alone, ball(make_noisy_max(domain, L1Distance{}, 3).map(1).value()) - slack));
  EXPECT_TRUE(certainly_greater(
      alone, ball(make_noisy_max(domain, RangeDistance{}, 3).map(1).value()) - slack));
}

// "A pure loss ε of noisy max is a zero-concentrated loss of ε²/8", as for the exponential
// mechanism: false. Two equal scores, one of which falls, nearly need the general ε²/2.
TEST(NoisyMaxTest, BoundedRangeAccountingIsExceeded) {
  const Rational scale = 100;
  const auto choose = make_noisy_max(vector_of(integers(), 2), RangeDistance{}, scale);
  const Rational epsilon = choose.map(1).value();
  const auto order_two = [&](const Law& here, const Law& there) {
    return ln(here[0] * here[0] / there[0] + here[1] * here[1] / there[1]);
  };
  const Ball noisy = order_two(noisy_max_law({0, 0}, scale), noisy_max_law({0, -1}, scale));
  EXPECT_TRUE(certainly_greater(noisy, ball(rational("0.98") * epsilon * epsilon)));
  EXPECT_TRUE(certainly_less(noisy, ball(epsilon * epsilon)));  // 2·ε²/2
  const Ball usual = order_two(exponential_law({0, 0}, scale), exponential_law({0, -1}, scale));
  EXPECT_TRUE(certainly_less(usual, ball(epsilon * epsilon / Rational(4))));  // 2·ε²/8
}

TEST(ExponentialMechanismTest, MapIsApproached) {
  // Far below the best, one score rises by 1 and all others fall by 1.
  const Ball loss = largest_loss(exponential_law({100, 0}, 3), exponential_law({99, 1}, 3));
  const Rational map =
      make_exponential_mechanism(vector_of(integers(), 2), LInfinityDistance{}, 3).map(1).value();
  EXPECT_EQ(map, rational("2/3"));
  EXPECT_TRUE(certainly_greater(loss, ball(map - rational("1e-12"))));
}

TEST(ExponentialMechanismTest, SamplesHaveTheirLaw) {
  for (const Scores& scores : {Scores{0, 0, 0}, Scores{3, 1, 0}, Scores{1, 2, 3, 2, 1}}) {
    const auto choose = make_exponential_mechanism(vector_of(integers(), scores.size()),
                                                   LInfinityDistance{}, rational("3/2"));
    BitSource bits = seeded_tape(74);
    const auto observed = count_choices(choose, scores, 20'000, bits);
    EXPECT_GT(fit(observed, lower_ends(exponential_law(scores, rational("3/2")))), kFalseAlarm);
  }
}

// All carriers, among them integers whose difference does not fit 64 bits and falls beyond the
// first step, on the same bits.
TEST(ExponentialMechanismTest, AllCarriersChooseAlikeOnTheSameBits) {
  const Rational scale = rational("7/3");
  const auto of_integers =
      make_exponential_mechanism(vector_of(integers(), 5), L1Distance{}, scale);
  const auto of_rationals =
      make_exponential_mechanism(vector_of(rationals(), 5), L1Distance{}, scale);
  const auto of_doubles = make_exponential_mechanism(vector_of(doubles(), 5), L1Distance{}, scale);
  BitSource tapes[] = {seeded_tape(76), seeded_tape(76), seeded_tape(76)};
  for (int i = 0; i < 500; ++i) {
    const std::size_t chosen = of_integers({5, 3, 5, 4, -400}, tapes[0]);
    EXPECT_EQ(chosen, of_rationals({5, 3, 5, 4, -400}, tapes[1]));
    EXPECT_EQ(chosen, of_doubles({5, 3, 5, 4, -400}, tapes[2]));
    EXPECT_NE(chosen, 4u);
  }
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(of_integers({kLeast, kLeast, kMost, 0, kLeast}, tapes[0]), 2u);
}

// With bits that are all 0, every variate is as large as one likes, so that the first candidate
// drawn is kept, however far it falls.
TEST(ExponentialMechanismTest, EveryCandidateCanBeChosen) {
  for (const std::int64_t fall : {0, 63, 64, 65, 1000}) {
    const std::vector<std::uint64_t> words(4096, 0);
    BitSource zeros = testing::tape_of_words(words);
    const auto choose = make_exponential_mechanism(vector_of(integers(), 2), L1Distance{}, 1);
    EXPECT_EQ(choose({0, fall}, zeros), 0u) << fall;
  }
}

TEST(SelectionTest, EpsilonFormsAreExact) {
  const auto domain = vector_of(doubles(), 3);
  const Rational epsilon = rational("0.3");
  const Rational delta = rational("1/7");
  EXPECT_EQ(make_noisy_max_for(epsilon, delta).build(domain, LInfinityDistance{}).map(delta),
            Distance(epsilon));
  EXPECT_EQ(make_noisy_max_for(epsilon, delta).build(domain, L1Distance{}).map(delta),
            Distance(epsilon));
  EXPECT_EQ(
      make_exponential_mechanism_for(epsilon, delta).build(domain, RangeDistance{}).map(delta),
      Distance(epsilon));
}

TEST(SelectionTest, NoValueMakesAChoiceFail) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto domain = vector_of(doubles(), 3);
  const auto noisy = make_noisy_max(domain, LInfinityDistance{}, 1);
  const auto exponential = make_exponential_mechanism(domain, LInfinityDistance{}, 1);
  BitSource bits = seeded_tape(75);
  const std::vector<double> strange = {-kInfinity, kInfinity,
                                       std::numeric_limits<double>::quiet_NaN()};
  EXPECT_EQ(noisy(strange, bits), 1u);
  EXPECT_EQ(exponential(strange, bits), 1u);
  EXPECT_EQ(noisy({}, bits), 0u);
  EXPECT_EQ(exponential({}, bits), 0u);
  EXPECT_EQ(noisy({3.0}, bits), 0u);
}

TEST(SelectionTest, StepsFitScoresOfAPublicNumberOnly) {
  using Noisy = decltype(make_noisy_max(1).build);
  using Sized = SizedVectorDomain<AllDomain<double>>;
  static_assert(std::invocable<Noisy, Sized, LInfinityDistance>);
  static_assert(!std::invocable<Noisy, Sized, L2Distance>);
  static_assert(!std::invocable<Noisy, VectorDomain<AllDomain<double>>, LInfinityDistance>);
  static_assert(!std::invocable<Noisy, SizedVectorDomain<AllDomain<std::string>>, HammingDistance>);
}

TEST(SelectionTest, ImpossibleParametersAreRefusedByName) {
  const auto noisy = [](const auto& domain, const char* scale) {
    return refusal([&] { make_noisy_max(domain, LInfinityDistance{}, rational(scale)); });
  };
  const auto exponential = [](const auto& domain, const char* scale) {
    return refusal(
        [&] { make_exponential_mechanism(domain, LInfinityDistance{}, rational(scale)); });
  };
  EXPECT_NE(noisy(vector_of(doubles(), 2), "0").find("scale"), std::string::npos);
  EXPECT_NE(noisy(vector_of(doubles(), 0), "1").find("candidates"), std::string::npos);
  EXPECT_NE(noisy(vector_of(doubles_or_nan(), 2), "1").find("domain"), std::string::npos);
  EXPECT_NE(exponential(vector_of(doubles(), 2), "-1").find("scale"), std::string::npos);
  EXPECT_NE(exponential(vector_of(doubles(), 0), "1").find("candidates"), std::string::npos);
  EXPECT_NE(exponential(vector_of(doubles_or_nan(), 2), "1").find("domain"), std::string::npos);
  const auto domain = vector_of(doubles(), 2);
  EXPECT_NE(refusal([&] { make_noisy_max_for(0, 1).build(domain, L1Distance{}); }).find("epsilon"),
            std::string::npos);
}

}  // namespace selection_test
}  // namespace lastbit
