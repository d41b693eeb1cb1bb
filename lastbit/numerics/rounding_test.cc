#include "lastbit/numerics/rounding.h"

#include <gtest/gtest.h>

#include <cfenv>

#include "lastbit/base/test_support.h"
#include "lastbit/numerics/test_support.h"

namespace lastbit {
namespace rounding_test {

using testing::in_mode;
using testing::kOtherRoundingModes;

TEST(RoundingTest, WholeNumbersNextToAValue) {
  struct Row {
    const char* value;
    int nearest, down, up, toward_zero;
  };
  for (const Row& row :
       {Row{"2.5", 2, 2, 3, 2}, Row{"3.5", 4, 3, 4, 3}, Row{"-2.5", -2, -3, -2, -2},
        Row{"-3.5", -4, -4, -3, -3}, Row{"7/3", 2, 2, 3, 2}, Row{"-8/3", -3, -3, -2, -2},
        Row{"5", 5, 5, 5, 5}, Row{"0", 0, 0, 0, 0}}) {
    const Rational value = rational(row.value);
    EXPECT_EQ(rounded(value, Rounding::kNearestEven), Integer(row.nearest)) << row.value;
    EXPECT_EQ(rounded(value, Rounding::kDown), Integer(row.down)) << row.value;
    EXPECT_EQ(rounded(value, Rounding::kUp), Integer(row.up)) << row.value;
    EXPECT_EQ(rounded(value, Rounding::kTowardZero), Integer(row.toward_zero)) << row.value;
  }
}

TEST(RoundingModeTest, OtherModesAreSeenAndRefused) {
  EXPECT_TRUE(rounds_to_nearest());
  EXPECT_NO_THROW(require_rounding_to_nearest("test"));
  for (const int mode : kOtherRoundingModes) {
    EXPECT_FALSE(in_mode(mode, rounds_to_nearest)) << mode;
    const auto code =
        in_mode(mode, [] { return code_of([] { require_rounding_to_nearest("t"); }); });
    EXPECT_EQ(code, ErrorCode::kNotSupported) << mode;
  }
}

TEST(RoundingModeTest, NearestRoundingLastsAsLongAsItsScope) {
  for (const int mode : kOtherRoundingModes) {
    bool inside = false;
    int after = 0;
    in_mode(mode, [&] {
      {
        const NearestRounding nearest;
        inside = rounds_to_nearest();
      }
      after = std::fegetround();
      return 0;
    });
    EXPECT_TRUE(inside) << mode;
    EXPECT_EQ(after, mode);
  }
  EXPECT_TRUE(rounds_to_nearest());
}

}  // namespace rounding_test
}  // namespace lastbit
