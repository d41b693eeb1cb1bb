// What a release file says for its readers, and that it means nothing.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lastbit/release/file/canonical.h"
#include "lastbit/release/file/schema.h"
#include "lastbit/release/file/test_support.h"

namespace lastbit {
namespace parse_wording_test {

const std::string kWorded = R"(version = 1
title = "Incomes"
source = 's.csv'
unit = { row = true, noun = ["person", "people"] }
budget = { epsilon = 1, ledger = 'l' }
[publication]
publisher = "Office"
period = "2026"
licence = "CC BY 4.0"
contact = "data@office.example"
notes = ["One.", "Two."]
language = "de-AT"
number_format = "1.234,5"
[columns]
income = { type = 'integer', lower = 0, upper = 100, label = "Income", unit = "€ per year" }
sex = { keys = [0, 1], type = 'integer', label = "Sex", labels = { 0 = "men", 1 = "women" } }
born = { type = 'date', keys = { from = 2000-01-01, to = 2000-12-31 } }
born_month.label = "month of birth"
[[statistics]]
kind = "mean"
column = "income"
by = "sex"
title = "What people earn"
notes = "A note."
[[statistics]]
kind = "count"
by = { born = "month" }
[[statistics]]
kind = "count"
by = [{ born = "weekday" }, { income = [0, 50, 100] }]
)";
const std::string kPlain = R"(version = 1
source = 's.csv'
unit = 'row'
budget = { epsilon = 1, ledger = 'l' }
[columns]
income = { type = 'integer', lower = 0, upper = 100 }
sex = { keys = [0, 1], type = 'integer' }
born = { type = 'date', keys = { from = 2000-01-01, to = 2000-12-31 } }
[[statistics]]
kind = "mean"
column = "income"
by = "sex"
[[statistics]]
kind = "count"
by = { born = "month" }
[[statistics]]
kind = "count"
by = [{ born = "weekday" }, { income = [0, 50, 100] }]
)";

ReleaseFile checked(const std::string& text) {
  const std::vector<SchemaColumn> columns = {
      {"income", "VARCHAR", {}}, {"sex", "VARCHAR", {}}, {"born", "VARCHAR", {}}};
  return check_against_schema(parse_release(text, "f.toml"), columns);
}

TEST(ParseWordingTest, EverythingIsRead) {
  const ReleaseFile release = parse_release(kWorded, "f.toml");
  EXPECT_EQ(release.title, "Incomes");
  const Publication& said = release.publication;
  EXPECT_EQ(said.publisher, "Office");
  EXPECT_EQ(said.period, "2026");
  EXPECT_EQ(said.licence, "CC BY 4.0");
  EXPECT_EQ(said.contact, "data@office.example");
  EXPECT_EQ(said.notes, (std::vector<std::string>{"One.", "Two."}));
  EXPECT_EQ(said.language, "de-AT");
  EXPECT_EQ(said.number_format, NumberFormat::kDots);
  EXPECT_EQ(said.noun, (Noun{"person", "people"}));
  EXPECT_TRUE(std::holds_alternative<RowUnit>(release.unit));
  EXPECT_EQ(release.find_column("income")->wording.unit, "€ per year");
  const ColumnWording& sex = release.find_column("sex")->wording;
  EXPECT_EQ(sex.label, "Sex");
  EXPECT_EQ(sex.labels.at("1").value, "women");
  EXPECT_EQ(release.statistics[0].wording.title, "What people earn");
  EXPECT_EQ(release.statistics[0].wording.notes, (std::vector<std::string>{"A note."}));
  EXPECT_FALSE(release.statistics[0].wording.named);
}

TEST(ParseWordingTest, GroupsOfDatesAndRangesHaveWordsOfTheirOwn) {
  const ReleaseFile release = parse_release(kWorded, "f.toml");
  const ColumnWording& month = release.find_column("born_month")->wording;
  EXPECT_EQ(month.label, "month of birth");
  EXPECT_EQ(month.period, TimePeriod::kMonth);
  const ColumnWording& weekday = release.find_column("born_weekday")->wording;
  EXPECT_EQ(weekday.labels.at("7").value, "Sunday");
  EXPECT_FALSE(weekday.period);
  const ColumnWording& range = release.find_column("income_range")->wording;
  EXPECT_TRUE(range.ranges);
  EXPECT_EQ(range.label, "Income");
  EXPECT_EQ(range.unit, "€ per year");
}

TEST(ParseWordingTest, WordsChangeNoMeaning) {
  EXPECT_EQ(canonical_text(checked(kWorded)), canonical_text(checked(kPlain)));
  EXPECT_EQ(release_digest(checked(kWorded)), release_digest(checked(kPlain)));
}

TEST(ParseWordingTest, ANounHasAPlural) {
  std::string text = kWorded;
  text.replace(text.find("[\"person\", \"people\"]"), 20, "'household'");
  EXPECT_EQ(parse_release(text, "f").publication.noun, (Noun{"household", "households"}));
  const ReleaseFile by_id = parse_release(
      "version = 1\nsource = 's.csv'\nbudget = { epsilon = 1, ledger = 'l' }\n"
      "unit = { id = 'hh', max_rows_per_group = 1, noun = 'household' }\n"
      "statistics = [{ kind = 'count' }]\n",
      "f");
  EXPECT_EQ(by_id.publication.noun, (Noun{"household", "households"}));
  text.replace(text.find("'household'"), 11, "['Teilnehmer', 'Teilnehmer']");
  EXPECT_EQ(parse_release(text, "f").publication.noun, (Noun{"Teilnehmer", "Teilnehmer"}));
}

// With one part of a good file replaced.
std::string verdict_with(const std::string& part, const std::string& instead) {
  std::string text = kWorded;
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  text.replace(at, part.size(), instead);
  return verdict(text);
}

TEST(ParseWordingTest, MistakesAreNamedWithTheirPlaces) {
  EXPECT_EQ(verdict_with("1 = \"women\"", "2 = \"women\""),
            "f.toml:16:79: '2' is not a public key of 'sex'; its keys are `0`, `1`");
  EXPECT_EQ(verdict_with("1 = \"women\"", "1 = \"men\""),
            "f.toml:16:83: two keys are called 'men'; give each key a label of its own");
  EXPECT_EQ(
      verdict_with("keys = [0, 1], ", ""),
      "f.toml:22:6: nothing says which values of 'sex' are public; list them as `keys` of the "
      "column, or add discover = { delta = 1e-8 } here and add delta = 1e-6 to the budget");
  EXPECT_EQ(verdict_with("publisher", "publischer"),
            "f.toml:7:1: `publication` has no key `publischer`; did you mean `publisher`?");
  EXPECT_EQ(verdict_with("[publication]", "[publikation]"),
            "f.toml:6:2: the file has no key `publikation`; did you mean `publication`?");
  EXPECT_EQ(verdict_with("\"de-AT\"", "\"deutsch!\""),
            "f.toml:12:12: `language` is 'deutsch!', which is no language tag; write a tag such as "
            "\"en\", \"de\" or \"pt-BR\"");
  EXPECT_EQ(
      verdict_with("\"1.234,5\"", "\"1234\""),
      "f.toml:13:17: `number_format` cannot be '1234'; write one of \"1,234.5\", \"1 234,5\", "
      "\"1.234,5\" and \"1'234.5\"");
  EXPECT_EQ(verdict_with("[\"One.\", \"Two.\"]", "[]"),
            "f.toml:11:9: `notes` has 0 entries; write 1 to 20 texts");
  EXPECT_EQ(
      verdict_with("\"One.\"", "\"" + std::string(2001, 'x') + "\""),
      "f.toml:11:10: a note is empty, longer than 2000 bytes or has control characters; write "
      "one paragraph per text, in a list");
  EXPECT_EQ(verdict_with("row = true", "row = false"),
            "f.toml:4:16: `row` is a truth value; write row = true, or `id` instead");
  EXPECT_EQ(verdict_with("row = true", "row = true, id = 'x'"),
            "f.toml:4:22: `id` does not go with a `unit` that is a row; remove it");
  EXPECT_EQ(verdict_with("[\"person\", \"people\"]", "[\"a\", \"b\", \"c\"]"),
            "f.toml:4:29: `noun` has more than two forms; write noun = \"household\", or both "
            "forms: [\"person\", \"people\"]");
  EXPECT_EQ(verdict_with("title = \"What", "titel = \"What"),
            "f.toml:23:1: the kind `mean` has no key `titel`; did you mean `title`?");
}

TEST(ParseWordingTest, AMisspeltKeyGetsTheNearestOne) {
  const std::string head =
      "version = 1\nsource = 's.csv'\nunit = 'row'\nbudget = { epsilon = 1, ledger = 'l' }\n"
      "statistics = [{ kind = 'count', by = 'x' }]\n";
  EXPECT_EQ(verdict(head + "columns.x = { keys = ['north', 'south'], labels = { nort = 'N' } }\n"),
            "f.toml:6:53: 'nort' is not a public key of 'x'; did you mean `north`?");
  EXPECT_EQ(verdict(head + "columns.x = { keys = { from = 1, to = 7 }, labels = { 8 = 'N' } }\n"),
            "f.toml:6:55: '8' is not a public key of 'x'; its keys are 1 to 7");
}

TEST(ParseWordingTest, LanguageTagsHaveTheirForm) {
  const auto accepted = [](const std::string& tag) {
    return verdict_with("\"de-AT\"", "\"" + tag + "\"") == "accepted";
  };
  for (const char* tag : {"en", "de", "pt-BR", "zh-Hant-TW", "sr-Latn", "es-419"}) {
    EXPECT_TRUE(accepted(tag)) << tag;
  }
  for (const char* tag : {"e", "-de", "de-", "de--AT", "1de", "de_AT", "de-abcdefghi", "\\u00fc"}) {
    EXPECT_FALSE(accepted(tag)) << tag;
  }
}

TEST(ParseWordingTest, DiscoveredKeysMayHaveAnyLabel) {
  const std::string text =
      "version = 1\nsource = 's.csv'\nunit = 'row'\n"
      "budget = { epsilon = 1, delta = 1e-6, ledger = 'l' }\n"
      "columns.job.labels = { 12 = 'cook' }\n"
      "[[statistics]]\nkind = 'count'\nby = 'job'\n";
  EXPECT_EQ(verdict(text + "discover = { delta = 1e-7 }\n"), "accepted");
}

TEST(ParseWordingTest, CategoriesAndTablesHoldPublicKeysToo) {
  const std::string head =
      "version = 1\nsource = 's.csv'\nunit = 'row'\nbudget = { epsilon = 1, ledger = 'l' }\n"
      "columns.job.labels = { a = 'cook' }\n";
  EXPECT_EQ(
      verdict(head +
              "[[statistics]]\nkind = 'histogram'\ncolumn = 'job'\ncategories = ['a', 'b']\n"),
      "accepted");
  EXPECT_EQ(verdict(head + "keys.jobs = { columns = ['job'], rows = [['a']] }\n"
                           "[[statistics]]\nkind = 'count'\nby = 'job'\nkeys = 'jobs'\n"),
            "accepted");
  EXPECT_EQ(verdict(head + "[[statistics]]\nkind = 'count'\n"),
            "f.toml:5:24: 'a' is not a public key of 'job'; list the `keys` of the column, or "
            "remove the label");
}

}  // namespace parse_wording_test
}  // namespace lastbit
