// Files whose records went elsewhere. tests/postgres moves some to a server.
#include "lastbit/accounting/ledger_move.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "lastbit/accounting/test_support.h"
#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"

namespace lastbit {
namespace ledger_move_test {

using accounting_testing::downgrade;
using accounting_testing::edit;
using accounting_testing::Folder;
using accounting_testing::pure_budget;
using accounting_testing::pure_spending;
namespace fs = std::filesystem;

constexpr const char* kClose =
    "CREATE TABLE moved (address TEXT NOT NULL) STRICT; PRAGMA user_version = 4;"
    "INSERT INTO moved VALUES ('postgresql://host/db?ledger=l')";

Ledger make_ledger(const fs::path& path) {
  Ledger ledger = Ledger::create(path, pure_budget("1"), "");
  ledger.spend(pure_spending("1/3"));
  return ledger;
}

TEST(ClosedLedgerTest, PaysForNothingMoreAndSaysWhereItWent) {
  const Folder folder;
  Ledger ledger = make_ledger(folder / "l");
  const LedgerContents before = ledger.verify();
  EXPECT_FALSE(before.moved_to);
  edit(folder / "l", kClose);
  // The one that was open, too.
  for (const bool again : {false, true}) {
    if (again) ledger = Ledger::open(folder / "l");
    expect_code(ErrorCode::kRefused, [&] { ledger.spend(pure_spending("1/3"), {true, true}); });
    expect_code(ErrorCode::kRefused, [&] { ledger.require_allowed(pure_spending("1/3")); });
    expect_code(ErrorCode::kRefused, [&] { ledger.complete(1); });
    const LedgerContents after = ledger.verify();
    EXPECT_FALSE(after.damage);
    EXPECT_EQ(after.moved_to, "postgresql://host/db?ledger=l");
    EXPECT_EQ(after.head, before.head);
  }
}

TEST(ClosedLedgerTest, ACapInRhoAndDeltaIsOneOfAClosedLedgerToo) {
  const Folder folder;
  Ledger::create(folder / "l", Budget(Cost::concentrated(1, rational("1e-6"))), "");
  edit(folder / "l", kClose);
  EXPECT_TRUE(Ledger::open(folder / "l").verify().moved_to);
}

TEST(ClosedLedgerTest, FilesThatAreHalfClosedAreRefused) {
  const Folder folder;
  for (const char* wrong :
       {"PRAGMA user_version = 4", "CREATE TABLE moved (address TEXT NOT NULL) STRICT",
        "CREATE TABLE moved (address TEXT) STRICT; PRAGMA user_version = 4",
        "CREATE TABLE moved (address TEXT NOT NULL) STRICT; PRAGMA user_version = 5"}) {
    fs::remove(folder / "l");
    make_ledger(folder / "l");
    edit(folder / "l", wrong);
    expect_code(ErrorCode::kBadInput, [&] { Ledger::open(folder / "l"); });
  }
  for (const char* wrong : {"DELETE FROM moved", "UPDATE moved SET address = 'a' || char(10)"}) {
    fs::remove(folder / "l");
    make_ledger(folder / "l");
    edit(folder / "l", std::string(kClose) + "; " + wrong);
    expect_code(ErrorCode::kBadInput, [&] { Ledger::open(folder / "l").verify(); });
    expect_code(ErrorCode::kBadInput,
                [&] { Ledger::open(folder / "l").spend(pure_spending("1/9")); });
  }
}

TEST(MoveLedgerTest, WhatCannotArriveIsNotClosed) {
  const Folder folder;
  Spending spending = pure_spending("1/3");
  spending.unit = "";
  Ledger::create(folder / "l", pure_budget("1"), "").spend(spending);
  downgrade(folder / "l");
  expect_code(ErrorCode::kBadInput, [&] { move_ledger(folder / "l", folder / "m"); });
  expect_code(ErrorCode::kBadInput,
              [&] { move_ledger(folder / "none", "postgresql://127.0.0.1:1/d"); });
  // What names no file may hold a password.
  expect_code(ErrorCode::kBadText,
              [&] { move_ledger("postgresql://u:p@h/d", "postgresql://127.0.0.1:1/d"); });
  expect_code(ErrorCode::kBadInput,
              [&] { move_ledger("postgresql://h/d", "postgresql://127.0.0.1:1/d"); });
  expect_code(ErrorCode::kBadParameter,
              [&] { move_ledger("jdbc:x://u:p@h/d", "postgresql://127.0.0.1:1/d"); });
  const ErrorCode unreachable =
      code_of([&] { move_ledger(folder / "l", "postgresql://127.0.0.1:1/d"); });
  // Without libpq, another one.
  EXPECT_TRUE(unreachable == ErrorCode::kStorage || unreachable == ErrorCode::kNotSupported);
  Ledger ledger = Ledger::open(folder / "l");
  EXPECT_FALSE(ledger.verify().moved_to);
  EXPECT_EQ(ledger.spend(spending).id, 2);
}

}  // namespace ledger_move_test
}  // namespace lastbit
