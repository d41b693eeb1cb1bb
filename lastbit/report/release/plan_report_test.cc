#include "lastbit/report/release/plan_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "lastbit/base/utf8.h"
#include "lastbit/report/release/sample_test_support.h"

namespace lastbit::report {
namespace plan_report_test {

const Paint kPlain(false);

LedgerPosition position(const Rational& epsilon, const Rational& spent) {
  return {Budget(Cost::approximate(epsilon, rational("1e-6"))),
          Cost::approximate(spent, rational("1e-9"))};
}

PlanReport report(std::optional<LedgerPosition> ledger) {
  PlanReport made{.plan = sample_plan(), .ledger = std::move(ledger)};
  made.half_error.assign(made.plan.statistics.size(), Cost::approximate(rational("0.25"), 0));
  return made;
}

// holds: whether the text contains the part, wherever lines were broken.
bool holds(const std::string& text, const std::string& part) {
  std::string flat;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool broken = text[i] == '\n' && text.compare(i, 3, "\n  ") == 0;
    flat += broken ? ' ' : text[i];
    if (broken) i = text.find_first_not_of(' ', i + 1) - 1;
  }
  return flat.find(part) != std::string::npos;
}

TEST(PlanTableTest, LinesFitTheTerminal) {
  for (const std::size_t width : {80U, 100U, 120U}) {
    const std::string text = plan_table(report(position(3, 0)), kPlain, width);
    std::size_t start = 0;
    for (std::size_t end = text.find('\n'); end != std::string::npos;
         start = end + 1, end = text.find('\n', start)) {
      EXPECT_LE(display_width(text.substr(start, end - start)), width)
          << text.substr(start, end - start);
    }
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
  }
}

TEST(PlanTableTest, EachStatisticHasItsCostItsErrorAndItsBias) {
  const std::string text = plan_table(report(std::nullopt), kPlain, 120);
  EXPECT_TRUE(holds(text, "epsilon, delta"));
  EXPECT_TRUE(holds(text, "± 413"));
  EXPECT_TRUE(holds(text, "± 412 *"));
  EXPECT_TRUE(holds(text, "± 116 rows"));
  EXPECT_TRUE(holds(text, "0.125, 1e-7"));
  EXPECT_TRUE(holds(text, "99 %"));
  EXPECT_TRUE(holds(text, "* for groups of 10,000 rows"));
  EXPECT_TRUE(holds(text, "— not known before the release."));
  EXPECT_TRUE(holds(text, "snapped Laplace  scale 24, threshold 71"));
  EXPECT_TRUE(holds(text, "! Persons with rows in more than 3 groups count in 3 of them."));
  EXPECT_TRUE(holds(text, "→ Half the error, ± 207, would cost epsilon 0.25."));
}

TEST(PlanTableTest, TheGuessedNumberOfRowsIsTheReaders) {
  PlanReport guess = report(std::nullopt);
  guess.rows = 1'000'000;
  const std::string text = plan_table(guess, kPlain, 120);
  EXPECT_TRUE(holds(text, "± 4.2 *"));
  EXPECT_TRUE(holds(text, "for groups of 1,000,000 rows"));
}

TEST(PlanTableTest, OneConfidenceForAllStandsInTheHeader) {
  PlanReport same = report(std::nullopt);
  for (auto& planned : same.plan.statistics) planned.statistic.confidence.value = rational("0.9");
  EXPECT_TRUE(holds(plan_table(same, kPlain, 120), "± at 90 %"));
}

TEST(PlanTableTest, TheTotalStandsAgainstTheFileAndTheLedger) {
  EXPECT_TRUE(holds(plan_table(report(position(3, rational("0.1"))), kPlain, 200),
                    "has epsilon 2.9 and delta 9.99e-7 left, and epsilon 0.525 and delta 6.99e-7"));
  EXPECT_TRUE(holds(plan_table(report(position(3, 1)), kPlain, 200), "NOT ENOUGH: The ledger"));
  EXPECT_TRUE(holds(plan_table(report(std::nullopt), kPlain, 200), "does not exist yet"));
  const LedgerPosition pure{Budget(Cost::pure(3)), Cost::pure(0)};
  EXPECT_TRUE(holds(plan_table(report(pure), kPlain, 200), "NOT POSSIBLE: The ledger"));
}

TEST(PlanJsonTest, NumbersAreExactAndNothingIsMissing) {
  const auto json = plan_json(report(position(3, rational("0.1"))));
  EXPECT_EQ(json["document"], "plan");
  EXPECT_EQ(json["digest"], sample_plan().digest);
  EXPECT_EQ(json["unit"]["id"], "person");
  EXPECT_EQ(json["cost"]["epsilon"], "2.375");
  EXPECT_EQ(json["ledger"]["left"]["epsilon"], "2.9");
  EXPECT_EQ(json["ledger"]["enough"], true);
  ASSERT_EQ(json["statistics"].size(), sample_plan().statistics.size());
  const auto& mean = json["statistics"][4];
  EXPECT_EQ(mean["kind"], "mean");
  EXPECT_EQ(mean["by"].size(), 2U);
  EXPECT_EQ(mean["accuracy"]["at_most"], "412");
  EXPECT_EQ(mean["accuracy"]["for_rows"], "10000");
  EXPECT_EQ(mean["parts"].size(), 2U);
  EXPECT_EQ(mean["parts"][0]["grid_exponent"], -4);
  EXPECT_EQ(mean["half_error_cost"]["epsilon"], "0.25");
  EXPECT_TRUE(json["statistics"][5]["accuracy"]["at_most"].is_null());
  EXPECT_EQ(json["statistics"][11]["accuracy"]["unit"], "rows");
  EXPECT_EQ(json["statistics"][15]["parts"][0]["threshold"], 71);
}

TEST(PlanJsonTest, ALedgerThatCannotPayIsTold) {
  const LedgerPosition pure{Budget(Cost::pure(3)), Cost::pure(0)};
  const auto json = plan_json(report(pure));
  EXPECT_EQ(json["ledger"]["enough"], false);
  EXPECT_TRUE(json["ledger"]["problem"].is_string());
  EXPECT_TRUE(plan_json(report(std::nullopt))["ledger"]["enough"].is_null());
  EXPECT_EQ(plan_json(report(position(3, 1)))["ledger"]["enough"], false);
}

PlanReport planned(const std::string& budget, const std::string& statistics) {
  const std::string head = "version = 1\nsource = 's.csv'\nunit = 'row'\nbudget = { " + budget +
                           ", ledger = 'l' }\n[columns]\n"
                           "age = { type = 'integer', lower = 0, upper = 100 }\n";
  return plan_report(plan_release(parse_release(head + statistics, "f.toml")), std::nullopt, 1000);
}

std::string counts(int number, const std::string& more = "") {
  std::string text;
  for (int i = 0; i < number; ++i) {
    text += "[[statistics]]\nname = 'n" + std::to_string(i) + "'\nkind = 'count'\n" + more;
  }
  return text;
}

TEST(PlanTableTest, SaysHowTheBudgetIsShared) {
  const std::string shared = "The budget is shared so that relative errors are small together";
  const std::string guess = "for a guess of 1,000,000 rows in all.";
  const auto text = [](const std::string& statistics) {
    return plan_table(planned("epsilon = 1", statistics), kPlain, 100);
  };
  EXPECT_TRUE(holds(text(counts(2)), shared));
  EXPECT_TRUE(holds(text(counts(2)), guess));
  EXPECT_FALSE(holds(text(counts(2)), "equal part"));
  EXPECT_TRUE(holds(text(counts(2) + "[[statistics]]\nkind = 'sum'\ncolumn = 'age'\n"
                                     "bounds = 'auto'\n"),
                    "Statistics whose error is not known before the release get an equal part."));
  EXPECT_FALSE(holds(text(counts(1)), shared));
  EXPECT_FALSE(holds(text(counts(2, "weight = 1\n")), shared));
}

TEST(PlanTableTest, SaysWhichAccountingWasChosenAndWhatTheOtherWouldGive) {
  const std::string open = "epsilon = 1, delta = 1e-6";
  const auto text = [&](const std::string& statistics) {
    return plan_table(planned(open, statistics), kPlain, 100);
  };
  EXPECT_TRUE(holds(text(counts(2)),
                    "Losses add up as epsilons (Laplace noise): relative errors are typically "
                    "0.00060 %. As rhos (Gaussian noise), they would be 0.0012 %."));
  EXPECT_TRUE(holds(text(counts(40)), "Losses add up as rhos (Gaussian noise)"));
  EXPECT_TRUE(holds(text(counts(2, "accuracy = 40\n")), "of the budget's epsilon. As rhos"));
  EXPECT_FALSE(holds(plan_table(planned("epsilon = 1", counts(2)), kPlain, 100), "Losses add up"));
  EXPECT_TRUE(holds(text(counts(40)), "which is epsilon 0.99999"));
  EXPECT_TRUE(holds(text(counts(40)), "All noise is Gaussian, and its own law says"));
  EXPECT_FALSE(holds(text(counts(2)), "All noise is Gaussian"));
  EXPECT_TRUE(plan_json(planned(open, counts(2)))["converted_cost"].is_null());
  const auto json = plan_json(planned(open, counts(40)));
  EXPECT_EQ(json["accounting"], "concentrated");
  EXPECT_EQ(json["converted_cost"]["by"], "law of Gaussian noise");
  EXPECT_EQ(json["converted_cost"]["delta"], "0.000001");
  ASSERT_EQ(json["accounting_ways"].size(), 3);
  EXPECT_EQ(json["accounting_ways"][1]["accounting"], "approximate");
  EXPECT_LT(json["accounting_ways"][0]["typical_relative_error_double"].get<double>(),
            json["accounting_ways"][1]["typical_relative_error_double"].get<double>());
  EXPECT_EQ(json["guessed_rows"], "1000000");
  EXPECT_EQ(json["statistics"][0]["share"], "planned");
  EXPECT_EQ(json["statistics"][0]["relative_error"]["for_rows"], "1000000");
}

}  // namespace plan_report_test
}  // namespace lastbit::report
