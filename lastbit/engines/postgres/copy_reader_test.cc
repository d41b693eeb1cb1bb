#include "lastbit/engines/postgres/copy_reader.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"
#include "lastbit/engines/kernel/kernel_test_support.h"

namespace lastbit::engine {
namespace copy_reader_test {

template <class T>
std::string wire(T number) {
  std::string bytes;
  for (std::size_t i = sizeof(T); i > 0; --i) {
    bytes += static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * (i - 1)) & 0xff);
  }
  return bytes;
}
std::string wire(double number) { return wire(std::bit_cast<std::uint64_t>(number)); }

const std::string kHeader = std::string("PGCOPY\n\377\r\n\0", 11) + std::string(8, '\0');
const std::string kEnd = "\xff\xff";

std::string row(const std::vector<std::optional<std::string>>& fields) {
  std::string bytes = wire(static_cast<std::int16_t>(fields.size()));
  for (const auto& field : fields) {
    bytes +=
        field ? wire(static_cast<std::int32_t>(field->size())) + *field : wire(std::int32_t{-1});
  }
  return bytes;
}

// shown: the fields of a batch, as the kernel gets them.
std::string shown(std::span<const ColumnBatch> batch) {
  std::string text;
  std::vector<ColumnReader> readers(batch.size());
  std::vector<FieldBatch> fields;
  for (std::size_t i = 0; i < batch.size(); ++i) fields.push_back(readers[i].read(batch[i]));
  for (std::size_t at = 0; at < batch.front().rows; ++at) {
    for (const FieldBatch& field : fields) {
      if (field.is_missing(at)) {
        text += "- ";
      } else if (std::holds_alternative<std::span<const std::int64_t>>(field.values)) {
        text += std::to_string(field.value<std::int64_t>(at)) + " ";
      } else if (std::holds_alternative<std::span<const double>>(field.values)) {
        text += std::to_string(field.value<double>(at)) + " ";
      } else if (std::holds_alternative<std::span<const Int128>>(field.values)) {
        text += Integer(field.value<Int128>(at)).to_string() + "w ";
      } else {
        text += "'" + std::string(field.value<std::string_view>(at)) + "' ";
      }
    }
    text += "\n";
  }
  return text;
}

const std::vector<CopyColumn> kMixed = {
    {"a", WireForm::kInt4, {ColumnKind::kInteger}, FieldType::kInteger},
    {"b", WireForm::kText, {ColumnKind::kText}, FieldType::kText},
    {"c", WireForm::kFloat8, {ColumnKind::kDouble}, FieldType::kReal},
    {"d", WireForm::kDate, {ColumnKind::kDate}, FieldType::kDate},
    {"e", WireForm::kNumeric, {ColumnKind::kDecimal, 8, 2}, FieldType::decimal(2)}};

// read: in pieces of such a length, each in memory of its own, so that a sanitizer sees its end.
std::string read(const std::string& bytes, std::size_t piece,
                 const std::vector<CopyColumn>& columns = kMixed) {
  std::string text;
  CopyReader reader("t", columns,
                    [&](std::span<const ColumnBatch> batch) { text += shown(batch); });
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    const std::size_t size = std::min(piece, bytes.size() - at);
    const auto copy = std::make_unique<char[]>(size);
    std::memcpy(copy.get(), bytes.data() + at, size);
    reader.add({copy.get(), size});
  }
  reader.finish();
  return text;
}

std::string numeric_123_45() {
  return wire(std::int16_t{2}) + wire(std::int16_t{0}) + wire(std::int16_t{0}) +
         wire(std::int16_t{2}) + wire(std::int16_t{123}) + wire(std::int16_t{4500});
}

std::string good() {
  return kHeader +
         row({wire(std::int32_t{-7}), "a '", wire(0.5), wire(std::int32_t{0}), numeric_123_45()}) +
         row({{}, {}, {}, {}, {}}) +
         row({wire(std::int32_t{8}), "", wire(-1.0), wire(std::numeric_limits<std::int32_t>::max()),
              numeric_123_45()}) +
         kEnd;
}

TEST(CopyReader, ReadsFieldsHoweverTheyAreCut) {
  const std::string expected =
      "-7 'a '' 0.500000 10957 12345w \n- - - - - \n8 '' -1.000000 - 12345w \n";
  for (std::size_t piece = 1; piece <= good().size(); ++piece) {
    EXPECT_EQ(read(good(), piece), expected) << piece;
  }
}

TEST(CopyReader, ReadsEveryForm) {
  const auto one = [](WireForm form, ColumnType type, FieldType wanted, const std::string& bytes) {
    return read(kHeader + row({bytes}) + kEnd, 1000, {{"x", form, type, wanted}});
  };
  EXPECT_EQ(one(WireForm::kBool, {ColumnKind::kBoolean}, FieldType::kBoolean, "\1"), "1 \n");
  EXPECT_EQ(one(WireForm::kInt2, {ColumnKind::kInteger}, FieldType::kInteger, "\xff\xfe"), "-2 \n");
  EXPECT_EQ(one(WireForm::kInt8, {ColumnKind::kInteger}, FieldType::kInteger,
                wire(std::numeric_limits<std::int64_t>::min())),
            "-9223372036854775808 \n");
  EXPECT_EQ(one(WireForm::kFloat4, {ColumnKind::kFloat}, FieldType::kReal,
                wire(std::bit_cast<std::uint32_t>(0.1F))),
            "0.100000 \n");
  EXPECT_EQ(one(WireForm::kTime, {ColumnKind::kTime, 0, 6}, FieldType::kTime,
                wire(std::int64_t{86'400'000'000})),
            "- \n");  // 24:00:00
  EXPECT_EQ(one(WireForm::kTimestamp, {ColumnKind::kTimestamp, 0, 6}, FieldType::kTimestamp,
                wire(std::int64_t{-1})),
            "946684799999999 \n");
  EXPECT_EQ(one(WireForm::kTimestamp, {ColumnKind::kLocalTime, 0, 6}, FieldType::kTimestamp,
                wire(std::numeric_limits<std::int64_t>::max() - 1)),
            "- \n");
  EXPECT_EQ(one(WireForm::kUuid, {ColumnKind::kNamed}, FieldType::kText,
                "\x01\x23\x45\x67\x89\xab\xcd\xef\x01\x23\x45\x67\x89\xab\xcd\xef"),
            "'01234567-89ab-cdef-0123-456789abcdef' \n");
  EXPECT_EQ(one(WireForm::kPaddedText, {ColumnKind::kText}, FieldType::kText, " a  "), "' a' \n");
  EXPECT_EQ(one(WireForm::kPaddedText, {ColumnKind::kText}, FieldType::kText, "  "), "'' \n");
  EXPECT_EQ(one(WireForm::kText, {ColumnKind::kText}, FieldType::kText, "a  "), "'a  ' \n");
  const ColumnType whole{ColumnKind::kInteger};
  EXPECT_EQ(one(WireForm::kNumeric, whole, FieldType::kInteger, numeric_123_45()), "- \n");
  EXPECT_EQ(one(WireForm::kNumeric, {ColumnKind::kDouble}, FieldType::kReal, numeric_123_45()),
            "123.450000 \n");
  EXPECT_EQ(
      one(WireForm::kNumeric, {ColumnKind::kDecimal, 8, 2}, FieldType::kReal, numeric_123_45()),
      "123.450000 \n");
}

TEST(CopyReader, CountsRowsWithoutColumns) {
  std::string bytes = kHeader;
  for (int i = 0; i < 20'000; ++i) bytes += row({});
  std::size_t rows = 0;
  CopyReader reader("t", {}, [&](std::span<const ColumnBatch> batch) { rows += batch[0].rows; });
  reader.add(bytes + kEnd);
  reader.finish();
  EXPECT_EQ(rows, 20'000U);
}

TEST(CopyReader, RefusesLies) {
  const auto refused = [](const std::string& bytes) {
    expect_code(ErrorCode::kBadInput, [&] { read(bytes, 7); });
  };
  const std::string fields = good().substr(kHeader.size());
  refused("");
  refused(kHeader);
  refused(good().substr(0, good().size() - 2));
  refused(good() + "x");
  refused("PGCOPY\n\xff\r\n" + std::string(9, '\1') + fields);
  refused(kHeader + row({"abcd"}) + kEnd);
  refused(kHeader + wire(std::int16_t{-2}) + kEnd);
  std::string lie = good();
  lie[kHeader.size() + 5] = 3;  // an integer of three bytes
  refused(lie);
  lie = good();
  lie[kHeader.size() + 2] = '\x80';  // a negative length
  refused(lie);
  lie = good();
  lie[kHeader.size() + 2] = '\x7f';  // more than will ever come
  refused(lie);
}

// Bytes that are changed are read as others, or refused; a sanitizer sees that nothing else
// happens.
TEST(CopyReader, SurvivesChangedBytes) {
  TableDice dice(17);
  int refusals = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = good();
    for (std::int64_t left = 1 + dice.below(3); left > 0; --left) {
      const auto at = static_cast<std::size_t>(dice.below(std::ssize(bytes)));
      bytes[at] = static_cast<char>(dice.below(256));
    }
    if (dice.below(4) == 0) bytes.resize(static_cast<std::size_t>(dice.below(std::ssize(bytes))));
    try {
      read(bytes, 1 + static_cast<std::size_t>(dice.below(200)));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadInput);
      ++refusals;
    }
  }
  EXPECT_GT(refusals, 5'000);
  EXPECT_LT(refusals, 20'000);
}

}  // namespace copy_reader_test
}  // namespace lastbit::engine
