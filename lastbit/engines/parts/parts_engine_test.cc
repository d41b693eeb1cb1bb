// Rows in several places give the answers of the definition, and a unit in two places none.
#include "lastbit/engines/parts/parts_engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/engines/kernel/kernel_test_support.h"
#include "lastbit/engines/memory/memory_engine.h"
#include "lastbit/engines/parts/part_maker.h"
#include "lastbit/engines/parts/unit_keys.h"

namespace lastbit::engine {
namespace parts_engine_test {

const SecretKey kKey{{11, 12, 13, 14}};

using RowNumbers = std::vector<std::size_t>;

MemoryTable chosen(const MemoryTable& table, const RowNumbers& rows) {
  MemoryTable part;
  part.columns = table.columns;
  for (const std::size_t row : rows) part.rows.push_back(table.rows[row]);
  return part;
}

// The rows that have a unit, by their keys.
std::map<PlainValue, RowNumbers> rows_by_unit(const MemoryTable& table,
                                              const Aggregation& aggregation) {
  std::map<PlainValue, RowNumbers> rows;
  UnitKeys keys(aggregation);
  const KernelTable source(table);
  std::size_t next = 0;
  keys.give(source.rows(), [&](const FieldBatch& batch, std::size_t size) {
    for (std::size_t row = 0; row < size; ++row, ++next) {
      if (batch.is_missing(row)) continue;
      const PlainValue key = keys.is_text()
                                 ? PlainValue(std::string(batch.value<std::string_view>(row)))
                                 : PlainValue(batch.value<std::int64_t>(row));
      rows[key].push_back(next);
    }
  });
  return rows;
}

// Places: the rows of each place, sorted by unit where units are columns.
std::vector<RowNumbers> places_of(TableDice& dice, const MemoryTable& table,
                                  const Aggregation& aggregation) {
  std::vector<RowNumbers> places(1);
  const auto maybe_cut = [&] {
    if (dice.below(3) == 0) places.emplace_back();
  };
  if (std::holds_alternative<RowsAreUnits>(aggregation.unit)) {
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      maybe_cut();
      places.back().push_back(row);
    }
    return places;
  }
  for (const auto& [unit, rows] : rows_by_unit(table, aggregation)) {
    maybe_cut();
    places.back().insert(places.back().end(), rows.begin(), rows.end());
  }
  return places;
}

// What the process at one place does, with its rows in two batches.
std::vector<std::string> parts_at(const std::string& question, const MemoryTable& table,
                                  const RowNumbers& rows) {
  PartMaker maker(decode_question(question), "place");
  const auto middle = rows.begin() + static_cast<std::ptrdiff_t>(rows.size() / 2);
  for (const RowNumbers& batch :
       {RowNumbers(rows.begin(), middle), RowNumbers(middle, rows.end())}) {
    const KernelTable source(chosen(table, batch));
    maker.add(source.rows());
  }
  return maker.finish();
}

ExactAnswers asked(const MemoryTable& table, const std::vector<Aggregation>& aggregations,
                   const std::vector<RowNumbers>& places, RowsNeeded* needed_there = nullptr) {
  const AskParts ask = [&](const std::string& question, const RowsNeeded& needed) {
    if (needed_there != nullptr) *needed_there = needed;
    PartTexts parts(aggregations.size());
    for (const RowNumbers& rows : places) {
      const std::vector<std::string> here = parts_at(question, table, rows);
      for (std::size_t i = 0; i < here.size(); ++i) parts[i].push_back(here[i]);
    }
    return parts;
  };
  return PartsEngine({}, ask).aggregate({}, aggregations, kKey, {}, {});
}

TEST(PartsEngineTest, AnswersAreThoseOfTheDefinition) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    TableDice dice(seed);
    const MemoryTable table = hard_table(dice, 80);
    Aggregation first = hard_aggregation(dice);
    Aggregation second = hard_aggregation(dice);
    second.unit = first.unit;
    const std::vector<RowNumbers> places = places_of(dice, table, first);
    const MemoryEngine definition(table);
    const ExactAnswers answers = asked(table, {first, second}, places);
    EXPECT_EQ(answer_text(answers.at(0)), answer_text(definition.aggregate_rows(first, kKey)))
        << seed;
    EXPECT_EQ(answer_text(answers.at(1)), answer_text(definition.aggregate_rows(second, kKey)))
        << seed;
  }
}

Aggregation count_of(const std::string& unit, FieldType type) {
  Aggregation aggregation;
  aggregation.unit = UnitColumn{unit, type, 1, 1};
  aggregation.measures = {RowCount{}};
  return aggregation;
}

MemoryTable people(const std::vector<std::int64_t>& ids) {
  MemoryTable table;
  table.columns = {{"id", FieldType::kInteger}};
  for (const std::int64_t id : ids) table.rows.push_back({MemoryValue(id)});
  return table;
}

ErrorCode refusal(const MemoryTable& table, const std::vector<RowNumbers>& places) {
  try {
    asked(table, {count_of("id", FieldType::kInteger)}, places);
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "the parts were merged";
  return ErrorCode::kInternal;
}

TEST(PartsEngineTest, UnitsInTwoPlacesAreRefused) {
  const MemoryTable table = people({1, 2, 2, 3});
  EXPECT_EQ(refusal(table, {{0, 1}, {2, 3}}), ErrorCode::kMismatch);
  EXPECT_EQ(refusal(table, {{0, 1, 2, 3}, {1}}), ErrorCode::kMismatch);  // counted twice
  EXPECT_EQ(refusal(table, {{3, 1, 2}, {0}}), ErrorCode::kBadInput);     // not sorted
  const ExactAnswers answers =
      asked(table, {count_of("id", FieldType::kInteger)}, {{3}, {}, {0}, {1, 2}});
  EXPECT_EQ(answer_text(answers.at(0)), "[ 0:3 ]\n");
}

TEST(PartsEngineTest, NoPlacesAreNoRows) {
  const ExactAnswers answers = asked(people({}), {count_of("id", FieldType::kInteger)}, {});
  EXPECT_EQ(answer_text(answers.at(0)), "[ ]\n");
}

TEST(PartsEngineTest, RowsBringWhatIsNeeded) {
  RowsNeeded needed;
  MemoryTable table = people({1});
  table.columns.push_back({"other", FieldType::kText});
  table.rows[0].push_back(MemoryValue(std::string("x")));
  asked(table, {count_of("id", FieldType::kInteger)}, {}, &needed);
  EXPECT_EQ(needed.columns, std::vector<std::string>{"id"});
  EXPECT_TRUE(needed.by_unit);
  EXPECT_EQ(needed.unit, "id");
  asked(table, {count_of("price", FieldType::decimal(2))}, {}, &needed);
  EXPECT_EQ(needed.unit, "");  // digits are not in the order of numbers
  Aggregation rows = count_of("id", FieldType::kInteger);
  rows.unit = RowsAreUnits{};
  asked(table, {rows}, {}, &needed);
  EXPECT_TRUE(needed.columns.empty());
  EXPECT_FALSE(needed.by_unit);
}

// How many columns are added up where the rows lie, if a release asks for the sum of one.
std::size_t sums_of(std::vector<SchemaColumn> columns, FieldType type) {
  Aggregation sum;
  sum.measures = {StepSum{{{"v", type}, 0, 9, 0, 0, std::nullopt}}};
  RowsNeeded needed;
  const AskParts ask = [&](const std::string& /*question*/, const RowsNeeded& there) {
    needed = there;
    return PartTexts();
  };
  PartsEngine(std::move(columns), ask).aggregate({}, std::vector{sum}, kKey, {}, {});
  EXPECT_EQ(needed.merged, !needed.sums.empty());
  return needed.sums.size();
}

TEST(PartsEngineTest, OnlyBinaryNumbersAreAddedUpWhereTheyLie) {
  const auto sums = [](ColumnType type, FieldType wanted) {
    return sums_of({{"v", "number", type}}, wanted);
  };
  for (const ColumnKind kind : {ColumnKind::kInteger, ColumnKind::kFloat, ColumnKind::kDouble}) {
    EXPECT_EQ(sums({kind}, FieldType::kReal), 1U);
  }
  EXPECT_EQ(sums({ColumnKind::kInteger}, FieldType::kInteger), 1U);
  for (const ColumnType type : {ColumnType{ColumnKind::kDecimal, 38, 0}, {ColumnKind::kUnsigned}}) {
    EXPECT_EQ(sums(type, FieldType::kInteger), 0U);  // those beyond 64 bits are missing
    EXPECT_EQ(sums(type, FieldType::kReal), 0U);
  }
  EXPECT_EQ(sums_of({}, FieldType::kReal), 0U);
}

}  // namespace parts_engine_test
}  // namespace lastbit::engine
