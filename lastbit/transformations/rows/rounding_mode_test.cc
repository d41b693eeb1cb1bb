// What transformations of doubles do when a program has changed how its processor rounds.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "lastbit/base/test_support.h"
#include "lastbit/numerics/test_support.h"
#include "lastbit/transformations/aggregates/covariance.h"
#include "lastbit/transformations/aggregates/histogram.h"
#include "lastbit/transformations/aggregates/mean.h"
#include "lastbit/transformations/aggregates/sum.h"
#include "lastbit/transformations/aggregates/sum_kernel.h"
#include "lastbit/transformations/aggregates/variance.h"
#include "lastbit/transformations/rows/cast.h"

namespace lastbit {
namespace rounding_mode_test {

using testing::in_mode;
using testing::kOtherRoundingModes;

const std::vector<double> kRows = {0.3, 0.7, -0.2, 1.0, 0.55};

ErrorCode code_in(int mode, const auto& action) {
  return in_mode(mode, [&] { return code_of(action); });
}

// Why there is a refusal: on the grid 2^0 the bound 1.3 counts as 1, and with upward rounding as 2,
// so a row would move the sum by twice map(1).
TEST(RoundingModeTest, TheKernelAloneWouldBreakItsMap) {
  const GridRows<double> rows("test", interval(0.0, 1.3), Grid(0));
  const sum_internal::KernelTask task = sum_internal::kernel_task(rows);
  const std::vector<double> row = {1.3};
  for (const sum_internal::KernelVariant& variant : sum_internal::kernel_variants()) {
    EXPECT_EQ(variant.sum(row, task), 1) << variant.name;
    EXPECT_EQ(in_mode(FE_UPWARD, [&] { return variant.sum(row, task); }), 2) << variant.name;
  }
}

TEST(RoundingModeTest, SumsAndMeansOfDoublesAreRefused) {
  const auto domain = vector_of(interval(-1.0, 1.0));
  const auto sized = vector_of(interval(-1.0, 1.0), kRows.size());
  const auto fast = make_sum(domain, SymmetricDistance{});
  const auto fine = make_sum(domain, SymmetricDistance{}, Grid(-60));  // not in the kernel's range
  const auto mean = make_mean(sized, SymmetricDistance{});
  for (const int mode : kOtherRoundingModes) {
    EXPECT_EQ(code_in(mode, [&] { fast(kRows); }), ErrorCode::kNotSupported) << mode;
    EXPECT_EQ(code_in(mode, [&] { fine(kRows); }), ErrorCode::kNotSupported) << mode;
    EXPECT_EQ(code_in(mode, [&] { mean(kRows); }), ErrorCode::kNotSupported) << mode;
    // For any rows: a refusal reveals nothing about them.
    EXPECT_EQ(code_in(mode, [&] { fast({}); }), ErrorCode::kNotSupported) << mode;
  }
  EXPECT_NO_THROW(fast(kRows));
  EXPECT_NO_THROW(mean(kRows));
}

// The same answers in every mode, from functions made and run in that mode.
void expect_independent(const auto& answer) {
  const auto expected = answer();
  for (const int mode : kOtherRoundingModes) EXPECT_EQ(in_mode(mode, answer), expected) << mode;
}

TEST(RoundingModeTest, WholeNumbersAndBitArithmeticDoNotDependOnIt) {
  const auto sized = vector_of(interval(-1.0, 1.0), kRows.size());
  expect_independent([&] { return make_variance(sized, SymmetricDistance{})(kRows); });
  expect_independent(
      [] { return make_sum(vector_of(interval(0, 9)), SymmetricDistance{})({1, 2, 30}); });
  expect_independent([] {
    const auto domain = vector_of(AllDomain<double>());
    return make_bin_histogram<1>(domain, SymmetricDistance{},
                                 {Rational(-1), Rational(3, 10), Rational(1)})(kRows);
  });
  expect_independent([&] {
    const GridRows<double> rows("test", interval(-1.0, 1.0), Grid(-3));
    std::vector<std::int64_t> indices;
    for (const double row : kRows) indices.push_back(rows.index(row));
    return indices;
  });
}

TEST(RoundingModeTest, TextIsCastToTheNearestDoubleInEveryMode) {
  const std::vector<std::string> texts = {
      "0.1", "0.3", "0.7", "1.1", "1e23", "9007199254740993", "2.5e-7", "5e-324", "1e999", "x"};
  expect_independent([&] {
    std::vector<std::optional<double>> values;
    for (const std::string& text : texts) {
      values.push_back(cast_value<double, std::string>(text));
    }
    return values;
  });
  expect_independent([] { return cast_value<double, std::int64_t>((std::int64_t{1} << 53) + 1); });
  expect_independent([] { return cast_value<std::string, double>(0.1); });
}

}  // namespace rounding_mode_test
}  // namespace lastbit
