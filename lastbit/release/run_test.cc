// A whole release of rows in memory: the order of its steps, and that a dry run leaves no trace.
#include "lastbit/release/run.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>

#include "lastbit/accounting/test_support.h"
#include "lastbit/base/test_support.h"
#include "lastbit/engines/memory/memory_engine.h"
#include "lastbit/random/tape.h"
#include "lastbit/release/file/parse_release.h"

namespace lastbit {
namespace run_test {

constexpr auto kText = R"(
version = 1
source = "people.csv"
unit = { id = "person", max_rows_per_group = 2, max_groups = 1 }
budget = { epsilon = 4000, ledger = "l.ledger" }

[columns]
person = { type = "text" }
age = { type = "integer", lower = 0, upper = 100 }
town = { keys = ["Ayr", "Bath"] }

[[statistics]]
kind = "count"
by = "town"
[[statistics]]
kind = "sum"
column = "age"
[[statistics]]
kind = "count_units"
)";

MemoryEngine people() {
  const auto row = [](const char* person, std::int64_t age, const char* town) {
    return MemoryTable::Row{MemoryValue(std::string(person)), MemoryValue(age),
                            MemoryValue(std::string(town))};
  };
  MemoryTable table;
  table.columns = {
      {"person", FieldType::kText}, {"age", FieldType::kInteger}, {"town", FieldType::kText}};
  // One person has three rows, of which two count; nobody knows whose the last one is.
  table.rows = {row("a", 30, "Ayr"),
                row("a", 30, "Ayr"),
                row("a", 30, "Ayr"),
                row("b", 170, "Bath"),
                {std::nullopt, MemoryValue(std::int64_t{50}), std::nullopt}};
  return MemoryEngine(std::move(table));
}

class RunTest : public ::testing::Test {
 protected:
  Ledger ledger(const char* epsilon) const {
    return Ledger::create(folder_.path() / "l.ledger", Budget(Cost::pure(rational(epsilon))), "");
  }
  ReleasePlan plan() const {
    ReleaseFile release = parse_release(kText, (folder_.path() / "r.toml").string());
    return plan_release(check_against_schema(std::move(release), engine_.read_schema(release)));
  }

  accounting_testing::Folder folder_;
  MemoryEngine engine_ = people();
};

TEST_F(RunTest, AnswersAreThoseOfTheRowsThatCount) {
  Ledger budget = ledger("4000");
  BitSource bits = testing::seeded_tape(1);
  const Release release = run_release(plan(), engine_, budget, bits, {});
  ASSERT_EQ(release.answers.size(), 3U);
  ASSERT_EQ(release.answers[0].lines.size(), 2U);
  EXPECT_EQ(release.answers[0].lines[0].value, Rational(2));
  EXPECT_EQ(release.answers[0].lines[1].value, Rational(1));
  EXPECT_EQ(release.answers[1].lines[0].value, Rational(30 + 30 + 100));
  EXPECT_EQ(release.answers[2].lines[0].value, Rational(2));
  EXPECT_TRUE(release.completed);
  EXPECT_EQ(release.left, Cost::pure(0));
}

TEST_F(RunTest, ADryRunIsAPreparedReleaseAndSpendsNothing) {
  Ledger budget = ledger("4000");
  BitSource bits = testing::seeded_tape(1);
  const PreparedRelease prepared = prepare_release(plan(), engine_, budget, bits, {});
  EXPECT_EQ(prepared.plan().statistics.size(), 3U);
  EXPECT_EQ(budget.verify().records, 0);
  EXPECT_EQ(testing::words_used(bits), 4U) << "nothing but the secret key";
}

TEST_F(RunTest, BookingComesBeforeTheFirstNoise) {
  Ledger budget = ledger("4000");
  BitSource bits = testing::seeded_tape(1);
  BookedRelease booked(prepare_release(plan(), engine_, budget, bits, {}), budget);
  EXPECT_EQ(budget.spent(), Cost::pure(4000));
  EXPECT_EQ(testing::words_used(bits), 4U) << "nothing but the secret key";
  EXPECT_EQ(std::move(booked).answer(bits).answers.size(), 3U);
}

TEST_F(RunTest, ALedgerThatCannotPayIsFoundBeforeAnyRowIsRead) {
  Ledger budget = ledger("1");
  BitSource bits = testing::seeded_tape(1);
  const auto code = code_of([&] { prepare_release(plan(), engine_, budget, bits, {}); });
  EXPECT_EQ(code, ErrorCode::kBudget);
  EXPECT_EQ(testing::words_used(bits), 0U);
}

TEST_F(RunTest, RowsThatDoNotFitTheirColumnsAreRefused) {
  MemoryTable table;
  table.columns = {{"age", FieldType::kInteger}};
  table.rows = {{MemoryValue(1.5)}};
  EXPECT_EQ(code_of([&] { const MemoryEngine engine(table); }), ErrorCode::kBadParameter);
  table.rows = {{}};
  EXPECT_EQ(code_of([&] { const MemoryEngine engine(table); }), ErrorCode::kBadParameter);
}

}  // namespace run_test
}  // namespace lastbit
