#include "lastbit/report/release/release_report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <locale>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "lastbit/base/html.h"
#include "lastbit/base/test_support.h"
#include "lastbit/base/utf8.h"
#include "lastbit/report/document.h"
#include "lastbit/report/release/sample_test_support.h"
#include "lastbit/report/release/words.h"

namespace lastbit::report {
namespace release_report_test {

using Json = nlohmann::ordered_json;

struct Sample {
  ReleasePlan plan = sample_plan();
  Release release = sample_release(plan);
  std::string html = release_html(plan, release);
  std::string csv = answers_csv(plan, release);
  Json json = Json::parse(dumped(release_json(plan, release)));
};
const Sample& sample() {
  static const Sample kSample;
  return kSample;
}

// markup_problem: why a text is not well-formed, or empty. Every tag is closed, attributes are quoted,
// each & begins one of five entities, and there are no characters that XML forbids.
std::string markup_problem(const std::string& text) {
  static const std::regex kTag(
      R"re(</?([a-zA-Z][a-zA-Z0-9]*)((?: [a-zA-Z0-9-]+="[^"<]*")*)\s*(/?)>)re");
  static const std::regex kEntity("&(amp|lt|gt|quot|#39);");
  std::vector<std::string> open;
  for (std::size_t i = text.find('\n'); i < text.size(); ++i) {
    const auto from = text.begin() + static_cast<std::ptrdiff_t>(i);
    const auto to = text.begin() + static_cast<std::ptrdiff_t>(std::min(text.size(), i + 2000));
    const auto here = std::regex_constants::match_continuous;
    std::smatch match;
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 && byte != '\n') return "a control character";
    if (text[i] == '>') return "a > outside of a tag at " + text.substr(i, 60);
    if (text[i] == '&' && !std::regex_search(from, to, match, kEntity, here)) {
      return "a bad entity at " + text.substr(i, 60);
    }
    if (text[i] != '<') continue;
    if (!std::regex_search(from, to, match, kTag, here))
      return "a bad tag at " + text.substr(i, 60);
    const std::string name = match[1];
    if (text[i + 1] == '/') {
      if (open.empty() || open.back() != name) return "a wrong end at " + text.substr(i, 60);
      open.pop_back();
    } else if (match[3].length() == 0) {
      open.push_back(name);
    }
    i += static_cast<std::size_t>(match.length()) - 1;
  }
  return open.empty() ? "" : "never closed: " + open.back();
}

// without_downloads: the page without the contents of its links, which are too long for the check.
std::string without_downloads(std::string html) {
  const std::string start = "base64,";
  for (std::size_t at = html.find(start); at != std::string::npos; at = html.find(start, at + 1)) {
    const std::size_t from = at + start.size();
    html.erase(from, html.find('"', from) - from);
  }
  return html;
}

// csv_rows: an independent reader, as in RFC 4180.
std::vector<std::vector<std::string>> csv_rows(const std::string& text) {
  std::vector<std::vector<std::string>> rows = {{""}};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"') {
      rows.back().back() += text[i++];
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && text[i] == ',') {
      rows.back().emplace_back();
    } else if (!quoted && text.compare(i, 2, "\r\n") == 0) {
      ++i;
      if (i + 1 < text.size()) rows.push_back({""});
    } else {
      rows.back().back() += text[i];
    }
  }
  return rows;
}

std::size_t all_answers(const Release& release) {
  std::size_t count = 0;
  for (const StatisticAnswers& one : release.answers) count += one.lines.size();
  return count;
}

TEST(ReleaseHtmlTest, ThePageIsWellFormed) {
  EXPECT_TRUE(sample().html.starts_with("<!DOCTYPE html>\n"));
  EXPECT_EQ(markup_problem(without_downloads(sample().html)), "");
}

TEST(ReleaseHtmlTest, TheCheckOfMarkupSeesWhatIsWrong) {
  for (const char* wrong :
       {"\n<p>", "\n<p></b></p>", "\n<p>a & b</p>", "\n<p class=x></p>", "\n<p>1 < 2</p>",
        "\n<p>\x1b</p>", "\n</p>", "\n<br>", "\n<p>a>b</p>"}) {
    EXPECT_NE(markup_problem(wrong), "") << wrong;
  }
}

TEST(ReleaseHtmlTest, NamesAndKeysAreTextAndNeverMarkup) {
  const std::string& html = sample().html;
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_NE(html.find("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"), std::string::npos);
  EXPECT_NE(html.find("Household survey &lt;2026&gt; &amp; &quot;more&quot;"), std::string::npos);
  EXPECT_NE(html.find(Html::text(kArabic).str()), std::string::npos);
  EXPECT_EQ(html.find('\x1b'), std::string::npos);
  EXPECT_EQ(html.find("\xE2\x80\xAE"), std::string::npos);
  EXPECT_NE(html.find("<bdi>a\\u202eb</bdi>"), std::string::npos);
}

TEST(ReleaseHtmlTest, ThePageLoadsNothingAndRunsNothing) {
  const std::string& html = sample().html;
  for (const char* word : {" src=", "<link", "<iframe", "@import", "url(", "javascript:", " on",
                           "<object", "<embed"}) {
    for (std::size_t at = html.find(word); at != std::string::npos; at = html.find(word, at + 1)) {
      // Only attributes count, and they are followed by =".
      EXPECT_NE(html.substr(at, 20).find(' '), std::string::npos);
      EXPECT_FALSE(std::regex_search(html.substr(at, 20), std::regex("^ (on[a-z]+|src)=\"")));
      EXPECT_TRUE(std::string_view(word) == " on") << word;
    }
  }
  for (std::size_t at = html.find("href="); at != std::string::npos;
       at = html.find("href=", at + 1)) {
    const std::string target = html.substr(at, 60);
    const bool safe = target.starts_with("href=\"#") ||
                      target.starts_with("href=\"data:text/csv;charset=utf-8;base64,") ||
                      target.starts_with("href=\"data:application/json;base64,") ||
                      target.starts_with("href=\"release.json\"");
    EXPECT_TRUE(safe) << target;
  }
}

TEST(ReleaseHtmlTest, EveryStatisticHasItsAnswerItsProtectionAndItsPlace) {
  const std::string& html = sample().html;
  for (std::size_t i = 1; i <= sample().plan.statistics.size(); ++i) {
    EXPECT_NE(html.find("<section id=\"s" + std::to_string(i) + "\" "), std::string::npos);
    EXPECT_NE(html.find("href=\"#s" + std::to_string(i) + "\""), std::string::npos);
  }
  EXPECT_NE(html.find("<p class=\"answer\">75,757 <small>± 412</small></p>"), std::string::npos);
  EXPECT_NE(html.find("The true value lies between 75,345 and 76,170, with 95\u00a0% confidence."),
            std::string::npos);
  EXPECT_NE(html.find("No key was frequent enough to be shown."), std::string::npos);
  EXPECT_NE(html.find("5,000 answers as a table"), std::string::npos);
  EXPECT_NE(html.find("and 4,980 more"), std::string::npos);
  EXPECT_NE(html.find("The other 4,000 are in answers.csv."), std::string::npos);
  EXPECT_NE(html.find("The picture shows the first 500 of 5,000 answers."), std::string::npos);
  EXPECT_NE(html.find("Off by at most 116 rows, each with 95\u00a0% confidence."),
            std::string::npos);
  EXPECT_NE(html.find("<summary>Method: snapped Laplace, epsilon 0.125</summary>"),
            std::string::npos);
}

TEST(ReleaseHtmlTest, AuditorsFindDigestHashCommandsAndTheCanonicalFile) {
  const std::string& html = sample().html;
  EXPECT_NE(html.find(sample().plan.digest), std::string::npos);
  EXPECT_NE(html.find("lastbit plan &#39;survey one.toml&#39; --json"), std::string::npos);
  EXPECT_NE(
      html.find("lastbit ledger verify &#39;survey ledger&#39;\\&#39;&#39;s.ledger&#39; --head " +
                std::string(64, 'a')),
      std::string::npos);
  EXPECT_NE(html.find("folder"), 0U);
  std::string first_line = canonical_text(sample().plan.release);
  first_line.erase(first_line.find('\n'));
  EXPECT_NE(html.find("<pre>" + Html::text(first_line).str() + "\n"), std::string::npos);
}

TEST(ReleaseHtmlTest, AnAnswerNearItsBoundShowsBothEnds) {
  const NumberStyle style = NumberStyle::for_error(412);
  const AnswerLine cut{{}, "", {}, Rational(100), Range{0, 512}};
  const AnswerLine even{{}, "", {}, Rational(1000), Range{588, 1412}};
  EXPECT_EQ(interval_words(cut, style), "(0 to 512)");
  EXPECT_EQ(interval_words(even, style), "± 412");
  EXPECT_EQ(interval_words({{}, "", {}, Rational(1), std::nullopt}, style), "");
}

TEST(ReleaseHtmlTest, NumbersAtTheEndsOfTheWorldMakeNoOddPage) {
  ReleasePlan plan = sample_plan();
  for (const char* size : {"0", "1e300", "-1e300", "1e-300", "1e400", "1/3"}) {
    Release release = sample_release(plan);
    for (StatisticAnswers& answers : release.answers) {
      constexpr std::size_t kEnough = 60;
      if (answers.lines.size() > kEnough) answers.lines.resize(kEnough);
      for (AnswerLine& line : answers.lines) {
        if (line.value) line.value = rational(size);
        if (line.interval) line.interval = Range{rational(size), rational(size)};
      }
    }
    const std::string html = release_html(plan, release);
    EXPECT_EQ(markup_problem(without_downloads(html)), "");
    for (const char* odd : {"=\"nan", "=\"-nan", "=\"inf", "=\"-inf"}) {
      EXPECT_EQ(html.find(odd), std::string::npos) << size;
    }
    EXPECT_EQ(csv_rows(answers_csv(plan, release)).size(), all_answers(release) + 1);
    EXPECT_FALSE(release_table(plan, release, Paint(false), 80).empty());
  }
}

TEST(ReleaseHtmlTest, AReleaseWithoutAnswersIsAPageToo) {
  const ReleasePlan plan = sample_plan();
  Release release = sample_release(plan);
  for (StatisticAnswers& answers : release.answers) answers.lines.clear();
  release.completed = false;
  const std::string html = release_html(plan, release);
  EXPECT_EQ(markup_problem(without_downloads(html)), "");
  EXPECT_NE(html.find("It counts anyway."), std::string::npos);
  EXPECT_EQ(csv_rows(answers_csv(plan, release)).size(), 1U);
}

TEST(ReleaseHtmlTest, AnswersThatDoNotFitThePlanAreABug) {
  const ReleasePlan plan = sample_plan();
  Release release = sample_release(plan);
  release.answers.pop_back();
  EXPECT_EQ(code_of([&] { release_html(plan, release); }), ErrorCode::kInternal);
  EXPECT_EQ(code_of([&] { answers_csv(plan, release); }), ErrorCode::kInternal);
  EXPECT_EQ(code_of([&] { release_json(plan, release); }), ErrorCode::kInternal);
  EXPECT_EQ(code_of([&] { release_table(plan, release, Paint(false), 80); }), ErrorCode::kInternal);
}

TEST(ReleaseJsonTest, EveryAnswerIsThereExactly) {
  const Json& json = sample().json;
  EXPECT_EQ(json["document"], "release");
  EXPECT_EQ(json["digest"], sample().plan.digest);
  EXPECT_EQ(json["ledger"]["entry"], 7);
  EXPECT_EQ(json["ledger"]["left"]["epsilon"], "0.5");
  ASSERT_EQ(json["statistics"].size(), sample().release.answers.size());
  for (std::size_t i = 0; i < json["statistics"].size(); ++i) {
    const auto& lines = sample().release.answers[i].lines;
    const Json& answers = json["statistics"][i]["answers"];
    ASSERT_EQ(answers.size(), lines.size());
    for (std::size_t k = 0; k < lines.size(); ++k) {
      if (!lines[k].value) {
        EXPECT_TRUE(answers[k]["answer"].is_null());
        EXPECT_TRUE(answers[k]["answer_double"].is_null());
        continue;
      }
      EXPECT_EQ(Rational::parse(answers[k]["answer"].get<std::string>()), *lines[k].value);
      EXPECT_EQ(answers[k]["group"].size(), lines[k].group.size());
      if (!lines[k].interval) continue;
      const Range& interval = *lines[k].interval;
      EXPECT_EQ(Rational::parse(answers[k]["lower"].get<std::string>()), interval.lower);
      EXPECT_EQ(Rational::parse(answers[k]["upper"].get<std::string>()), interval.upper);
      EXPECT_LE(Rational::exactly(answers[k]["lower_double"].get<double>()), interval.lower);
      EXPECT_GE(Rational::exactly(answers[k]["upper_double"].get<double>()), interval.upper);
    }
  }
}

TEST(ReleaseJsonTest, KeysKeepTheirTypes) {
  const Json& means = sample().json["statistics"][4]["answers"];
  EXPECT_EQ(means[1]["group"], (Json{{"region", "north"}, {"sex", 1}}));
  EXPECT_TRUE(means[1]["group"]["sex"].is_number_integer());
  const Json& top = sample().json["statistics"][13]["answers"];
  EXPECT_EQ(top[0]["cell"], "1");
  EXPECT_EQ(top[0]["choice"], "north");
}

TEST(AnswersCsvTest, EveryAnswerIsALineWithAColumnForEachKey) {
  const auto rows = csv_rows(sample().csv);
  ASSERT_EQ(rows.size(), all_answers(sample().release) + 1);
  EXPECT_EQ(rows.front(),
            (std::vector<std::string>{"statistic", "region", "shop", "sex", "occupation", "zip",
                                      "village", "cell", "choice", "answer", "lower", "upper",
                                      "confidence", "reliability", "suppressed"}));
  std::size_t at = 1;
  for (const StatisticAnswers& answers : sample().release.answers) {
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
           {{}, "c", {}, Rational(-3), Range{0, 4}},
           {{}, "d", {}, std::nullopt, std::nullopt}};
  lines.back().suppressed = true;
  const auto rows = csv_rows(answers_csv(plan, release));
  const std::vector<std::vector<std::string>> expected = {
      {"30", "20", "40", "0.95", "reliable", "false"},
      {"30", "15", "45", "0.95", "caution", "false"},
      {"-3", "0", "4", "0.95", "unreliable", "false"},
      {"", "", "", "0.95", "", "true"}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(std::vector<std::string>(rows[i + 1].begin() + 9, rows[i + 1].end()), expected[i]);
  }
  const Json json = release_json(plan, release);
  const Json& answers = json["statistics"][0]["answers"];
  EXPECT_EQ(answers[0]["reliability"], "reliable");
  EXPECT_EQ(answers[2]["possible"], false);
  EXPECT_EQ(answers[1]["possible"], true);
  EXPECT_EQ(answers[1]["suppressed"], false);
  EXPECT_EQ(answers[3]["suppressed"], true);
  EXPECT_TRUE(answers[3]["answer"].is_null());
  EXPECT_TRUE(answers[3]["reliability"].is_null());
  EXPECT_TRUE(answers[3]["possible"].is_null());
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

TEST(ReleaseTableTest, LongListsEndInACountAndLinesFit) {
  for (const std::size_t width : {80U, 100U, 120U}) {
    const std::string text = release_table(sample().plan, sample().release, Paint(false), width);
    EXPECT_NE(text.find("… and 30 more in answers.csv"), std::string::npos);
    EXPECT_NE(text.find("… and 4,980 more in answers.csv"), std::string::npos);
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    std::size_t start = 0;
    for (std::size_t end = text.find('\n'); end != std::string::npos;
         start = end + 1, end = text.find('\n', start)) {
      const std::string line = text.substr(start, end - start);
      if (line.find("to note down") != std::string::npos) continue;  // a hash is not cut
      EXPECT_LE(display_width(line), width) << line;
    }
  }
  const std::string all =
      release_table(sample().plan, sample().release, Paint(false), 100, 100'000);
  EXPECT_EQ(all.find("more in answers.csv"), std::string::npos);
}

TEST(ReleaseTableTest, AnswersStandBesideTheirIntervals) {
  const std::string text = release_table(sample().plan, sample().release, Paint(false), 100);
  EXPECT_NE(text.find("  Count\n"
                      "  number of rows (count)\n"
                      "  answer  ± 95 %    from      to\n"
                      "  75,757     412  75,345  76,170\n"),
            std::string::npos);
  EXPECT_NE(text.find("  quantile   answer\n  0.1        21,500\n"), std::string::npos);
  EXPECT_NE(text.find("  place  value\n  1      north\n"), std::string::npos);
  EXPECT_NE(text.find("± 99 %"), std::string::npos);
}

// two_statistics: a plan of counts by region and of a mean, with answers of every sort.
struct TwoStatistics {
  ReleasePlan plan = sample_plan();
  Release release = sample_release(plan);
  TwoStatistics() {
    plan.statistics = {plan.statistics[1], plan.statistics[5]};
    plan.statistics[0].statistic.name.value = "people";
    plan.statistics[1].statistic.name.value = "spread";
    const std::string unit = "At most 2 rows of each 'person' count; the rest is left out.";
    plan.statistics[0].notes = {unit, "Keys with few units are left out."};
    plan.statistics[1].notes = {unit};
    const auto line = [](const char* key, const Rational& value, const Range& interval) {
      return AnswerLine{{std::string(key)}, "", std::nullopt, value, interval};
    };
    release.answers = {{"people",
                        {line("north", 1234, {1224, 1244}), line("south", 20, {11, 29}),
                         line("east", -3, {0, 6}), line("west", 0, {})}},
                       {"spread", {{{}, "", std::nullopt, Rational(12), Range{9, 15}}}}};
    release.answers[0].lines[3].suppressed = true;
    release.answers[0].lines[3].value.reset();
    release.answers[0].lines[3].interval.reset();
  }
};

TEST(ReleaseTableTest, SaysHowGoodAnswersAreAndWhatNoIntervalShows) {
  const TwoStatistics two;
  EXPECT_EQ(release_table(two.plan, two.release, Paint(false), 80),
            R"(
  Household survey <2026> & "more"

  People
  number of rows, by region (people)
  region      answer      ± 95 %   from     to
  north        1,234          10  1,224  1,244
  south           20  ?        9     11     29
  east            -3  ??       9      0      6
  west    suppressed
  Noise has moved 1 answer to where no true value can be, such as below 0. Its
  interval holds what is possible.
  ! Keys with few units are left out.

  Spread
  variance of age (spread)
  answer  ± 95 %  from  to
      12       3     9  15

  ! At most 2 rows of each 'person' count; the rest is left out.
  ? use with caution: ± is more than a third of the answer. ?? unreliable: ± is
  more than two thirds of the answer.
  An interval, from … to …, holds the truth with the probability above ±. Among
  many, some do not.
  Spent epsilon 2.375 and delta 3e-7; epsilon 0.5 and delta 6e-7 is left in
  survey ledger's.ledger.
  Entry 7 of 2026-11-15T17:38:48Z, to note down: )" +
                std::string(64, 'a') + "\n");
}

TEST(ReleaseTableTest, NotesOfSomeStatisticsNameThem) {
  TwoStatistics two;
  two.plan.statistics[0].notes = {"A.", "B."};
  two.plan.statistics[1].notes = {"B."};
  for (const char* name : {"third", "fourth", "fifth", "sixth"}) {
    two.plan.statistics.push_back(two.plan.statistics[1]);
    two.plan.statistics.back().statistic.name.value = name;
    two.plan.statistics.back().notes = {"B.", "C."};
    two.release.answers.push_back(two.release.answers[1]);
  }
  two.plan.statistics.back().notes.clear();
  const std::string text = release_table(two.plan, two.release, Paint(false), 80);
  EXPECT_NE(text.find("\n  ! A.\n\n"), std::string::npos);
  EXPECT_NE(text.find("\n  ! people, spread, third and 2 more: B.\n"), std::string::npos);
  EXPECT_NE(text.find("\n  ! third, fourth, fifth: C.\n"), std::string::npos);
}

TEST(ReleaseTableTest, AnImpossibleIntervalIsSaidToBe) {
  TwoStatistics two;
  two.release.answers[0].lines = {
      {{std::string("north")}, "", std::nullopt, Rational(-30), Range{0, 0}},
      {{std::string("south")}, "", std::nullopt, Rational(-1), Range{0, 4}}};
  const std::string text = release_table(two.plan, two.release, Paint(false), 200);
  EXPECT_NE(text.find("  Noise has moved 2 answers to where no true value can be, such as below 0. "
                      "Their intervals hold what is possible. Where both ends are equal, the rest "
                      "was impossible: they are the nearest possible number.\n"),
            std::string::npos);
}

// A locale that would put dots between thousands.
struct Dotted : std::numpunct<char> {
  char do_thousands_sep() const override { return '.'; }
  char do_decimal_point() const override { return ','; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(ReleaseReportTest, NoLocaleChangesAnything) {
  const std::locale before = std::locale::global(std::locale(std::locale(), new Dotted));
  const std::string html = release_html(sample().plan, sample().release);
  const std::string csv = answers_csv(sample().plan, sample().release);
  const std::string json = dumped(release_json(sample().plan, sample().release));
  std::locale::global(before);
  EXPECT_EQ(html, sample().html);
  EXPECT_EQ(csv, sample().csv);
  EXPECT_EQ(Json::parse(json), sample().json);
}

TEST(NameWordsTest, NamesAreHeadings) {
  EXPECT_EQ(name_words("mean_income_by_region"), "Mean income by region");
  EXPECT_EQ(name_words("count"), "Count");
  EXPECT_EQ(name_words("My own name_1"), "My own name_1");
  EXPECT_EQ(name_words("_private_"), "Private");
  EXPECT_EQ(name_words("__"), "__");
  EXPECT_EQ(name_words(" "), " ");
  EXPECT_EQ(name_words("größe_身長"), "Größe 身長");
  EXPECT_EQ(name_words("a\u202eb"), "A\\u202eb");
}

TEST(ShownKeyTest, EnormousKeysAreCut) {
  EXPECT_EQ(shown_key("north"), "north");
  EXPECT_EQ(display_width(shown_key(std::string(100'000, 'x'))), 200U);
  EXPECT_TRUE(shown_key(std::string(100'000, 'x')).ends_with("…"));
}

TEST(NoiseWordsTest, TheyPromiseNoMoreThanTheLossKeeps) {
  const auto says = [](const Cost& cost, const char* words) {
    return noise_words(cost).find(words) != std::string::npos;
  };
  EXPECT_TRUE(says(Cost::pure(1), "next to nothing"));
  EXPECT_TRUE(says(Cost::pure(rational("1.001")), "tells little about"));
  EXPECT_TRUE(says(Cost::pure(3), "tells little about"));
  EXPECT_TRUE(says(Cost::pure(rational("3.001")), "may tell a lot"));
  EXPECT_TRUE(says(Cost::approximate(1, rational("1e-6")), "next to nothing"));
  EXPECT_TRUE(says(Cost::approximate(1, rational("0.01")), "may tell a lot"));
  EXPECT_TRUE(says(Cost::concentrated(rational("0.01")), "next to nothing"));
  EXPECT_TRUE(says(Cost::concentrated(rational("0.1")), "tells little about"));
  EXPECT_TRUE(says(Cost::concentrated(1), "may tell a lot"));
}

TEST(LossWarningTest, OnlyLargeLossesAreWarnedOf) {
  EXPECT_EQ(loss_warning(Cost::pure(10)), "");
  EXPECT_NE(loss_warning(Cost::pure(11)).find("epsilon 10"), std::string::npos);
  EXPECT_EQ(loss_warning(Cost::concentrated(10)), "");
  EXPECT_NE(loss_warning(Cost::concentrated(11)).find("rho 10"), std::string::npos);
}

}  // namespace release_report_test
}  // namespace lastbit::report
