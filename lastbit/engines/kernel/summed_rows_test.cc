#include "lastbit/engines/kernel/summed_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <set>
#include <tuple>

#include "lastbit/base/test_support.h"
#include "lastbit/engines/kernel/kernel_test_support.h"
#include "lastbit/engines/memory/memory_engine.h"
#include "lastbit/numerics/grid.h"

namespace lastbit::engine {
namespace summed_rows_test {

const SteppedField kWeight{{"weight", FieldType::kReal}, Rational(-81, 20), 8, -2, 3, {}};
const SteppedField kVisits{{"visits", FieldType::kInteger}, -1, 6, 0, 1, {}};
const SecretKey kKey{{1, 2, 3, 4}};
const RowColumn kWeightColumn{"weight", FieldType::kReal};
const RowColumn kVisitsColumn{"visits", FieldType::kInteger};

Aggregation summing() {
  Aggregation aggregation;
  aggregation.groups = {ListedKeys{{{"member", FieldType::kBoolean}}, {{true}, {false}}},
                        FoundKeys{{"town", FieldType::kText}}};
  aggregation.measures = {
      RowCount{},
      UnitCount{},
      StepSum{kWeight},
      StepSum{kVisits},
      RowCount{FieldUse{"weight", FieldType::kReal}},
      DistinctCount{{"year", FieldType::kInteger}},
      BelowCounts{{"price", FieldType::decimal(2)}, {-1, 0, Rational(5, 2)}, {}}};
  return aggregation;
}

std::size_t column_of(const MemoryTable& table, const std::string& name) {
  const auto found = std::ranges::find(table.columns, name, &MemoryColumn::name);
  return static_cast<std::size_t>(found - table.columns.begin());
}

// step_of: what a server would add, in rational numbers.
std::optional<Integer> step_of(const std::optional<MemoryValue>& field, const SummedField& what) {
  if (!field) return std::nullopt;
  const Rational lower = Rational::exactly(what.lower);
  const Rational upper = Rational::exactly(what.upper);
  const Grid grid(what.exponent);
  if (const auto* whole = std::get_if<std::int64_t>(&*field)) {
    return grid.nearest_index(std::clamp(Rational(*whole), lower, upper));
  }
  const double real = std::get<double>(*field);
  if (std::isnan(real)) return std::nullopt;
  if (std::isinf(real)) return grid.nearest_index(real < 0 ? lower : upper);
  return grid.nearest_index(std::clamp(Rational::exactly(real), lower, upper));
}

// Merged: rows with the same keys, as a server would give them.
struct Merged {
  MemoryTable keys;
  std::vector<std::int64_t> times;
  std::vector<std::vector<std::int64_t>> present;  // of each sum
  std::vector<std::vector<Int128>> totals;

  void add(const MemoryTable& table, const MemoryTable::Row& row, const MergePlan& plan) {
    MemoryTable::Row own;
    for (const RowColumn& key : plan.keys) own.push_back(row[column_of(table, key.name)]);
    const auto found = std::ranges::find(keys.rows, own);
    const auto place = static_cast<std::size_t>(found - keys.rows.begin());
    if (found == keys.rows.end()) {
      keys.rows.push_back(own);
      times.push_back(0);
      for (auto& numbers : present) numbers.push_back(0);
      for (auto& sums : totals) sums.push_back(0);
    }
    ++times[place];
    for (std::size_t i = 0; i < plan.sums.size(); ++i) {
      const SummedField& sum = plan.sums[i];
      const auto step = step_of(row[column_of(table, sum.column.name)], sum);
      if (!step) continue;
      ++present[i][place];
      totals[i][place] += step->to_int64();
    }
  }
};

Merged merged(const MemoryTable& table, const MergePlan& plan) {
  Merged all;
  for (const RowColumn& key : plan.keys) all.keys.columns.push_back({key.name, key.type});
  all.present.resize(plan.sums.size());
  all.totals.resize(plan.sums.size());
  for (const MemoryTable::Row& row : table.rows) all.add(table, row, plan);
  return all;
}

// Kernels: those of several aggregations, which look at the same rows.
struct Kernels {
  explicit Kernels(const std::vector<Aggregation>& aggregations) {
    for (const Aggregation& aggregation : aggregations) {
      kernels.emplace_back(aggregation, kKey);
      std::vector<std::size_t>& own = places.emplace_back();
      for (const RowColumn& column : kernels.back().columns()) {
        const auto known = std::ranges::find(columns, column);
        own.push_back(static_cast<std::size_t>(known - columns.begin()));
        if (known == columns.end()) columns.push_back(column);
      }
    }
    plan.sums = summed_fields(aggregations, columns);
    for (const RowColumn& column : columns) {
      const bool summed = std::ranges::count(plan.sums, column, &SummedField::column) > 0;
      if (!summed) plan.keys.push_back(column);
    }
  }

  void add(const Merged& rows) {
    RowExpander expander(columns, plan, "rows");
    std::vector<RowExpander::Sum> sums;
    for (std::size_t i = 0; i < plan.sums.size(); ++i) {
      sums.push_back({{std::span<const std::int64_t>(rows.present[i]), nullptr},
                      {std::span<const Int128>(rows.totals[i]), nullptr}});
    }
    const auto take = [&](std::span<const FieldBatch> fields) {
      const FieldBatch times{std::span<const std::int64_t>(rows.times), nullptr};
      expander.expand(fields, times, sums, rows.times.size());
      for (std::size_t i = 0; i < kernels.size(); ++i) {
        std::vector<FieldBatch> own;
        for (const std::size_t place : places[i]) own.push_back(expander.fields()[place]);
        kernels[i].add_merged(own, expander.times());
      }
    };
    if (plan.keys.empty()) return take({});
    const KernelTable keys(rows.keys);
    std::vector<ColumnReader> readers(plan.keys.size());
    keys.rows().give_rows(plan.keys, RowOrder::kAny, [&](std::span<const ColumnBatch> batch) {
      std::vector<FieldBatch> fields;
      for (std::size_t i = 0; i < readers.size(); ++i) fields.push_back(readers[i].read(batch[i]));
      take(fields);
    });
  }

  std::deque<BoundedKernel> kernels;
  std::vector<RowColumn> columns;
  std::vector<std::vector<std::size_t>> places;  // of each kernel's columns
  MergePlan plan;
};

// expect_definition: rows that are merged, with sums where they can be, have the answers of the
// definition.
void expect_definition(const std::vector<Aggregation>& aggregations, Kernels& kernels,
                       const MemoryTable& table) {
  kernels.add(merged(table, kernels.plan));
  const MemoryEngine definition(table);
  for (std::size_t i = 0; i < aggregations.size(); ++i) {
    const Aggregation& one = aggregations[i];
    ASSERT_EQ(answer_text(answer_of(one, kernels.kernels[i].finish())),
              answer_text(definition.aggregate_rows(one, kKey)));
  }
}

// few_keys: fields of the keys are mostly those of the first row, so that many rows are merged.
void few_keys(TableDice& dice, const MergePlan& plan, MemoryTable& table) {
  for (MemoryTable::Row& row : table.rows) {
    for (const RowColumn& key : plan.keys) {
      const std::size_t column = column_of(table, key.name);
      if (dice.below(4) > 0) row[column] = table.rows.front()[column];
    }
  }
}

TEST(SummedRowsTest, AnswersAreThoseOfTheDefinition) {
  TableDice dice(11);
  const std::vector<Aggregation> aggregations = {summing()};
  for (int i = 0; i < 200; ++i) {
    Kernels kernels(aggregations);
    ASSERT_EQ(kernels.plan.keys.size(), 4U);
    MemoryTable table = hard_table(dice, 60);
    few_keys(dice, kernels.plan, table);
    SCOPED_TRACE(i);
    ASSERT_NO_FATAL_FAILURE(expect_definition(aggregations, kernels, table));
  }
}

// Whatever several aggregations need: a column of which only sums fit together is never looked at
// together with another one.
TEST(SummedRowsTest, AnswersAreThoseOfTheDefinitionForAnyTallies) {
  SteppedField centred = kVisits;
  centred.offset = 3;
  SteppedField wider = kWeight;
  wider.upper = 9;
  const std::vector<Tally> tallies = {StepSum{kWeight},          StepSum{kVisits},
                                      StepSum{centred},          StepSum{wider},
                                      RowCount{kVisits.field},   SquareSum{kWeight},
                                      PairSum{kWeight, kVisits}, ProductSum{kVisits, kWeight}};
  std::size_t sums = 0;
  for (std::uint64_t seed = 0; seed < 800; ++seed) {
    TableDice dice(seed);
    std::vector<Aggregation> aggregations = {hard_aggregation(dice), hard_aggregation(dice)};
    for (Aggregation& one : aggregations) {
      one.unit = RowsAreUnits{};
      if (dice.below(2) == 0) one.measures.clear();
      for (std::int64_t left = 1 + dice.below(2); left > 0; --left) {
        const Tally& tally = dice.one_of(tallies);
        const bool repeated = std::ranges::find(one.measures, tally) != one.measures.end();
        if (!repeated) one.measures.push_back(tally);
      }
    }
    Kernels kernels(aggregations);
    sums += kernels.plan.sums.size();
    MemoryTable table = hard_table(dice, 60);
    few_keys(dice, kernels.plan, table);
    SCOPED_TRACE(seed);
    ASSERT_NO_FATAL_FAILURE(expect_definition(aggregations, kernels, table));
  }
  EXPECT_GT(sums, 100U);
}

TEST(SummedRowsTest, SumsThatNoRowsHaveAreRefused) {
  const SummedField field = summed_fields(std::vector{summing()}, {{kWeightColumn}}).at(0);
  EXPECT_EQ(field.lowest, -16);
  EXPECT_EQ(field.highest, 32);
  RowExpander expander({kWeightColumn}, {{}, {field}}, "rows");
  constexpr std::uint64_t kNone = 0;
  const auto expand = [&](std::int64_t times, std::int64_t present, std::optional<Int128> total,
                          bool number_known = true) {
    const std::vector<std::int64_t> numbers = {times, present};
    const std::vector<Int128> totals = {total.value_or(0)};
    const std::uint64_t there = total ? 1 : 0;
    const std::span<const std::int64_t> both = numbers;
    const RowExpander::Sum sum{{both.subspan(1), nullptr},
                               {std::span<const Int128>(totals), &there}};
    expander.expand({}, {both.first(1), number_known ? nullptr : &kNone}, std::span(&sum, 1), 1);
    return std::vector<std::int64_t>(expander.times().begin(), expander.times().end());
  };
  EXPECT_EQ(expand(10, 7, 7 * 32), (std::vector<std::int64_t>{7, 3}));
  EXPECT_EQ(expand(10, 7, -16 * 7), (std::vector<std::int64_t>{7, 3}));
  EXPECT_EQ(expand(10, 7, 10), (std::vector<std::int64_t>{3, 4, 3}));
  EXPECT_EQ(expand(10, 7, -10), (std::vector<std::int64_t>{4, 3, 3}));
  EXPECT_EQ(expand(10, 0, std::nullopt), (std::vector<std::int64_t>{10}));
  EXPECT_EQ(expand(0, 0, 0), (std::vector<std::int64_t>{}));
  for (const auto& [times, present, total] :
       std::vector<std::tuple<std::int64_t, std::int64_t, std::optional<Int128>>>{
           {10, 7, 7 * 32 + 1},
           {10, 7, -16 * 7 - 1},
           {10, 11, 0},
           {10, -1, 0},
           {10, 0, 1},
           {-1, 0, 0},
           {10, 7, std::nullopt},
           {-5, -6, 1}}) {
    expect_code(ErrorCode::kBadInput, [&] { expand(times, present, total); });
  }
  expect_code(ErrorCode::kBadInput, [&] { expand(0, 0, 0, false); });
}

std::set<std::string> names_of(const std::vector<SummedField>& fields) {
  std::set<std::string> names;
  for (const SummedField& field : fields) names.insert(field.column.name);
  return names;
}

// Only columns of which nothing but sums of one kind is needed are added up elsewhere.
TEST(SummedRowsTest, OtherUsesNeedTheFields) {
  using Names = std::set<std::string>;
  const std::vector<RowColumn> columns = {kWeightColumn, kVisitsColumn};
  const auto summed = [&](const Tally& tally) {
    Aggregation aggregation = summing();
    aggregation.measures.push_back(tally);
    return names_of(summed_fields(std::span(&aggregation, 1), columns));
  };
  EXPECT_EQ(summed(RowCount{}), (Names{"weight", "visits"}));
  EXPECT_EQ(summed(StepSum{kWeight}), (Names{"weight", "visits"}));
  EXPECT_EQ(summed(SquareSum{kWeight}), Names{"visits"});
  EXPECT_EQ(summed(ProductSum{kWeight, kWeight}), Names{"visits"});
  EXPECT_EQ(summed(PairSum{kVisits, kVisits}), Names{"weight"});
  EXPECT_EQ(summed(DistinctCount{kVisits.field}), Names{"weight"});
  EXPECT_EQ(summed(BelowCounts{kWeight.field, {0}, {}}), Names{"visits"});
  for (const auto& change : std::vector<std::function<void(SteppedField&)>>{
           [](SteppedField& field) { field.grid_exponent = 1; },
           [](SteppedField& field) { field.grid_exponent = -3; },
           [](SteppedField& field) { field.upper = 9; },
           [](SteppedField& field) { field.impute = 1; }}) {
    SteppedField other = kWeight;
    change(other);
    EXPECT_EQ(summed(StepSum{other}), Names{"visits"});
  }
  // In conditions, keys and derived columns; and wherever a column has two types.
  Aggregation grouped = summing();
  grouped.groups.emplace_back(FoundKeys{{"visits", FieldType::kInteger}});
  EXPECT_EQ(names_of(summed_fields(std::span(&grouped, 1), columns)), Names{"weight"});
  Aggregation conditioned = summing();
  auto where = parse_expression("weight > 1", columns);
  conditioned.where = std::get<RowExpression>(where);
  EXPECT_EQ(names_of(summed_fields(std::span(&conditioned, 1), columns)), Names{"visits"});
  const std::vector<RowColumn> twice = {kWeightColumn, kVisitsColumn, {"visits", FieldType::kReal}};
  const Aggregation plain = summing();
  EXPECT_EQ(names_of(summed_fields(std::span(&plain, 1), twice)), Names{"weight"});
}

}  // namespace summed_rows_test
}  // namespace lastbit::engine
