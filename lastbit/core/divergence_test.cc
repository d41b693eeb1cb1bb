#include "lastbit/core/divergence.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"

namespace lastbit {
namespace divergence_test {

std::vector<OutcomePair> pairs_of(const std::vector<std::pair<std::string, std::string>>& masses) {
  std::vector<OutcomePair> pairs;
  for (const auto& [y, z] : masses) pairs.push_back({rational(y), rational(z)});
  return checked_outcome_pairs(std::move(pairs));
}

// Every event, one by one: the definition itself.
Distance by_all_events(const std::vector<OutcomePair>& pairs, const Rational& delta) {
  Distance best;
  for (unsigned event = 0; event < (1U << pairs.size()); ++event) {
    Rational y;
    Rational z;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if ((event >> i & 1U) == 0) continue;
      y += pairs[i].y;
      z += pairs[i].z;
    }
    if (y <= delta) continue;
    if (z.sign() == 0) return Distance::infinity();
    best = std::max(best, Distance((y - delta) / z));
  }
  return best;
}

std::vector<OutcomePair> random_pairs() {
  const auto weights = *rc::gen::container<std::vector<std::pair<int, int>>>(
      5, rc::gen::pair(rc::gen::inRange(0, 6), rc::gen::inRange(0, 6)));
  int total_y = 1;
  int total_z = 1;
  for (const auto& [y, z] : weights) {
    total_y += y;
    total_z += z;
  }
  std::vector<OutcomePair> pairs{{Rational(1, total_y), Rational(1, total_z)}};
  for (const auto& [y, z] : weights) pairs.push_back({Rational(y, total_y), Rational(z, total_z)});
  return checked_outcome_pairs(std::move(pairs));
}

RC_GTEST_PROP(SmoothedMaxRatioTest, EqualsTheSupremumOverAllEvents, ()) {
  const auto pairs = random_pairs();
  const Rational delta(*rc::gen::inRange(0, 9), 8);
  RC_ASSERT(smoothed_max_ratio(pairs, delta) == by_all_events(pairs, delta));
}

RC_GTEST_PROP(SmoothedMaxRatioTest, AgreesWithTheDefinitionWithoutLogarithms, ()) {
  const auto pairs = random_pairs();
  const Rational ratio(*rc::gen::inRange(8, 40), 8);
  const Rational delta = smallest_delta(pairs, ratio);
  RC_ASSERT(smoothed_max_ratio(pairs, delta) <= Distance(ratio));
  if (delta.sign() > 0) {
    const Rational less = delta * rational("999/1000");
    RC_ASSERT(smoothed_max_ratio(pairs, less) > Distance(ratio));
  }
}

TEST(MaxRatioTest, ZeroAgainstPositiveIsInfiniteOneWayOnly) {
  const auto pairs = pairs_of({{"1/2", "0"}, {"1/2", "1"}});
  EXPECT_EQ(max_ratio(pairs), Distance::infinity());
  const auto swapped = pairs_of({{"0", "1/2"}, {"1", "1/2"}});
  EXPECT_EQ(max_ratio(swapped), Distance(2));
}

TEST(SmoothedMaxRatioTest, EventOfMassExactlyDeltaIsNotTakenIntoTheLogarithm) {
  // The event {a} has mass exactly δ and is impossible under Z: ln(0/0) in the usual formula.
  const auto pairs = pairs_of({{"1/4", "0"}, {"3/4", "1"}});
  EXPECT_EQ(smoothed_max_ratio(pairs, rational("1/4")), Distance(rational("3/4")));
  EXPECT_TRUE(is_within(SmoothedMaxDivergence{}, pairs, {0, rational("1/4")}));
  EXPECT_FALSE(is_within(SmoothedMaxDivergence{}, pairs, {100, rational("0.2499")}));
}

TEST(SmoothedMaxRatioTest, DeltaOneLeavesNoEvent) {
  const auto pairs = pairs_of({{"1", "0"}, {"0", "1"}});
  EXPECT_EQ(smoothed_max_ratio(pairs, 1), Distance(0));
  EXPECT_TRUE(is_within(SmoothedMaxDivergence{}, pairs, {0, 1}));
}

TEST(IsWithinTest, RandomisedResponseLosesExactlyLn3) {
  const auto pairs = pairs_of({{"3/4", "1/4"}, {"1/4", "3/4"}});
  EXPECT_EQ(max_ratio(pairs), Distance(3));
  // ln 3 = 1.098612288668109691…
  EXPECT_TRUE(is_within(MaxDivergence{}, pairs, rational("1.0986122886681096914")));
  EXPECT_FALSE(is_within(MaxDivergence{}, pairs, rational("1.0986122886681096913")));
  EXPECT_FALSE(is_within(MaxDivergence{}, pairs, 0));
  EXPECT_TRUE(is_within(MaxDivergence{}, pairs, Distance::infinity()));
}

TEST(IsWithinTest, EqualDistributionsLoseNothing) {
  const auto pairs = pairs_of({{"1/3", "1/3"}, {"2/3", "2/3"}});
  EXPECT_TRUE(is_within(MaxDivergence{}, pairs, 0));
  EXPECT_FALSE(certainly_exceeds(ZeroConcentratedDivergence{}, pairs, 0, 2));
}

TEST(RenyiTest, MatchesTheClosedFormOfOrderTwo) {
  const auto pairs = pairs_of({{"3/4", "1/4"}, {"1/4", "3/4"}});
  // Σ y²/z = 9/4 + 1/12 = 7/3.
  const Ball expected = ln(Ball(rational("7/3"), 200));
  EXPECT_TRUE(overlaps(renyi_divergence(pairs, 2, 200), expected));
  EXPECT_LT(expected.upper() - expected.lower(), 1e-15);
}

TEST(RenyiTest, PureLossImpliesHalfItsSquare) {
  // ε-DP is ε²/2-zero-concentrated; ln 3 squared over 2 is 0.6034…
  const auto pairs = pairs_of({{"3/4", "1/4"}, {"1/4", "3/4"}});
  for (const char* alpha : {"1.01", "1.5", "2", "5", "50"}) {
    EXPECT_FALSE(certainly_exceeds(ZeroConcentratedDivergence{}, pairs, rational("0.6035"),
                                   rational(alpha)));
  }
  EXPECT_TRUE(certainly_exceeds(ZeroConcentratedDivergence{}, pairs, rational("0.1"), 2));
}

TEST(RenyiTest, ImpossibleOutcomeExceedsEveryRho) {
  const auto pairs = pairs_of({{"1/2", "0"}, {"1/2", "1"}});
  EXPECT_TRUE(certainly_exceeds(ZeroConcentratedDivergence{}, pairs, 1000, 2));
  EXPECT_FALSE(certainly_exceeds(ZeroConcentratedDivergence{}, pairs, Distance::infinity(), 2));
  expect_code(ErrorCode::kBadParameter, [&] { (void)renyi_divergence(pairs, 1, 100); });
}

TEST(OutcomePairsTest, RefusesWhatIsNotADistribution) {
  const FiniteDistribution<bool> half{{true, rational("1/2")}};
  const FiniteDistribution<bool> whole{{true, rational("1")}};
  const FiniteDistribution<bool> negative{{true, rational("3/2")}, {false, rational("-1/2")}};
  expect_code(ErrorCode::kBadParameter, [&] { (void)outcome_pairs(half, whole); });
  expect_code(ErrorCode::kBadParameter, [&] { (void)outcome_pairs(negative, whole); });
  EXPECT_EQ(outcome_pairs(whole, whole).size(), 1U);
  expect_code(ErrorCode::kBadParameter,
              [&] { (void)smoothed_max_ratio(outcome_pairs(whole, whole), rational("-1")); });
}

}  // namespace divergence_test
}  // namespace lastbit
