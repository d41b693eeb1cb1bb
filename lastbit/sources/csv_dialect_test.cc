// CSV files with other quotes, with escapes and without a header: by hand-written examples, at
// every cut, and with one more record.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/sources/csv_file.h"
#include "lastbit/sources/test_support.h"

namespace lastbit::source {
namespace csv_dialect_test {

using Rows = std::vector<TextRow>;

class CsvDialectTest : public ::testing::Test {
 protected:
  Rows rows(const std::string& text, const CsvFormat& format, std::size_t block = 1 << 20) {
    CsvFile file(scratch_.write(text), format, block);
    return read_rows(file);
  }
  // The reported problem, with the line and the remedy.
  std::string problem(const std::string& text, const CsvFormat& format = {}) {
    const std::filesystem::path path = scratch_.write(text);
    try {
      CsvFile file(path, format);
      read_rows(file);
    } catch (const Malformed& malformed) {
      try {
        refuse_malformed(path, malformed, format.form);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kBadInput);
        return error.problem() + "; " + error.remedy();
      }
    }
    return "accepted";
  }

  TextScratch scratch_;
};

const CsvFormat kSingle{.quote = '\''};
const CsvFormat kNone{.quote = '\0'};
const CsvFormat kEscape{.escape = '\\'};
const CsvFormat kEscapeOnly{.null_texts = {"\\N"}, .quote = '\0', .escape = '\\'};

TEST_F(CsvDialectTest, OtherQuotes) {
  EXPECT_EQ(rows("a,b\n'x,''y''\n','\"'\n\",\"\"\n", kSingle),
            (Rows{{"x,'y'\n", "\""}, {"\"", "\"\""}}));
  EXPECT_EQ(rows("a,b\n\"x,'y\n", kNone), (Rows{{"\"x", "'y"}}));
  EXPECT_EQ(problem("a\nO'Brien\n", kSingle).substr(0, 33), "line 2: a quote stands inside a f");
  // A zero byte is no quote where there is none.
  EXPECT_EQ(rows(std::string("a,b\n\0x,\0\0\n", 10), kNone),
            (Rows{{std::string("\0x", 2), std::string("\0\0", 2)}}));
}

TEST_F(CsvDialectTest, TheByteAfterAnEscapeStandsForItself) {
  EXPECT_EQ(rows("a,b\nx\\,y,\\\"\n\"q\\\"\\\\\",\"d\"\"\\n\"\n", kEscape),
            (Rows{{"x,y", "\""}, {"q\"\\", "d\"n"}}));
  EXPECT_EQ(rows("a,b\nx\\\ny,\\\r\n", kEscape), (Rows{{"x\ny", "\r"}}));
  EXPECT_EQ(rows("a,b\n\\\xc3\xa9,\\\\\n", kEscape), (Rows{{"\xc3\xa9", "\\"}}));
  EXPECT_EQ(rows("a,b\n\\N,x\\N\n\\\\N,\\\"\"\n", kEscapeOnly),
            (Rows{{std::nullopt, "xN"}, {"\\N", "\"\""}}));
  EXPECT_EQ(CsvFile(scratch_.write("a\\,b,c\\\nd\n"), kEscape).columns(),
            (std::vector<std::string>{"a,b", "c\nd"}));
  EXPECT_EQ(problem("a\nx\\", kEscape).substr(0, 41), "line 2: nothing follows an escape charact");
  EXPECT_EQ(problem("a\n\"x\\\"\n", kEscape).substr(0, 37),
            "line 2: a quoted field has no closing");
}

TEST_F(CsvDialectTest, FilesWithoutAHeaderHaveTheirNamesFromTheFormat) {
  const CsvFormat two{.names = {"id", "age"}};
  EXPECT_EQ(rows("1,2\n3,4\n", two), (Rows{{"1", "2"}, {"3", "4"}}));
  EXPECT_EQ(rows("\xef\xbb\xbf"
                 "1,2",
                 two),
            (Rows{{"1", "2"}}));
  EXPECT_EQ(rows("", two), Rows());
  EXPECT_EQ(CsvFile(scratch_.write("1,2\n"), two).columns(), two.names);
  EXPECT_EQ(problem("1,2\n3\n", two),
            "line 2: the record has 1 field and `names` has 2; check the delimiter, and quote "
            "fields that hold one");
  // What a record is may not depend on its being the first one.
  EXPECT_EQ(rows("%PDF-1,2\n", two), (Rows{{"%PDF-1", "2"}}));
  EXPECT_EQ(problem("1,2\n\xef\xbb\xbf"
                    "3,4\n",
                    two),
            "line 2: a record starts with a byte order mark; remove it");
}

TEST_F(CsvDialectTest, MessagesSayWhatToWrite) {
  EXPECT_EQ(problem("id;age\n1;2,5\n"),
            "line 2: the record has 2 fields and the header has 1; the header looks as if the "
            "delimiter were another one: write delimiter = \";\" in [source]");
  EXPECT_EQ(problem("id\tage\n1\t2,5\n"),
            "line 2: the record has 2 fields and the header has 1; the header looks as if the "
            "delimiter were another one: write delimiter = \"\\t\" in [source]");
  EXPECT_EQ(problem("a\ncaf\xe9\n"),
            "line 2: there are bytes that are not UTF-8; save the file as UTF-8, or say in "
            "[source] what it is: encoding = \"latin-1\" or \"windows-1252\"");
  EXPECT_EQ(problem("\xff\xfe"
                    "a"),
            "line 1: the file is UTF-16; write encoding = \"utf-16\" in [source], or save it as "
            "UTF-8");
  EXPECT_EQ(problem("PK\x03\x04 [Content_Types].xml"),
            "line 1: this is an Excel workbook, not a text file; save the sheet as CSV (UTF-8), "
            "and name that file");
  EXPECT_EQ(problem("%PDF-1.7\n").substr(0, 38), "line 1: this is a PDF, not a text file");
  EXPECT_EQ(problem("\x1f\x8b\x08"),
            "line 1: the file is compressed with gzip; end its name with .gz");
  EXPECT_EQ(problem("PAR1,PAR2\n"), "accepted");
  EXPECT_EQ(problem("\xef\xbb\xbf").substr(0, 25), "line 1: the file is empty");
}

// Records that are well-formed by themselves for two columns, in a format with escapes.
const std::vector<std::string> kEscapedRecords = {"1,2\n",
                                                  "\\,,\\\\\r\n",
                                                  "\"\\\"\n\",x\n",
                                                  "\\\n,\\\"\n",
                                                  "\"a\\\\\",\"\"\"\\\"\"\n",
                                                  "x\\\\,\\\r\r\n",
                                                  "\n",
                                                  "\"\\\n\\\"\\\"\",\\\\\\\n\n",
                                                  "\\\xc3\xa9,\n"};

TEST_F(CsvDialectTest, CutsChangeNothing) {
  std::string text = "h,i\n";
  for (const std::string& a : kEscapedRecords) {
    for (const std::string& b : kEscapedRecords) text += a + b;
  }
  const Rows whole = rows(text, kEscape);
  EXPECT_EQ(whole.size(), 2 * kEscapedRecords.size() * (kEscapedRecords.size() - 1));
  for (std::size_t block = 1; block < 120; ++block) {
    EXPECT_EQ(rows(text, kEscape, block), whole) << block;
  }
}

TEST_F(CsvDialectTest, OneRecordMoreIsOneRowMore) {
  for (const CsvFormat& format : {kEscape, CsvFormat{.escape = '\\', .names = {"h", "i"}}}) {
    const std::string header = format.names.empty() ? "h,i\n" : "";
    std::vector<Rows> alone;
    for (const std::string& record : kEscapedRecords)
      alone.push_back(rows(header + record, format));
    const std::size_t count = kEscapedRecords.size();
    for (std::size_t i = 0; i < count * count; ++i) {
      const std::vector<std::size_t> order = {i / count, i % count, i * 5 % count};
      std::string text = header;
      Rows expected;
      for (const std::size_t record : order) {
        text += kEscapedRecords[record];
        expected.insert(expected.end(), alone[record].begin(), alone[record].end());
      }
      ASSERT_EQ(rows(text, format, 7), expected) << text;
    }
  }
}

}  // namespace csv_dialect_test
}  // namespace lastbit::source
