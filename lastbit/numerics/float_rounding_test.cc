// Float against a definition of rounding that uses Rational and nothing else.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "lastbit/base/test_support.h"
#include "lastbit/numerics/ball.h"
#include "lastbit/numerics/float.h"

namespace lastbit {
namespace float_rounding_test {

constexpr Rounding kRoundings[] = {Rounding::kNearestEven, Rounding::kDown, Rounding::kUp,
                                   Rounding::kTowardZero};

// A result as the standard describes it.
struct Datum {
  enum Kind { kNumber, kInfinity, kNan } kind = kNumber;
  bool negative = false;
  Rational magnitude = Rational(0);
};

bool same(const Float& a, const Datum& b) {
  if (b.kind == Datum::kNan) return a.is_nan();
  if (a.is_nan() || a.is_negative() != b.negative) return false;
  if (b.kind == Datum::kInfinity) return a.is_infinite();
  return a.is_finite() && abs(a.to_rational()) == b.magnitude;
}

Datum as_datum(const Float& a) {
  if (a.is_nan()) return {Datum::kNan};
  if (a.is_infinite()) return {Datum::kInfinity, a.is_negative()};
  return {Datum::kNumber, a.is_negative(), abs(a.to_rational())};
}

// Whether a magnitude between two neighbours goes to the outer one. `place` is 0 in the middle,
// negative nearer to the inner one.
bool goes_out(Rounding rounding, bool negative, int place, bool inner_is_even) {
  switch (rounding) {
    case Rounding::kNearestEven:
      return place > 0 || (place == 0 && !inner_is_even);
    case Rounding::kDown:
      return negative;
    case Rounding::kUp:
      return !negative;
    case Rounding::kTowardZero:
      return false;
  }
  return false;
}

// The first definition: list every magnitude of an IEEE format and look for the neighbours. In the
// list a float is even exactly when its index is, because indices are bit patterns.
class ListedFormat {
 public:
  ListedFormat(int precision, std::int64_t emax) {
    const std::int64_t emin = 1 - emax;
    const std::int64_t half = std::int64_t{1} << (precision - 1);
    for (std::int64_t m = 0; m < half; ++m) {
      values_.push_back(Rational(m) * Rational::two_to(emin - precision + 1));
    }
    for (std::int64_t e = emin; e <= emax; ++e) {
      for (std::int64_t m = half; m < 2 * half; ++m) {
        values_.push_back(Rational(m) * Rational::two_to(e - precision + 1));
      }
    }
    values_.push_back(Rational::two_to(emax + 1));  // stands for infinity
  }

  Datum round(const Rational& exact, Rounding rounding) const {
    const bool negative = exact.sign() < 0;
    const Rational magnitude = abs(exact);
    const auto outer = std::lower_bound(values_.begin(), values_.end(), magnitude);
    auto index = static_cast<std::size_t>(outer - values_.begin());
    if (outer == values_.end()) {
      index = goes_out(rounding, negative, 1, true) ? values_.size() - 1 : values_.size() - 2;
    } else if (*outer != magnitude) {
      const Rational twice = magnitude + magnitude;
      const auto order = twice <=> values_[index] + values_[index - 1];
      const int place = order > 0 ? 1 : order < 0 ? -1 : 0;
      if (!goes_out(rounding, negative, place, (index - 1) % 2 == 0)) --index;
    } else if (index == values_.size() - 1 && !goes_out(rounding, negative, 1, true)) {
      --index;
    }
    if (index == values_.size() - 1) return {Datum::kInfinity, negative};
    return {Datum::kNumber, negative, values_[index]};
  }

  const std::vector<Rational>& values() const { return values_; }

 private:
  std::vector<Rational> values_;
};

// The second definition, for any format: count quanta, where a quantum is the spacing of floats at
// the number's own exponent.
Datum round_by_quantum(const Rational& exact, const FloatFormat& format, Rounding rounding) {
  const bool negative = exact.sign() < 0;
  const Rational magnitude = abs(exact);
  if (magnitude.sign() == 0) return {};
  auto e = static_cast<std::int64_t>(magnitude.numerator().bit_length()) -
           static_cast<std::int64_t>(magnitude.denominator().bit_length());
  if (magnitude < Rational::two_to(e)) --e;
  if (format.is_bounded()) e = std::max(e, format.emin());
  const Rational quantum = Rational::two_to(e - format.precision() + 1);
  Integer count = (magnitude / quantum).floor();
  const Rational rest = magnitude / quantum - Rational(count);
  if (rest.sign() != 0) {
    const auto order = rest <=> Rational(1, 2);
    const int place = order > 0 ? 1 : order < 0 ? -1 : 0;
    if (goes_out(rounding, negative, place, floor_mod(count, 2) == Integer(0))) count += 1;
  }
  const Rational result = Rational(count) * quantum;
  if (!format.is_bounded() || result < Rational::two_to(format.emax() + 1)) {
    return {Datum::kNumber, negative, result};
  }
  if (goes_out(rounding, negative, 1, true)) return {Datum::kInfinity, negative};
  return {Datum::kNumber, negative,
          Rational::two_to(format.emax() + 1) -
              Rational::two_to(format.emax() + 1 - format.precision())};
}

// The result of a sum or difference that is exactly zero.
Datum exact_zero(bool a_negative, bool b_negative, bool both_zero, Rounding rounding) {
  if (both_zero && a_negative == b_negative) return {Datum::kNumber, a_negative};
  return {Datum::kNumber, rounding == Rounding::kDown};
}

template <class Round>
Datum defined_sum(const Datum& a, const Datum& b, Rounding rounding, const Round& round) {
  if (a.kind == Datum::kNan || b.kind == Datum::kNan) return {Datum::kNan};
  if (a.kind == Datum::kInfinity && b.kind == Datum::kInfinity) {
    return a.negative == b.negative ? a : Datum{Datum::kNan};
  }
  if (a.kind == Datum::kInfinity) return a;
  if (b.kind == Datum::kInfinity) return b;
  const Rational exact =
      (a.negative ? -a.magnitude : a.magnitude) + (b.negative ? -b.magnitude : b.magnitude);
  if (exact.sign() != 0) return round(exact, rounding);
  return exact_zero(a.negative, b.negative, a.magnitude.sign() == 0, rounding);
}

bool is_zero(const Datum& a) { return a.kind == Datum::kNumber && a.magnitude.sign() == 0; }

template <class Round>
Datum defined_product(const Datum& a, const Datum& b, Rounding rounding, const Round& round) {
  if (a.kind == Datum::kNan || b.kind == Datum::kNan) return {Datum::kNan};
  const bool negative = a.negative != b.negative;
  if (a.kind == Datum::kInfinity || b.kind == Datum::kInfinity) {
    return is_zero(a) || is_zero(b) ? Datum{Datum::kNan} : Datum{Datum::kInfinity, negative};
  }
  if (is_zero(a) || is_zero(b)) return {Datum::kNumber, negative};
  const Rational exact = a.magnitude * b.magnitude;
  return round(negative ? -exact : exact, rounding);
}

template <class Round>
Datum defined_quotient(const Datum& a, const Datum& b, Rounding rounding, const Round& round) {
  if (a.kind == Datum::kNan || b.kind == Datum::kNan) return {Datum::kNan};
  const bool negative = a.negative != b.negative;
  if (a.kind == Datum::kInfinity) {
    return b.kind == Datum::kInfinity ? Datum{Datum::kNan} : Datum{Datum::kInfinity, negative};
  }
  if (b.kind == Datum::kInfinity) return {Datum::kNumber, negative};
  if (is_zero(b)) return is_zero(a) ? Datum{Datum::kNan} : Datum{Datum::kInfinity, negative};
  if (is_zero(a)) return {Datum::kNumber, negative};
  const Rational exact = a.magnitude / b.magnitude;
  return round(negative ? -exact : exact, rounding);
}

template <class Round>
void expect_all_operations(const Float& a, const Float& b, const FloatFormat& format,
                           const Round& round) {
  const Datum x = as_datum(a);
  const Datum y = as_datum(b);
  Datum minus_y = y;
  minus_y.negative = !y.negative;
  for (const Rounding r : kRoundings) {
    const auto check = [&](const char* name, const Float& got, const Datum& wanted) {
      ASSERT_TRUE(same(got, wanted))
          << name << ' ' << a.to_string() << ' ' << b.to_string() << " rounding "
          << static_cast<int>(r) << " gave " << got.to_string() << " at p = " << format.precision();
      ASSERT_EQ(got.format(), format);
    };
    check("add", add(a, b, format, r), defined_sum(x, y, r, round));
    check("subtract", subtract(a, b, format, r), defined_sum(x, minus_y, r, round));
    check("multiply", multiply(a, b, format, r), defined_product(x, y, r, round));
    check("divide", divide(a, b, format, r), defined_quotient(x, y, r, round));
  }
}

std::vector<Float> everything(const FloatFormat& format) {
  std::vector<Float> all = all_finite_floats(format);
  all.push_back(-Float(format));
  all.push_back(Float::infinity(format));
  all.push_back(-Float::infinity(format));
  all.push_back(Float::nan(format));
  return all;
}

TEST(FloatRoundingTest, EveryPairOfSmallIeeeFormats) {
  struct Case {
    int precision;
    std::int64_t emax;
    std::size_t stride;
  };
  // From 6 bits on a stride thins the pairs: each float still meets partners over the whole range.
  for (const Case c :
       {Case{2, 1, 1}, Case{2, 3, 1}, Case{3, 4, 1}, Case{4, 4, kThinning}, Case{5, 2, kThinning},
        Case{6, 3, 37 * kThinning}, Case{7, 3, 139 * kThinning}, Case{8, 3, 557 * kThinning}}) {
    const FloatFormat format = FloatFormat::ieee(c.precision, c.emax);
    const ListedFormat listed(c.precision, c.emax);
    const auto round = [&](const Rational& exact, Rounding r) { return listed.round(exact, r); };
    const std::vector<Float> all = everything(format);
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = i % c.stride; j < all.size(); j += c.stride) {
        expect_all_operations(all[i], all[j], format, round);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(FloatRoundingTest, EveryPairOfSmallUnboundedFormats) {
  for (const int precision : {2, 3, 4, 5}) {
    const FloatFormat format = FloatFormat::unbounded(precision);
    const auto round = [&](const Rational& exact, Rounding r) {
      return round_by_quantum(exact, format, r);
    };
    std::vector<Float> all = positive_floats(format, -1, 1);
    const std::size_t count = all.size();
    for (std::size_t i = 0; i < count; ++i) all.push_back(-all[i]);
    all.push_back(Float(format));
    all.push_back(-Float(format));
    for (const Float& a : all) {
      for (const Float& b : all) {
        expect_all_operations(a, b, format, round);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(FloatRoundingTest, ResultsInAFormatNarrowerThanTheOperandsAreRoundedOnce) {
  // Operands with more bits and far more range than the result: every way to under- and overflow.
  const FloatFormat wide = FloatFormat::unbounded(12);
  const FloatFormat narrow = FloatFormat::ieee(4, 5);
  const ListedFormat listed(4, 5);
  const auto round = [&](const Rational& exact, Rounding r) { return listed.round(exact, r); };
  const Rational quantum = Rational::two_to(narrow.emin() - 3);
  std::vector<Float> operands;
  for (const Rational& value :
       {quantum / 2, quantum / 2 + Rational::two_to(-14), quantum / 2 - Rational::two_to(-14),
        quantum / 4, quantum * 3 / 2, quantum * 3 / 2 + Rational::two_to(-14), quantum * 5 / 2,
        Rational::two_to(-40), Rational(1), Rational(63), Rational(62), Rational(61),
        Rational(1999, 32), Rational(2001, 32), Rational::two_to(40)}) {
    operands.push_back(Float::from(value, wide));
    operands.push_back(Float::from(-value, wide));
  }
  for (const Float& a : operands) {
    for (const Float& b : operands) {
      expect_all_operations(a, b, narrow, round);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(FloatRoundingTest, EnumerationListsEveryFloatOnceInOrder) {
  for (const auto& [precision, emax] : {std::pair{2, 1}, {3, 4}, {5, 7}, {8, 3}}) {
    const ListedFormat listed(precision, emax);
    const std::vector<Float> all = all_finite_floats(FloatFormat::ieee(precision, emax));
    const std::size_t magnitudes = listed.values().size() - 1;
    ASSERT_EQ(all.size(), 2 * magnitudes - 1);
    for (std::size_t i = 0; i < magnitudes; ++i) {
      ASSERT_EQ(all[magnitudes - 1 + i].to_rational(), listed.values()[i]);
      ASSERT_EQ(all[magnitudes - 1 - i].to_rational(), -listed.values()[i]);
    }
    ASSERT_FALSE(all[magnitudes - 1].is_negative());
  }
}

TEST(FloatRoundingTest, RationalsConvertAsDefined) {
  const ListedFormat listed(3, 3);
  const FloatFormat format = FloatFormat::ieee(3, 3);
  for (int numerator = -1200; numerator <= 1200; ++numerator) {
    for (const int denominator : {1, 3, 7, 16, 64, 128, 320}) {
      const Rational exact(numerator, denominator);
      for (const Rounding r : kRoundings) {
        ASSERT_TRUE(same(Float::from(exact, format, r), listed.round(exact, r)))
            << exact.to_string();
        const FloatFormat unbounded = FloatFormat::unbounded(3);
        ASSERT_TRUE(same(Float::from(exact, unbounded, r), round_by_quantum(exact, unbounded, r)));
      }
    }
  }
}

TEST(FloatRoundingTest, TheTwoDefinitionsAgree) {
  for (const auto& [precision, emax] : {std::pair{2, 2}, {3, 3}, {5, 4}}) {
    const ListedFormat listed(precision, emax);
    const FloatFormat format = FloatFormat::ieee(precision, emax);
    for (int numerator = -3000; numerator <= 3000; ++numerator) {
      const Rational exact(numerator, 96);
      for (const Rounding r : kRoundings) {
        const Datum a = listed.round(exact, r);
        const Datum b = round_by_quantum(exact, format, r);
        ASSERT_EQ(a.kind, b.kind);
        ASSERT_EQ(a.magnitude, b.magnitude);
      }
    }
  }
}

// Both ends of a 600-bit enclosure, rounded by the definition, agree; so that is the answer.
Datum defined_ln(const Rational& x, const FloatFormat& format, Rounding rounding) {
  const Ball value = ln(Ball(x, 600));
  const Datum low = round_by_quantum(value.lower_rational(), format, rounding);
  const Datum high = round_by_quantum(value.upper_rational(), format, rounding);
  EXPECT_EQ(low.magnitude, high.magnitude);
  return low;
}

TEST(FloatRoundingTest, LogarithmIsCorrectlyRoundedOnEverySmallFloat) {
  for (int precision = 2; precision <= 8; ++precision) {
    const FloatFormat formats[] = {FloatFormat::unbounded(precision),
                                   FloatFormat::ieee(precision, 4)};
    for (const FloatFormat& format : formats) {
      for (const Float& x : positive_floats(format, -3, 3)) {
        for (const Rounding r : kRoundings) {
          const Float result = ln(x, format, r);
          if (x.to_rational() == Rational(1)) {
            ASSERT_TRUE(identical(result, Float(format)));
            continue;
          }
          const Datum wanted = defined_ln(x.to_rational(), format, r);
          ASSERT_TRUE(same(result, wanted)) << x.to_string() << ' ' << precision;
          ASSERT_TRUE(same(ln(x.to_rational(), format, r), wanted)) << x.to_string();
        }
      }
    }
  }
}

TEST(FloatRoundingTest, LogarithmOfExactNumbersIsCorrectlyRounded) {
  const FloatFormat tiny = FloatFormat::ieee(4, 3);
  for (const char* text : {"1/3", "0.1", "10", "1e-300", "1e300", "1000000001/1000000000", "2",
                           "999999999999/1000000000000", "7/5", "1e5000"}) {
    for (const Rounding r : kRoundings) {
      for (const int precision : {2, 24, 53, 118, 200}) {
        const FloatFormat format = FloatFormat::unbounded(precision);
        ASSERT_TRUE(same(ln(rational(text), format, r), defined_ln(rational(text), format, r)))
            << text << ' ' << precision;
      }
      ASSERT_TRUE(same(ln(rational(text), tiny, r), defined_ln(rational(text), tiny, r))) << text;
    }
    ASSERT_LT(ln_down(rational(text), 53), ln_up(rational(text), 53));
    ASSERT_LT(ln_up(rational(text), 53) - ln_down(rational(text), 53),
              abs(ln_up(rational(text), 53)) * Rational::two_to(-51));
  }
}

TEST(FloatRoundingTest, LogarithmAtWorkingPrecisionsIsCorrectlyRounded) {
  for (const int precision : {53, 118}) {
    const FloatFormat format = FloatFormat::unbounded(precision);
    Float x = Float::from(rational("0.7123456789"), format);
    for (int i = 0; i < 300; ++i) {
      for (const Rounding r : kRoundings) {
        const Float result = ln(x, format, r);
        ASSERT_TRUE(same(result, defined_ln(x.to_rational(), format, r))) << x.to_string();
      }
      // A walk over many binades and mantissas, also close to 1.
      x = multiply(x, Float::from(rational(i % 2 == 0 ? "1.9137" : "0.4871"), format), format);
      if (i % 10 == 0)
        x = add(Float::from(Rational(1), format),
                divide(x, Float::from(Rational::two_to(i / 8), format), format), format);
    }
  }
}

TEST(FloatRoundingTest, HighPrecisionResultsLieInTheirBalls) {
  const FloatFormat format = FloatFormat::unbounded(118);
  for (int i = 1; i <= 200; ++i) {
    const Float a = Float::from(Rational(i * i + 1, 7 * i), format);
    const Float b = Float::from(Rational(11 * i, i + 3), format);
    const Ball ball_a(a.to_rational(), 200);
    const Ball ball_b(b.to_rational(), 200);
    const auto check = [&](const Float& down, const Ball& ball, const Float& up) {
      ASSERT_TRUE(compare(down, ball.upper_rational()) <= 0);
      ASSERT_TRUE(compare(up, ball.lower_rational()) >= 0);
      ASSERT_TRUE(down == up || next_up(down) == up);
    };
    using enum Rounding;
    check(add(a, b, format, kDown), ball_a + ball_b, add(a, b, format, kUp));
    check(multiply(a, b, format, kDown), ball_a * ball_b, multiply(a, b, format, kUp));
    check(divide(a, b, format, kDown), ball_a / ball_b, divide(a, b, format, kUp));
    check(sqrt(a, format, kDown), sqrt(ball_a), sqrt(a, format, kUp));
    check(exp(a, format, kDown), exp(ball_a), exp(a, format, kUp));
    check(ln(a, format, kDown), ln(ball_a), ln(a, format, kUp));
  }
}

TEST(FloatRoundingTest, AForeignExponentRangeNeitherHarmsNorIsHarmed) {
  const mpfr_exp_t low = mpfr_get_emin();
  const mpfr_exp_t high = mpfr_get_emax();
  mpfr_set_emin(-5);
  mpfr_set_emax(5);
  const FloatFormat format = FloatFormat::unbounded(10);
  const Float big = Float::from(Rational::two_to(100), format);
  const Float product = multiply(big, big, format);
  const Float half =
      divide(Float::from(1.0, FloatFormat::binary16()), big, FloatFormat::binary64());
  EXPECT_EQ(mpfr_get_emin(), -5);
  EXPECT_EQ(mpfr_get_emax(), 5);
  mpfr_set_emin(low);
  mpfr_set_emax(high);
  EXPECT_EQ(product.to_rational(), Rational::two_to(200));
  EXPECT_EQ(half.to_rational(), Rational::two_to(-100));
}

}  // namespace float_rounding_test
}  // namespace lastbit
