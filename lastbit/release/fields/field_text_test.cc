#include "lastbit/release/fields/field_text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "lastbit/numerics/rational.h"

namespace lastbit {
namespace field_text_test {

TEST(FieldTextTest, IntegersAreWholeNumbersOf64Bits) {
  EXPECT_EQ(read_integer("12"), 12);
  EXPECT_EQ(read_integer(" \t+007 "), 7);
  EXPECT_EQ(read_integer("-0"), 0);
  EXPECT_EQ(read_integer("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(read_integer("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  for (const char* text :
       {"9223372036854775808", "1.5", "0x10", "1_000", "", "+", "-", "+-1", "1 2", "1,000",
        "\xc2\xa0"
        "7",
        "７", "1\n"}) {
    EXPECT_EQ(read_integer(text), std::nullopt) << text;
  }
}

TEST(FieldTextTest, IntegersMayBeWrittenInAnyNotationThatIsExactlyWhole) {
  EXPECT_EQ(read_integer("1e+05"), 100'000);
  EXPECT_EQ(read_integer("5.0"), 5);
  EXPECT_EQ(read_integer("5."), 5);
  EXPECT_EQ(read_integer("1E3"), 1'000);
  EXPECT_EQ(read_integer("-0.0"), 0);
  EXPECT_EQ(read_integer("12300e-2"), 123);
  EXPECT_EQ(read_integer(" -1.25e2\t"), -125);
  EXPECT_EQ(read_integer("0.5e1"), 5);
  EXPECT_EQ(read_integer(".0005e4"), 5);
  EXPECT_EQ(read_integer("0e999999999999999999999999"), 0);
  EXPECT_EQ(read_integer("9223372036854775807.000"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(read_integer("-9223372036854775.808e3"), std::numeric_limits<std::int64_t>::min());
  for (const char* text : {"1.5",  "1e-1",        "12300e-3",     "9223372036854775808.0",
                           "1e19", "1e999999999", "1e-999999999", "1e99999999999999999999999",
                           "1e",   "1e+",         "e1",           ".",
                           ".e1",  "1e1.0",       "1.0.0",        "1 e3",
                           "1e 3", "--1.0",       "1e--1",        "1.0f",
                           "0x1p3"}) {
    EXPECT_EQ(read_integer(text), std::nullopt) << text;
  }
}

// One pass over ten million characters, and no number of that size.
TEST(FieldTextTest, LongNumbersAreReadInLittleTime) {
  const std::size_t size = 10'000'000;
  EXPECT_EQ(read_integer("1" + std::string(size, '0')), std::nullopt);
  EXPECT_EQ(read_integer(std::string(size, '9') + ".5"), std::nullopt);
  EXPECT_EQ(read_integer("7" + std::string(size, '0') + "e-10000000"), 7);
  EXPECT_EQ(read_integer("0." + std::string(size, '0') + "7e10000001"), 7);
  EXPECT_EQ(read_integer("1e" + std::string(size, '9')), std::nullopt);
  EXPECT_TRUE(read_unsigned(std::string(size, '0') + "7." + std::string(size, '0')) == Int128{7});
  EXPECT_FALSE(read_decimal("0." + std::string(size, '3'), 2));
}

// twin_scaled: the same number by exact rationals.
std::optional<Int128> twin_scaled(const std::string& digits, std::size_t point, int exponent,
                                  int decimals) {
  const Rational written = Rational(Integer::parse(digits)) /
                           Rational(pow(Integer(10), static_cast<unsigned>(digits.size() - point)));
  const int power = exponent + decimals;
  const Rational ten(pow(Integer(10), static_cast<unsigned>(std::abs(power))));
  const Rational scaled = power < 0 ? written / ten : written * ten;
  if (scaled.floor() != scaled.ceil() || scaled >= Rational(pow(Integer(10), 38))) {
    return std::nullopt;
  }
  Int128 number = 0;
  for (const char c : scaled.floor().to_string()) number = number * 10 + (c - '0');
  return number;
}

RC_GTEST_PROP(DecimalTest, EveryNotationMeansItsExactNumber, ()) {
  const auto size = *rc::gen::inRange<std::size_t>(1, 45);
  std::string digits;
  while (digits.size() < size) {
    digits += *rc::gen::element('0', '0', '0', '1', '5', '9');
  }
  const auto point = *rc::gen::inRange<std::size_t>(0, size + 1);
  const int exponent = *rc::gen::inRange(-50, 51);
  const int decimals = *rc::gen::element(0, 2, 18);
  std::string text = digits.substr(0, point) + "." + digits.substr(point);
  if (exponent != 0 || *rc::gen::arbitrary<bool>()) text += "e" + std::to_string(exponent);
  const auto expected = twin_scaled(digits, point, exponent, decimals);
  const auto found = read_decimal(text, decimals);
  RC_ASSERT(found.has_value() == expected.has_value());
  if (found) RC_ASSERT(*found == *expected);
  const auto negative = read_decimal("-" + text, decimals);
  RC_ASSERT(negative.has_value() == expected.has_value());
  if (negative) RC_ASSERT(*negative == -*expected);
}

TEST(FieldTextTest, TimestampsHaveADateATimeAndMaybeAnOffset) {
  const TimeZone& east = *std::get<const TimeZone*>(TimeZone::find("+01:00"));
  const auto read = [&](std::string_view text) { return read_timestamp(text, east); };
  EXPECT_EQ(read("1970-01-01T01:00:00"), 0);
  EXPECT_EQ(read(" 1970-01-01 01:00\t"), 0);
  EXPECT_EQ(read("1970-01-01 00:00:00Z"), 0);
  EXPECT_EQ(read("1969-12-31 19:00:00.000001-05:00"), 1);
  EXPECT_EQ(read("1970-01-01 00:00:00.5+00"), 500'000);
  EXPECT_EQ(read("0000-01-01 01:00"), kFirstInstant);
  EXPECT_EQ(read("0000-01-01 00:59:59"), std::nullopt);
  EXPECT_EQ(read("9999-12-31 23:59:59.999999Z"), kLastInstant);
  for (const char* text : {"",
                           "1970-01-01",
                           "1970-01-01T",
                           "1970-01-01 1:00",
                           "1970-01-01  01:00",
                           "1970-01-01 24:00",
                           "1970-01-01 01:60",
                           "1970-01-01 01:00:60",
                           "1970-01-01 01:00:00.",
                           "1970-01-01 01:00.5",
                           "1970-01-01 01:00:00.1234567",
                           "1970-02-30 01:00",
                           "1970-01-01 01:00 Z",
                           "1970-01-01 01:00z",
                           "1970-01-01 01:00+1",
                           "1970-01-01 01:00+0100",
                           "1970-01-01 01:00+24:00",
                           "1970-01-01 01:00+01:",
                           "1970-01-01t01:00",
                           "19700101T010000",
                           "+1970-01-01 01:00"}) {
    EXPECT_EQ(read(text), std::nullopt) << text;
  }
}

TEST(FieldTextTest, TimesAreThoseOfADay) {
  EXPECT_EQ(read_time("00:00"), 0);
  EXPECT_EQ(read_time(" 23:59:59.999999 "), kDayMicros - 1);
  for (const char* text : {"", "1:00", "24:00", "10", "10:00Z", "10:00:00.", "10:00:00.0000001"}) {
    EXPECT_EQ(read_time(text), std::nullopt) << text;
  }
}

TEST(FieldTextTest, DecimalsAreWholeMultiplesOfTheLastPlaceOfTheirType) {
  EXPECT_TRUE(read_decimal("1.500", 2) == Int128{150});
  EXPECT_TRUE(read_decimal("1e2", 2) == Int128{10'000});
  EXPECT_TRUE(read_decimal("-15e-1", 2) == Int128{-150});
  EXPECT_TRUE(read_decimal("1.0" + std::string(60, '0'), 0) == Int128{1});
  EXPECT_TRUE(read_decimal("19.99", 2) == Int128{1999});
  EXPECT_TRUE(read_decimal(" -.5 ", 2) == Int128{-50});
  EXPECT_TRUE(read_decimal("+7.", 2) == Int128{700});
  EXPECT_TRUE(read_decimal("-0", 2) == Int128{0});
  EXPECT_TRUE(read_decimal(std::string(50, '0') + "1", 0) == Int128{1});
  EXPECT_TRUE(read_decimal(std::string(38, '9'), 0) == kDecimalEnd - 1);
  EXPECT_TRUE(read_decimal("-" + std::string(36, '9') + ".99", 2) == 1 - kDecimalEnd);
  for (const std::string& text :
       {std::string("1.005"), std::string("1e-3"), std::string(""), std::string("."),
        std::string("1,5"), std::string("--1"), std::string("0x1"), std::string(37, '9'),
        std::string(100, '9')}) {
    EXPECT_FALSE(read_decimal(text, 2)) << text;
  }
}

TEST(FieldTextTest, UnsignedNumbersAreBelowTwoTo64) {
  EXPECT_TRUE(read_unsigned(" +18446744073709551615") == (static_cast<Int128>(1) << 64) - 1);
  EXPECT_TRUE(read_unsigned("0") == Int128{0});
  EXPECT_TRUE(read_unsigned("-0.0") == Int128{0});
  EXPECT_TRUE(read_unsigned("1.8446744073709551615e19") == (static_cast<Int128>(1) << 64) - 1);
  for (const char* text : {"18446744073709551616", "-1", "-1.0", "1.5", "1e20", "", "+", "-"}) {
    EXPECT_FALSE(read_unsigned(text)) << text;
  }
}

TEST(FieldTextTest, RealsAreDecimals) {
  EXPECT_EQ(read_real("0.1"), 0.1);
  EXPECT_EQ(read_real("+5.e1"), 50);
  EXPECT_EQ(read_real(" .5 "), 0.5);
  EXPECT_EQ(read_real("5e-324"), 5e-324);
  EXPECT_EQ(read_real("1e-400"), 0);
  EXPECT_EQ(read_real("0e99999999999999999999"), 0);
  EXPECT_EQ(read_real("1e309"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(read_real("-1e99999999999999999999"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(read_real("0." + std::string(400, '0') + "1e800"),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(read_real("1" + std::string(400, '0') + "e-800"), 0);
  for (const char* text : {"inf", "nan", "infinity", "1,5", "0x10", "5%", "", ".", "e5", "1e",
                           "1e+", "1.2.3", "--1", "1f", "1d"}) {
    EXPECT_EQ(read_real(text), std::nullopt) << text;
  }
}

TEST(FieldTextTest, BooleansAndDates) {
  EXPECT_EQ(read_boolean("TrUe"), true);
  EXPECT_EQ(read_boolean(" 0"), false);
  for (const char* text : {"yes", "t", "on", "", "01", "truе"}) {
    EXPECT_EQ(read_boolean(text), std::nullopt) << text;
  }
  EXPECT_EQ(read_date("1970-01-02"), 1);
  EXPECT_EQ(read_date("0000-01-01"), kFirstDay);
  EXPECT_EQ(read_date(" 9999-12-31 "), kLastDay);
  EXPECT_EQ(read_date("2024-02-29"), 19782);
  for (const char* text : {"2023-02-29", "2026-3-1", "2026-13-01", "2026-00-01", "01.03.2026",
                           "2026-03-01 10:00", "67560-05-01", "-001-01-01"}) {
    EXPECT_EQ(read_date(text), std::nullopt) << text;
  }
}

// Whether no double is nearer to the exact number, ties to even.
bool is_nearest(double value, const Rational& exact) {
  const double above = std::nextafter(value, std::numeric_limits<double>::infinity());
  const double below = std::nextafter(value, -std::numeric_limits<double>::infinity());
  const Rational error = abs(Rational::exactly(value) - exact);
  const Rational other =
      std::min(abs(Rational::exactly(above) - exact), abs(Rational::exactly(below) - exact));
  return error < other || (error == other && (std::bit_cast<std::uint64_t>(value) & 1) == 0);
}

RC_GTEST_PROP(DecimalTest, DoubleIsTheNearestOne, (std::int64_t high, std::uint64_t low)) {
  const Int128 number = (static_cast<Int128>(high) << 62) + static_cast<Int128>(low >> 2);
  for (const int scale : {1, 2, 10, 22, 23, 38}) {
    for (const Int128 n : {number, number >> 40, number >> 70, number >> 90}) {
      const Rational exact(Integer(n), pow(Integer(10), static_cast<unsigned>(scale)));
      RC_ASSERT(is_nearest(decimal_to_double(n, scale), exact));
    }
  }
}

}  // namespace field_text_test
}  // namespace lastbit
