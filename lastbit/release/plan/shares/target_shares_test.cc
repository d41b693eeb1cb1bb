#include "lastbit/release/plan/shares/target_shares.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lastbit/base/test_support.h"
#include "lastbit/release/file/parse_release.h"
#include "lastbit/release/plan/shares/plan_shares.h"

namespace lastbit {
namespace target_shares_test {

ReleasePlan plan(const std::string& budget, const std::string& statistics) {
  return plan_release(parse_release("version = 1\nsource = 's.csv'\nunit = 'row'\nbudget = { " +
                                        budget +
                                        ", ledger = 'l' }\n[columns]\n"
                                        "age = { type = 'integer', lower = 0, upper = 100, "
                                        "nulls = { impute = 0 } }\n"
                                        "pay = { type = 'integer', lower = 0, upper = 100, "
                                        "nulls = { impute = 0 } }\n" +
                                        statistics,
                                    "f.toml"));
}

std::string statistic(const std::string& name, const std::string& more) {
  return "[[statistics]]\nname = '" + name + "'\n" + more + "\n";
}
std::string mean(const std::string& column, const std::string& target) {
  return statistic("mean " + column,
                   "kind = 'mean'\ncolumn = '" + column + "'\nexpected_rows = 1000\n" + target);
}
std::string count(const std::string& name, const std::string& target) {
  return statistic(name, "kind = 'count'\n" + target);
}

const std::string kBudgets[] = {
    "epsilon = 20", "rho = 20", "epsilon = 20, delta = 1e-6, accounting = 'approximate'",
    "epsilon = 20, delta = 1e-6, accounting = 'concentrated'", "epsilon = 20, delta = 1e-6"};

// Every target is met as the plan states it, with what all know together.
void expect_met(const ReleasePlan& planned) {
  for (const PlannedStatistic& one : planned.statistics) {
    if (one.statistic.share.kind != ShareKind::kAccuracy) continue;
    const auto error = one.accuracy.at(1000);
    ASSERT_TRUE(error);
    EXPECT_LE(*error, one.statistic.share.value) << one.statistic.name.value;
  }
}

// Two means of the same rows learn from each other, so that each takes less than it takes alone;
// and not more than it has to: the stated errors are just below their targets.
TEST(TargetSharesTest, TargetsTakeWhatTheyTakeTogether) {
  for (const std::string& budget : kBudgets) {
    const ReleasePlan both =
        plan(budget, mean("age", "accuracy = 1") + mean("pay", "accuracy = 1"));
    const ReleasePlan one = plan(budget, mean("age", "accuracy = 1"));
    expect_met(both);
    for (const PlannedStatistic& planned : both.statistics) {
      EXPECT_GT(*planned.accuracy.at(1000), rational("0.97")) << budget;
    }
    const Rational together = release_internal::loss_in(both.cost);
    const Rational alone = Rational(2) * release_internal::loss_in(one.cost);
    EXPECT_LT(together, alone * rational("0.9")) << budget;
  }
}

// With epsilons, one good count serves all; with rhos, it does not matter who pays. The laws of
// averages are enclosed less tightly than those of single counts, so that it is not quite the same.
TEST(TargetSharesTest, EqualTargetsAreNotPaidTwice) {
  for (const std::string& budget : kBudgets) {
    const ReleasePlan both =
        plan(budget, count("a", "accuracy = 20") + count("b", "accuracy = 20"));
    const ReleasePlan one = plan(budget, count("a", "accuracy = 20"));
    expect_met(both);
    EXPECT_LE(release_internal::loss_in(both.cost),
              release_internal::loss_in(one.cost) * rational("1.2"))
        << budget;
    EXPECT_EQ(*both.statistics[0].accuracy.always, *both.statistics[1].accuracy.always);
  }
}

// A statistic that shares the rest, or has its loss, may know about the rows of a target. What the
// target does not take is left to share: nothing of the budget is lost.
TEST(TargetSharesTest, OthersHelpToReachATarget) {
  for (const std::string budget : {"epsilon = 1", "rho = 0.2"}) {
    const ReleasePlan alone = plan(budget, count("a", "accuracy = 20"));
    const std::string target = count("a", "accuracy = 20");
    const ReleasePlan sharing = plan(budget, target + mean("age", ""));
    expect_met(sharing);
    const auto loss = [](const PlannedStatistic& one) {
      return release_internal::loss_in(one.cost);
    };
    EXPECT_LT(loss(sharing.statistics[0]), loss(alone.statistics[0]) * rational("0.1")) << budget;
    EXPECT_GT(release_internal::loss_in(sharing.cost),
              release_internal::loss_in(sharing.release.budget.cap.value) * rational("0.99"));
    const ReleasePlan given =
        plan(budget,
             target + mean("age", budget.substr(0, 3) == "rho" ? "rho = 0.005" : "epsilon = 0.1"));
    expect_met(given);
    EXPECT_LT(loss(given.statistics[0]), loss(alone.statistics[0])) << budget;
    EXPECT_GT(*given.statistics[0].accuracy.always, 17) << budget;
  }
}

// Together they fit a budget that is too small for each alone.
TEST(TargetSharesTest, TargetsThatFitTogetherAreNotRefused) {
  const std::string count_twice = count("a", "accuracy = 20") + count("b", "accuracy = 20");
  expect_met(plan("epsilon = 0.2", count_twice));
  expect_code(ErrorCode::kBadInput, [&] { plan("epsilon = 0.1", count_twice); });
}

TEST(TargetSharesTest, ManyTargetsTakeBoundedWork) {
  std::string all;
  for (int i = 0; i < 100; ++i) {
    all += count("n" + std::to_string(i), "accuracy = " + std::to_string(10 + i % 7));
  }
  const ReleasePlan planned = plan("epsilon = 50", all);
  expect_met(planned);
  // Sixteen learn from each other; the others stand alone.
  EXPECT_TRUE(planned.statistics[15].shares_rows);
  EXPECT_FALSE(planned.statistics[16].shares_rows);
}

// Laplace noise under rhos, where the confidence is small, also for targets and given losses.
TEST(TargetSharesTest, TheBetterNoiseIsTakenUnderRhos) {
  const auto mechanism = [](const std::string& lines) {
    return plan("rho = 0.01", count("a", lines)).statistics[0].parts[0].mechanism;
  };
  EXPECT_EQ(mechanism("rho = 0.0001\nconfidence = 0.3"), NoiseMechanism::kSnappedLaplace);
  EXPECT_EQ(mechanism("rho = 0.0001"), NoiseMechanism::kDiscreteGaussian);
  EXPECT_EQ(mechanism("accuracy = 20\nconfidence = 0.3"), NoiseMechanism::kSnappedLaplace);
  EXPECT_EQ(mechanism("accuracy = 20"), NoiseMechanism::kDiscreteGaussian);
}

}  // namespace target_shares_test
}  // namespace lastbit
