// Plan, book, draw: a mean that a ledger pays for before its noise exists.
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "lastbit/lastbit.h"
#include "lastbit/random/tape.h"

namespace lb = lastbit;

namespace {

// release_mean: the order is that of book_then, and the cost is that of the chain.
void release_mean(lb::Ledger& ledger, const lb::Rational& epsilon,
                  const std::vector<double>& incomes, lb::BitSource& bits) {
  const auto plan = lb::plan_mean({.lower = 0,
                                   .upper = 200'000,
                                   .rows = lb::PublicSize{lb::Integer(incomes.size())},
                                   .epsilon = epsilon});
  const auto& chain = plan.chain();
  const lb::Spending spending = {.cost = lb::cost_of(chain.measure(), chain.map(1)),
                                 .plan = plan.description(),
                                 .data = "survey 2026",
                                 .unit = "row",
                                 .description = "mean income"};
  std::cout << "a mean for epsilon " << plan.epsilon().to_string() << ": ";
  try {
    const auto booked =
        lb::book_then(ledger, spending, [&] { return plan.release(incomes, bits); });
    std::cout << booked.value.answer.down() << " ± " << booked.value.accuracy << "; entry "
              << booked.entry.id << ", " << ledger.budget().left(booked.entry.total).to_string()
              << " left\n";
  } catch (const lb::Error& error) {
    if (error.code() != lb::ErrorCode::kBudget && error.code() != lb::ErrorCode::kRefused) throw;
    // error.what() would say the same in more words, with the remedy.
    std::cout << (error.code() == lb::ErrorCode::kBudget ? "too little is left" : "released before")
              << "; nothing was spent, nothing was drawn\n";
  }
}

}  // namespace

int main() {
  const auto folder =
      std::filesystem::temp_directory_path() / ("lastbit-example-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  lb::Ledger ledger =
      lb::Ledger::create(folder / "survey.ledger", lb::Budget(lb::Cost::pure(1)), "survey 2026");

  const std::vector<double> incomes(5'000, 40'000.0);
  lb::BitSource bits = lb::testing::seeded_tape(1);  // for a release: lb::thread_bit_source()
  release_mean(ledger, lb::rational("1/2"), incomes, bits);
  release_mean(ledger, lb::rational("1/2"), incomes, bits);
  release_mean(ledger, lb::rational("3/4"), incomes, bits);
  std::cout << "spent: " << ledger.spent().to_string() << "\n";
  std::filesystem::remove_all(folder);  // in an example only: whoever forgets a ledger overspends
}
