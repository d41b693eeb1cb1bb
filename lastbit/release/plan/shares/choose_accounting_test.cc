#include "lastbit/release/plan/shares/choose_accounting.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "lastbit/accounting/lattice_gaussian.h"
#include "lastbit/base/test_support.h"
#include "lastbit/release/file/parse_release.h"
#include "lastbit/release/plan/plan.h"

namespace lastbit {
namespace choose_accounting_test {

// A ledger of this kind with more left than any file takes.
std::optional<Cost> plenty(std::optional<LossKind> kind) {
  if (!kind) return std::nullopt;
  if (*kind == LossKind::kPure) return Cost::pure(1000);
  if (*kind == LossKind::kConcentrated) return Cost::concentrated(1000);
  return Cost::approximate(1000, Rational(1, 2));
}

ReleasePlan plan(const std::string& budget, const std::string& statistics,
                 std::optional<LossKind> ledger = std::nullopt, const std::string& unit = "'row'") {
  const std::string text = "version = 1\nsource = 's.csv'\nunit = " + unit + "\nbudget = { " +
                           budget +
                           ", ledger = 'l' }\n"
                           "[columns]\nage = { type = 'integer', lower = 0, upper = 100 }\n"
                           "town = { keys = ['Ayr', 'Bath', 'Cork'] }\n" +
                           statistics;
  return plan_release(parse_release(text, "f.toml"), plenty(ledger));
}

std::string counts(int number, const std::string& more = "") {
  std::string text;
  for (int i = 0; i < number; ++i) {
    text += "[[statistics]]\nname = 's" + std::to_string(i) + "'\nkind = 'count'\n" + more;
  }
  return text;
}

const std::string kOpen = "epsilon = 1, delta = 1e-6";
const std::string kApproximate = kOpen + ", accounting = 'approximate'";
const std::string kConcentrated = kOpen + ", accounting = 'concentrated'";

TEST(ChooseAccountingTest, TakesTheSmallerErrors) {
  bool seen[2] = {false, false};
  for (const int number : {1, 2, 5, 10, 14, 20, 40}) {
    const ReleasePlan chosen = plan(kOpen, counts(number));
    const ReleasePlan one = plan(kApproximate, counts(number));
    const ReleasePlan other = plan(kConcentrated, counts(number));
    const Rational error = one.statistics[0].parts[0].accuracy;
    const Rational of_other = other.statistics[0].parts[0].accuracy;
    EXPECT_EQ(chosen.statistics[0].parts[0].accuracy, std::min(error, of_other)) << number;
    const bool rho = chosen.accounting == LossKind::kConcentrated;
    EXPECT_EQ(rho, of_other < error) << number;
    seen[rho ? 1 : 0] = true;
    ASSERT_GE(chosen.ways.size(), 2);
    EXPECT_EQ(*chosen.ways[rho ? 1 : 0].squared_error, *one.ways[0].squared_error);
    EXPECT_EQ(*chosen.ways[rho ? 0 : 1].squared_error, *other.ways[0].squared_error);
    EXPECT_LE(*chosen.ways[0].squared_error, *chosen.ways[1].squared_error);
    const Budget budget(chosen.release.budget.cap.value);
    EXPECT_TRUE(budget.after(budget.none(), chosen.cost_for(LossKind::kApproximate)));
  }
  EXPECT_TRUE(seen[0] && seen[1]);
}

TEST(ChooseAccountingTest, AKindThatIsWrittenIsUsed) {
  EXPECT_EQ(plan(kApproximate, counts(40)).accounting, LossKind::kApproximate);
  EXPECT_EQ(plan(kConcentrated, counts(1)).accounting, LossKind::kConcentrated);
  EXPECT_EQ(plan(kConcentrated, counts(1)).ways.size(), 1);
  EXPECT_EQ(plan("epsilon = 1", counts(40)).accounting, LossKind::kPure);
  EXPECT_EQ(plan("rho = 1", counts(1)).accounting, LossKind::kConcentrated);
  EXPECT_NE(plan(kApproximate, counts(3)).digest, plan(kOpen, counts(3)).digest);
}

// The file means the same whoever pays; only a ledger of epsilons cannot pay a rho.
TEST(ChooseAccountingTest, TheLedgerCanPayWhatIsChosen) {
  const ReleasePlan open = plan(kOpen, counts(40));
  const ReleasePlan pure = plan(kOpen, counts(40), LossKind::kPure);
  EXPECT_EQ(open.accounting, LossKind::kConcentrated);
  EXPECT_EQ(pure.accounting, LossKind::kApproximate);
  EXPECT_EQ(pure.ways[1].obstacle, "the ledger counts epsilons only");
  EXPECT_EQ(open.digest, pure.digest);
  const Budget ledger(Cost::pure(1));
  EXPECT_TRUE(ledger.after(ledger.none(), pure.cost_for(LossKind::kPure)));
  for (const LossKind kind : {LossKind::kApproximate, LossKind::kConcentrated}) {
    EXPECT_EQ(plan(kOpen, counts(40), kind).accounting, LossKind::kConcentrated);
  }
}

TEST(ChooseAccountingTest, WhereThereIsNoChoiceThePlanSaysWhy) {
  const auto found = [](const std::string& delta) {
    return plan(kOpen, counts(40) +
                           "[[statistics]]\nkind = 'count'\nby = 'job'\n"
                           "discover = { delta = " +
                           delta + " }\n");
  };
  EXPECT_EQ(found("1e-6").accounting, LossKind::kApproximate);
  EXPECT_EQ(found("1e-6").ways[1].obstacle,
            "discovering keys takes the whole delta, and rhos need some of it");
  EXPECT_EQ(found("1e-8").accounting, LossKind::kConcentrated);
  EXPECT_LE(found("1e-8").cost_for(LossKind::kApproximate).epsilon(), Rational(1));
  const ReleasePlan given = plan(kOpen, counts(40, "epsilon = 0.01\n"));
  EXPECT_EQ(given.accounting, LossKind::kApproximate);
  EXPECT_EQ(given.cost, Cost::approximate(rational("0.4"), 0));
}

// With targets only, the accounting decides what is left, and can decide whether it is enough.
// SLOW: ChooseAccountingTest.TargetsTakeTheSmallerPartOfTheBudget
TEST(ChooseAccountingTest, TargetsTakeTheSmallerPartOfTheBudget) {
  const ReleasePlan few = plan(kOpen, counts(2, "accuracy = 40\n"));
  EXPECT_EQ(few.accounting, LossKind::kApproximate);
  EXPECT_LT(few.ways[0].needed, few.ways[1].needed);
  const ReleasePlan many = plan("epsilon = 4, delta = 1e-6", counts(40, "accuracy = 40\n"));
  EXPECT_EQ(many.accounting, LossKind::kConcentrated);
  EXPECT_LT(many.ways[0].needed, many.ways[1].needed);
  const ReleasePlan tight = plan("epsilon = 1.5, delta = 1e-6", counts(40, "accuracy = 40\n"));
  EXPECT_EQ(tight.accounting, LossKind::kConcentrated);
  EXPECT_FALSE(tight.ways[1].obstacle.empty());
  expect_code(ErrorCode::kBadInput,
              [] { plan("epsilon = 0.2, delta = 1e-6", counts(40, "accuracy = 40\n")); });
}

// A unit in many groups moves a vector less far in L2 than in L1.
TEST(ChooseAccountingTest, UnitsInManyGroupsAreBetterCountedInRhos) {
  const auto chosen = [](int groups) {
    const std::string unit =
        "{ id = 'who', max_rows_per_group = 1, max_groups = " + std::to_string(groups) + " }";
    return plan(kOpen,
                "year = { type = 'integer', keys = { from = 1, to = 90 } }\n"
                "[[statistics]]\nkind = 'count'\nby = 'year'\n",
                std::nullopt, unit)
        .accounting;
  };
  EXPECT_EQ(chosen(3), LossKind::kApproximate);
  EXPECT_EQ(chosen(30), LossKind::kConcentrated);
}

// Under rhos, noise is what has the smaller error at the confidence of the statistic.
TEST(ChooseAccountingTest, LaplaceNoiseIsTakenWhereItIsSmaller) {
  const auto mechanism = [](const std::string& confidence) {
    const ReleasePlan planned =
        plan("rho = 0.0001", counts(1, "confidence = " + confidence + "\n"));
    EXPECT_LE(planned.cost.rho(), rational("0.0001"));
    EXPECT_GT(planned.cost.rho(), rational("0.00009999"));
    return planned.statistics[0].parts[0].mechanism;
  };
  EXPECT_EQ(mechanism("0.95"), NoiseMechanism::kDiscreteGaussian);
  EXPECT_EQ(mechanism("0.75"), NoiseMechanism::kDiscreteGaussian);
  EXPECT_EQ(mechanism("0.3"), NoiseMechanism::kSnappedLaplace);
}

// One histogram with many small cells beside many means. The histogram needs a large part of the
// epsilon, for which Laplace noise is better; the means are many, for which rhos are.
const std::string kBins =
    "[[statistics]]\nname = 'ages'\nkind = 'histogram'\ncolumn = 'age'\n"
    "bins = { from = 0, to = 100, width = 1 }\n";
std::string means(int number) {
  std::string text;
  for (int i = 0; i < number; ++i) {
    text += "[[statistics]]\nname = 'm" + std::to_string(i) +
            "'\nkind = 'mean'\ncolumn = 'age'\nby = 'town'\n";
  }
  return text;
}

// The variance of noise in steps of its grid, from the sensitivity and the rho that the plan states.
LatticeGaussian noise_of(const PlannedPart& part) {
  EXPECT_EQ(part.mechanism, NoiseMechanism::kDiscreteGaussian);
  const Rational reach = rational(part.sensitivity.substr(0, part.sensitivity.find(" in L2")));
  const Rational spacing = part.grid.value().spacing();
  return {part.cost.rho(), reach * reach / (Rational(2) * part.cost.rho() * spacing * spacing)};
}

TEST(ChooseAccountingTest, EpsilonsBesideRhosAreTakenWhereTheyAreBetter) {
  const ReleasePlan chosen = plan("epsilon = 1, delta = 1e-9", kBins + means(60));
  ASSERT_TRUE(chosen.mixed);
  ASSERT_EQ(chosen.ways.size(), 3);
  for (const AccountingWay& other : {chosen.ways[1], chosen.ways[2]}) {
    EXPECT_LT(*chosen.ways[0].squared_error, *other.squared_error * rational("0.9"));
  }
  EXPECT_EQ(chosen.statistics[0].cost.kind(), LossKind::kApproximate);
  EXPECT_EQ(chosen.statistics[1].cost.kind(), LossKind::kConcentrated);
  // The total is the sum of the epsilons, and of the epsilon of the rhos with the whole delta, which
  // is that of their Gaussian noise.
  Rational epsilon = 0;
  Rational rho = 0;
  std::vector<LatticeGaussian> noise;
  for (const PlannedStatistic& one : chosen.statistics) {
    const bool in_rhos = one.cost.kind() == LossKind::kConcentrated;
    (in_rhos ? rho : epsilon) += in_rhos ? one.cost.rho() : one.cost.epsilon();
    if (in_rhos) noise.push_back(noise_of(one.parts.at(0)));
  }
  const Rational delta = rational("1e-9");
  const Rational converted = *lattice_gaussian_epsilon(noise, delta);
  EXPECT_LT(converted, approximate_epsilon(rho, delta));
  EXPECT_EQ(chosen.cost, Cost::approximate(epsilon + converted, delta));
  EXPECT_LE(chosen.cost.epsilon(), 1);
  EXPECT_GT(chosen.cost.epsilon(), rational("0.99"));
  EXPECT_EQ(chosen.cost_for(LossKind::kApproximate), chosen.cost);
  EXPECT_EQ(chosen.cost_for(LossKind::kConcentrated),
            Cost::concentrated(rho + epsilon * epsilon / Rational(2)));
  // A ledger of epsilons cannot pay rhos.
  EXPECT_FALSE(plan("epsilon = 1, delta = 1e-9", kBins + means(60), LossKind::kPure).mixed);
}

// Gaussian noise alone is known to lose less than its rho says, so there is more to share.
TEST(ChooseAccountingTest, GaussianNoiseIsPaidForByItsLaw) {
  for (const std::string delta : {"1e-3", "1e-6", "1e-12"}) {
    for (const int number : {1, 20}) {
      const std::string budget = "epsilon = 1, delta = " + delta;
      const ReleasePlan planned = plan(budget + ", accounting = 'concentrated'", counts(number));
      ASSERT_TRUE(planned.converted && planned.converted->by_gaussian_law);
      std::vector<LatticeGaussian> noise;
      for (const PlannedStatistic& one : planned.statistics) {
        noise.push_back(noise_of(one.parts.at(0)));
      }
      const Rational epsilon = *lattice_gaussian_epsilon(noise, rational(delta));
      EXPECT_EQ(planned.converted->cost, Cost::approximate(epsilon, rational(delta)));
      EXPECT_EQ(planned.cost_for(LossKind::kApproximate), planned.converted->cost);
      EXPECT_LE(epsilon, 1);
      EXPECT_GT(epsilon, rational("0.9999"));
      // What rhos of any noise could have.
      EXPECT_GT(approximate_epsilon(planned.cost.rho(), rational(delta)), rational("1.02"));
      EXPECT_LT(planned.cost.rho(), gaussian_rho(1, rational(delta)));
    }
  }
}

// A choice is no Gaussian noise, nor is that which finds keys: rhos are converted as those of any
// noise.
TEST(ChooseAccountingTest, OtherNoiseIsPaidForByItsRho) {
  for (const std::string other :
       {"[[statistics]]\nname = 'm'\nkind = 'median'\ncolumn = 'age'\nstep = 1\n",
        "[[statistics]]\nname = 'd'\nkind = 'count'\nby = 'job'\ndiscover = { delta = 1e-8 }\n",
        "[[statistics]]\nname = 'l'\nkind = 'count'\nepsilon = 0.01\n"}) {
    const ReleasePlan planned = plan(kConcentrated, counts(20) + other);
    ASSERT_TRUE(planned.converted);
    EXPECT_FALSE(planned.converted->by_gaussian_law) << other;
    const Rational delta = planned.converted->cost.delta() - planned.cost.delta();
    EXPECT_EQ(planned.converted->cost.epsilon(), approximate_epsilon(planned.cost.rho(), delta));
    EXPECT_LE(planned.converted->cost.epsilon(), 1);
    EXPECT_LE(planned.converted->cost.delta(), rational("1e-6"));
  }
}

// Targets for which the rho of any noise would be too much.
// SLOW: ChooseAccountingTest.TargetsCanUseWhatTheLawLeaves
TEST(ChooseAccountingTest, TargetsCanUseWhatTheLawLeaves) {
  const std::string targets = counts(40, "accuracy = 40\n");
  const ReleasePlan wide = plan("epsilon = 4, delta = 1e-6, accounting = 'concentrated'", targets);
  const Rational needed = wide.converted.value().cost.epsilon();
  const Rational of_any = approximate_epsilon(wide.cost.rho(), rational("1e-6"));
  ASSERT_LT(needed, of_any * rational("0.98"));
  const Rational between = (needed + of_any) / Rational(2);
  const ReleasePlan tight =
      plan("epsilon = '" + between.to_string() + "', delta = 1e-6, accounting = 'concentrated'",
           targets);
  EXPECT_EQ(tight.cost, wide.cost);
  EXPECT_EQ(tight.converted.value().cost.epsilon(), needed);
  const Rational less = needed * rational("0.99");
  expect_code(ErrorCode::kBadInput, [&] {
    plan("epsilon = '" + less.to_string() + "', delta = 1e-6, accounting = 'concentrated'",
         targets);
  });
}

// What the ledger has left decides where the file leaves the choice.
TEST(ChooseAccountingTest, APlanFitsWhatTheLedgerHasLeft) {
  const ReleaseFile file = plan(kOpen, counts(40)).release;
  const auto left = [&](const std::string& epsilon, const std::string& delta) {
    return plan_release(file, Cost::approximate(rational(epsilon), rational(delta)));
  };
  EXPECT_EQ(left("1", "1e-6").accounting, LossKind::kConcentrated);
  const ReleasePlan less = left("1", "1e-9");
  EXPECT_EQ(less.accounting, LossKind::kConcentrated);
  EXPECT_EQ(less.cost_for(LossKind::kApproximate).delta(), rational("1e-9"));
  EXPECT_LE(less.cost_for(LossKind::kApproximate).epsilon(), 1);
  const ReleasePlan none = left("1", "0");
  EXPECT_EQ(none.accounting, LossKind::kApproximate);
  EXPECT_EQ(none.cost_for(LossKind::kApproximate).delta(), 0);
  EXPECT_EQ(none.ways[1].obstacle, "the ledger has too little delta left");
  EXPECT_EQ(none.digest, less.digest);
}

}  // namespace choose_accounting_test
}  // namespace lastbit
