#include "lastbit/report/release/query_report.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lastbit/report/release/sample_test_support.h"

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

TEST(QueryTable, ShowsMarksIntervalsAndWhatTheyDoNotShow) {
  ReleasePlan plan = sample_plan();
  plan.statistics = {plan.statistics[1], plan.statistics[5]};
  plan.statistics[0].statistic.name.value = "n";
  plan.statistics[1].statistic.name.value = "spread";
  plan.statistics[0].notes = {"At most 1 row counts."};
  plan.statistics[1].notes = {"At most 1 row counts.", "Values outside count."};
  const auto about = [](const char* key, const Rational& value, const Range& interval) {
    return AnswerLine{{std::string(key)}, "", std::nullopt, value, interval};
  };
  Release release = sample_release(plan);
  release.answers = {{"n", {about("a", 100, {90, 110}), about("b", 0, {0, 12}), about("c", 1, {})}},
                     {"spread", {about("a", 7, {6, 8}), about("b", 5, {4, 6})}}};
  release.answers[0].lines[1].cut = true;
  release.answers[0].lines[2].suppressed = true;
  release.answers[0].lines[2].value.reset();
  release.answers[0].lines[2].interval.reset();
  const AnswerShape shape{{{"region", true, 0}, {"n", false, 0}, {"spread", false, 1}}, {}, {}};
  EXPECT_EQ(query_table(plan, shape, release, Paint(false), 60),
            R"(
  region           n       ± 95 %  spread  ± 95 %
  a              100           10       7       1
  b                0  ??  0 to 12       5       1
  c       suppressed                    –

  ! At most 1 row counts.
  ! spread: Values outside count.
  ?? unreliable: ± is more than two thirds of the answer.
  Noise had moved 1 answer to where no true value can be,
  such as below 0; it is cut. So small counts are too large
  on average.
  Spent epsilon 2.375 and delta 3e-7; epsilon 0.5 and delta
  6e-7 are left in survey ledger's.ledger.
)");
  // Where both ends of an interval do not fit, the farther one counts.
  EXPECT_NE(query_table(plan, shape, release, Paint(false), 48)
                .find("  b                0  ??      12       5       1\n"),
            std::string::npos);
}

}  // namespace query_report_test
}  // namespace lastbit::report
