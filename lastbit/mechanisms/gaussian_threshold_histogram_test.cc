#include "lastbit/mechanisms/gaussian_threshold_histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "lastbit/base/test_support.h"
#include "lastbit/mechanisms/threshold_histogram.h"
#include "lastbit/random/exponential/law_check.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace gaussian_threshold_histogram_test {

using testing::fit;
using testing::kFalseAlarm;
using testing::seeded_tape;

using Counts = std::map<std::string, std::int64_t, IdentityLess>;
using Small = std::vector<std::int64_t>;  // the counts of keys 0, 1, …; 0 means absent
constexpr int kPrecision = 192;

Ball ball(const Rational& x) { return Ball(x, kPrecision); }

auto histogram(const char* variance, std::int64_t threshold, int keys = 1) {
  return make_gaussian_threshold_histogram(MapDomain(strings(), integers()), SpreadDistance{keys},
                                           rational(variance), threshold);
}

// By definition: e^(−k²/(2σ²)), each computed by itself.
Ball mass(const Rational& variance, std::int64_t k) {
  return exp(ball(Rational(-k * k) / (Rational(2) * variance)));
}
Ball normaliser(const Rational& variance, std::int64_t most) {
  Ball sum = ball(0);
  for (std::int64_t k = -most; k <= most; ++k) sum = sum + mass(variance, k);
  return sum;
}

// The law of one key: nothing, threshold, threshold + 1, …, `cells` numbers in all; what is beyond
// is so rare that it is left out of both.
std::vector<Ball> key_law(const Rational& variance, std::int64_t threshold, std::int64_t count,
                          std::int64_t cells) {
  std::vector<Ball> law(static_cast<std::size_t>(cells) + 1, ball(0));
  law[0] = ball(1);
  if (count < 1) return law;
  const Ball whole = normaliser(variance, 60);
  for (std::int64_t i = 0; i < cells; ++i) {
    const Ball shown = mass(variance, threshold + i - count) / whole;
    law[static_cast<std::size_t>(i) + 1] = shown;
    law[0] = law[0] - shown;
  }
  return law;
}

using Joint = std::vector<std::pair<Ball, Ball>>;

// What is released of these keys, under both histograms.
Joint joint_law(const Rational& variance, std::int64_t threshold, const Small& here,
                const Small& there, std::int64_t cells) {
  Joint joint = {{ball(1), ball(1)}};
  for (std::size_t key = 0; key < here.size(); ++key) {
    const std::vector<Ball> p = key_law(variance, threshold, here[key], cells);
    const std::vector<Ball> p2 = key_law(variance, threshold, there[key], cells);
    Joint next;
    for (const auto& [x, y] : joint) {
      for (std::size_t i = 0; i < p.size(); ++i) next.emplace_back(x * p[i], y * p2[i]);
    }
    joint = std::move(next);
  }
  return joint;
}

// Σ max(0, P − e^ε·P'): the least δ for this ε, in one direction.
Ball least_delta(const Joint& joint, const Rational& epsilon) {
  const Ball factor = exp(ball(epsilon));
  Ball delta = ball(0);
  for (const auto& [x, y] : joint) {
    const Ball excess = x - factor * y;
    if (certainly_greater(excess, ball(0))) delta = delta + excess;
  }
  return delta;
}

std::vector<Small> all_small(std::int64_t most) {
  std::vector<Small> result;
  for (std::int64_t a = 0; a <= most; ++a) {
    for (std::int64_t b = 0; b <= most; ++b) result.push_back({a, b});
  }
  return result;
}

Counts named(const Small& counts) {
  Counts result;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] != 0) result[std::to_string(i)] = counts[i];
  }
  return result;
}

// The definition itself: without the keys that one side lacks, orders are within ρ·α both ways, and
// such keys are shown with probability at most δ.
TEST(GaussianThresholdTest, LossHoldsOnAllPairsOfSmallHistograms) {
  const std::vector<std::pair<const char*, std::int64_t>> rules = {{"1", 4}, {"1/4", 2}, {"6", 5}};
  for (const auto& [variance, threshold] : rules) {
    for (const int keys : {1, 2}) {
      const GaussianCountThreshold rule(rational(variance), threshold, keys);
      for (const Small& here : all_small(3)) {
        for (const Small& there : all_small(3)) {
          const Distance d = SpreadDistance{keys}.distance(named(here), named(there));
          const ConcentratedLoss loss = rule.loss(d);
          Ball hidden = ball(1);
          Small both = here;
          Small others = there;
          for (std::size_t key = 0; key < 2; ++key) {
            if ((here[key] == 0) == (there[key] == 0)) continue;
            if (here[key] > 0)
              hidden = hidden * key_law(rational(variance), threshold, here[key], 40)[0];
            both[key] = others[key] = 0;
          }
          ASSERT_TRUE(certainly_less_or_equal(ball(1) - hidden,
                                              ball(loss.delta() + Rational::two_to(-100))))
              << variance << ' ' << keys << ' ' << here[0] << here[1] << ' ' << there[0]
              << there[1];
          const Joint joint = joint_law(rational(variance), threshold, both, others, 14);
          for (const int order : {2, 3, 9}) {
            Ball sum = ball(0);
            for (const auto& [x, y] : joint) {
              if (x.is_exact() && x.contains(0)) continue;
              sum = sum + pow(x, order) / pow(y, order - 1);
            }
            const Rational most = loss.rho().value() * Rational(order) * Rational(order - 1);
            ASSERT_FALSE(certainly_greater(sum, exp(ball(most)))) << order;
          }
        }
      }
    }
  }
}

// Independent of how the proof splits the laws: the promise in (ε, δ) that follows.
TEST(GaussianThresholdTest, ConvertedLossHoldsOnAllPairsOfSmallHistograms) {
  const Rational variance = rational("2");
  const std::int64_t threshold = 5;
  // For ρ and an order α: ε = ρα + (ln(1/δ') − ln α)/(α − 1) + ln(1 − 1/α), here with δ' = 1/100.
  const auto epsilon = [](const Rational& rho, std::int64_t order) {
    const Ball a = ball(order);
    return (ball(rho) * a + (ln(ball(100)) - ln(a)) / (a - ball(1)) + ln(ball(1) - ball(1) / a))
        .upper_rational();
  };
  for (const int keys : {1, 2}) {
    const GaussianCountThreshold rule(variance, threshold, keys);
    for (const Small& here : all_small(3)) {
      for (const Small& there : all_small(3)) {
        const ConcentratedLoss loss =
            rule.loss(SpreadDistance{keys}.distance(named(here), named(there)));
        const Joint joint = joint_law(variance, threshold, here, there, 14);
        for (const std::int64_t order : {2, 4, 12}) {
          const Rational e = std::max(epsilon(loss.rho().value(), order), Rational(0));
          const Rational most = loss.delta() + (Rational(1) - loss.delta()) / Rational(100);
          ASSERT_TRUE(certainly_less_or_equal(least_delta(joint, e), ball(most)))
              << here[0] << here[1] << ' ' << there[0] << there[1] << ' ' << order;
        }
      }
    }
  }
}

// Against the empty histogram the released keys alone show a difference, so no ε, hence no ρ, needs
// less δ.
TEST(GaussianThresholdTest, DeltaIsAttainedByNewKeys) {
  const Rational ulp = Rational(1) - Rational::two_to(-50);
  const auto needed = [](const char* variance, std::int64_t threshold, const Small& here) {
    return least_delta(joint_law(rational(variance), threshold, here, {0, 0}, 40), 100);
  };
  EXPECT_TRUE(certainly_greater(needed("1", 4, {1, 0}),
                                ball(GaussianCountThreshold(1, 4, 1).delta(1) * ulp)));
  EXPECT_TRUE(certainly_greater(needed("1", 4, {1, 1}),
                                ball(GaussianCountThreshold(1, 4, 2).delta(1) * ulp)));
  // Two steps of one key each: one key with two rows, or two keys with one row.
  EXPECT_TRUE(certainly_greater(needed("1", 4, {2, 0}),
                                ball(GaussianCountThreshold(1, 4, 1).delta(2) * ulp)));
  EXPECT_TRUE(certainly_greater(needed("16", 4, {1, 1}),
                                ball(GaussianCountThreshold(16, 4, 1).delta(2) * ulp)));
  // Without the mass at the threshold, or for one key too few, the claim would be false.
  EXPECT_TRUE(
      certainly_greater(needed("1", 4, {1, 0}), ball(GaussianCountThreshold(1, 5, 1).delta(1))));
  EXPECT_TRUE(
      certainly_greater(needed("1", 4, {1, 1}), ball(GaussianCountThreshold(1, 4, 1).delta(1))));
}

// The largest 1 − Π(1 − kept(c)) over all ways to spread `rows` over new keys with at most `most`
// each.
Ball worst_partition(const GaussianCountThreshold& rule, std::int64_t rows, std::int64_t most) {
  Ball least = ball(1);
  for (std::int64_t c = 1; c <= std::min(rows, most); ++c) {
    const Ball rest =
        (ball(1) - rule.kept(c, kPrecision)) * (ball(1) - worst_partition(rule, rows - c, c));
    if (certainly_less(rest, least)) least = rest;
  }
  return ball(1) - least;
}

TEST(GaussianThresholdTest, DeltaIsTheWorstOfAllPartitions) {
  for (const char* variance : {"1/9", "1", "7", "400"}) {
    for (const std::int64_t threshold : {1, 3, 12}) {
      for (const int keys : {1, 2, 3}) {
        const GaussianCountThreshold rule(rational(variance), threshold, keys);
        for (std::int64_t d = 1; d <= 3; ++d) {
          const Ball worst = worst_partition(rule, d * keys, d);
          EXPECT_TRUE(certainly_less_or_equal(worst, ball(rule.delta(d) + Rational::two_to(-120))))
              << variance << ' ' << threshold << ' ' << keys << ' ' << d;
          if (rule.delta(d) < Rational::two_to(-100)) continue;  // lost in 1 − Π
          EXPECT_TRUE(
              certainly_greater(worst, ball(rule.delta(d) * (Rational(1) - Rational::two_to(-51)))))
              << variance << ' ' << threshold << ' ' << keys << ' ' << d;
        }
      }
    }
  }
}

TEST(GaussianThresholdTest, KeptAgreesWithAddingUpTheLaw) {
  for (const char* variance : {"1/20", "1/2", "3", "50"}) {
    const GaussianCountThreshold rule(rational(variance), 5);
    const Ball whole = normaliser(rational(variance), 200);
    for (const std::int64_t count : {1, 4, 5, 6, 9}) {
      Ball sum = ball(0);
      for (std::int64_t k = 5 - count; k <= 200; ++k) sum = sum + mass(rational(variance), k);
      const Ball kept = rule.kept(count, kPrecision);
      EXPECT_TRUE(certainly_less(abs(sum / whole - kept), ball(Rational::two_to(-120))))
          << variance << ' ' << count;
    }
  }
}

// Beyond a variance of 1024 an integral takes over: above the sum, but hardly.
TEST(GaussianThresholdTest, IntegralIsJustAboveTheSum) {
  const Rational variance = rational("1025");
  const GaussianCountThreshold rule(variance, 162);  // about five standard deviations
  const Ball whole = normaliser(variance, 700);
  Ball sum = ball(0);
  for (std::int64_t k = 161; k <= 700; ++k) sum = sum + mass(variance, k);
  const Ball kept = rule.kept(1, kPrecision);
  EXPECT_TRUE(certainly_less(sum / whole, kept));
  EXPECT_TRUE(certainly_less(kept, ball(rational("1.002")) * sum / whole));
  // Within one standard deviation nothing is promised.
  EXPECT_EQ(GaussianCountThreshold(variance, 20).delta(1), Rational(1));
  EXPECT_LT(GaussianCountThreshold(variance, 40).delta(1), Rational(1));
}

TEST(GaussianThresholdTest, MapRoundsUpAndGrows) {
  const auto release = histogram("8", 20, 3);
  EXPECT_EQ(release.map(0), ConcentratedLoss(0, 0));
  EXPECT_EQ(release.map(rational("1/2")), ConcentratedLoss(0, 0));
  EXPECT_EQ(release.map(1).rho(), Distance(rational("3/16")));
  EXPECT_EQ(release.map(2).rho(), Distance(rational("3/4")));
  EXPECT_EQ(release.map(Distance::infinity()), ConcentratedLoss(Distance::infinity(), 1));
  for (const char* variance : {"8", "5000"}) {
    const GaussianCountThreshold rule(rational(variance), 300, 3);
    Rational last;
    for (const int d : {1, 2, 5, 20, 100, 290, 299, 300, 301, 400}) {
      const Rational delta = rule.delta(d);
      EXPECT_GE(delta, last) << variance << ' ' << d;
      EXPECT_LE(delta, Rational(1));
      last = delta;
    }
  }
}

TEST(GaussianThresholdTest, ExtremeParametersKeepTheMapDefined) {
  EXPECT_GT(GaussianCountThreshold(rational("1e-9"), 1).delta(5), rational("999/1000"));
  EXPECT_GT(GaussianCountThreshold(rational("1e-9"), 1'000'000'000).delta(1), Rational(0));
  EXPECT_LT(GaussianCountThreshold(rational("1e-9"), 1'000'000'000).delta(1), rational("1e-300"));
  EXPECT_LE(GaussianCountThreshold(10, 1000, 5).delta(Integer::two_to(80)), Rational(1));
  EXPECT_EQ(GaussianCountThreshold(rational("1e30"), 1000).delta(1), Rational(1));
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_LT(GaussianCountThreshold(rational("1e30"), kMost).delta(1), rational("1e-9"));
}

TEST(GaussianThresholdTest, SmallestThresholdKeepsTheLimitAndOneLessDoesNot) {
  for (const char* variance : {"1/4", "1", "30", "1e6"}) {
    for (const char* delta : {"1e-6", "1e-12", "0.01"}) {
      for (const int keys : {1, 4}) {
        for (const int d : {1, 3}) {
          const DeltaLimit limit{rational(delta), d};
          const std::int64_t threshold =
              GaussianCountThreshold::smallest(rational(variance), keys, limit);
          const auto delta_at = [&](std::int64_t t) {
            return GaussianCountThreshold(rational(variance), t, keys).delta(d);
          };
          EXPECT_LE(delta_at(threshold), limit.delta);
          if (threshold > 1) {
            EXPECT_GT(delta_at(threshold - 1), limit.delta);
          }
        }
      }
    }
  }
}

// At the same ρ, discrete Laplace noise of scale λ = σ on g keys that each move by 1 costs g/(2λ²)
// as well. Its threshold is never lower at a delta that anyone would use, and mostly much higher.
TEST(GaussianThresholdTest, LaplaceNoiseOfTheSameRhoHasNoLowerThreshold) {
  for (const int sixteenths : {2, 4, 7, 8, 9, 12, 16, 24, 48, 160, 1600}) {
    const Rational deviation(sixteenths, 16);
    for (const char* text : {"0.05", "1e-3", "1e-6", "1e-9"}) {
      for (const int keys : {1, 10}) {
        const Rational delta = rational(text);
        const std::int64_t gaussian =
            GaussianCountThreshold::smallest(deviation * deviation, keys, {delta, 1});
        const auto suffices = [&](std::int64_t threshold) {
          const Ball kept = CountThreshold(deviation, threshold).kept(1, kPrecision);
          const Ball some = -expm1(ball(keys) * log1p(-kept));
          return certainly_less_or_equal(some, ball(delta));
        };
        EXPECT_LE(gaussian, mechanism_internal::first_threshold(suffices))
            << sixteenths << ' ' << text << ' ' << keys;
      }
    }
  }
}

TEST(GaussianThresholdTest, LawOfOneKeyMatchesTheDefinition) {
  const auto release = histogram("3", 4);
  constexpr std::size_t kSamples = 40'000;
  for (const std::int64_t count : {1, 3, 6}) {
    std::vector<double> probability;
    const std::vector<Ball> law = key_law(rational("3"), 4, count, 40);
    Ball beyond = ball(0);
    for (std::size_t i = 0; i < law.size(); ++i) {
      if (i <= 5) probability.push_back(law[i].lower());
      if (i > 5) beyond = beyond + law[i];
    }
    probability.push_back(beyond.lower());
    std::vector<std::size_t> observed(probability.size());
    BitSource bits = seeded_tape(51);
    for (std::size_t i = 0; i < kSamples; ++i) {
      const Counts released = release({{"key", count}}, bits);
      const std::int64_t above = released.empty() ? -1 : released.at("key") - 4;
      ++observed[static_cast<std::size_t>(std::min<std::int64_t>(above, 5) + 1)];
    }
    EXPECT_GT(fit(observed, probability), kFalseAlarm) << count;
  }
}

TEST(GaussianThresholdTest, KeysWithoutRowsNeverAppearAndFrequentOnesDo) {
  const auto release = histogram("10000", 1);
  BitSource one = seeded_tape(52);
  BitSource other = seeded_tape(52);
  for (int i = 0; i < 200; ++i) {
    const Counts listed = release({{"a", 5000}, {"zero", 0}, {"negative", -3}, {"z", 2}}, one);
    EXPECT_EQ(listed, release({{"a", 5000}, {"z", 2}}, other));
    EXPECT_FALSE(listed.contains("zero"));
    EXPECT_FALSE(listed.contains("negative"));
    EXPECT_TRUE(listed.contains("a"));
  }
  EXPECT_EQ(testing::words_used(one), testing::words_used(other));
  EXPECT_TRUE(release({}, one).empty());
}

TEST(GaussianThresholdTest, ImpossibleParametersAreRefusedByName) {
  const auto make = [](const char* variance, std::int64_t threshold, int keys = 1,
                       std::optional<DeltaLimit> limit = std::nullopt) {
    return refusal([&] {
      make_gaussian_threshold_histogram(MapDomain(strings(), integers()), SpreadDistance{keys},
                                        rational(variance), threshold, limit);
    });
  };
  EXPECT_NE(make("0", 5).find("variance"), std::string::npos);
  EXPECT_NE(make("1", 0).find("threshold"), std::string::npos);
  EXPECT_NE(make("1", 5, 0).find("keys"), std::string::npos);
  EXPECT_NE(make("1", 5, 1, DeltaLimit{0}).find("delta"), std::string::npos);
  EXPECT_NE(make("1", 5, 1, DeltaLimit{rational("1e-6"), Distance::infinity()}).find("d_in"),
            std::string::npos);
  const std::int64_t needed = GaussianCountThreshold::smallest(1, 1, {rational("1e-6"), 1});
  const std::string too_low = make("1", needed - 1, 1, DeltaLimit{rational("1e-6")});
  EXPECT_NE(too_low.find("at least " + std::to_string(needed)), std::string::npos);
  EXPECT_EQ(make("1", needed, 1, DeltaLimit{rational("1e-6")}), "accepted");
}

}  // namespace gaussian_threshold_histogram_test
}  // namespace lastbit
