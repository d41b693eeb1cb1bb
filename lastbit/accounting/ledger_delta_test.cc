// Ledgers in rho and delta: format 3.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <string>

#include "lastbit/accounting/ledger.h"
#include "lastbit/accounting/test_support.h"
#include "lastbit/base/test_support.h"

namespace lastbit {
namespace ledger_delta_test {

using accounting_testing::downgrade;
using accounting_testing::edit;
using accounting_testing::Folder;
namespace fs = std::filesystem;

Budget budget(const char* rho, const char* delta) {
  return Budget(Cost::concentrated(rational(rho), rational(delta)));
}

Spending spending(const char* rho, const char* delta) {
  return {
      .cost = Cost::concentrated(rational(rho), rational(delta)), .data = "survey", .unit = "row"};
}

// text_in: the first value that SQL gives on the file.
std::string text_in(const fs::path& path, const char* sql) {
  sqlite3* connection = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &connection), SQLITE_OK);
  sqlite3_stmt* statement = nullptr;
  EXPECT_EQ(sqlite3_prepare_v2(connection, sql, -1, &statement, nullptr), SQLITE_OK);
  EXPECT_EQ(sqlite3_step(statement), SQLITE_ROW);
  std::string text = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
  sqlite3_finalize(statement);
  sqlite3_close(connection);
  return text;
}
std::string format_of(const fs::path& path) { return text_in(path, "PRAGMA user_version"); }

TEST(LedgerDeltaTest, BothPartsAreCountedAndKept) {
  const Folder folder;
  {
    Ledger ledger = Ledger::create(folder / "l", budget("1", "1e-6"), "survey");
    ledger.complete(ledger.spend(spending("0.25", "4e-7")).id);
    ledger.spend({.cost = Cost::pure(rational("0.5")), .data = "survey", .unit = "row"});
    ledger.spend({.cost = Cost::approximate(1, rational("1e-7")), .data = "survey", .unit = "row"});
  }
  Ledger ledger = Ledger::open(folder / "l");
  const LedgerContents contents = ledger.verify();
  EXPECT_FALSE(contents.damage.has_value());
  EXPECT_EQ(contents.spent, Cost::concentrated(rational("0.875"), rational("5e-7")));
  EXPECT_EQ(contents.entries[2].price, Cost::concentrated(rational("0.5"), rational("1e-7")));
  EXPECT_EQ(ledger.budget().left(contents.spent),
            Cost::concentrated(rational("0.125"), rational("5e-7")));
  expect_code(ErrorCode::kBudget, [&] { ledger.spend(spending("0.01", "6e-7")); });
  expect_code(ErrorCode::kBudget, [&] { ledger.spend(spending("0.2", "0")); });
  EXPECT_EQ(ledger.spend(spending("0.125", "5e-7")).total, contents.budget.cap());
}

TEST(LedgerDeltaTest, ARhoAlonePaysForNoDelta) {
  const Folder folder;
  Ledger ledger = Ledger::create(folder / "l", budget("1", "0"), "");
  expect_code(ErrorCode::kMismatch, [&] { ledger.spend(spending("0.1", "1e-9")); });
  expect_code(ErrorCode::kMismatch, [&] { ledger.require_allowed(spending("0.1", "1e-9")); });
  EXPECT_EQ(ledger.spent(), Cost::concentrated(0));
}

// Programs that know formats 1 and 2 refuse others by their number, so only ledgers that they
// cannot count have another one.
TEST(LedgerDeltaTest, OnlyACapInRhoAndDeltaNeedsTheNewFormat) {
  const Folder folder;
  Ledger::create(folder / "both", budget("1", "1e-6"), "").spend(spending("0.1", "1e-7"));
  Ledger::create(folder / "rho", budget("1", "0"), "").spend(spending("0.1", "0"));
  Ledger::create(folder / "approximate", Budget(Cost::approximate(1, rational("1e-6"))), "");
  EXPECT_EQ(format_of(folder / "both"), "3");
  EXPECT_EQ(format_of(folder / "rho"), "2");
  EXPECT_EQ(format_of(folder / "approximate"), "2");
  EXPECT_EQ(text_in(folder / "both", "SELECT cap FROM header"), "rho 1, delta 0.000001");
  EXPECT_EQ(text_in(folder / "both", "SELECT cost FROM record"), "rho 0.1, delta 0.0000001");
  EXPECT_EQ(text_in(folder / "rho", "SELECT cost FROM record"), "rho 0.1");
}

TEST(LedgerDeltaTest, LedgersInRhoOfOlderFormatsAreReadAndUpgraded) {
  const Folder folder;
  Ledger::create(folder / "l", budget("1", "0"), "")
      .spend({.cost = Cost::concentrated(rational("0.1"))});
  downgrade(folder / "l");
  Ledger ledger = Ledger::open(folder / "l");
  EXPECT_EQ(ledger.spent(), Cost::concentrated(rational("0.1")));
  ledger.spend({.cost = Cost::concentrated(rational("0.2"))});
  EXPECT_EQ(format_of(folder / "l"), "2");
  EXPECT_FALSE(ledger.verify().damage.has_value());
}

TEST(LedgerDeltaTest, AFormatThatDoesNotFitTheBudgetIsRefused) {
  const Folder folder;
  Ledger::create(folder / "both", budget("1", "1e-6"), "");
  for (const char* version : {"1", "2", "4"}) {
    edit(folder / "both", std::string("PRAGMA user_version = ") + version);
    expect_code(ErrorCode::kBadInput, [&] { Ledger::open(folder / "both"); });
  }
  Ledger::create(folder / "rho", budget("1", "0"), "");
  edit(folder / "rho", "PRAGMA user_version = 3");
  expect_code(ErrorCode::kBadInput, [&] { Ledger::open(folder / "rho"); });
}

TEST(LedgerDeltaTest, AChangedDeltaIsNoticed) {
  const Folder folder;
  const auto damaged = [&](const char* sql) {
    fs::remove(folder / "l");
    Ledger::create(folder / "l", budget("1", "1e-6"), "").spend(spending("0.1", "1e-7"));
    edit(folder / "l", sql);
    return Ledger::open(folder / "l", Ledger::Access::kRead).verify().damage.has_value();
  };
  EXPECT_FALSE(damaged("UPDATE record SET kind = kind"));
  for (const char* sql :
       {"UPDATE record SET cost = 'rho 0.1'", "UPDATE record SET cost = 'rho 0.1, delta 0'",
        "UPDATE record SET cost = 'rho 0.1, delta 0.00000001'",
        "UPDATE record SET cost = 'epsilon 0.1, delta 0.0000001'",
        "UPDATE record SET total = 'rho 0.1'",
        "UPDATE record SET total = 'rho 0.1, delta 0.00000001'"}) {
    EXPECT_TRUE(damaged(sql)) << sql;
  }
  for (const char* cap : {"rho 1", "rho 1, delta 0.1", "rho 1, delta 0", "rho 1, delta x"}) {
    fs::remove(folder / "l");
    Ledger::create(folder / "l", budget("1", "1e-6"), "");
    edit(folder / "l", std::string("UPDATE header SET cap = '") + cap + "'");
    expect_code(ErrorCode::kBadInput, [&] { Ledger::open(folder / "l"); });
  }
}

}  // namespace ledger_delta_test
}  // namespace lastbit
