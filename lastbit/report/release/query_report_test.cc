#include "lastbit/report/release/query_report.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lastbit::report {
namespace query_report_test {

AnswerLine line(std::string key, int value) {
  return {{std::move(key)}, "", std::nullopt, Rational(value), std::nullopt};
}

// Two statistics about groups that were discovered: each may show other keys.
const std::vector<StatisticAnswers> kAnswers = {{"n", {line("b", 5), line("a", 7), line("c", 5)}},
                                                {"s", {line("c", 1), line("d", 9)}}};
const std::vector<AnswerColumn> kColumns = {{"key", true, 0}, {"n", false, 0}, {"s", false, 1}};

std::string keys_of(const std::vector<QueryRow>& rows) {
  std::string keys;
  for (const QueryRow& row : rows) keys += text_of(row.group.front());
  return keys;
}

TEST(QueryRows, HoldEveryGroupOnce) {
  const auto rows = query_rows({kColumns, {}, {}}, kAnswers);
  EXPECT_EQ(keys_of(rows), "bacd");
  EXPECT_EQ(rows[0].answers[0]->value, Rational(5));
  EXPECT_EQ(rows[0].answers[1], nullptr);
  EXPECT_EQ(rows[2].answers[0]->value, Rational(5));
  EXPECT_EQ(rows[2].answers[1]->value, Rational(1));
  EXPECT_EQ(rows[3].answers[0], nullptr);
}

TEST(QueryRows, AreOrderedAndCut) {
  EXPECT_EQ(keys_of(query_rows({kColumns, {{0, true}}, {}}, kAnswers)), "dcba");
  // Equal answers stay in their order, and missing ones come last either way.
  EXPECT_EQ(keys_of(query_rows({kColumns, {{1, false}}, {}}, kAnswers)), "bcad");
  EXPECT_EQ(keys_of(query_rows({kColumns, {{1, true}}, {}}, kAnswers)), "abcd");
  EXPECT_EQ(keys_of(query_rows({kColumns, {{1, false}, {0, true}}, {}}, kAnswers)), "cbad");
  EXPECT_EQ(keys_of(query_rows({kColumns, {{2, true}}, 1}, kAnswers)), "d");
  EXPECT_TRUE(query_rows({kColumns, {}, 0}, kAnswers).empty());
}

}  // namespace query_report_test
}  // namespace lastbit::report
