#include "lastbit/transformations/aggregates/sum.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"
#include "lastbit/random/shuffle.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace sum_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kMin64 = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax64 = std::numeric_limits<std::int64_t>::max();

// The definition, row by row in rationals.
Rational slow_sum(const std::vector<double>& data, const IntervalDomain<double>& rows, Grid grid) {
  const Rational lower = Rational::exactly(rows.lower());
  const Rational upper = Rational::exactly(rows.upper());
  Rational sum;
  for (const double row : data) {
    Rational value = row > 0 ? upper : lower;  // NaN and the infinities
    if (std::isfinite(row)) value = std::clamp(Rational::exactly(row), lower, upper);
    sum += Rational((value / grid.spacing() + Rational(1, 2)).floor()) * grid.spacing();
  }
  return sum;
}

std::vector<double> hashed_doubles(std::uint64_t seed, std::size_t count) {
  BitSource tape = testing::seeded_tape(seed);
  std::vector<double> data(count);
  for (double& row : data) row = static_cast<double>(tape.word() >> 11) * 0x1p-53 * 1000 - 300;
  return data;
}

TEST(SumTest, TenthsAreSummedOnTheirGridAndNotAsDecimals) {
  const auto sum = make_sum(vector_of(interval(0.0, 1.0)), SymmetricDistance{}, Grid(-10));
  // 0.1 is nearest to 102/1024.
  EXPECT_EQ(sum(std::vector<double>(10, 0.1)), Rational(1020, 1024));
  EXPECT_EQ(sum({}), Rational(0));
  EXPECT_EQ(sum.name(), "sum");
  EXPECT_EQ(sum.output_domain(), GridDomain(Grid(-10)));
}

TEST(SumTest, OrderThatChangesTheFloatSumLeavesThisSumAlone) {
  const auto domain = vector_of(interval(-0x1p50, 0x1p50));
  const auto sum = make_sum(domain, SymmetricDistance{}, Grid(-10));
  const double big = 0x1p50;
  const double small = 0x1p-6;
  EXPECT_NE((big + small) - big, (big - big) + small);
  EXPECT_EQ(sum({big, small, -big}), Rational::two_to(-6));
  EXPECT_EQ(sum({big, -big, small}), Rational::two_to(-6));
}

TEST(SumTest, RowsOutsideTheIntervalCountAsTheNearerBound) {
  const auto sum = make_sum(vector_of(interval(-1.0, 4.0)), SymmetricDistance{}, Grid(0));
  EXPECT_EQ(sum({kNan}), Rational(-1));
  EXPECT_EQ(sum({-kInfinity, -1e300}), Rational(-2));
  EXPECT_EQ(sum({kInfinity, 1e300, 5.0}), Rational(12));
  const auto whole = make_sum(vector_of(interval(-1, 4)), SymmetricDistance{});
  EXPECT_EQ(whole({kMin64, kMax64, 2}), Rational(5));
}

TEST(SumTest, IntegersOfFullRangeDoNotOverflow) {
  const auto sum = make_sum(vector_of(interval(kMin64, kMax64)), SymmetricDistance{});
  EXPECT_EQ(sum(std::vector<std::int64_t>(5, kMin64)), Rational(-5) * Rational::two_to(63));
  EXPECT_EQ(sum(std::vector<std::int64_t>(5, kMax64)),
            Rational(5) * (Rational::two_to(63) - Rational(1)));
  EXPECT_EQ(sum.map(3), Distance(Rational(3) * Rational::two_to(63)));
}

TEST(SumTest, MapUsesTheBoundsOnTheGrid) {
  const auto domain = vector_of(interval(-0.6, 2.5));
  // On the grid of 1 the bounds are −1 and 3.
  EXPECT_EQ(make_sum(domain, SymmetricDistance{}, Grid(0)).map(2), Distance(6));
  EXPECT_EQ(make_sum(domain, InsertDeleteDistance{}, Grid(0)).map(rational("1.9")), Distance(3));
  EXPECT_EQ(make_sum(domain, SymmetricDistance{}, Grid(0)).map(Distance::infinity()),
            Distance::infinity());
  const auto sized = vector_of(interval(-0.6, 2.5), 3);
  EXPECT_EQ(make_sum(sized, SymmetricDistance{}, Grid(0)).map(1), Distance(0));
  EXPECT_EQ(make_sum(sized, SymmetricDistance{}, Grid(0)).map(5), Distance(8));
  EXPECT_EQ(make_sum(sized, HammingDistance{}, Grid(0)).map(2), Distance(8));
  EXPECT_EQ(make_sum(sized, SubstituteDistance{}, Grid(0)).map(100), Distance(12));
}

TEST(SumTest, GridThatIsTooFineIsRefusedByName) {
  try {
    make_sum(vector_of(interval(0.0, 1.0)), SymmetricDistance{}, Grid(-62));
    FAIL() << "63 bits were accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadParameter);
    EXPECT_NE(std::string(error.what()).find("grid"), std::string::npos);
    EXPECT_NE(error.remedy().find("2^-61"), std::string::npos) << error.remedy();
  }
}

TEST(SumTest, StepsFitTheRowsTheyMeet) {
  const auto count_up = make_sum(vector_of(interval(0, 9)), SymmetricDistance{});
  const auto domain = vector_of(interval(0.0, 9.0));
  const auto step = make_sum(Grid(-3));
  EXPECT_EQ(step.build(domain, SymmetricDistance{})({1.0625}), Rational(9, 8));
  EXPECT_EQ(make_sum().build(vector_of(interval(0, 9)), SymmetricDistance{})({4, 5}),
            count_up({4, 5}));
  // No grid for integers, no sum of unbounded rows, no sum of texts.
  using Fits = decltype(step.build);
  static_assert(std::invocable<Fits, decltype(domain), SymmetricDistance>);
  static_assert(
      !std::invocable<Fits, VectorDomain<IntervalDomain<std::int64_t>>, SymmetricDistance>);
  using Plain = decltype(make_sum().build);
  static_assert(!std::invocable<Plain, VectorDomain<AllDomain<double>>, SymmetricDistance>);
  static_assert(!std::invocable<Plain, VectorDomain<AllDomain<std::string>>, SymmetricDistance>);
  static_assert(!std::invocable<Plain, decltype(domain), HammingDistance>);
}

// Grids on the fast path, on the slow path (too many bits, extreme exponents), and coarser than
// the interval.
TEST(SumTest, EveryPathEqualsTheDefinition) {
  const double tiny = 5e-324;
  const std::vector<std::pair<IntervalDomain<double>, int>> cases = {
      {interval(-1.0, 1.0), -50},        {interval(-1.0, 1.0), -61},
      {interval(-1.0, 1.0), 3},          {interval(0.0, 1e300), 940},
      {interval(0.0, 1e300), 990},       {interval(-1e300, 0.0), 1005},
      {interval(-tiny, tiny), -1074},    {interval(0.0, 64 * tiny), -1100},
      {interval(0.0, 64 * tiny), -1070}, {interval(0.0, 1e-290), -1000}};
  BitSource tape = testing::seeded_tape(3);
  for (const auto& [rows, exponent] : cases) {
    std::vector<double> data = {kNan, kInfinity, -kInfinity, 0.0, -0.0, rows.lower(), rows.upper()};
    for (int i = 0; i < 300; ++i) {
      const double part = static_cast<double>(tape.word() >> 11) * 0x1p-53;
      data.push_back(rows.lower() * part + rows.upper() * (1 - part));
      data.push_back(std::bit_cast<double>(tape.word()));
    }
    ExactSum<double> sum(rows, Grid(exponent));
    sum.add(data);
    EXPECT_EQ(sum.value(), slow_sum(data, rows, Grid(exponent)))
        << rows.describe() << " on 2^" << exponent;
  }
}

RC_GTEST_PROP(SumTest, AnyDoublesOnAnyGridEqualTheDefinition,
              (const std::vector<std::uint64_t>& bits, std::int16_t a, std::int16_t b)) {
  const auto rows = IntervalDomain<double>(std::min(a, b), std::max(a, b));
  const Grid grid(*rc::gen::inRange(-44, 20));
  std::vector<double> data;
  for (const std::uint64_t word : bits) data.push_back(std::bit_cast<double>(word));
  ExactSum<double> sum(rows, grid);
  sum.add(data);
  RC_ASSERT(sum.value() == slow_sum(data, rows, grid));
}

RC_GTEST_PROP(SumTest, IntegersEqualTheSumOfIntegers,
              (const std::vector<std::int64_t>& data, std::int64_t a, std::int64_t b)) {
  const auto rows = interval(std::min(a, b), std::max(a, b));
  Rational expected;
  for (const auto row : data) expected += Rational(std::clamp(row, rows.lower(), rows.upper()));
  ExactSum<std::int64_t> sum(rows);
  sum.add(data);
  RC_ASSERT(sum.value() == expected);
}

TEST(ExactSumTest, AnyNumberOfThreadsAndAnyOrderGiveTheSameSum) {
  const auto rows = interval(-250.0, 650.0);
  std::vector<double> data = hashed_doubles(4, 100'003);
  const Rational expected = slow_sum(data, rows, default_grid(rows));
  BitSource tape = testing::seeded_tape(5);
  for (const std::size_t threads : std::vector<std::size_t>{1, 2, 3, 7}) {
    std::vector<ExactSum<double>> parts(threads, ExactSum<double>(rows));
    {
      std::vector<std::jthread> running;
      for (std::size_t i = 0; i < threads; ++i) {
        const std::size_t begin = data.size() * i / threads;
        const std::size_t end = data.size() * (i + 1) / threads;
        running.emplace_back([&parts, &data, i, begin, end] {
          parts[i].add(std::span<const double>(data).subspan(begin, end - begin));
        });
      }
    }
    shuffle(tape, std::span(parts));
    ExactSum<double> total(rows);
    for (const auto& part : parts) total.merge(part);
    EXPECT_EQ(total.value(), expected) << threads << " threads";
    shuffle(tape, std::span(data));
  }
}

TEST(ExactSumTest, MergingIntoItselfManyTimesDoesNotOverflow) {
  ExactSum<std::int64_t> sum(interval(kMin64, kMax64));
  sum.add(std::vector<std::int64_t>{kMin64});
  for (int i = 0; i < 200; ++i) sum.merge(sum);
  EXPECT_EQ(sum.value(), -Rational::two_to(263));
}

TEST(ExactSumTest, SumsOfOtherBoundsOrGridsDoNotMerge) {
  ExactSum<double> sum(interval(0.0, 1.0), Grid(-5));
  expect_code(ErrorCode::kMismatch,
              [&] { sum.merge(ExactSum<double>(interval(0.0, 1.0), Grid(-6))); });
  expect_code(ErrorCode::kMismatch,
              [&] { sum.merge(ExactSum<double>(interval(0.0, 2.0), Grid(-5))); });
  EXPECT_NO_THROW(sum.merge(ExactSum<double>(interval(0.0, 1.0), Grid(-5))));
}

}  // namespace sum_test
}  // namespace lastbit
