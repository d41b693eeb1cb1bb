// Public tables: the same texts from every format, and what is refused.
#include "lastbit/engines/duckdb/reading/public_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/engines/duckdb/test_support.h"

namespace lastbit::engine {
namespace public_table_test {

using Rows = decltype(PublicTable::rows);

DataSource csv_at(const std::filesystem::path& path) {
  return {.path = path, .format = FileFormat::kCsv, .table = ""};
}

std::string problem_of(const DataSource& source, const std::vector<std::string>& columns) {
  try {
    read_public_table(source, columns);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    return error.problem() + "; " + error.remedy();
  }
  return "none";
}

TEST(PublicTableTest, EveryFormatGivesTheSameTexts) {
  const Scratch scratch;
  Dice dice(3);
  const std::vector<Person> people = random_people(dice, 40, 30);
  const auto read = [&](Writing writing, const std::string& name) {
    Rows rows = read_public_table(written(scratch, name, people, writing),
                                  {"town", "year", "town", "member", "born"})
                    .rows;
    std::ranges::sort(rows);
    return rows;
  };
  const Rows rows = read(Writing::kParquet, "p.parquet");
  EXPECT_EQ(rows.size(), people.size());
  EXPECT_EQ(rows, read(Writing::kDuckDb, "d.duckdb"));
  EXPECT_EQ(rows, read(Writing::kCsv, "c.csv"));
  EXPECT_EQ(rows, read(Writing::kTsv, "t.tsv"));
  EXPECT_EQ(rows, read(Writing::kJsonLines, "j.jsonl"));
  EXPECT_EQ(rows, read(Writing::kJsonArray, "a.json"));
}

TEST(PublicTableTest, TextFilesKeepTheirOrder) {
  const Scratch scratch;
  const DataSource source = csv_at(scratch.write("c.csv", "a,b\n2,\"\"\n1,\n\"x\ny\",z\n"));
  const Rows expected = {{"", "2"}, {std::nullopt, "1"}, {"z", "x\ny"}};
  EXPECT_EQ(read_public_table(source, {"b", "a"}).rows, expected);
}

TEST(PublicTableTest, WhatIsNoTableIsRefused) {
  const Scratch scratch;
  const DataSource csv = csv_at(scratch.write("c.csv", "town,year\nA,1\n"));
  EXPECT_EQ(problem_of(csv, {"towns"}), "has no column 'towns'; did you mean 'town'?");
  const DataSource bad = csv_at(scratch.write("b.csv", "town,year\nA,1\nB\n"));
  EXPECT_NE(problem_of(bad, {"town"}), "none");
  const DataSource none = csv_at(scratch.path("none.csv"));
  EXPECT_EQ(problem_of(none, {"town"}), "does not exist or cannot be reached; check the path");
  std::string rows = "a\n";
  for (std::size_t i = 0; i <= PublicTable::kMaxRows; ++i) rows += "x\n";
  const DataSource large = csv_at(scratch.write("l.csv", rows));
  EXPECT_EQ(problem_of(large, {"a"}),
            "is too large for a public table; name one with at most 1000000 rows and 256 MB");
  Dice dice(4);
  const DataSource parquet =
      written(scratch, "p.parquet", random_people(dice, 2, 3), Writing::kParquet);
  EXPECT_NE(problem_of(parquet, {"Town"}).find("town"), std::string::npos);
}

}  // namespace public_table_test
}  // namespace lastbit::engine
