#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "lastbit/base/test_support.h"
#include "lastbit/report/release/release_report.h"
#include "lastbit/report/release/sample_test_support.h"

namespace lastbit::report {
namespace answers_csv_test {

using Json = nlohmann::ordered_json;

TEST(AnswersCsvTest, EveryAnswerIsALineWithAColumnForEachKey) {
  const ReleasePlan plan = sample_plan();
  const Release release = sample_release(plan);
  const auto rows = csv_rows(answers_csv(plan, release));
  ASSERT_EQ(rows.size(), all_answers(release) + 1);
  EXPECT_EQ(rows.front(),
            (std::vector<std::string>{"statistic", "region", "shop", "sex", "occupation", "zip",
                                      "village", "cell", "choice", "answer", "lower", "upper",
                                      "confidence", "reliability", "suppressed"}));
  std::size_t at = 1;
  for (const StatisticAnswers& answers : release.answers) {
    for (const AnswerLine& line : answers.lines) {
      const auto& row = rows[at++];
      ASSERT_EQ(row.size(), 15U);
      const auto keys = static_cast<std::size_t>(std::count_if(
          row.begin() + 1, row.begin() + 7, [](const auto& s) { return !s.empty(); }));
      EXPECT_EQ(keys, line.group.size());
      EXPECT_EQ(row[9].empty(), !line.value);
      EXPECT_EQ(row[10].empty(), !line.interval);
      EXPECT_EQ(row[13].empty(), !line.interval);
      EXPECT_EQ(row[14], "false");
      if (!line.value || !line.interval) continue;
      EXPECT_LE(abs(Rational::parse(row[9]) - *line.value), abs(*line.value) * rational("1e-16"));
      EXPECT_LE(Rational::parse(row[10]), line.interval->lower);
      EXPECT_GE(Rational::parse(row[11]), line.interval->upper);
    }
  }
}

TEST(AnswersCsvTest, KeysCalledLikeOtherColumnsGetAnotherName) {
  ReleasePlan plan = sample_plan();
  Release release = sample_release(plan);
  // Two keys, of which one is what the other would be renamed to.
  plan.statistics[4].statistic.by[0].value = "answer";
  plan.statistics[4].statistic.by[1].value = "key.answer";
  plan.statistics[1].statistic.by[0].value = "statistic";
  const auto titles = csv_rows(answers_csv(plan, release)).front();
  EXPECT_EQ(titles[1], "key.statistic");
  EXPECT_EQ(titles[3], "key.key.answer");
  EXPECT_EQ(titles[4], "key.answer");
  EXPECT_EQ(std::set<std::string>(titles.begin(), titles.end()).size(), titles.size());
}

TEST(AnswersCsvTest, SaysWhatIsSuppressedAndHowReliableTheRestIs) {
  const ReleasePlan plan = sample_plan();
  Release release = sample_release(plan);
  std::vector<AnswerLine>& lines = release.answers[0].lines;
  lines = {{{}, "a", {}, Rational(30), Range{20, 40}},
           {{}, "b", {}, Rational(30), Range{15, 45}},
           {{}, "c", {}, Rational(0), Range{0, 4}},
           {{}, "d", {}, std::nullopt, std::nullopt}};
  lines[2].cut = true;
  lines.back().suppressed = true;
  const auto rows = csv_rows(answers_csv(plan, release));
  const std::vector<std::vector<std::string>> expected = {
      {"30", "20", "40", "0.95", "reliable", "false"},
      {"30", "15", "45", "0.95", "caution", "false"},
      {"0", "0", "4", "0.95", "unreliable", "false"},
      {"", "", "", "0.95", "", "true"}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(std::vector<std::string>(rows[i + 1].begin() + 9, rows[i + 1].end()), expected[i]);
  }
  const Json json = release_json(plan, release);
  const Json& answers = json["statistics"][0]["answers"];
  EXPECT_EQ(answers[0]["reliability"], "reliable");
  EXPECT_EQ(answers[2]["cut"], true);
  EXPECT_EQ(answers[1]["cut"], false);
  EXPECT_EQ(answers[1]["suppressed"], false);
  EXPECT_EQ(answers[3]["suppressed"], true);
  EXPECT_TRUE(answers[3]["answer"].is_null());
  EXPECT_TRUE(answers[3]["reliability"].is_null());
}

TEST(AnswersCsvTest, SpreadsheetsSeeNoFormulas) {
  ReleasePlan plan = sample_plan();
  Release release = sample_release(plan);
  const std::vector<std::pair<std::string, std::string>> cells = {
      {"=1+1", "'=1+1"}, {"+1", "'+1"},      {"-1+1", "'-1+1"}, {"@SUM(1)", "'@SUM(1)"},
      {"\tx", "'\tx"},   {"-12.5", "-12.5"}, {"-", "'-"},       {"a\"b,\r\nc", "a\"b,\r\nc"}};
  AnswerLine line = release.answers[0].lines[0];
  release.answers[0].lines.clear();
  for (const auto& [cell, safe] : cells) {
    line.cell = cell;
    release.answers[0].lines.push_back(line);
  }
  const auto rows = csv_rows(answers_csv(plan, release));
  for (std::size_t i = 0; i < cells.size(); ++i) EXPECT_EQ(rows[i + 1][7], cells[i].second);
  for (const auto& row : rows) {
    for (std::size_t field = 0; field < 9; ++field) {
      const bool harmless = row[field].empty() ||
                            std::string_view("=+@\t\r").find(row[field][0]) == std::string::npos;
      EXPECT_TRUE(harmless) << row[field];
    }
  }
}

TEST(AnswersCsvTest, KeysCanBeReadBack) {
  ReleasePlan plan = sample_plan();
  plan.statistics[4].statistic.by[1].value = "=sex";
  Release release = sample_release(plan);
  release.answers[4].lines[0].group = {std::string("=a\"b,c"), std::int64_t{-1}};
  const auto rows = csv_rows(answers_csv(plan, release));
  EXPECT_EQ(rows[0][3], "'=sex");
  const auto line =
      std::ranges::find(rows, "mean_income_by_region_sex", [](const auto& row) { return row[0]; });
  ASSERT_NE(line, rows.end());
  EXPECT_EQ((*line)[1], "'=a\"b,c");
  EXPECT_EQ((*line)[3], "-1");
  EXPECT_EQ((*line)[2], "");
}

}  // namespace answers_csv_test
}  // namespace lastbit::report
