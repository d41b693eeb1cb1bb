#include "cli/commands/init_text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "lastbit/release/file/canonical.h"
#include "lastbit/release/file/parse_release.h"

namespace lastbit::cli {
namespace init_text_test {

Source source_of(SourceFormat format, const std::string& path) {
  Source source;
  source.path.value = path;
  source.format.value = format;
  if (format == SourceFormat::kDuckDb) source.table = Located<std::string>{"a \"table\""};
  if (format == SourceFormat::kTsv) source.delimiter = '\t';
  return source;
}

std::vector<SchemaColumn> typed_columns() {
  return {{"person_id", "BIGINT", ColumnType{ColumnKind::kInteger}},
          {"region", "VARCHAR", ColumnType{ColumnKind::kText}},
          {"income", "DOUBLE", ColumnType{ColumnKind::kDouble}},
          {"amount", "DECIMAL(18,3)", ColumnType{ColumnKind::kDecimal, 18, 3}},
          {"born", "DATE", ColumnType{ColumnKind::kDate}},
          {"employed", "BOOLEAN", ColumnType{ColumnKind::kBoolean}},
          {"tags", "VARCHAR[]", std::nullopt},
          {"seen", "TIMESTAMP", std::nullopt},
          {"größe in cm", "INTEGER", ColumnType{ColumnKind::kInteger}},
          {"a.b", "VARCHAR", ColumnType{ColumnKind::kText}},
          {"say \"hi\" \\", "VARCHAR", ColumnType{ColumnKind::kText}}};
}

// What a custodian does: remove the # from the examples.
std::string uncommented(const std::string& text) {
  std::string out;
  bool line_begins = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool example = line_begins && text[i] == '#' && i + 1 < text.size() && text[i + 1] != ' ';
    line_begins = text[i] == '\n';
    if (!example) out += text[i];
  }
  return out;
}

ReleaseFile accepted(const std::string& text, const std::vector<SchemaColumn>& columns) {
  return check_against_schema(parse_release(text, "starter.toml"), columns);
}

TEST(StarterTest, IsAReleaseFileAsItIsAndWithItsExamplesInEveryFormat) {
  for (const auto& [format, path] : {std::pair{SourceFormat::kCsv, "survey.csv"},
                                     {SourceFormat::kCsv, "survey.txt"},
                                     {SourceFormat::kTsv, "survey.tsv"},
                                     {SourceFormat::kParquet, "a b/survey.parquet"},
                                     {SourceFormat::kJson, "survey.ndjson"},
                                     {SourceFormat::kDuckDb, "survey.duckdb"}}) {
    const auto columns = typed_columns();
    const Source source = source_of(format, path);
    const std::string text = starter_text(source, columns);
    const ReleaseFile as_is = accepted(text, columns);
    EXPECT_EQ(as_is.source, source) << text;
    EXPECT_EQ(as_is.statistics.size(), 1U);
    EXPECT_TRUE(std::holds_alternative<CountStatistic>(as_is.statistics.front().kind));
    const ReleaseFile with_examples = accepted(uncommented(text), columns);
    EXPECT_EQ(with_examples.statistics.size(), declares_types(format) ? 4U : 2U) << text;
    for (const char* name : {"region", "income", "größe in cm", "a.b", "say \"hi\" \\"}) {
      EXPECT_NE(with_examples.find_column(name), nullptr) << name;
    }
    EXPECT_FALSE(with_examples.title.empty());
  }
}

TEST(StarterTest, ColumnsThatNoReleaseCanUseAreCountedNotNamed) {
  const std::string text =
      starter_text(source_of(SourceFormat::kParquet, "s.parquet"), typed_columns());
  EXPECT_EQ(text.find("tags"), std::string::npos);
  EXPECT_EQ(text.find("seen"), std::string::npos);
  EXPECT_NE(text.find("Left out: 2 columns"), std::string::npos);
}

TEST(StarterTest, ColumnThatLooksLikeAnIdentifierIsTheUnit) {
  const Source source = source_of(SourceFormat::kCsv, "s.csv");
  for (const char* name : {"id", "person_id", "VisitorId", "customer ID", "row-id"}) {
    const std::string text = starter_text(
        source, std::vector<SchemaColumn>{{"age", "VARCHAR", ColumnType{ColumnKind::kText}},
                                          {name, "VARCHAR", ColumnType{ColumnKind::kText}}});
    EXPECT_NE(text.find("\nunit = { id = " + toml_string(name)), std::string::npos) << text;
    EXPECT_NE(text.find("\n#   unit = \"row\"\n"), std::string::npos) << text;
    EXPECT_NE(text.find("by = \"age\""), std::string::npos) << text;
  }
}

TEST(StarterTest, NamesHideNothingAndMeanTheSame) {
  const std::string turning = "income\u202eegarevA";
  const std::vector<SchemaColumn> columns = {{turning, "VARCHAR", ColumnType{ColumnKind::kText}}};
  const std::string text = starter_text(source_of(SourceFormat::kCsv, "s.csv"), columns);
  EXPECT_EQ(text.find("\u202e"), std::string::npos);
  EXPECT_NE(text.find("\"income\\u202eegarevA\""), std::string::npos) << text;
  EXPECT_NE(accepted(uncommented(text), columns).find_column(turning), nullptr) << text;
}

TEST(StarterTest, AnotherDelimiterIsKeptAndAForgottenOneIsHintedAt) {
  Source source = source_of(SourceFormat::kCsv, "s.csv");
  const std::vector<SchemaColumn> joined = {{"age;sex", "VARCHAR", ColumnType{ColumnKind::kText}}};
  const std::string hint = starter_text(source, joined);
  EXPECT_NE(hint.find("delimiter = \";\""), std::string::npos) << hint;
  EXPECT_EQ(accepted(hint, joined).source, source);
  source.delimiter = ';';
  const std::vector<SchemaColumn> apart = {{"age", "VARCHAR", ColumnType{ColumnKind::kText}},
                                           {"sex", "VARCHAR", ColumnType{ColumnKind::kText}}};
  EXPECT_EQ(accepted(starter_text(source, apart), apart).source, source);
}

TEST(StarterTest, NoColumnsAtAllIsStillAReleaseFile) {
  const std::string text = starter_text(source_of(SourceFormat::kCsv, "s.csv"), {});
  EXPECT_EQ(accepted(text, {}).statistics.size(), 1U);
  EXPECT_EQ(accepted(uncommented(text), {}).statistics.size(), 1U);
}

RC_GTEST_PROP(StarterPropertyTest, HostileNamesNeitherBreakItNorEscapeFromTheirQuotes, ()) {
  const auto names = *rc::gen::container<std::vector<std::string>>(rc::gen::container<std::string>(
      rc::gen::elementOf(std::string("ab =#\"'\\[]{}.\n\t\r\x01\x7f,-"))));
  std::vector<SchemaColumn> columns;
  for (const std::string& name : names) {
    const auto is_known = [&](const SchemaColumn& column) { return column.name == name; };
    if (std::ranges::none_of(columns, is_known))
      columns.push_back({name, "VARCHAR", ColumnType{ColumnKind::kText}});
  }
  const Source source = source_of(SourceFormat::kCsv, "s.csv");
  const std::string text = starter_text(source, columns);
  RC_ASSERT(accepted(text, columns).statistics.size() == 1);
  const ReleaseFile with_examples = accepted(uncommented(text), columns);
  for (const ColumnDeclaration& column : with_examples.columns) {
    RC_ASSERT(std::ranges::any_of(
        columns, [&](const SchemaColumn& known) { return known.name == column.name.value; }));
  }
}

}  // namespace init_text_test
}  // namespace lastbit::cli
