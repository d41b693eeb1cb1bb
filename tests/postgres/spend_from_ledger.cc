// Clients of one ledger, for the tests in this folder: each is a thread with a Ledger of its own.
//
// spend_from_ledger LEDGER CLIENTS SPENDINGS PATIENCE_MS [fork]
// It prints a line for each spending: "drawn ENTRY" when spend() returned, which is when noise
// would be drawn; otherwise the code and the problem of the error. With `fork`, a child tries to
// use the ledger before its parent does.
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "lastbit/accounting/ledger.h"
#include "lastbit/base/error.h"

namespace {

std::mutex lines;

void say(const std::string& line) {
  const std::lock_guard guard(lines);
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

using lastbit::Ledger;

void spend(Ledger& ledger) {
  const auto entry = ledger.spend({.cost = lastbit::Cost::pure(lastbit::Rational::parse("1/7")),
                                   .data = "survey",
                                   .unit = "row"});
  say(fmt::format("drawn {}", entry.id));
}

void say_error(const lastbit::Error& error) {
  say(fmt::format("{}: {}", lastbit::error_code_name(error.code()), error.problem()));
}

void spend_often(const lastbit::LedgerAddress& address, int count,
                 std::chrono::milliseconds patience) {
  std::optional<Ledger> ledger;
  for (int i = 0; i < count; ++i) {
    try {
      if (!ledger) ledger.emplace(Ledger::open(address, Ledger::Access::kSpend, patience));
      spend(*ledger);
    } catch (const lastbit::Error& error) {
      say_error(error);
    }
  }
}

// spend_in_child: with the ledger of its parent, which the child's end may not disturb.
void spend_in_child(Ledger ledger) {
  try {
    spend(ledger);
  } catch (const lastbit::Error& error) {
    say_error(error);
  }
}

int fork_then_spend(const lastbit::LedgerAddress& address, std::chrono::milliseconds patience) {
  Ledger ledger = Ledger::open(address, Ledger::Access::kSpend, patience);
  const pid_t child = fork();
  if (child == 0) {
    spend_in_child(std::move(ledger));
    return 0;
  }
  waitpid(child, nullptr, 0);
  spend(ledger);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 64;
  const lastbit::LedgerAddress address(argv[1]);
  const std::chrono::milliseconds patience(std::stoi(argv[4]));
  if (argc > 5) return fork_then_spend(address, patience);
  std::vector<std::thread> clients;
  for (int i = 0; i < std::stoi(argv[2]); ++i) {
    clients.emplace_back(spend_often, address, std::stoi(argv[3]), patience);
  }
  for (std::thread& client : clients) client.join();
  return 0;
}
