// Who a ledger is about, and plans that are spent twice.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lastbit/accounting/ledger.h"
#include "lastbit/accounting/test_support.h"
#include "lastbit/base/test_support.h"

namespace lastbit {
namespace ledger_people_test {

using accounting_testing::downgrade;
using accounting_testing::exit_status;
using accounting_testing::Folder;
using accounting_testing::pure_budget;
using accounting_testing::pure_spending;
using accounting_testing::spending_of_plan;
using accounting_testing::start_child;

constexpr SpendingIntent kSamePeople = {.same_people = true};
constexpr SpendingIntent kAgain = {.again = true};

Spending about(const std::string& unit, const std::string& data) {
  Spending spending = pure_spending("1/10");
  spending.unit = unit;
  spending.data = data;
  return spending;
}

// refused: the problem that spend and require_allowed both state; nothing is written.
std::string refused(Ledger& ledger, const Spending& spending, const SpendingIntent& intent = {}) {
  const std::string head = ledger.verify().head;
  std::vector<std::string> problems;
  for (const bool early : {true, false}) {
    try {
      if (early) {
        ledger.require_allowed(spending, intent);
      } else {
        ledger.spend(spending, intent);
      }
      ADD_FAILURE() << "allowed";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kRefused) << error.what();
      problems.push_back(error.problem());
    }
  }
  EXPECT_EQ(ledger.verify().head, head);
  EXPECT_EQ(problems.front(), problems.back());
  return problems.front();
}

TEST(LedgerPeopleTest, FirstSpendingFixesUnitAndData) {
  const Folder folder;
  Ledger ledger = Ledger::create(folder / "l", pure_budget("9"), "");
  ledger.spend(about("column person", "survey"));
  ledger.spend(about("column person", "survey"));
  EXPECT_EQ(refused(ledger, about("row", "survey")),
            "the ledger is about 'survey' (unit: column person), and this release is about "
            "'survey' (unit: row)");
  EXPECT_EQ(refused(ledger, about("column person", "visits")),
            "the ledger is about 'survey' (unit: column person), and this release is about "
            "'visits' (unit: column person)");
  refused(ledger, about("", ""));
  refused(ledger, about("row", "survey"), kAgain);
  EXPECT_EQ(Ledger::open(folder / "l").verify().subjects.size(), 1U);
}

TEST(LedgerPeopleTest, OthersThatAreMeantAddUpAndAreRemembered) {
  const Folder folder;
  Ledger ledger = Ledger::create(folder / "l", pure_budget("9"), "");
  ledger.spend(about("row", "may"), kSamePeople);
  ledger.spend(about("row", "june"), kSamePeople);
  ledger.spend(about("column person", "visits"), kSamePeople);
  ledger.spend(about("row", "june"));
  ledger.spend(about("row", "may"));
  // Confirming a unit for some data says nothing about other data.
  EXPECT_EQ(refused(ledger, about("row", "visits")),
            "the ledger is about 'may' (unit: row) and 'june' (unit: row) and 'visits' (unit: "
            "column person), and this release is about 'visits' (unit: row)");
  const LedgerContents contents = ledger.verify();
  EXPECT_FALSE(contents.damage.has_value());
  EXPECT_EQ(contents.spent, Cost::pure(rational("1/2")));
  ASSERT_EQ(contents.subjects.size(), 3U);
  EXPECT_EQ(contents.subjects[1].to_string(), "'june' (unit: row)");
  EXPECT_EQ(contents.subjects[2].unit, "column person");
  EXPECT_EQ(contents.subjects[2].first_entry, 3);
  ledger.spend(about("row", "visits"), kSamePeople);
  EXPECT_NE(refused(ledger, about("row", "july")).find("and 1 more, and this"), std::string::npos);
}

TEST(LedgerPeopleTest, PlanIsSpentOnceUnlessItIsMeant) {
  const Folder folder;
  Ledger ledger = Ledger::create(folder / "l", pure_budget("1"), "");
  const LedgerEntry entry = ledger.spend(spending_of_plan("1/3", "p"));
  EXPECT_EQ(refused(ledger, spending_of_plan("1/4", "p")),
            "this plan was spent before, as entry 1 at " + entry.time +
                ", by a release that has not finished");
  ledger.complete(entry.id);
  EXPECT_EQ(refused(ledger, spending_of_plan("1/4", "p"), kSamePeople),
            "this plan was spent before, as entry 1 at " + entry.time);
  ledger.spend(spending_of_plan("1/3", "q"));
  EXPECT_EQ(ledger.spend(spending_of_plan("1/6", "p"), kAgain).id, 3);
  EXPECT_NE(refused(ledger, spending_of_plan("1/6", "p")).find("as entry 3"), std::string::npos);
  // If too little is left, confirming would not help.
  EXPECT_EQ(code_of([&] { ledger.spend(spending_of_plan("1/3", "p")); }), ErrorCode::kBudget);
  EXPECT_EQ(code_of([&] { ledger.require_allowed(spending_of_plan("1/3", "p"), kAgain); }),
            ErrorCode::kBudget);
}

TEST(LedgerPeopleTest, RulesArePartOfTheSpending) {
  const Folder folder;
  for (int round = 0; round < 10; ++round) {
    const auto path = folder / ("l" + std::to_string(round)).c_str();
    Ledger::create(path, pure_budget("1000"), "");
    std::vector<pid_t> children;
    for (int i = 0; i < 20; ++i) {
      children.push_back(start_child([&, i] {
        Ledger ledger = Ledger::open(path);
        Spending spending = about("column " + std::to_string(i % 4), "survey");
        spending.plan = std::to_string(i % 8);  // two for each unit
        try {
          ledger.spend(spending);
          return 0;
        } catch (const Error& error) {
          return error.code() == ErrorCode::kRefused ? 1 : 2;
        }
      }));
    }
    int spent = 0;
    for (const pid_t child : children) {
      const int status = exit_status(child);
      EXPECT_LE(status, 1);
      spent += status == 0 ? 1 : 0;
    }
    const LedgerContents contents = Ledger::open(path).verify();
    EXPECT_EQ(contents.subjects.size(), 1U);
    EXPECT_EQ(contents.entries.size(), 2U) << "each plan of the first unit once";
    EXPECT_EQ(spent, 2);
  }
}

TEST(OldLedgerTest, IsReadAsItIsAndSpentFromWhenThePeopleAreTheSame) {
  const Folder folder;
  const auto path = folder / "l";
  {
    Ledger ledger = Ledger::create(path, pure_budget("1"), "");
    Spending spending = about("", "survey");
    spending.plan = "p";
    ledger.complete(ledger.spend(spending).id);
  }
  const std::string head = Ledger::open(path).verify().head;
  downgrade(path);
  const auto read = Ledger::open(path, Ledger::Access::kRead).verify(head);
  EXPECT_FALSE(read.damage.has_value());
  EXPECT_EQ(read.spent, Cost::pure(rational("1/10")));
  ASSERT_EQ(read.subjects.size(), 1U);
  EXPECT_EQ(read.subjects[0].to_string(), "'survey' (unit: not recorded)");

  Ledger ledger = Ledger::open(path);
  Ledger other = Ledger::open(path);  // sees the file change its format
  EXPECT_EQ(refused(ledger, about("row", "survey")),
            "the ledger is about 'survey' (unit: not recorded), and this release is about "
            "'survey' (unit: row)");
  EXPECT_EQ(refused(ledger, spending_of_plan("1/10", "p"), kSamePeople).substr(0, 30),
            "this plan was spent before, as");
  EXPECT_EQ(ledger.spend(about("row", "survey"), kSamePeople).id, 2);
  EXPECT_EQ(other.spend(about("row", "survey")).id, 3);
  other.complete(3);
  const LedgerContents contents = Ledger::open(path).verify(head);
  EXPECT_FALSE(contents.damage.has_value());
  ASSERT_EQ(contents.subjects.size(), 2U);
  EXPECT_EQ(contents.subjects[1].to_string(), "'survey' (unit: row)");
  EXPECT_EQ(contents.entries[0].spending.plan, "p");
}

TEST(OldLedgerTest, WithoutEntriesItIsLikeANewOne) {
  const Folder folder;
  Ledger::create(folder / "l", pure_budget("1"), "");
  downgrade(folder / "l");
  Ledger ledger = Ledger::open(folder / "l");
  ledger.require_allowed(about("row", "survey"));
  EXPECT_EQ(ledger.spend(about("row", "survey")).id, 1);
  refused(ledger, about("column person", "survey"));
}

}  // namespace ledger_people_test
}  // namespace lastbit
