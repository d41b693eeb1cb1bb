#include "lastbit/verify/refute/probability.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "lastbit/base/test_support.h"
#include "lastbit/verify/refute/lattice.h"

namespace lastbit::verify::refutation {
namespace probability_test {

constexpr int kPrecision = 160;
using Law = Noise::Law;

Noise noise(Law law, const Rational& scale) { return {law, scale, {}, -1}; }

// A system under construction: noises, and linear forms with the intervals they lie in.
struct Question {
  std::vector<Noise> noises;
  System system;
  bool room = true;

  int add(Law law, const Rational& scale = 1) {
    noises.push_back(noise(law, scale));
    return static_cast<int>(noises.size()) - 1;
  }
  Question& ask(NoiseTerms terms, const Interval& interval) {
    room = system.require_in({0, std::move(terms)}, interval, noises) && room;
    return *this;
  }
  Question& less(int a, int b) {
    return a < b ? ask({{a, 1}, {b, -1}}, {std::nullopt, Rational(0), true, false})
                 : ask({{b, 1}, {a, -1}}, {Rational(0), std::nullopt, false, true});
  }
  Mass<Ball> answer(int boxes = 64, int precision = kPrecision) const {
    Arithmetic<Ball> arithmetic(precision);
    return probability(noises, system.intervals(), arithmetic, {Deadline(60), boxes});
  }
  double scouted() const {
    Arithmetic<double> arithmetic;
    return probability(noises, system.intervals(), arithmetic, {Deadline(60)}).high;
  }
};

Interval up_to(const Rational& value) { return {std::nullopt, value}; }
Interval from(const Rational& value) { return {value, std::nullopt}; }

Ball real(const Rational& value) { return Ball(value, kPrecision); }
Ball exp_of(const Rational& value) { return exp(real(value)); }

// Closed forms lie in the answer, which is as sharp as its precision promises.
void expect_answer(const Question& question, const Ball& truth) {
  const Mass<Ball> mass = question.answer();
  EXPECT_FALSE(certainly_greater(mass.low, truth)) << mass.low.to_string() << truth.to_string();
  EXPECT_FALSE(certainly_less(mass.high, truth)) << mass.high.to_string() << truth.to_string();
  EXPECT_LT((mass.high - mass.low).upper(), 0x1p-70);
  EXPECT_NEAR(question.scouted(), truth.lower(), 1e-9);
}

Rational small_fraction() { return Rational(*rc::gen::inRange(-40, 41), *rc::gen::inRange(1, 9)); }
Rational positive_fraction() { return Rational(*rc::gen::inRange(1, 25), *rc::gen::inRange(1, 9)); }

Ball laplace_tail(const Rational& a, const Rational& scale) {
  if (a.sign() >= 0) return exp_of(-a / scale) / real(2);
  return real(1) - exp_of(a / scale) / real(2);
}

RC_GTEST_PROP(ProbabilityTest, LaplaceHalfLineIsTheTextbookTail, ()) {
  const Rational scale = positive_fraction();
  const Rational a = small_fraction();
  Question question;
  question.ask({{question.add(Law::kLaplace, scale), 1}}, from(a));
  expect_answer(question, laplace_tail(a, scale));
}

RC_GTEST_PROP(ProbabilityTest, DifferenceOfTwoLaplacesHasItsClosedForm, ()) {
  const Rational b = positive_fraction();
  const Rational a = b + positive_fraction();
  const Rational c = abs(small_fraction());
  Question question;
  const int x = question.add(Law::kLaplace, a);
  const int y = question.add(Law::kLaplace, b);
  question.ask({{x, 1}, {y, -1}}, from(c));
  const Ball weight = real(2 * (a * a - b * b));
  expect_answer(question, (real(a * a) * exp_of(-c / a) - real(b * b) * exp_of(-c / b)) / weight);
}

TEST(ProbabilityTest, EqualScalesGivePolynomialsTimesExponentials) {
  // Pr[X − Y ≥ c] = e^(−c)·(2 + c)/4: what a noisy maximum of two queries at distance c loses.
  for (const int c : {0, 1, 3, 20}) {
    Question question;
    const int x = question.add(Law::kLaplace);
    const int y = question.add(Law::kLaplace);
    question.ask({{x, 1}, {y, -1}}, from(c));
    expect_answer(question, exp_of(-c) * real(2 + c) / real(4));
  }
}

TEST(ProbabilityTest, OrdersOfEqualNoisesAreEquallyLikely) {
  for (const Law law : {Law::kLaplace, Law::kExponential, Law::kUniform}) {
    Rational factorial = 1;
    for (int n = 2; n <= 5; ++n) {
      factorial *= n;
      Question chain;
      Question star;
      for (int i = 0; i < n; ++i) {
        chain.add(law, law == Law::kUniform ? Rational(1) : rational("3/2"));
        star.add(law, law == Law::kUniform ? Rational(1) : rational("3/2"));
        if (i > 0) chain.less(i - 1, i);
        if (i > 0) star.less(i, 0);
      }
      expect_answer(chain, real(Rational(1) / factorial));
      expect_answer(star, real(Rational(1, n)));
    }
  }
}

TEST(ProbabilityTest, SparseVectorWithOneQueryHasItsClosedForm) {
  // Threshold noise of scale 2, query noise of scale 4, query 1 below the threshold.
  Question question;
  const int threshold = question.add(Law::kLaplace, 2);
  const int query = question.add(Law::kLaplace, 4);
  question.ask({{threshold, -1}, {query, 1}}, from(1));
  const Ball truth =
      (real(16) * exp_of(rational("-1/4")) - real(4) * exp_of(rational("-1/2"))) / real(24);
  expect_answer(question, truth);
}

TEST(ProbabilityTest, UniformSumsArePolynomials) {
  Question question;
  const int u = question.add(Law::kUniform);
  const int v = question.add(Law::kUniform);
  question.ask({{u, 1}, {v, 1}}, up_to(rational("1/2")));
  expect_answer(question, real(rational("1/8")));
  question.ask({{u, 1}, {v, -1}}, from(0));
  expect_answer(question, real(rational("1/16")));
}

TEST(ProbabilityTest, SeveralConditionsOnTwoNoisesCutOutOneRegion) {
  // |x| + |y| ≤ 1 for Laplace noises is 1 − 2/e, whichever way it is cut.
  Question question;
  const int x = question.add(Law::kLaplace);
  const int y = question.add(Law::kLaplace);
  question.ask({{x, 1}, {y, 1}}, {Rational(-1), Rational(1)});
  question.ask({{x, 1}, {y, -1}}, {Rational(-1), Rational(1)});
  expect_answer(question, real(1) - real(2) * exp_of(-1));
}

RC_GTEST_PROP(ProbabilityTest, WholeNoiseHasTheTailsOfItsMasses, ()) {
  const Rational scale = positive_fraction();
  const int low = *rc::gen::inRange(-12, 12);
  const int high = low + *rc::gen::inRange(0, 9);
  const Ball q = exp_of(Rational(-1) / scale);
  for (const Law law : {Law::kGeometric, Law::kDiscreteLaplace}) {
    Ball sum = real(0);
    for (int k = low; k <= high; ++k) {
      if (law == Law::kGeometric && k >= 0) sum = sum + (real(1) - q) * pow(q, k);
      if (law == Law::kDiscreteLaplace) {
        sum = sum + (real(1) - q) / (real(1) + q) * pow(q, std::abs(k));
      }
    }
    Question question;
    question.ask({{question.add(law, scale), 1}}, {Rational(low), Rational(high)});
    if (law == Law::kGeometric && high < 0) {
      EXPECT_FALSE(question.room);
      EXPECT_TRUE(question.answer().is_zero);
    } else {
      expect_answer(question, sum);
    }
  }
}

TEST(ProbabilityTest, TiesBetweenWholeNoisesCount) {
  const Ball q = exp_of(rational("-1/2"));
  Question strict;
  const int a = strict.add(Law::kGeometric, 2);
  const int b = strict.add(Law::kGeometric, 2);
  Question weak = strict;
  Question equal = strict;
  strict.less(a, b);
  weak.ask({{a, 1}, {b, -1}}, up_to(0));
  equal.ask({{a, 1}, {b, -1}}, {Rational(0), Rational(0)});
  expect_answer(strict, q / (real(1) + q));
  expect_answer(weak, real(1) / (real(1) + q));
  expect_answer(equal, (real(1) - q) / (real(1) + q));
}

TEST(ProbabilityTest, WholeAndContinuousNoiseMeet) {
  // Pr[E ≥ K] = Σ (1 − q)·q^k·r^k, in both roles of the root.
  const Ball q = exp_of(-1);
  const Ball r = exp_of(rational("-1/3"));
  const Ball truth = (real(1) - q) / (real(1) - q * r);
  Question whole_first;
  const int k = whole_first.add(Law::kGeometric, 1);
  const int e = whole_first.add(Law::kExponential, 3);
  whole_first.ask({{k, 1}, {e, -1}}, up_to(0));
  expect_answer(whole_first, truth);
  Question whole_last;
  const int f = whole_last.add(Law::kExponential, 3);
  const int m = whole_last.add(Law::kGeometric, 1);
  whole_last.ask({{f, 1}, {m, -1}}, from(0));
  expect_answer(whole_last, truth);
}

TEST(ProbabilityTest, StepsAreIntervalsOfWhatIsUnderThem) {
  Question question;
  const int x = question.add(Law::kLaplace);
  question.noises.push_back({Law::kStep, 1, {rational("1/2"), {{x, 1}}}, -1});
  question.ask({{1, 1}}, {Rational(2), Rational(2)});  // ⌊x + 1/2⌋ = 2
  expect_answer(question, (exp_of(rational("-3/2")) - exp_of(rational("-5/2"))) / real(2));
}

// A triangle of comparisons is not a tree, though one side of it is implied.
Question triangle() {
  Question question;
  for (int i = 0; i < 3; ++i) question.add(Law::kLaplace);
  return question.less(0, 1).less(1, 2).less(0, 2);
}

TEST(ProbabilityTest, BoxesEncloseTheTruthAndCloseInOnIt) {
  double width = 1;
  for (const int boxes : {16, 64, 256}) {
    const Mass<Ball> mass = triangle().answer(boxes);
    EXPECT_FALSE(certainly_greater(mass.low, real(rational("1/6"))));
    EXPECT_FALSE(certainly_less(mass.high, real(rational("1/6"))));
    const double now = (mass.high - mass.low).upper();
    EXPECT_LT(now, width / 2);
    width = now;
  }
  EXPECT_NEAR(triangle().scouted(), 1.0 / 6, 1e-3);
}

TEST(ProbabilityTest, BoxesEncloseSumsOfThreeNoises) {
  // For three exponentials of scale 1, Pr[sum ≤ 2] = 1 − 5e^(−2).
  Question question;
  for (int i = 0; i < 3; ++i) question.add(Law::kExponential);
  question.ask({{0, 1}, {1, 1}, {2, 1}}, up_to(2));
  const Ball truth = real(1) - real(5) * exp_of(-2);
  const Mass<Ball> mass = question.answer(256);
  EXPECT_FALSE(certainly_greater(mass.low, truth));
  EXPECT_FALSE(certainly_less(mass.high, truth));
  EXPECT_LT((mass.high - mass.low).upper(), 0.1);
}

// Random trees of conditions, whole noise among them.
Question random_tree(int size) {
  Question question;
  for (int i = 0; i < size; ++i) {
    const Law law = *rc::gen::weightedElement<Law>({{4, Law::kLaplace},
                                                    {3, Law::kExponential},
                                                    {2, Law::kUniform},
                                                    {1, Law::kGeometric},
                                                    {1, Law::kDiscreteLaplace}});
    // Tables of whole noise grow with its scale, and would prove no more.
    const int most = law >= Law::kGeometric ? 2 : 5;
    const Rational scale(*rc::gen::inRange(1, most), *rc::gen::inRange(1, 4));
    question.add(law, law == Law::kUniform ? Rational(1) : scale);
    if (i == 0) continue;
    const int other = *rc::gen::inRange(0, i);
    const Rational factor(*rc::gen::element(-2, -1, -1, 1), *rc::gen::inRange(1, 3));
    const Rational bound(*rc::gen::inRange(-4, 5), *rc::gen::inRange(1, 3));
    question.ask({{other, 1}, {i, factor}},
                 *rc::gen::arbitrary<bool>() ? up_to(bound) : from(bound));
  }
  return question;
}

RC_GTEST_PROP(ProbabilityTest, WhatASystemAllowsSplitsIntoBothSidesOfAThreshold, ()) {
  const Question whole = random_tree(*rc::gen::inRange(2, 5));
  Question low = whole;
  Question high = whole;
  const int index = *rc::gen::inRange(0, static_cast<int>(whole.noises.size()));
  const Rational bound(*rc::gen::inRange(-3, 4), *rc::gen::inRange(1, 3));
  low.ask({{index, 1}}, {std::nullopt, bound, true, false});
  high.ask({{index, 1}}, from(bound));
  const Mass<Ball> all = whole.answer();
  const Mass<Ball> first = low.answer();
  const Mass<Ball> second = high.answer();
  RC_ASSERT(!certainly_less(first.high + second.high, all.low));
  RC_ASSERT(!certainly_greater(first.low + second.low, all.high));
  RC_ASSERT((all.high - all.low).upper() < 0x1p-70);
  RC_ASSERT(!all.is_zero || (first.is_zero && second.is_zero));
  RC_ASSERT(!certainly_less(real(1), all.low) && !certainly_less(all.high, real(0)));
  RC_ASSERT(std::abs(whole.scouted() - all.high.upper()) < 1e-7);
}

// SLOW: ProbabilityTest.BoxesAgreeWithClosedForms
RC_GTEST_PROP(ProbabilityTest, BoxesAgreeWithClosedForms, ()) {
  // A redundant condition on three noises takes the closed form away and nothing else.
  Question question = random_tree(3);
  const Mass<Ball> sharp = question.answer();
  question.ask({{0, 1}, {1, 1}, {2, 1}}, up_to(100'000));
  const Mass<Ball> boxed = question.answer(16);
  RC_ASSERT(!certainly_less(boxed.high, sharp.low));
  RC_ASSERT(!certainly_greater(boxed.low, sharp.high));
}

TEST(ProbabilityTest, ImpossibleSystemsAreExactlyZero) {
  Question edge;  // exponential noise is not negative
  const int e = edge.add(Law::kExponential);
  edge.ask({{e, 1}}, up_to(0));
  EXPECT_FALSE(edge.room);
  EXPECT_TRUE(edge.answer().is_zero);
  Question tree;  // no single form shows it: E1 + E2 ≤ −1
  const int a = tree.add(Law::kExponential);
  const int b = tree.add(Law::kExponential);
  tree.ask({{a, 1}, {b, 1}}, up_to(-1));
  EXPECT_TRUE(tree.room);
  EXPECT_TRUE(tree.answer().is_zero);
  Question nearly = tree;
  nearly.ask({{a, 1}, {b, -1}}, up_to(0));
  EXPECT_TRUE(nearly.answer().is_zero);
}

TEST(ProbabilityTest, UniformNoiseAndItsLogarithmAreNotTakenForIndependent) {
  Question question;
  const int u = question.add(Law::kUniform);
  const int e = question.add(Law::kExponential);
  question.noises[static_cast<std::size_t>(u)].twin = e;
  question.noises[static_cast<std::size_t>(e)].twin = u;
  question.ask({{u, 1}}, up_to(rational("1/2")));
  question.ask({{e, 1}}, up_to(1));
  expect_code(ErrorCode::kNotSupported, [&] { question.answer(); });
}

}  // namespace probability_test
}  // namespace lastbit::verify::refutation
