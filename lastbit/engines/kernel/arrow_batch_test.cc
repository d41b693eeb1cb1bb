#include "lastbit/engines/kernel/arrow_batch.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <optional>
#include <string>

#include "lastbit/base/error.h"

namespace lastbit::engine {
namespace arrow_batch_test {

std::vector<std::optional<std::string>> texts_of(const ColumnBatch& batch) {
  ColumnReader reader;
  const FieldBatch fields = reader.read(batch);
  std::vector<std::optional<std::string>> texts(batch.rows);
  for (std::size_t row = 0; row < batch.rows; ++row) {
    if (!fields.is_missing(row)) texts[row] = std::string(fields.value<std::string_view>(row));
  }
  return texts;
}

bool is_refused(const ColumnBatch& batch) {
  try {
    ColumnReader().read(batch);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    return true;
  }
  return false;
}

TEST(ArrowBatchTest, TextsComeInEveryForm) {
  const std::array<std::int32_t, 4> offsets = {0, 2, 2, 5};
  const std::array<std::int64_t, 4> longer = {0, 2, 2, 5};
  const std::array<std::uint8_t, 1> second_missing = {0b1010};  // from bit 1 on: 1, 0, 1
  const std::array<std::int32_t, 3> codes = {1, -7, 0};
  const std::array<std::string_view, 2> words = {"cde", "ab"};
  const std::vector<std::optional<std::string>> expected = {"ab", std::nullopt, "cde"};
  const BitColumn validity{second_missing, 1};
  EXPECT_EQ(texts_of({3, TextOffsets{offsets, "abcde"}, validity}), expected);
  EXPECT_EQ(texts_of({3, LongTextOffsets{longer, "abcde"}, validity}), expected);
  EXPECT_EQ(texts_of({3, DictionaryTexts{codes, words}, validity}), expected);
  EXPECT_EQ(texts_of({3, TextOffsets{offsets, "abcde"}, {}})[1], "");
}

TEST(ArrowBatchTest, NothingOutsideOfTheSpansIsRead) {
  const std::array<std::int32_t, 3> beyond = {0, 2, 6};
  const std::array<std::int32_t, 3> backward = {0, 4, 2};
  const std::array<std::int32_t, 3> negative = {-1, 2, 4};
  for (const auto& offsets : {beyond, backward, negative}) {
    EXPECT_TRUE(is_refused({2, TextOffsets{offsets, "abcde"}, {}}));
  }
  EXPECT_TRUE(is_refused({3, TextOffsets{beyond, "abcdefgh"}, {}}));
  const std::array<std::string_view, 1> words = {"a"};
  const std::array<std::int32_t, 1> outside = {1};
  EXPECT_TRUE(is_refused({1, DictionaryTexts{outside, words}, {}}));
  EXPECT_TRUE(is_refused({2, DictionaryTexts{outside, words}, {}}));
  const std::array<std::uint8_t, 1> bits = {0xff};
  EXPECT_TRUE(is_refused({9, BitColumn{bits}, {}}));
  EXPECT_TRUE(is_refused({8, BitColumn{bits, 1}, {}}));
  EXPECT_FALSE(is_refused({8, BitColumn{bits}, {}}));
  const std::array<std::int64_t, 2> numbers = {1, 2};
  EXPECT_TRUE(is_refused({3, std::span<const std::int64_t>(numbers), {}}));
  const std::array<std::string_view, 1> broken = {"\xc3"};
  EXPECT_TRUE(is_refused({1, std::span<const std::string_view>(broken), {}}));
}

TEST(ArrowBatchTest, DaysThatAreNoDatesAreMissing) {
  const std::array<std::int32_t, 4> days = {-719'528, 2'932'896, 2'932'897,
                                            std::numeric_limits<std::int32_t>::max()};
  ColumnReader reader;
  const FieldBatch fields = reader.read({4, DayColumn{days}, {}});
  EXPECT_FALSE(fields.is_missing(0));
  EXPECT_FALSE(fields.is_missing(1));
  EXPECT_TRUE(fields.is_missing(2));
  EXPECT_TRUE(fields.is_missing(3));
}

}  // namespace arrow_batch_test
}  // namespace lastbit::engine
