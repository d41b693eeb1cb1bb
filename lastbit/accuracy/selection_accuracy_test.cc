#include "lastbit/accuracy/selection_accuracy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <vector>

#include "lastbit/base/test_support.h"
#include "lastbit/mechanisms/selection_test_support.h"
#include "lastbit/mechanisms/top_k.h"
#include "lastbit/random/exponential/law_check.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace selection_accuracy_test {

using testing::all_scores;
using testing::ball;
using testing::exponential_law;
using testing::kFalseAlarm;
using testing::noisy_max_law;
using testing::Ranking;
using testing::Scores;
using testing::seeded_tape;
using testing::top_k_law;

Rational stated(const UpperBound& bound) { return Rational::exactly(bound.value()); }

// The largest gap between the r-th best score and the one that round r chose.
std::int64_t worst_gap(const Scores& scores, const Ranking& chosen) {
  Scores sorted = scores;
  std::ranges::sort(sorted, std::greater<>());
  std::int64_t worst = 0;
  for (std::size_t r = 0; r < chosen.size(); ++r) {
    worst = std::max(worst, sorted[r] - scores[chosen[r]]);
  }
  return worst;
}

TEST(SelectionAccuracyTest, LargerGapsHaveProbabilityAlphaAtMost) {
  for (const char* scale : {"1/2", "1", "7/3"}) {
    for (const char* alpha : {"0.7", "0.3", "0.05", "0.001"}) {
      for (const std::size_t k : {1u, 2u, 3u}) {
        const Rational a = stated(selection_accuracy(rational(scale), 3, k, rational(alpha)));
        for (const Scores& scores : all_scores(4)) {
          Ball failing = ball(0);
          for (const auto& [chosen, mass] : top_k_law(scores, rational(scale), k)) {
            if (Rational(worst_gap(scores, chosen)) > a) failing = failing + mass;
          }
          ASSERT_TRUE(certainly_less(failing, ball(rational(alpha)))) << scale << " " << alpha;
        }
      }
    }
  }
}

// The probability that proofs/accuracy.md states for one leader and m − 1 others at the gap t.
Ball worst_tail(std::size_t m, const Ball& q) {
  return ball(1) - (ball(1) - pow(ball(1) - q, static_cast<int>(m))) / (ball(Rational(m)) * q);
}

TEST(SelectionAccuracyTest, OneLeaderIsTheWorstCaseAndNearlyAttainsAlpha) {
  for (const std::int64_t gap : {3, 5, 9}) {
    for (const std::size_t m : {2u, 3u, 6u}) {
      Scores scores(m, -gap);
      scores[1] = 0;
      const Ball q = exp(ball(Rational(-gap)));
      const Ball tail = ball(1) - noisy_max_law(scores, 1)[1];
      EXPECT_TRUE(certainly_less(abs(tail - worst_tail(m, q)), ball(Rational::two_to(-100))));
      // With this α the accuracy is slightly below the gap, so the gap exceeds it.
      const Rational alpha =
          (q * ball(Rational(m - 1) / Rational(2)) * ball(rational("1.000001"))).upper_rational();
      EXPECT_LT(stated(selection_accuracy(1, m, 1, alpha)), Rational(gap));
      const Rational nearly = alpha * (Rational(1) - alpha * Rational(2) / Rational(3));
      EXPECT_TRUE(certainly_greater(tail, ball(nearly * rational("0.99999"))));
    }
  }
}

TEST(SelectionAccuracyTest, HasTheClosedForm) {
  const UpperBound one = selection_accuracy(rational("3/2"), 101, 1, rational("0.05"));
  EXPECT_TRUE(overlaps(one.ball, ball(rational("3/2")) * ln(ball(1000))));
  const UpperBound ten = selection_accuracy(2, 100, 10, rational("0.05"));
  // Σ over ten rounds of half the 99, 98, …, 90 others, over α.
  EXPECT_TRUE(overlaps(ten.ball, ball(2) * ln(ball(9450))));
  EXPECT_EQ(selection_accuracy(2, 1, 1, rational("0.05")).value(), 0);
  EXPECT_EQ(selection_accuracy(2, 2, 1, rational("0.5")).value(), 0);
  EXPECT_GT(selection_accuracy(2, 2, 1, rational("0.49")).value(), 0);
}

TEST(SelectionAccuracyTest, SamplesMissItNoMoreOftenThanAlpha) {
  constexpr int kSamples = 2000;
  const Rational alpha = rational("0.1");
  Scores scores;
  for (std::int64_t i = 0; i < 40; ++i) scores.push_back(i * i % 61);
  const auto rank = make_top_k(vector_of(integers(), 40), L1Distance{}, 4, 5);
  const Rational a = stated(selection_accuracy(4, 40, 5, alpha));
  BitSource bits = seeded_tape(91);
  int misses = 0;
  for (int i = 0; i < kSamples; ++i) {
    if (Rational(worst_gap(scores, rank(scores, bits))) > a) ++misses;
  }
  // Hoeffding: t more misses than expected have probability at most e^(−2t²/n).
  const double slack = std::sqrt(kSamples * std::log(1 / kFalseAlarm) / 2);
  EXPECT_LT(misses, 0.1 * kSamples + slack);
}

TEST(SelectionAccuracyTest, LargerGapsOfExponentialRoundsHaveProbabilityAlphaAtMost) {
  for (const char* scale : {"1/2", "7/3"}) {
    for (const char* alpha : {"0.7", "0.05", "0.001"}) {
      for (const std::size_t k : {1u, 2u, 3u}) {
        const Rational a = stated(exponential_accuracy(rational(scale), 3, k, rational(alpha)));
        for (const Scores& scores : all_scores(4)) {
          Ball failing = ball(0);
          for (const auto& [chosen, mass] :
               top_k_law(scores, rational(scale), k, exponential_law)) {
            if (Rational(worst_gap(scores, chosen)) > a) failing = failing + mass;
          }
          ASSERT_TRUE(certainly_less(failing, ball(rational(alpha)))) << scale << " " << alpha;
        }
      }
    }
  }
}

TEST(SelectionAccuracyTest, OneLeaderAttainsAlphaOfTheExponentialMechanism) {
  constexpr std::int64_t kGap = 5;
  Scores scores(4, -kGap);
  scores[1] = 0;
  const Ball tail = ball(1) - exponential_law(scores, 1)[1];
  // With this α the accuracy is slightly below the gap.
  const Rational alpha = (tail * ball(rational("1.000001"))).upper_rational();
  EXPECT_LT(stated(exponential_accuracy(1, 4, 1, alpha)), Rational(kGap));
  EXPECT_GT(stated(exponential_accuracy(1, 4, 1, alpha)), Rational(kGap) - rational("0.00001"));
}

// The law of the order of three numbers with discrete Laplace noise of scale 1, by enumeration of
// all noises up to a reach; the mass beyond it counts as failing. Equal noisy numbers are put in
// the worst order.
TEST(RankingAccuracyTest, LargerGapsHaveProbabilityAlphaAtMost) {
  constexpr std::int64_t kReach = 18;
  std::vector<double> mass;
  double inside = 0;
  for (std::int64_t z = -kReach; z <= kReach; ++z) {
    // A real Laplace variate, rounded to whole numbers.
    const double tail = std::exp(0.5 - static_cast<double>(std::abs(z))) / 2;
    mass.push_back(z == 0 ? 1 - std::exp(-0.5) : tail * (1 - std::exp(-1.0)));
    inside += mass.back();
  }
  const NoiseLaw law = LaplaceNoise{1, Grid(0)};
  for (const char* alpha : {"0.7", "0.3", "0.05"}) {
    for (const std::size_t k : {1u, 2u}) {
      const Rational a = ranking_accuracy(law, 3, k, rational(alpha));
      for (const Scores& scores : {Scores{9, 0, 0}, Scores{9, 5, 0}, Scores{4, 2, 0}}) {
        double failing = 1 - inside * inside * inside;
        for (std::int64_t x = -kReach; x <= kReach; ++x) {
          for (std::int64_t y = -kReach; y <= kReach; ++y) {
            for (std::int64_t z = -kReach; z <= kReach; ++z) {
              const Scores noisy = {scores[0] + x, scores[1] + y, scores[2] + z};
              Ranking order = {2, 1, 0};
              std::ranges::sort(order, [&](std::size_t i, std::size_t j) {
                return noisy[i] != noisy[j] ? noisy[i] > noisy[j] : i > j;
              });
              order.resize(k);
              if (Rational(worst_gap(scores, order)) <= a) continue;
              failing += mass[static_cast<std::size_t>(x + kReach)] *
                         mass[static_cast<std::size_t>(y + kReach)] *
                         mass[static_cast<std::size_t>(z + kReach)];
            }
          }
        }
        EXPECT_LE(failing, rational(alpha).up() + 1e-6) << alpha << " " << k;
      }
    }
  }
}

TEST(RankingAccuracyTest, GrowsSlowlyWithTheNumberOfPlacesAndKnowsItsLimits) {
  const NoiseLaw law = LaplaceNoise{7, Grid(0)};
  const Rational alpha = rational("0.05");
  // Ten rounds of noisy max at the same loss: ten times the scale.
  EXPECT_LT(ranking_accuracy(law, 16, 10, alpha) * Rational(4),
            stated(selection_accuracy(70, 16, 10, alpha)));
  EXPECT_EQ(ranking_accuracy(law, 1, 1, alpha), Rational(0));
  EXPECT_EQ(ranking_accuracy(law, 2, 1, rational("0.5")), Rational(0));
  EXPECT_EQ(refused_parameter([&] { ranking_accuracy(law, 3, 4, alpha); }), "k");
  EXPECT_EQ(refused_parameter([&] { ranking_accuracy(law, 3, 1, 1); }), "alpha");
  const NoiseLaw coarse = LaplaceNoise{7, Grid(3), false};
  EXPECT_EQ(refused_parameter([&] { ranking_accuracy(coarse, 3, 1, alpha); }), "law");
}

TEST(SelectionAccuracyTest, ImpossibleParametersAreRefusedByName) {
  const Rational alpha = rational("0.05");
  EXPECT_EQ(refused_parameter([&] { selection_accuracy(0, 3, 1, alpha); }), "scale");
  EXPECT_EQ(refused_parameter([&] { selection_accuracy(1, 3, 0, alpha); }), "k");
  EXPECT_EQ(refused_parameter([&] { selection_accuracy(1, 3, 4, alpha); }), "k");
  EXPECT_EQ(refused_parameter([&] { selection_accuracy(1, 0, 1, alpha); }), "k");
  EXPECT_EQ(refused_parameter([&] { selection_accuracy(1, 3, 1, 0); }), "alpha");
  EXPECT_EQ(refused_parameter([&] { selection_accuracy(1, 3, 1, 1); }), "alpha");
  EXPECT_EQ(refused_parameter([&] { exponential_accuracy(0, 3, 1, alpha); }), "scale");
  EXPECT_EQ(refused_parameter([&] { exponential_accuracy(1, 3, 4, alpha); }), "k");
}

}  // namespace selection_accuracy_test
}  // namespace lastbit
