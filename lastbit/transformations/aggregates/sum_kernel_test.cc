#include "lastbit/transformations/aggregates/sum_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <ios>
#include <limits>
#include <vector>

#include "lastbit/random/tape.h"

namespace lastbit::sum_internal {
namespace sum_kernel_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// The definition, in rationals: clamp, divide by the spacing, add a half, take the floor.
Integer slow_index(double row, const GridRows<double>& rows) {
  const Rational lower = Rational::exactly(rows.rows().lower());
  const Rational upper = Rational::exactly(rows.rows().upper());
  Rational value = lower;
  if (row == kInfinity) {
    value = upper;
  } else if (std::isfinite(row)) {
    value = std::clamp(Rational::exactly(row), lower, upper);
  }
  return (value / rows.grid().spacing() + Rational(1, 2)).floor();
}

Integer slow_sum(const std::vector<double>& data, const GridRows<double>& rows) {
  Integer sum;
  for (const double row : data) sum += slow_index(row, rows);
  return sum;
}

// Values at which a rounding, clamping or scaling mistake shows: ties and their neighbours on both
// sides, the bounds and their neighbours, zeros, subnormals, NaN, infinities.
std::vector<double> corners(const GridRows<double>& rows) {
  std::vector<double> values = {0.0,    -0.0,    kNan,      -kNan,      kInfinity, -kInfinity,
                                5e-324, -5e-324, 0x1p-1022, -0x1p-1022, 1e308,     -1e308};
  const int exponent = rows.grid().exponent();
  for (const double multiple : {0.5, 1.5, 2.5, 0.25, 1.0, 3.0, 0.49999999999999994, 1048576.5,
                                0x1p49 + 0.5, 0x1p49 + 1.5, 0x1p50 - 0.5}) {
    for (const double sign : {1.0, -1.0}) {
      const double value = std::ldexp(sign * multiple, exponent);
      values.insert(values.end(),
                    {value, std::nextafter(value, kInfinity), std::nextafter(value, -kInfinity)});
    }
  }
  for (const double bound : {rows.rows().lower(), rows.rows().upper()}) {
    values.insert(values.end(),
                  {bound, std::nextafter(bound, kInfinity), std::nextafter(bound, -kInfinity)});
  }
  return values;
}

std::vector<GridRows<double>> spaces() {
  std::vector<GridRows<double>> result;
  for (const int exponent : {-900, -450, -52, -22, -1, 0, 1, 7, 900, 1000}) {
    const Rational unit = Rational::two_to(exponent);
    // A bound must be a double, so the widest interval is left out where it would overflow.
    for (const auto& [lower, upper] :
         std::vector<std::pair<Rational, Rational>>{{-Rational::two_to(20), Rational::two_to(20)},
                                                    {-Rational::two_to(50), Rational::two_to(50)},
                                                    {rational("-2.5"), rational("1.5")},
                                                    {0, 1},
                                                    {3, 3},
                                                    {-7, -5}}) {
      if (abs(lower * unit) >= Rational::two_to(1023)) continue;
      result.emplace_back("test", IntervalDomain<double>(lower * unit, upper * unit),
                          Grid(exponent));
    }
  }
  return result;
}

TEST(SumKernelTest, EveryVariantIndexesEveryCornerAsTheDefinitionDoes) {
  for (const auto& rows : spaces()) {
    ASSERT_TRUE(fits_kernel(rows));
    for (const double row : corners(rows)) {
      for (const auto& variant : kernel_variants()) {
        EXPECT_EQ(Integer(variant.sum(std::vector{row}, kernel_task(rows))), slow_index(row, rows))
            << variant.name << ", row " << std::hexfloat << row << " in " << rows.rows().describe()
            << " on 2^" << rows.grid().exponent();
      }
      EXPECT_EQ(Integer(rows.index(row)), slow_index(row, rows)) << std::hexfloat << row;
    }
  }
}

TEST(SumKernelTest, EveryVariantSumsEveryLengthAndOffset) {
  BitSource tape = testing::seeded_tape(1);
  for (const auto& rows : spaces()) {
    const auto values = corners(rows);
    std::vector<double> data;
    std::vector<Integer> sums = {0};  // of the first 0, 1, 2, … rows
    for (std::size_t length = 0; length <= 100; ++length) {
      for (const std::size_t offset : std::vector<std::size_t>{0, 1, 3}) {
        if (offset > length) continue;
        const std::span<const double> part = std::span(data).subspan(offset);
        for (const auto& variant : kernel_variants()) {
          ASSERT_EQ(Integer(variant.sum(part, kernel_task(rows))), sums.back() - sums[offset])
              << variant.name;
        }
      }
      data.push_back(values[tape.word() % values.size()]);
      sums.push_back(sums.back() + slow_index(data.back(), rows));
    }
  }
}

TEST(SumKernelTest, RandomBitPatternsGiveTheSameSumInEveryVariant) {
  BitSource tape = testing::seeded_tape(2);
  for (const auto& rows : spaces()) {
    std::vector<double> data(500);
    for (double& row : data) {
      const std::uint64_t word = tape.word();
      // Half of them arbitrary, half with an exponent near the grid's.
      row = (word & 1) != 0
                ? std::bit_cast<double>(tape.word())
                : std::ldexp(static_cast<double>(static_cast<std::int64_t>(word)),
                             rows.grid().exponent() - 63 + static_cast<int>(tape.word() % 60));
    }
    const Integer expected = slow_sum(data, rows);
    for (const auto& variant : kernel_variants()) {
      EXPECT_EQ(Integer(variant.sum(data, kernel_task(rows))), expected) << variant.name;
    }
  }
}

// 2^50 is the largest multiple and a lane takes 2^12 of them before it is emptied, so a longer run
// of one sign is where an accumulator would overflow.
TEST(SumKernelTest, RunsBeyondTheFlushLimitDoNotOverflow) {
  const GridRows<double> rows("test", interval(-0x1p50, 0x1p50), Grid(0));
  const std::size_t count = 32 * 4096 * 3 + 77;
  for (const double sign : {1.0, -1.0}) {
    const std::vector<double> data(count, sign * 0x1p51);
    const Integer expected =
        Integer(static_cast<std::int64_t>(sign)) * Integer::two_to(50) * Integer(count);
    for (const auto& variant : kernel_variants()) {
      EXPECT_EQ(Integer(variant.sum(data, kernel_task(rows))), expected) << variant.name;
    }
  }
}

TEST(SumKernelTest, RangeOfTheKernelEndsAtFiftyBitsAndModerateExponents) {
  const auto fits = [](const Rational& upper, int exponent) {
    const Rational unit = Rational::two_to(exponent);
    return fits_kernel(
        GridRows<double>("test", IntervalDomain<double>(0, upper * unit), Grid(exponent)));
  };
  EXPECT_TRUE(fits(Rational::two_to(50), 0));
  EXPECT_FALSE(fits(Rational::two_to(50) + Rational(1), 0));
  EXPECT_TRUE(fits(1, -900));
  EXPECT_FALSE(fits(1, -901));
  EXPECT_TRUE(fits(1, 1000));
  EXPECT_FALSE(fits(1, 1001));
}

TEST(SumKernelTest, BaselineIsAlwaysThere) {
  ASSERT_FALSE(kernel_variants().empty());
  EXPECT_EQ(kernel_variants().back().name, "baseline");
}

}  // namespace sum_kernel_test
}  // namespace lastbit::sum_internal
