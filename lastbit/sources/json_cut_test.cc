// Where a JSON file is cut into chunks, and how long its records may be.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/base/test_support.h"
#include "lastbit/sources/json_file.h"
#include "lastbit/sources/json_test_support.h"

namespace lastbit::source {
namespace json_cut_test {

using source_testing::all_columns;
using source_testing::append_rows;
using source_testing::is_malformed;
using source_testing::read;
using std::string_literals::operator""s;

// rows_of_partition: the rows when the text is cut before those of `places` whose bits are set.
std::string rows_of_partition(const JsonFile& json, std::string_view text,
                              const std::vector<std::size_t>& places, unsigned bits) {
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if ((bits >> i & 1) != 0) ends.push_back(places[i]);
  }
  ends.push_back(text.size());
  const std::vector<std::size_t> columns = all_columns(json);
  std::string rows;
  std::size_t start = 0;
  for (const std::size_t end : ends) {
    const Chunk chunk = {std::string(text.substr(start, end - start)), start, start == 0,
                         end == text.size()};
    for_each_table(json, chunk, columns,
                   [&](const RawTable& table) { append_rows(rows, table, columns.size()); });
    start = end;
  }
  return rows;
}

const std::vector<std::string> kRecords = {R"({"a":1,"b":"x"})",
                                           R"( {"b":",\"{[","a":[1,{"c":"]"}]})",
                                           R"({})",
                                           R"({"a":"\u20ac"} )",
                                           R"({"d":1,"a":{"a":2},"b":null})",
                                           R"({"b":"}","a":-0.50})",
                                           R"({"\u0061":"\\"})",
                                           R"({"a":"]","b":"["})"};
const std::string kRows = "a b <1|x><~|,\"{[><~|~><\xE2\x82\xAC|~><~|~><-0.50|}><\\|~><]|[>";

// join: the records with `separator` between them, and the places where each separator ends or
// starts.
std::string join(std::string_view separator, std::size_t cut, std::vector<std::size_t>& places) {
  std::string text;
  for (const std::string& record : kRecords) {
    if (!text.empty()) {
      places.push_back(text.size() + cut);
      text += separator;
    }
    text += record;
  }
  return text;
}

TEST(JsonCutTest, CutsBetweenLinesChangeNothing) {
  std::vector<std::size_t> places;
  const std::string text = join("\r\n", 2, places);
  EXPECT_EQ(read(text), kRows);
  const TemporaryFile file(text);
  const JsonFile json(file.path());
  for (unsigned bits = 0; bits < 1U << places.size(); ++bits) {
    EXPECT_EQ("a b " + rows_of_partition(json, text, places, bits), kRows) << bits;
  }
}

TEST(JsonCutTest, CutsBetweenElementsChangeNothing) {
  std::vector<std::size_t> places;
  std::string text = "[" + join("\n,\n", 1, places) + " ] ";
  for (std::size_t& place : places) ++place;
  EXPECT_EQ(read(text), kRows);
  const TemporaryFile file(text);
  const JsonFile json(file.path());
  for (unsigned bits = 0; bits < 1U << places.size(); ++bits) {
    EXPECT_EQ("a b " + rows_of_partition(json, text, places, bits), kRows) << bits;
  }
}

TEST(JsonCutTest, SizesOfBlocksChangeNothing) {
  std::vector<std::size_t> places;
  const std::string lines = join("\n\n", 0, places);
  const std::string array = "\xEF\xBB\xBF \n [" + join(" , ", 0, places) + "]\n\n";
  for (std::size_t block = 1; block <= array.size() + 1; ++block) {
    EXPECT_EQ(read(lines, block), kRows) << block;
    EXPECT_EQ(read(array, block), kRows) << block;
  }
}

// Damage must be detected or change only what it touches, however the file is cut.
TEST(JsonCutTest, DamagedTextsAreReadTheSameHoweverTheyAreCut) {
  std::vector<std::size_t> places;
  const std::string lines = join("\n", 0, places);
  const std::string array = "[" + join(",", 0, places) + "]";
  source::Dice dice(20240607);
  const auto random = [&] { return static_cast<std::size_t>(dice.word() >> 32); };
  const std::string bytes = "{}[]\",:\\\n 1eanu\x01\xC3";
  std::size_t accepted = 0;
  for (std::size_t trial = 0; trial < 4000 / kThinning; ++trial) {
    std::string text = trial % 2 == 0 ? lines : array;
    for (std::size_t i = random() % 3; i < 3; ++i) {
      text[random() % text.size()] = bytes[random() % bytes.size()];
    }
    if (random() % 4 == 0) text.resize(random() % text.size());
    const std::string whole = read(text);
    const std::string cut = read(text, 1 + random() % 40);
    if (whole.starts_with("malformed")) {
      EXPECT_TRUE(cut.starts_with("malformed")) << text;
    } else {
      ++accepted;
      EXPECT_EQ(cut, whole) << text;
    }
  }
  EXPECT_GT(accepted, 100 / kThinning);
}

TEST(JsonCutTest, RecordsEndAtTheirLimit) {
  const auto record = [](std::size_t size) {
    return "{\"a\":\"" + std::string(size - 8, 'x') + "\"}";
  };
  const std::string longest = record(kMaxRecordBytes - 1);
  const std::string longer = record(kMaxRecordBytes);
  for (const std::string& front : {""s, "\n{\"a\":0}\n"s}) {
    EXPECT_FALSE(is_malformed(front + longest + "\n{}")) << front.size();
    EXPECT_FALSE(is_malformed(front + longer)) << front.size();
    EXPECT_TRUE(is_malformed(front + longer + "\n{}")) << front.size();
    EXPECT_TRUE(is_malformed(front + longer + " ")) << front.size();
  }
  for (const std::string& front : {"["s, "[{\"a\":0},"s}) {
    EXPECT_FALSE(is_malformed(front + longest + ",{}]")) << front;
    EXPECT_TRUE(is_malformed(front + longer + ",{}]")) << front;
    EXPECT_FALSE(is_malformed(front + longest + "]")) << front;
    EXPECT_TRUE(is_malformed(front + longer + "]")) << front;
  }
}

// Quadratic time would take minutes here.
TEST(JsonCutTest, ManyKeysTakeNoQuadraticTime) {
  std::string keys = "{\"k\":0";
  for (std::size_t i = 0; i < 400'000 / kThinning; ++i) keys += ",\"" + std::to_string(i) + "\":0";
  const std::string twice = keys + ",\"7\":0}";
  keys += "}";
  EXPECT_FALSE(is_malformed(keys + "\n" + keys));
  EXPECT_FALSE(is_malformed("{}\n" + keys));
  EXPECT_TRUE(is_malformed("{}\n" + twice));
  EXPECT_TRUE(is_malformed(keys + "\n" + twice));
}

TEST(JsonArrayTest, SpaceAfterTheLastRecordIsNotPartOfIt) {
  const std::string space(kMaxRecordBytes - 1, ' ');
  EXPECT_FALSE(is_malformed(R"([{"v":1},{"v":2}])" + space));
  EXPECT_FALSE(is_malformed(R"([{"v":1},{"v":2},{"v":333333}])" + space));
  EXPECT_FALSE(is_malformed(R"([{"v":1},{"v":2})" + space + R"(,{"v":3}])"));
  EXPECT_TRUE(is_malformed(R"([{"v":1},{"v":2}])" + space + " "));
}

}  // namespace json_cut_test
}  // namespace lastbit::source
