#include "lastbit/transformations/change_metric.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <limits>

#include "lastbit/core/multiset.h"
#include "lastbit/random/tape.h"
#include "lastbit/transformations/rows/clamp.h"

namespace lastbit {
namespace change_metric_test {

using Rows = std::vector<std::int64_t>;

template <class Left, class Right>
concept Joins = requires(const Left& left, const Right& right) { left >> right; };

auto sized() { return vector_of(integers(), 3); }

TEST(ChangeMetricTest, ConversionsLeaveTheDataAlone) {
  const Rows rows{3, 1, 2};
  EXPECT_EQ(make_symmetric_to_substitute(sized())(rows), rows);
  EXPECT_EQ(make_substitute_to_symmetric(sized())(rows), rows);
  EXPECT_EQ(make_insert_delete_to_symmetric(sized())(rows), rows);
  EXPECT_EQ(make_insert_delete_to_symmetric(vector_of(integers()))(rows), rows);
  EXPECT_EQ(make_hamming_to_substitute(sized())(rows), rows);
}

TEST(ChangeMetricTest, MapsAreExact) {
  const auto halve = make_symmetric_to_substitute(sized());
  EXPECT_EQ(halve.map(0), Distance(0));
  EXPECT_EQ(halve.map(1), Distance(0));
  EXPECT_EQ(halve.map(2), Distance(1));
  EXPECT_EQ(halve.map(rational("39/10")), Distance(1));
  EXPECT_EQ(halve.map(5), Distance(2));
  EXPECT_EQ(halve.map(Distance::infinity()), Distance::infinity());
  const auto twice = make_substitute_to_symmetric(sized());
  EXPECT_EQ(twice.map(rational("1/2")), Distance(0));
  EXPECT_EQ(twice.map(2), Distance(4));
  EXPECT_EQ(twice.map(rational("5/2")), Distance(4));
  EXPECT_EQ(twice.map(Distance::infinity()), Distance::infinity());
  for (const Distance& d : {Distance(0), Distance(rational("5/2")), Distance::infinity()}) {
    EXPECT_EQ(make_insert_delete_to_symmetric(sized()).map(d), d);
    EXPECT_EQ(make_hamming_to_substitute(sized()).map(d), d);
    EXPECT_EQ(make_sort(sized()).map(d), d);
    EXPECT_EQ(make_shuffle(sized(), SymmetricDistance{}).map(d), d);
    EXPECT_EQ(make_shuffle(sized(), SubstituteDistance{}).map(d), d);
  }
}

TEST(ChangeMetricTest, StepsFitTheMetricTheyNameOnly) {
  const auto symmetric = make_clamp(vector_of(interval(0, 9), 3));
  const auto there = symmetric >> make_symmetric_to_substitute();
  const auto back = there >> make_substitute_to_symmetric();
  EXPECT_EQ(back.map(3), Distance(2));
  const auto hamming = there >> make_shuffle();
  EXPECT_EQ((hamming >> make_hamming_to_substitute()).map(2), Distance(1));
  const auto sorted = symmetric >> make_sort();
  EXPECT_EQ((sorted >> make_insert_delete_to_symmetric()).map(2), Distance(2));
  using Free = decltype(make_clamp(vector_of(interval(0, 9))));
  static_assert(!Joins<Free, decltype(make_symmetric_to_substitute())>);  // no public size
  static_assert(Joins<Free, decltype(make_shuffle())>);
  static_assert(!Joins<decltype(there), decltype(make_symmetric_to_substitute())>);
  static_assert(!Joins<decltype(there), decltype(make_sort())>);
  static_assert(!Joins<decltype(sorted), decltype(make_shuffle())>);
  static_assert(!Joins<decltype(symmetric), decltype(make_hamming_to_substitute())>);
}

TEST(SortTest, OrdersByIdentity) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const auto sort = make_sort(vector_of(doubles_or_nan()));
  EXPECT_TRUE(
      identical(sort({kNan, 0.0, kInfinity, -0.0, -kInfinity, -kNan, 1.0, -0.0}),
                std::vector<double>{-kNan, -kInfinity, -0.0, -0.0, 0.0, 1.0, kInfinity, kNan}));
}

TEST(SortTest, WorksForEveryTypeOfRow) {
  EXPECT_EQ(make_sort(vector_of(booleans()))({true, false, true, false}),
            (std::vector<bool>{false, false, true, true}));
  EXPECT_EQ(make_sort(vector_of(strings()))({"b", "", "a"}),
            (std::vector<std::string>{"", "a", "b"}));
  EXPECT_EQ(make_sort(vector_of(optional_of(integers())))({2, std::nullopt, 1}),
            (std::vector<std::optional<std::int64_t>>{std::nullopt, 1, 2}));
  EXPECT_EQ(
      make_sort(vector_of(pair_of(integers(), booleans())))({{1, true}, {1, false}, {0, true}}),
      (std::vector<std::pair<std::int64_t, bool>>{{0, true}, {1, false}, {1, true}}));
}

// A second way to sort: a multiset has no order and lists its elements in identity order.
RC_GTEST_PROP(SortTest, AgreesWithTheMultiset, (const std::vector<std::uint64_t>& patterns)) {
  std::vector<double> rows;
  for (const auto bits : patterns) rows.push_back(std::bit_cast<double>(bits));
  rows.insert(rows.end(), {0.0, -0.0});
  RC_ASSERT(
      identical(make_sort(vector_of(doubles_or_nan()))(rows), Multiset<double>(rows).elements()));
}

// One exchanged row may move all others: why there is no sort from substitute to Hamming distance.
TEST(SortTest, SortedRowsOfOneExchangeDifferInEveryPlace) {
  const auto sort = make_sort(sized());
  const Rows x{1, 2, 3};
  const Rows y{4, 2, 3};
  EXPECT_EQ(SubstituteDistance{}.distance(x, y), Distance(1));
  EXPECT_EQ(HammingDistance{}.distance(sort(x), sort(y)), Distance(3));
}

TEST(ShuffleTest, EveryOrderIsEquallyLikely) {
  const auto shuffle_rows = make_shuffle(sized(), SymmetricDistance{});
  const auto law = testing::enumerate_tapes<Rows>(
      [&](BitSource& bits) { return shuffle_rows({1, 2, 3}, bits); }, 15);
  EXPECT_EQ(law.probability.size(), 6u);
  for (const auto& [rows, probability] : law.probability) {
    EXPECT_LE(probability, rational("1/6"));
    EXPECT_LE(rational("1/6"), probability + law.undecided);
  }
  EXPECT_LT(law.undecided, rational("1/1000"));
}

TEST(ShuffleTest, KeepsTheMultisetOfBooleansAndText) {
  auto bits = testing::seeded_tape(4);
  const std::vector<bool> flags{true, false, false, true, true};
  const auto shuffled = make_shuffle(vector_of(booleans()), SymmetricDistance{})(flags, bits);
  EXPECT_EQ(SymmetricDistance{}.distance(shuffled, flags), Distance(0));
  const std::vector<std::string> words{"a", "b", "a", ""};
  const auto mixed = make_shuffle(vector_of(strings(), 4), SubstituteDistance{})(words, bits);
  EXPECT_EQ(SubstituteDistance{}.distance(mixed, words), Distance(0));
}

TEST(ShuffleTest, EmptyAndSingleRowsDrawNothing) {
  auto empty = testing::tape_of_bits("");
  const auto shuffle_rows = make_shuffle(vector_of(integers()), SymmetricDistance{});
  EXPECT_TRUE(shuffle_rows({}, empty).empty());
  EXPECT_EQ(shuffle_rows({5}, empty), Rows{5});
}

}  // namespace change_metric_test
}  // namespace lastbit
