// What the tests of ledgers share. For tests only; not installed.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <system_error>
#include <utility>

#include "lastbit/accounting/ledger.h"

namespace lastbit::accounting_testing {

// Folder: a new folder that is removed at the end; in memory where the system offers that, because
// otherwise thousands of entries wait for the disk.
class Folder {
 public:
  Folder() {
    std::error_code ignored;
    const bool in_memory = access("/dev/shm", W_OK) == 0;
    std::string name =
        (in_memory ? "/dev/shm" : std::filesystem::temp_directory_path(ignored).string()) +
        "/lastbit-ledger-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "no folder for tests";
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path operator/(const char* name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline Budget pure_budget(const char* epsilon) { return Budget(Cost::pure(rational(epsilon))); }
// pure_spending: without a plan, so that it is never a repeat.
inline Spending pure_spending(const char* epsilon) {
  return {.cost = Cost::pure(rational(epsilon)),
          .data = "survey",
          .unit = "row",
          .description = "count",
          .mechanisms = "laplace 1"};
}
// spending_of_plan: the same with a plan.
inline Spending spending_of_plan(const char* epsilon, const char* plan) {
  Spending spending = pure_spending(epsilon);
  spending.plan = plan;
  return spending;
}

// edit: runs SQL on a ledger file, as anyone who can write the file may. In ledger_damage_test.cc.
void edit(const std::filesystem::path& path, const std::string& sql);

// downgrade: the same ledger in the format from before there were units. Its entries may have none.
inline void downgrade(const std::filesystem::path& path) {
  edit(path, "ALTER TABLE record DROP COLUMN unit; PRAGMA user_version = 1");
}

// start_child: a process that runs `work` and ends with what it returns; 99 when it throws.
inline pid_t start_child(const std::function<int()>& work) {
  const pid_t child = fork();
  if (child != 0) return child;
  int status = 99;
  try {
    status = work();
  } catch (...) {
    status = 99;
  }
  _exit(status);
}
// exit_status: the exit status of the child, or −1 when a signal ended it.
inline int exit_status(pid_t child) {
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
inline int run_child(const std::function<int()>& work) { return exit_status(start_child(work)); }

// RecordedNumbers: random numbers, the same in every run (splitmix64).
class RecordedNumbers {
 public:
  explicit RecordedNumbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }

 private:
  std::uint64_t state_;
};

}  // namespace lastbit::accounting_testing
