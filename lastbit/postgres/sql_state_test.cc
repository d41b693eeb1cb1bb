#include "lastbit/postgres/sql_state.h"

#include <gtest/gtest.h>

#include <string>

namespace lastbit::postgres_internal {
namespace sql_state_test {

TEST(SqlState, HasWordsForEveryCode) {
  EXPECT_NE(state_words("42501").problem.find("right"), std::string::npos);
  EXPECT_NE(state_words("25006").problem, state_words("25001").problem);
  EXPECT_NE(state_words("57014").problem, state_words("57P01").problem);
  EXPECT_NE(state_words("99999").problem.find("99999"), std::string::npos);
  EXPECT_EQ(state_words("a secret").problem.find("secret"), std::string::npos);
}

}  // namespace sql_state_test
}  // namespace lastbit::postgres_internal
