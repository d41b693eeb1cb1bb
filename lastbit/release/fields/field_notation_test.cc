#include "lastbit/release/fields/field_notation.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <ctime>

#include "lastbit/release/fields/field_text.h"

namespace lastbit {
namespace field_notation_test {

const std::string kNoBreakSpace = "\xc2\xa0";

TEST(FieldNotationTest, NumbersMayHaveACommaAndPointsBetweenGroups) {
  const FieldNotation german{.decimal = ',', .thousands = "."};
  EXPECT_EQ(read_real("1.234,5", german), 1234.5);
  EXPECT_EQ(read_real(" -1.234.567,25e1\t", german), -12345672.5);
  EXPECT_EQ(read_real("1234,5", german), 1234.5);
  EXPECT_EQ(read_integer("1.000", german), 1000);
  EXPECT_EQ(read_integer("+12.345.678,0", german), 12'345'678);
  EXPECT_EQ(read_integer("0,5", german), std::nullopt);
  EXPECT_EQ(read_integer("0,0", german), 0);
  EXPECT_TRUE(read_decimal("1.234,50", 2, german) == Int128{123'450});
  EXPECT_TRUE(read_unsigned("1.234", german) == Int128{1234});
  for (const char* text :
       {"1.5", "1.23", "1.2345", "1234.567", "0.123", ".123", "1..234", "1.234.", "1,234.567",
        "1,5.0", "1,2,3", "1.23,4", "-.123", "1 234", "", ",", ".", "1.234 567", "1.234,5x"}) {
    EXPECT_EQ(read_real(text, german), std::nullopt) << text;
  }
}

TEST(FieldNotationTest, GroupsMayBeSeparatedBySpacesAndApostrophes) {
  EXPECT_EQ(read_integer("1 234 567", {.thousands = " "}), 1'234'567);
  EXPECT_EQ(read_integer("1 234  567", {.thousands = " "}), std::nullopt);
  EXPECT_EQ(read_integer("1'234", {.thousands = "'"}), 1234);
  const FieldNotation french{.decimal = ',', .thousands = kNoBreakSpace};
  EXPECT_EQ(read_real("12" + kNoBreakSpace + "345,5", french), 12345.5);
  EXPECT_EQ(read_real("12 345,5", french), std::nullopt);
  const FieldNotation english{.thousands = ","};
  EXPECT_EQ(read_real("1,234.5", english), 1234.5);
  EXPECT_EQ(read_real("1234.5", english), 1234.5);
  EXPECT_EQ(read_real("1,23.5", english), std::nullopt);
}

// Other ways of writing a number do not change what it is.
RC_GTEST_PROP(FieldNotationTest, GroupedNumbersAreTheNumbersWithoutGroups, (std::int64_t number)) {
  const std::string digits = std::to_string(number);
  std::string grouped;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const std::size_t rest = digits.size() - i;
    const bool first = i == 0 || (i == 1 && digits[0] == '-');
    if (rest % 3 == 0 && !first) grouped += ".";
    grouped += digits[i];
  }
  RC_ASSERT(read_integer(grouped, {.decimal = ',', .thousands = "."}) == number);
  RC_ASSERT(read_integer(grouped + ",00", {.decimal = ',', .thousands = "."}) == number);
}

TEST(FieldNotationTest, DateFormatsHaveEachPartOnce) {
  for (const char* format : {"%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%Y%m%d", "%-d.%-m.%Y",
                             "%Y-%-m-%-d", "%Y年%m月%d日", "le %d/%m/%Y"}) {
    EXPECT_TRUE(is_date_format(format)) << format;
  }
  for (const char* format :
       {"", "%Y", "%Y-%m", "%d.%m.%y", "%d.%m.%Y %H:%M", "%Y-%m-%d-%d", "%-d%m.%Y", "%-Y-%m-%d",
        "%", "%Y-%m-%", "%Y-%m-%-", " %Y-%m-%d", "%Y-%m-%d ", "%Y0%m%d", "%%%Y%m%d", "%Y\n%m%d"}) {
    EXPECT_FALSE(is_date_format(format)) << format;
  }
}

TEST(FieldNotationTest, DatesFollowTheFormatExactly) {
  const FieldNotation german{.date_format = "%d.%m.%Y"};
  EXPECT_EQ(read_date(" 01.03.2026 ", german), read_date("2026-03-01"));
  EXPECT_EQ(read_date("29.02.2024", german), read_date("2024-02-29"));
  for (const char* text : {"1.3.2026", "2026-03-01", "29.02.2023", "01.13.2026", "01.03.26",
                           "01.03.20260", "01.03.2026 10:00", "01 03 2026", "", "01.03."}) {
    EXPECT_EQ(read_date(text, german), std::nullopt) << text;
  }
  const FieldNotation loose{.date_format = "%-d/%-m/%Y"};
  EXPECT_EQ(read_date("1/3/2026", loose), read_date("2026-03-01"));
  EXPECT_EQ(read_date("01/03/2026", loose), read_date("2026-03-01"));
  EXPECT_EQ(read_date("001/3/2026", loose), std::nullopt);
  EXPECT_EQ(read_date("20260301", {.date_format = "%Y%m%d"}), read_date("2026-03-01"));
}

TEST(FieldNotationTest, TimestampsHaveTheirDateInThatFormat) {
  const TimeZone& utc = TimeZone::utc();
  const FieldNotation german{.date_format = "%d.%m.%Y"};
  const auto expected = read_timestamp("2026-03-01 10:00:30.5", utc);
  EXPECT_EQ(read_timestamp("01.03.2026 10:00:30.5", utc, german), expected);
  EXPECT_EQ(read_timestamp("01.03.2026T12:00:30.5+02:00", utc, german), expected);
  for (const char* text : {"2026-03-01 10:00", "01.03.2026", "01.03.2026  10:00",
                           "01.03.2026 10:00 ............................................"}) {
    EXPECT_EQ(read_timestamp(text, utc, german), std::nullopt) << text;
  }
}

TEST(FieldNotationTest, WordsOfBooleansReplaceTheUsualOnes) {
  const FieldNotation french{.true_texts = {"oui", "O"}, .false_texts = {"non"}};
  EXPECT_EQ(read_boolean(" oui ", french), true);
  EXPECT_EQ(read_boolean("O", french), true);
  EXPECT_EQ(read_boolean("non", french), false);
  for (const char* text : {"Oui", "true", "1", "0", "false", "", "o"}) {
    EXPECT_EQ(read_boolean(text, french), std::nullopt) << text;
  }
  const FieldNotation half{.true_texts = {"x"}};
  EXPECT_EQ(read_boolean("x", half), true);
  EXPECT_EQ(read_boolean("0", half), false);
  EXPECT_EQ(read_boolean("1", half), std::nullopt);
}

}  // namespace field_notation_test
}  // namespace lastbit
