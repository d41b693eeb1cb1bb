#include "lastbit/engines/arrow/arrow_rows.h"

#include <gtest/gtest.h>

#include "lastbit/engines/arrow/arrow_test_support.h"
#include "lastbit/engines/memory/memory_engine.h"

namespace lastbit::engine {
namespace arrow_rows_test {

SecretKey random_key(TableDice& dice) {
  return {{dice.word(), dice.word(), dice.word(), dice.word()}};
}

TEST(ArrowRowsTest, AnswersAreThoseOfTheDefinition) {
  TableDice dice(20261121);
  for (int i = 0; i < 1500; ++i) {
    const MemoryTable table = hard_table(dice, 60);
    const std::vector<Aggregation> aggregations = {hard_aggregation(dice), hard_aggregation(dice)};
    const SecretKey key = random_key(dice);
    HandedOut out;
    {
      ArrowArrayStream stream = make_stream(random_stream(dice, table), out);
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

}  // namespace arrow_rows_test
}  // namespace lastbit::engine
