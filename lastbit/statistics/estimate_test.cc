#include "lastbit/statistics/estimate.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <vector>

namespace lastbit {
namespace estimate_test {

// measured_by_chance: a random noisy version of `truth` whose error is within the stated one.
Measured measured_by_chance(const Rational& truth, bool whole) {
  const auto error = *rc::gen::inRange(0, 40);
  const auto noise = *rc::gen::inRange(-error, error + 1);
  const Rational unit = whole ? Rational(1) : Rational(1, 3);
  return {truth + Rational(noise) * unit, Rational(error) * unit};
}

CentredColumn column_of(int below, int above) {
  return {rational("100.5"), rational("0.25"), {-below, above}};
}

std::vector<int> offsets_by_chance(std::size_t rows, int below, int above) {
  return *rc::gen::container<std::vector<int>>(rows, rc::gen::inRange(-below, above + 1));
}

void expect_inside(const Estimate& estimate, const Rational& truth) {
  RC_ASSERT(estimate.lower <= truth);
  RC_ASSERT(truth <= estimate.upper);
  RC_ASSERT(estimate.lower <= estimate.answer);
  RC_ASSERT(estimate.answer <= estimate.upper);
  RC_ASSERT(abs(truth - estimate.answer) <= Rational::exactly(estimate.accuracy()));
}

TEST(EstimateNumberTest, CutIntervalHoldsTheNumberAndAnEmptyOneIsTheWholeRange) {
  const Estimate inside = estimate_number({5, 2}, Range{0, 6});
  EXPECT_EQ(inside.answer, Rational(5));
  EXPECT_EQ(inside.lower, Rational(3));
  EXPECT_EQ(inside.upper, Rational(6));
  const Estimate outside = estimate_number({-5, 2}, Range{0, 6});
  EXPECT_EQ(outside.answer, Rational(0));
  EXPECT_EQ(outside.lower, Rational(0));
  EXPECT_EQ(outside.upper, Rational(6));
}

RC_GTEST_PROP(EstimateVarianceTest, IntervalHoldsTheVarianceWhenTheErrorsAreAsStated, ()) {
  const auto below = *rc::gen::inRange(0, 9);
  const auto above = *rc::gen::inRange(1, 9);
  const auto rows = *rc::gen::inRange<std::size_t>(2, 60);
  const CentredColumn column = column_of(below, above);
  const auto offsets = offsets_by_chance(rows, below, above);
  Rational sum;
  Rational squares;
  for (const int offset : offsets) sum += Rational(offset);
  for (const int offset : offsets) squares += Rational(offset * offset);
  // The variance in another way: deviations from the mean.
  Rational deviations;
  for (const int offset : offsets) {
    deviations += pow(column.unit * (Rational(offset) - sum / Rational(rows)), 2);
  }
  expect_inside(
      estimate_variance(column, measured_by_chance(Rational(rows), true),
                        measured_by_chance(sum, false), measured_by_chance(squares, false)),
      deviations / Rational(rows - 1));
}

RC_GTEST_PROP(EstimateCovarianceTest, IntervalHoldsTheCovarianceWhenTheErrorsAreAsStated, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(2, 60);
  const CentredColumn first = column_of(3, 4);
  const CentredColumn second{-7, 3, {-5, 6}};
  const auto xs = offsets_by_chance(rows, 3, 4);
  const auto ys = offsets_by_chance(rows, 5, 6);
  Rational sum_x;
  Rational sum_y;
  Rational products;
  for (const int x : xs) sum_x += Rational(x);
  for (const int y : ys) sum_y += Rational(y);
  for (std::size_t i = 0; i < rows; ++i) products += Rational(xs[i] * ys[i]);
  Rational deviations;
  for (std::size_t i = 0; i < rows; ++i) {
    deviations += first.unit * (Rational(xs[i]) - sum_x / Rational(rows)) * second.unit *
                  (Rational(ys[i]) - sum_y / Rational(rows));
  }
  expect_inside(
      estimate_covariance(first, second, measured_by_chance(Rational(rows), true),
                          measured_by_chance(sum_x, false), measured_by_chance(sum_y, false),
                          measured_by_chance(products, false)),
      deviations / Rational(rows - 1));
}

RC_GTEST_PROP(EstimateCorrelationTest, IntervalHoldsTheCorrelationWhenTheErrorsAreAsStated, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(2, 200);
  const auto xs = offsets_by_chance(rows, 3, 4);
  // Often close to a line, so that correlations are far from 0.
  auto ys = offsets_by_chance(rows, 1, 1);
  const auto slope = *rc::gen::inRange(-3, 4);
  for (std::size_t i = 0; i < rows; ++i) ys[i] += slope * xs[i];
  const auto sum_of = [&](auto term) {
    Rational sum;
    for (std::size_t i = 0; i < rows; ++i) sum += Rational(term(xs[i], ys[i]));
    return sum;
  };
  const Rational n(rows);
  const Rational x = sum_of([](int a, int) { return a; });
  const Rational y = sum_of([](int, int b) { return b; });
  const Rational xy = sum_of([](int a, int b) { return a * b; });
  const Rational xx = sum_of([](int a, int) { return a * a; });
  const Rational yy = sum_of([](int, int b) { return b * b; });
  const Rational variances = (n * xx - x * x) * (n * yy - y * y);
  RC_PRE(variances.sign() > 0);
  const Estimate estimate =
      estimate_correlation({measured_by_chance(n, true), measured_by_chance(x, false),
                            measured_by_chance(y, false), measured_by_chance(xy, false),
                            measured_by_chance(xx, false), measured_by_chance(yy, false)});
  // The truth is a root; its square and its sign are compared.
  const Rational covariance = n * xy - x * y;
  const auto at_most = [&](const Rational& end) {
    const bool shorter = covariance * covariance <= end * end * variances;
    return covariance.sign() >= 0
               ? end.sign() >= 0 && shorter
               : end.sign() >= 0 || end * end * variances <= covariance * covariance;
  };
  const auto at_least = [&](const Rational& end) {
    const bool longer = end * end * variances <= covariance * covariance;
    return covariance.sign() >= 0
               ? end.sign() <= 0 || longer
               : end.sign() <= 0 && covariance * covariance <= end * end * variances;
  };
  RC_ASSERT(at_least(estimate.lower));
  RC_ASSERT(at_most(estimate.upper));
  RC_ASSERT(Rational(-1) <= estimate.lower && estimate.upper <= Rational(1));
  RC_ASSERT(estimate.lower <= estimate.answer && estimate.answer <= estimate.upper);
}

TEST(EstimateCorrelationTest, ExactNumbersGiveTheCorrelation) {
  // (1, 1), (2, 3), (3, 2): deviations −1, 0, 1 and −1, 1, 0.
  const auto exact = [](int value) { return Measured{value, 0}; };
  const Estimate estimate =
      estimate_correlation({exact(3), exact(6), exact(6), exact(13), exact(14), exact(14)});
  EXPECT_EQ(estimate.answer, Rational(1, 2));
  EXPECT_EQ(estimate.lower, Rational(1, 2));
  EXPECT_EQ(estimate.upper, Rational(1, 2));
}

TEST(EstimateCorrelationTest, ColumnsThatMayNotVarySayNothing) {
  const auto wide = [](int value) { return Measured{value, 100}; };
  // The noisy variance of the first column is negative.
  const Estimate hidden =
      estimate_correlation({wide(10), wide(0), wide(0), wide(5), wide(-3), wide(50)});
  EXPECT_EQ(hidden.answer, Rational(0));
  EXPECT_EQ(hidden.lower, Rational(-1));
  EXPECT_EQ(hidden.upper, Rational(1));
  // It is certain that it does not vary, or that there are no rows.
  const Estimate constant =
      estimate_correlation({{10, 0}, {0, 0}, {0, 0}, {9, 0}, {-3, 1}, {50, 0}});
  EXPECT_EQ(constant.answer, Rational(0));
  EXPECT_EQ(constant.upper, Rational(1));
  EXPECT_EQ(estimate_correlation({{-9, 2}, {0, 0}, {0, 0}, {9, 0}, {3, 1}, {50, 0}}).lower,
            Rational(-1));
}

// By hand: (squares − s²/n)/(n − 1) at the ends of what each number can be.
TEST(EstimateVarianceTest, IntervalEndsWhereTheNumbersDo) {
  const CentredColumn column{0, 1, {-9, 9}};
  const auto expect_ends = [&](const Measured& count, const Measured& sum, const Rational& lower,
                               const Rational& upper) {
    const Estimate estimate = estimate_variance(column, count, sum, {100, 0});
    EXPECT_EQ(estimate.lower, lower);
    EXPECT_EQ(estimate.upper, upper);
  };
  expect_ends({4, 0}, {0, 2}, 33, Rational(100, 3));
  expect_ends({4, 0}, {6, 2}, 28, 32);
  expect_ends({4, 0}, {-6, 2}, 28, 32);
  expect_ends({4, 1}, {0, 0}, 25, 50);
}

TEST(EstimateTest, CountThatAgreesWithNoRowsLeavesTheWholeRange) {
  const CentredColumn column = column_of(4, 4);
  // Two rows at the two ends of a width of 2 have the variance 2.
  const Estimate variance = estimate_variance(column, {0, 1}, {0, 1}, {5, 1});
  EXPECT_EQ(variance.lower, Rational(0));
  EXPECT_EQ(variance.upper, Rational(2));
}

}  // namespace estimate_test
}  // namespace lastbit
