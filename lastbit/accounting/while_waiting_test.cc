#include "lastbit/accounting/while_waiting.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <chrono>
#include <filesystem>
#include <functional>

#include "lastbit/accounting/test_support.h"
#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"

namespace lastbit {
namespace while_waiting_test {

using accounting_testing::Folder;
using accounting_testing::pure_budget;
using accounting_testing::pure_spending;
using std::chrono::milliseconds;

// Holder: another program that holds a lock of the file.
class Holder {
 public:
  Holder(const std::filesystem::path& path, const char* how) {
    EXPECT_EQ(sqlite3_open(path.c_str(), &connection_), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(connection_, how, nullptr, nullptr, nullptr), SQLITE_OK);
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  ~Holder() { sqlite3_close(connection_); }

 private:
  sqlite3* connection_ = nullptr;
};

struct Interruption {};

// Interrupted: a check that throws the third time that it is called.
class Interrupted {
 public:
  explicit Interrupted(int after = 3)
      : left_(after), waiting_([this] {
          if (--left_ == 0) throw Interruption();
        }) {}
  int left() const { return left_; }

 private:
  int left_;
  WhileWaiting waiting_;
};

class WaitingTest : public testing::Test {
 protected:
  WaitingTest() : ledger_(Ledger::create(folder_ / "l", pure_budget("1"), "")) {
    ledger_.spend(pure_spending("1/3"));
  }
  Ledger impatient() {
    return Ledger::open(folder_ / "l", Ledger::Access::kSpend, milliseconds(300));
  }

  Folder folder_;
  Ledger ledger_;
};

TEST_F(WaitingTest, EndsWithWhatIsThrownAndNothingIsBooked) {
  const auto start = std::chrono::steady_clock::now();
  {
    const Holder holder(folder_ / "l", "BEGIN EXCLUSIVE");
    {
      const Interrupted interrupted;
      EXPECT_THROW(ledger_.spend(pure_spending("1/3")), Interruption);
    }
    {
      const Interrupted interrupted;
      EXPECT_THROW(ledger_.verify(), Interruption);
    }
    {
      const Interrupted interrupted;
      EXPECT_THROW(Ledger::open(folder_ / "l"), Interruption);
    }
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  EXPECT_EQ(ledger_.verify().entries.size(), 1U);
  // What was thrown is not thrown again.
  EXPECT_EQ(ledger_.spend(pure_spending("1/3")).id, 2);
}

TEST_F(WaitingTest, EndsAlsoWhereReadersHoldUpTheCommit) {
  {
    const Holder reader(folder_ / "l", "BEGIN; SELECT * FROM record");
    const Interrupted interrupted;
    EXPECT_THROW(ledger_.spend(pure_spending("1/3")), Interruption);
  }
  EXPECT_EQ(ledger_.verify().entries.size(), 1U);
  EXPECT_EQ(ledger_.spend(pure_spending("1/3")).id, 2);
}

TEST_F(WaitingTest, LastsAsLongAsThePatienceWithoutACheck) {
  Ledger ledger = impatient();
  const Holder holder(folder_ / "l", "BEGIN EXCLUSIVE");
  for (const bool quiet : {false, true}) {
    const Interrupted outer;
    const WhileWaiting inner(quiet ? std::function<void()>() : [] {});
    const auto start = std::chrono::steady_clock::now();
    expect_code(ErrorCode::kStorage, [&] { ledger.spend(pure_spending("1/3")); });
    EXPECT_GE(std::chrono::steady_clock::now() - start, milliseconds(300));
    EXPECT_EQ(outer.left(), 3);
  }
}

TEST_F(WaitingTest, TheEndOfAReleaseIsNotInterrupted) {
  Ledger ledger = impatient();
  const Holder holder(folder_ / "l", "BEGIN EXCLUSIVE");
  const Interrupted interrupted;
  expect_code(ErrorCode::kStorage, [&] { ledger.complete(1); });
  EXPECT_EQ(interrupted.left(), 3);
}

TEST_F(WaitingTest, NobodyLooksWhereNobodyWaits) {
  const Interrupted interrupted(1);
  ledger_.spend(pure_spending("1/3"));
  ledger_.verify();
  EXPECT_EQ(interrupted.left(), 1);
}

}  // namespace while_waiting_test
}  // namespace lastbit
