// The records of CSV files, by hand-written examples, at every cut, and with one more record.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/sources/csv_file.h"
#include "lastbit/sources/test_support.h"

namespace lastbit::source {
namespace csv_test {

using Rows = std::vector<TextRow>;

class CsvTest : public ::testing::Test {
 protected:
  Rows rows(const std::string& text, const CsvFormat& format = {}, std::size_t block = 1 << 20) {
    CsvFile file(scratch_.write(text), format, block);
    return read_rows(file);
  }
  std::vector<std::string> columns(const std::string& text) {
    return CsvFile(scratch_.write(text), {}).columns();
  }
  // The reported problem, with the line.
  std::string problem(const std::string& text) {
    const std::filesystem::path path = scratch_.write(text);
    try {
      CsvFile file(path, {});
      read_rows(file);
    } catch (const Malformed& malformed) {
      try {
        refuse_malformed(path, malformed);
      } catch (const Error& error) {
        return error.problem();
      }
    }
    return "accepted";
  }

  TextScratch scratch_;
};

TEST_F(CsvTest, RecordsAreFieldsBetweenDelimiters) {
  EXPECT_EQ(rows("a,b\n1,2\n3,4\n"), (Rows{{"1", "2"}, {"3", "4"}}));
  EXPECT_EQ(rows("a,b\r\n1,2\r\n3,4"), (Rows{{"1", "2"}, {"3", "4"}}));
  EXPECT_EQ(rows("a,b\n1,2\r\n3,4\n"), (Rows{{"1", "2"}, {"3", "4"}}));
  EXPECT_EQ(rows("\xef\xbb\xbf"
                 "a\n1\n"),
            (Rows{{"1"}}));
  EXPECT_EQ(rows("a;b\n1,5;2\n", {';', {""}}), (Rows{{"1,5", "2"}}));
  EXPECT_EQ(rows("a,b"), Rows());
  EXPECT_EQ(rows("a,b\n"), Rows());
}

TEST_F(CsvTest, QuotedFieldsHoldEverything) {
  EXPECT_EQ(rows("a,b\n\"x,\ny\r\n\",\"\"\"q\"\"\"\n"), (Rows{{"x,\ny\r\n", "\"q\""}}));
  EXPECT_EQ(rows("a\n\"\"\"\"\n\"x\""), (Rows{{"\""}, {"x"}}));
  EXPECT_EQ(rows("a\n\"x\r\"\r\n"), (Rows{{"x\r"}}));
  const std::string zero("a\n1\0002\n", 6);
  EXPECT_EQ(rows(zero), (Rows{{std::string("1\0002", 3)}}));
}

TEST_F(CsvTest, OnlyUnquotedFieldsAreMissing) {
  EXPECT_EQ(rows("a,b\n,\"\"\n"), (Rows{{std::nullopt, ""}}));
  EXPECT_EQ(rows("a,b\nNA,\"NA\"\n,x\n", {',', {"NA", "-"}}),
            (Rows{{std::nullopt, "NA"}, {"", "x"}}));
}

TEST_F(CsvTest, LineWithoutAByteIsARecordOnlyWhereThereIsOneColumn) {
  EXPECT_EQ(rows("a\n1\n\n2\n\r\n"), (Rows{{"1"}, {std::nullopt}, {"2"}, {std::nullopt}}));
  EXPECT_EQ(rows("a,b\n\n1,2\n\r\n\n3,4\n\n"), (Rows{{"1", "2"}, {"3", "4"}}));
}

TEST_F(CsvTest, NamesAreThoseOfTheHeader) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(columns("a,,a,\"b\"\"c\",A,a_1\n"),
            (Names{"a", "column1", "a_1", "b\"c", "A", "a_1_1"}));
  EXPECT_EQ(columns("\"x\ny\",z"), (Names{"x\ny", "z"}));
  EXPECT_EQ(columns("\n"), (Names{"column0"}));
}

TEST_F(CsvTest, ManyEqualNamesAreNumberedInLittleTime) {
  std::string header = "a";
  for (int i = 1; i < 100'000; ++i) header += ",a";
  EXPECT_EQ(columns(header).back(), "a_99999");
}

TEST_F(CsvTest, HeaderIsReadWhateverTheRowsAre) {
  EXPECT_EQ(columns("a,b\n\"1,2\n").size(), 2U);
  EXPECT_EQ(columns("a,b\n\xff\xff\n").size(), 2U);
  EXPECT_EQ(columns("a,b\n" + std::string(20 << 20, '"')).size(), 2U);
}

TEST_F(CsvTest, MalformedFilesAreRefusedWithTheLine) {
  EXPECT_EQ(problem("a,b\n1,2\n3\n"), "line 3: the record has 1 field and the header has 2");
  EXPECT_EQ(problem("a,b\n1,2\n3,4,5"), "line 3: the record has 3 fields and the header has 2");
  EXPECT_EQ(problem("a\n\"x\n1\n"), "line 2: a quoted field has no closing quote");
  EXPECT_EQ(problem("a\n\"x\"y\n"), "line 2: something follows the closing quote of a field");
  EXPECT_EQ(problem("a\n5\" pipe\n"),
            "line 2: a quote stands inside a field that does not start with one");
  EXPECT_EQ(problem("a\n1\r2\n"), "line 2: a carriage return is not followed by a line feed");
  EXPECT_EQ(problem("a\n1\r"), "line 2: a carriage return is not followed by a line feed");
  EXPECT_EQ(problem("a\n1\ncaf\xe9\n"), "line 3: there are bytes that are not UTF-8");
  EXPECT_EQ(problem("\xff\xfe"
                    "a"),
            "line 1: the file is UTF-16");
  EXPECT_EQ(problem("a\"b\n1\n"),
            "line 1: a quote stands inside a field that does not start with one");
}

// SLOW: CsvTest.LongestRecordHasSixteenMebibytesWhereverItLies
TEST_F(CsvTest, LongestRecordHasSixteenMebibytesWhereverItLies) {
  for (const std::size_t before : {std::size_t{0}, std::size_t{700'000}}) {
    const std::string start = "a\n" + std::string(before, '1') + "\n";
    const std::string longest(kMaxRecordBytes - 1, '7');
    EXPECT_EQ(rows(start + longest + "\n2\n").size(), 3U);
    EXPECT_EQ(problem(start + longest + "7\n2\n"), "line 3: a record is longer than 16 MiB");
    EXPECT_EQ(problem(start + "\"" + longest + "\n"),
              "line 3: a quoted field has no closing quote");
  }
}

// Pieces that records are made of, each well-formed by itself for two columns.
const std::vector<std::string> kRecords = {"1,2\n",
                                           "1,2\r\n",
                                           ",\n",
                                           "\n",
                                           "\r\n",
                                           "\"\",\"\"\n",
                                           "\"a\nb\",c\n",
                                           "\"a\r\n\r\n\",\"\"\"\n\"\"\"\r\n",
                                           "\"\"\"\",x\n",
                                           "\"\nEve,99999\n\",5\n",
                                           "\"Doe,\",40000\r\n",
                                           "caf\xc3\xa9,\xf0\x9f\x98\x80\n",
                                           "\"\"\"\"\"\",\"\n\"\n"};

TEST_F(CsvTest, CutsChangeNothing) {
  std::string text = "h,i\n";
  for (const std::string& a : kRecords) {
    for (const std::string& b : kRecords) text += a + b;
  }
  const Rows whole = rows(text);
  for (std::size_t block = 1; block < 120; ++block)
    EXPECT_EQ(rows(text, {}, block), whole) << block;
}

TEST_F(CsvTest, OneRecordMoreIsOneRowMore) {
  std::vector<std::string> records;
  for (std::size_t i = 0; i < 60; ++i) records.push_back(kRecords[i * 7 % kRecords.size()]);
  const auto file = [&](std::size_t place, const std::string& more) {
    std::string text = "h,i\n";
    for (std::size_t i = 0; i < records.size(); ++i) text += (i == place ? more : "") + records[i];
    return text;
  };
  const Rows before = rows(file(0, ""), {}, 64);
  for (std::size_t place = 0; place < records.size(); ++place) {
    for (const std::string& more : kRecords) {
      const Rows added = rows("h,i\n" + more);
      Rows expected = before;
      const std::size_t row = rows(file(place, "").substr(
                                       0, 4 +
                                              [&] {
                                                std::size_t size = 0;
                                                for (std::size_t i = 0; i < place; ++i)
                                                  size += records[i].size();
                                                return size;
                                              }()))
                                  .size();
      expected.insert(expected.begin() + static_cast<std::ptrdiff_t>(row), added.begin(),
                      added.end());
      for (const std::size_t block : {std::size_t{16}, std::size_t{64}}) {
        EXPECT_EQ(rows(file(place, more), {}, block), expected) << place << more;
      }
    }
  }
}

}  // namespace csv_test
}  // namespace lastbit::source
