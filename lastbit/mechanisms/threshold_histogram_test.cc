#include "lastbit/mechanisms/threshold_histogram.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "lastbit/base/test_support.h"
#include "lastbit/random/exponential/law_check.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace threshold_histogram_test {

using testing::fit;
using testing::kFalseAlarm;
using testing::seeded_tape;

using Counts = std::map<std::string, std::int64_t, IdentityLess>;
using Small = std::vector<std::int64_t>;  // the counts of keys 0, 1, …; 0 means absent
constexpr int kPrecision = 256;

Ball ball(const Rational& x) { return Ball(x, kPrecision); }

auto histogram(const char* scale, std::int64_t threshold) {
  return make_threshold_histogram(MapDomain(strings(), integers()), L1Distance{}, rational(scale),
                                  threshold);
}

// The law of one key by definition: nothing, threshold, threshold + 1, …, `cells` numbers in all,
// and everything beyond. Where both counts are below threshold + cells, the ratio of two laws is
// constant beyond, so combining it loses nothing.
std::vector<Ball> key_law(const Rational& scale, std::int64_t threshold, std::int64_t count,
                          std::int64_t cells) {
  std::vector<Ball> law(static_cast<std::size_t>(cells) + 2, ball(0));
  law[0] = ball(1);
  if (count < 1) return law;
  const Ball q = exp(ball(Rational(-1) / scale));
  const Ball middle = (ball(1) - q) / (ball(1) + q);  // Pr[Z = 0]
  const auto mass = [&](std::int64_t k) {
    return middle * exp(ball(Rational(-(k < 0 ? -k : k)) / scale));
  };
  for (std::int64_t i = 0; i < cells; ++i) {
    law[static_cast<std::size_t>(i) + 1] = mass(threshold + i - count);
  }
  const std::int64_t beyond = threshold + cells - count;  // ≥ 0
  law.back() = exp(ball(Rational(-beyond) / scale)) / (ball(1) + q);
  for (std::size_t i = 1; i < law.size(); ++i) law[0] = law[0] - law[i];
  return law;
}

// Σ max(0, P − e^ε·P') over all outcomes of all keys: the least δ for this ε, in one direction.
Ball least_delta(const Rational& scale, std::int64_t threshold, const Small& here,
                 const Small& there, const Rational& epsilon, std::int64_t cells = 6) {
  std::vector<std::pair<Ball, Ball>> joint = {{ball(1), ball(1)}};
  for (std::size_t key = 0; key < here.size(); ++key) {
    const std::vector<Ball> p = key_law(scale, threshold, here[key], cells);
    const std::vector<Ball> p2 = key_law(scale, threshold, there[key], cells);
    std::vector<std::pair<Ball, Ball>> next;
    for (const auto& [x, y] : joint) {
      for (std::size_t i = 0; i < p.size(); ++i) next.emplace_back(x * p[i], y * p2[i]);
    }
    joint = std::move(next);
  }
  const Ball factor = exp(ball(epsilon));
  Ball delta = ball(0);
  for (const auto& [x, y] : joint) {
    const Ball excess = x - factor * y;
    if (certainly_greater(excess, ball(-Rational::two_to(-150)))) delta = delta + excess;
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

TEST(ThresholdHistogramTest, LossHoldsOnAllPairsOfSmallHistogramsBothWays) {
  const std::vector<std::pair<const char*, std::int64_t>> rules = {
      {"1", 4}, {"1/2", 3}, {"3", 3}, {"10", 2}, {"2", 1}};
  for (const auto& [scale, threshold] : rules) {
    const CountThreshold rule(rational(scale), threshold);
    for (const Small& here : all_small(4)) {
      for (const Small& there : all_small(4)) {
        const Distance d = L1Distance{}.distance(here, there);
        const PrivacyLoss loss = rule.loss(d);
        const Ball delta =
            least_delta(rational(scale), threshold, here, there, loss.epsilon().value());
        ASSERT_TRUE(certainly_less_or_equal(delta, ball(loss.delta() + Rational::two_to(-140))))
            << scale << ' ' << threshold << ' ' << here[0] << here[1] << ' ' << there[0]
            << there[1];
      }
    }
  }
}

// Against the empty histogram the released keys alone show a difference, so no ε needs less δ.
TEST(ThresholdHistogramTest, DeltaIsAttainedAndNoEpsilonMakesItSmaller) {
  const CountThreshold steep(rational("1/2"), 3);  // here one key with many rows is worst
  const CountThreshold flat(10, 4);                // here many keys with one row are
  const Rational ulp = Rational(1) - Rational::two_to(-50);
  for (const Rational& epsilon : {Rational(0), Rational(4), Rational(100)}) {
    EXPECT_TRUE(certainly_greater(least_delta(rational("1/2"), 3, {2, 0}, {0, 0}, epsilon),
                                  ball(steep.delta(2) * ulp)));
    EXPECT_TRUE(
        certainly_greater(least_delta(10, 4, {1, 1}, {0, 0}, epsilon), ball(flat.delta(2) * ulp)));
  }
  // Each would be unsafe for the other.
  EXPECT_TRUE(certainly_less(least_delta(rational("1/2"), 3, {1, 1}, {0, 0}, 0),
                             ball(steep.delta(2) * ulp)));
  EXPECT_TRUE(certainly_less(least_delta(10, 4, {2, 0}, {0, 0}, 0), ball(flat.delta(2) * ulp)));
}

// "A key is released when its noisy count exceeds the threshold" is not what runs: the count at the
// threshold is released too, and a δ without that mass is exceeded.
TEST(ThresholdHistogramTest, DeltaWithoutTheMassAtTheThresholdIsExceeded) {
  for (const char* scale : {"1/2", "1", "10"}) {
    const std::int64_t threshold = 8;
    const Ball without = CountThreshold(rational(scale), threshold + 1).kept(1, kPrecision);
    const Ball needed = least_delta(rational(scale), threshold, {1, 0}, {0, 0}, 100);
    EXPECT_TRUE(certainly_less(without, needed)) << scale;
    EXPECT_FALSE(certainly_less_or_equal(needed, without)) << scale;
  }
}

// By definition: the largest 1 − Π(1 − kept(c)) over all ways to spread d rows over new keys.
Ball worst_partition(const CountThreshold& rule, std::int64_t rows, std::int64_t most) {
  Ball least = ball(1);  // of Π(1 − kept)
  for (std::int64_t c = 1; c <= std::min(rows, most); ++c) {
    const Ball rest =
        (ball(1) - rule.kept(c, kPrecision)) * (ball(1) - worst_partition(rule, rows - c, c));
    if (certainly_less(rest, least)) least = rest;
  }
  return ball(1) - least;
}

TEST(ThresholdHistogramTest, DeltaIsTheWorstOfAllPartitions) {
  for (const char* scale : {"1/3", "1", "1.4427", "2", "5", "50"}) {
    for (const std::int64_t threshold : {1, 2, 5, 30}) {
      const CountThreshold rule(rational(scale), threshold);
      for (std::int64_t d = 1; d <= 8; ++d) {
        const Ball worst = worst_partition(rule, d, d);
        EXPECT_TRUE(certainly_less_or_equal(worst, ball(rule.delta(d)))) << scale << ' ' << d;
        EXPECT_TRUE(
            certainly_greater(worst, ball(rule.delta(d) * (Rational(1) - Rational::two_to(-51)))))
            << scale << ' ' << threshold << ' ' << d;
      }
    }
  }
}

TEST(ThresholdHistogramTest, KeptAgreesWithSummingTheLaw) {
  for (const char* scale : {"1/2", "3"}) {
    const CountThreshold rule(rational(scale), 3);
    for (std::int64_t count = 1; count <= 8; ++count) {
      const Ball by_law = ball(1) - key_law(rational(scale), 3, count, 9)[0];
      EXPECT_TRUE(overlaps(by_law, rule.kept(count, kPrecision))) << count;
    }
  }
}

TEST(ThresholdHistogramTest, MapRoundsUpAndGrows) {
  const auto release = histogram("2", 20);
  EXPECT_EQ(release.map(0), PrivacyLoss(0, 0));
  EXPECT_EQ(release.map(rational("1/2")), PrivacyLoss(0, 0));
  EXPECT_EQ(release.map(3).epsilon(), Distance(rational("3/2")));
  EXPECT_EQ(release.map(Distance::infinity()), PrivacyLoss(Distance::infinity(), 1));
  // e^(−19/2)/(1 + e^(−1/2)) = 4.65922…e-5.
  EXPECT_NEAR(release.map(1).delta().up(), 4.65922e-5, 1e-10);
  Rational last;
  for (int d = 1; d <= 40; ++d) {
    const Rational delta = release.map(d).delta();
    EXPECT_GE(delta, last);
    EXPECT_LE(delta, Rational(1));
    last = delta;
  }
  EXPECT_TRUE(release.relation(1, PrivacyLoss(rational("1/2"), rational("5e-5"))));
  EXPECT_FALSE(release.relation(1, PrivacyLoss(rational("1/2"), rational("4e-5"))));
}

TEST(ThresholdHistogramTest, ExtremeParametersKeepTheMapDefined) {
  EXPECT_GT(CountThreshold(rational("1e-6"), 1).delta(5), rational("999/1000"));
  EXPECT_LE(CountThreshold(rational("1e-6"), 1).delta(5), Rational(1));
  EXPECT_GT(CountThreshold(rational("1e-6"), 1'000'000'000).delta(1), Rational(0));
  EXPECT_LT(CountThreshold(rational("1e-6"), 1'000'000'000).delta(1), rational("1e-300"));
  EXPECT_LE(CountThreshold(10, 1000).delta(Integer::two_to(80)), Rational(1));
}

TEST(ThresholdHistogramTest, SmallestThresholdKeepsTheLimitAndOneLessDoesNot) {
  for (const char* scale : {"1/2", "1", "10", "1000"}) {
    for (const char* delta : {"1e-6", "1e-12", "0.3"}) {
      for (const int d_in : {1, 2, 7}) {
        const std::int64_t threshold =
            CountThreshold::smallest(rational(scale), rational(delta), d_in);
        EXPECT_LE(CountThreshold(rational(scale), threshold).delta(d_in), rational(delta));
        if (threshold > 1) {
          EXPECT_GT(CountThreshold(rational(scale), threshold - 1).delta(d_in), rational(delta));
        }
      }
    }
  }
}

TEST(ThresholdHistogramTest, LawOfOneKeyMatchesTheClosedForm) {
  const auto release = histogram("3/2", 4);
  constexpr std::size_t kSamples = 60'000;
  for (const std::int64_t count : {1, 3, 6}) {
    const std::vector<Ball> law = key_law(rational("3/2"), 4, count, 5);
    std::vector<double> probability;
    for (const Ball& mass : law) probability.push_back(mass.lower());
    std::vector<std::size_t> observed(law.size());
    BitSource bits = seeded_tape(41);
    for (std::size_t i = 0; i < kSamples; ++i) {
      const Counts released = release({{"key", count}}, bits);
      const std::int64_t above = released.empty() ? -1 : released.at("key") - 4;
      ++observed[static_cast<std::size_t>(std::min<std::int64_t>(above, 5) + 1)];
    }
    EXPECT_GT(fit(observed, probability), kFalseAlarm) << count;
  }
}

TEST(ThresholdHistogramTest, CountsBelowOneAreTreatedAsAbsent) {
  const auto release = histogram("100", 1);
  BitSource one = seeded_tape(42);
  BitSource other = seeded_tape(42);
  for (int i = 0; i < 200; ++i) {
    const Counts listed = release({{"a", 5}, {"zero", 0}, {"negative", -3}, {"z", 2}}, one);
    EXPECT_EQ(listed, release({{"a", 5}, {"z", 2}}, other));
    EXPECT_FALSE(listed.contains("zero"));
    EXPECT_FALSE(listed.contains("negative"));
  }
  EXPECT_EQ(testing::words_used(one), testing::words_used(other));
  EXPECT_TRUE(release({}, one).empty());
}

TEST(ThresholdHistogramTest, LargestCountsAreCutNotWrapped) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const auto release = histogram("5", 10);
  BitSource bits = seeded_tape(43);
  for (int i = 0; i < 50; ++i) {
    const Counts released = release({{"a", kMost}}, bits);
    ASSERT_EQ(released.size(), 1u);
    EXPECT_GT(released.at("a"), kMost - 1000);
  }
}

TEST(ThresholdHistogramTest, StepsFitCountsWithL1Only) {
  const auto step = make_threshold_histogram_for(rational("1/2"), rational("1e-6"), 2);
  const auto release = step.build(MapDomain(strings(), integers()), L1Distance{});
  EXPECT_EQ(release.map(2).epsilon(), Distance(rational("1/2")));
  EXPECT_LE(release.map(2).delta(), rational("1e-6"));
  using Build = decltype(step.build);
  static_assert(
      !std::invocable<Build, MapDomain<AllDomain<bool>, AllDomain<std::int64_t>>, L2Distance>);
  static_assert(!std::invocable<Build, VectorDomain<AllDomain<std::int64_t>>, L1Distance>);
}

TEST(ThresholdHistogramTest, ImpossibleParametersAreRefusedByName) {
  const auto make = [](const char* scale, std::int64_t threshold,
                       std::optional<DeltaLimit> limit = std::nullopt) {
    return refusal([&] {
      make_threshold_histogram(MapDomain(strings(), integers()), L1Distance{}, rational(scale),
                               threshold, limit);
    });
  };
  EXPECT_NE(make("0", 5).find("scale"), std::string::npos);
  EXPECT_NE(make("-1", 5).find("scale"), std::string::npos);
  EXPECT_NE(make("1", 0).find("threshold"), std::string::npos);
  EXPECT_NE(make("1", 5, DeltaLimit{0}).find("delta"), std::string::npos);
  EXPECT_NE(make("1", 5, DeltaLimit{1}).find("delta"), std::string::npos);
  EXPECT_NE(make("1", 5, DeltaLimit{rational("1e-6"), Distance::infinity()}).find("d_in"),
            std::string::npos);
  const std::int64_t needed = CountThreshold::smallest(1, rational("1e-6"));
  const std::string too_low = make("1", needed - 1, DeltaLimit{rational("1e-6")});
  EXPECT_NE(too_low.find("threshold"), std::string::npos);
  EXPECT_NE(too_low.find("at least " + std::to_string(needed)), std::string::npos);
  EXPECT_EQ(make("1", needed, DeltaLimit{rational("1e-6")}), "accepted");
  EXPECT_NE(refusal([] { make_threshold_histogram_for(0, rational("1e-6")); }).find("epsilon"),
            std::string::npos);
}

}  // namespace threshold_histogram_test
}  // namespace lastbit
