#include "lastbit/accounting/book.h"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>

#include "lastbit/accounting/test_support.h"
#include "lastbit/base/error.h"

namespace lastbit {
namespace book_test {

using accounting_testing::Folder;
using accounting_testing::pure_budget;
using accounting_testing::pure_spending;
using accounting_testing::spending_of_plan;

void expect_refusal(ErrorCode code, const std::function<void()>& action) {
  try {
    action();
    ADD_FAILURE() << "nothing was refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
  }
}

// LedgerFile: a ledger with a cap of 1, also read through a second connection.
class LedgerFile {
 public:
  LedgerFile() : ledger(Ledger::create(folder_ / "l", pure_budget("1"), "")) {}
  LedgerContents contents() const {
    return Ledger::open(folder_ / "l", Ledger::Access::kRead).verify();
  }

 private:
  Folder folder_;

 public:
  Ledger ledger;
};

TEST(BookThenTest, TheSpendingIsInTheFileWhenTheDrawBegins) {
  LedgerFile file;
  int calls = 0;
  const Booked<std::string> booked = book_then(file.ledger, pure_spending("1/3"), [&] {
    ++calls;
    const LedgerContents contents = file.contents();
    EXPECT_EQ(contents.spent, Cost::pure(rational("1/3")));
    EXPECT_EQ(contents.entries.size(), 1U);
    EXPECT_FALSE(contents.entries.at(0).completed.has_value());
    return std::string("drawn");
  });
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(booked.value, "drawn");
  EXPECT_EQ(booked.entry.id, 1);
  EXPECT_EQ(booked.entry.price, Cost::pure(rational("1/3")));
  EXPECT_TRUE(booked.completed);
  EXPECT_TRUE(file.contents().entries.at(0).completed.has_value());
}

TEST(BookThenTest, NothingIsDrawnWhenTheLedgerRefuses) {
  LedgerFile file;
  int calls = 0;
  const auto draw = [&calls] { return ++calls; };
  EXPECT_EQ(book_then(file.ledger, spending_of_plan("2/3", "a"), draw).value, 1);
  const LedgerContents before = file.contents();

  expect_refusal(ErrorCode::kBudget,
                 [&] { book_then(file.ledger, spending_of_plan("1/2", "b"), draw); });
  expect_refusal(ErrorCode::kRefused,
                 [&] { book_then(file.ledger, spending_of_plan("1/6", "a"), draw); });
  Spending others = pure_spending("1/6");
  others.unit = "column person";
  expect_refusal(ErrorCode::kRefused, [&] { book_then(file.ledger, others, draw); });
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(file.contents().head, before.head);

  // What the caller confirms is booked and drawn.
  EXPECT_EQ(book_then(file.ledger, spending_of_plan("1/6", "a"), draw, {.again = true}).value, 2);
}

TEST(BookThenTest, WhatThrowsWhileItDrawsStaysSpent) {
  LedgerFile file;
  const auto fail = []() -> int { throw std::runtime_error("no entropy"); };
  EXPECT_THROW(book_then(file.ledger, pure_spending("1/4"), fail), std::runtime_error);
  const LedgerContents contents = file.contents();
  EXPECT_EQ(contents.spent, Cost::pure(rational("1/4")));
  ASSERT_EQ(contents.entries.size(), 1U);
  EXPECT_FALSE(contents.entries[0].completed.has_value());
}

TEST(BookThenTest, AnAnswerIsKeptWhoseEndCannotBeNoted) {
  LedgerFile file;
  const auto booked = book_then(file.ledger, pure_spending("1/4"), [&] {
    file.ledger.complete(1);  // so that it cannot be completed again
    return 7;
  });
  EXPECT_EQ(booked.value, 7);
  EXPECT_FALSE(booked.completed);
  EXPECT_EQ(file.ledger.spent(), Cost::pure(rational("1/4")));
}

}  // namespace book_test
}  // namespace lastbit
