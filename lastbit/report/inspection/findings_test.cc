#include "lastbit/report/inspection/findings.h"

#include <gtest/gtest.h>

#include "lastbit/report/inspection/field_remedy.h"
#include "lastbit/report/inspection/inspection_report.h"

namespace lastbit::report {
namespace findings_test {

InspectedColumn unreadable(FieldType type, const std::vector<std::string>& texts) {
  InspectedColumn column;
  column.name = "income";
  column.type = type;
  column.facts.unreadable = static_cast<std::int64_t>(texts.size());
  for (const std::string& text : texts) column.facts.first.push_back({40, 39, text});
  return column;
}

InspectedStatistic counted(const std::string& name) {
  InspectedStatistic statistic;
  statistic.statistic.name.value = name;
  statistic.statistic.kind = CountStatistic{};
  statistic.facts = {1000, 1000, 1000, 1000};
  return statistic;
}

Inspection sample() {
  Inspection inspection;
  inspection.source = "data.csv";
  inspection.text_file = true;
  inspection.rows = 1000;
  return inspection;
}

}  // namespace findings_test

namespace {

using findings_test::counted;
using findings_test::sample;
using findings_test::unreadable;

TEST(Findings, AreNoneWhereNothingIsWrong) {
  Inspection inspection = sample();
  inspection.statistics = {counted("a")};
  EXPECT_TRUE(findings_of(inspection).empty());
  EXPECT_EQ(findings_text({}, Paint(false), 80), "  Nothing seems wrong.\n");
}

TEST(Findings, BrokenPromisesAreSerious) {
  Inspection inspection = sample();
  InspectedKeys keys{{"region"}, {}, true, 2};
  inspection.keys = {keys};
  const std::vector<Finding> findings = findings_of(inspection);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].level, FindingLevel::kSerious);
  EXPECT_EQ(
      findings[0].problem,
      "The file says that the keys of `region` are complete, but 2 rows that count have a key "
      "that is missing or not listed. Stated errors do not hold for tables that rely on it.");
  inspection.keys[0].broken = 0;
  EXPECT_TRUE(findings_of(inspection).empty());
}

TEST(Findings, ComeInTheOrderOfTheirSeverity) {
  Inspection inspection = sample();
  inspection.columns = {unreadable(FieldType::kInteger, {"x"})};
  inspection.keys = {{{"region"}, {20, {{{"West"}, 20}}}}, {{"sex"}, {3, {{{"d"}, 3}}}}};
  InspectedStatistic clamped = counted("b");
  clamped.numbers = {{"age", 1000, {{0, 10, 0, 60}}}};
  inspection.statistics = {clamped};
  const std::vector<Finding> findings = findings_of(inspection);
  ASSERT_EQ(findings.size(), 4U);
  EXPECT_EQ(findings[0].problem,
            "6.0 % of the values of `age` are above its `upper` bound and count as 10.");
  EXPECT_EQ(
      findings[1].problem,
      "1 of 1,000 fields of `income` are not whole numbers, first in line 40: 'x'. They count "
      "as missing.");
  EXPECT_EQ(findings[2].level, FindingLevel::kNotable);
  EXPECT_EQ(findings[3].level, FindingLevel::kHint);
}

TEST(Findings, AreSaidOnceForSeveralStatistics) {
  Inspection inspection = sample();
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    inspection.statistics.push_back(counted(name));
    inspection.statistics.back().facts.with_condition = 0;
    inspection.statistics.back().facts.with_values = 0;
  }
  const std::vector<Finding> findings = findings_of(inspection);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].statistics.size(), 5U);
  EXPECT_NE(findings_text(findings, Paint(false), 80).find("1. a, b, c and 2 more: Nothing counts"),
            std::string::npos);
}

TEST(Findings, NameTheLimitThatLeavesRowsOut) {
  Inspection inspection = sample();
  inspection.unit = "person";
  InspectedStatistic limited = counted("a");
  limited.facts.shapes = {{2, 1, 500}, {5, 1, 500}};
  limited.limits = InspectedLimits{{1, 1, true, false}, 1000, {{1, 1, 350}}};
  inspection.statistics = {limited};
  const std::vector<Finding> findings = findings_of(inspection);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].problem,
            "Only 35 % of the rows count: at most 1 row per group, in at most 1 group, of each "
            "`person`.");
  EXPECT_TRUE(findings[0].remedy.starts_with("Raise `max_groups`. "));
}

TEST(Findings, RemediesFollowFromTheFields) {
  const auto remedy = [](FieldType type, const std::vector<std::string>& texts) {
    return field_remedy(unreadable(type, texts), true);
  };
  EXPECT_EQ(remedy(FieldType::kInteger, {"1.5", " 2.25 "}),
            "Declare type = \"real\" for `income`.");
  EXPECT_NE(remedy(FieldType::kReal, {"180,5"}).find(R"(write decimal = "," in)"),
            std::string::npos);
  EXPECT_NE(remedy(FieldType::kReal, {"1.250,00"}).find(R"(decimal = "," and thousands = ".")"),
            std::string::npos);
  EXPECT_NE(remedy(FieldType::kInteger, {"12 000"}).find(R"(thousands = " ")"), std::string::npos);
  EXPECT_NE(remedy(FieldType::kReal, {"1,500"}).find(R"(thousands = ",")"), std::string::npos);
  EXPECT_NE(remedy(FieldType::kReal, {"N/A", "-"}).find("`null_text`"), std::string::npos);
  EXPECT_NE(remedy(FieldType::kDate, {"31.12.2025"}).find(R"("%d.%m.%Y")"), std::string::npos);
  EXPECT_NE(remedy(FieldType::kBoolean, {"yes"}).find("`true_text`"), std::string::npos);
  EXPECT_EQ(remedy(FieldType::kReal, {"abc"}), "Correct the file, or declare another `type`.");
}

TEST(Findings, SharesAreNeverRoundedToAllOrNothing) {
  EXPECT_EQ(share_text(0, 10), "0 %");
  EXPECT_EQ(share_text(10, 10), "100 %");
  EXPECT_EQ(share_text(1, 1'000'000), "less than 0.1 %");
  EXPECT_EQ(share_text(999'999, 1'000'000), "more than 99 %");
  EXPECT_EQ(share_text(35, 100), "35 %");
  EXPECT_EQ(share_text(24, 1000), "2.4 %");
  EXPECT_EQ(amount_text(1234), "1,234");
  EXPECT_EQ(amount_text(1234.5), "about 1,235");
}

TEST(Findings, TheReportBeginsAndEndsWithTheNotice) {
  Inspection inspection = sample();
  inspection.statistics = {counted("a")};
  const std::string text = inspection_text(inspection, Paint(false), 80);
  const std::string notice = private_notice(inspection) + "\n";
  EXPECT_TRUE(text.starts_with(notice));
  EXPECT_TRUE(text.ends_with(notice));
}

}  // namespace
}  // namespace lastbit::report
