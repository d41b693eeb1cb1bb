// Which fields the types of a stream have.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <variant>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"
#include "lastbit/engines/arrow/arrow_rows.h"
#include "lastbit/engines/arrow/arrow_test_support.h"
#include "lastbit/release/fields/field_text.h"

namespace lastbit::engine {
namespace arrow_fields_test {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

// Fields as texts; a missing one is "-".
using Texts = std::vector<std::string>;

std::string text_of_value(std::int64_t value) { return std::to_string(value); }
std::string text_of_value(Int128 value) { return Integer(value).to_string(); }
std::string text_of_value(std::string_view value) { return std::string(value); }
std::string text_of_value(double value) {
  return std::isnan(value) ? "nan" : std::to_string(value);
}

Texts fields_of(const RowSource& source, FieldType type) {
  Texts texts;
  const std::vector<RowColumn> columns = {{"x", type}};
  ColumnReader reader;
  source.give_rows(columns, RowOrder::kAny, [&](std::span<const ColumnBatch> batch) {
    const FieldBatch fields = reader.read(batch[0]);
    for (std::size_t row = 0; row < batch[0].rows; ++row) {
      const auto text = [&](const auto& values) { return text_of_value(values[row]); };
      texts.push_back(fields.is_missing(row) ? "-" : std::visit(text, fields.values));
    }
  });
  return texts;
}

StreamParts one_column(SchemaParts schema, ArrayParts array) {
  schema.name = "x";
  StreamParts stream;
  stream.schema = {"+s", "", {std::move(schema)}};
  ArrayParts batch{array.length, {std::nullopt}};
  batch.children = {std::move(array)};
  stream.batches = {std::move(batch)};
  return stream;
}

Texts read_column(SchemaParts schema, ArrayParts array, FieldType type) {
  HandedOut out;
  ArrowArrayStream stream = stream_of(one_column(std::move(schema), std::move(array)), out);
  return fields_of(*read_arrow_stream(stream, "frame"), type);
}

template <class T>
Texts read_numbers(const std::string& format, const std::vector<T>& numbers, FieldType type) {
  ArrayParts array{std::ssize(numbers), {std::nullopt, bytes_of(numbers)}};
  return read_column({format}, std::move(array), type);
}

TEST(ArrowFieldsTest, WholeNumbersOfEveryWidth) {
  const FieldType type = FieldType::kInteger;
  EXPECT_EQ(read_numbers<std::int8_t>("c", {-128, 127}, type), (Texts{"-128", "127"}));
  EXPECT_EQ(read_numbers<std::uint8_t>("C", {0, 255}, type), (Texts{"0", "255"}));
  EXPECT_EQ(read_numbers<std::int16_t>("s", {-32768}, type), (Texts{"-32768"}));
  EXPECT_EQ(read_numbers<std::uint16_t>("S", {65535}, type), (Texts{"65535"}));
  EXPECT_EQ(read_numbers<std::int32_t>("i", {-2147483647}, type), (Texts{"-2147483647"}));
  EXPECT_EQ(read_numbers<std::uint32_t>("I", {4294967295}, type), (Texts{"4294967295"}));
  EXPECT_EQ(read_numbers<std::int64_t>("l", {kMin, kMax}, type),
            (Texts{std::to_string(kMin), std::to_string(kMax)}));
}

TEST(ArrowFieldsTest, UnsignedNumbersAsTheReleaseDeclaresThem) {
  const std::vector<std::uint64_t> numbers = {0, 9223372036854775807U, 9223372036854775808U,
                                              18446744073709551615U};
  EXPECT_EQ(read_numbers("L", numbers, FieldType::kUnsigned),
            (Texts{"0", "9223372036854775807", "9223372036854775808", "18446744073709551615"}));
  EXPECT_EQ(read_numbers("L", numbers, FieldType::kInteger),
            (Texts{"0", "9223372036854775807", "-", "-"}));
  EXPECT_EQ(read_numbers("L", numbers, FieldType::kReal),
            (Texts{"0.000000", "9223372036854775808.000000", "9223372036854775808.000000",
                   "18446744073709551616.000000"}));
}

TEST(ArrowFieldsTest, RealNumbersOfEveryWidth) {
  const FieldType type = FieldType::kReal;
  // 1, the largest, the smallest, -2^-14, -infinity, NaN.
  const std::vector<std::uint16_t> halves = {0x3c00, 0x7bff, 0x0001, 0x8400, 0xfc00, 0x7e00};
  HandedOut out;
  ArrayParts array{std::ssize(halves), {std::nullopt, bytes_of(halves)}};
  ArrowArrayStream stream = stream_of(one_column({"e"}, std::move(array)), out);
  const std::vector<RowColumn> columns = {{"x", type}};
  read_arrow_stream(stream, "frame")
      ->give_rows(columns, RowOrder::kAny, [](std::span<const ColumnBatch> batch) {
        const auto values = std::get<std::span<const double>>(batch[0].values);
        EXPECT_EQ(values[0], 1);
        EXPECT_EQ(values[1], 65504);
        EXPECT_EQ(values[2], 0x1p-24);
        EXPECT_EQ(values[3], -0x1p-14);
        EXPECT_EQ(values[4], -std::numeric_limits<double>::infinity());
        EXPECT_TRUE(std::isnan(values[5]));
      });
  EXPECT_EQ(read_numbers<float>("f", {0.5F, -1e30F}, type),
            (Texts{"0.500000", std::to_string(static_cast<double>(-1e30F))}));
  EXPECT_EQ(read_numbers<double>("g", {0.5, NAN}, type), (Texts{"0.500000", "nan"}));
}

TEST(ArrowFieldsTest, DecimalsAreExact) {
  const Int128 big = kDecimalEnd - 1;
  EXPECT_EQ(read_numbers<Int128>("d:38,2", {-1, big, kDecimalEnd}, FieldType::decimal(2)),
            (Texts{"-1", Integer(big).to_string(), "-"}));
  EXPECT_EQ(read_numbers<Int128>("d:38,0", {big, -big}, FieldType::decimal(0)),
            (Texts{Integer(big).to_string(), Integer(-big).to_string()}));
  // Two numbers each: -1, 2^128, and -2^127, which has a lower half like 2^127.
  const Int128 half = static_cast<Int128>(1) << 126;
  const std::vector<Int128> pairs = {-1, -1, 0, 1, -half - half, 0};
  EXPECT_EQ(
      read_column({"d:30,4,256"}, {3, {std::nullopt, bytes_of(pairs)}}, FieldType::decimal(4)),
      (Texts{"-1", "-", "-"}));
  EXPECT_EQ(read_numbers<std::int32_t>("d:9,4,32", {-5}, FieldType::decimal(4)), (Texts{"-5"}));
  EXPECT_EQ(read_numbers<std::int64_t>("d:18,4,64", {kMin}, FieldType::decimal(4)),
            (Texts{std::to_string(kMin)}));
  EXPECT_EQ(read_numbers<Int128>("d:38,20", {power_of_ten(20) / 4, kDecimalEnd}, FieldType::kReal),
            (Texts{"0.250000", "-"}));
  EXPECT_EQ(read_numbers<Int128>("d:9,2", {-150}, FieldType::kReal), (Texts{"-1.500000"}));
  // Without decimals and with few digits they are whole numbers; more digits than that are a lie.
  EXPECT_EQ(read_numbers<Int128>("d:18,0", {kMax, Int128{kMax} + 1}, FieldType::kInteger),
            (Texts{std::to_string(kMax), "-"}));
}

TEST(ArrowFieldsTest, DatesOutsideOfTheCalendarAreMissing) {
  EXPECT_EQ(read_numbers<std::int32_t>("tdD", {-719'529, -719'528, 2'932'896, 2'932'897},
                                       FieldType::kDate),
            (Texts{"-", "-719528", "2932896", "-"}));
  // The day in which a moment lies.
  EXPECT_EQ(read_numbers<std::int64_t>("tdm", {0, -1, 86'399'999, 86'400'000, kMin, kMax},
                                       FieldType::kDate),
            (Texts{"0", "-1", "0", "1", "-", "-"}));
}

TEST(ArrowFieldsTest, TimesAreWholeMicroseconds) {
  const FieldType type = FieldType::kTime;
  EXPECT_EQ(read_numbers<std::int32_t>("tts", {0, 86'399, 86'400, -1}, type),
            (Texts{"0", "86399000000", "-", "-"}));
  EXPECT_EQ(read_numbers<std::int32_t>("ttm", {1}, type), (Texts{"1000"}));
  EXPECT_EQ(read_numbers<std::int64_t>("ttu", {1, kDayMicros}, type), (Texts{"1", "-"}));
  EXPECT_EQ(read_numbers<std::int64_t>("ttn", {1'999, -1, kMin}, type), (Texts{"1", "-", "-"}));
}

TEST(ArrowFieldsTest, TimestampsAreInstantsOrLocalTimes) {
  const FieldType utc = FieldType::kTimestamp;
  EXPECT_EQ(read_numbers<std::int64_t>("tss:", {-1, kMax}, utc), (Texts{"-1000000", "-"}));
  EXPECT_EQ(read_numbers<std::int64_t>("tsm:UTC", {5, kMin}, utc), (Texts{"5000", "-"}));
  EXPECT_EQ(read_numbers<std::int64_t>("tsu:Europe/Berlin",
                                       {kFirstInstant - 1, kFirstInstant, kLastInstant + 1}, utc),
            (Texts{"-", std::to_string(kFirstInstant), "-"}));
  EXPECT_EQ(read_numbers<std::int64_t>("tsn:", {-1, 1'999, kMax}, utc),
            (Texts{"-1", "1", "9223372036854775"}));
  // A column without a zone is local time in the zone of the release; one with a zone is not.
  const auto zone = std::get<const TimeZone*>(TimeZone::find("+02:00"));
  const FieldType there = FieldType::timestamp(*zone);
  EXPECT_EQ(read_numbers<std::int64_t>("tss:", {7200}, there), (Texts{"0"}));
  EXPECT_EQ(read_numbers<std::int64_t>("tss:Asia/Tokyo", {7200}, there), (Texts{"7200000000"}));
}

TEST(ArrowFieldsTest, NothingIsMissing) {
  EXPECT_EQ(read_column({"n"}, {3}, FieldType::kInteger), (Texts{"-", "-", "-"}));
  EXPECT_EQ(read_column({"c", "", {}, {{"n"}}},
                        {2, {std::nullopt, std::string(2, '\0')}, {}, {{1}}}, FieldType::kInteger),
            (Texts{"-", "-"}));
}

TEST(ArrowFieldsTest, BitsAndTextsFromAnyOffset) {
  ArrayParts bits{3, {bits_of("1111111101"), bits_of("0000000101")}};
  bits.offset = 7;
  EXPECT_EQ(read_column({"b"}, bits, FieldType::kBoolean), (Texts{"1", "-", "1"}));
  ArrayParts texts{2, {std::nullopt, bytes_of(std::vector<std::int32_t>{9, 2, 2, 5}), "??abc"}};
  texts.offset = 1;
  EXPECT_EQ(read_column({"u"}, texts, FieldType::kText), (Texts{"", "abc"}));
}

TEST(ArrowFieldsTest, NoFormatLeavesAnEmptyTextOut) {
  ArrayParts texts{1, {std::nullopt, bytes_of(std::vector<std::int64_t>{0, 0}), std::nullopt}};
  EXPECT_EQ(read_column({"U"}, texts, FieldType::kText), (Texts{""}));
}

// A column that no release can use is none's business, unless one asks for it.
TEST(ArrowFieldsTest, OtherTypesMatterOnlyWhereTheyAreUsed) {
  const std::string extension = bytes_of(std::vector<std::int32_t>{1, 20}) +
                                "ARROW:extension:name" + bytes_of(std::vector<std::int32_t>{4}) +
                                "uuid";
  const std::string harmless = bytes_of(std::vector<std::int32_t>{1, 4}) + "note" +
                               bytes_of(std::vector<std::int32_t>{2}) + "ok";
  const std::vector<std::pair<SchemaParts, std::string>> refused = {
      {{"+l", "y", {{"l", "item"}}}, "list"},
      {{"+vl", "y"}, "list_view"},
      {{"+s", "y"}, "struct"},
      {{"+m", "y"}, "map"},
      {{"+us:0,1", "y"}, "sparse_union"},
      {{"+r", "y"}, "run_end_encoded"},
      {{"+w:3", "y"}, "fixed_size_list"},
      {{"z", "y"}, "binary"},
      {{"vz", "y"}, "binary_view"},
      {{"w:16", "y"}, "fixed_size_binary"},
      {{"tDs", "y"}, "duration"},
      {{"tin", "y"}, "interval"},
      {{"_pli128", "y"}, "_pli128"},
      {{"tsx:", "y"}, "tsx:"},
      {{"ts", "y"}, "ts"},
      {{"d:39,2", "y"}, "decimal(39,2)"},
      {{"d:9,-2", "y"}, "decimal(9,-2)"},
      {{"d:9,2,96", "y"}, "decimal(9,2,96)"},
      {{"d:9", "y"}, "decimal(9)"},
      {{"", "y"}, ""},
      {{"g", "y", {}, {{"u"}}}, "dictionary of string"},
      {{"tdD", "y", {}, {{"u"}}}, "dictionary of string"},
      {{"c", "y", {}, {{"c", "", {}, {{"u"}}}}}, "dictionary of int8"},
      {{"u", "y", {}, {}, extension}, "uuid"},
      {{"c", "y", {}, {{"u", "", {}, {}, extension}}}, "uuid"}};
  for (const auto& [schema, type_name] : refused) {
    StreamParts parts = one_column({"l", "", {}, {}, harmless},
                                   {1, {std::nullopt, bytes_of(std::vector<std::int64_t>{7})}});
    parts.schema.children.push_back(schema);
    parts.batches[0].children.push_back({1});
    HandedOut out;
    ArrowArrayStream stream = stream_of(parts, out);
    const auto rows = read_arrow_stream(stream, "frame");
    EXPECT_EQ(fields_of(*rows, FieldType::kInteger), (Texts{"7"}));
    const SchemaColumn odd = rows->schema().at(1);
    EXPECT_FALSE(odd.type.has_value()) << type_name;
    EXPECT_EQ(odd.type_name, type_name);
    const std::vector<RowColumn> columns = {{"y", FieldType::kText}};
    expect_code(ErrorCode::kBadInput, [&] {
      rows->give_rows(columns, RowOrder::kAny, [](std::span<const ColumnBatch>) {});
    });
  }
}

TEST(ArrowFieldsTest, ColumnsAreReadAsTheirTypesAllow) {
  const ArrayParts array{1, {std::nullopt, bytes_of(std::vector<std::int64_t>{7})}};
  HandedOut out;
  ArrowArrayStream stream = stream_of(one_column({"l"}, array), out);
  const auto rows = read_arrow_stream(stream, "frame");
  EXPECT_EQ(rows->name(), "frame");
  EXPECT_EQ(rows->schema().at(0).name, "x");
  EXPECT_EQ(rows->schema().at(0).type_name, "int64");
  const auto read = [&](RowColumn column, RowOrder order) {
    return [&rows, column, order] {
      rows->give_rows({&column, 1}, order, [](std::span<const ColumnBatch>) {});
    };
  };
  expect_code(ErrorCode::kBadInput, read({"x", FieldType::kText}, RowOrder::kAny));
  expect_code(ErrorCode::kBadInput, read({"X", FieldType::kInteger}, RowOrder::kAny));
  expect_code(ErrorCode::kNotSupported, read({"x", FieldType::kInteger}, RowOrder::kByUnit));
  EXPECT_NO_THROW(read({"x", FieldType::kReal}, RowOrder::kAny)());
}

TEST(ArrowFieldsTest, RowsAreThereWithoutColumns) {
  StreamParts parts;
  parts.schema.format = "+s";
  parts.batches = {{40'000, {std::nullopt}}, {0, {std::nullopt}}, {5, {std::nullopt}}};
  HandedOut out;
  ArrowArrayStream stream = stream_of(parts, out);
  std::size_t rows = 0;
  read_arrow_stream(stream, "frame")
      ->give_rows({}, RowOrder::kAny, [&](std::span<const ColumnBatch> batch) {
        ASSERT_EQ(batch.size(), 1U);
        rows += batch[0].rows;
      });
  EXPECT_EQ(rows, 40'005U);
}

}  // namespace arrow_fields_test
}  // namespace lastbit::engine
