#include "lastbit/statistics/plan.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "lastbit/random/tape.h"
#include "lastbit/statistics/count.h"
#include "lastbit/statistics/covariance.h"
#include "lastbit/statistics/histogram.h"
#include "lastbit/statistics/mean.h"
#include "lastbit/statistics/sum.h"
#include "lastbit/statistics/variance.h"

namespace lastbit {
namespace plan_test {

using OptionalInt = std::optional<std::int64_t>;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// With this loss the noise is smaller than every tolerance here.
Rational huge() { return Integer::two_to(60); }

Rational answer_of(const auto& plan, const auto& column) {
  BitSource bits = testing::seeded_tape(7);
  const Released released = plan.release(column, bits);
  EXPECT_LE(released.lower, released.answer);
  EXPECT_LE(released.answer, released.upper);
  EXPECT_EQ(released.epsilon, plan.epsilon());
  return released.answer;
}

// expect_close: the two differ by no more than rounding rows to 2^-40 of their width explains.
void expect_close(const Rational& actual, const Rational& expected) {
  EXPECT_LE(abs(actual - expected), Rational::two_to(-20))
      << actual.to_string() << " instead of " << expected.to_string();
}

std::vector<double> column() {
  return {1, 2.5, 4, -3, 12, std::numeric_limits<double>::infinity(), 0.1, 9};
}
// The same after clamping to [0, 10].
std::vector<Rational> clamped() {
  return {1, rational("2.5"), 4, 0, 10, 10, Rational::exactly(0.1), 9};
}
Rational sum_of(const std::vector<Rational>& rows) {
  Rational sum;
  for (const Rational& row : rows) sum += row;
  return sum;
}
Rational variance_of(const std::vector<Rational>& rows) {
  const Rational mean = sum_of(rows) / Rational(rows.size());
  Rational deviations;
  for (const Rational& row : rows) deviations += pow(row - mean, 2);
  return deviations / Rational(rows.size() - 1);
}

std::vector<Size> sizes() { return {PrivateSize{}, PublicSize{8}}; }

TEST(PlanTest, HugeLossGivesTheExactStatisticsOfTheClampedRows) {
  for (const Size& size : sizes()) {
    const ColumnRequest request{.lower = 0, .upper = 10, .rows = size, .epsilon = huge()};
    expect_close(answer_of(plan_sum(request), column()), sum_of(clamped()));
    expect_close(answer_of(plan_mean(request), column()), sum_of(clamped()) / Rational(8));
    expect_close(answer_of(plan_variance(request), column()), variance_of(clamped()));
    // The covariance of a column with itself is its variance.
    const CovarianceRequest pairs{
        .first = {0, 10}, .second = {0, 10}, .rows = size, .epsilon = huge()};
    expect_close(answer_of(plan_covariance(pairs), paired(column(), column())),
                 variance_of(clamped()));
  }
  EXPECT_EQ(answer_of(plan_count({.epsilon = huge()}), column()), Rational(8));
}

TEST(PlanTest, IntegersFarFromZeroKeepEveryUnit) {
  constexpr std::int64_t kFar = 1'000'000'000'000'000'000;
  const std::vector<std::int64_t> rows = {kFar + 1, kFar + 2, kFar + 6};
  for (const Size& size : {Size(PrivateSize{}), Size(PublicSize{3})}) {
    const ColumnRequest request{.lower = kFar, .upper = kFar + 10, .rows = size, .epsilon = huge()};
    expect_close(answer_of(plan_mean<std::int64_t>(request), rows), Rational(kFar + 3));
    expect_close(answer_of(plan_variance<std::int64_t>(request), rows), Rational(7));
  }
}

TEST(PlanTest, NullsAndNanAreDroppedOrImputed) {
  const std::vector<std::optional<double>> rows = {1.0, std::nullopt, kNan, 4.0};
  ColumnRequest request{.lower = 0, .upper = 10, .epsilon = huge()};
  const auto mean = [&] { return plan_mean<std::optional<double>>(request); };
  expect_close(answer_of(mean(), rows), rational("2.5"));
  request.nulls = Nulls::imputed(10);
  expect_close(answer_of(mean(), rows), rational("6.25"));
  EXPECT_EQ(answer_of(plan_count<std::optional<double>>({.epsilon = huge()}), rows), Rational(2));
  const CountRequest all{.epsilon = huge(), .nulls = Nulls::imputed(0)};
  EXPECT_EQ(answer_of(plan_count<std::optional<double>>(all), rows), Rational(4));
  EXPECT_EQ(answer_of(plan_count<OptionalInt>({.epsilon = huge()}),
                      std::vector<OptionalInt>{1, std::nullopt}),
            Rational(1));
}

TEST(PlanTest, PairsWithAMissingValueAreLeftOut) {
  const std::vector<std::optional<double>> first = {0.0, 10.0, kNan, 3.0, 5.0};
  const std::vector<OptionalInt> second = {0, 10, 7, std::nullopt};
  using Row = std::optional<std::pair<double, std::int64_t>>;
  const CovarianceRequest request{.first = {0, 10}, .second = {0, 10}, .epsilon = huge()};
  expect_close(answer_of(plan_covariance<Row>(request), paired(first, second)), Rational(50));
}

TEST(PlanTest, PublicSizeTakesColumnsOfAnyLength) {
  const auto plan = plan_mean({.lower = 0, .upper = 10, .rows = PublicSize{4}, .epsilon = huge()});
  expect_close(answer_of(plan, std::vector<double>{}), Rational(5));
  expect_close(answer_of(plan, std::vector<double>{1, 1}), Rational(3));
  expect_close(answer_of(plan, std::vector<double>(1000, 2.0)), Rational(2));
}

TEST(PlanTest, EmptyColumnOfPrivateSizeHasAnAnswerWithinTheBounds) {
  const ColumnRequest request{.lower = 2, .upper = 3, .epsilon = 1};
  const Rational mean = answer_of(plan_mean(request), std::vector<double>{});
  EXPECT_LE(Rational(2), mean);
  EXPECT_LE(mean, Rational(3));
  const Rational variance = answer_of(plan_variance(request), std::vector<double>{});
  EXPECT_LE(Rational(0), variance);
  EXPECT_LE(variance, rational("0.5"));
}

RC_GTEST_PROP(PlanTest, PriceIsExactlyTheRequestedLoss, ()) {
  const Rational epsilon(*rc::gen::inRange(1, 1000), *rc::gen::inRange(1, 1000));
  const Rational lower(*rc::gen::inRange(-50, 50), 7);
  const Rational upper = lower + Rational(*rc::gen::inRange(1, 50));
  const Size size = *rc::gen::arbitrary<bool>() ? Size(PrivateSize{})
                                                : Size(PublicSize{*rc::gen::inRange(2, 500)});
  const ColumnRequest request{.lower = lower, .upper = upper, .rows = size, .epsilon = epsilon};
  RC_ASSERT(plan_sum(request).epsilon() == epsilon);
  RC_ASSERT(plan_mean(request).epsilon() == epsilon);
  RC_ASSERT(plan_variance(request).epsilon() == epsilon);
  RC_ASSERT(
      plan_covariance({.first = {lower, upper}, .second = {0, 1}, .rows = size, .epsilon = epsilon})
          .epsilon() == epsilon);
  RC_ASSERT(plan_count({.epsilon = epsilon}).epsilon() == epsilon);
  RC_ASSERT(plan_bins({.edges = {0, 1, 2}, .epsilon = epsilon}).epsilon() == epsilon);
}

TEST(PlanTest, PartsAddUpToThePrice) {
  const auto plan = plan_variance({.lower = 0, .upper = 1, .epsilon = 1});
  Rational sum;
  for (const Part& part : plan.parts()) sum += part.epsilon;
  // Three numbers that move together are one part, and each has the noise of the whole.
  EXPECT_EQ(plan.parts().size(), 1U);
  EXPECT_EQ(sum, plan.epsilon());
  EXPECT_EQ(plan.parts().front().scale, plan.parts().front().sensitivity);
}

// With a public size, an added row costs the same as an exchanged one: what follows the resizing,
// on vectors of exactly n rows, costs map(2), the distance of one exchange.
TEST(PlanTest, ExchangingARowCostsWhatAddingOneDoesWhenTheSizeIsPublic) {
  const auto plan =
      plan_mean({.lower = 0, .upper = 10, .rows = PublicSize{20}, .epsilon = rational("1/3")});
  const Part& part = plan.parts().front();
  const auto tail = make_mean(vector_of(interval<double>(0, 10), 20), SymmetricDistance{}) >>
                    make_snapped_laplace(part.scale);
  EXPECT_EQ(plan.chain().map(1), tail.map(2));
  EXPECT_EQ(plan.epsilon(), rational("1/3"));
}

TEST(PlanTest, SumOfPublicSizeDependsOnTheWidthAndNotOnThePlace) {
  ColumnRequest request{.lower = 1000, .upper = 1010, .epsilon = 1};
  EXPECT_EQ(plan_sum<std::int64_t>(request).parts().front().sensitivity, Rational(1010));
  request.rows = PublicSize{5};
  EXPECT_EQ(plan_sum<std::int64_t>(request).parts().front().sensitivity, Rational(10));
}

TEST(PlanTest, AccuracyIsKnownBeforehandUnlessItDependsOnTheSize) {
  const ColumnRequest request{.lower = 0, .upper = 10, .epsilon = 1};
  const auto plan = plan_mean(request);
  EXPECT_FALSE(plan.accuracy());
  EXPECT_GT(plan.accuracy_for(100), plan.accuracy_for(1000));
  EXPECT_GT(plan.accuracy_for(1000), 0.0);
  EXPECT_EQ(plan.accuracy_for(0), 10.0);
  // ln 20 with integers on a grid of 1 rounds to 3.
  EXPECT_EQ(plan_count({.epsilon = 1}).accuracy(), 3.0);
  EXPECT_EQ(plan_count({.epsilon = 1}).accuracy_for(12), 3.0);
  const auto variance = plan_variance(request);
  EXPECT_FALSE(variance.accuracy());
  EXPECT_EQ(variance.accuracy_for(1), 50.0);
  // About ln 20 times the square of the width, divided by the rows.
  EXPECT_GT(variance.accuracy_for(10'000), 0.0299);
  EXPECT_LT(variance.accuracy_for(10'000), 0.032);
}

TEST(PlanTest, DescriptionNamesEveryLink) {
  const auto plan = plan_mean({.lower = 0,
                               .upper = 200'000,
                               .rows = PublicSize{1000},
                               .epsilon = rational("1/2"),
                               .nulls = Nulls::imputed(7)});
  EXPECT_EQ(plan.description(),
            "replace missing values by 7; clamp to [0, 200000]; keep or fill up to 1000 rows; mean "
            "plus Laplace noise of scale 400 on the grid 2^-11 (epsilon 0.5); cut to [0, 200000]");
}

TEST(PlanTest, HistogramCountsEachCategoryAndTheRest) {
  BitSource bits = testing::seeded_tape(3);
  using Row = std::optional<std::string>;
  const auto plan =
      plan_histogram<Row>({.categories = {"a", "b"}, .other = Other::kCounted, .epsilon = huge()});
  const auto released = plan.release({"b", "a", "b", std::nullopt, "z"}, bits);
  std::vector<Rational> answers;
  for (const Estimate& cell : released.cells) answers.push_back(cell.answer);
  EXPECT_EQ(answers, (std::vector<Rational>{1, 2, 1}));
  EXPECT_EQ(released.epsilon, huge());
}

TEST(PlanTest, BinsIncludeTheLastEdgeAndLeaveOutNan) {
  BitSource bits = testing::seeded_tape(4);
  const auto plan = plan_bins({.edges = {0, 1, 2}, .epsilon = huge()});
  const auto released = plan.release({0.5, 1, 2, 3, kNan}, bits);
  EXPECT_EQ(released.cells[0].answer, Rational(1));
  EXPECT_EQ(released.cells[1].answer, Rational(2));
}

}  // namespace plan_test
}  // namespace lastbit
