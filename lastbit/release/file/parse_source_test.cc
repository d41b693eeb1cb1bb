// The part [source] of a release file: what is read, what is refused, and what the digest holds.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "lastbit/release/file/canonical.h"
#include "lastbit/release/file/source_paths.h"
#include "lastbit/release/file/test_support.h"

namespace lastbit {
namespace parse_source_test {

std::string with_source(const std::string& source) {
  std::string text = kHead + "[[statistics]]\nkind = 'count'\n";
  const std::string line = "source = 's.csv'";
  text.replace(text.find(line), line.size(), "source = " + source);
  return text;
}

Source parsed(const std::string& source) {
  return parse_release(with_source(source), "f.toml").source;
}

// The first message, without its place.
std::string told(const std::string& source) {
  const std::string text = verdict(with_source(source));
  if (!text.starts_with("f.toml:2:")) return text;
  return text.substr(text.find(' ') + 1);
}

std::string canonical(const std::string& source) {
  return canonical_text(parse_release(with_source(source), "f.toml"));
}

TEST(ParseSourceTest, KeysSayHowAFileIsWritten) {
  const Source source = parsed(
      "{ path = 'a.csv', delimiter = ';', quote = \"'\", escape = '\\', names = ['id', 'age'], "
      "encoding = 'windows-1252', decimal = ',', thousands = \"\\u00a0\", "
      "date_format = '%d.%m.%Y', true_text = ['ja', 'J'], false_text = 'nein' }");
  EXPECT_EQ(source.quote, '\'');
  EXPECT_EQ(source.escape, '\\');
  EXPECT_EQ(source.names, (std::vector<std::string>{"id", "age"}));
  EXPECT_EQ(source.encoding, TextEncoding::kWindows1252);
  EXPECT_EQ(source.notation, (FieldNotation{.decimal = ',',
                                            .thousands = "\xc2\xa0",
                                            .date_format = "%d.%m.%Y",
                                            .true_texts = {"ja", "J"},
                                            .false_texts = {"nein"}}));
  EXPECT_EQ(parsed("{ path = 'a.tsv', quote = '' }").quote, '\0');
  EXPECT_EQ(parsed("{ path = 'a.csv', date_format = '%Y-%m-%d', decimal = '.' }").notation,
            FieldNotation());
}

TEST(ParseSourceTest, NamesOfFilesSayTheirFormat) {
  EXPECT_EQ(parsed("'a.csv.gz'").format.value, SourceFormat::kCsv);
  EXPECT_EQ(parsed("'a.tsv.zst'").delimiter, '\t');
  EXPECT_EQ(parsed("'a.jsonl.gz'").format.value, SourceFormat::kJson);
  EXPECT_EQ(told("'a.parquet.gz'").substr(0, 39), "the end of `path` does not tell the for");
  EXPECT_EQ(told("'a.xlsx'"),
            "`path` is a workbook of a spreadsheet program; save the sheet as CSV (UTF-8), and "
            "name that file");
}

TEST(ParseSourceTest, SeveralFilesAreOneSource) {
  const Source list = parsed("['a.csv', 'd/b.csv.gz']");
  EXPECT_EQ(list.path.value, "a.csv");
  ASSERT_EQ(list.more_paths.size(), 1U);
  EXPECT_EQ(written_path(list), "a.csv, d/b.csv.gz");
  EXPECT_EQ(parsed("{ path = ['a.csv', 'b.csv'], delimiter = ';' }").more_paths.size(), 1U);
  EXPECT_EQ(parsed("'d/visits-*.csv'").path.value, "d/visits-*.csv");
  EXPECT_EQ(told("['a.csv', 'a.csv']").substr(0, 11), "'a.csv' is ");
  EXPECT_EQ(
      told("['a.csv', 'b.json']"),
      "'b.json' is not a file of the same format as 'a.csv'; name files of one format, or add "
      "`format`");
  EXPECT_EQ(told("['a.csv', '*.csv']"), "`path` is a pattern; name one file, without any of * ? [");
  EXPECT_EQ(told("'*/a.csv'"),
            "`path` is a pattern that names folders, or has a [; use only * and ?, and only in the "
            "last part: \"data/visits-*.csv\"");
  EXPECT_EQ(told("'*[a].csv'").substr(0, 37), "`path` is a pattern that names folder");
  EXPECT_EQ(told("'https://x.org/*.csv'"),
            "`path` is a URL; name a file on this machine; a table on a server is source = "
            "\"postgresql://host/database?table=clinic.visits\"");
  EXPECT_EQ(told("'*.parquet'"),
            "a source of format parquet is one file; write the rows into one file first; only CSV, "
            "TSV and JSON can be in several");
}

TEST(ParseSourceTest, RowsInMemoryHaveANameAndNoPath) {
  const std::string good = "{ format = 'arrow', name = 'survey' }";
  const Source memory = parsed(good);
  EXPECT_EQ(memory.format.value, SourceFormat::kArrow);
  EXPECT_EQ(memory.path.value, "");
  EXPECT_EQ(written_path(memory), "survey");
  const std::string text = canonical_text(parse_release(with_source(good), "f.toml"));
  EXPECT_EQ(text.find("path"), std::string::npos);
  EXPECT_EQ(canonical_text(parse_release(text, "c.toml")), text);
  EXPECT_NE(text, canonical_text(parse_release(with_source("{ format = 'arrow', name = 'other' }"),
                                               "f.toml")));
  EXPECT_NE(told("{ format = 'arrow' }").find("which the ledger will know it by"),
            std::string::npos);
  EXPECT_EQ(told("{ format = 'arrow', name = '' }").substr(0, 15), "`name` is empty");
  for (const char* key : {"path = 'a.csv'", "table = 't'", "delimiter = ';'"}) {
    EXPECT_NE(told(std::string("{ format = 'arrow', name = 'survey', ") + key + " }"), "accepted")
        << key;
  }
}

TEST(ParseSourceTest, TablesOnServers) {
  const Source server = parsed("'postgresql://anna@db.example:77/office?table=clinic.visits'");
  EXPECT_EQ(server.format.value, SourceFormat::kPostgres);
  EXPECT_EQ(server.path.value, "postgresql://anna@db.example:77/office");
  EXPECT_EQ(server.table->value, "clinic.visits");
  EXPECT_EQ(written_path(server), "office: clinic.visits");
  EXPECT_EQ(parsed("{ url = 'postgres://h/x', table = 'visits', name = 'n' }").table->value,
            "public.visits");
  EXPECT_EQ(parsed("{ url = 'postgres://h/x?table=visits' }").table->value, "public.visits");
  const Source service = parsed("{ service = 'office', table = 'visits' }");
  EXPECT_EQ(service.path.value, "postgresql:///?service=office");
  EXPECT_EQ(written_path(service), "office: public.visits");
  EXPECT_EQ(told("'postgresql://h/x'").substr(0, 34), "a source on a server needs a table");
  EXPECT_EQ(told("{ url = 'postgresql://h/x?table=a', table = 'a' }"),
            "the table is named twice; name it once");
  EXPECT_EQ(told("{ url = 'postgresql://h/x', service = 'a', table = 'a' }"),
            "`url` and `service` are two addresses; remove one of them");
  EXPECT_EQ(told("{ url = 'postgresql://h/x', table = 'a.b.c' }").substr(0, 22),
            "`table` is not a table");
  EXPECT_NE(told("{ service = 'a', table = 'a', delimiter = ';' }"), "accepted");
  EXPECT_NE(told("{ service = 'a', table = 'a', path = 'a.csv' }"), "accepted");
}

TEST(ParseSourceTest, WhereAServerIsMeansNothing) {
  const auto text = [](const std::string& source) {
    return canonical_text(parse_release(with_source(source), "f.toml"));
  };
  const std::string one = text("'postgresql://anna@old/office?table=visits&sslmode=require'");
  EXPECT_EQ(one, text("{ url = 'postgresql://ben@new:77/office', table = 'public.visits' }"));
  EXPECT_EQ(canonical_text(parse_release(one, "c.toml")), one);
  EXPECT_NE(one, text("'postgresql://anna@old/clinic?table=visits'"));
  EXPECT_NE(one, text("'postgresql://anna@old/office?table=clinic.visits'"));
  EXPECT_NE(one, text("{ service = 'office', table = 'visits' }"));
}

TEST(ParseSourceTest, PasswordsAreNotRepeated) {
  for (const char* source :
       {"'postgresql://u:hunter2@h/x?table=t'", "{ url = 'postgresql://u:hunter2@h/x' }",
        "{ service = 'a', table = 't', password = 'hunter2' }",
        "{ path = 'postgresql://u:hunter2@h/x' }",
        "['postgresql://u:hunter2@h/x', 'postgresql://u:hunter2@h/x']",
        "{ path = ['postgresql://u:hunter2@h/x', 'a.csv'] }"}) {
    const std::string words = told(source);
    EXPECT_NE(words, "accepted") << source;
    EXPECT_EQ(words.find("hunter"), std::string::npos) << words;
  }
}

TEST(ParseSourceTest, MistakesAreNamed) {
  const auto csv = [](const std::string& keys) { return told("{ path = 'a.csv', " + keys + " }"); };
  EXPECT_EQ(csv("quote = 'xx'"),
            "`quote` is not a character around fields; write \"'\", or \"\" if no field is quoted; "
            "it is not the delimiter");
  EXPECT_EQ(csv("delimiter = '|', quote = '|'").substr(0, 19), "`quote` is not a ch");
  EXPECT_EQ(
      csv("escape = '\"'"),
      "`escape` is not a character before others; write \"\\\\\"; it is neither the delimiter "
      "nor the quote");
  EXPECT_EQ(csv("quote = '|', escape = '|'").substr(0, 20), "`escape` is not a ch");
  EXPECT_EQ(csv("names = ['a', 'a']").substr(0, 7), "'a' is ");
  EXPECT_EQ(csv("names = []").substr(0, 7), "`names`");
  EXPECT_EQ(csv("encoding = 'latin1'"), "`encoding` cannot be 'latin1'; did you mean `latin-1`?");
  EXPECT_EQ(csv("decimal = ';'"),
            "`decimal` is neither a point nor a comma; write decimal = \",\"");
  EXPECT_EQ(csv("thousands = '.'").substr(0, 40), "`thousands` is not a character between g");
  EXPECT_EQ(csv("decimal = ',', thousands = ','").substr(0, 15), "`thousands` is ");
  EXPECT_EQ(csv("decimal = ',', thousands = '.'"), "accepted");
  EXPECT_EQ(csv("date_format = '%d.%m.%y'").substr(0, 48),
            "`date_format` does not say how dates are written");
  EXPECT_EQ(
      csv("true_text = 'x', false_text = ['y', 'x']"),
      "`true_text` has 'x', which means the other truth value as well; let each text mean one "
      "thing");
  EXPECT_EQ(csv("true_text = '0'").substr(0, 40), "`true_text` has '0', which means the oth");
  EXPECT_EQ(csv("true_text = '0', false_text = '1'"), "accepted");
  EXPECT_EQ(
      csv("true_text = ['x', 'NA'], null_text = 'NA'"),
      "`true_text` has 'NA', which `null_text` says is missing; let each text mean one thing");
  EXPECT_EQ(csv("false_text = ''").substr(0, 38), "`false_text` has '', which `null_text`");
  EXPECT_EQ(csv("true_text = ' x'").substr(0, 36), "`true_text` has ' x', which no field");
  EXPECT_EQ(told("{ path = 'a.json', encoding = 'latin-1' }"),
            "`encoding` does not go with a source of format json; remove it");
  EXPECT_EQ(told("{ path = 'a.json', decimal = ',' }"),
            "`decimal` does not go with a source of format json; remove it");
}

TEST(ParseSourceTest, DefaultsLeaveTheDigestAsItWas) {
  const std::string expected =
      "[source]\npath = \"a.csv\"\nformat = \"csv\"\ndelimiter = \",\"\nnull_text = [\"\"]\n";
  for (const std::string source :
       {"'a.csv'", "{ path = ['a.csv'] }",
        "{ path = 'a.csv', quote = '\"', encoding = 'utf-8', decimal = '.', "
        "date_format = '%Y-%m-%d' }"}) {
    const std::string text = canonical(source);
    const std::size_t at = text.find("[source]");
    EXPECT_EQ(text.substr(at, text.find("\n[", at) - at).substr(0, expected.size()), expected);
    EXPECT_EQ(text, canonical("'a.csv'"));
  }
}

// Whatever changes what a file means changes the digest; order in lists that mean sets does not.
TEST(ParseSourceTest, DigestsHoldHowAFileIsRead) {
  std::set<std::string> texts;
  const std::vector<std::string> sources = {"'a.csv'",
                                            "['a.csv', 'b.csv']",
                                            "'a*.csv'",
                                            "{ path = 'a.csv', quote = \"'\" }",
                                            "{ path = 'a.csv', quote = '' }",
                                            "{ path = 'a.csv', escape = '\\' }",
                                            "{ path = 'a.csv', names = ['x', 'y'] }",
                                            "{ path = 'a.csv', names = ['y', 'x'] }",
                                            "{ path = 'a.csv', encoding = 'latin-1' }",
                                            "{ path = 'a.csv', encoding = 'utf-16' }",
                                            "{ path = 'a.csv', decimal = ',' }",
                                            "{ path = 'a.csv', thousands = ',' }",
                                            "{ path = 'a.csv', thousands = ' ' }",
                                            "{ path = 'a.csv', date_format = '%d.%m.%Y' }",
                                            "{ path = 'a.csv', true_text = ['x', 'y'] }",
                                            "{ path = 'a.csv', false_text = ['x', 'y'] }"};
  for (const std::string& source : sources) {
    const std::string text = canonical(source);
    EXPECT_TRUE(texts.insert(text).second) << source;
    EXPECT_EQ(canonical_text(parse_release(text, "c.toml")), text) << text;
  }
  EXPECT_EQ(canonical("['b.csv', 'a.csv']"), canonical("['a.csv', 'b.csv']"));
  EXPECT_EQ(canonical("{ path = 'a.csv', true_text = ['y', 'x'] }"),
            canonical("{ path = 'a.csv', true_text = ['x', 'y'] }"));
}

TEST(SourcePathsTest, PatternsMatchNames) {
  EXPECT_TRUE(matches_name("visits-1.csv", "visits-*.csv"));
  EXPECT_TRUE(matches_name("visits-.csv", "visits-*.csv"));
  EXPECT_TRUE(matches_name("a.csv", "*"));
  EXPECT_TRUE(matches_name("aXbXc", "a*X*c"));
  EXPECT_TRUE(matches_name("aabab", "*ab"));
  EXPECT_TRUE(matches_name("\xc3\xa9.csv", "?.csv"));
  for (const char* name :
       {"visits-1.csv.gz", "xvisits-1.csv", ".visits-1.csv", "", "Visits-1.csv"}) {
    EXPECT_FALSE(matches_name(name, "visits-*.csv")) << name;
  }
  EXPECT_FALSE(matches_name(".csv", "*"));
  EXPECT_FALSE(matches_name("ab.csv", "?.csv"));
  // As many stars as a name may have do not make it slow.
  EXPECT_FALSE(matches_name(std::string(200, 'a'), std::string(100, '*') + "b"));
}

TEST(SourcePathsTest, MatchingFilesAreThoseOfOneFolderInOrder) {
  std::string pattern = (std::filesystem::temp_directory_path() / "paths_XXXXXX").string();
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  const std::filesystem::path folder = pattern;
  for (const char* name : {"b.csv", "a.csv", "B.csv", ".h.csv", "c.txt"}) {
    std::ofstream(folder / name) << "x\n";
  }
  std::filesystem::create_directory(folder / "d.csv");
  std::ofstream(folder / "d.csv" / "e.csv") << "x\n";
  EXPECT_EQ(
      matching_files(folder / "*.csv"),
      (std::vector<std::filesystem::path>{folder / "B.csv", folder / "a.csv", folder / "b.csv"}));
  EXPECT_TRUE(matching_files(folder / "none" / "*.csv").empty());
  std::filesystem::remove_all(folder);
}

}  // namespace parse_source_test
}  // namespace lastbit
