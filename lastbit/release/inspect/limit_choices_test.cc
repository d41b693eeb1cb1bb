#include "lastbit/release/inspect/limit_choices.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lastbit {
namespace {

// One unit with 10 rows in one group; two units with 1, 2 and 6 rows in three groups.
const std::vector<UnitShape> kShapes = {{1, 10, 1}, {3, 1, 2}, {3, 2, 2}, {3, 6, 2}};

TEST(LimitChoices, KeepRowsByHand) {
  EXPECT_EQ(unit_count(kShapes), 3);
  EXPECT_EQ(most_rows(kShapes), 10);
  EXPECT_EQ(most_groups(kShapes), 3);
  EXPECT_DOUBLE_EQ(kept_rows(kShapes, 10, 3, false), 10 + 2 * 9);
  EXPECT_DOUBLE_EQ(kept_rows(kShapes, 2, 3, false), 2 + 2 * 5);
  EXPECT_DOUBLE_EQ(kept_rows(kShapes, 2, 1, false), 2 + 2 * 5.0 / 3);
  EXPECT_DOUBLE_EQ(kept_rows(kShapes, 10, 2, false), 10 + 2 * 6.0);
  EXPECT_DOUBLE_EQ(kept_rows(kShapes, 1, 3, true), 1 + 2 * 3);
  EXPECT_DOUBLE_EQ(kept_rows(kShapes, 1, 1, true), 3);
  EXPECT_DOUBLE_EQ(kept_rows({}, 1, 1, false), 0);
}

TEST(LimitChoices, BeginWithThoseInUseAndEndWithAllRows) {
  const auto choices = other_limits(kShapes, {1, 1, true, false});
  EXPECT_EQ(choices.front().max_rows, 1);
  EXPECT_EQ(choices.front().max_groups, 1);
  EXPECT_DOUBLE_EQ(choices.back().kept, 28);
  const auto has = [&](std::int64_t rows, std::int64_t groups) {
    return std::ranges::any_of(choices, [&](const LimitChoice& choice) {
      return choice.max_rows == rows && choice.max_groups == groups;
    });
  };
  EXPECT_TRUE(has(2, 1));
  EXPECT_TRUE(has(4, 1));
  EXPECT_TRUE(has(10, 1));
  EXPECT_TRUE(has(1, 3));
  EXPECT_FALSE(has(1, 4));
}

TEST(LimitChoices, LeaveAloneWhatChangesNothing) {
  for (const LimitChoice& choice : other_limits(kShapes, {1, 1, true, true})) {
    EXPECT_EQ(choice.max_rows, 1);
  }
  for (const LimitChoice& choice : other_limits(kShapes, {1, 5, false, false})) {
    EXPECT_EQ(choice.max_groups, 5);
  }
  EXPECT_EQ(other_limits({}, {2, 2, true, false}).front().kept, 0);
}

}  // namespace
}  // namespace lastbit
