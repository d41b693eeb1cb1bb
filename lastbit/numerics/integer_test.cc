#include "lastbit/numerics/integer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <string>
#include <type_traits>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"

namespace lastbit {
namespace integer_test {

constexpr std::int64_t kMin64 = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax64 = std::numeric_limits<std::int64_t>::max();

TEST(IntegerTest, EveryBuiltInIntegerConvertsWithoutLoss) {
  EXPECT_EQ(Integer(kMin64).to_string(), "-9223372036854775808");
  EXPECT_EQ(Integer(kMax64).to_string(), "9223372036854775807");
  EXPECT_EQ(Integer(std::numeric_limits<std::uint64_t>::max()).to_string(), "18446744073709551615");
  EXPECT_EQ(Integer(std::int8_t{-128}), Integer(-128));
  EXPECT_EQ(Integer(std::uint8_t{255}), Integer(255));
  EXPECT_EQ(Integer(), Integer(0));
}

TEST(IntegerTest, WideIntegersConvertWithoutLoss) {
  const auto max = static_cast<Int128>(~UInt128{0} >> 1);
  EXPECT_EQ(Integer(max).to_string(), "170141183460469231731687303715884105727");
  EXPECT_EQ(Integer(-max - 1).to_string(), "-170141183460469231731687303715884105728");
  EXPECT_EQ(Integer(~UInt128{0}).to_string(), "340282366920938463463374607431768211455");
  EXPECT_EQ(Integer(Int128{-1}), Integer(-1));
  EXPECT_EQ(Integer(Int128{0}), Integer(0));
}

TEST(IntegerTest, ADoubleNeverConverts) {
  static_assert(!std::is_convertible_v<double, Integer>);
  static_assert(!std::is_constructible_v<Integer, double>);
  static_assert(!std::is_constructible_v<Integer, float>);
}

TEST(IntegerTest, ParseReadsSignedDigits) {
  EXPECT_EQ(Integer::parse("42"), Integer(42));
  EXPECT_EQ(Integer::parse("+42"), Integer(42));
  EXPECT_EQ(Integer::parse("-0"), Integer(0));
  EXPECT_EQ(Integer::parse("-0007"), Integer(-7));
  EXPECT_EQ(Integer::parse("1" + std::string(60, '0')), pow(Integer(10), 60));
}

TEST(IntegerTest, ParseRefusesEverythingElse) {
  for (const std::string& text :
       {std::string(), std::string("+"), std::string("-"), std::string("--1"), std::string("1.0"),
        std::string(" 1"), std::string("1 "), std::string("0x1"), std::string("1e3"),
        std::string("nan"), std::string("1\0002", 3), std::string("1_000"), std::string("١"),
        std::string(Integer::kMaxTextLength + 1, '1')}) {
    EXPECT_EQ(code_of([&] { Integer::parse(text); }), ErrorCode::kBadText) << text.substr(0, 20);
  }
}

TEST(IntegerTest, FitsInt64ExactlyInItsRange) {
  EXPECT_TRUE(Integer(kMin64).fits_int64());
  EXPECT_TRUE(Integer(kMax64).fits_int64());
  EXPECT_FALSE((Integer(kMin64) - 1).fits_int64());
  EXPECT_FALSE((Integer(kMax64) + 1).fits_int64());
  EXPECT_EQ(Integer(kMin64).to_int64(), kMin64);
  EXPECT_EQ(code_of([] { (Integer(kMax64) + 1).to_int64(); }), ErrorCode::kInternal);
}

TEST(IntegerTest, BitLengthIsTheExponentOfTheNextPowerOfTwo) {
  EXPECT_EQ(Integer(0).bit_length(), 0u);
  EXPECT_EQ(Integer(-1).bit_length(), 1u);
  for (unsigned n = 1; n < 200; ++n) {
    EXPECT_EQ(Integer::two_to(n).bit_length(), n + 1);
    EXPECT_EQ((Integer::two_to(n) - 1).bit_length(), n);
  }
}

TEST(IntegerTest, ImpossibleSizesAreErrorsAndNotCrashes) {
  EXPECT_EQ(code_of([] { Integer::two_to(~std::uint64_t{0}); }), ErrorCode::kBadParameter);
  EXPECT_EQ(code_of([] { pow(Integer(3), 4'000'000'000u); }), ErrorCode::kBadParameter);
  EXPECT_EQ(code_of([] { floor_div(Integer(1), Integer(0)); }), ErrorCode::kInternal);
  EXPECT_EQ(code_of([] { floor_mod(Integer(1), Integer(0)); }), ErrorCode::kInternal);
  EXPECT_EQ(pow(Integer(-1), 4'000'000'001u), Integer(-1));
  EXPECT_EQ(pow(Integer(0), 0), Integer(1));
}

RC_GTEST_PROP(IntegerTest, FloorDivisionSatisfiesItsDefinition, (std::int64_t a, std::int64_t b)) {
  RC_PRE(b != 0);
  const Integer quotient = floor_div(Integer(a), Integer(b));
  const Integer rest = floor_mod(Integer(a), Integer(b));
  RC_ASSERT(quotient * b + rest == Integer(a));
  const Integer low(b > 0 ? 0 : b);
  const Integer high(b > 0 ? b : 0);
  RC_ASSERT((low <= rest && rest <= high && rest != Integer(b)));
}

RC_GTEST_PROP(IntegerTest, ArithmeticAgreesWithMachineWords, (std::int32_t a, std::int32_t b)) {
  const auto wide_a = static_cast<std::int64_t>(a);
  RC_ASSERT(Integer(a) + b == Integer(wide_a + b));
  RC_ASSERT(Integer(a) - b == Integer(wide_a - b));
  RC_ASSERT(Integer(a) * b == Integer(wide_a * b));
  RC_ASSERT((Integer(a) <=> Integer(b)) == (a <=> b));
  RC_ASSERT(abs(Integer(a)) == Integer(wide_a < 0 ? -wide_a : wide_a));
}

RC_GTEST_PROP(IntegerTest, TextRoundTrips, (std::int64_t a, std::int64_t b, std::int64_t c)) {
  const Integer value = Integer(a) * b * c;
  RC_ASSERT(Integer::parse(value.to_string()) == value);
}

}  // namespace integer_test
}  // namespace lastbit
