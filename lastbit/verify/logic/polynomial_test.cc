#include "lastbit/verify/logic/polynomial.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>

#include "lastbit/base/test_support.h"

namespace lastbit::verify {
namespace polynomial_test {

constexpr int kSymbols = 4;
using Terms = std::vector<std::pair<Monomial, Rational>>;

Rational power(const Rational& base, int exponent) {
  const Rational result = pow(base, static_cast<unsigned>(std::abs(exponent)));
  return exponent < 0 ? Rational(1) / result : result;
}

// value: the polynomial at a point whose coordinates are not 0, term by term.
Rational value(const Polynomial& polynomial, const std::vector<Rational>& point) {
  Rational sum;
  for (const auto& [monomial, coefficient] : polynomial.terms()) {
    Rational term = coefficient;
    for (const auto& [symbol, exponent] : monomial.powers) {
      term *= power(point[static_cast<std::size_t>(symbol)], exponent);
    }
    sum += term;
  }
  return sum;
}

rc::Gen<Rational> any_number() {
  return rc::gen::map(rc::gen::pair(rc::gen::inRange(-4, 5), rc::gen::inRange(1, 4)),
                      [](const auto& p) { return Rational(Integer(p.first), Integer(p.second)); });
}

// Polynomials with many cancellations: few symbols, small exponents, coefficients that are often 0.
Polynomial any_polynomial(int least_exponent) {
  Polynomial result;
  const int terms = *rc::gen::inRange(0, 6);
  for (int i = 0; i < terms; ++i) {
    Monomial monomial;
    for (int symbol = 0; symbol < kSymbols; ++symbol) {
      const int exponent = *rc::gen::inRange(least_exponent, 3);
      if (exponent != 0) monomial.powers.emplace_back(symbol, exponent);
    }
    result += Polynomial::term(*any_number(), monomial);
  }
  return result;
}

std::vector<Rational> any_point() {
  std::vector<Rational> point;
  for (int i = 0; i < kSymbols; ++i) {
    point.push_back(*rc::gen::suchThat(any_number(), [](const Rational& r) { return r != 0; }));
  }
  return point;
}

RC_GTEST_PROP(PolynomialTest, OperationsAreThoseOfTheirValues, ()) {
  const Polynomial a = any_polynomial(-2);
  const Polynomial b = any_polynomial(-2);
  const auto point = any_point();
  RC_ASSERT(value(a + b, point) == value(a, point) + value(b, point));
  RC_ASSERT(value(a - b, point) == value(a, point) - value(b, point));
  RC_ASSERT(value(a * b, point) == value(a, point) * value(b, point));
  RC_ASSERT(value(-a, point) == -value(a, point));
  Polynomial twice = a;
  twice += twice;
  RC_ASSERT(value(twice, point) == value(a, point) * Rational(2));
}

RC_GTEST_PROP(PolynomialTest, RingLawsHoldForRepresentations, ()) {
  const Polynomial a = any_polynomial(-2);
  const Polynomial b = any_polynomial(-2);
  const Polynomial c = any_polynomial(-2);
  const Polynomial one{Rational(1)};
  RC_ASSERT(a + b == b + a);
  RC_ASSERT((a + b) + c == a + (b + c));
  RC_ASSERT(a * b == b * a);
  RC_ASSERT((a * b) * c == a * (b * c));
  RC_ASSERT(a * (b + c) == a * b + a * c);
  RC_ASSERT(a * one == a);
  RC_ASSERT((a - a).is_zero());
  RC_ASSERT((a * Polynomial()).is_zero());
  RC_ASSERT((a <=> b == 0) == (a == b));
  RC_ASSERT((a < b) == (b > a));
}

RC_GTEST_PROP(PolynomialTest, SubstitutionIsEvaluationAtTheValues, ()) {
  const Polynomial a = any_polynomial(0);
  const Polynomial x = any_polynomial(0);
  const Polynomial y = any_polynomial(0);
  const auto point = any_point();
  auto moved = point;
  moved[0] = value(x, point);
  moved[2] = value(y, point);
  RC_ASSERT(value(a.substitute({{0, x}, {2, y}}), point) == value(a, moved));
  RC_ASSERT(a.substitute({}) == a);
}

TEST(PolynomialTest, SubstitutionHappensAtOnce) {
  const auto x = Polynomial::symbol(0);
  const auto y = Polynomial::symbol(1);
  EXPECT_EQ((x - y).substitute({{0, y}, {1, x}}), y - x);
}

TEST(PolynomialTest, ReplacingADivisorIsRefused) {
  const auto over_x = Polynomial::term(Rational(1), Monomial{{{0, -1}}});
  const auto replace = [&] { (void)over_x.substitute({{0, Polynomial(Rational(2))}}); };
  EXPECT_EQ(code_of(replace), ErrorCode::kNotSupported);
  EXPECT_EQ(over_x.substitute({{1, Polynomial()}}), over_x);
}

TEST(PolynomialTest, EqualPolynomialsHaveOneRepresentation) {
  const auto x = Polynomial::symbol(0);
  const auto over_x = Polynomial::term(Rational(1), inverse(Monomial{{{0, 1}}}));
  EXPECT_EQ(x * over_x, Polynomial(Rational(1)));
  EXPECT_TRUE(Polynomial(Rational(0)).is_zero());
  EXPECT_TRUE(Polynomial::term(Rational(0), Monomial{{{0, 1}}}).is_zero());
  EXPECT_FALSE((x * over_x).mentions(0));
  EXPECT_TRUE((x + over_x).mentions(0));
  EXPECT_EQ((x - x + Polynomial(Rational(3))).constant(), Rational(3));
  EXPECT_EQ(Polynomial().constant(), Rational(0));
  EXPECT_EQ(x.constant(), std::nullopt);
}

TEST(PolynomialTest, WhatGrowsTooLargeIsRefused) {
  const auto x = Polynomial::symbol(0);
  Polynomial power{Rational(1)};
  for (int i = 0; i < Polynomial::kMaxExponent; ++i) power = power * x;
  EXPECT_EQ(code_of([&] { (void)(power * x); }), ErrorCode::kNotSupported);
  Polynomial sum;
  for (int i = 0; i < static_cast<int>(Polynomial::kMaxTerms); ++i) sum += Polynomial::symbol(i);
  EXPECT_EQ(code_of([&] { sum += Polynomial(Rational(1)); }), ErrorCode::kNotSupported);
  const auto square_until_refused = [](Polynomial number) {
    for (int i = 0; i < 64; ++i) number = number * number;
  };
  EXPECT_EQ(code_of([&] { square_until_refused(Rational(3)); }), ErrorCode::kNotSupported);
  EXPECT_EQ(code_of([&] { square_until_refused(Rational(1) / Rational(3)); }),
            ErrorCode::kNotSupported);
  EXPECT_EQ(code_of([&] { square_until_refused(x + Polynomial(Rational(1))); }),
            ErrorCode::kNotSupported);
}

TEST(FactTest, HoldsDecidesConstantsOnly) {
  const auto truth = [](int number, Sign sign) { return holds({Rational(number), sign}); };
  EXPECT_EQ(truth(0, Sign::kZero), true);
  EXPECT_EQ(truth(1, Sign::kZero), false);
  EXPECT_EQ(truth(0, Sign::kNonNegative), true);
  EXPECT_EQ(truth(-1, Sign::kNonNegative), false);
  EXPECT_EQ(truth(0, Sign::kPositive), false);
  EXPECT_EQ(truth(1, Sign::kPositive), true);
  EXPECT_EQ(holds({Polynomial::symbol(0), Sign::kZero}), std::nullopt);
  EXPECT_EQ(holds(absurd()), false);
}

}  // namespace polynomial_test
}  // namespace lastbit::verify
