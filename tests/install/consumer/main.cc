// Uses an exact number, fresh bits, a plan and a ledger, so that the link needs GMP, MPFR, Arb, OpenSSL,
// SQLite and fmt. All of it comes through the one header.
#include <filesystem>
#include <iostream>

#include "lastbit/lastbit.h"

int main(int, char** arguments) {
  const lastbit::Rational sum = lastbit::rational("0.1") + lastbit::rational("0.2");
  lastbit::BitSource bits = lastbit::BitSource::secure();
  const bool fresh = bits.word() != bits.word();
  const bool exact = sum == lastbit::Rational(3, 10);
  std::cout << "1/10 + 2/10 = " << (exact ? "3/10 exactly" : sum.to_string())
            << "; two fresh words " << (fresh ? "differ" : "repeat");

  const auto plan = lastbit::plan_mean({.lower = 0, .upper = 1, .epsilon = sum});
  const std::filesystem::path file = std::filesystem::path(arguments[0]).concat(".ledger");
  std::filesystem::remove(file);
  lastbit::Ledger ledger =
      lastbit::Ledger::create(file, lastbit::Budget(lastbit::Cost::pure(1)), "consumer");
  const auto booked = lastbit::book_then(ledger, {.cost = lastbit::Cost::pure(plan.epsilon())},
                                         [&] { return plan.release({0.25, 0.75}, bits); });
  std::cout << "; a mean for " << booked.value.epsilon.to_string() << " is entry "
            << booked.entry.id << "\n";
  return 0;
}
