#include "lastbit/engines/kernel/merged_rows.h"

#include <gtest/gtest.h>

#include <limits>
#include <variant>

#include "lastbit/base/test_support.h"
#include "lastbit/engines/kernel/kernel_test_support.h"
#include "lastbit/engines/kernel/summed_rows.h"
#include "lastbit/engines/memory/memory_engine.h"

namespace lastbit::engine {
namespace merged_rows_test {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

// add_table: each row of the table as many times as `times` says.
void add_table(BoundedKernel& kernel, const MemoryTable& table,
               std::span<const std::int64_t> times) {
  const KernelTable rows(table);
  std::vector<ColumnReader> readers(kernel.columns().size());
  rows.rows().give_rows(kernel.columns(), RowOrder::kAny, [&](std::span<const ColumnBatch> batch) {
    std::vector<FieldBatch> fields;
    for (std::size_t i = 0; i < readers.size(); ++i) fields.push_back(readers[i].read(batch[i]));
    kernel.add_merged(fields, times);
  });
}

MemoryTable numbers(const std::vector<std::int64_t>& values) {
  MemoryTable table;
  table.columns = {{"v", FieldType::kInteger}};
  for (const std::int64_t value : values) table.rows.push_back({MemoryValue(value)});
  return table;
}

Aggregation summing(std::int64_t most_rows) {
  Aggregation aggregation;
  aggregation.max_rows = most_rows;
  aggregation.measures = {RowCount{}, UnitCount{},
                          StepSum{{{"v", FieldType::kInteger}, -10, 10, 0, 0, {}}}};
  return aggregation;
}

// Each row of a random table is there some number of times, which may be 0.
TEST(MergedRowsTest, AnswersAreThoseOfTheDefinition) {
  TableDice dice(20261119);
  std::size_t compared = 0;
  while (compared < 200) {
    const MemoryTable different = hard_table(dice, 30);
    const Aggregation aggregation = hard_aggregation(dice);
    if (std::holds_alternative<UnitColumn>(aggregation.unit)) continue;
    const SecretKey key{{dice.word(), dice.word(), dice.word(), dice.word()}};
    MemoryTable whole{different.columns, {}};
    std::vector<std::int64_t> times;
    for (const MemoryTable::Row& row : different.rows) {
      times.push_back(dice.below(4));
      whole.rows.insert(whole.rows.end(), static_cast<std::size_t>(times.back()), row);
    }
    BoundedKernel kernel(aggregation, key);
    if (!different.rows.empty()) add_table(kernel, different, times);
    ASSERT_EQ(answer_text(answer_of(aggregation, kernel.finish())),
              answer_text(MemoryEngine(whole).aggregate_rows(aggregation, key)))
        << compared;
    ++compared;
  }
}

TEST(MergedRowsTest, ManyRowsAreAddedExactly) {
  const Aggregation aggregation = summing(kMax);
  BoundedKernel kernel(aggregation, {{1, 2, 3, 4}});
  add_table(kernel, numbers({10, -7, 3}), std::vector<std::int64_t>{kMax / 2, kMax / 4, 1});
  const Integer rows = Integer(kMax / 2) + kMax / 4 + 1;
  const Integer sum = Integer(kMax / 2) * 10 - Integer(kMax / 4) * 7 + 3;
  const std::vector<GroupAnswer> answers = answer_of(aggregation, kernel.finish());
  EXPECT_EQ(answers.at(0).entries,
            (std::vector<std::vector<Integer>>{{rows}, {rows}, {rows, sum}}));
}

TEST(MergedRowsTest, MoreRowsThanAllowedAreRefused) {
  const auto add = [](const std::vector<std::int64_t>& times) {
    BoundedKernel kernel(summing(100), {{1, 2, 3, 4}});
    add_table(kernel, numbers(std::vector<std::int64_t>(times.size(), 1)), times);
    return kernel.finish();
  };
  EXPECT_NO_THROW(add({60, 40}));
  expect_code(ErrorCode::kBadInput, [&] { add({60, 41}); });
  expect_code(ErrorCode::kBadInput, [&] { add({kMax, kMax}); });
  expect_code(ErrorCode::kBadInput, [&] { add({5, -1}); });
}

TEST(MergedRowsTest, RowsOfUnitsAreNotMerged) {
  Aggregation aggregation = summing(100);
  aggregation.unit = UnitColumn{"v", FieldType::kInteger, 1, 1};
  BoundedKernel kernel(aggregation, {{1, 2, 3, 4}});
  expect_code(ErrorCode::kInternal,
              [&] { add_table(kernel, numbers({1}), std::vector<std::int64_t>{1}); });
}

ReleaseFile declaring(const std::vector<ColumnDeclaration>& columns) {
  ReleaseFile release;
  release.columns = columns;
  return release;
}

ColumnDeclaration bounded(const std::string& name, const Rational& lower, const Rational& upper) {
  ColumnDeclaration column;
  column.name.value = name;
  column.lower = Located<Rational>{lower, {}};
  column.upper = Located<Rational>{upper, {}};
  return column;
}

ColumnDeclaration keyed(const std::string& name, KeySet keys) {
  ColumnDeclaration column;
  column.name.value = name;
  column.keys = Located<KeySet>{std::move(keys), {}};
  return column;
}

TEST(MergedRowsTest, RowsAreFewIfDeclarationsSaySo) {
  const ReleaseFile release =
      declaring({bounded("age", 0, 120), bounded("price", 0, 1), bounded("big", 0, kMax),
                 bounded("upside_down", 5, 1), keyed("town", KeyList{KeyValue("a"), KeyValue("b")}),
                 keyed("year", KeyRange{2000, 2009}), keyed("id", KeyRange{-kMax, kMax})});
  const RowColumn age{"age", FieldType::kInteger};
  const RowColumn price{"price", FieldType::decimal(2)};
  const RowColumn town{"town", FieldType::kText};
  const RowColumn flag{"flag", FieldType::kBoolean};
  const auto rows = [&](std::vector<RowColumn> columns) { return declared_rows(release, columns); };
  // Two more of each: what is not declared, and what is missing.
  EXPECT_EQ(rows({}), 1U);
  EXPECT_EQ(rows({age}), 123U);
  EXPECT_EQ(rows({price}), 103U);
  EXPECT_EQ(rows({town}), 4U);
  EXPECT_EQ(rows({flag}), 4U);
  EXPECT_EQ(rows({{"year", FieldType::kInteger}}), 12U);
  EXPECT_EQ(rows({age, town, flag}), 123U * 4 * 4);
  EXPECT_EQ(rows({age, price}), 123U * 103);
  EXPECT_EQ(rows({age, price, town}), std::nullopt);  // too many
  for (const RowColumn& column :
       {RowColumn{"age", FieldType::kReal}, RowColumn{"big", FieldType::kInteger},
        RowColumn{"id", FieldType::kInteger}, RowColumn{"upside_down", FieldType::kInteger},
        RowColumn{"note", FieldType::kText}}) {
    EXPECT_EQ(rows({column}), std::nullopt) << column.name;
    EXPECT_EQ(rows({flag, column}), std::nullopt) << column.name;
  }
  std::vector<Aggregation> aggregations = {summing(100), summing(100)};
  EXPECT_TRUE(plan_merge(release, aggregations, std::vector<RowColumn>{age, town}).has_value());
  EXPECT_FALSE(
      plan_merge(release, aggregations, std::vector<RowColumn>{age, price, town}).has_value());
  aggregations[1].unit = UnitColumn{"v", FieldType::kInteger, 1, 1};
  EXPECT_FALSE(plan_merge(release, aggregations, std::vector<RowColumn>{age, town}).has_value());
}

}  // namespace merged_rows_test
}  // namespace lastbit::engine
