// Keys and labels from public tables.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/release/file/canonical.h"
#include "lastbit/release/file/schema.h"
#include "lastbit/release/file/test_support.h"
#include "lastbit/release/plan/plan.h"

namespace lastbit {
namespace public_files_test {

using Rows = std::vector<std::vector<std::optional<std::string>>>;

const std::vector<SchemaColumn> kData = {
    {"income", "", {}}, {"age", "", {}}, {"region", "", {}}, {"plz", "", {}}, {"day", "", {}}};

// A reader that knows one table, whatever the file.
ReadPublicTable table_of(const std::vector<std::string>& names, const Rows& rows) {
  return [=](const Source& source, const std::vector<std::string>& columns) {
    PublicTable table;
    for (const auto& row : rows) {
      auto& fields = table.rows.emplace_back();
      for (const std::string& column : columns) {
        const auto found = std::ranges::find(names, column);
        if (found == names.end()) {
          throw Error(ErrorCode::kBadInput, source.path.value, "has no column '" + column + "'",
                      "name one of its columns");
        }
        fields.push_back(row.at(static_cast<std::size_t>(found - names.begin())));
      }
    }
    return table;
  };
}

std::string told(const std::string& text, const ReadPublicTable& read) {
  try {
    check_against_schema(parse_release(text, "d/f.toml", read), kData);
  } catch (const Error& error) {
    const std::string message = error.what();
    return message.substr(0, message.find('\n'));
  }
  return "accepted";
}

std::string groups_of(const std::string& text, const ReadPublicTable& read) {
  const ReleasePlan plan =
      plan_release(check_against_schema(parse_release(text, "d/f.toml", read), kData));
  std::string groups;
  for (const GroupAnswer& group : empty_groups(plan.aggregations.at(0))) {
    for (const KeyValue& key : group.key) groups += text_of(key) + ";";
  }
  return groups;
}

std::string count_by(const std::string& by, const std::string& columns) {
  return kHead + columns + "[[statistics]]\nkind = 'count'\nby = " + by + "\n";
}

TEST(PublicFilesTest, KeysOfAColumnComeFromAFileEachOnceAndInItsOrder) {
  const auto read =
      table_of({"code", "day"}, {{"7", "2026-01-02"}, {"3", "2026-01-01"}, {"07", "2026-01-02"}});
  EXPECT_EQ(
      groups_of(count_by("'plz'", "plz = { keys = { file = 'c.csv', column = 'code' } }\n"), read),
      "7;3;07;");
  EXPECT_EQ(
      groups_of(
          count_by("'plz'",
                   "plz = { type = 'integer', keys = { file = 'c.csv', column = 'code' } }\n"),
          read),
      "7;3;");
  EXPECT_EQ(
      groups_of(count_by("'day'", "day = { type = 'date', keys = { file = 'c.csv' } }\n"), read),
      "2026-01-02;2026-01-01;");
  const std::string tables =
      "[keys.some]\ncolumns = ['plz', 'day']\nfile = { path = 'c.duckdb', table = 't' }\n";
  std::string text = count_by("['day', 'plz']", tables);
  text += "keys = 'some'\n";
  EXPECT_EQ(groups_of(text, table_of({"plz", "day"}, {{"a", "x"}, {"b", "y"}, {"a", "x"}})),
            "a;x;b;y;");
}

TEST(PublicFilesTest, MistakesAreToldWithTheirPlace) {
  const auto read = table_of({"code", "other"}, {{"1", "a"}, {"x", std::nullopt}});
  const auto keys = [&](const std::string& listed, const std::string& type = "") {
    return told(count_by("'plz'", "plz = { " + type + "keys = " + listed + " }\n"), read);
  };
  EXPECT_EQ(keys("{ file = 'c.csv' }"),
            "d/f.toml:10:25: d/c.csv has no column 'plz'; name one of its columns");
  EXPECT_EQ(keys("{ file = 'c.csv', column = 'code' }", "type = 'integer', "),
            "d/f.toml:10:43: row 2 of the file has no integer key in 'code'; mend the row, or "
            "change the column's `type`");
  EXPECT_EQ(keys("{ file = 'c.csv', column = 'other' }"),
            "d/f.toml:10:25: row 2 of the file has no text key in 'other'; remove the row, or "
            "shorten the key");
  EXPECT_EQ(keys("{ file = 'c.xyz', column = 'code' }"),
            "d/f.toml:10:25: the end of `path` does not tell the format; add `format`: csv, tsv, "
            "parquet, json or duckdb");
  EXPECT_EQ(keys("{ file = 'https://a/c.csv', column = 'code' }"),
            "d/f.toml:10:25: `file` is a URL; name a file on this machine");
  EXPECT_EQ(keys("{ file = 'c.csv', colum = 'code' }"),
            "d/f.toml:10:25: d/c.csv has no column 'plz'; name one of its columns");
  EXPECT_EQ(verdict(count_by("'plz'", "plz = { keys = { file = 'c.csv' } }\n")).substr(0, 50),
            "f.toml:10:25: public files cannot be read here; li");
}

TEST(PublicFilesTest, ThePrivateDataIsNoPublicTable) {
  std::string pattern = (std::filesystem::temp_directory_path() / "public_XXXXXX").string();
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  const std::filesystem::path folder = pattern;
  std::ofstream(folder / "s.csv") << "plz\n1\n";
  std::filesystem::create_symlink(folder / "s.csv", folder / "link.csv");
  std::filesystem::create_hard_link(folder / "s.csv", folder / "hard.csv");
  std::ofstream(folder / "c.csv") << "plz\n1\n";
  const auto tell = [&](const std::string& file) {
    const std::string text = count_by("'plz'", "plz = { keys = { file = '" + file + "' } }\n");
    try {
      parse_release(text, (folder / "f.toml").string(), table_of({"plz"}, {{"1"}}));
    } catch (const Error& error) {
      return error.problem().substr(0, error.problem().find('\n'));
    }
    return std::string("accepted");
  };
  EXPECT_EQ(tell("c.csv"), "accepted");
  for (const char* same : {"s.csv", "./s.csv", "link.csv", "hard.csv"}) {
    EXPECT_NE(tell(same).find("this file is the private data itself"), std::string::npos) << same;
  }
  std::filesystem::remove_all(folder);
}

const std::string kLookup =
    "[lookups.places]\nfile = 'c.csv'\ncolumn = 'plz'\nadd = ['town', 'land']\n";

TEST(PublicFilesTest, LookupsAddColumnsWithTheirKeys) {
  const auto read = table_of({"plz", "town", "land"},
                             {{"1", "A", "x"}, {"2", "B", "x"}, {"3", "C", std::nullopt}});
  EXPECT_EQ(groups_of(count_by("'town'", kLookup), read), "A;B;C;");
  EXPECT_EQ(groups_of(count_by("'land'", kLookup), read), "x;");
  EXPECT_EQ(groups_of(count_by("'low'", kLookup + "[derive]\nlow = 'lower(town)'\n"), read),
            "a;b;c;");
  // A lookup by a derived column, and a column with another name.
  const std::string by_part =
      "[derive]\npart = 'substring(region, 1, 1)'\n"
      "[lookups.places]\nfile = 'c.csv'\ncolumn = 'part'\nkey = 'plz'\nadd = { place = 'town' }\n";
  EXPECT_EQ(groups_of(count_by("'place'", by_part), read), "A;B;C;");
  const ReleaseFile release =
      check_against_schema(parse_release(count_by("'place'", by_part), "d/f.toml", read), kData);
  const RowExpression& meaning = meaning_of(release.find_derived("place")->expression);
  EXPECT_EQ(evaluate(meaning, [](const std::string&) { return Cell(std::string("2nd")); }),
            Cell(std::string("B")));
  // The table is part of the meaning.
  const auto digest = [&](const ReadPublicTable& other) {
    return release_digest(check_against_schema(
        parse_release(
            count_by("'region'", kLookup + "[derive]\nb = \"town = 'B'\"\n") + "where = 'b'\n",
            "d/f.toml", other),
        kData));
  };
  EXPECT_EQ(digest(read), digest(read));
  EXPECT_NE(digest(read), digest(table_of({"plz", "town", "land"}, {{"1", "B", "x"}})));
}

TEST(PublicFilesTest, LookupTablesThatAreNoFunctionsAreRefused) {
  const auto with = [](const Rows& rows, const std::string& columns = kLookup) {
    return told(count_by("'region'", columns), table_of({"plz", "town", "land"}, rows));
  };
  EXPECT_EQ(with({{"1", "A", "x"}}), "accepted");
  EXPECT_EQ(with({{"1", "A", "x"}, {"1", "A", "x"}}),
            "d/f.toml:11:8: row 2 of the file has a key that occurs before; remove the row: every "
            "key has one row");
  EXPECT_EQ(with({{"1", "A", "x"}, {std::nullopt, "A", "x"}}),
            "d/f.toml:11:8: row 2 of the file has no key; remove the row: every key has one row");
  EXPECT_EQ(with({{"1", "A", "x"}, {"01", "A", "x"}}, "plz = { type = 'integer' }\n" + kLookup),
            "d/f.toml:13:10: 'town': the key in row 2 of the table occurs before; mend the table, "
            "or declare the type of the column");
  EXPECT_EQ(with({{"1", "A", "x"}}, kLookup + "[derive]\ntown = 'region'\n"),
            "d/f.toml:15:1: a lookup table already adds 'town'; give the derived column another "
            "name");
  EXPECT_EQ(with({}), "d/f.toml:11:8: the file has no rows; name a file with at least one");
  std::string missing = kLookup;
  missing.replace(missing.find("'plz'"), 5, "'plzz'");
  missing += "key = 'plz'\n";
  EXPECT_EQ(with({{"1", "A", "x"}}, missing),
            "d/f.toml:12:10: there is no column 'plzz'; did you mean 'plz'?");
}

}  // namespace public_files_test
}  // namespace lastbit
