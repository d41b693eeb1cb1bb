// The meaning of files: round trips through text, canonical texts, schemas, and randomly changed
// bytes.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "lastbit/accounting/sha256.h"
#include "lastbit/base/text.h"
#include "lastbit/release/file/canonical.h"
#include "lastbit/release/file/schema.h"
#include "lastbit/release/file/test_support.h"
#include "lastbit/release/file/writer_test_support.h"

namespace lastbit {
namespace release_meaning_test {

RC_GTEST_PROP(ReleaseMeaningTest, ParsingUndoesWriting,
              (std::uint64_t value, std::uint64_t style)) {
  const ReleaseFile release = ReleaseMaker(value).make();
  const std::string text = SloppyWriter(style).write(release, true);
  RC_LOG(text);
  const ReleaseFile parsed = parse_release(text, "f.toml");
  RC_ASSERT(parsed.title == release.title);
  RC_ASSERT(parsed.source == release.source);
  RC_ASSERT(parsed.unit == release.unit);
  RC_ASSERT(parsed.budget == release.budget);
  RC_ASSERT(parsed.tables == release.tables);
  RC_ASSERT(parsed.statistics == release.statistics);
  for (const ColumnDeclaration& column : release.columns) {
    RC_ASSERT(*parsed.find_column(column.name.value) == column);
  }
}

// The words of booleans in a fixed order.
FieldNotation sorted_words(FieldNotation notation) {
  std::ranges::sort(notation.true_texts);
  std::ranges::sort(notation.false_texts);
  return notation;
}

// The statistics in a fixed order wherever order means nothing, each with the keys of its groups.
struct Normal {
  Statistic statistic;
  std::vector<std::pair<std::vector<std::string>, std::set<std::vector<KeyValue>>>> groups;
  friend bool operator==(const Normal&, const Normal&) = default;
};

std::vector<Normal> normal_form(const ReleaseFile& release) {
  std::vector<Normal> result;
  for (const Statistic& statistic : release.statistics) {
    Normal normal{statistic, {}};
    std::ranges::sort(normal.statistic.by, {}, &Located<std::string>::value);

    if (auto* histogram = std::get_if<CategoryStatistic>(&normal.statistic.kind)) {
      if (auto* list = std::get_if<KeyList>(&histogram->categories)) std::ranges::sort(*list);
    }
    for (const GroupKeys& keys : group_keys(release, normal.statistic)) {
      auto& group = normal.groups.emplace_back(keys.columns, std::set<std::vector<KeyValue>>());
      // The only table of several columns is that of regions and months.
      const bool swapped = keys.columns.size() == 2 && keys.columns[0] > keys.columns[1];
      if (swapped) std::swap(group.first[0], group.first[1]);
      if (const auto* rows = std::get_if<0>(&keys.keys)) {
        for (std::vector<KeyValue> row : *rows) {
          if (swapped) std::swap(row[0], row[1]);
          group.second.insert(std::move(row));
        }
      }
      if (const auto* range = std::get_if<KeyRange>(&keys.keys)) {
        group.second = {{range->first}, {range->last}};
      }
    }
    // Tables are named by their contents, so only what they hold is compared.
    normal.statistic.tables.clear();
    std::ranges::sort(normal.groups);
    result.push_back(std::move(normal));
  }
  std::ranges::sort(result, {}, [](const Normal& normal) { return normal.statistic.name.value; });
  return result;
}

RC_GTEST_PROP(ReleaseMeaningTest, FilesThatMeanTheSameHaveOneCanonicalText,
              (std::uint64_t value, std::uint64_t style)) {
  const ReleaseFile release = ReleaseMaker(value).make();
  const std::string text = SloppyWriter(style).write(release, false);
  RC_LOG(text);
  const std::string canonical = canonical_text(parse_release(text, "f.toml"));
  RC_ASSERT(canonical == canonical_text(release));
}

RC_GTEST_PROP(ReleaseMeaningTest, CanonicalTextHoldsTheWholeMeaning, (std::uint64_t value)) {
  const ReleaseFile release = ReleaseMaker(value).make();
  const std::string canonical = canonical_text(release);
  RC_LOG(canonical);
  const ReleaseFile parsed = parse_release(canonical, "c.toml");
  RC_ASSERT(canonical_text(parsed) == canonical);
  // Several files are in the order of their names; the maker writes them so.
  RC_ASSERT(parsed.source.path == release.source.path);
  RC_ASSERT(parsed.source.more_paths == release.source.more_paths);
  RC_ASSERT(parsed.source.quote == release.source.quote);
  RC_ASSERT(parsed.source.escape == release.source.escape);
  RC_ASSERT(parsed.source.names == release.source.names);
  RC_ASSERT(parsed.source.encoding == release.source.encoding);
  RC_ASSERT(sorted_words(parsed.source.notation) == sorted_words(release.source.notation));
  RC_ASSERT(parsed.source.name == release.source.name);
  RC_ASSERT(parsed.source.delimiter == release.source.delimiter);
  RC_ASSERT(std::set(parsed.source.nulls.begin(), parsed.source.nulls.end()) ==
            std::set(release.source.nulls.begin(), release.source.nulls.end()));
  RC_ASSERT(parsed.unit.index() == release.unit.index());
  RC_ASSERT(parsed.budget == release.budget);
  RC_ASSERT(normal_form(parsed) == normal_form(release));
}

TEST(CanonicalTextTest, ExamplesAreReadBackFromTheirCanonicalTexts) {
  for (const std::string& file : example_files()) {
    const ReleaseFile release = parse_release(text_of_file(file), file);
    const std::string canonical = canonical_text(release);
    EXPECT_EQ(canonical_text(parse_release(canonical, "c.toml")), canonical) << file;
    EXPECT_EQ(release_digest(release), sha256_hex(canonical));
  }
}

TEST(CanonicalTextTest, ShortFileInFull) {
  const ReleaseFile release =
      parse_release(text_of_file("examples/releases/regions.toml"), "r.toml");
  EXPECT_EQ(canonical_text(release), R"(version = 1
unit = "row"

[source]
path = "survey.csv"
format = "csv"
delimiter = ","
null_text = [""]

[budget]
epsilon = 1
accounting = "pure"
ledger = "survey.ledger"

[columns."income"]
type = "integer"

[columns."region"]
type = "text"
keys = ["east", "north", "south", "west"]
nulls = "drop"

[[statistics]]
name = "count_by_region"
kind = "count"
by = ["region"]
confidence = "0.95"

[[statistics]]
name = "mean_income_by_region"
kind = "mean"
column = "income"
nulls = "drop"
lower = 0
upper = 200000
by = ["region"]
confidence = "0.95"
)");
}

TEST(CanonicalTextTest, ListsOfConsecutiveNumbersAreRanges) {
  const std::string head =
      "version = 1\nsource = 's.csv'\nunit = 'row'\nbudget = { epsilon = 1, ledger = 'l' }\n"
      "[[statistics]]\nkind = 'count'\nby = 'm'\n[columns.m]\nkeys = ";
  const auto digest = [&](const std::string& keys) {
    return release_digest(parse_release(head + keys, "f.toml"));
  };
  EXPECT_EQ(digest("[3, 1, 2]"), digest("{ from = 1, to = 3 }"));
  EXPECT_NE(digest("[3, 1]"), digest("{ from = 1, to = 3 }"));
  EXPECT_NE(digest("['1', '2']"), digest("[1, 2]"));
}

TEST(CanonicalTextTest, EveryChangeOfMeaningChangesIt) {
  const std::string text = text_of_file("examples/releases/visits.toml");
  const std::string before = release_digest(parse_release(text, "f.toml"));
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"restaurant_week.csv", "restaurant_weak.csv"},
      {"delimiter = \",\"", "delimiter = \";\""},
      {"\"NA\"", "\"N/A\""},
      {"\"VisitorId\"", "\"VisitorID\""},
      {"max_rows_per_group = 1 ", "max_rows_per_group = 2 "},
      {"max_groups = 3", "max_groups = 4"},
      {"epsilon = 1\n", "epsilon = 1.0000001\n"},
      {"delta = 1e-6", "delta = 2e-6"},
      {"restaurant.ledger", "other.ledger"},
      {"to = 7", "to = 6"},
      {"upper = 60", "upper = 61"},
      {"\"visits\"", "\"comings\""},
      {"kind = \"sum\"", "kind = \"mean\""},
      {"confidence = 0.9", "confidence = 0.91"},
      {"delta = 5e-7", "delta = 4e-7"},
      {", threshold = 45", ""},
      {"kind = \"count_units\"", "kind = \"count_units\"\nweight = 2"},
  };
  std::set<std::string> seen = {before};
  for (const auto& [part, instead] : changes) {
    std::string changed = text;
    ASSERT_NE(changed.find(part), std::string::npos) << part;
    changed.replace(changed.find(part), part.size(), instead);
    EXPECT_TRUE(seen.insert(release_digest(parse_release(changed, "f.toml"))).second) << part;
  }
}

TEST(CanonicalTextTest, CommentsTitlesAndUnusedColumnsAreNotMeaning) {
  const std::string text = text_of_file("examples/releases/visits.toml");
  const std::string before = release_digest(parse_release(text, "f.toml"));
  const std::string more = "title = 'x'\n# y\n" + text + "\n[columns.unused]\ntype = 'real'\n" +
                           "[keys.unused]\ncolumns = 'z'\nrows = [[1]]\n";
  EXPECT_EQ(release_digest(parse_release(more, "g.toml")), before);
}

// Schemas.

std::vector<SchemaColumn> labour_schema() {
  return {{"person", "UUID", ColumnType{ColumnKind::kNamed}},
          {"employed", "BOOLEAN", ColumnType{ColumnKind::kBoolean}},
          {"week", "DATE", ColumnType{ColumnKind::kDate}},
          {"hours", "DECIMAL(5,2)", ColumnType{ColumnKind::kDecimal, 5, 2}},
          {"at", "INTERVAL", std::nullopt},
          {"note", "VARCHAR", ColumnType{ColumnKind::kText}},
          {"sizes", "DECIMAL(5,2)[]", std::nullopt}};
}

std::string schema_verdict(const std::string& text, const std::vector<SchemaColumn>& schema) {
  try {
    check_against_schema(parse_release(text, "f.toml"), schema);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    return error.what();
  }
  return "accepted";
}

TEST(CheckAgainstSchemaTest, TypesOfTheDataAreFilledIn) {
  const ReleaseFile release = check_against_schema(
      parse_release(text_of_file("examples/releases/labour.toml"), "f.toml"), labour_schema());
  EXPECT_EQ(release.find_column("hours")->type->value, FieldType::decimal(2));
  EXPECT_EQ(release.find_column("week")->type->value, FieldType::kDate);
  EXPECT_EQ(release.find_column("person")->type->value, FieldType::kText);
}

TEST(CheckAgainstSchemaTest, MisspeltColumnsAreToldWithTheNearestName) {
  const std::string text = text_of_file("examples/releases/regions.toml");
  const std::vector<SchemaColumn> schema = {{"incone", "VARCHAR", ColumnType{ColumnKind::kText}},
                                            {"region", "VARCHAR", ColumnType{ColumnKind::kText}}};
  EXPECT_EQ(schema_verdict(text, schema),
            "f.toml:8:1: there is no column 'income'; did you mean 'incone'?\n"
            "f.toml:17:10: there is no column 'income'; did you mean 'incone'?");
  EXPECT_EQ(schema_verdict(text, {{"income", "VARCHAR", ColumnType{ColumnKind::kText}},
                                  {"Region", "VARCHAR", ColumnType{ColumnKind::kText}}}),
            "f.toml:9:1: there is no column 'region'; did you mean 'Region'?\n"
            "f.toml:13:6: there is no column 'region'; did you mean 'Region'?\n"
            "f.toml:18:6: there is no column 'region'; did you mean 'Region'?");
  EXPECT_EQ(schema_verdict(text, {{"income", "VARCHAR", ColumnType{ColumnKind::kText}},
                                  {"region", "VARCHAR", ColumnType{ColumnKind::kText}}}),
            "accepted");
}

TEST(CheckAgainstSchemaTest, IdColumnsAreLookedForToo) {
  std::vector<SchemaColumn> schema = labour_schema();
  schema[0].name = "persons";
  EXPECT_EQ(schema_verdict(text_of_file("examples/releases/labour.toml"), schema),
            "f.toml:5:15: there is no column 'person'; did you mean 'persons'?");
}

TEST(CheckAgainstSchemaTest, TypesThatDoNotFitAreTold) {
  const std::string head =
      "version = 1\nsource = 's.parquet'\nunit = 'row'\nbudget = { epsilon = 1, ledger = 'l' }\n";
  const auto told = [&](const std::string& text) {
    return schema_verdict(head + text, labour_schema());
  };
  EXPECT_EQ(
      told("[[statistics]]\nkind = 'sum'\ncolumn = 'note'\nlower = 0\nupper = 1\n"),
      "f.toml:7:10: 'note' holds texts, and numbers are needed; use another column, or declare "
      "its type as integer, real or decimal");
  EXPECT_EQ(told("[[statistics]]\nkind = 'count'\nby = 'note'\n[columns.note]\nkeys = [1, 2]\n"),
            "f.toml:9:8: the keys of 'note' are of type integer, but the column is of type text; "
            "write keys as the column holds them: \"text\", 12, true or 2024-01-31");
  EXPECT_EQ(told("[[statistics]]\nkind = 'count'\ncolumn = 'sizes'\n"),
            "f.toml:7:10: the column 'sizes' has the type 'DECIMAL(5,2)[]', which cannot be used; "
            "store it as a number, a text, a truth value, a date, a time or a timestamp in "
            "microseconds");
  EXPECT_EQ(told("[[statistics]]\nkind = 'count'\ncolumn = 'at'\n"),
            "f.toml:7:10: the column 'at' has the type 'INTERVAL', which cannot be used; store it "
            "as a number, a text, a truth value, a date, a time or a timestamp in microseconds");
  EXPECT_EQ(
      told("[[statistics]]\nkind = 'count'\ncolumn = 'note'\n[columns.note]\ntype = 'date'\n"),
      "f.toml:9:8: the column 'note' is declared as date, but the data holds text; write type "
      "= \"text\", or leave it out");
  EXPECT_EQ(told("[[statistics]]\nkind = 'histogram'\ncolumn = 'hours'\ncategories = [1]\n"),
            "f.toml:7:10: 'hours' holds values of type decimal, which do not make groups; use a "
            "histogram with `bins`, or derive a whole number, as in floor(…)");
  EXPECT_EQ(
      told("[[statistics]]\nkind = 'histogram'\ncolumn = 'hours'\ncategories = [1]\n"
           "[columns.hours]\ntype = 'real'\n"),
      "f.toml:7:10: 'hours' holds real numbers, which cannot be compared exactly; use a column of "
      "another type, or a histogram with `bins`");
  EXPECT_EQ(
      told("[[statistics]]\nkind = 'count'\n[columns.hours]\ntype = 'decimal'\n"
           "decimals = 3\n[derive]\nlong = 'hours > 40'\n[[statistics]]\nkind = 'share'\n"
           "column = 'long'\n"),
      "f.toml:8:8: the column 'hours' is declared as decimal with 3 decimals, but the data "
      "holds decimal with 2 decimals; write type = \"decimal\", decimals = 2, or leave it out");
  EXPECT_EQ(told("[[statistics]]\nkind = 'count'\nwhere = 'sizes IS NULL'\n"),
            "f.toml:7:9: `where`, character 1: the column 'sizes' has the type 'DECIMAL(5,2)[]', "
            "which cannot be used here; store it as a number, a text, a truth value, a date, a "
            "time or a timestamp in microseconds");
  EXPECT_EQ(told("[[statistics]]\nkind = 'count'\nwhere = 'hours > 37.5 AND note > 3'\n"),
            "f.toml:7:9: `where`, character 25: this is a whole number, beside a text; if 'note' "
            "does not hold texts, declare its type in [columns]; or use CAST");
}

// Hostile bytes.

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string changed_bytes(Dice& dice, std::string text) {
  const std::string other = text_of_file(dice.one_of(example_files()));
  const std::size_t changes = 1 + dice.pick(8);
  for (std::size_t i = 0; i < changes; ++i) {
    const std::size_t at = dice.pick(text.size());
    switch (dice.pick(4)) {
      case 0:
        text[at] = static_cast<char>(dice.pick(256));
        break;
      case 1:
        text.erase(at, 1 + dice.pick(30));
        break;
      case 2:
        text.insert(at, other.substr(dice.pick(other.size()), 1 + dice.pick(60)));
        break;
      default:
        text.insert(at, std::string(1, "[]{}\"'=.,#\n\\0-+e_"[dice.pick(18)]));
    }
    if (text.empty()) text = " ";
  }
  return text;
}

// Lines and values exchanged with those of other files: mostly TOML still, so that the errors come
// from deeper inside.
std::string changed_lines(Dice& dice, const std::string& text) {
  static const std::vector<std::string> kValues = {"inf",
                                                   "nan",
                                                   "1e400",
                                                   "-0.0",
                                                   "0",
                                                   "''",
                                                   "[]",
                                                   "{}",
                                                   "[[]]",
                                                   "1979-05-27T07:32:00Z",
                                                   "9223372036854775807",
                                                   "-1",
                                                   "true",
                                                   "\"\\u0000\"",
                                                   "1e-300",
                                                   "['a', 1]",
                                                   "{ from = 1 }"};
  std::vector<std::string> lines = lines_of(text);
  const std::vector<std::string> others = lines_of(text_of_file(dice.one_of(example_files())));
  const std::size_t changes = 1 + dice.pick(4);
  for (std::size_t i = 0; i < changes; ++i) {
    const std::size_t at = dice.pick(lines.size());
    std::string& line = lines[at];
    const std::string& other = dice.one_of(others);
    const std::size_t equals = line.rfind(" = ");
    switch (dice.pick(4)) {
      case 0:
        line = other;
        break;
      case 1:
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), other);
        break;
      case 2:
        line.clear();
        break;
      default:
        if (equals == std::string::npos) break;
        line.resize(equals + 3);
        line += other.find(" = ") == std::string::npos ? dice.one_of(kValues)
                                                       : other.substr(other.rfind(" = ") + 3);
    }
  }
  return joined(lines, "\n");
}

// An Error as it should be, or a value that can be written and read again.
void check_fate(const std::string& text) {
  RC_LOG(text);
  try {
    const ReleaseFile release = parse_release(text, "f.toml");
    const std::string canonical = canonical_text(release);
    RC_ASSERT(canonical_text(parse_release(canonical, "c.toml")) == canonical);
  } catch (const Error& error) {
    RC_LOG(std::string(error.what()));
    RC_ASSERT(error.code() == ErrorCode::kBadInput);
    RC_ASSERT(error.place().starts_with("f.toml:"));
    RC_ASSERT(std::ranges::all_of(std::string(error.what()), [](char c) {
      return c == '\n' || static_cast<unsigned char>(c) >= 0x20;
    }));
  }
}

RC_GTEST_PROP(ReleaseFuzzTest, ChangedBytesGiveAnErrorOrAValue, (std::uint64_t seed)) {
  Dice dice(seed);
  for (int i = 0; i < 20; ++i) {
    check_fate(changed_bytes(dice, text_of_file(dice.one_of(example_files()))));
  }
}

RC_GTEST_PROP(ReleaseFuzzTest, ChangedLinesGiveAnErrorOrAValue, (std::uint64_t seed)) {
  Dice dice(seed);
  for (int i = 0; i < 20; ++i) {
    check_fate(changed_lines(dice, text_of_file(dice.one_of(example_files()))));
  }
}

}  // namespace release_meaning_test
}  // namespace lastbit
