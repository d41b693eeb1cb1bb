#include "lastbit/transformations/rows/cast.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <clocale>
#include <cmath>
#include <limits>

namespace lastbit {
namespace cast_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();
constexpr std::int64_t kMin64 = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax64 = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kTwoTo53 = std::int64_t{1} << 53;

// Two optional doubles are the same to the last bit.
bool same(const std::optional<double>& a, const std::optional<double>& b) {
  return identical(a, b);
}

TEST(CastTest, DoubleToIntegerTakesWholeNumbersInRange) {
  const auto cast = [](double value) { return cast_value<std::int64_t>(value); };
  EXPECT_EQ(cast(0.0), 0);
  EXPECT_EQ(cast(-0.0), 0);
  EXPECT_EQ(cast(-3.0), -3);
  EXPECT_EQ(cast(0x1p62), std::int64_t{1} << 62);
  EXPECT_EQ(cast(-0x1p63), kMin64);
  EXPECT_EQ(cast(std::nextafter(0x1p63, 0)), kMax64 - 1023);
  for (const double none :
       {0.5, -0.5, 4503599627370495.5, 0x1p63, std::nextafter(-0x1p63, -kInfinity), 1e300, kTiny,
        kInfinity, -kInfinity, kNan, -kNan}) {
    EXPECT_EQ(cast(none), std::nullopt) << none;
  }
}

TEST(CastTest, IntegerToDoubleTakesExactNumbersOnly) {
  const auto cast = [](std::int64_t value) { return cast_value<double>(value); };
  EXPECT_TRUE(same(cast(0), 0.0));
  EXPECT_TRUE(same(cast(kTwoTo53), 0x1p53));
  EXPECT_TRUE(same(cast(kTwoTo53 + 2), 0x1p53 + 2));
  EXPECT_TRUE(same(cast(kMin64), -0x1p63));
  EXPECT_TRUE(same(cast(kMax64 - 1023), std::nextafter(0x1p63, 0)));
  for (const std::int64_t none : {kTwoTo53 + 1, -kTwoTo53 - 1, kMax64, kMax64 - 1, kMin64 + 1}) {
    EXPECT_EQ(cast(none), std::nullopt) << none;
  }
}

TEST(CastTest, TextToIntegerReadsWholeTextsOnly) {
  const auto cast = [](const std::string& text) { return cast_value<std::int64_t>(text); };
  EXPECT_EQ(cast("0"), 0);
  EXPECT_EQ(cast("-0"), 0);
  EXPECT_EQ(cast("007"), 7);
  EXPECT_EQ(cast("9223372036854775807"), kMax64);
  EXPECT_EQ(cast("-9223372036854775808"), kMin64);
  for (const std::string none :
       {"", "-", "+5", " 5", "5 ", "5.0", "1e3", "0x10", "--5", "5-", "9223372036854775808",
        "-9223372036854775809", "1,000", "1_000", "٣", "nan"}) {
    EXPECT_EQ(cast(none), std::nullopt) << none;
  }
  EXPECT_EQ(cast(std::string("5\0", 2)), std::nullopt);
}

TEST(CastTest, TextToDoubleReadsTheNearestDouble) {
  const auto cast = [](const std::string& text) { return cast_value<double>(text); };
  EXPECT_TRUE(same(cast("0.1"), 0.1));
  EXPECT_TRUE(same(cast("-0"), -0.0));
  EXPECT_TRUE(same(cast(".5"), 0.5));
  EXPECT_TRUE(same(cast("5."), 5.0));
  EXPECT_TRUE(same(cast("1e3"), 1000.0));
  EXPECT_TRUE(same(cast("1E-3"), 0.001));
  EXPECT_TRUE(same(cast("9007199254740993"), 0x1p53));  // 2^53 + 1 is a tie, to even
  EXPECT_TRUE(same(cast("5e-324"), kTiny));
  EXPECT_TRUE(same(cast("2.2250738585072011e-308"), 0x0.fffffffffffffp-1022));
  EXPECT_TRUE(same(cast("1.7976931348623157e308"), std::numeric_limits<double>::max()));
  EXPECT_TRUE(same(cast("inf"), kInfinity));
  EXPECT_TRUE(same(cast("-Infinity"), -kInfinity));
}

TEST(CastTest, TextThatIsNoDoubleIsNull) {
  const auto cast = [](const std::string& text) { return cast_value<double>(text); };
  for (const std::string none :
       {"",      ".",      "-",      "e5",      "1e",       "1e+", "+1",   " 1",
        "1 ",    "0x1p3",  "1,5",    "1.5.2",   "nan",      "NaN", "-nan", "nan(1)",
        "1e400", "-1e400", "1e-400", "-1e-400", "infinite", "1/2", "٣"}) {
    EXPECT_EQ(cast(none), std::nullopt) << none;
  }
  EXPECT_EQ(cast(std::string("1\0", 2)), std::nullopt);
  EXPECT_EQ(cast(std::string(100'000, '9')), std::nullopt);
}

TEST(CastTest, BooleansAreZeroAndOneAndTheirWords) {
  EXPECT_EQ(cast_value<bool>(std::int64_t{0}), false);
  EXPECT_EQ(cast_value<bool>(std::int64_t{1}), true);
  EXPECT_EQ(cast_value<bool>(std::int64_t{2}), std::nullopt);
  EXPECT_EQ(cast_value<bool>(kMin64), std::nullopt);
  EXPECT_EQ(cast_value<bool>(-0.0), false);
  EXPECT_EQ(cast_value<bool>(1.0), true);
  for (const double none : {kTiny, 0.5, -1.0, kInfinity, kNan}) {
    EXPECT_EQ(cast_value<bool>(none), std::nullopt) << none;
  }
  for (const std::string yes : {"true", "TRUE", "True", "tRuE", "1"}) {
    EXPECT_EQ(cast_value<bool>(yes), true) << yes;
  }
  for (const std::string no : {"false", "FALSE", "False", "0"}) {
    EXPECT_EQ(cast_value<bool>(no), false) << no;
  }
  for (const std::string none : {"", "t", "yes", "true ", "truer", "01", "1.0", "tru\xe9"}) {
    EXPECT_EQ(cast_value<bool>(none), std::nullopt) << none;
  }
  EXPECT_EQ(cast_value<std::int64_t>(true), 1);
  EXPECT_TRUE(same(cast_value<double>(false), 0.0));
  EXPECT_EQ(cast_value<std::string>(true), "true");
}

TEST(CastTest, NumbersAreWrittenWithoutLoss) {
  EXPECT_EQ(cast_value<std::string>(kMin64), "-9223372036854775808");
  EXPECT_EQ(cast_value<std::string>(0.1), "0.1");
  EXPECT_EQ(cast_value<std::string>(-0.0), "-0");
  EXPECT_EQ(cast_value<std::string>(kTiny), "5e-324");
  EXPECT_EQ(cast_value<std::string>(kInfinity), "inf");
  EXPECT_EQ(cast_value<std::string>(-kInfinity), "-inf");
  EXPECT_EQ(cast_value<std::string>(kNan), std::nullopt);
}

TEST(CastTest, CastToTheSameTypeOnlyRemovesNan) {
  EXPECT_TRUE(same(cast_value<double>(-0.0), -0.0));
  EXPECT_TRUE(same(cast_value<double>(kInfinity), kInfinity));
  EXPECT_EQ(cast_value<double>(kNan), std::nullopt);
  EXPECT_EQ(cast_value<std::string>(std::string("nan")), "nan");
  EXPECT_EQ(cast_value<std::int64_t>(kMax64), kMax64);
  EXPECT_EQ(cast_value<bool>(true), true);
}

TEST(CastTest, LocaleIsNotConsulted) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8"}) {
    if (std::setlocale(LC_ALL, name) != nullptr) break;
  }
  EXPECT_TRUE(same(cast_value<double>(std::string("1.5")), 1.5));
  EXPECT_EQ(cast_value<double>(std::string("1,5")), std::nullopt);
  EXPECT_EQ(cast_value<std::string>(1.5), "1.5");
  std::setlocale(LC_ALL, before.c_str());
}

RC_GTEST_PROP(CastTest, DoublesComeBackFromText, (std::uint64_t bits)) {
  const auto value = std::bit_cast<double>(bits);
  const auto text = cast_value<std::string>(value);
  RC_ASSERT(text.has_value() == !std::isnan(value));
  if (text) RC_ASSERT(same(cast_value<double>(*text), value));
}

// The second way: exact rationals decide which integers are doubles, and which doubles integers.
RC_GTEST_PROP(CastTest, NumbersAreExactOrNull, (std::int64_t wide)) {
  const std::int64_t value = wide >> *rc::gen::inRange(0, 63);
  const Rational exact(value);
  const auto cast = cast_value<double>(value);
  RC_ASSERT(cast.has_value() == (exact.down() == exact.up()));
  if (cast) {
    RC_ASSERT(Rational::exactly(*cast) == exact);
    RC_ASSERT(cast_value<std::int64_t>(*cast) == value);
  }
  const double quarter = static_cast<double>(value) / 4;
  const Rational number = Rational::exactly(quarter);
  RC_ASSERT(cast_value<std::int64_t>(quarter).has_value() ==
            (number.is_integer() && number.floor().fits_int64()));
}

TEST(CastTest, RowsBecomeOptionalForEveryPairOfTypes) {
  const auto cast = make_cast<double>(vector_of(strings()), SymmetricDistance{});
  EXPECT_EQ(cast.output_domain(), vector_of(optional_of(doubles())));
  EXPECT_EQ(cast({"1.5", "x", "nan", ""}),
            (std::vector<std::optional<double>>{1.5, std::nullopt, std::nullopt, std::nullopt}));
  EXPECT_EQ(cast.map(rational("5/2")), Distance(rational("5/2")));
  const auto sure = make_cast<std::string>(vector_of(booleans(), 2), HammingDistance{});
  EXPECT_EQ(sure.output_domain(), vector_of(optional_of(strings()), 2));
  EXPECT_EQ(sure({true, false}), (std::vector<std::optional<std::string>>{"true", "false"}));
  const auto bounded = make_cast<double>(vector_of(interval(0, 3)), InsertDeleteDistance{});
  EXPECT_EQ(bounded({3}), (std::vector<std::optional<double>>{3.0}));
}

TEST(CastTest, ResultIsAMemberOfTheOutputDomainWhateverComesIn) {
  const auto cast = make_cast<double>(vector_of(doubles()), SymmetricDistance{});
  EXPECT_TRUE(cast.output_domain().contains(cast({kNan, kInfinity, -0.0})));
}

TEST(CastOrTest, PutsTheDefaultWhereNothingCanBeRead) {
  const auto cast = make_cast_or<std::int64_t>(vector_of(strings()), SymmetricDistance{}, -1);
  EXPECT_EQ(cast.output_domain(), vector_of(integers()));
  EXPECT_EQ(cast({"7", "seven", "7.0"}), (std::vector<std::int64_t>{7, -1, -1}));
  EXPECT_EQ(cast.map(3), Distance(3));
  const auto chain = make_cast<std::string>(vector_of(integers()), SymmetricDistance{}) >>
                     make_impute_constant("") >> make_cast_or<double>(0);
  EXPECT_EQ(chain({12}), (std::vector<double>{12.0}));
}

TEST(CastOrTest, RefusesADefaultThatIsNoMember) {
  const auto named = [](const auto& action) {
    try {
      action();
    } catch (const Error& error) {
      return error.code() == ErrorCode::kBadParameter &&
             error.problem().find("`otherwise`") != std::string::npos;
    }
    return false;
  };
  EXPECT_TRUE(named([] { make_cast_or<double>(vector_of(strings()), SymmetricDistance{}, kNan); }));
  EXPECT_TRUE(named([] { make_cast_or<double>(rational("1/3")); }));
  EXPECT_TRUE(named([] { make_cast_or<std::int64_t>(rational("1/3")); }));
}

}  // namespace cast_test
}  // namespace lastbit
