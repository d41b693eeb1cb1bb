#include "lastbit/numerics/rational.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"

namespace lastbit {
namespace rational_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();

// Any finite double: the bit patterns are uniform, so subnormals and huge values appear often
// enough when the exponent field is drawn separately.
rc::Gen<double> finite_doubles() {
  return rc::gen::map(
      rc::gen::tuple(rc::gen::arbitrary<std::uint64_t>(), rc::gen::inRange(0, 2047)),
      [](const auto& parts) {
        const auto field = static_cast<std::uint64_t>(std::get<1>(parts)) << 52;
        return std::bit_cast<double>((std::get<0>(parts) & 0x800f'ffff'ffff'ffffu) | field);
      });
}

void expect_tight_doubles(const Rational& value) {
  const double down = value.down();
  const double up = value.up();
  if (std::isfinite(down)) {
    EXPECT_LE(Rational::exactly(down), value);
  } else {
    EXPECT_LT(value, Rational::exactly(-kLargest));
  }
  if (std::isfinite(up)) {
    EXPECT_GE(Rational::exactly(up), value);
  } else {
    EXPECT_GT(value, Rational::exactly(kLargest));
  }
  const double above_down = std::nextafter(down, kInfinity);
  const double below_up = std::nextafter(up, -kInfinity);
  if (std::isfinite(above_down)) {
    EXPECT_GT(Rational::exactly(above_down), value);
  }
  if (std::isfinite(below_up)) {
    EXPECT_LT(Rational::exactly(below_up), value);
  }
  EXPECT_FALSE(down == 0 && std::signbit(down));
  EXPECT_FALSE(up == 0 && std::signbit(up));
}

TEST(RationalTest, ParseReadsEveryDocumentedForm) {
  EXPECT_EQ(rational("0.1"), Rational(1, 10));
  EXPECT_EQ(rational("-12"), Rational(-12));
  EXPECT_EQ(rational("+12"), Rational(12));
  EXPECT_EQ(rational("1e-3"), Rational(1, 1000));
  EXPECT_EQ(rational("1E+3"), Rational(1000));
  EXPECT_EQ(rational("-1.25e2"), Rational(-125));
  EXPECT_EQ(rational("1/3"), Rational(1, 3));
  EXPECT_EQ(rational("-2/6"), Rational(-1, 3));
  EXPECT_EQ(rational("0/5"), Rational(0));
  EXPECT_EQ(rational("0x1.8p-4"), Rational(3, 32));
  EXPECT_EQ(rational("-0X.Fp4"), Rational(-15));
  EXPECT_EQ(rational("0x1e5"), Rational(0x1e5));
  EXPECT_EQ(rational(".5"), Rational(1, 2));
  EXPECT_EQ(rational("5."), Rational(5));
  EXPECT_EQ(rational("-0"), Rational(0));
  EXPECT_EQ(rational("1e20000"), Rational(pow(Integer(10), 20'000)));
  EXPECT_EQ(rational("0x1p-20000"), Rational::two_to(-20'000));
}

TEST(RationalTest, ParseRefusesEverythingElse) {
  std::vector<std::string> texts = {"",
                                    "+",
                                    "-",
                                    ".",
                                    "nan",
                                    "inf",
                                    "-inf",
                                    "Infinity",
                                    "1/0",
                                    "1//2",
                                    "/2",
                                    "1/",
                                    "1/-2",
                                    "1/+2",
                                    "1.5/2",
                                    "1e2/3",
                                    "--1",
                                    "+-1",
                                    "1e",
                                    "1e+",
                                    "1e+-5",
                                    "1e-+5",
                                    "1e--5",
                                    "1e++5",
                                    "e5",
                                    "1e5e5",
                                    "1e1.5",
                                    "1.2.3",
                                    "0x",
                                    "0x.",
                                    "0xp3",
                                    "0x1p",
                                    "0xg",
                                    "x1",
                                    "1 ",
                                    " 1",
                                    "1 /2",
                                    "1,5",
                                    "1'000",
                                    "1_000",
                                    "½",
                                    "1e999999999",
                                    "1e-999999999",
                                    "1e99999999999999999999",
                                    "1e20001",
                                    "0x1p20001",
                                    "0x1p-20001",
                                    "1p3",
                                    "0b1",
                                    "1f",
                                    "\t1",
                                    "1\n",
                                    "#",
                                    "1e5 ",
                                    "٣"};
  texts.push_back(std::string("1\0", 2));
  texts.push_back(std::string("\0", 1));
  texts.push_back(std::string("1\0002", 3));
  texts.push_back(std::string("1/\0002", 4));
  texts.push_back(std::string(Rational::kMaxTextLength + 1, '1'));
  for (const std::string& text : texts) {
    EXPECT_EQ(code_of([&] { Rational::parse(text); }), ErrorCode::kBadText) << text.substr(0, 30);
  }
}

TEST(RationalTest, ErrorsShowAtMostTheBeginningOfTheText) {
  try {
    Rational::parse(std::string(1'000'000, 'z'));
    FAIL();
  } catch (const Error& error) {
    EXPECT_LT(std::string(error.what()).size(), 300u);
  }
}

TEST(RationalTest, ADoubleConvertsOnlyByName) {
  static_assert(!std::is_convertible_v<double, Rational>);
  static_assert(!std::is_constructible_v<Rational, double>);
  EXPECT_EQ(Rational::exactly(0.1), rational("3602879701896397/36028797018963968"));
  EXPECT_NE(Rational::exactly(0.1), rational("0.1"));
  EXPECT_EQ(Rational::exactly(-0.0), Rational(0));
  EXPECT_EQ(Rational::exactly(kTiny), Rational::two_to(-1074));
  EXPECT_EQ(Rational::exactly(kLargest), Rational(Integer::two_to(1024) - Integer::two_to(971)));
  for (const double bad : {kInfinity, -kInfinity, std::nan("")}) {
    EXPECT_EQ(code_of([&] { Rational::exactly(bad); }), ErrorCode::kBadParameter);
  }
}

TEST(RationalTest, ZeroDenominatorsAreErrors) {
  EXPECT_EQ(code_of([] { Rational(Integer(1), Integer(0)); }), ErrorCode::kBadParameter);
  EXPECT_EQ(code_of([] { Rational(1) / Rational(0); }), ErrorCode::kBadParameter);
  EXPECT_EQ(code_of([] { Rational(mpq_class(mpz_class(1), mpz_class(0))); }),
            ErrorCode::kBadParameter);
}

TEST(RationalTest, LowestTermsWithPositiveDenominator) {
  const Rational value(Integer(6), Integer(-4));
  EXPECT_EQ(value.numerator(), Integer(-3));
  EXPECT_EQ(value.denominator(), Integer(2));
  EXPECT_EQ(-value, Rational(3, 2));
  EXPECT_TRUE(Rational(4, 2).is_integer());
}

TEST(RationalTest, PowersOfTwoOfEitherSignAndImpossibleOnes) {
  EXPECT_EQ(Rational::two_to(-3), Rational(1, 8));
  EXPECT_EQ(Rational::two_to(5), Rational(32));
  EXPECT_EQ(code_of([] { Rational::two_to(std::numeric_limits<std::int64_t>::min()); }),
            ErrorCode::kBadParameter);
  EXPECT_EQ(pow(Rational(-2, 3), 3), Rational(-8, 27));
}

TEST(RationalTest, DownAndUpAreTheNeighbouringDoublesAtCorners) {
  const Rational half_tiny = Rational::two_to(-1075);
  const Rational gap = Rational::two_to(970);
  const Rational normal = Rational::two_to(-1022);
  for (const Rational& value :
       {Rational(0), rational("0.1"), rational("1/3"), half_tiny, half_tiny * 3, half_tiny / 7,
        Rational::two_to(-20'000), normal, normal - half_tiny, normal + half_tiny / 5,
        Rational::exactly(kLargest), Rational::exactly(kLargest) + gap / 3,
        Rational::exactly(kLargest) + gap, Rational::two_to(1024), Rational::two_to(20'000),
        Rational(1) + Rational::two_to(-53), Rational(1) - Rational::two_to(-54)}) {
    expect_tight_doubles(value);
    expect_tight_doubles(-value);
  }
  EXPECT_EQ(Rational::two_to(1024).down(), kLargest);
  EXPECT_EQ(Rational::two_to(1024).up(), kInfinity);
  EXPECT_EQ((-Rational::two_to(1024)).up(), -kLargest);
  EXPECT_EQ((-half_tiny).down(), -kTiny);
}

RC_GTEST_PROP(RationalTest, DownAndUpAreTheNeighbouringDoubles, ()) {
  const double near = *finite_doubles();
  const auto nudge = *rc::gen::inRange<std::int64_t>(-3, 4);
  const auto bits = *rc::gen::inRange<std::int64_t>(-1200, 1030);
  expect_tight_doubles(Rational::exactly(near));
  expect_tight_doubles(Rational::exactly(near) + Rational(nudge, 3) * Rational::two_to(bits));
}

RC_GTEST_PROP(RationalTest, ExactDoublesComeBackFromBothDirections, ()) {
  const double value = *finite_doubles();
  RC_ASSERT(Rational::exactly(value).down() == value);
  RC_ASSERT(Rational::exactly(value).up() == value);
}

TEST(RationalTest, TextIsShortDecimalOrFraction) {
  EXPECT_EQ(rational("0.10").to_string(), "0.1");
  EXPECT_EQ(rational("-12.50").to_string(), "-12.5");
  EXPECT_EQ(rational("-1/3").to_string(), "-1/3");
  EXPECT_EQ(rational("1e3").to_string(), "1000");
  EXPECT_EQ(Rational(0).to_string(), "0");
  EXPECT_EQ(rational("-0.004").to_string(), "-0.004");
  EXPECT_EQ(Rational::two_to(-31).to_string(), "1/2147483648");
}

RC_GTEST_PROP(RationalTest, TextRoundTrips,
              (std::int64_t a, std::int64_t b, std::uint8_t twos, std::uint8_t fives)) {
  RC_PRE(b != 0);
  const Rational fraction(a, b);
  const Rational decimal =
      Rational(a) / (pow(Integer(2), twos % 40u) * pow(Integer(5), fives % 40u));
  RC_ASSERT(rational(fraction.to_string()) == fraction);
  RC_ASSERT(rational(decimal.to_string()) == decimal);
}

TEST(RationalTest, TheLargestDecimalsRoundTrip) {
  for (const char* text : {"1e20000", "-1e-20000", "7e-20000", "0x1p-20000"}) {
    EXPECT_EQ(rational(rational(text).to_string()), rational(text));
  }
}

RC_GTEST_PROP(RationalTest, FieldLawsHoldExactly, (int a, int b, int c, int d)) {
  RC_PRE(b != 0 && d != 0);
  const Rational x(a, b);
  const Rational y(c, d);
  RC_ASSERT(x + y - y == x);
  RC_ASSERT((x + y) * (x - y) == x * x - y * y);
  if (c != 0) {
    RC_ASSERT(x / y * y == x);
  }
  RC_ASSERT((x <=> y) == (Integer(a) * Integer(d) * Integer(b > 0 ? 1 : -1) * (d > 0 ? 1 : -1) <=>
                          Integer(c) * Integer(b) * Integer(b > 0 ? 1 : -1) * (d > 0 ? 1 : -1)));
}

RC_GTEST_PROP(RationalTest, FloorAndCeilEncloseWithinOne, (int a, int b)) {
  RC_PRE(b != 0);
  const Rational x(a, b);
  RC_ASSERT(Rational(x.floor()) <= x);
  RC_ASSERT(x < Rational(x.floor() + 1));
  RC_ASSERT(Rational(x.ceil()) >= x);
  RC_ASSERT(x > Rational(x.ceil() - 1));
}

}  // namespace rational_test
}  // namespace lastbit
