#include "lastbit/release/plan/together/fit_totals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "lastbit/random/tape.h"
#include "lastbit/random/uniform.h"

namespace lastbit::release_internal {
namespace fit_totals_test {

using Numbers = std::vector<Rational>;
using Whole = std::vector<Integer>;

Integer sum_of_whole(const Whole& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), Integer(0));
}
bool possible(const Whole& numbers) {
  return std::ranges::all_of(numbers, [](const Integer& one) { return one.sign() >= 0; });
}

TEST(FitToTotalTest, MovesAllByTheSameAndNoneBelowZero) {
  EXPECT_EQ(fit_to_total({5, 7, 8}, 20), (Whole{5, 7, 8}));
  EXPECT_EQ(fit_to_total({5, 7, 8}, 26), (Whole{7, 9, 10}));
  EXPECT_EQ(fit_to_total({5, 7, 8}, 14), (Whole{3, 5, 6}));
  EXPECT_EQ(fit_to_total({-4, 7, 9}, 12), (Whole{0, 5, 7}));
  EXPECT_EQ(fit_to_total({-4, 1, 9}, 6), (Whole{0, 0, 6}));
  EXPECT_EQ(fit_to_total({-4, -9}, 0), (Whole{0, 0}));
  EXPECT_EQ(fit_to_total({-4, -9}, 3), (Whole{3, 0}));
  EXPECT_EQ(fit_to_total({0, 0, 0}, 0), (Whole{0, 0, 0}));
  EXPECT_EQ(fit_to_total({-1}, 7), (Whole{7}));
}

TEST(FitToTotalTest, RoundsWhereMostWasCutOff) {
  EXPECT_EQ(fit_to_total({Rational(1, 2), Rational(3, 4), Rational(7, 4)}, 3), (Whole{0, 1, 2}));
  EXPECT_EQ(fit_to_total({1, 1, 1}, 4), (Whole{2, 1, 1}));
  EXPECT_EQ(nearest_possible(Rational(-7, 2)), Integer(0));
  EXPECT_EQ(nearest_possible(Rational(5, 2)), Integer(3));
  EXPECT_EQ(nearest_possible(Rational(9, 4)), Integer(2));
}

// The nearest point by least squares, by trying all whole numbers: no other one is nearer than half
// a step for each number allows.
TEST(FitToTotalTest, IsNearestAmongAllThatAddUp) {
  BitSource bits = testing::seeded_tape(5);
  for (int round = 0; round < 200; ++round) {
    Numbers numbers;
    for (int i = 0; i < 3; ++i) numbers.emplace_back(uniform_between(bits, -4, 4));
    const std::int64_t total = uniform_between(bits, 0, 7);
    const auto distance = [&](const Whole& fit) {
      Rational sum = 0;
      for (std::size_t i = 0; i < fit.size(); ++i) {
        sum += pow(Rational(fit[i]) - numbers[i], 2);
      }
      return sum;
    };
    const Rational own = distance(fit_to_total(numbers, total));
    for (std::int64_t a = 0; a <= total; ++a) {
      for (std::int64_t b = 0; a + b <= total; ++b) {
        ASSERT_LE(own, distance({a, b, total - a - b}));
      }
    }
  }
}

// A table of rows × columns × cells, with the partitions by each.
std::vector<Partition> dimensions_of(const std::vector<std::size_t>& sizes) {
  const std::size_t all =
      std::accumulate(sizes.begin(), sizes.end(), std::size_t{1}, std::multiplies<>());
  std::vector<Partition> dimensions;
  std::size_t inner = all;
  for (const std::size_t size : sizes) {
    inner /= size;
    Partition& one = dimensions.emplace_back();
    one.blocks = size;
    for (std::size_t i = 0; i < all; ++i) one.block_of.push_back(i / inner % size);
  }
  return dimensions;
}

Whole whole_sums(const Partition& partition, const Whole& numbers) {
  Whole sums(partition.blocks, Integer(0));
  for (std::size_t i = 0; i < numbers.size(); ++i) sums[partition.block_of[i]] += numbers[i];
  return sums;
}

TEST(FitTableTest, MarginsAddUpExactly) {
  BitSource bits = testing::seeded_tape(11);
  for (int round = 0; round < 300; ++round) {
    const std::vector<std::size_t> sizes = {1 + uniform_below(bits, std::uint64_t{5}),
                                            1 + uniform_below(bits, std::uint64_t{4}),
                                            1 + uniform_below(bits, std::uint64_t{3})};
    const auto dimensions = dimensions_of(sizes);
    Numbers numbers;
    for (std::size_t i = 0; i < dimensions[0].block_of.size(); ++i) {
      // Many small and some large groups, as fractions.
      const std::int64_t large = uniform_between(bits, 0, 3) == 0 ? 300 : 0;
      numbers.emplace_back(Integer(uniform_between(bits, -20, 20) + large),
                           Integer(uniform_between(bits, 1, 4)));
    }
    const Whole fit = fit_table(numbers, dimensions);
    ASSERT_TRUE(possible(fit));
    const Integer total =
        nearest_possible(std::accumulate(numbers.begin(), numbers.end(), Rational(0)));
    ASSERT_EQ(sum_of_whole(fit), total);
    for (const Partition& dimension : dimensions) {
      ASSERT_EQ(whole_sums(dimension, fit), fit_to_total(dimension.sums(numbers), total));
    }
  }
}

TEST(FitTableTest, KeepsWhatIsPossibleAlready) {
  const auto dimensions = dimensions_of({3, 4});
  Numbers numbers;
  Whole same;
  for (int i = 0; i < 12; ++i) {
    numbers.emplace_back(i * i % 7);
    same.emplace_back(i * i % 7);
  }
  EXPECT_EQ(fit_table(numbers, dimensions), same);
  EXPECT_EQ(fit_table({-3}, {}), (Whole{0}));
  EXPECT_EQ(fit_table({}, dimensions), Whole{});
  EXPECT_EQ(fit_table({-3, -2, 1, -9}, dimensions_of({2, 2})), (Whole{0, 0, 0, 0}));
}

// Without a number for each combination, columns cannot always be met; rows and the sum are.
TEST(FitTableTest, TakesTablesWithGaps) {
  const Partition rows{{0, 0, 1}, 2};
  const Partition columns{{0, 1, 1}, 2};
  const Whole fit = fit_table({-5, 9, 4}, {rows, columns});
  EXPECT_TRUE(possible(fit));
  EXPECT_EQ(sum_of_whole(fit), Integer(8));
}

}  // namespace fit_totals_test
}  // namespace lastbit::release_internal
