// Ledgers changed by other programs: every change is noticed, and none causes a crash.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "lastbit/accounting/ledger.h"
#include "lastbit/accounting/test_support.h"
#include "lastbit/base/test_support.h"

namespace lastbit {

void accounting_testing::edit(const std::filesystem::path& path, const std::string& sql) {
  sqlite3* connection = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &connection), SQLITE_OK);
  char* message = nullptr;
  EXPECT_EQ(sqlite3_exec(connection, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK)
      << sql << ": " << message;
  sqlite3_free(message);
  sqlite3_close(connection);
}

namespace ledger_damage_test {

using accounting_testing::edit;
using accounting_testing::Folder;
using accounting_testing::pure_budget;
using accounting_testing::pure_spending;
using accounting_testing::RecordedNumbers;
using accounting_testing::spending_of_plan;
namespace fs = std::filesystem;

// Three entries, of which two are completed: five records.
LedgerContents make_ledger(const fs::path& path) {
  Ledger ledger = Ledger::create(path, pure_budget("2"), "survey");
  ledger.spend(spending_of_plan("1/3", "digest 1"));
  ledger.spend(spending_of_plan("0.25", "digest 2"));
  ledger.complete(2);
  ledger.spend(spending_of_plan("1/7", "digest 3"));
  ledger.complete(1);
  return ledger.verify();
}

std::optional<LedgerDamage> damage_of(const fs::path& path,
                                      const std::optional<std::string>& head = std::nullopt) {
  return Ledger::open(path, Ledger::Access::kRead).verify(head).damage;
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write_file(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// RawTable: the ledger file, opened directly with SQLite, to change single fields quickly.
class RawTable {
 public:
  explicit RawTable(const fs::path& path) {
    EXPECT_EQ(sqlite3_open(path.c_str(), &connection_), SQLITE_OK);
    sqlite3_exec(connection_, "PRAGMA synchronous = OFF", nullptr, nullptr, nullptr);
  }
  RawTable(const RawTable&) = delete;
  RawTable& operator=(const RawTable&) = delete;
  ~RawTable() { sqlite3_close(connection_); }

  std::string text(const std::string& column, int id) { return run(column, id, nullptr); }
  void set(const std::string& column, int id, const std::string& value) { run(column, id, &value); }

 private:
  std::string run(const std::string& column, int id, const std::string* value) {
    const std::string sql = value == nullptr
                                ? "SELECT " + column + " FROM record WHERE id = ?1"
                                : "UPDATE record SET " + column + " = ?2 WHERE id = ?1";
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(connection_, sql.c_str(), -1, &statement, nullptr), SQLITE_OK);
    sqlite3_bind_int(statement, 1, id);
    if (value != nullptr) {
      sqlite3_bind_text(statement, 2, value->data(), static_cast<int>(value->size()),
                        SQLITE_TRANSIENT);
    }
    const int code = sqlite3_step(statement);
    std::string result;
    if (code == SQLITE_ROW) {
      result = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
    } else {
      EXPECT_EQ(code, SQLITE_DONE);
    }
    sqlite3_finalize(statement);
    return result;
  }

  sqlite3* connection_ = nullptr;
};

// One recorded bit of every byte; for the short fields all bits.
TEST(LedgerDamageTest, EveryFlippedBitOfATextIsNoticed) {
  const Folder folder;
  make_ledger(folder / "l");
  const Ledger ledger = Ledger::open(folder / "l", Ledger::Access::kRead);
  RawTable table(folder / "l");
  RecordedNumbers numbers(1);
  int flips = 0;
  for (int id = 1; id <= 5; ++id) {
    for (const char* column : {"kind", "time", "plan", "data", "unit", "description", "mechanisms",
                               "cost", "total", "previous", "hash"}) {
      const std::string original = table.text(column, id);
      const bool all_bits = original.size() < 12;
      for (std::size_t i = 0; i < original.size(); ++i) {
        for (unsigned bit = 0; bit < 8; ++bit) {
          if (!all_bits && numbers.below(8) != bit) continue;
          std::string changed = original;
          changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
          table.set(column, id, changed);
          const auto damage = ledger.verify().damage;
          ASSERT_TRUE(damage.has_value()) << id << " " << column << " " << i << " " << bit;
          ASSERT_EQ(damage->record, id);
          ++flips;
        }
      }
      table.set(column, id, original + "x");
      ASSERT_TRUE(ledger.verify().damage.has_value());
      table.set(column, id, original);
    }
  }
  EXPECT_GT(flips, 1500);
  EXPECT_FALSE(ledger.verify().damage.has_value());
}

TEST(LedgerDamageTest, EveryFlippedBitOfANumberIsNoticed) {
  const Folder folder;
  make_ledger(folder / "l");
  const std::string bytes = read_file(folder / "l");
  for (const char* column : {"id", "entry"}) {
    for (unsigned bit = 0; bit < 64; bit += 3) {
      write_file(folder / "l", bytes);
      const std::string sql = "UPDATE record SET " + std::string(column) + " = (" + column +
                              " | (1 << " + std::to_string(bit) + ")) - (" + column + " & (1 << " +
                              std::to_string(bit) +
                              ")) WHERE hash = (SELECT max(hash) FROM record)";
      sqlite3* connection = nullptr;
      ASSERT_EQ(sqlite3_open((folder / "l").c_str(), &connection), SQLITE_OK);
      // If the index forbids the change, there is nothing to notice.
      const bool done =
          sqlite3_exec(connection, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
      sqlite3_close(connection);
      EXPECT_EQ(damage_of(folder / "l").has_value(), done) << column << " " << bit;
    }
  }
}

TEST(LedgerDamageTest, RemovedInsertedAndExchangedRecordsAreNoticed) {
  const Folder folder;
  make_ledger(folder / "l");
  const std::string bytes = read_file(folder / "l");
  for (const char* sql :
       {"DELETE FROM record WHERE id = 1", "DELETE FROM record WHERE id = 3",
        "DELETE FROM record WHERE id = 4", "DELETE FROM record WHERE id < 4",
        "INSERT INTO record SELECT 6, kind, 9, time, plan, data, description, mechanisms, cost, "
        "total, "
        "previous, hash, unit FROM record WHERE id = 5",
        "INSERT INTO record SELECT 0, kind, 9, time, plan, data, description, mechanisms, cost, "
        "total, "
        "previous, hash, unit FROM record WHERE id = 1",
        "UPDATE record SET id = 90 WHERE id = 1; UPDATE record SET id = 1 WHERE id = 2;"
        "UPDATE record SET id = 2 WHERE id = 90"}) {
    write_file(folder / "l", bytes);
    edit(folder / "l", sql);
    EXPECT_TRUE(damage_of(folder / "l").has_value()) << sql;
  }
}

TEST(LedgerDamageTest, CutEndShowsOnlyAgainstANotedHead) {
  const Folder folder;
  const LedgerContents whole = make_ledger(folder / "l");
  edit(folder / "l", "DELETE FROM record WHERE id = 5");
  EXPECT_FALSE(damage_of(folder / "l").has_value());
  EXPECT_FALSE(damage_of(folder / "l", whole.entries[2].hash).has_value());
  EXPECT_EQ(damage_of(folder / "l", whole.head).value_or(LedgerDamage{9, ""}).record, 0);
}

TEST(LedgerDamageTest, NotedHeadMayBeAnyEarlierOne) {
  const Folder folder;
  Ledger ledger = Ledger::create(folder / "l", pure_budget("2"), "");
  std::vector<std::string> heads = {ledger.verify().head};
  for (int i = 0; i < 3; ++i) {
    ledger.spend(pure_spending("0.1"));
    heads.push_back(ledger.verify().head);
  }
  for (const std::string& head : heads) EXPECT_FALSE(ledger.verify(head).damage.has_value());
  EXPECT_TRUE(ledger.verify(std::string(64, '0')).damage.has_value());
  // Another ledger with the same entries has another chain.
  Ledger other = Ledger::create(folder / "m", pure_budget("2"), "");
  EXPECT_TRUE(other.verify(heads.front()).damage.has_value());
}

TEST(LedgerDamageTest, SpendingStopsAtALastRecordThatDoesNotFit) {
  const Folder folder;
  for (const char* sql :
       {"UPDATE record SET total = 'epsilon 0' WHERE id = 5",
        "UPDATE record SET hash = 'x' WHERE id = 5", "UPDATE record SET id = 9 WHERE id = 5",
        "UPDATE record SET id = -9 WHERE id > 0 AND id < 2; DELETE FROM record "
        "WHERE id > 0"}) {
    fs::remove(folder / "l");
    make_ledger(folder / "l");
    edit(folder / "l", sql);
    Ledger ledger = Ledger::open(folder / "l");
    EXPECT_EQ(code_of([&] { ledger.spend(pure_spending("1/100")); }), ErrorCode::kBadInput) << sql;
    EXPECT_EQ(code_of([&] { ledger.complete(3); }), ErrorCode::kBadInput) << sql;
    EXPECT_EQ(code_of([&] { ledger.spent(); }), ErrorCode::kBadInput) << sql;
  }
}

bool same_contents(const LedgerContents& a, const LedgerContents& b) {
  if (a.head != b.head || a.records != b.records || a.spent != b.spent) return false;
  if (a.description != b.description || a.entries.size() != b.entries.size()) return false;
  for (std::size_t i = 0; i < a.entries.size(); ++i) {
    if (a.entries[i].hash != b.entries[i].hash) return false;
    if (a.entries[i].completed != b.entries[i].completed) return false;
  }
  return true;
}

// One recorded bit of every fifth byte of the file, and of every byte of its header: refused,
// noticed, or without effect.
TEST(LedgerDamageTest, FlippedBitOfTheFileIsNoticedOrChangesNothing) {
  const Folder folder;
  const LedgerContents whole = make_ledger(folder / "l");
  const std::string bytes = read_file(folder / "l");
  RecordedNumbers numbers(2);
  int noticed = 0;
  for (std::size_t i = 0; i < bytes.size(); i += i < 120 ? 1 : 5) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ (1 << numbers.below(8)));
    const fs::path path = folder / "flipped";
    write_file(path, changed);
    try {
      const LedgerContents contents = Ledger::open(path, Ledger::Access::kRead).verify(whole.head);
      if (contents.damage) {
        ++noticed;
      } else {
        ASSERT_TRUE(same_contents(contents, whole)) << i;
      }
    } catch (const Error& error) {
      ASSERT_TRUE(error.code() == ErrorCode::kBadInput || error.code() == ErrorCode::kStorage)
          << i << ": " << error.what();
      ++noticed;
    }
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) fs::remove(path.string() + suffix);
  }
  EXPECT_GT(noticed, 300);
}

TEST(LedgerDamageTest, CutFileIsNoticed) {
  const Folder folder;
  make_ledger(folder / "l");
  const std::string bytes = read_file(folder / "l");
  for (std::size_t size = 0; size < bytes.size(); size += 509) {
    write_file(folder / "cut", bytes.substr(0, size));
    bool noticed = false;
    try {
      noticed = Ledger::open(folder / "cut", Ledger::Access::kRead).verify().damage.has_value();
    } catch (const Error& error) {
      noticed = error.code() == ErrorCode::kBadInput;
    }
    EXPECT_TRUE(noticed) << size;
  }
}

}  // namespace ledger_damage_test
}  // namespace lastbit
