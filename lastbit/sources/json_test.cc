#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"
#include "lastbit/sources/json_file.h"
#include "lastbit/sources/json_test_support.h"
#include "lastbit/sources/json_text.h"

namespace lastbit::source {
namespace json_test {

using source_testing::append_rows;
using source_testing::concat;
using source_testing::is_malformed;
using source_testing::read;
using source_testing::rows_of;
using std::string_literals::operator""s;

struct GoodText {
  std::string text;
  std::string read;
};

const std::vector<GoodText> kGoodTexts = {
    {"", ""},
    {" \r\n\t\n ", ""},
    {"\xEF\xBB\xBF", ""},
    {"[]", ""},
    {" \n[ \n ]\r\n ", ""},
    {"{}", "<>"},
    {"{}\n{\"a\":1}\n", "<><>"},
    {"[{}]", "<>"},
    {R"({"a":1})", "a <1>"},
    {"\xEF\xBB\xBF{\"a\":1}", "a <1>"},
    {"\xEF\xBB\xBF [{\"a\":1}]", "a <1>"},
    {" \t{ \"a\" : 1 } \r\n\r\n\n{\"a\":2}", "a <1><2>"},
    {"[{\"a\":1},\n\n{\"a\":2}\n,{\"a\":3}]\n", "a <1><2><3>"},
    {"{\"b\":1,\"a\":2}\n{\"a\":3,\"b\":4}\n{\"a\":5}\n{\"c\":6}", "b a <1|2><4|3><~|5><~|~>"},
    {R"({"a":"","b":"x y","c":"{[,]}"})", "a b c <|x y|{[,]}>"},
    {R"([{"a":"]},{"},{"a":"\"]"}])", "a <]},{><\"]>"},
    {R"({"a":true,"b":false,"c":null})", "a b c <true|false|~>"},
    {R"({"a":-0,"b":0.10,"c":1E+02,"d":1e-0,"e":-12.5e3})",
     "a b c d e <-0|0.10|1E+02|1e-0|-12.5e3>"},
    {R"({"a":123456789012345678901234567890.5})", "a <123456789012345678901234567890.5>"},
    {R"({"a":[],"b":{},"c":[1,[2,{"d":[]}],"x"],"e":{"f":1,"f":{"g":null}},"h":7})",
     "a b c e h <~|~|~|~|7>"},
    {R"({"":1," ":2})", "   <1|2>"},
    {"{\"\\u0061\":1}\n{\"a\":2}\n{\"\\u0061\":3}", "a <1><2><3>"},
    {"{\"\xC3\xA9\":\"\xE2\x82\xAC\xF0\x9F\x98\x80\"}", "\xC3\xA9 <\xE2\x82\xAC\xF0\x9F\x98\x80>"},
    {"{\"a\":\"\x7F\"}", "a <\x7F>"}};

// split: the texts of a table that are separated by bars. A dollar sign stands for a line feed.
std::vector<std::string> split(std::string_view table) {
  std::vector<std::string> parts;
  while (!table.empty()) {
    const std::size_t end = std::min(table.find(" |"), table.size());
    std::string part(table.substr(0, end));
    std::ranges::replace(part, '$', '\n');
    parts.push_back(std::move(part));
    table.remove_prefix(std::min(end + 3, table.size()));
  }
  return parts;
}

// Each value must be refused as a field, inside arrays and objects, and for keys that nobody asked
// for.
std::vector<std::string> bad_values() {
  std::vector<std::string> values = split(
      R"(nul | nulll | True | TRUE | NaN | Infinity | -Infinity | undefined | 01 | - | -a | +1 | .5 |
1. | 1.e3 | 1e | 1e+ | 1E- | 0x10 | 1_000 | --1 | 1 2 | 00 | -01 | 1.5.5 | 1e5e5 | 1e1.5 | 'a' | " |
"a | "a\" | "\" | "\a" | "\'" | "\x41" | "\0" | "\U0041" | "\u" | "\u123" | "\u12G4" | "\u-123" |
"\u 123" | "\uD800" | "\uDC00" | "\uDBFF\u0041" | "\uD83D\uD83D" | "\uDE00\uD83D" | "\uD83Dx" |
"\uD83D\n" | "\uD83D\uDE0" | "$" | [ | ] | [1 | [1, | [1,] | [,1] | [,] | [1,,2] | [1 2] | [1} |
[1:2] | [[1] | [1]] | { | } | {"b" | {"b": | {"b":1 | {"b":1, | {"b":1,} | {,} | {"b":1 "c":2} |
{"b":1] | {"b" 1} | {"b"::1} | {b:1} | {1:1} | {null:1} | {"b":} | {"b":1}} | // c$1 | /* c */ 1 |
1 // c | 1 /* c */ | 1 # c)");
  for (const std::string& value :
       {""s, "\"\t\""s, "\"\r\""s, "\"\x1F\""s, "\"\0\""s, "\v1"s, "\f1"s, "1\0"s, "\xC2\xA0 1"s,
        "\xEF\xBB\xBF"s, "\"\xFF\""s, "\"\xC0\xAF\""s, "\"\xED\xA0\x80\""s, "\"\xF4\x90\x80\x80\""s,
        "\"\xC3\""s}) {
    values.push_back(value);
  }
  return values;
}

std::vector<std::string> bad_texts() {
  std::vector<std::string> texts = split(
      R"(null | 1 | "a" | true | [[]] | [1] | [null] | ["a"] | x | { | } | ] | , | [ | [, ] | [{} | [{}, |
[{},] | [,{}] | [{},,{}] | [{} {}] | [{}]] | [{}] {} | [{}] x | [{}], | []] | []${} | [{}]$[{}] |
{}{} | {} {} | {}, | {},${} | {}$,{} | {}$null | {}$[] | {}$[{}] | {}$1 | {}$x | {}${ | {}$} | {$} |
{"a":$1} | {}${"a":$1} | {"a":"$"} | [{"a":"$"}] | {"a":1,"a":2} | {"a":1,"b":2,"a":null} |
{"a":1,"\u0061":2} | {}${"a":1,"a":1} | {}${"a":1,"b":1,"\u0061":1} | [{},{"":1,"":2}] |
{"a":1}${"b":1,"a":1,"b":1} | {"a":1}${"a":1,"a":1} | {"a":1}${"a":1,"\u0061":1})");
  for (const std::string& text : {"{}\n\xEF\xBB\xBF{}"s, "\xEF\xBB\xBF\xEF\xBB\xBF{}"s,
                                  "\xEF\xBB{}"s, "{}\n\xEF\xBB\xBF"s, "\0"s, "{}\0"s, "{}\n\0"s,
                                  "\v{}"s, "\xC2\xA0{}"s, "{\"\xC0\xAF\":1}"s, "\xFF\xFE{\0}\0"s}) {
    texts.push_back(text);
  }
  return texts;
}

TEST(JsonFileTest, GoodTextsAreReadAsDefined) {
  for (const GoodText& good : kGoodTexts) EXPECT_EQ(read(good.text), good.read) << good.text;
}

TEST(JsonFileTest, BadTextsAreRefused) {
  for (const std::string& text : bad_texts()) EXPECT_TRUE(is_malformed(text)) << text;
}

TEST(JsonFileTest, BadValuesAreRefusedWhereverTheyAre) {
  for (const std::string& value : bad_values()) {
    for (const auto& [before, after] :
         std::vector<std::pair<std::string, std::string>>{{"{\"a\":", "}"},
                                                          {"{\"a\":", ",\"z\":0}"},
                                                          {"{}\n{\"a\":", "}"},
                                                          {"[{\"a\":", "}]"},
                                                          {"{\"a\":[0,", "]}"},
                                                          {"{\"a\":[", ",0]}"},
                                                          {"{\"a\":{\"y\":", "}}"},
                                                          {"{\"a\":{\"y\":", ",\"z\":[]}}"}}) {
      const std::string text = concat({before, value, after});
      EXPECT_TRUE(is_malformed(text)) << text;
    }
  }
}

TEST(JsonFileTest, EveryFrontOfARecordIsRefused) {
  const std::string record = R"({"a":[-1.5e3,{"b":"\uD83D\uDE00"},true,null],"c":false})";
  EXPECT_FALSE(is_malformed(record));
  for (std::size_t size = 1; size < record.size(); ++size) {
    EXPECT_TRUE(is_malformed(record.substr(0, size))) << size;
    EXPECT_TRUE(is_malformed("{}\n" + record.substr(0, size) + "\n{}")) << size;
    EXPECT_TRUE(is_malformed("[{}," + record.substr(0, size) + ",{}]")) << size;
  }
}

TEST(JsonFileTest, NestingEndsAtItsLimit) {
  const auto nested = [](std::size_t depth) {
    return "{\"a\":" + std::string(depth - 1, '[') + std::string(depth - 1, ']') + "}";
  };
  const auto nested_objects = [](std::size_t depth) {
    std::string text;
    for (std::size_t i = 1; i < depth; ++i) text += "{\"a\":";
    return text + "{}" + std::string(depth - 1, '}');
  };
  for (const std::string& front : {""s, "{}\n"s}) {
    EXPECT_FALSE(is_malformed(front + nested(kMaxJsonDepth)));
    EXPECT_TRUE(is_malformed(front + nested(kMaxJsonDepth + 1)));
    EXPECT_FALSE(is_malformed(front + nested_objects(kMaxJsonDepth)));
    EXPECT_TRUE(is_malformed(front + nested_objects(kMaxJsonDepth + 1)));
    EXPECT_TRUE(is_malformed(front + "{\"a\":" + std::string(1'000'000, '[')));
  }
  EXPECT_FALSE(is_malformed("[" + nested(kMaxJsonDepth) + "]"));
  EXPECT_TRUE(is_malformed("[" + nested(kMaxJsonDepth + 1) + "]"));
}

TEST(JsonFileTest, ProblemsHaveTheirPlace) {
  const auto offset_in = [](std::string_view text) -> std::uint64_t {
    const TemporaryFile file(text);
    try {
      JsonFile json(file.path());
      rows_of(json);
    } catch (const Malformed& malformed) {
      return malformed.offset;
    }
    return text.size() + 1;
  };
  EXPECT_EQ(offset_in("{}\n{\"a\":x}\n{}"), 8U);
  EXPECT_EQ(offset_in("\xEF\xBB\xBF{}\n{\"a\":x}\n{}"), 11U);
  EXPECT_EQ(offset_in("{}\n{\"a\":\n1}"), 8U);
  EXPECT_EQ(offset_in("{\"a\":\n1}"), 5U);
  EXPECT_EQ(offset_in("[{},\n{\"a\":\n1x}]"), 12U);
  EXPECT_EQ(offset_in("{}\n{}\n{\"a\":\"\xFF\"}"), 12U);
  EXPECT_EQ(offset_in("{\"a\":1}\n{\"b\":1,\"a\":2,\"b\":3}"), 22U);
  EXPECT_EQ(offset_in("{\"a\":1}\n{\"b\":1,\"a\":2,\"a\":3}"), 22U);
}

TEST(JsonFileTest, OnlyWantedColumnsAreKept) {
  const TemporaryFile file("{\"a\":1,\"b\":2,\"c\":3}\n{\"c\":\"\\n\",\"x\":5,\"a\":4}");
  JsonFile json(file.path());
  Chunk chunk;
  ASSERT_TRUE(json.next(chunk));
  RawTable table(2);
  json.parse_some(chunk, 0, std::vector<std::size_t>{2, 0}, table);
  std::string rows;
  append_rows(rows, table, 2);
  EXPECT_EQ(rows, "<3|1><\n|4>");
  RawTable none(0);
  json.parse_some(chunk, 0, {}, none);
  EXPECT_EQ(none.rows(), 2U);
  EXPECT_FALSE(json.next(chunk));
  EXPECT_EQ(json.done(), 1);
}

TEST(JsonFileTest, PlainFieldsPointIntoTheChunk) {
  const TemporaryFile file(R"({"a":"text","b":12})");
  JsonFile json(file.path());
  Chunk chunk;
  ASSERT_TRUE(json.next(chunk));
  RawTable table(2);
  json.parse_some(chunk, 0, std::vector<std::size_t>{0, 1}, table);
  EXPECT_EQ(table.column(0)[0].value_or("").data(), chunk.bytes.data() + 6);
  EXPECT_EQ(table.column(1)[0].value_or("").data(), chunk.bytes.data() + 16);
}

TEST(JsonFileTest, SizesOfBlocksChangeNothing) {
  std::vector<std::string> texts = bad_texts();
  for (const GoodText& good : kGoodTexts) texts.push_back(good.text);
  for (const std::string& text : texts) {
    const std::string whole = read(text);
    for (std::size_t block = 1; block <= text.size() + 1; ++block) {
      const std::string cut = read(text, block);
      // Which of several problems is found first may differ.
      if (whole.starts_with("malformed")) {
        EXPECT_TRUE(cut.starts_with("malformed")) << block << " " << text;
      } else {
        EXPECT_EQ(cut, whole) << block << " " << text;
      }
    }
  }
}

TEST(JsonFileTest, FileThatIsNotThereIsRefused) {
  EXPECT_EQ(code_of([] { JsonFile("/nonexistent/x.json"); }), ErrorCode::kBadInput);
}

TEST(JsonTextTest, EscapesStandForTheirCharacters) {
  const std::vector<std::pair<std::string, std::string>> table = {
      {"", ""},
      {"plain", "plain"},
      {R"(\"\\\/\b\f\n\r\t)", "\"\\/\b\f\n\r\t"},
      {R"(\u0000)", "\0"s},
      {R"(\u0041\u007f\u0080\u07ff\u0800)", "A\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80"},
      {R"(\ud7ff\uE000\uFFFF)", "\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF"},
      {R"(\uD800\uDC00)", "\xF0\x90\x80\x80"},
      {R"(\udbff\udfff)", "\xF4\x8F\xBF\xBF"},
      {R"(x\uD83D\uDE00y\u00e9z)", "x\xF0\x9F\x98\x80y\xC3\xA9z"},
      {R"(\\u0041)", "\\u0041"},
      {R"(\\\\n)", "\\\\n"}};
  for (const auto& [raw, text] : table) {
    EXPECT_EQ(unescape(raw), text) << raw;
    EXPECT_EQ(read("{\"a\":\"" + raw + "\"}"), "a <" + text + ">") << raw;
  }
}

TEST(JsonTextTest, StringsEndAtTheirQuoteWhereverItIs) {
  // All places in eight-byte words, surrounded by bytes that differ from the quote in only a few
  // bits.
  for (std::size_t size = 0; size < 40; ++size) {
    for (const char filler : {'x', '!', '#', '[', ']', ' ', '\x7F'}) {
      const std::string text(size, filler);
      EXPECT_EQ(read(concat({"{\"a\":\"", text, "\",\"b\":\"c\"}"})),
                concat({"a b <", text, "|c>"}));
      EXPECT_TRUE(is_malformed(concat({"{\"a\":\"", text, "\x1F", text, "\"}"})));
      EXPECT_EQ(read(concat({"{\"a\":\"", text, "\\n\"}"})), concat({"a <", text, "\n>"}));
    }
  }
}

}  // namespace json_test
}  // namespace lastbit::source
