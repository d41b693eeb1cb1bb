#include "lastbit/base/csv.h"

#include <gtest/gtest.h>

#include "lastbit/base/test_support.h"

namespace lastbit {
namespace csv_test {

std::string text(std::string_view plain) { return CsvField::text(plain).written(); }

TEST(CsvTest, TextIsInQuotesAndItsOwnQuotesAreDoubled) {
  EXPECT_EQ(text("north"), "\"north\"");
  EXPECT_EQ(text(""), "\"\"");
  EXPECT_EQ(text("say \"a,b\"\nand more"), "\"say \"\"a,b\"\"\nand more\"");
}

TEST(CsvTest, WhatASpreadsheetWouldRunIsText) {
  EXPECT_EQ(text("=1+1"), "\"'=1+1\"");
  EXPECT_EQ(text("+1"), "\"'+1\"");
  EXPECT_EQ(text("@SUM(A1)"), "\"'@SUM(A1)\"");
  EXPECT_EQ(text("\t=1"), "\"'\t=1\"");
  EXPECT_EQ(text("\r=1"), "\"'\r=1\"");
  EXPECT_EQ(text("-1+cmd"), "\"'-1+cmd\"");
  EXPECT_EQ(text("-"), "\"'-\"");
  EXPECT_EQ(text("a=1"), "\"a=1\"");
  // What looks like it stays different from it.
  EXPECT_EQ(text("'=1+1"), "\"''=1+1\"");
  EXPECT_EQ(text("'a"), "\"'a\"");
}

TEST(CsvTest, NegativeNumbersStayNumbers) {
  EXPECT_EQ(text("-12.5"), "\"-12.5\"");
  EXPECT_EQ(CsvField::word("-1.5e-7").written(), "-1.5e-7");
  EXPECT_EQ(CsvField::word("1/3").written(), "1/3");
}

TEST(CsvTest, WordsHoldNothingThatNeedsQuotes) {
  for (const char* word : {"", "a b", "a,b", "\"", "=1", "+1", "@a", "-a", "-", "a\n", "é"}) {
    EXPECT_EQ(code_of([&] { (void)CsvField::word(word); }), ErrorCode::kInternal) << word;
  }
}

TEST(CsvTest, ALineHasCommasBetweenAndItsEndBehind) {
  EXPECT_EQ(csv_line({CsvField::word("a"), CsvField::nothing(), CsvField::text("b")}),
            "a,,\"b\"\r\n");
  EXPECT_EQ(csv_line({CsvField::nothing(), CsvField::word("1")}, "\n"), ",1\n");
}

}  // namespace csv_test
}  // namespace lastbit
