#include "lastbit/mechanisms/concentrated_top_k.h"

#include <gtest/gtest.h>

#include <concepts>
#include <cstdint>
#include <map>
#include <vector>

#include "lastbit/base/test_support.h"
#include "lastbit/mechanisms/selection_test_support.h"
#include "lastbit/random/exponential/law_check.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace concentrated_top_k_test {

using testing::all_scores;
using testing::ball;
using testing::exponential_law;
using testing::fit;
using testing::kFalseAlarm;
using testing::Law;
using testing::lower_ends;
using testing::masses;
using testing::noisy_max_law;
using testing::Ranking;
using testing::RankingLaw;
using testing::Scores;
using testing::seeded_tape;
using testing::top_k_law;

using Blocks = std::vector<Scores>;

// D_α(P‖P') of two laws with the same outcomes.
Ball divergence(const Law& here, const Law& there, const Rational& order) {
  Ball sum = ball(0);
  for (std::size_t i = 0; i < here.size(); ++i) {
    sum = sum + here[i] * exp(ball(order - Rational(1)) * ln(here[i] / there[i]));
  }
  return ln(sum) / ball(order - Rational(1));
}

template <class M>
auto measurement(const Rational& scale, std::size_t k, std::size_t blocks = 1) {
  return make_concentrated_top_k_each(vector_of(vector_of(integers(), 3), blocks),
                                      BlockDistance<M, 2>{}, scale, k);
}

const Ball& slack() {
  static const Ball kSlack = ball(Rational::two_to(-100));
  return kSlack;
}

// The exact divergences of all pairs of small scores never exceed the map, at orders near 1 and far
// from it.
template <class M>
void expect_sound(const Rational& scale, std::size_t k) {
  const auto choose = measurement<M>(scale, k);
  for (const Scores& u : all_scores(2)) {
    for (const Scores& v : all_scores(2)) {
      const Law here = masses(top_k_law(u, scale, k, exponential_law));
      const Law there = masses(top_k_law(v, scale, k, exponential_law));
      const Rational rho = choose.map(choose.input_metric().distance(Blocks{u}, Blocks{v})).value();
      for (const char* order : {"1.001", "3/2", "2", "9", "100"}) {
        ASSERT_TRUE(certainly_less(divergence(here, there, rational(order)),
                                   ball(rho * rational(order)) + slack()))
            << order << M::kName << u[0] << u[1] << u[2] << ' ' << v[0] << v[1] << v[2];
      }
    }
  }
}

TEST(ConcentratedTopKTest, MapHoldsOnAllPairsOfSmallScores) {
  for (const char* scale : {"1/2", "5"}) {
    expect_sound<RangeDistance>(rational(scale), 1);
    expect_sound<L1Distance>(rational(scale), 2);
    expect_sound<LInfinityDistance>(rational(scale), 2);
  }
}

// Divergences of independent choices add up, and so do the squares of the distances of blocks.
TEST(ConcentratedTopKTest, BlocksAddUpAsSquares) {
  const auto choose = measurement<RangeDistance>(2, 1, 2);
  const Blocks u{{2, 0, 1}, {0, 3, 3}};
  const Blocks v{{0, 0, 1}, {0, 3, 2}};
  const Rational rho = choose.map(choose.input_metric().distance(u, v)).value();
  EXPECT_EQ(rho, Rational(4 + 1) / Rational(8 * 4));
  Ball sum = ball(0);
  for (std::size_t b = 0; b < 2; ++b) {
    sum = sum + divergence(exponential_law(u[b], 2), exponential_law(v[b], 2), 2);
  }
  EXPECT_TRUE(certainly_less(sum, ball(Rational(2) * rho)));
}

// Two equal scores, of which one falls by little: no map with 8.1 in place of 8 would hold. Noisy
// max needs nearly four times as much.
TEST(ConcentratedTopKTest, MapIsApproachedAndFalseForNoisyMax) {
  const Rational scale = 100;
  const auto domain = vector_of(vector_of(integers(), 2), 1);
  const auto choose =
      make_concentrated_top_k_each(domain, BlockDistance<RangeDistance, 2>{}, scale, 1);
  const Rational rho = choose.map(1).value();
  const Ball usual = divergence(exponential_law({0, 0}, scale), exponential_law({0, -1}, scale), 2);
  EXPECT_TRUE(certainly_less(usual, ball(Rational(2) * rho)));
  EXPECT_TRUE(certainly_greater(usual, ball(Rational(2) * rho * rational("80/81"))));
  const Ball noisy = divergence(noisy_max_law({0, 0}, scale), noisy_max_law({0, -1}, scale), 2);
  EXPECT_TRUE(certainly_greater(noisy, ball(Rational(2) * rho * rational("3.9"))));
}

TEST(ConcentratedTopKTest, SamplesHaveTheirLaw) {
  const Scores scores = {3, 1, 2};
  const auto choose = measurement<L1Distance>(rational("3/2"), 2);
  const RankingLaw law = top_k_law(scores, rational("3/2"), 2, exponential_law);
  std::map<Ranking, std::size_t> observed;
  BitSource bits = seeded_tape(61);
  for (int i = 0; i < 20'000; ++i) ++observed[choose({scores}, bits).front()];
  std::vector<std::size_t> counts;
  for (const auto& [ranking, mass] : law) counts.push_back(observed[ranking]);
  // An odd number of cells: the last two are one.
  std::vector<double> expected = lower_ends(masses(law));
  counts[4] += counts[5];
  expected[4] += expected[5];
  counts.pop_back();
  expected.pop_back();
  EXPECT_GT(fit(counts, expected), kFalseAlarm);
}

TEST(ConcentratedTopKTest, StrangeInputsStillHaveAnswers) {
  const auto choose = measurement<L1Distance>(1, 3);
  BitSource bits = seeded_tape(62);
  EXPECT_TRUE(choose({}, bits).empty());
  EXPECT_EQ(choose({Scores{}}, bits).front(), Ranking{});
  EXPECT_EQ(choose({Scores{7}}, bits).front(), Ranking{0});
}

TEST(ConcentratedTopKTest, ImpossibleParametersAreRefusedByName) {
  const auto told = [](const char* scale, std::size_t k) {
    return refused_parameter([&] { measurement<L1Distance>(rational(scale), k); });
  };
  EXPECT_EQ(told("0", 1), "scale");
  EXPECT_EQ(told("1", 0), "k");
  EXPECT_EQ(told("1", 4), "k");
}

TEST(ConcentratedTopKTest, FitsRootsOfSquaresOnly) {
  using Choose = decltype(make_concentrated_top_k_each(1, 1).build);
  using Domain = SizedVectorDomain<SizedVectorDomain<AllDomain<std::int64_t>>>;
  static_assert(std::invocable<Choose, Domain, BlockDistance<L1Distance, 2>>);
  static_assert(!std::invocable<Choose, Domain, BlockDistance<L1Distance>>);
}

}  // namespace concentrated_top_k_test
}  // namespace lastbit
