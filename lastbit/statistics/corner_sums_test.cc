#include "lastbit/statistics/corner_sums.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <vector>

namespace lastbit {
namespace corner_sums_test {

using Rows = std::vector<std::int64_t>;

TEST(CornerSumsTest, WidestBoundsDoNotOverflow) {
  constexpr std::int64_t kMost = std::int64_t{1} << 61;
  const auto sums = corner_sums(Rows(1000, kMost), -kMost, kMost);
  EXPECT_EQ(sums.at(0), Rational(Integer(1000) * Integer::two_to(62)));
  EXPECT_EQ(sums.at(1), Rational(0));
}

// Every row attains the map, wherever it lies: nothing is given away.
RC_GTEST_PROP(CornerSumsTest, OneRowMovesBothTogetherByTheWidth, ()) {
  const auto sums = make_corner_sums(vector_of(interval(-3, 5)), SymmetricDistance{});
  const auto row = rc::gen::inRange<std::int64_t>(-3, 6);
  Rows rows = *rc::gen::container<Rows>(row);
  const std::vector<Rational> before = sums(rows);
  RC_ASSERT(before[0] + before[1] == Rational(8) * Rational(rows.size()));
  rows.push_back(*row);
  const std::vector<Rational> after = sums(rows);
  RC_ASSERT(Distance(abs(after[0] - before[0]) + abs(after[1] - before[1])) == sums.map(1));
  RC_ASSERT(after[0] - before[0] == Rational(rows.back() + 3));
  RC_ASSERT(sums.map(3) == Distance(24));
}

}  // namespace corner_sums_test
}  // namespace lastbit
