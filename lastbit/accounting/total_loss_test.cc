#include "lastbit/accounting/total_loss.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"
#include "lastbit/numerics/ball.h"

namespace lastbit {
namespace total_loss_test {

constexpr int kPrecision = 400;

LossPart pure(const char* epsilon, std::uint64_t times = 1) {
  return {Cost::pure(rational(epsilon)), times};
}
LossPart approximate(const char* epsilon, const char* delta, std::uint64_t times = 1) {
  return {Cost::approximate(rational(epsilon), rational(delta)), times};
}
LossPart laplace(const char* epsilon, std::uint64_t times = 1) {
  return {LaplaceLoss{rational(epsilon)}, times};
}
LossPart gaussian(const char* sigma, std::uint64_t times = 1) {
  return {GaussianLoss{rational(sigma)}, times};
}
LossPart in_rho(const char* rho, std::uint64_t times = 1) {
  return {Cost::concentrated(rational(rho)), times};
}

Ball ball(const Rational& value) { return {value, kPrecision}; }

// enumerated_delta: by all 2^n outcomes of n randomised responses that may fail.
Ball enumerated_delta(const std::vector<Cost>& costs, const Rational& epsilon) {
  Ball sum = ball(0);
  Ball works = ball(1);
  for (const Cost& cost : costs) works = works * ball(Rational(1) - cost.delta());
  for (std::uint64_t outcome = 0; outcome < (std::uint64_t{1} << costs.size()); ++outcome) {
    Rational loss = 0;
    Ball probability = works;
    for (std::size_t i = 0; i < costs.size(); ++i) {
      const Rational one = (outcome >> i & 1U) != 0 ? costs[i].epsilon() : -costs[i].epsilon();
      loss += one;
      probability = probability / (ball(1) + exp(ball(-one)));
    }
    if (loss > epsilon) sum = sum - probability * expm1(ball(epsilon - loss));
  }
  return sum + ball(1) - works;
}

// expect_between: the exact delta lies between the ends, which are close together.
void expect_between(const TotalLoss& total, const Rational& epsilon, const Ball& exact,
                    const Rational& closeness) {
  const LossRange range = total.delta(epsilon);
  const Ball allowance = ball(Rational::two_to(-350));  // for equal numbers
  EXPECT_TRUE(certainly_less(exact, ball(*range.upper) + allowance)) << epsilon.to_string();
  EXPECT_TRUE(certainly_less(ball(*range.lower), exact + allowance)) << epsilon.to_string();
  EXPECT_LE(*range.upper - *range.lower, closeness) << epsilon.to_string();
}

TEST(TotalLossTest, EqualRandomisedResponsesAreBinomial) {
  for (const char* epsilon : {"0.1", "1", "3.5"}) {
    for (const std::uint64_t times : {1U, 2U, 3U, 7U, 12U}) {
      const TotalLoss total(std::vector{pure(epsilon, times)}, rational("1e-12"));
      const std::vector<Cost> costs(times, Cost::pure(rational(epsilon)));
      for (const int tenths : {0, 1, 5, 12, 33}) {
        const Rational at(tenths, 10);
        expect_between(total, at, enumerated_delta(costs, at), rational("1e-20"));
      }
    }
  }
}

TEST(TotalLossTest, DifferentLossesOnACommonGridAreExact) {
  const std::vector<LossPart> parts = {pure("0.1"), pure("0.25", 2), approximate("1/2", "1e-3", 2),
                                       approximate("0", "1/100"), pure("3/20")};
  std::vector<Cost> costs;
  for (const LossPart& part : parts) {
    costs.insert(costs.end(), part.times, std::get<Cost>(part.loss));
  }
  const TotalLoss total(parts, rational("1e-9"));
  for (const int tenths : {0, 2, 7, 12, 20}) {
    const Rational at(tenths, 10);
    expect_between(total, at, enumerated_delta(costs, at), rational("1e-12"));
  }
}

TEST(TotalLossTest, LossesWithoutACommonGridAreClose) {
  std::vector<LossPart> parts = {pure("0.31415926"), pure("0.27182818", 2), pure("0.14142135"),
                                 pure("0.57721566"), approximate("0.69314718", "1e-4")};
  std::vector<Cost> costs;
  for (const LossPart& part : parts) {
    costs.insert(costs.end(), part.times, std::get<Cost>(part.loss));
  }
  const TotalLoss total(parts, rational("1e-3"));
  for (const int tenths : {0, 2, 7, 12, 20}) {
    const Rational at(tenths, 10);
    expect_between(total, at, enumerated_delta(costs, at), rational("1e-3"));
  }
}

TEST(TotalLossTest, NumbersOfManyDigitsAreRoundedToTheirEnd) {
  const Rational third(1, 3);
  const Rational long_one = third + Rational::two_to(-200);
  const TotalLoss total(std::vector{LossPart{Cost::pure(long_one), 3}}, rational("1e-6"));
  const std::vector<Cost> costs(3, Cost::pure(long_one));
  expect_between(total, Rational(1, 2), enumerated_delta(costs, Rational(1, 2)), rational("1e-15"));
}

// Anchor: what another accountant says at delta 1e-6, in doubles. dp-accounting 0.6.0:
// from_laplace_mechanism(1/ε) or from_gaussian_mechanism(σ), value_discretization_interval=1e-4,
// self_compose, get_epsilon_for_delta(1e-6); an upper estimate. prv-accountant 0.2.0:
// PRVAccountant([LaplaceMechanism(ε)] or [GaussianMechanism(σ)], eps_error=0.01,
// delta_error=1e-9).compute_epsilon(1e-6), which gives a lower and an upper bound.
struct Anchor {
  std::string name;
  std::vector<LossPart> parts;
  Rational google;
  Rational microsoft_low;
  Rational microsoft_high;
};

TEST(TotalLossTest, OtherAccountantsAgree) {
  const std::vector<Anchor> anchors = {
      {"Laplace",
       {laplace("1")},
       rational("0.9999980000479987"),
       rational("0.990705285"),
       rational("1.010705290")},
      {"100 Laplace",
       {laplace("1", 100)},
       rational("71.54600369367253"),
       rational("71.530331796"),
       rational("71.553012246")},
      {"10,000 Laplace",
       {laplace("0.1", 10'000)},
       rational("94.23586865626416"),
       rational("94.217457095"),
       rational("94.241432641")},
      {"10,000 small Laplace",
       {laplace("0.01", 10'000)},
       rational("4.87625793195886"),
       rational("4.870747823"),
       rational("4.891167642")},
      {"Gauss",
       {gaussian("1")},
       rational("4.886554124378578"),
       rational("4.876347669"),
       rational("4.896767372")},
      {"10,000 Gauss",
       {gaussian("50", 10'000)},
       rational("10.997179678558314"),
       rational("10.986738006"),
       rational("11.007564278")},
      {"both",
       {laplace("0.1", 10'000), gaussian("50", 200)},
       rational("94.2951892437038"),
       rational("94.278222926"),
       rational("94.302200244")},
  };
  const Rational delta = rational("1e-6");
  for (const Anchor& anchor : anchors) {
    SCOPED_TRACE(anchor.name);
    const LossRange range = TotalLoss(anchor.parts, delta).epsilon(delta);
    EXPECT_LE(*range.lower, anchor.google);
    EXPECT_LE(anchor.google, *range.upper * rational("1.0002"));
    EXPECT_LE(anchor.microsoft_low, *range.lower);
    EXPECT_LE(*range.upper, anchor.microsoft_high);
    EXPECT_LE(*range.upper - *range.lower, *range.upper * rational("1.2e-4"));
  }
}

TEST(TotalLossTest, IsNeverAboveThePlainSum) {
  const Rational delta = rational("1e-6");
  for (const std::vector<LossPart>& parts :
       {std::vector{pure("50", 3)}, std::vector{laplace("2"), pure("1e-9")},
        std::vector{approximate("0.5", "1e-7", 10)}, std::vector{in_rho("0.1"), pure("1")},
        std::vector{gaussian("3"), approximate("1", "1e-9")}}) {
    const TotalLoss total(parts, delta);
    const LossRange range = total.epsilon(delta);
    EXPECT_LE(*range.upper, *total.simple_epsilon(delta));
    EXPECT_LE(*range.lower, *range.upper);
  }
}

TEST(TotalLossTest, DeltasThatAreUsedUpLeaveNoEpsilon) {
  const TotalLoss total(std::vector{approximate("0.1", "1e-6", 3)}, rational("1e-6"));
  const LossRange range = total.epsilon(rational("1e-6"));
  EXPECT_EQ(range.lower, std::nullopt);
  EXPECT_EQ(range.upper, std::nullopt);
  EXPECT_EQ(total.simple_epsilon(rational("1e-6")), std::nullopt);
  // Three deltas of 1e-6 together are 3e-6 − 3e-12 + 1e-18, so that 3e-6 is enough.
  EXPECT_TRUE(total.epsilon(rational("3e-6")).upper.has_value());
}

// SLOW: TotalLossTest.LossesInRhoAreAddedFirst
TEST(TotalLossTest, LossesInRhoAreAddedFirst) {
  const Rational delta = rational("1e-6");
  const LossRange many = TotalLoss(std::vector{in_rho("0.001", 100)}, delta).epsilon(delta);
  const LossRange one = TotalLoss(std::vector{in_rho("0.1")}, delta).epsilon(delta);
  EXPECT_EQ(*many.upper, *one.upper);
  EXPECT_LE(*one.upper, approximate_epsilon(rational("0.1"), delta));
  // Gaussian noise of this rho loses less, and is what the lower end knows.
  const LossRange known = TotalLoss(std::vector{gaussian("1/2", 1)}, delta).epsilon(delta);
  const LossRange unknown = TotalLoss(std::vector{in_rho("2")}, delta).epsilon(delta);
  EXPECT_LE(abs(*known.lower - *unknown.lower), *known.lower * rational("2e-4"));
  EXPECT_LT(*known.upper, *unknown.upper);
  // With other losses, adding up beforehand would say more.
  const TotalLoss mixed(std::vector{in_rho("0.1"), pure("0.1", 50)}, delta);
  EXPECT_LT(*mixed.epsilon(delta).upper, rational("0.6") * *mixed.simple_epsilon(delta));
}

// With probability d everything may be told; given that it is not, the loss is one in rho. So a
// total delta of d + (1 − d)·d' has the epsilon of the rho at d'.
TEST(TotalLossTest, DeltasBesideRhosAreCounted) {
  const Rational d = rational("1e-4");
  const Rational rest = rational("1e-5");
  const Rational delta = d + (Rational(1) - d) * rest;
  const TotalLoss both(std::vector{LossPart{Cost::concentrated(rational("0.1"), d), 1}}, delta);
  const TotalLoss alone(std::vector{in_rho("0.1")}, rest);
  const LossRange one = both.epsilon(delta);
  const LossRange other = alone.epsilon(rest);
  EXPECT_LE(abs(*one.upper - *other.upper), *other.upper * rational("1e-3"));
  EXPECT_LE(abs(*one.lower - *other.lower), *other.lower * rational("1e-3"));
  EXPECT_EQ(both.simple_epsilon(delta), approximate_epsilon(rational("0.1"), delta - d));
  const TotalLoss twice(std::vector{LossPart{Cost::concentrated(rational("0.1"), d), 2}}, delta);
  EXPECT_EQ(twice.epsilon(delta).lower, std::nullopt);  // 2e-4 may be told
  EXPECT_EQ(twice.epsilon(delta).upper, std::nullopt);
}

TEST(TotalLossTest, ExtremesAreAnswered) {
  const Rational delta = rational("1e-6");
  const auto epsilon = [&](const LossPart& part) {
    return TotalLoss(std::vector{part}, delta).epsilon(delta);
  };
  EXPECT_EQ(*epsilon(pure("1e-9")).upper, Rational(0));
  EXPECT_EQ(*epsilon(pure("0")).upper, Rational(0));
  EXPECT_LE(*epsilon(pure("50")).upper, Rational(50));
  EXPECT_GE(*epsilon(pure("50")).lower, rational("49.9999"));
  EXPECT_GE(*epsilon(pure("1000", 1'000'000)).lower, rational("999999000"));
  const LossRange many = epsilon(laplace("1", 1'000'000));
  EXPECT_LE(*many.upper - *many.lower, *many.upper * rational("1e-3"));
  const LossRange tiny = TotalLoss(std::vector{pure("0.1", 100)}, Rational::two_to(-300))
                             .epsilon(Rational::two_to(-300));
  EXPECT_GT(*tiny.lower, rational("9.9"));
  EXPECT_LE(*tiny.upper, Rational(10));
}

TEST(TotalLossTest, RefusesWhatMakesNoSense) {
  const auto refuses = [](const std::vector<LossPart>& parts, const Rational& delta) {
    expect_code(ErrorCode::kBadParameter, [&] { (void)TotalLoss(parts, delta); });
  };
  const Rational delta = rational("1e-6");
  refuses({}, delta);
  refuses({pure("1")}, 0);
  refuses({pure("1")}, 1);
  refuses({pure("1")}, Rational::two_to(-301));
  refuses({pure("1", 0)}, delta);
  refuses({pure("1", 1'000'000'001)}, delta);
  refuses({pure("1001")}, delta);
  refuses({in_rho("1001")}, delta);
  refuses({laplace("-1")}, delta);
  refuses({gaussian("0.001")}, delta);
  refuses({gaussian("-1")}, delta);
  refuses(std::vector<LossPart>(TotalLoss::kMaxParts + 1, pure("1")), delta);
  const TotalLoss total(std::vector{pure("1")}, delta);
  expect_code(ErrorCode::kBadParameter, [&] { (void)total.epsilon(rational("1e-7")); });
  expect_code(ErrorCode::kBadParameter, [&] { (void)total.epsilon(1); });
  expect_code(ErrorCode::kBadParameter, [&] { (void)total.delta(-1); });
}

}  // namespace total_loss_test
}  // namespace lastbit
