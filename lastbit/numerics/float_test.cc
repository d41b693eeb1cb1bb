#include "lastbit/numerics/float.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"

namespace lastbit {
namespace float_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();

// A fixed sequence of mixed 64-bit words: the long comparisons are the same in every run.
class Words {
 public:
  std::uint64_t next() {
    state_ += 0x9e37'79b9'7f4a'7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9;
    z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11eb;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_ = 7;
};

bool same_bits(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

bool same_bits(float a, float b) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

double double_of(const Float& a) {
  const double down = a.to_double(Rounding::kDown);
  EXPECT_TRUE(same_bits(down, a.to_double(Rounding::kUp))) << "not a double";
  return down;
}

void expect_hardware_results(double a, double b) {
  const FloatFormat format = FloatFormat::binary64();
  const Float x = Float::from(a, format);
  const Float y = Float::from(b, format);
  ASSERT_TRUE(same_bits(double_of(x), a));
  ASSERT_TRUE(same_bits(double_of(add(x, y, format)), a + b)) << a << ' ' << b;
  ASSERT_TRUE(same_bits(double_of(subtract(x, y, format)), a - b)) << a << ' ' << b;
  ASSERT_TRUE(same_bits(double_of(multiply(x, y, format)), a * b)) << a << ' ' << b;
  ASSERT_TRUE(same_bits(double_of(divide(x, y, format)), a / b)) << a << ' ' << b;
  ASSERT_TRUE(same_bits(double_of(sqrt(x, format)), std::sqrt(a))) << a;
  ASSERT_TRUE(same_bits(double_of(-x), -a));
  ASSERT_EQ(x <=> y, a <=> b);
  ASSERT_EQ(x == y, a == b);
}

void expect_hardware_results(float a, float b) {
  const FloatFormat format = FloatFormat::binary32();
  const Float x = Float::from(static_cast<double>(a), format);
  const Float y = Float::from(static_cast<double>(b), format);
  const auto float_of = [](const Float& value) { return static_cast<float>(double_of(value)); };
  ASSERT_TRUE(same_bits(float_of(add(x, y, format)), a + b)) << a << ' ' << b;
  ASSERT_TRUE(same_bits(float_of(subtract(x, y, format)), a - b)) << a << ' ' << b;
  ASSERT_TRUE(same_bits(float_of(multiply(x, y, format)), a * b)) << a << ' ' << b;
  ASSERT_TRUE(same_bits(float_of(divide(x, y, format)), a / b)) << a << ' ' << b;
}

// exact, rounded in the direction, must be `rounded`: no float lies between the two.
void expect_directed(const Float& down, const Rational& exact, const Float& up, const Float& zero) {
  ASSERT_TRUE(compare(down, exact) <= 0);
  ASSERT_TRUE(compare(up, exact) >= 0);
  ASSERT_TRUE(down == up || next_up(down) == up);
  ASSERT_TRUE(zero == (exact.sign() < 0 ? up : down));
}

void expect_directed_results(double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return;
  const FloatFormat format = FloatFormat::binary64();
  const Float x = Float::from(a, format);
  const Float y = Float::from(b, format);
  const Rational p = Rational::exactly(a);
  const Rational q = Rational::exactly(b);
  using enum Rounding;
  expect_directed(add(x, y, format, kDown), p + q, add(x, y, format, kUp),
                  add(x, y, format, kTowardZero));
  expect_directed(multiply(x, y, format, kDown), p * q, multiply(x, y, format, kUp),
                  multiply(x, y, format, kTowardZero));
  if (b == 0) return;
  expect_directed(divide(x, y, format, kDown), p / q, divide(x, y, format, kUp),
                  divide(x, y, format, kTowardZero));
}

std::vector<double> corners() {
  std::vector<double> values = {0.0,         1.0,
                                1.5,         3.0,
                                0.1,         kTiny,
                                2 * kTiny,   3 * kTiny,
                                0x1p-1022,   std::nextafter(0x1p-1022, 0),
                                0x1p-1021,   0x1p-537,
                                0x1p-538,    0x1.8p-537,
                                0x1p512,     kLargest,
                                0x1p1023,    std::nextafter(1.0, 2),
                                0x1p970,     std::nextafter(1.0, 0),
                                0x1p53,      kInfinity,
                                std::nan("")};
  const std::size_t count = values.size();
  for (std::size_t i = 0; i < count; ++i) values.push_back(-values[i]);
  return values;
}

TEST(FloatTest, Binary64IsTheHardwareDoubleAtCorners) {
  for (const double a : corners()) {
    for (const double b : corners()) {
      expect_hardware_results(a, b);
      expect_directed_results(a, b);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(FloatTest, Binary64IsTheHardwareDoubleOnALongSequence) {
  Words words;
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t bits = words.next();
    const auto a = std::bit_cast<double>(bits);
    // Half of the partners have an exponent close to a's, where sums cancel; the others any.
    const std::uint64_t other = words.next();
    const std::uint64_t near = (bits & 0x7fe0'0000'0000'0000) | (other & 0x801f'ffff'ffff'ffff);
    const auto b = std::bit_cast<double>(i % 2 == 0 ? near : other);
    expect_hardware_results(a, b);
    if (i % 20 == 0) expect_directed_results(a, b);
    // Products and quotients that fall among the subnormals.
    const std::uint64_t low = (2046 - ((bits >> 52) & 0x7ff) + words.next() % 64) % 1100;
    const auto c = std::bit_cast<double>((low << 52) | (other & 0x800f'ffff'ffff'ffff));
    expect_hardware_results(a * 0x1p-500, c);
    if (HasFatalFailure()) return;
  }
}

TEST(FloatTest, Binary32IsTheHardwareFloat) {
  Words words;
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t word = words.next();
    const auto a = std::bit_cast<float>(static_cast<std::uint32_t>(word));
    const auto b = std::bit_cast<float>(static_cast<std::uint32_t>(word >> 32));
    expect_hardware_results(a, b);
    expect_hardware_results(a * 0x1p-60f, b * 0x1p-60f);
    if (HasFatalFailure()) return;
  }
}

TEST(FloatTest, SubnormalsAreRoundedOnceAndNotTwice) {
  const FloatFormat format = FloatFormat::binary64();
  const Rational half = Rational::two_to(-1075);
  const Rational hair = Rational::two_to(-1200);
  const auto nearest = [&](const Rational& exact) { return double_of(Float::from(exact, format)); };
  EXPECT_EQ(nearest(half), 0.0);
  EXPECT_EQ(nearest(half - hair), 0.0);
  EXPECT_EQ(nearest(half + hair), kTiny);
  EXPECT_EQ(nearest(half * 3), 2 * kTiny);
  EXPECT_EQ(nearest(half * 3 - hair), kTiny);
  EXPECT_EQ(nearest(half * 5), 2 * kTiny);
  EXPECT_EQ(nearest(half * 5 + hair), 3 * kTiny);
  EXPECT_EQ(nearest(-half - hair), -kTiny);
  const double zero = nearest(-half);
  EXPECT_TRUE(same_bits(zero, -0.0));
}

TEST(FloatTest, OverflowStartsHalfAUnitAboveTheLargest) {
  const FloatFormat format = FloatFormat::binary64();
  const Rational limit = Rational::two_to(1024) - Rational::two_to(970);
  EXPECT_EQ(double_of(Float::from(limit - Rational(1), format)), kLargest);
  EXPECT_EQ(double_of(Float::from(limit, format)), kInfinity);
  EXPECT_EQ(double_of(Float::from(-limit, format)), -kInfinity);
  EXPECT_EQ(double_of(Float::from(limit * 2, format, Rounding::kDown)), kLargest);
  EXPECT_EQ(double_of(Float::from(limit * 2, format, Rounding::kTowardZero)), kLargest);
  EXPECT_EQ(double_of(Float::from(-limit * 2, format, Rounding::kUp)), -kLargest);
  EXPECT_EQ(double_of(Float::from(-limit * 2, format, Rounding::kDown)), -kInfinity);
}

TEST(FloatTest, LogarithmOfSpecialValues) {
  const FloatFormat format = FloatFormat::binary64();
  const auto log = [&](double x) { return double_of(ln(Float::from(x, format), format)); };
  EXPECT_EQ(log(0.0), -kInfinity);
  EXPECT_EQ(log(-0.0), -kInfinity);
  EXPECT_TRUE(same_bits(log(1.0), 0.0));
  EXPECT_TRUE(std::isnan(log(-1.0)));
  EXPECT_TRUE(std::isnan(log(-kInfinity)));
  EXPECT_TRUE(std::isnan(log(std::nan(""))));
  EXPECT_EQ(log(kInfinity), kInfinity);
  EXPECT_EQ(code_of([&] { ln(Rational(0), format); }), ErrorCode::kBadParameter);
  EXPECT_EQ(code_of([&] { ln(Rational(-1), format); }), ErrorCode::kBadParameter);
  EXPECT_TRUE(identical(ln(Rational(1), format, Rounding::kDown), Float(format)));
}

TEST(FloatTest, NeighboursAreThoseOfTheHardware) {
  const FloatFormat format = FloatFormat::binary64();
  Words words;
  std::vector<double> values = corners();
  for (int i = 0; i < 1000; ++i) values.push_back(std::bit_cast<double>(words.next()));
  for (int i = 0; i < 1000; ++i) values.push_back(std::bit_cast<double>(words.next() >> 10));
  for (const double a : values) {
    const Float x = Float::from(a, format);
    ASSERT_TRUE(same_bits(double_of(next_up(x)), std::nextafter(a, kInfinity)) || a == 0) << a;
    ASSERT_TRUE(same_bits(double_of(next_down(x)), std::nextafter(a, -kInfinity)) || a == 0) << a;
  }
  for (const double zero : {0.0, -0.0}) {
    EXPECT_EQ(double_of(next_up(Float::from(zero, format))), kTiny);
    EXPECT_EQ(double_of(next_down(Float::from(zero, format))), -kTiny);
  }
  EXPECT_TRUE(same_bits(double_of(next_up(Float::from(-kTiny, format))), -0.0));
}

TEST(FloatTest, NeighboursInUnboundedFormatsNeedAPlaceToStart) {
  const FloatFormat format = FloatFormat::unbounded(3);
  EXPECT_EQ(next_up(Float::from(Rational(7), format)).to_rational(), Rational(8));
  EXPECT_EQ(next_down(Float::from(Rational(8), format)).to_rational(), Rational(7));
  EXPECT_EQ(next_up(Float::from(Rational(8), format)).to_rational(), Rational(10));
  EXPECT_EQ(next_up(Float::from(Rational(-8), format)).to_rational(), Rational(-7));
  EXPECT_EQ(code_of([&] { next_up(Float(format)); }), ErrorCode::kNotSupported);
  EXPECT_EQ(code_of([&] { next_up(-Float::infinity(format)); }), ErrorCode::kNotSupported);
  EXPECT_TRUE(next_up(Float::nan(format)).is_nan());
}

TEST(FloatTest, ExtremesOfTheStandardFormats) {
  const FloatFormat half = FloatFormat::binary16();
  EXPECT_EQ(Float::largest(half).to_rational(), Rational(65504));
  EXPECT_EQ(Float::smallest_normal(half).to_rational(), Rational::two_to(-14));
  EXPECT_EQ(Float::smallest(half).to_rational(), Rational::two_to(-24));
  EXPECT_EQ(double_of(Float::largest(FloatFormat::binary64())), kLargest);
  EXPECT_EQ(double_of(Float::smallest(FloatFormat::binary64())), kTiny);
  EXPECT_EQ(double_of(Float::largest(FloatFormat::binary32())), std::numeric_limits<float>::max());
  EXPECT_EQ(code_of([] { Float::largest(FloatFormat::unbounded(5)); }), ErrorCode::kNotSupported);
  EXPECT_EQ(code_of([] { Float::smallest(FloatFormat::unbounded(5)); }), ErrorCode::kNotSupported);
}

TEST(FloatTest, ConversionToDoubleIsRoundedOnce) {
  const FloatFormat wide = FloatFormat::unbounded(200);
  const Rational exact = Rational::two_to(-1075) + Rational::two_to(-1180);
  const Float x = Float::from(exact, wide);
  EXPECT_EQ(x.to_rational(), exact);
  EXPECT_EQ(x.to_double(Rounding::kNearestEven), kTiny);
  EXPECT_EQ(x.to_double(Rounding::kDown), 0.0);
  EXPECT_EQ(x.to_double(Rounding::kUp), kTiny);
  EXPECT_EQ((-x).to_double(Rounding::kTowardZero), 0.0);
  EXPECT_EQ(Float::from(Rational::two_to(2000), wide).to_double(Rounding::kDown), kLargest);
  EXPECT_EQ(Float::from(Rational::two_to(2000), wide).to_double(Rounding::kUp), kInfinity);
}

TEST(FloatTest, ConversionBetweenFormatsRounds) {
  const Float pi = Float::from(3.141592653589793, FloatFormat::binary64());
  EXPECT_EQ(Float::from(pi, FloatFormat::binary16()).to_rational(), Rational(201, 64));
  EXPECT_EQ(Float::from(pi, FloatFormat::unbounded(2), Rounding::kUp).to_rational(), Rational(4));
  EXPECT_TRUE(Float::from(1e10, FloatFormat::binary16()).is_infinite());
  EXPECT_TRUE(
      identical(Float::from(-0.0, FloatFormat::binary16()), -Float(FloatFormat::binary16())));
}

TEST(FloatTest, TextIsExact) {
  const FloatFormat format = FloatFormat::unbounded(70);
  for (const char* text : {"1/3", "-12345.678", "1e-30", "1e30", "1", "-0x1.8p-4"}) {
    const Float x = Float::from(rational(text), format);
    EXPECT_EQ(rational(x.to_string()), x.to_rational()) << x.to_string();
  }
  EXPECT_EQ((-Float::infinity(format)).to_string(), "-inf");
  EXPECT_EQ(Float::nan(format).to_string(), "nan");
}

TEST(FloatTest, ImpossibleFormatsAndQuestionsAreErrors) {
  for (const int precision : {-1, 0, 1, (1 << 20) + 1}) {
    EXPECT_EQ(code_of([&] { FloatFormat::unbounded(precision); }), ErrorCode::kBadParameter);
    EXPECT_EQ(code_of([&] { FloatFormat::ieee(precision, 10); }), ErrorCode::kBadParameter);
  }
  EXPECT_EQ(code_of([] { FloatFormat::ieee(5, 0); }), ErrorCode::kBadParameter);
  EXPECT_EQ(code_of([] { FloatFormat::ieee(5, (1 << 30) + 1); }), ErrorCode::kBadParameter);
  EXPECT_EQ(code_of([] { FloatFormat::unbounded(5).emax(); }), ErrorCode::kNotSupported);
  const FloatFormat format = FloatFormat::binary64();
  EXPECT_EQ(code_of([&] { Float::nan(format).to_rational(); }), ErrorCode::kNotSupported);
  EXPECT_EQ(code_of([&] { Float::infinity(format).to_rational(); }), ErrorCode::kNotSupported);
  EXPECT_EQ(code_of([&] { Float(format).exponent(); }), ErrorCode::kNotSupported);
  EXPECT_EQ(code_of([&] { all_finite_floats(format); }), ErrorCode::kNotSupported);
  EXPECT_EQ(code_of([] { all_finite_floats(FloatFormat::unbounded(3)); }),
            ErrorCode::kNotSupported);
  EXPECT_EQ(code_of([&] { positive_floats(format, 0, 0); }), ErrorCode::kBadParameter);
  EXPECT_EQ(code_of([] { positive_floats(FloatFormat::ieee(3, 3), 2, 1); }),
            ErrorCode::kBadParameter);
  EXPECT_EQ(code_of([] { positive_floats(FloatFormat::ieee(3, 3), 0, 4); }),
            ErrorCode::kBadParameter);
  const FloatFormat endless = FloatFormat::unbounded(4);
  Float tower = Float::from(Rational(1'000'000'000), endless);
  tower = exp(tower, endless);
  EXPECT_TRUE(tower.is_finite());
  EXPECT_EQ(code_of([&] { tower.to_rational(); }), ErrorCode::kNotSupported);
  EXPECT_TRUE(exp(tower, endless).is_infinite());
}

TEST(FloatTest, MovedFromFloatsAreUsable) {
  const FloatFormat format = FloatFormat::unbounded(200);
  Float a = Float::from(Rational(1, 3), format);
  const Float copy = a;
  Float b = std::move(a);
  EXPECT_TRUE(identical(b, copy));
  EXPECT_TRUE(add(a, b, format).is_nan());  // NOLINT(bugprone-use-after-move): as documented.
  const Float c = a;
  EXPECT_TRUE(c.is_nan());
  a = b;
  EXPECT_TRUE(identical(a, copy));
  const Float& self = a;
  a = self;
  EXPECT_TRUE(identical(a, copy));
  b = Float(FloatFormat::binary16());
  EXPECT_EQ(b.format(), FloatFormat::binary16());
}

TEST(FloatTest, ComparisonWithExactNumbers) {
  const Float tenth = Float::from(0.1, FloatFormat::binary64());
  EXPECT_EQ(compare(tenth, rational("0.1")), std::partial_ordering::greater);
  EXPECT_EQ(compare(tenth, Rational::exactly(0.1)), std::partial_ordering::equivalent);
  EXPECT_EQ(compare(Float::nan(FloatFormat::binary16()), Rational(0)),
            std::partial_ordering::unordered);
  EXPECT_EQ(compare(-Float::infinity(FloatFormat::binary16()), Rational(-1)),
            std::partial_ordering::less);
}

RC_GTEST_PROP(FloatTest, DirectedConversionsEncloseTightly, (std::int64_t a, std::int64_t b)) {
  RC_PRE(a != 0 && b != 0);
  const Rational exact(a, b);
  const FloatFormat format = FloatFormat::unbounded(*rc::gen::inRange(2, 150));
  const Float down = Float::from(exact, format, Rounding::kDown);
  const Float up = Float::from(exact, format, Rounding::kUp);
  RC_ASSERT(down.to_rational() <= exact);
  RC_ASSERT(exact <= up.to_rational());
  RC_ASSERT((down == up || next_up(down) == up));
  RC_ASSERT(down.to_rational() >= exact - abs(exact) * Rational::two_to(1 - format.precision()));
}

}  // namespace float_test
}  // namespace lastbit
