#include "lastbit/accuracy/selection_accuracy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

TEST(SelectionAccuracyTest, ImpossibleParametersAreRefusedByName) {
  const Rational alpha = rational("0.05");
  EXPECT_EQ(refused_parameter([&] { selection_accuracy(0, 3, 1, alpha); }), "scale");
  EXPECT_EQ(refused_parameter([&] { selection_accuracy(1, 3, 0, alpha); }), "k");
  EXPECT_EQ(refused_parameter([&] { selection_accuracy(1, 3, 4, alpha); }), "k");
  EXPECT_EQ(refused_parameter([&] { selection_accuracy(1, 0, 1, alpha); }), "k");
  EXPECT_EQ(refused_parameter([&] { selection_accuracy(1, 3, 1, 0); }), "alpha");
  EXPECT_EQ(refused_parameter([&] { selection_accuracy(1, 3, 1, 1); }), "alpha");
}

}  // namespace selection_accuracy_test
}  // namespace lastbit
