#include "lastbit/report/release/release_report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <locale>
#include <nlohmann/json.hpp>
#include <regex>
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

// markup_problem: why a text is not well-formed, or empty. Every tag is closed, attributes are
// quoted, each & begins one of five entities, and there are no characters that XML forbids.
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
  EXPECT_NE(
      html.find("The category in a place has at most 116 rows fewer than the one that belongs "
                "there, with 95\u00a0% confidence for all places of a group together."),
      std::string::npos);
  EXPECT_NE(html.find("<summary>Method: snapped Laplace, epsilon 0.125</summary>"),
            std::string::npos);
}

TEST(ReleaseHtmlTest, AuditorsFindDigestHashCommandsAndTheCanonicalFile) {
  const std::string& html = sample().html;
  EXPECT_NE(html.find(sample().plan.digest), std::string::npos);
  EXPECT_NE(html.find("lastbit plan &#39;survey one.toml&#39; --again --json"), std::string::npos);
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
      if (line.find("keep its hash") != std::string::npos) continue;  // a hash is not cut
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
