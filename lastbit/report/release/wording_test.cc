#include "lastbit/report/release/wording.h"

#include <gtest/gtest.h>

#include <string>

#include "lastbit/base/utf8.h"
#include "lastbit/release/file/parse_release.h"

namespace lastbit::report {
namespace wording_test {

ReleaseFile release_with(const std::string& unit, const std::string& statistics,
                         const std::string& publication = "") {
  return parse_release("version = 1\nsource = 's.csv'\nunit = " + unit +
                           "\nbudget = { epsilon = 1, delta = 1e-6, ledger = 'l' }\n" +
                           publication + R"(
[columns]
income = { type = 'real', lower = 0, upper = 100, label = "Income", unit = "€ per year" }
time_spent = { type = 'integer', lower = 0, upper = 100 }
sex = { type = 'integer', keys = [0, 1], label = "Sex", labels = { 0 = "men", 1 = "women" } }
married = { type = 'integer', keys = [0, 1] }
GDP = { type = 'real', lower = 0, upper = 1, label = "GDP" }
day = { type = 'date', keys = { from = 2026-03-01, to = 2026-12-31 } }
job = { keys = ["a", "b"], labels = { a = "cook" } }
)" + statistics,
                       "f.toml");
}

std::string heading_of(const std::string& statistic, const std::string& unit = "'row'",
                       const std::string& publication = "") {
  const ReleaseFile release = release_with(unit, "[[statistics]]\n" + statistic, publication);
  return Wording(release).heading(release.statistics.front());
}

TEST(WordingTest, HeadingsAreMadeFromLabels) {
  EXPECT_EQ(heading_of("kind = 'mean'\ncolumn = 'income'\nby = 'sex'"),
            "Mean income (€ per year) by sex");
  EXPECT_EQ(heading_of("kind = 'median'\ncolumn = 'time_spent'\nby = ['sex', 'married']"),
            "Median time spent by sex and married");
  EXPECT_EQ(heading_of("kind = 'mean'\ncolumn = 'GDP'"), "Mean GDP");
  EXPECT_EQ(heading_of("kind = 'sum'\ncolumn = 'income'"), "Sum of income (€ per year)");
  EXPECT_EQ(heading_of("kind = 'count'\nby = { day = 'month' }"), "Number of rows by month");
  EXPECT_EQ(heading_of("kind = 'count'\nby = { income = [0, 50, 100] }"),
            "Number of rows by income");
  EXPECT_EQ(heading_of("kind = 'count'\nname = 'people_here'"), "People here");
  EXPECT_EQ(heading_of("kind = 'count'\nname = 'n'\ntitle = 'Who lives here'"), "Who lives here");
}

TEST(WordingTest, GermanNounsStayUppercase) {
  EXPECT_EQ(heading_of("kind = 'mean'\ncolumn = 'income'", "'row'", "publication.language = 'de'"),
            "Mean Income (€ per year)");
}

TEST(WordingTest, UnitsHaveNouns) {
  EXPECT_EQ(heading_of("kind = 'count'\nby = 'sex'", "{ row = true, noun = ['person', 'people'] }"),
            "Number of people by sex");
  EXPECT_EQ(heading_of("kind = 'count_units'",
                       "{ id = 'hh', max_rows_per_group = 1, noun = 'household' }"),
            "Number of households");
  EXPECT_EQ(
      heading_of("kind = 'count'", "{ id = 'hh', max_rows_per_group = 1, noun = 'household' }"),
      "Number of rows");
  const std::string count = "[[statistics]]\nkind = 'count'\n";
  EXPECT_EQ(Wording(release_with("'row'", count)).one_unit(), "one row");
  const ReleaseFile release =
      release_with("{ id = 'hh', max_rows_per_group = 1, noun = 'household' }", count);
  EXPECT_EQ(Wording(release).one_unit(), "one household");
}

TEST(WordingTest, KeysAreReadByTheirLabels) {
  const ReleaseFile release =
      release_with("'row'",
                   "[[statistics]]\nkind = 'count'\nby = ['sex', 'married', { day = 'quarter' }]\n"
                   "[[statistics]]\nkind = 'count'\nby = { day = 'week' }\n"
                   "[[statistics]]\nkind = 'histogram'\ncolumn = 'job'\n");
  const Wording wording(release);
  const Date march(std::chrono::year(2026), std::chrono::March, std::chrono::day(2));
  const std::vector<KeyValue> group = {std::int64_t{1}, std::int64_t{0}, march};
  EXPECT_EQ(wording.keys(release.statistics[0], group), "women, married: 0, Q1 2026");
  EXPECT_EQ(wording.key("sex", std::int64_t{0}), "men");
  EXPECT_EQ(wording.key("day_week", march), "week of 2 Mar 2026");
  EXPECT_EQ(wording.key("day", march), "2 Mar 2026");
  EXPECT_EQ(wording.cell(release.statistics[2], {{}, "a", {}, Rational(1), {}}), "cook");
  EXPECT_EQ(wording.cell(release.statistics[2], {{}, "b", {}, Rational(1), {}}), "b");
  EXPECT_EQ(wording.period("day_quarter"), TimePeriod::kQuarter);
  EXPECT_TRUE(wording.has_order("sex", std::int64_t{0}));
  EXPECT_FALSE(wording.has_order("job", std::string("a")));
}

TEST(WordingTest, TotalsAreCalledSo) {
  const ReleaseFile release = release_with(
      "'row'", "[[statistics]]\nkind = 'count'\nby = ['sex', 'married']\ntitle = 'People'\n");
  Statistic total = release.statistics.front();
  total.wording.total = true;
  total.by.pop_back();
  const Wording wording(release);
  EXPECT_EQ(wording.heading(total), "People: total by sex");
  total.wording.title = "";
  EXPECT_EQ(wording.heading(total), "Number of rows by sex, total");
  total.by.clear();
  total.wording.title = "People";
  EXPECT_EQ(wording.heading(total), "People: total");
}

TEST(NumeralsTest, OnlySignsBetweenDigitsChange) {
  const std::string text = "1,234.5 of [0, 5], 0.5 and 1,000,000.";
  EXPECT_EQ(Numerals().text(text), text);
  EXPECT_EQ(Numerals(NumberFormat::kDots).text(text), "1.234,5 of [0, 5], 0,5 and 1.000.000.");
  EXPECT_EQ(Numerals(NumberFormat::kSpaces).text("1,234.5"), "1\u202f234,5");
  EXPECT_EQ(Numerals(NumberFormat::kApostrophes).text("1,234.5"), "1\u2019234.5");
  EXPECT_FALSE(is_hidden(U'\u202f'));
  EXPECT_EQ(Numerals(NumberFormat::kDots).text(""), "");
}

TEST(DayOfTest, YearsAndDatesAreDays) {
  EXPECT_EQ(day_of(std::int64_t{1970}, TimePeriod::kYear), 0.0);
  EXPECT_EQ(day_of(std::int64_t{1971}, TimePeriod::kYear), 365.0);
  EXPECT_EQ(day_of(std::int64_t{1'000'000}, TimePeriod::kYear), std::nullopt);
  EXPECT_EQ(day_of(std::int64_t{1970}, TimePeriod::kDay), std::nullopt);
  EXPECT_EQ(day_of(std::string("x"), TimePeriod::kDay), std::nullopt);
}

}  // namespace wording_test
}  // namespace lastbit::report
