#include "lastbit/numerics/ball.h"

#include <gtest/gtest.h>
#include <mpfr.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"

namespace lastbit {
namespace ball_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();

using MpfrFunction = int (*)(mpfr_t, const mpfr_t, mpfr_rnd_t);

// f(point) by MPFR at 400 bits, rounded in the direction; the point must be a binary fraction.
Rational mpfr_value(MpfrFunction function, const Rational& point, mpfr_rnd_t direction) {
  mpfr_t x;
  mpfr_t y;
  mpfr_init2(x, 400);
  mpfr_init2(y, 400);
  EXPECT_EQ(mpfr_set_q(x, point.gmp().get_mpq_t(), MPFR_RNDN), 0);
  function(y, x, direction);
  mpq_class result;
  mpfr_get_q(result.get_mpq_t(), y);
  mpfr_clear(x);
  mpfr_clear(y);
  return Rational(result);
}

int mpfr_natural_logarithm(mpfr_t y, const mpfr_t x, mpfr_rnd_t r) { return mpfr_log(y, x, r); }
int mpfr_exponential(mpfr_t y, const mpfr_t x, mpfr_rnd_t r) { return mpfr_exp(y, x, r); }

struct Function {
  const char* name;
  Ball (*ball)(const Ball&);
  MpfrFunction mpfr;
  bool positive_only;
};

const std::vector<Function>& functions() {
  static const std::vector<Function> all = {
      {"ln", ln, mpfr_natural_logarithm, true},
      {"exp", exp, mpfr_exponential, false},
      {"sqrt", sqrt, [](mpfr_t y, const mpfr_t x, mpfr_rnd_t r) { return mpfr_sqrt(y, x, r); },
       true},
      {"expm1", expm1, [](mpfr_t y, const mpfr_t x, mpfr_rnd_t r) { return mpfr_expm1(y, x, r); },
       false},
      {"log1p", log1p, [](mpfr_t y, const mpfr_t x, mpfr_rnd_t r) { return mpfr_log1p(y, x, r); },
       true},
      {"sinh", sinh, [](mpfr_t y, const mpfr_t x, mpfr_rnd_t r) { return mpfr_sinh(y, x, r); },
       false},
      {"cosh", cosh, [](mpfr_t y, const mpfr_t x, mpfr_rnd_t r) { return mpfr_cosh(y, x, r); },
       false},
      {"erfc", erfc, [](mpfr_t y, const mpfr_t x, mpfr_rnd_t r) { return mpfr_erfc(y, x, r); },
       false},
      {"sin", sin, [](mpfr_t y, const mpfr_t x, mpfr_rnd_t r) { return mpfr_sin(y, x, r); }, false},
      {"cos", cos, [](mpfr_t y, const mpfr_t x, mpfr_rnd_t r) { return mpfr_cos(y, x, r); }, false},
      {"coth", coth, [](mpfr_t y, const mpfr_t x, mpfr_rnd_t r) { return mpfr_coth(y, x, r); },
       true}};
  return all;
}

// A positive binary fraction between 2^-40 and 2^6, often close to 1.
rc::Gen<Rational> positive_fractions() {
  return rc::gen::map(rc::gen::tuple(rc::gen::inRange<std::int64_t>(1, std::int64_t{1} << 30),
                                     rc::gen::inRange(24, 40), rc::gen::arbitrary<bool>()),
                      [](const auto& parts) {
                        const auto [mantissa, shift, near_one] = parts;
                        const Rational small = Rational(mantissa) * Rational::two_to(-shift);
                        return near_one ? Rational(1) + small * Rational::two_to(-20) : small;
                      });
}

void expect_not_finite(const Ball& ball) {
  EXPECT_FALSE(ball.is_finite());
  EXPECT_FALSE(ball.is_exact());
  EXPECT_EQ(ball.sign(), std::nullopt);
  EXPECT_TRUE(ball.contains(Rational(-7)));
  EXPECT_TRUE(ball.contains(Rational::two_to(10'000)));
  EXPECT_EQ(ball.lower(), -kInfinity);
  EXPECT_EQ(ball.upper(), kInfinity);
  const Ball zero(0, 64);
  EXPECT_FALSE(certainly_less(ball, zero) || certainly_less(zero, ball));
  EXPECT_FALSE(certainly_less_or_equal(ball, zero) || certainly_less_or_equal(zero, ball));
  EXPECT_TRUE(overlaps(ball, zero));
  EXPECT_EQ(code_of([&] { ball.lower_rational(); }), ErrorCode::kNotSupported);
  EXPECT_FALSE(ball.to_string().empty());
}

RC_GTEST_PROP(BallTest, EveryFunctionContainsTheMpfrValueAtAPointOfItsInput, (bool negative)) {
  const Rational magnitude = *positive_fractions();
  const int precision = *rc::gen::inRange(2, 250);
  // A radius of at most one quarter of the point, and a point at a random place inside.
  const Rational radius = magnitude * Rational::two_to(-*rc::gen::inRange(2, 60));
  const Rational place(*rc::gen::inRange<std::int64_t>(-16, 17), 16);
  for (const Function& function : functions()) {
    const Rational middle = negative && !function.positive_only ? -magnitude : magnitude;
    const Ball input = Ball::between(middle - radius, middle + radius, precision);
    const Rational point = middle + radius * place;
    RC_ASSERT(input.contains(point));
    const Ball output = function.ball(input);
    if (!output.is_finite()) {
      // With few bits the input may really reach 0.
      RC_ASSERT(!input.sign().has_value());
      continue;
    }
    RC_ASSERT(output.lower_rational() <= mpfr_value(function.mpfr, point, MPFR_RNDU));
    RC_ASSERT(output.upper_rational() >= mpfr_value(function.mpfr, point, MPFR_RNDD));
  }
}

RC_GTEST_PROP(BallTest, ArithmeticContainsTheExactResult, (int a, int b, int c, int d)) {
  RC_PRE(b != 0 && d != 0);
  const int precision = *rc::gen::inRange(2, 200);
  const Rational x(a, b);
  const Rational y(c, d);
  const Ball ball_x(x, precision);
  const Ball ball_y(y, precision);
  RC_ASSERT(ball_x.contains(x));
  RC_ASSERT((ball_x + ball_y).contains(x + y));
  RC_ASSERT((ball_x - ball_y).contains(x - y));
  RC_ASSERT((ball_x * ball_y).contains(x * y));
  if (c != 0) {
    RC_ASSERT((ball_x / ball_y).contains(x / y));
  }
  RC_ASSERT((-ball_x).contains(-x));
  RC_ASSERT(abs(ball_x).contains(abs(x)));
  RC_ASSERT(pow(ball_x, 5).contains(pow(x, 5)));
  if (a != 0) {
    RC_ASSERT(pow(ball_x, -3).contains(Rational(1) / pow(x, 3)));
  }
  if (certainly_less(ball_x, ball_y)) {
    RC_ASSERT(x < y);
  }
  if (certainly_less_or_equal(ball_x, ball_y)) {
    RC_ASSERT(x <= y);
  }
}

RC_GTEST_PROP(BallTest, EndsEncloseAndAreOutward, (int a, int b)) {
  RC_PRE(b != 0);
  const Rational x(a, b);
  const Ball ball(x, *rc::gen::inRange(2, 100));
  RC_ASSERT(ball.lower_rational() <= x);
  RC_ASSERT(ball.upper_rational() >= x);
  RC_ASSERT(Rational::exactly(ball.lower()) <= ball.lower_rational());
  RC_ASSERT(Rational::exactly(ball.upper()) >= ball.upper_rational());
  RC_ASSERT(ball.contains(ball.lower_rational()) || !ball.is_exact());
}

RC_GTEST_PROP(BallTest, IdentitiesOverlap, ()) {
  const int precision = *rc::gen::inRange(2, 300);
  const Rational a = *positive_fractions();
  const Rational b = *positive_fractions();
  const Ball x(a, precision);
  const Ball y(b, precision);
  RC_ASSERT(overlaps(ln(Ball(a * b, precision)), ln(x) + ln(y)));
  RC_ASSERT(overlaps(exp(Ball(a + b, precision)), exp(x) * exp(y)));
  RC_ASSERT(overlaps(exp(ln(x)), x));
  RC_ASSERT(overlaps(log1p(expm1(x)), x));
  RC_ASSERT(overlaps(sqrt(x * x), x));
  RC_ASSERT(overlaps(cosh(x) * cosh(x) - sinh(x) * sinh(x), Ball(1, precision)));
  RC_ASSERT(overlaps(coth(x) * sinh(x), cosh(x)));
}

TEST(BallTest, PrecisionShrinksTheRadius) {
  Rational last = Rational(1);
  for (const int precision : {10, 30, 64, 128, 1000}) {
    const Ball value = ln(Ball(3, precision));
    const Rational width = value.upper_rational() - value.lower_rational();
    EXPECT_LT(width, Rational::two_to(4 - precision));
    EXPECT_LT(width, last);
    last = width;
  }
}

TEST(BallTest, TheLargerPrecisionWins) {
  const Ball narrow(1, 20);
  const Ball wide(3, 200);
  EXPECT_EQ((narrow / wide).precision(), 200);
  EXPECT_EQ((wide / narrow).precision(), 200);
}

TEST(BallTest, ExactValuesStayExact) {
  EXPECT_TRUE(Ball(Rational(3, 8), 2).is_exact());
  EXPECT_FALSE(Ball(Rational(1, 3), 1000).is_exact());
  EXPECT_FALSE(Ball(5, 2).is_exact());
  const Ball tenth = Ball::exactly(0.1, 2);
  EXPECT_TRUE(tenth.is_exact());
  EXPECT_EQ(tenth.lower_rational(), Rational::exactly(0.1));
  EXPECT_EQ(tenth.lower(), 0.1);
  EXPECT_EQ(tenth.upper(), 0.1);
  EXPECT_EQ(Ball::exactly(kTiny, 53).upper(), kTiny);
  EXPECT_EQ(Ball::exactly(-kLargest, 53).lower(), -kLargest);
  EXPECT_EQ(Ball::exactly(-0.0, 53).sign(), 0);
  EXPECT_EQ(Ball(0, 64).sign(), 0);
}

TEST(BallTest, DoubleEndsRoundOutwardAtBothEndsOfTheRange) {
  const Ball huge(Rational::two_to(1024), 64);
  EXPECT_EQ(huge.lower(), kLargest);
  EXPECT_EQ(huge.upper(), kInfinity);
  EXPECT_EQ((-huge).lower(), -kInfinity);
  EXPECT_EQ((-huge).upper(), -kLargest);
  const Ball between_largest_and_infinity(Rational::two_to(1024) - Rational::two_to(960), 100);
  EXPECT_EQ(between_largest_and_infinity.lower(), kLargest);
  EXPECT_EQ(between_largest_and_infinity.upper(), kInfinity);
  const Ball small(Rational::two_to(-1075), 64);
  EXPECT_EQ(small.lower(), 0.0);
  EXPECT_EQ(small.upper(), kTiny);
  EXPECT_EQ((-small).lower(), -kTiny);
  EXPECT_EQ((-small).upper(), 0.0);
  EXPECT_FALSE(std::signbit((-small).upper()));
  const Ball odd(Rational::two_to(-1075) * 3, 64);
  EXPECT_EQ(odd.lower(), kTiny);
  EXPECT_EQ(odd.upper(), 2 * kTiny);
  EXPECT_EQ(Ball(Rational(1, 3), 200).lower(), Rational(1, 3).down());
  EXPECT_EQ(Ball(Rational(1, 3), 200).upper(), Rational(1, 3).up());
}

TEST(BallTest, EnormousAndMinuteValuesDoNotTrap) {
  const Ball enormous = exp(Ball(rational("1e10"), 64));
  EXPECT_TRUE(enormous.is_finite());
  EXPECT_EQ(enormous.lower(), kLargest);
  EXPECT_EQ(enormous.upper(), kInfinity);
  EXPECT_EQ(code_of([&] { enormous.upper_rational(); }), ErrorCode::kNotSupported);
  EXPECT_FALSE(enormous.contains(Rational(1)));
  EXPECT_FALSE(enormous.to_string().empty());
  const Ball minute = exp(-Ball(rational("1e10"), 64));
  EXPECT_EQ(minute.lower(), 0.0);
  EXPECT_EQ(minute.upper(), kTiny);
  EXPECT_EQ(minute.sign(), 1);
  EXPECT_TRUE(overlaps(enormous * minute, Ball(1, 64)));
  // Exponents that fit no machine word.
  const Ball tower = exp(exp(Ball(100, 256)));
  EXPECT_EQ(tower.upper(), kInfinity);
  EXPECT_GT(tower.lower(), 0.0);
  EXPECT_EQ(exp(-exp(Ball(100, 256))).upper(), kTiny);
  EXPECT_FALSE(tower.to_string().empty());
  const Ball higher = exp(tower);
  EXPECT_EQ(higher.upper(), kInfinity);
  Ball copy = tower;
  copy = std::move(copy) + tower;
  EXPECT_FALSE(copy.contains(Rational(0)));
}

TEST(BallTest, PiIsEnclosed) {
  // Its first 50 decimals, cut off.
  const Rational below = rational("3.14159265358979323846264338327950288419716939937510");
  for (const int precision : {2, 53, 64, 128}) {
    const Ball ball = pi(precision);
    EXPECT_TRUE(ball.contains(below)) << precision;
    EXPECT_LE(ball.upper_rational() - ball.lower_rational(), Rational::two_to(4 - precision));
  }
  EXPECT_TRUE(pi(400).lower_rational() > below);
  EXPECT_TRUE(sin(pi(128)).contains(0));
}

TEST(BallTest, ErrorFunctionIsTightInItsTail) {
  // e^(−x²)/(x√π)·(1 − 1/(2x²)) < erfc(x) < e^(−x²)/(x√π), with √π to 39 digits.
  for (const char* text : {"1.5", "40", "1000", "1e6"}) {
    const Ball x(rational(text), 128);
    const Ball root_pi(rational("1.772453850905516027298167483341145182798"), 128);
    const Ball first = exp(-(x * x)) / (x * root_pi);
    const Ball below = first * (Ball(1, 128) - Ball(rational("0.50000001"), 128) / (x * x));
    EXPECT_TRUE(certainly_less(below, erfc(x))) << text;
    EXPECT_TRUE(certainly_less(erfc(x), first * Ball(rational("1.00000001"), 128))) << text;
    EXPECT_TRUE(overlaps(erfc(-x) + erfc(x), Ball(2, 128)));
  }
  EXPECT_TRUE(erfc(Ball(0, 64)).contains(Rational(1)));
  const Ball beyond = erfc(Ball(Rational::two_to(5000), 128));
  EXPECT_TRUE(beyond.is_finite());
  EXPECT_TRUE(certainly_less(beyond, Ball(Rational::two_to(-100'000), 64)));
}

TEST(BallTest, OutsideTheDomainNothingIsClaimed) {
  const Ball zero(0, 64);
  const Ball around_zero = Ball::between(Rational(-1, 1000), Rational(1), 64);
  const Ball minus_two(-2, 64);
  for (const Ball& outside : {zero, around_zero, minus_two}) expect_not_finite(ln(outside));
  expect_not_finite(Ball(1, 64) / zero);
  expect_not_finite(zero / zero);
  expect_not_finite(Ball(1, 64) / around_zero);
  expect_not_finite(sqrt(minus_two));
  for (int bits = 1; bits < 80; ++bits) {
    const Rational hair = Rational::two_to(-bits);
    for (const Rational& high : {hair, Rational(1), Rational(3, 2), Rational(1'000'000)}) {
      const Ball barely = Ball::between(-hair, high, 100);
      expect_not_finite(sqrt(barely));
      expect_not_finite(ln(barely));
      expect_not_finite(log1p(barely - Ball(1, 100)));
      expect_not_finite(coth(barely));
      expect_not_finite(pow(barely, -2));
    }
  }
  expect_not_finite(log1p(minus_two));
  expect_not_finite(log1p(Ball(-1, 64)));
  expect_not_finite(coth(zero));
  expect_not_finite(coth(around_zero));
  expect_not_finite(pow(zero, -1));
  expect_not_finite(ln(zero) + Ball(1, 64));
  expect_not_finite(-ln(zero));
  expect_not_finite(abs(ln(zero)));
  expect_not_finite(exp(ln(zero)));
  expect_not_finite(ln(minus_two) * zero);
}

TEST(BallTest, BadParametersAreErrors) {
  for (const int precision : {-1, 0, 1, (1 << 24) + 1}) {
    EXPECT_EQ(code_of([&] { Ball(1, precision); }), ErrorCode::kBadParameter);
  }
  EXPECT_EQ(code_of([] { Ball::exactly(std::nan(""), 64); }), ErrorCode::kBadParameter);
  EXPECT_EQ(code_of([] { Ball::exactly(kInfinity, 64); }), ErrorCode::kBadParameter);
  EXPECT_EQ(code_of([] { Ball::between(1, 0, 64); }), ErrorCode::kBadParameter);
  EXPECT_EQ(code_of([] { Ball(1, 64).to_string(0); }), ErrorCode::kBadParameter);
  EXPECT_EQ(code_of([] { Ball(1, 64).to_string(1 << 30); }), ErrorCode::kBadParameter);
  EXPECT_EQ(code_of([] { try_decide([](int p) { return Ball(1, p); }, 1); }),
            ErrorCode::kBadParameter);
}

TEST(BallTest, CopiesAreIndependentAndMovedFromBallsAreZero) {
  Ball a(Rational(1, 3), 64);
  Ball b = a;
  a = Ball(7, 100);
  EXPECT_TRUE(b.contains(Rational(1, 3)));
  EXPECT_FALSE(b.contains(Rational(7)));
  EXPECT_EQ(a.precision(), 100);
  const Ball c = std::move(a);
  EXPECT_EQ(c.lower_rational(), Rational(7));
  EXPECT_EQ(a.sign(), 0);  // NOLINT(bugprone-use-after-move): the state is documented.
  b = std::move(a);
  EXPECT_EQ(b.sign(), 0);
}

TEST(BallTest, TextShowsMidpointAndRadius) {
  EXPECT_EQ(Ball(Rational(1, 4), 64).to_string(), "0.250000000000000");
  EXPECT_EQ(ln(Ball(2, 64)).to_string(5).substr(0, 6), "[0.693");
}

TEST(BallTest, ThreadsKeepTheirOwnCaches) {
  std::vector<std::thread> threads;
  std::vector<double> lowers(4);
  for (std::size_t i = 0; i < lowers.size(); ++i) {
    threads.emplace_back([&lowers, i] {
      static thread_local Ball kept(1, 64);
      kept = exp(exp(Ball(100, 2000))) * ln(Ball(3, 2000));
      lowers[i] = ln(Ball(2, 5000)).lower() + (kept.is_finite() ? 0 : 1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const double lower : lowers) EXPECT_EQ(lower, ln(Ball(2, 100)).lower());
}

TEST(DecideTest, FindsSignsThatNeedManyBits) {
  // The difference is about e·2^-1000, so 64 to 512 bits cannot see it and 1024 bits barely can.
  const auto barely_positive = [](int precision) {
    const Ball one(1, precision);
    return exp(one + Ball(Rational::two_to(-1000), precision)) - exp(one);
  };
  EXPECT_EQ(decide(barely_positive), 1);
  EXPECT_EQ(decide([&](int precision) { return -barely_positive(precision); }), -1);
  EXPECT_EQ(try_decide(barely_positive, 512), std::nullopt);
}

TEST(DecideTest, AsksAtDoublingPrecisionsAndLastAtTheLimit) {
  std::vector<int> asked;
  const auto undecided = [&](int precision) {
    asked.push_back(precision);
    return Ball::between(-1, 1, precision);
  };
  EXPECT_EQ(try_decide(undecided, 300), std::nullopt);
  EXPECT_EQ(asked, (std::vector<int>{64, 128, 256, 300}));
  asked.clear();
  EXPECT_EQ(try_decide(undecided, 20), std::nullopt);
  EXPECT_EQ(asked, std::vector<int>{20});
}

TEST(DecideTest, AnExactZeroIsDecidedAndAnInexactOneIsNot) {
  EXPECT_EQ(decide([](int precision) { return Ball(0, precision); }), 0);
  const auto hidden_zero = [](int precision) {
    return ln(Ball(6, precision)) - ln(Ball(2, precision)) - ln(Ball(3, precision));
  };
  EXPECT_EQ(try_decide(hidden_zero), std::nullopt);
  EXPECT_EQ(code_of([&] { decide(hidden_zero); }), ErrorCode::kNotSupported);
}

}  // namespace ball_test
}  // namespace lastbit
