// Random expressions over odd fields: what is written, canonical text, the definition and batches
// must agree.
#include "lastbit/release/expressions/expression_batch.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/base/test_support.h"
#include "lastbit/release/expressions/lift.h"
#include "lastbit/release/expressions/maker_test_support.h"
#include "lastbit/release/fields/field_text.h"

namespace lastbit {
namespace expression_batch_test {

std::string shown(const Cell& cell) {
  if (!cell) return "missing";
  if (const auto* real = std::get_if<double>(&*cell)) {
    return "real " + std::to_string(std::bit_cast<std::uint64_t>(*real));
  }
  if (const auto* text = std::get_if<std::string>(&*cell)) return "text " + *text;
  if (const auto* truth = std::get_if<bool>(&*cell)) return *truth ? "true" : "false";
  if (const auto* day = std::get_if<Day>(&*cell)) return "day " + std::to_string(day->number);
  if (const auto* at = std::get_if<Instant>(&*cell)) return "at " + std::to_string(at->micros);
  if (const auto* time = std::get_if<TimeOfDay>(&*cell)) {
    return "time " + std::to_string(time->micros);
  }
  if (const auto* decimal = std::get_if<Decimal>(&*cell)) {
    return Integer(decimal->number).to_string() + "e-" + std::to_string(decimal->decimals);
  }
  return std::to_string(std::get<std::int64_t>(*cell));
}

Cell cell_of(const FieldBatch& batch, FieldType type, std::size_t row) {
  if (batch.is_missing(row)) return std::nullopt;
  switch (type) {
    case FieldType::kReal:
      return batch.value<double>(row);
    case FieldType::kText:
      return std::string(batch.value<std::string_view>(row));
    case FieldType::kBoolean:
      return batch.value<std::int64_t>(row) != 0;
    case FieldType::kDate:
      return Day{batch.value<std::int64_t>(row)};
    case FieldType::kTimestamp:
      return Instant{batch.value<std::int64_t>(row)};
    case FieldType::kTime:
      return TimeOfDay{batch.value<std::int64_t>(row)};
    case FieldType::kDecimal:
    case FieldType::kUnsigned:
      return Decimal{batch.value<Int128>(row), type.decimals()};
    case FieldType::kInteger:
      break;
  }
  return batch.value<std::int64_t>(row);
}

std::optional<RowExpression> parsed(const std::string& text) {
  auto result = parse_expression(text, kRow);
  if (const auto* problem = std::get_if<ExpressionProblem>(&result)) {
    ADD_FAILURE() << text << "\n" << problem->offset << ": " << problem->problem;
    return std::nullopt;
  }
  return std::get<RowExpression>(std::move(result));
}

// compare_run: whether a batch of rows has the values of the definition.
bool compare_run(const RowExpression& expression, const Table& table, const ExpressionBatch& batch,
                 ExpressionBatch::Room& room, std::size_t first, std::size_t rows) {
  std::vector<FieldBatch> fields;
  for (const RowColumn& column : batch.columns()) {
    fields.push_back(table.fields(column.name, first, rows));
  }
  const FieldBatch result = batch.run(fields, rows, room);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto field = [&](const std::string& name) { return table.field(name, first + row); };
    const std::string wanted = shown(evaluate(expression, field));
    const std::string got = shown(cell_of(result, batch.type(), row));
    if (wanted == got) continue;
    ADD_FAILURE() << canonical_text(expression) << "\nrow " << row << " of " << rows << ": "
                  << wanted.substr(0, 200) << ", not " << got.substr(0, 200);
    return false;
  }
  return true;
}

TEST(ExpressionBatchTest, RandomExpressionsMeanTheSameInEveryForm) {
  Dice dice(20'261'116);
  const std::array<Table, 3> tables = {Table(dice), Table(dice, Fields::kComplete),
                                       Table(dice, Fields::kTame)};
  const Table& table = tables[0];
  Maker maker(dice);
  constexpr std::array<std::size_t, 5> kSizes = {0, 1, 63, 64, 65};
  // How often a value was missing, and how often there was one.
  std::array<std::size_t, 2> seen = {0, 0};
  for (std::size_t i = 0; i < 6'000 / kThinning; ++i) {
    const FieldType type = kAllTypes[i % 9];
    const std::string text = maker.make(type, 1 + static_cast<int>(i % 4));
    const auto expression = parsed(text);
    if (!expression) return;
    ASSERT_EQ(expression->type, type) << text;
    const std::string canonical = canonical_text(*expression);
    const auto again = parsed(canonical);
    ASSERT_EQ(again, expression) << canonical;
    ASSERT_EQ(canonical_text(*again), canonical);
    const LiftedExpression lifted = lift_texts(*expression);
    ASSERT_EQ(replace_columns(lifted.whole, lifted.parts), expression) << canonical;
    const ExpressionBatch batch(*expression);
    const auto room = batch.make_room();
    for (std::size_t run = 0; run < 3; ++run) {
      const std::size_t rows = i % 100 == 10 * run ? 2'048 : dice.one_of(kSizes);
      const std::size_t first = dice.below((Table::kRows - rows) / 64) * 64;
      if (!compare_run(*expression, tables[run], batch, *room, first, rows)) {
        return;
      }
    }
    const auto field = [&](const std::string& name) { return table.field(name, 70); };
    ++seen.at(evaluate(*expression, field) ? 1 : 0);
  }
  EXPECT_GT(seen[0], 1'000 / kThinning);
  EXPECT_GT(seen[1], 3'000 / kThinning);
}

// So many parts that a room takes the rows in several steps.
TEST(ExpressionBatchTest, LargeExpressionsTakeFewerRowsAtATime) {
  Dice dice(7);
  const Table table(dice);
  std::string text = "CASE";
  std::string number = "CASE";
  for (int i = 0; i < 200; ++i) {
    const std::string when = " WHEN i = " + std::to_string(i) + " THEN ";
    text += when + "'" + std::to_string(i) + "'";
    number += when + std::to_string(i) + ".5";
  }
  for (const std::string& written : {text + " ELSE t || '!' END", number + " ELSE x END"}) {
    const auto expression = parsed(written);
    ASSERT_TRUE(expression);
    const ExpressionBatch batch(*expression);
    const auto room = batch.make_room();
    for (const std::size_t rows : {2'048UL, 1UL, 257UL, 2'048UL, 0UL}) {
      ASSERT_TRUE(compare_run(*expression, table, batch, *room, 64, rows));
    }
  }
}

TEST(ExpressionBatchTest, LongListsFindTheirValues) {
  Dice dice(8);
  const Table table(dice);
  std::string numbers = "i IN (";
  std::string texts = "s NOT IN (";
  for (int i = 5'000; i > 0; --i) {
    numbers += std::to_string(i) + (i % 2 == 0 ? ".0, " : ", ");
    texts += "'" + std::to_string(i) + "', ";
  }
  for (const std::string& written : {numbers + "-7)", numbers + "NULL, 1)", texts + "'north')",
                                     texts + "t)", texts + "t, NULL)"}) {
    const auto expression = parsed(written);
    ASSERT_TRUE(expression);
    const ExpressionBatch batch(*expression);
    const auto room = batch.make_room();
    ASSERT_TRUE(compare_run(*expression, table, batch, *room, 0, 65));
  }
}

}  // namespace expression_batch_test
}  // namespace lastbit
