#include "lastbit/verify/floats/rounding/semantics.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "lastbit/base/test_support.h"
#include "lastbit/verify/floats/rounding/rounding_test_support.h"

namespace lastbit::verify {
namespace semantics_test {

const Formula kX = Formula::real("x");
const Formula kY = Formula::real("y");
const Formula kA = Formula::exact("a");
const Formula kB = Formula::exact("b");

enum class Side { kPositive, kNegative, kBoth };
constexpr Side kSides[] = {Side::kPositive, Side::kNegative, Side::kBoth};

std::vector<Rational> floats_on(Side side, int precision, int low, int high) {
  std::vector<Rational> result;
  for (const bool negative : {false, true}) {
    if (side == (negative ? Side::kPositive : Side::kNegative)) continue;
    const auto floats = floats_of(precision, low, high, negative);
    result.insert(result.end(), floats.begin(), floats.end());
  }
  return result;
}

Extent range_on(Side side, const Rational& least, const Rational& greatest) {
  if (side == Side::kPositive) return Extent::between(least, greatest);
  if (side == Side::kNegative) return Extent::between(-greatest, -least);
  return Extent::between(-greatest, greatest);
}

std::vector<FormulaValues> pairs(const std::string& x, const std::vector<Rational>& xs,
                                 const std::string& y, const std::vector<Rational>& ys) {
  std::vector<FormulaValues> result;
  for (const Rational& first : xs) {
    for (const Rational& second : ys) result.push_back({{x, first}, {y, second}});
  }
  return result;
}

std::vector<FormulaValues> singles(const std::string& name, const std::vector<Rational>& numbers) {
  std::vector<FormulaValues> result;
  for (const Rational& number : numbers) result.push_back({{name, number}});
  return result;
}

// Every step-th entry, from the first on.
std::vector<Rational> thinned(const std::vector<Rational>& numbers, std::size_t step) {
  std::vector<Rational> result;
  for (std::size_t i = 0; i < numbers.size(); i += step) result.push_back(numbers[i]);
  return result;
}

TEST(RoundingSemanticsTest, EveryPairOfFloatsStaysWithinEveryOperationAndSignCase) {
  for (int p = 4; p <= std::min(kMostBits, 7); ++p) {
    for (const Side left : kSides) {
      for (const Side right : kSides) {
        // Beyond 6 bits, the exponents of the first operand that change least are left out.
        const int lowest = p <= 6 ? -1 : 1;
        const auto all = pairs("a", floats_on(left, p, lowest, 1), "b", floats_on(right, p, 0, 0));
        const Ranges ranges = {{"a", range_on(left, rational("1/2"), 4)},
                               {"b", range_on(right, 1, 2)}};
        for (const Formula& formula : {kA + kB, kA - kB, kA * kB, kB - kA}) {
          EXPECT_EQ(values_text(escape(formula, ranges, p, all)), "none") << real_text(formula);
        }
        if (right == Side::kBoth) continue;
        EXPECT_EQ(values_text(escape(kA / kB, ranges, p, all)), "none");
      }
    }
  }
}

// The operands themselves are rounded, from the points that rounding moves farthest.
TEST(RoundingSemanticsTest, RoundedOperandsStayWithinEveryOperationAndSignCase) {
  for (const int p : {4, std::min(kMostBits, 6)}) {
    for (const Side left : kSides) {
      for (const Side right : kSides) {
        const std::size_t step = p == 4 ? 3 : 29;
        const auto all = pairs("x", thinned(with_gaps(floats_on(left, p, -1, 1), p), step), "y",
                               thinned(with_gaps(floats_on(right, p, 0, 0), p), step + 2));
        const Ranges ranges = {{"x", range_on(left, rational("1/2"), 4)},
                               {"y", range_on(right, 1, 2)}};
        for (const Formula& formula : {kX + kY, kX - kY, kX * kY, -(kX - kY) * kY}) {
          EXPECT_EQ(values_text(escape(formula, ranges, p, all)), "none") << real_text(formula);
        }
        if (right == Side::kBoth) continue;
        EXPECT_EQ(values_text(escape(kX / kY, ranges, p, all)), "none");
        EXPECT_EQ(values_text(escape((kX - kY) / (kY * kY), ranges, p, all)), "none");
      }
    }
  }
}

TEST(RoundingSemanticsTest, EveryMantissaStaysWithinAtHigherPrecisions) {
  for (int p = 7; p <= kMostBits; ++p) {
    const std::size_t step = (std::size_t{1} << (p - 6)) + 1;
    const auto all = pairs("a", floats_on(Side::kBoth, p, 0, 0), "b",
                           thinned(floats_on(Side::kNegative, p, -1, 1), 31 * step));
    const Ranges ranges = {{"a", Extent::between(-2, 2)},
                           {"b", Extent::between(-4, rational("-1/2"))}};
    for (const Formula& formula : {kA + kB, kA / kB}) {
      EXPECT_EQ(values_text(escape(formula, ranges, p, all)), "none") << real_text(formula);
    }
  }
}

TEST(RoundingSemanticsTest, EveryFloatStaysWithinTheLogarithm) {
  for (int p = 4; p <= kMostBits; ++p) {
    const auto floats = floats_of(p, -2, 1, false);
    std::vector<Rational> below;
    std::vector<Rational> above;
    for (const Rational& value : p <= 8 ? with_gaps(floats, p) : floats) {
      (value < Rational(1) ? below : above).push_back(value);
    }
    const Ranges small = {{"x", Extent::between(rational("1/4"), 1)}};
    const Ranges large = {{"x", Extent::between(1, 4)}};
    const Ranges both = {{"x", Extent::between(rational("1/4"), 4)}};
    EXPECT_EQ(values_text(escape(ln(kX), small, p, singles("x", below))), "none");
    EXPECT_EQ(values_text(escape(ln(kX), large, p, singles("x", above))), "none");
    EXPECT_EQ(values_text(escape(ln(kX), both, p, singles("x", p <= 8 ? below : above))), "none");
  }
}

TEST(RoundingSemanticsTest, TruncatedUniformStaysWithin) {
  for (int p = 4; p <= std::min(kMostBits, 10); ++p) {
    const auto all = singles("U", with_gaps(floats_of(p, -3, -1, false), p));
    const Formula u = Formula::uniform();
    EXPECT_EQ(values_text(escape(u, {}, p, all)), "none");
    EXPECT_EQ(values_text(escape(ln(u), {}, p, all)), "none");
    EXPECT_EQ(values_text(escape(Formula::number(3) * ln(u) - u, {}, p, all)), "none");
  }
}

TEST(RoundingSemanticsTest, GridAndClampStayWithinAndAreExact) {
  const int p = 5;
  const Formula rounded = round_to(kX - kY, rational("1/2"));
  const Formula clamped = clamp_to(rounded, rational("1.25"));
  const auto all = pairs("x", floats_on(Side::kBoth, p, -2, 1), "y",
                         thinned(with_gaps(floats_on(Side::kBoth, p, 0, 0), p), 5));
  const Ranges ranges = {{"x", Extent::between(-4, 4)}, {"y", Extent::between(-2, 2)}};
  EXPECT_EQ(values_text(escape(rounded, ranges, p, all)), "none");
  EXPECT_EQ(values_text(escape(clamped, ranges, p, all)), "none");
  const RoundingDerivation derivation = derive_rounding(clamped, ranges, FloatFormat::unbounded(p));
  EXPECT_EQ(derivation.root.rule, RoundingRule::kClamp);
  EXPECT_EQ(derivation.root.premises[0].rule, RoundingRule::kRound);
}

// Random expressions: a few variables, each with a range, a value in it, and all operations.
struct RandomCase {
  Formula formula = Formula::number(0);
  Ranges ranges;
  FormulaValues values;
};

// A number k/24 in the range: thirds give numbers that are not floats.
rc::Gen<Rational> number_between(int low, int high) {
  return rc::gen::map(rc::gen::inRange(24 * low, 24 * high + 1),
                      [](int k) { return Rational(Integer(k), Integer(24)); });
}

Formula random_leaf() {
  switch (*rc::gen::inRange(0, 6)) {
    case 0:
      return Formula::exact("a");
    case 1:
      return Formula::real("x");
    case 2:
      return Formula::real("y");
    case 3:
      return Formula::uniform();
    default:
      return Formula::number(*rc::gen::oneOf(number_between(-3, 3), rc::gen::just(Rational(2))));
  }
}

Formula random_formula(int depth) {
  if (depth == 0) return random_leaf();
  const auto next = [depth] { return random_formula(*rc::gen::inRange(0, depth)); };
  switch (*rc::gen::inRange(0, 9)) {
    case 0:
      return next() + next();
    case 1:
      return next() - next();
    case 2:
    case 3:
      return next() * next();
    case 4:
      return next() / next();
    case 5:
      return -next();
    case 6:
      return ln(next());
    case 7:
      return round_to(next(), Rational::two_to(*rc::gen::inRange(-3, 2)));
    default:
      return clamp_to(next(), rational("1.5"));
  }
}

RandomCase random_case(int depth, int precision) {
  RandomCase result;
  result.formula = random_formula(depth);
  for (const char* name : {"a", "x", "y"}) {
    const int low = *rc::gen::inRange(-3, 3);
    const int high = low + *rc::gen::inRange(1, 3);
    const Rational value = *number_between(low, high);
    result.ranges[name] = Extent::between(low, high);
    // A float between the same whole numbers, which are floats as well.
    result.values[name] = name[0] == 'a'
                              ? Float::from(value, FloatFormat::unbounded(precision)).to_rational()
                              : value;
  }
  result.values["U"] = (*number_between(0, 1) * Rational(22) + Rational(1)) / Rational(24);
  return result;
}

void check_random_case(int precision) {
  const RandomCase random = random_case(5, precision);
  const FloatFormat format = FloatFormat::unbounded(precision);
  std::optional<RoundingDerivation> derivation;
  try {
    derivation = derive_rounding(random.formula, random.ranges, format);
  } catch (const Error& error) {
    RC_ASSERT(error.code() == ErrorCode::kNotSupported);
    return;  // It reaches 0 in a divisor or a logarithm, as many do.
  }
  if (!derivation) return;
  const RoundingEnclosure enclosure = rounding_enclosure(*derivation, random.values, 600);
  RC_ASSERT(lies_within(float_value(random.formula, random.values, format), enclosure));
  // The exact value lies between the bounds, too; 400 bits are practically exact here.
  const Ball exact = real_value(random.formula, random.values, format, 400);
  RC_ASSERT(!certainly_less(exact, enclosure.low) && !certainly_greater(exact, enclosure.high));
}

void check_random_cases(int precision) {
  for (int i = 0; i < 40; ++i) check_random_case(precision);
}

// SLOW: RoundingSemanticsTest.RandomExpressionsStayWithinAtSmallPrecisions
RC_GTEST_PROP(RoundingSemanticsTest, RandomExpressionsStayWithinAtSmallPrecisions, ()) {
  check_random_cases(*rc::gen::inRange(4, 13));
}

// SLOW: RoundingSemanticsTest.RandomExpressionsStayWithinAtDoublePrecision
RC_GTEST_PROP(RoundingSemanticsTest, RandomExpressionsStayWithinAtDoublePrecision, ()) {
  check_random_cases(53);
}

// The published rules, refuted by the same brute force. Values that escape are recorded, so that a
// change that hides a refutation is noticed.
struct Twin {
  RoundingRules rules;
  Formula formula;
  Ranges ranges;
  std::vector<FormulaValues> values;
};

std::string first_escape(const Twin& twin, int precision) {
  EXPECT_EQ(values_text(escape(twin.formula, twin.ranges, precision, twin.values)), "none");
  return values_text(escape(twin.formula, twin.ranges, precision, twin.values, twin.rules));
}

constexpr int kTwinPrecision = 4;

std::vector<Rational> twin_points(bool negative) {
  return with_gaps(floats_of(kTwinPrecision, 0, 0, negative), kTwinPrecision);
}

const Extent kOneToTwo = Extent::between(1, 2);
const Extent kMinusTwoToMinusOne = Extent::between(-2, -1);

TEST(PublishedRulesTest, ConstantIntervalsAreReversedForNegativeNumbers) {
  EXPECT_EQ(first_escape({published::blind_to_signs(),
                          kX,
                          {{"x", kMinusTwoToMinusOne}},
                          singles("x", twin_points(true))},
                         kTwinPrecision),
            "x = -1");
}

TEST(PublishedRulesTest, OperationIntervalsAreReversedForNegativeResults) {
  const auto all = pairs("a", floats_of(4, 0, 0, false), "b", floats_of(4, 0, 0, true));
  const Ranges ranges = {{"a", kOneToTwo}, {"b", kMinusTwoToMinusOne}};
  EXPECT_EQ(first_escape({published::blind_to_signs(), kA * kB, ranges, all}, kTwinPrecision),
            "a = 1, b = -1");
}

TEST(PublishedRulesTest, OperationsThatForgetTheirOperandsDoNotEnclose) {
  const auto all = pairs("x", twin_points(false), "y", twin_points(false));
  const Ranges ranges = {{"x", kOneToTwo}, {"y", kOneToTwo}};
  const RoundingRules rules = published::forgetting_operands();
  EXPECT_EQ(first_escape({rules, kX + kY, ranges, all}, kTwinPrecision), "x = 1, y = 1.187375");
  EXPECT_EQ(first_escape({rules, kX - kY, ranges, all}, kTwinPrecision), "x = 1, y = 1.062375");
  EXPECT_EQ(first_escape({rules, kX * kY, ranges, all}, kTwinPrecision),
            "x = 1.062375, y = 1.062375");
  EXPECT_EQ(first_escape({rules, kX / kY, ranges, all}, kTwinPrecision), "x = 1, y = 1.062625");
}

TEST(PublishedRulesTest, MinusDivideAndNegateMustExchangeEnds) {
  const auto all = pairs("x", twin_points(false), "y", twin_points(false));
  const Ranges ranges = {{"x", kOneToTwo}, {"y", kOneToTwo}};
  const RoundingRules rules = published::not_exchanging_ends();
  EXPECT_EQ(first_escape({rules, kX - kY, ranges, all}, kTwinPrecision), "x = 1, y = 1.062375");
  EXPECT_EQ(first_escape({rules, kX / kY, ranges, all}, kTwinPrecision), "x = 1, y = 1.062625");
  EXPECT_EQ(first_escape({rules, -kX, ranges, all}, kTwinPrecision), "x = 1, y = 1");
}

TEST(PublishedRulesTest, EachLogarithmRuleFailsOnTheOtherSideOfOne) {
  const auto above = singles("x", twin_points(false));
  EXPECT_EQ(first_escape({published::ln_below_one_everywhere(), ln(kX), {{"x", kOneToTwo}}, above},
                         kTwinPrecision),
            "x = 1.062625");
  const auto below = singles("U", with_gaps(floats_of(4, -2, -1, false), 4));
  EXPECT_EQ(first_escape({published::ln_above_one_everywhere(), ln(Formula::uniform()), {}, below},
                         kTwinPrecision),
            "U = 0.25");
}

TEST(PublishedRulesTest, UniformWithoutGranularityDoesNotEnclose) {
  const auto all = singles("U", with_gaps(floats_of(4, -2, -1, false), 4));
  const RoundingRules rules = published::continuous_uniform();
  EXPECT_EQ(first_escape({rules, Formula::uniform(), {}, all}, kTwinPrecision), "U = 0.26559375");
  EXPECT_EQ(first_escape({rules, ln(Formula::uniform()), {}, all}, kTwinPrecision),
            "U = 0.28121875");
}

}  // namespace semantics_test
}  // namespace lastbit::verify
