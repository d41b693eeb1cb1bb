// Streams that do not have the form that they promise; and that everything is released once.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"
#include "lastbit/engines/arrow/arrow_rows.h"
#include "lastbit/engines/arrow/arrow_test_support.h"

namespace lastbit::engine {
namespace arrow_lies_test {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

std::string offsets_of(const std::vector<std::int32_t>& offsets) { return bytes_of(offsets); }
std::string codes_of(const std::vector<std::int32_t>& codes) { return bytes_of(codes); }

// Four columns in two batches: numbers, texts, views, and codes of texts.
ArrayParts honest_batch() {
  const ArrayParts numbers{3, {std::nullopt, bytes_of(std::vector<std::int64_t>{1, 2, 3})}};
  const ArrayParts texts{3, {bits_of("101"), offsets_of({0, 1, 2, 4}), "a\xff\xc3\xa9"}};
  // A short text, a missing one, and 13 bytes from the second of the second buffer.
  const std::string views = bytes_of(std::vector<std::int32_t>{1, 'x', 0, 0}) +
                            bytes_of(std::vector<std::int32_t>{-1, -1, -1, -1}) +
                            bytes_of(std::vector<std::int32_t>{13, 0, 1, 1});
  const ArrayParts viewed{
      3, {bits_of("101"), views, "", "?thirteen long", bytes_of(std::vector<std::int64_t>{0, 14})}};
  const ArrayParts words{2, {std::nullopt, offsets_of({0, 2, 3}), "noy"}};
  const ArrayParts coded{3, {bits_of("011"), codes_of({-5, 1, 0})}, {}, {words}};
  return {3, {std::nullopt}, {numbers, texts, viewed, coded}};
}

StreamParts honest_stream() {
  StreamParts stream;
  stream.schema = {
      "+s", "", {{"l", "n"}, {"u", "t"}, {"vu", "v"}, {"i", "c", {}, {{"u"}}}, {"+l", "odd"}}};
  stream.batches = {honest_batch(), honest_batch()};
  for (ArrayParts& batch : stream.batches) batch.children.push_back({3});
  return stream;
}

using Change = std::function<void(StreamParts&)>;

// The error that reading the changed stream is refused with, or an empty text.
std::string refusal(const Change& change) {
  StreamParts parts = honest_stream();
  change(parts);
  HandedOut out;
  std::string message;
  ArrowArrayStream stream = stream_of(parts, out);
  try {
    read_arrow_stream(stream, "frame");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    message = error.what();
  }
  EXPECT_EQ(stream.release, nullptr);
  EXPECT_TRUE(out.held.empty()) << message;
  EXPECT_EQ(out.wrong_releases, 0) << message;
  EXPECT_GT(out.made, 0);
  return message;
}

// In the second batch, so that the first one is held when the error comes.
std::string batch_refusal(const std::function<void(ArrayParts&)>& change) {
  return refusal([&](StreamParts& parts) { change(parts.batches[1]); });
}
std::string column_refusal(std::size_t column, const std::function<void(ArrayParts&)>& change) {
  const std::string message =
      batch_refusal([&](ArrayParts& batch) { change(batch.children[column]); });
  static const std::vector<std::string> kNames = {"'n'", "'t'", "'v'", "'c'", "'odd'"};
  EXPECT_NE(message.find(kNames[column]), std::string::npos) << message;
  return message;
}

#define EXPECT_SAYS(message, words) EXPECT_NE((message).find(words), std::string::npos) << (message)

TEST(ArrowLiesTest, TheHonestStreamIsRead) {
  EXPECT_EQ(refusal([](StreamParts&) {}), "");
}

TEST(ArrowLiesTest, Schemas) {
  EXPECT_SAYS(refusal([](StreamParts& s) { s.schema.format = "l"; }), "no struct");
  EXPECT_SAYS(refusal([](StreamParts& s) { s.schema.children[1].name = "n"; }), "two columns");
  EXPECT_SAYS(refusal([](StreamParts& s) { s.schema.children[1].name = "\xff"; }), "not UTF-8");
}

TEST(ArrowLiesTest, LengthsAndOffsetsOfBatches) {
  const auto too_few = "fewer fields";
  EXPECT_SAYS(batch_refusal([](ArrayParts& b) { b.length = -1; }), "impossible length");
  EXPECT_SAYS(batch_refusal([](ArrayParts& b) { b.length = kMax; }), "impossible length");
  EXPECT_SAYS(batch_refusal([](ArrayParts& b) { b.offset = -1; }), "impossible length");
  EXPECT_SAYS(batch_refusal([](ArrayParts& b) { b.offset = kMax; }), "impossible length");
  EXPECT_SAYS(batch_refusal([](ArrayParts& b) { b.length = 4; }), too_few);
  EXPECT_SAYS(batch_refusal([](ArrayParts& b) { b.offset = 1; }), too_few);
  EXPECT_SAYS(batch_refusal([](ArrayParts& b) { b.null_count = 1; }), "missing as a whole");
  EXPECT_SAYS(batch_refusal([](ArrayParts& b) { b.buffers = {bits_of("101")}; }),
              "missing as a whole");
  EXPECT_EQ(batch_refusal([](ArrayParts& b) { b.buffers = {bits_of("111")}; }), "");
  EXPECT_SAYS(batch_refusal([](ArrayParts& b) { b.children.pop_back(); }), "other columns");
  EXPECT_SAYS(batch_refusal([](ArrayParts& b) { b.children.push_back({3}); }), "other columns");
  EXPECT_EQ(batch_refusal([](ArrayParts& b) { b.length = 2; }), "");
}

TEST(ArrowLiesTest, LengthsAndOffsetsOfColumns) {
  for (std::size_t column = 0; column < 5; ++column) {
    const auto says = [&](const std::function<void(ArrayParts&)>& change, const char* words) {
      EXPECT_SAYS(column_refusal(column, change), words);
    };
    says([](ArrayParts& a) { a.length = -1; }, "impossible length");
    says([](ArrayParts& a) { a.length = kMax; }, "impossible length");
    says([](ArrayParts& a) { a.length = 2; }, column == 4 ? "fewer" : "fewer fields");
    says([](ArrayParts& a) { a.offset = -1; }, "impossible offset");
    says([](ArrayParts& a) { a.offset = kMax; }, "impossible offset");
    says([](ArrayParts& a) { a.null_count = -2; }, "impossible number of missing");
    says([](ArrayParts& a) { a.null_count = 4; }, "impossible number of missing");
    says([](ArrayParts& a) { a.is_released = true; }, "released before");
  }
}

TEST(ArrowLiesTest, Buffers) {
  for (std::size_t column = 0; column < 4; ++column) {
    const auto says = [&](const std::function<void(ArrayParts&)>& change, const char* words) {
      EXPECT_SAYS(column_refusal(column, change), words);
    };
    says([](ArrayParts& a) { a.buffers.clear(); }, "buffers of its type");
    says([](ArrayParts& a) { a.buffers.resize(1); }, "buffers of its type");
    says([](ArrayParts& a) { a.buffers[1].reset(); }, "no buffer of values");
    says(
        [](ArrayParts& a) {
          a.buffers[0].reset();
          a.null_count = 1;
        },
        "does not say which");
  }
  EXPECT_SAYS(column_refusal(0, [](ArrayParts& a) { a.buffers.emplace_back(""); }),
              "buffers of its type");
  EXPECT_SAYS(column_refusal(1, [](ArrayParts& a) { a.buffers[2].reset(); }), "without a buffer");
}

TEST(ArrowLiesTest, OffsetsOfTexts) {
  for (const auto& offsets : {std::vector<std::int32_t>{-1, 1, 2, 4}, {0, 3, 2, 4}, {0, 1, 4, 2}}) {
    EXPECT_SAYS(column_refusal(1, [&](ArrayParts& a) { a.buffers[1] = offsets_of(offsets); }),
                "do not ascend");
  }
}

TEST(ArrowLiesTest, TextsThatAreNotUtf8) {
  EXPECT_SAYS(column_refusal(1, [](ArrayParts& a) { a.buffers[0].reset(); }), "not UTF-8");
  EXPECT_SAYS(column_refusal(1, [](ArrayParts& a) { a.buffers[1] = offsets_of({0, 1, 2, 3}); }),
              "not UTF-8");
  EXPECT_SAYS(column_refusal(2, [](ArrayParts& a) { a.buffers[3] = "?thirteen lon\xff"; }),
              "not UTF-8");
  EXPECT_SAYS(column_refusal(3, [](ArrayParts& a) { a.dictionary[0].buffers[2] = "n\xffy"; }),
              "not UTF-8");
}

TEST(ArrowLiesTest, Views) {
  const auto with_view = [](std::vector<std::int32_t> view) {
    return [view](ArrayParts& a) {
      std::string& views = *a.buffers[1];
      views = views.substr(0, 32) + bytes_of(view);
    };
  };
  const auto outside = "outside of its buffers";
  EXPECT_SAYS(column_refusal(2, with_view({-1, 0, 0, 0})), outside);
  EXPECT_SAYS(column_refusal(2, with_view({13, 0, 2, 0})), outside);
  EXPECT_SAYS(column_refusal(2, with_view({13, 0, -1, 0})), outside);
  EXPECT_SAYS(column_refusal(2, with_view({13, 0, 1, -1})), outside);
  EXPECT_SAYS(column_refusal(2, with_view({13, 0, 1, 2})), outside);
  EXPECT_SAYS(column_refusal(2, with_view({13, 0, 0, 0})), outside);
  EXPECT_SAYS(column_refusal(2, with_view({2147483647, 0, 1, 2147483647})), outside);
  EXPECT_EQ(batch_refusal([&](ArrayParts& b) { with_view({13, 0, 1, 0})(b.children[2]); }), "");
  EXPECT_SAYS(column_refusal(2, [](ArrayParts& a) { a.buffers[3].reset(); }), outside);
  EXPECT_SAYS(column_refusal(2, [](ArrayParts& a) { a.buffers[4].reset(); }), "no sizes");
}

TEST(ArrowLiesTest, Dictionaries) {
  EXPECT_SAYS(column_refusal(3, [](ArrayParts& a) { a.dictionary.clear(); }), "no dictionary");
  for (const std::int32_t code : {2, -1}) {
    EXPECT_SAYS(column_refusal(3, [&](ArrayParts& a) { a.buffers[1] = codes_of({0, 1, code}); }),
                "outside of its dictionary");
  }
  EXPECT_SAYS(column_refusal(3, [](ArrayParts& a) { a.dictionary[0].length = 1; }),
              "outside of its dictionary");
  EXPECT_SAYS(column_refusal(3, [](ArrayParts& a) { a.dictionary[0].length = -1; }),
              "impossible length");
  EXPECT_SAYS(column_refusal(3, [](ArrayParts& a) { a.dictionary[0].offset = -1; }),
              "impossible offset");
  EXPECT_SAYS(column_refusal(3, [](ArrayParts& a) { a.dictionary[0].is_released = true; }),
              "released before");
  EXPECT_SAYS(column_refusal(3, [](ArrayParts& a) { a.dictionary[0].buffers.resize(2); }),
              "buffers of its type");
  // A code of 64 bits without a sign is no negative one.
  EXPECT_SAYS(refusal([](StreamParts& s) {
                s.schema.children[3].format = "L";
                for (ArrayParts& batch : s.batches) {
                  batch.children[3].buffers[1] = bytes_of(std::vector<std::int64_t>{0, 1, -1});
                }
              }),
              "outside of its dictionary");
}

// Codes of numbers are checked like those of texts.
TEST(ArrowLiesTest, DictionariesOfNumbers) {
  for (const std::int8_t code : std::vector<std::int8_t>{1, 2, -1}) {
    StreamParts parts;
    parts.schema = {"+s", "", {{"c", "x", {}, {{"l"}}}}};
    const ArrayParts entries{2, {std::nullopt, bytes_of(std::vector<std::int64_t>{5, 6})}};
    const ArrayParts codes{
        1, {std::nullopt, bytes_of(std::vector<std::int8_t>{code})}, {}, {entries}};
    const std::string message = refusal([&](StreamParts& s) {
      s = parts;
      s.batches = {{1, {std::nullopt}, {codes}}};
    });
    EXPECT_EQ(message.find("outside of its dictionary") == std::string::npos, code == 1) << message;
  }
}

// The stream's own words may quote a field.
TEST(ArrowLiesTest, StreamsThatFail) {
  for (const Change& change : {Change([](StreamParts& s) { s.schema_error = 22; }),
                               Change([](StreamParts& s) { s.end_error = 22; })}) {
    const std::string message = refusal(change);
    EXPECT_SAYS(message, "error number 22");
    EXPECT_EQ(message.find("12345"), std::string::npos);
  }
}

TEST(ArrowLiesTest, AStreamIsTakenOnce) {
  HandedOut out;
  ArrowArrayStream stream = stream_of(honest_stream(), out);
  auto rows = read_arrow_stream(stream, "frame");
  EXPECT_EQ(stream.release, nullptr);
  expect_code(ErrorCode::kBadInput, [&] { read_arrow_stream(stream, "frame"); });
  EXPECT_FALSE(out.held.empty());
  const auto shared = rows;
  rows.reset();
  EXPECT_NO_THROW(shared->require_unchanged());
  const std::vector<RowColumn> columns = {{"v", FieldType::kText}, {"c", FieldType::kText}};
  std::vector<std::string_view> texts;
  shared->give_rows(columns, RowOrder::kAny, [&](std::span<const ColumnBatch> batch) {
    for (const ColumnBatch& column : batch) {
      const auto all = std::get<std::span<const std::string_view>>(column.values);
      texts.insert(texts.end(), all.begin(), all.end());
    }
  });
  const std::vector<std::string_view> once = {"x", "", "thirteen long", "", "y", "no"};
  EXPECT_EQ(std::vector(texts.begin(), texts.begin() + 6), once);
  EXPECT_EQ(std::vector(texts.begin() + 6, texts.end()), once);
}

TEST(ArrowLiesTest, EverythingIsReleasedWhenSomebodyElseThrows) {
  HandedOut out;
  {
    ArrowArrayStream stream = stream_of(honest_stream(), out);
    const auto rows = read_arrow_stream(stream, "frame");
    const auto stop = [](std::span<const ColumnBatch>) { throw std::runtime_error("enough"); };
    EXPECT_THROW(rows->give_rows({}, RowOrder::kAny, stop), std::runtime_error);
  }
  EXPECT_TRUE(out.held.empty());
  EXPECT_EQ(out.wrong_releases, 0);
}

}  // namespace arrow_lies_test
}  // namespace lastbit::engine
