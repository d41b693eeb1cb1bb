#include "lastbit/accounting/ledger.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "lastbit/accounting/test_support.h"
#include "lastbit/base/test_support.h"

namespace lastbit {
namespace ledger_test {

using accounting_testing::edit;
using accounting_testing::Folder;
using accounting_testing::pure_budget;
using accounting_testing::pure_spending;
using accounting_testing::run_child;
using accounting_testing::spending_of_plan;
namespace fs = std::filesystem;

// message_of: the full message of an Error.
std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(LedgerTest, RemembersWhatWasSpentAfterItIsClosed) {
  const Folder folder;
  {
    Ledger ledger = Ledger::create(folder / "l", pure_budget("2"), "survey of 2026");
    const LedgerEntry entry = ledger.spend(spending_of_plan("1/3", "digest"));
    EXPECT_EQ(entry.id, 1);
    EXPECT_EQ(entry.total, Cost::pure(rational("1/3")));
    ledger.complete(entry.id);
    EXPECT_EQ(ledger.spend(pure_spending("1/6")).id, 2);
  }
  const Ledger ledger = Ledger::open(folder / "l");
  EXPECT_EQ(ledger.spent(), Cost::pure(rational("1/2")));
  const LedgerContents contents = ledger.verify();
  EXPECT_FALSE(contents.damage.has_value());
  EXPECT_EQ(contents.description, "survey of 2026");
  EXPECT_EQ(contents.budget, pure_budget("2"));
  EXPECT_EQ(contents.records, 3);
  ASSERT_EQ(contents.entries.size(), 2U);
  EXPECT_TRUE(contents.entries[0].completed.has_value());
  EXPECT_FALSE(contents.entries[1].completed.has_value());
  EXPECT_EQ(contents.entries[0].spending.plan, "digest");
  EXPECT_EQ(contents.entries[0].spending.unit, "row");
  EXPECT_EQ(contents.entries[0].spending.mechanisms, "laplace 1");
  EXPECT_EQ(contents.entries[1].total, contents.spent);
  EXPECT_EQ(contents.head, contents.entries[1].hash);
}

TEST(LedgerTest, TimeIsUtcInIso8601) {
  const Folder folder;
  Ledger ledger = Ledger::create(folder / "l", pure_budget("1"), "");
  const std::string time = ledger.spend(pure_spending("1")).time;
  ASSERT_EQ(time.size(), 20U) << time;
  EXPECT_EQ(time.substr(0, 2), "20");
  EXPECT_EQ(time[10], 'T');
  EXPECT_EQ(time.back(), 'Z');
}

// SLOW: LedgerTest.ThirdsAddUpWithoutDriftAndFillTheCapExactly
TEST(LedgerTest, ThirdsAddUpWithoutDriftAndFillTheCapExactly) {
  const Folder folder;
  constexpr int kTimes = 9999;
  Ledger ledger = Ledger::create(folder / "l", Budget(Cost::pure(Rational(kTimes, 3))), "");
  for (int i = 0; i < kTimes; ++i) ledger.spend(pure_spending("1/3"));
  EXPECT_EQ(ledger.spent(), Cost::pure(kTimes / 3));
  EXPECT_EQ(code_of([&] { ledger.spend(pure_spending("1e-300")); }), ErrorCode::kBudget);
  const LedgerContents contents = ledger.verify();
  EXPECT_FALSE(contents.damage.has_value());
  EXPECT_EQ(contents.entries.size(), static_cast<std::size_t>(kTimes));
}

TEST(LedgerTest, OverTheCapSaysWhatIsLeftAndWritesNothing) {
  const Folder folder;
  Ledger ledger = Ledger::create(folder / "l", pure_budget("1"), "");
  ledger.spend(pure_spending("0.7"));
  const std::string head = ledger.verify().head;
  EXPECT_EQ(message_of([&] { ledger.spend(pure_spending("0.30000001")); }),
            "'" + (folder / "l").string() +
                "': epsilon 0.30000001 is asked for, and epsilon 0.3 is left of epsilon 1; ask for "
                "less; nothing was spent");
  EXPECT_EQ(ledger.verify().head, head);
  EXPECT_EQ(ledger.spend(pure_spending("0.3")).total, Cost::pure(1));
}

// A ledger against a plain list: any sequence of entries and completions, in all three kinds.
RC_GTEST_PROP(LedgerTest, AgreesWithAPlainList, ()) {
  const Folder folder;
  const int kind = *rc::gen::inRange(0, 3);
  const Budget budget(kind == 0   ? Cost::pure(3)
                      : kind == 1 ? Cost::approximate(3, rational("0.1"))
                                  : Cost::concentrated(2));
  Ledger ledger = Ledger::create(folder / "l", budget, "model");
  std::vector<Cost> model;
  std::vector<bool> completed;
  Rational loss;
  Rational delta;
  const int steps = *rc::gen::inRange(0, 12);
  for (int step = 0; step < steps; ++step) {
    if (*rc::gen::inRange(0, 4) == 0) {
      const auto id = *rc::gen::inRange<std::int64_t>(-1, 8);
      const bool fits = id >= 1 && id <= static_cast<std::int64_t>(model.size()) &&
                        !completed[static_cast<std::size_t>(id - 1)];
      RC_ASSERT(fits == (refusal([&] { ledger.complete(id); }) == "accepted"));
      if (fits) completed[static_cast<std::size_t>(id - 1)] = true;
      continue;
    }
    const Rational epsilon(*rc::gen::inRange(0, 30), *rc::gen::inRange(1, 20));
    const Rational extra(*rc::gen::inRange(0, 3), 30);
    const Cost cost = kind == 1 ? Cost::approximate(epsilon, extra) : Cost::pure(epsilon);
    const Rational next = loss + (kind == 2 ? epsilon * epsilon / Rational(2) : epsilon);
    const Rational next_delta = delta + (kind == 1 ? extra : Rational(0));
    const bool fits = next <= Rational(kind == 2 ? 2 : 3) && next_delta <= rational("0.1");
    bool done = true;
    try {
      ledger.spend({cost});
    } catch (const Error& error) {
      RC_ASSERT(error.code() == ErrorCode::kBudget);
      done = false;
    }
    RC_ASSERT(done == fits);
    if (!fits) continue;
    model.push_back(cost);
    completed.push_back(false);
    loss = next;
    delta = next_delta;
    if (*rc::gen::arbitrary<bool>()) ledger = Ledger::open(folder / "l");
  }
  const LedgerContents contents = ledger.verify();
  RC_ASSERT(!contents.damage.has_value());
  RC_ASSERT(contents.entries.size() == model.size());
  for (std::size_t i = 0; i < model.size(); ++i) {
    RC_ASSERT(contents.entries[i].spending.cost == model[i]);
    RC_ASSERT(contents.entries[i].completed.has_value() == completed[i]);
  }
  RC_ASSERT((kind == 2 ? contents.spent.rho() : contents.spent.epsilon()) == loss);
  RC_ASSERT(contents.spent == ledger.spent());
}

TEST(LedgerTest, RefusesTextsThatCouldGarbleATerminal) {
  const Folder folder;
  EXPECT_EQ(refused_parameter([&] { Ledger::create(folder / "l", pure_budget("1"), "a\nb"); }),
            "description");
  EXPECT_FALSE(fs::exists(folder / "l"));
  Ledger ledger = Ledger::create(folder / "l", pure_budget("1"), "");
  Spending spending = pure_spending("1");
  spending.data = "\x1b[2J";
  EXPECT_EQ(refused_parameter([&] { ledger.spend(spending); }), "data");
  EXPECT_EQ(ledger.spent(), Cost::pure(0));
}

TEST(LedgerTest, RefusesACostThatTheBudgetCannotCount) {
  const Folder folder;
  Ledger ledger = Ledger::create(folder / "l", pure_budget("1"), "");
  EXPECT_EQ(code_of([&] { ledger.spend({Cost::concentrated(rational("0.1"))}); }),
            ErrorCode::kMismatch);
  EXPECT_TRUE(ledger.verify().entries.empty());
}

TEST(LedgerTest, SumThatOutgrowsItsTextIsRefusedAndNotRounded) {
  const Folder folder;
  Ledger ledger = Ledger::create(folder / "l", pure_budget("1"), "");
  ledger.spend({Cost::pure(Rational::two_to(-60'000))});
  const Rational odd(1, pow(Integer(3), 20'000));
  EXPECT_EQ(refused_parameter([&] { ledger.spend({Cost::pure(odd)}); }), "epsilon");
  EXPECT_EQ(ledger.spent(), Cost::pure(Rational::two_to(-60'000)));
  EXPECT_FALSE(ledger.verify().damage.has_value());
}

TEST(LedgerTest, IsNotCarriedThroughAFork) {
  const Folder folder;
  Ledger ledger = Ledger::create(folder / "l", pure_budget("1"), "");
  EXPECT_EQ(run_child([&] {
              return refused_parameter([&] { ledger.spend(pure_spending("1")); }) == "this" ? 7 : 8;
            }),
            7);
  EXPECT_EQ(ledger.spend(pure_spending("1")).id, 1);
}

// Files.

TEST(LedgerFileTest, CreateOverwritesNothing) {
  const Folder folder;
  const auto create = [&](const fs::path& path) {
    return [=] { Ledger::create(path, pure_budget("1"), ""); };
  };
  std::ofstream(folder / "text") << "precious";
  fs::create_directory(folder / "folder");
  fs::create_symlink(folder / "nowhere", folder / "link");
  create(folder / "l")();
  for (const char* name : {"text", "folder", "link", "l"}) {
    EXPECT_EQ(code_of(create(folder / name)), ErrorCode::kBadInput) << name;
  }
  EXPECT_EQ(fs::file_size(folder / "text"), 8U);
  EXPECT_EQ(code_of(create(folder / "missing/l")), ErrorCode::kStorage);
  EXPECT_EQ(refused_parameter(create("")), "path");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 4);
}

TEST(LedgerFileTest, NamesThatSqliteReadsOtherwiseAreOrdinaryNames) {
  const Folder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  for (const char* name : {":memory:", "file:x?mode=memory", "a 'b' \"c\" %"}) {
    Ledger::create(name, pure_budget("1"), "").spend(pure_spending("1"));
    EXPECT_EQ(Ledger::open(name).spent(), Cost::pure(1));
    EXPECT_TRUE(fs::exists(folder / name));
  }
  fs::current_path(before);
}

TEST(LedgerFileTest, RefusesWhatIsNoLedger) {
  const Folder folder;
  const auto opened = [&](const char* name) {
    return code_of([&] { Ledger::open(folder / name); });
  };
  std::ofstream(folder / "text") << "this is a text, and a rather long one: "
                                 << std::string(999, 'x');
  std::ofstream(folder / "empty") << "";
  std::ofstream(folder / "short") << "SQLite";
  fs::create_directory(folder / "folder");
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  edit(folder / "other", "CREATE TABLE t (x)");
  for (const char* name : {"text", "empty", "short", "folder", "pipe", "other", "missing"}) {
    EXPECT_EQ(opened(name), ErrorCode::kBadInput) << name;
    EXPECT_NE(message_of([&] { Ledger::open(folder / name); }).find(name), std::string::npos);
  }
}

TEST(LedgerFileTest, RefusesLinksAndSecondNames) {
  const Folder folder;
  Ledger::create(folder / "l", pure_budget("1"), "");
  fs::create_symlink(folder / "l", folder / "link");
  EXPECT_EQ(code_of([&] { Ledger::open(folder / "link"); }), ErrorCode::kBadInput);
  fs::create_hard_link(folder / "l", folder / "second");
  EXPECT_EQ(code_of([&] { Ledger::open(folder / "l"); }), ErrorCode::kBadInput);
  fs::remove(folder / "second");
  EXPECT_EQ(Ledger::open(folder / "l").spent(), Cost::pure(0));
}

TEST(LedgerFileTest, RefusesAnExchangedFile) {
  const Folder folder;
  Ledger ledger = Ledger::create(folder / "l", pure_budget("1"), "");
  fs::copy_file(folder / "l", folder / "copy");
  fs::rename(folder / "l", folder / "old");
  fs::rename(folder / "copy", folder / "l");
  EXPECT_EQ(code_of([&] { ledger.spend(pure_spending("1")); }), ErrorCode::kBadInput);
  // The refusal left no lock behind.
  Ledger::open(folder / "old", Ledger::Access::kSpend, std::chrono::milliseconds(10))
      .spend(pure_spending("1"));
  fs::remove(folder / "l");
  EXPECT_EQ(code_of([&] { ledger.spend(pure_spending("1")); }), ErrorCode::kBadInput);
}

TEST(LedgerFileTest, RefusesOtherSchemasAndFormats) {
  const Folder folder;
  for (const char* sql :
       {"PRAGMA application_id = 1", "PRAGMA user_version = 1", "PRAGMA user_version = 3",
        "CREATE TABLE more (x)", "CREATE VIEW v AS SELECT 1",
        "CREATE TRIGGER t AFTER INSERT ON record BEGIN DELETE FROM record; END",
        "DROP INDEX by_entry", "ALTER TABLE record ADD COLUMN more TEXT", "DELETE FROM header",
        "INSERT INTO header SELECT * FROM header", "UPDATE header SET cap = 'epsilon 9'",
        "UPDATE header SET description = 'x'", "UPDATE header SET created = 'x'",
        "UPDATE header SET nonce = 'x'", "UPDATE header SET hash = 'x'"}) {
    fs::remove(folder / "l");
    Ledger::create(folder / "l", pure_budget("1"), "");
    edit(folder / "l", sql);
    EXPECT_EQ(code_of([&] { Ledger::open(folder / "l"); }), ErrorCode::kBadInput) << sql;
  }
  EXPECT_NE(message_of([&] {
              edit(folder / "l", "PRAGMA user_version = 7");
              Ledger::open(folder / "l");
            }).find("format 7"),
            std::string::npos);
}

// as_nobody: runs the work as a user without privileges; root may do everything.
int as_nobody(const std::function<int()>& work) {
  return run_child([&] {
    if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) return 77;
    return work();
  });
}

TEST(LedgerFileTest, ReadOnlyFileCanBeReadAndNotSpentFrom) {
  const Folder folder;
  Ledger::create(folder / "l", pure_budget("1"), "").spend(pure_spending("1/2"));
  ASSERT_EQ(chmod((folder / "l").c_str(), 0444), 0);
  ASSERT_EQ(chmod(folder.path().c_str(), 0755), 0);
  const int status = as_nobody([&] {
    if (code_of([&] { Ledger::open(folder / "l"); }) != ErrorCode::kStorage) return 1;
    Ledger ledger = Ledger::open(folder / "l", Ledger::Access::kRead);
    if (ledger.spent() != Cost::pure(rational("1/2")) || ledger.verify().damage) return 2;
    if (code_of([&] { ledger.spend(pure_spending("1/2")); }) != ErrorCode::kStorage) return 3;
    return code_of([&] { ledger.complete(1); }) == ErrorCode::kStorage ? 0 : 4;
  });
  if (status == 77) GTEST_SKIP() << "this user cannot become another one";
  EXPECT_EQ(status, 0);
}

TEST(LedgerFileTest, ReadOnlyFolderIsRefusedWithoutSpending) {
  const Folder folder;
  Ledger::create(folder / "l", pure_budget("1"), "");
  ASSERT_EQ(chmod((folder / "l").c_str(), 0666), 0);
  ASSERT_EQ(chmod(folder.path().c_str(), 0555), 0);
  const int status = as_nobody([&] {
    return code_of([&] { Ledger::open(folder / "l").spend(pure_spending("1/2")); }) ==
                   ErrorCode::kStorage
               ? 0
               : 1;
  });
  ASSERT_EQ(chmod(folder.path().c_str(), 0755), 0);
  if (status == 77) GTEST_SKIP() << "this user cannot become another one";
  EXPECT_EQ(status, 0);
  EXPECT_EQ(Ledger::open(folder / "l").spent(), Cost::pure(0));
}

TEST(LedgerFileTest, LockedTooLongIsAnErrorAndSpendsNothing) {
  const Folder folder;
  Ledger::create(folder / "l", pure_budget("1"), "");
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open((folder / "l").c_str(), &other), SQLITE_OK);
  Ledger ledger = Ledger::open(folder / "l", Ledger::Access::kSpend, std::chrono::milliseconds(20));
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_NE(message_of([&] { ledger.spend(pure_spending("1")); }).find("more than 20 ms"),
            std::string::npos);
  EXPECT_EQ(code_of([&] { ledger.spend(pure_spending("1")); }), ErrorCode::kStorage);
  sqlite3_close(other);
  EXPECT_EQ(ledger.spent(), Cost::pure(0));
  EXPECT_EQ(ledger.spend(pure_spending("1")).id, 1);
  EXPECT_EQ(refused_parameter([&] {
              Ledger::open(folder / "l", Ledger::Access::kRead, std::chrono::milliseconds(-1));
            }),
            "patience");
}

TEST(LedgerFileTest, ReaderThatHoldsTheFileDelaysTheCommitUntilItFails) {
  const Folder folder;
  Ledger::create(folder / "l", pure_budget("1"), "");
  sqlite3* reader = nullptr;
  ASSERT_EQ(sqlite3_open((folder / "l").c_str(), &reader), SQLITE_OK);
  Ledger ledger = Ledger::open(folder / "l", Ledger::Access::kSpend, std::chrono::milliseconds(20));
  ASSERT_EQ(sqlite3_exec(reader, "BEGIN; SELECT * FROM record, header", nullptr, nullptr, nullptr),
            SQLITE_OK);
  EXPECT_EQ(code_of([&] { ledger.spend(pure_spending("1")); }), ErrorCode::kStorage);
  sqlite3_close(reader);
  EXPECT_EQ(ledger.spent(), Cost::pure(0));
  EXPECT_EQ(ledger.spend(pure_spending("1")).id, 1);
}

}  // namespace ledger_test
}  // namespace lastbit
