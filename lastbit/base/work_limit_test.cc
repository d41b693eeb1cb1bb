#include "lastbit/base/work_limit.h"

#include <gtest/gtest.h>

#include <thread>

namespace lastbit {
namespace work_limit_test {

TEST(WorkLimitTest, AllowsExactlyItsUnits) {
  const WorkLimit limit(10);
  WorkLimit::spend(7);
  EXPECT_EQ(limit.spent(), 7U);
  WorkLimit::spend(3);
  EXPECT_EQ(limit.spent(), 10U);
  WorkLimit::spend(0);
  EXPECT_THROW(WorkLimit::spend(1), WorkLimit::Exceeded);
}

TEST(WorkLimitTest, StaysExceeded) {
  const WorkLimit limit(10);
  EXPECT_THROW(WorkLimit::spend(SIZE_MAX), WorkLimit::Exceeded);
  EXPECT_THROW(WorkLimit::spend(1), WorkLimit::Exceeded);
}

TEST(WorkLimitTest, IsOverWhenItDies) {
  {
    const WorkLimit limit(1);
    WorkLimit::spend(1);
  }
  WorkLimit::spend(std::size_t{1} << 40);
}

TEST(WorkLimitTest, AnInnerLimitIsPartOfTheOuter) {
  const WorkLimit outer(10);
  {
    const WorkLimit inner(4);
    WorkLimit::spend(3);
    EXPECT_THROW(WorkLimit::spend(2), WorkLimit::Exceeded);
  }
  EXPECT_EQ(outer.spent(), 4U);
  {
    const WorkLimit wider(100);
    EXPECT_THROW(WorkLimit::spend(7), WorkLimit::Exceeded);
  }
  EXPECT_THROW(WorkLimit::spend(1), WorkLimit::Exceeded);
}

TEST(WorkLimitTest, IsThatOfOneThread) {
  const WorkLimit limit(1);
  std::thread([] { WorkLimit::spend(1'000); }).join();
  EXPECT_EQ(limit.spent(), 0U);
}

}  // namespace work_limit_test
}  // namespace lastbit
