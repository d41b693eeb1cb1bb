#include "lastbit/engines/arrow/arrow_rows.h"

#include <gtest/gtest.h>

#include "lastbit/base/test_support.h"
#include "lastbit/engines/arrow/arrow_test_support.h"
#include "lastbit/engines/memory/memory_engine.h"

namespace lastbit::engine {
namespace arrow_rows_test {

SecretKey random_key(TableDice& dice) {
  return {{dice.word(), dice.word(), dice.word(), dice.word()}};
}

// Some texts become longer than what fits in a view.
MemoryTable with_long_texts(TableDice& dice, std::int64_t most_rows) {
  MemoryTable table = hard_table(dice, most_rows);
  for (MemoryTable::Row& row : table.rows) {
    for (auto& field : row) {
      auto* text = field ? std::get_if<std::string>(&*field) : nullptr;
      if (text != nullptr && text->size() > 2) *text += *text + *text;
    }
  }
  return table;
}

TEST(ArrowRowsTest, AnswersAreThoseOfTheDefinition) {
  TableDice dice(20261121);
  for (std::size_t i = 0; i < 600 / kThinning; ++i) {
    const MemoryTable table = with_long_texts(dice, 60);
    const std::vector<Aggregation> aggregations = {hard_aggregation(dice), hard_aggregation(dice)};
    const SecretKey key = random_key(dice);
    HandedOut out;
    {
      ArrowArrayStream stream = stream_of(random_stream(dice, table), out);
      const KernelEngine engine(read_arrow_stream(stream, "frame"));
      EXPECT_EQ(stream.release, nullptr);
      const ExactAnswers actual =
          engine.aggregate({}, aggregations, key, {std::nullopt, std::nullopt, 1}, {});
      const ExactAnswers expected = MemoryEngine(table).aggregate({}, aggregations, key, {}, {});
      ASSERT_EQ(answer_text(actual[0]), answer_text(expected[0])) << i;
      ASSERT_EQ(answer_text(actual[1]), answer_text(expected[1])) << i;
    }
    ASSERT_TRUE(out.held.empty()) << i;
    ASSERT_EQ(out.wrong_releases, 0) << i;
  }
}

// More rows than are converted at a time, from an offset that is no multiple of eight.
TEST(ArrowRowsTest, LongBatchesAreReadInBlocks) {
  constexpr std::int64_t kRows = 50'000;
  constexpr std::int64_t kOffset = 13;
  std::vector<std::int64_t> offsets = {0};
  std::string texts;
  std::string digits;
  for (std::int64_t row = 0; row < kOffset + kRows; ++row) {
    texts += std::to_string(row);
    offsets.push_back(std::ssize(texts));
    digits += row % 3 == 0 ? '0' : '1';
  }
  ArrayParts column{kRows, {bits_of(digits), bytes_of(offsets), texts}};
  column.offset = kOffset;
  HandedOut out;
  ArrowArrayStream stream =
      stream_of({{"+s", "", {{"U", "x"}}}, {ArrayParts{kRows, {std::nullopt}, {column}}}}, out);
  const std::vector<RowColumn> columns = {{"x", FieldType::kText}};
  std::int64_t row = kOffset;
  ColumnReader reader;
  read_arrow_stream(stream, "frame")
      ->give_rows(columns, RowOrder::kAny, [&](std::span<const ColumnBatch> batch) {
        const FieldBatch fields = reader.read(batch[0]);
        for (std::size_t i = 0; i < batch[0].rows; ++i, ++row) {
          ASSERT_EQ(fields.is_missing(i), row % 3 == 0) << row;
          if (row % 3 == 0) continue;
          ASSERT_EQ(fields.value<std::string_view>(i), std::to_string(row));
        }
      });
  EXPECT_EQ(row, kOffset + kRows);
}

}  // namespace arrow_rows_test
}  // namespace lastbit::engine
