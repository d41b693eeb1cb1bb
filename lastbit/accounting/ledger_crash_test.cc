// Killed processes, failing disks and many processes at once: what is released is never missing
// from the ledger, and the cap is never exceeded.
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "lastbit/accounting/ledger.h"
#include "lastbit/accounting/test_support.h"
#include "lastbit/base/test_support.h"

namespace lastbit {
namespace ledger_crash_test {

using accounting_testing::downgrade;
using accounting_testing::exit_status;
using accounting_testing::Folder;
using accounting_testing::pure_budget;
using accounting_testing::pure_spending;
using accounting_testing::RecordedNumbers;
using accounting_testing::run_child;
using accounting_testing::start_child;
namespace fs = std::filesystem;

// A disk that ends the process, or fails, at the n-th change that SQLite asks of it: a layer over
// the real one, used by child processes only.

struct Trap {
  enum class Kind { kKill, kKillMidway, kFail, kFull };
  Kind kind = Kind::kKill;
  int countdown = 0;  // triggers when it reaches 0; −1: never
};
Trap trap;
sqlite3_vfs layer;
sqlite3_vfs* disk = nullptr;

// A file of the layer; the real one follows it in the same memory.
struct LayerFile {
  sqlite3_file base;
};
sqlite3_file* real(sqlite3_file* file) {
  return reinterpret_cast<sqlite3_file*>(reinterpret_cast<std::byte*>(file) +
                                         alignof(std::max_align_t) * 2);
}

// sprung: whether this change is the one that fails; a killing trap does not return.
bool sprung() {
  if (trap.countdown < 0 || --trap.countdown != 0) return false;
  trap.countdown = -1;
  if (trap.kind == Trap::Kind::kKill) raise(SIGKILL);
  return true;
}
int failure(int code) { return trap.kind == Trap::Kind::kFull ? SQLITE_FULL : code; }

int layer_close(sqlite3_file* file) { return real(file)->pMethods->xClose(real(file)); }
int layer_read(sqlite3_file* file, void* to, int size, sqlite3_int64 at) {
  return real(file)->pMethods->xRead(real(file), to, size, at);
}
int layer_write(sqlite3_file* file, const void* from, int size, sqlite3_int64 at) {
  if (sprung()) {
    if (trap.kind != Trap::Kind::kKillMidway) return failure(SQLITE_IOERR_WRITE);
    real(file)->pMethods->xWrite(real(file), from, size / 2, at);
    raise(SIGKILL);
  }
  return real(file)->pMethods->xWrite(real(file), from, size, at);
}
int layer_truncate(sqlite3_file* file, sqlite3_int64 size) {
  if (sprung()) return failure(SQLITE_IOERR_TRUNCATE);
  return real(file)->pMethods->xTruncate(real(file), size);
}
int layer_sync(sqlite3_file* file, int flags) {
  if (sprung()) return failure(SQLITE_IOERR_FSYNC);
  return real(file)->pMethods->xSync(real(file), flags);
}
int layer_file_size(sqlite3_file* file, sqlite3_int64* size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}
int layer_lock(sqlite3_file* file, int level) {
  return real(file)->pMethods->xLock(real(file), level);
}
int layer_unlock(sqlite3_file* file, int level) {
  return real(file)->pMethods->xUnlock(real(file), level);
}
int layer_check_reserved_lock(sqlite3_file* file, int* held) {
  return real(file)->pMethods->xCheckReservedLock(real(file), held);
}
int layer_file_control(sqlite3_file* file, int operation, void* argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}
int layer_sector_size(sqlite3_file* file) { return real(file)->pMethods->xSectorSize(real(file)); }
int layer_characteristics(sqlite3_file* file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}
const sqlite3_io_methods kLayerMethods = {1,
                                          layer_close,
                                          layer_read,
                                          layer_write,
                                          layer_truncate,
                                          layer_sync,
                                          layer_file_size,
                                          layer_lock,
                                          layer_unlock,
                                          layer_check_reserved_lock,
                                          layer_file_control,
                                          layer_sector_size,
                                          layer_characteristics,
                                          nullptr,
                                          nullptr,
                                          nullptr,
                                          nullptr,
                                          nullptr,
                                          nullptr};

int layer_open(sqlite3_vfs* /*vfs*/, const char* name, sqlite3_file* file, int flags, int* out) {
  file->pMethods = nullptr;
  if ((flags & SQLITE_OPEN_MAIN_JOURNAL) != 0 && sprung()) return failure(SQLITE_CANTOPEN);
  const int code = disk->xOpen(disk, name, real(file), flags, out);
  if (code == SQLITE_OK) file->pMethods = &kLayerMethods;
  return code;
}
int layer_delete(sqlite3_vfs* /*vfs*/, const char* name, int sync_folder) {
  if (sprung()) {
    if (trap.kind != Trap::Kind::kKillMidway) return failure(SQLITE_IOERR_DELETE);
    disk->xDelete(disk, name, 0);
    raise(SIGKILL);
  }
  return disk->xDelete(disk, name, sync_folder);
}

// set_trap: from now on this process works on the layer.
void set_trap(Trap::Kind kind, int countdown) {
  disk = sqlite3_vfs_find(nullptr);
  layer = *disk;
  layer.zName = "layer";
  layer.szOsFile = disk->szOsFile + static_cast<int>(alignof(std::max_align_t)) * 2;
  layer.xOpen = layer_open;
  layer.xDelete = layer_delete;
  sqlite3_vfs_register(&layer, 1);
  trap = {kind, countdown};
}

// release: spends, and only then writes "noise" that names its entry.
void release(Ledger& ledger, const fs::path& noise) {
  const LedgerEntry entry = ledger.spend(pure_spending("1/3"), {.same_people = true});
  std::ofstream(noise, std::ios::app) << entry.id << "\n" << std::flush;
}

std::vector<std::int64_t> noise_lines(const fs::path& path) {
  std::ifstream file(path);
  std::vector<std::int64_t> ids;
  // An incomplete last line was cut off by the kill; its beginning still counts as noise.
  for (std::int64_t id = 0; file >> id;) ids.push_back(id);
  return ids;
}

// expect_covered: the ledger is whole, and holds an entry for every noise line.
LedgerContents expect_covered(const fs::path& ledger, const fs::path& noise) {
  LedgerContents contents = Ledger::open(ledger).verify();
  EXPECT_FALSE(contents.damage.has_value());
  const auto ids = noise_lines(noise);
  EXPECT_LE(ids.size(), contents.entries.size());
  EXPECT_EQ(std::set<std::int64_t>(ids.begin(), ids.end()).size(), ids.size());
  for (const std::int64_t id : ids) {
    EXPECT_GE(id, 1);
    EXPECT_LE(id, static_cast<std::int64_t>(contents.entries.size()));
  }
  return contents;
}

// expect_covered_at_every_change: a second release, killed at its first change, at its second, and
// so on, until it survives. `is_old`: it finds a ledger in the old format.
void expect_covered_at_every_change(Trap::Kind kind, bool is_old) {
  const Folder folder;
  int kills = 0;
  int without_noise = 0;  // entries whose release was killed before it drew
  bool survived = false;
  for (int change = 1; !survived; ++change) {
    ASSERT_LT(change, 200);
    const fs::path path = folder / "l";
    const fs::path noise = folder / "noise";
    fs::remove(path);
    fs::remove(noise);
    Spending first = pure_spending("1/3");
    if (is_old) first.unit = "";
    Ledger::create(path, pure_budget("100"), "").spend(first);
    if (is_old) downgrade(path);
    const int status = run_child([&] {
      set_trap(kind, change);
      Ledger ledger = Ledger::open(path);
      release(ledger, noise);
      return 0;
    });
    survived = status == 0;
    kills += survived ? 0 : 1;
    const LedgerContents contents = expect_covered(path, noise);
    if (contents.entries.size() == 2 && noise_lines(noise).empty()) ++without_noise;
    // The next one goes on as if nothing had happened.
    Ledger next = Ledger::open(path);
    release(next, noise);
    EXPECT_EQ(expect_covered(path, noise).entries.size(), contents.entries.size() + 1);
  }
  EXPECT_GE(kills, 15);
  // Deleting the journal is the commit: killed in the middle of it, the entry already exists.
  EXPECT_EQ(without_noise, kind == Trap::Kind::kKillMidway ? 1 : 0);
}

class KilledAtEveryChangeTest : public ::testing::TestWithParam<Trap::Kind> {};

TEST_P(KilledAtEveryChangeTest, EntryIsThereOrThereIsNoNoise) {
  expect_covered_at_every_change(GetParam(), false);
}
TEST_P(KilledAtEveryChangeTest, SoItIsWhenTheFormatChanges) {
  expect_covered_at_every_change(GetParam(), true);
}
INSTANTIATE_TEST_SUITE_P(Kills, KilledAtEveryChangeTest,
                         ::testing::Values(Trap::Kind::kKill, Trap::Kind::kKillMidway));

class FailingDiskTest : public ::testing::TestWithParam<Trap::Kind> {};

TEST_P(FailingDiskTest, EveryFailureIsAnErrorAndTheLedgerGoesOn) {
  const Folder folder;
  bool survived = false;
  int failures = 0;
  for (int change = 1; !survived; ++change) {
    ASSERT_LT(change, 200);
    const fs::path path = folder / "l";
    const fs::path noise = folder / "noise";
    fs::remove(path);
    fs::remove(noise);
    Ledger::create(path, pure_budget("100"), "").spend(pure_spending("1/3"));
    const int status = run_child([&] {
      set_trap(GetParam(), change);
      Ledger ledger = Ledger::open(path);
      try {
        release(ledger, noise);
        return trap.countdown < 0 ? 3 : 0;  // 3: failed without an error
      } catch (const Error& error) {
        if (error.code() != ErrorCode::kStorage) return 4;
      }
      release(ledger, noise);  // the disk works again
      return 5;
    });
    survived = status == 0;
    EXPECT_TRUE(survived || status == 5) << change << ": " << status;
    failures += status == 5 ? 1 : 0;
    expect_covered(path, noise);
  }
  EXPECT_GE(failures, 15);
}
INSTANTIATE_TEST_SUITE_P(Failures, FailingDiskTest,
                         ::testing::Values(Trap::Kind::kFail, Trap::Kind::kFull));

TEST(KilledLedgerTest, TwoHundredKillsAtRandomMomentsLoseNothing) {
  const Folder folder;
  RecordedNumbers numbers(3);
  std::size_t released = 0;
  for (int round = 0; round < 200; ++round) {
    const fs::path path = folder / ("l" + std::to_string(round)).c_str();
    const fs::path noise = folder / ("noise" + std::to_string(round)).c_str();
    Ledger::create(path, pure_budget("1000000"), "");
    const pid_t child = start_child([&] {
      Ledger ledger = Ledger::open(path);
      for (;;) release(ledger, noise);
      return 0;
    });
    // Three out of four are killed after their first release, however slow the machine.
    for (int i = 0; round % 4 != 0 && i < 10'000 && !fs::exists(noise); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(numbers.below(6'000)));
    ASSERT_EQ(kill(child, SIGKILL), 0);
    EXPECT_EQ(exit_status(child), -1);
    expect_covered(path, noise);
    released += noise_lines(noise).size();
  }
  EXPECT_GE(released, 100U);
}

TEST(ConcurrentLedgerTest, TwoHundredProcessesNeverExceedTheCap) {
  const Folder folder;
  Ledger::create(folder / "l", pure_budget("20"), "");  // room for 60
  std::vector<pid_t> children;
  for (int i = 0; i < 200; ++i) {
    children.push_back(start_child([&] {
      Ledger ledger = Ledger::open(folder / "l");
      try {
        ledger.complete(ledger.spend(pure_spending("1/3")).id);
        return 0;
      } catch (const Error& error) {
        return error.code() == ErrorCode::kBudget ? 1 : 2;
      }
    }));
  }
  std::size_t spent = 0;
  for (const pid_t child : children) {
    const int status = exit_status(child);
    EXPECT_TRUE(status == 0 || status == 1) << status;
    spent += status == 0 ? 1 : 0;
  }
  EXPECT_EQ(spent, 60U);
  const LedgerContents contents = Ledger::open(folder / "l").verify();
  EXPECT_FALSE(contents.damage.has_value());
  EXPECT_EQ(contents.entries.size(), spent);
  EXPECT_EQ(contents.spent, Cost::pure(20));
  for (const LedgerEntry& entry : contents.entries) EXPECT_TRUE(entry.completed.has_value());
}

TEST(ConcurrentLedgerTest, OneOfManyCreatesTheLedger) {
  const Folder folder;
  std::vector<pid_t> children;
  for (int i = 0; i < 40; ++i) {
    children.push_back(start_child([&] {
      try {
        Ledger::create(folder / "l", pure_budget("1"), "");
        return 0;
      } catch (const Error& error) {
        return error.code() == ErrorCode::kBadInput ? 1 : 2;
      }
    }));
  }
  int created = 0;
  for (const pid_t child : children) {
    const int status = exit_status(child);
    EXPECT_LE(status, 1);
    created += status == 0 ? 1 : 0;
  }
  EXPECT_EQ(created, 1);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

TEST(FullDiskTest, FileSizeLimitIsAnErrorAndLosesNothing) {
  const Folder folder;
  const fs::path path = folder / "l";
  Ledger::create(path, pure_budget("100"), "");
  const int status = run_child([&] {
    signal(SIGXFSZ, SIG_IGN);
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    const rlim_t before = limit.rlim_cur;
    limit.rlim_cur = 64 * 1024;
    setrlimit(RLIMIT_FSIZE, &limit);
    Ledger ledger = Ledger::open(path);
    Spending spending = pure_spending("1/3");
    spending.description = std::string(2000, 'x');
    int done = 0;
    try {
      for (; done < 100; ++done) ledger.spend(spending);
      return 90;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kStorage) return 91;
    }
    if (ledger.spent() != Cost::pure(Rational(done, 3))) return 92;
    limit.rlim_cur = before;
    setrlimit(RLIMIT_FSIZE, &limit);
    ledger.spend(spending);
    return done;
  });
  EXPECT_GT(status, 5);
  ASSERT_LT(status, 90);
  const LedgerContents contents = Ledger::open(path).verify();
  EXPECT_FALSE(contents.damage.has_value());
  EXPECT_EQ(contents.entries.size(), static_cast<std::size_t>(status) + 1);
}

TEST(FullDiskTest, LedgerThatCannotBeCreatedLeavesNothingBehind) {
  const Folder folder;
  EXPECT_EQ(run_child([&] {
              signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{4096, 4096};
              setrlimit(RLIMIT_FSIZE, &limit);
              return code_of([&] { Ledger::create(folder / "l", pure_budget("1"), ""); }) ==
                             ErrorCode::kStorage
                         ? 7
                         : 8;
            }),
            7);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

}  // namespace ledger_crash_test
}  // namespace lastbit
