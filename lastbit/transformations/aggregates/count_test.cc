#include "lastbit/transformations/aggregates/count.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <set>
#include <string>
#include <vector>

namespace lastbit {
namespace count_test {

TEST(CountTest, CountsRowsOfAnyKind) {
  EXPECT_EQ(make_count(vector_of(strings()), SymmetricDistance{})({"a", "", "a"}), 3);
  EXPECT_EQ(make_count(vector_of(booleans()), InsertDeleteDistance{})({true, false}), 2);
  EXPECT_EQ(make_count(vector_of(optional_of(integers())), SymmetricDistance{})({std::nullopt}), 1);
  EXPECT_EQ(make_count().build(vector_of(doubles()), SymmetricDistance{})({}), 0);
}

TEST(CountTest, MapIsTheNumberOfRowsThatMayDiffer) {
  const auto count = make_count(vector_of(integers()), SymmetricDistance{});
  EXPECT_EQ(count.map(rational("3.5")), Distance(3));
  EXPECT_EQ(count.map(Distance::infinity()), Distance::infinity());
}

TEST(CountTest, PublicSizeHasAConstantCount) {
  const auto count = make_count(vector_of(integers(), 2), SubstituteDistance{});
  EXPECT_EQ(count({4, 5}), 2);
  EXPECT_EQ(count.map(2), Distance(0));
  EXPECT_EQ(count.map(Distance::infinity()), Distance(0));
}

TEST(CountDistinctTest, ComparesByIdentity) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto distinct = make_count_distinct(vector_of(doubles_or_nan()), SymmetricDistance{});
  EXPECT_EQ(distinct({0.0, -0.0, 0.0}), 2);
  EXPECT_EQ(distinct({nan, nan, 1.0}), 2);
  EXPECT_EQ(distinct({}), 0);
  EXPECT_EQ(make_count_distinct(vector_of(booleans()), SymmetricDistance{})({true, true}), 1);
}

TEST(CountDistinctTest, MapOnSizedVectorsStopsBelowTheSize) {
  const auto distinct = make_count_distinct(vector_of(integers(), 4), SubstituteDistance{});
  EXPECT_EQ(distinct.map(2), Distance(2));
  EXPECT_EQ(distinct.map(4), Distance(3));
  EXPECT_EQ(make_count_distinct(vector_of(integers(), 1), SubstituteDistance{}).map(1),
            Distance(0));
  EXPECT_EQ(make_count_distinct(vector_of(integers(), 0), SubstituteDistance{}).map(1),
            Distance(0));
  const auto free = make_count_distinct().build(vector_of(integers()), SymmetricDistance{});
  EXPECT_EQ(free.map(4), Distance(4));
}

RC_GTEST_PROP(CountDistinctTest, EqualsTheSizeOfTheSet, (const std::vector<std::string>& rows)) {
  const auto distinct = make_count_distinct(vector_of(strings()), SymmetricDistance{});
  RC_ASSERT(distinct(rows) ==
            static_cast<std::int64_t>(std::set<std::string>(rows.begin(), rows.end()).size()));
}

}  // namespace count_test
}  // namespace lastbit
