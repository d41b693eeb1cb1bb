// The page in the words of the release file.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "lastbit/release/file/schema.h"
#include "lastbit/report/release/figure.h"
#include "lastbit/report/release/sample_test_support.h"

namespace lastbit::report {
namespace page_test {

const std::string kHead = R"(version = 1
title = "Löhne & Gehälter"
source = { path = "s.csv", name = "survey" }
unit = { row = true, noun = ["person", "people"] }
budget = { epsilon = 1, delta = 1e-6, ledger = "l" }
[publication]
publisher = "Amt <1>"
period = "2026"
licence = "CC BY 4.0"
contact = "amt@example.org"
notes = ["Erste Notiz.", "Zweite Notiz."]
language = "de"
number_format = "1.234,5"
[columns]
income = { type = "real", lower = 0, upper = 200_000, label = "Einkommen", unit = "€" }
sex = { type = "integer", keys = [0, 1], labels = { 0 = "Männer", 1 = "Frauen" } }
day = { type = "date", keys = { from = 2025-01-01, to = 2026-12-31 } }
town = { keys = ["a", "b"] }
)";

// Page: a release whose statistics have the given answers.
struct Page {
  ReleasePlan plan;
  Release release;
  std::string html() const { return release_html(plan, release); }
  std::size_t count(std::string_view what) const {
    const std::string text = html();
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
      ++found;
    }
    return found;
  }
  bool has(std::string_view what) const { return count(what) > 0; }
};

Page page_of(const std::string& statistics, std::vector<std::vector<AnswerLine>> answers) {
  ReleasePlan plan = sample_plan();
  const std::vector<SchemaColumn> columns = {{"income", "VARCHAR", {}},
                                             {"sex", "VARCHAR", {}},
                                             {"day", "VARCHAR", {}},
                                             {"town", "VARCHAR", {}}};
  plan.release = check_against_schema(parse_release(kHead + statistics, "f.toml"), columns);
  plan.statistics.clear();
  for (const Statistic& statistic : plan.release.statistics) {
    plan.statistics.push_back(sample_statistic(statistic));
  }
  Release release = sample_release(plan);
  for (std::size_t i = 0; i < answers.size(); ++i) release.answers[i].lines = std::move(answers[i]);
  return {std::move(plan), std::move(release)};
}

AnswerLine answer(KeyTuple group, std::int64_t value, std::int64_t error) {
  return {std::move(group), "", {}, Rational(value), Range{value - error, value + error}};
}

const std::string kMeanBySex =
    "[[statistics]]\nkind = 'mean'\ncolumn = 'income'\nby = 'sex'\nnotes = 'Brutto.'\n";

TEST(PageTest, TheWordsOfTheFileAreShownInTheirLanguage) {
  const Page page =
      page_of(kMeanBySex,
              {{answer({std::int64_t{0}}, 41'234, 100), answer({std::int64_t{1}}, 31'234, 100)}});
  EXPECT_TRUE(page.has("<html lang=\"en\">"));
  EXPECT_TRUE(page.has("<h1><bdi lang=\"de\">Löhne &amp; Gehälter</bdi></h1>"));
  EXPECT_TRUE(page.has("<p class=\"eyebrow\"><bdi lang=\"de\">Amt &lt;1&gt;</bdi></p>"));
  EXPECT_TRUE(page.has("<p class=\"period\"><bdi lang=\"de\">2026</bdi></p>"));
  EXPECT_TRUE(page.has("<p class=\"said\"><bdi lang=\"de\">Zweite Notiz.</bdi></p>"));
  EXPECT_TRUE(page.has("<p class=\"said\"><bdi lang=\"de\">Brutto.</bdi></p>"));
  EXPECT_TRUE(page.has("<dt>Licence</dt><dd><bdi lang=\"de\">CC BY 4.0</bdi></dd>"));
  EXPECT_TRUE(page.has("<dt>Contact</dt><dd><bdi lang=\"de\">amt@example.org</bdi></dd>"));
  EXPECT_TRUE(page.has("<bdi>Mean Einkommen (€) by sex</bdi>"));
  EXPECT_TRUE(page.has("<span class=\"label\"><bdi lang=\"de\">Männer</bdi></span>"));
  EXPECT_TRUE(page.has("<th scope=\"row\"><bdi lang=\"de\">Frauen</bdi></th>"));
  EXPECT_TRUE(page.has("<bdi>one person</bdi>"));
  EXPECT_TRUE(page.has("41.234 <small>± 100</small>"));
  EXPECT_FALSE(page.has("41,234 <small>"));
}

TEST(PageTest, ASingleNumberStandsInLargeLettersWithoutAnAxis) {
  const Page page =
      page_of("[[statistics]]\nkind = 'mean'\ncolumn = 'income'\n", {{answer({}, 21'000, 1)}});
  EXPECT_TRUE(
      page.has("<p class=\"answer\">21.000 <small><bdi lang=\"de\">€</bdi> ± 1</small></p>"));
  EXPECT_TRUE(
      page.has("The true value lies between 20.999 and 21.001, with 95\u00a0% confidence."));
  EXPECT_FALSE(page.has("<svg"));
}

TEST(PageTest, CaveatsStandOnceAndAreReferredTo) {
  const Page page = page_of(kMeanBySex + "[[statistics]]\nkind = 'count'\n",
                            {{answer({std::int64_t{0}}, 9, 1)}, {answer({}, 9, 1)}});
  EXPECT_EQ(page.count("Persons with rows in more than 3 groups count in 3 of them."), 1U);
  EXPECT_EQ(page.count("<a href=\"#note-1\">"), 2U);
  EXPECT_EQ(page.count("<li id=\"note-1\">"), 1U);
  EXPECT_EQ(page.count("How to read these numbers"), 1U);
}

TEST(PageTest, DatesAreDrawnAlongACalendar) {
  std::vector<AnswerLine> lines;
  for (unsigned month = 12; month >= 1; --month) {
    const Date first(std::chrono::year(2025), std::chrono::month(month), std::chrono::day(1));
    lines.push_back(answer({first}, 1000 + month, 10));
  }
  const Page page = page_of("[[statistics]]\nkind = 'count'\nby = { day = 'month' }\n", {lines});
  EXPECT_TRUE(page.has("Number of people by month"));
  EXPECT_TRUE(page.has("<path class=\"curve\""));
  EXPECT_TRUE(page.has("<title>Mar 2025: 1.003 ± 10</title>"));
  EXPECT_TRUE(page.has("<th scope=\"row\"><bdi lang=\"de\">Mar 2025</bdi></th>"));
  EXPECT_TRUE(page.has("role=\"img\"><title>number of people, by month</title>"));
}

TEST(PageTest, LongListsWithoutAnOrderAreSortedAndFolded) {
  std::vector<AnswerLine> lines;
  for (int i = 0; i < 371; ++i) {
    lines.push_back(answer({"town " + std::to_string(i)}, 1000 + i * 37 % 371, 10));
  }
  const std::string by_town = "[[statistics]]\nkind = 'count'\nby = 'town'\n";
  const Page page = page_of(by_town, {lines});
  EXPECT_TRUE(page.has("and 351 more"));
  EXPECT_TRUE(page.has("The 20 largest of 371 answers."));
  const std::string html = page.html();
  EXPECT_LT(html.find("1.370"), html.find("1.369"));
  EXPECT_LT(html.find("1.369"), html.find("1.368"));
  lines.resize(3);
  const Page few = page_of(by_town, {lines});
  EXPECT_FALSE(few.has(" more</summary>"));
  EXPECT_LT(few.html().find(">town 0<"), few.html().find(">town 1<"));
}

TEST(PageTest, NumbersKeepTheirOrder) {
  const ReleaseFile release = parse_release(kHead + kMeanBySex, "f.toml");
  std::vector<AnswerLine> lines;
  for (std::int64_t i = 0; i < 50; ++i) lines.push_back(answer({i}, i, 1));
  const auto ordered = in_reading_order(Wording(release), release.statistics[0], lines);
  for (std::int64_t i = 0; i < 50; ++i) {
    EXPECT_EQ(ordered[static_cast<std::size_t>(i)].value, Rational(i));
  }
}

TEST(PageTest, DoubtfulAnswersAreMarkedInWords) {
  AnswerLine suppressed = answer({std::int64_t{1}}, 10, 20);
  suppressed.value.reset();
  suppressed.interval.reset();
  suppressed.suppressed = true;
  const Page page = page_of(kMeanBySex, {{answer({std::int64_t{0}}, 10, 9), suppressed}});
  EXPECT_TRUE(page.has("<small class=\"flag\">unreliable</small>"));
  EXPECT_TRUE(page.has("<small>suppressed</small>"));
  EXPECT_TRUE(page.has("<td><bdi>unreliable</bdi></td>"));
  EXPECT_TRUE(page.has("<td><bdi>suppressed</bdi></td>"));
  EXPECT_TRUE(page.has("<em>use with caution</em>"));
  EXPECT_EQ(quality_words(answer({}, 100, 40)), "use with caution");
  EXPECT_EQ(quality_words(answer({}, 100, 30)), "");
  const Page good = page_of(kMeanBySex, {{answer({std::int64_t{0}}, 100, 1)}});
  EXPECT_FALSE(good.has("<em>use with caution</em>"));
}

TEST(PageTest, LargeFilesStayBesideThePage) {
  std::vector<AnswerLine> lines;
  for (int i = 0; i < 60'000; ++i) lines.push_back(answer({"town " + std::to_string(i)}, i, 10));
  const Page page = page_of("[[statistics]]\nkind = 'count'\nby = 'town'\n", {lines});
  EXPECT_TRUE(page.has("<a href=\"answers.csv\">answers.csv</a>, beside this page"));
  EXPECT_TRUE(page.has("<a href=\"release.json\">release.json</a>, beside this page"));
  EXPECT_FALSE(page.has("base64"));
}

}  // namespace page_test
}  // namespace lastbit::report
