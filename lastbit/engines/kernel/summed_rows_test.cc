#include "lastbit/engines/kernel/summed_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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
const RowColumn kWeightColumn{"weight", FieldType::kReal};
const RowColumn kVisitsColumn{"visits", FieldType::kInteger};
const std::vector<RowColumn> kKeys = {{"member", FieldType::kBoolean},
                                      {"town", FieldType::kText},
                                      {"price", FieldType::decimal(2)},
                                      {"year", FieldType::kInteger}};

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
std::optional<Integer> step_of(const std::optional<MemoryValue>& field, const SteppedField& what) {
  if (!field) return std::nullopt;
  const auto [lower, upper] = inner_bounds(what);
  const Grid grid(what.grid_exponent);
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
  std::vector<std::int64_t> present[2];
  std::vector<Int128> totals[2];

  void add(const MemoryTable& table, const MemoryTable::Row& row, std::size_t place) {
    ++times[place];
    const SteppedField* sums[] = {&kWeight, &kVisits};
    for (std::size_t i = 0; i < 2; ++i) {
      const auto step = step_of(row[column_of(table, sums[i]->field.name)], *sums[i]);
      if (!step) continue;
      ++present[i][place];
      totals[i][place] += step->to_int64();
    }
  }
};

Merged merged(const MemoryTable& table) {
  Merged all;
  for (const RowColumn& key : kKeys) all.keys.columns.push_back({key.name, key.type});
  std::vector<std::pair<MemoryTable::Row, std::size_t>> known;
  for (const MemoryTable::Row& row : table.rows) {
    MemoryTable::Row own;
    for (const RowColumn& key : kKeys) own.push_back(row[column_of(table, key.name)]);
    auto found = std::ranges::find(all.keys.rows, own);
    const auto place = static_cast<std::size_t>(found - all.keys.rows.begin());
    if (found == all.keys.rows.end()) {
      all.keys.rows.push_back(own);
      all.times.push_back(0);
      for (std::size_t i = 0; i < 2; ++i) {
        all.present[i].push_back(0);
        all.totals[i].push_back(0);
      }
    }
    all.add(table, row, place);
  }
  return all;
}

std::string counted(const Aggregation& aggregation, const Merged& rows) {
  BoundedKernel kernel(aggregation, {{1, 2, 3, 4}});
  const MergePlan plan{kKeys, summed_fields(std::span(&aggregation, 1), kernel.columns())};
  RowExpander expander(kernel.columns(), plan, "rows");
  const KernelTable keys(rows.keys);
  std::vector<ColumnReader> readers(kKeys.size());
  keys.rows().give_rows(kKeys, RowOrder::kAny, [&](std::span<const ColumnBatch> batch) {
    std::vector<FieldBatch> fields;
    for (std::size_t i = 0; i < readers.size(); ++i) fields.push_back(readers[i].read(batch[i]));
    std::vector<RowExpander::Sum> sums;
    for (const SummedField& sum : plan.sums) {
      const std::size_t i = sum.column == kWeightColumn ? 0 : 1;
      sums.push_back({{std::span<const std::int64_t>(rows.present[i]), nullptr},
                      {std::span<const Int128>(rows.totals[i]), nullptr}});
    }
    expander.expand(fields, rows.times, sums);
    kernel.add_merged(expander.fields(), expander.times());
  });
  return answer_text(answer_of(aggregation, kernel.finish()));
}

TEST(SummedRowsTest, AnswersAreThoseOfTheDefinition) {
  TableDice dice(11);
  const Aggregation aggregation = summing();
  for (int i = 0; i < 200; ++i) {
    MemoryTable table = hard_table(dice, 60);
    if (table.rows.empty()) continue;
    // Few keys, so that many rows are merged.
    for (MemoryTable::Row& row : table.rows) {
      for (const RowColumn& key : kKeys) {
        const std::size_t column = column_of(table, key.name);
        if (dice.below(4) > 0) row[column] = table.rows.front()[column];
      }
    }
    ASSERT_EQ(counted(aggregation, merged(table)),
              answer_text(MemoryEngine(table).aggregate_rows(aggregation, {{1, 2, 3, 4}})))
        << i;
  }
}

TEST(SummedRowsTest, SumsThatNoRowsHaveAreRefused) {
  const SummedField field = summed_fields(std::vector{summing()}, {{kWeightColumn}}).at(0);
  EXPECT_EQ(field.lowest, -16);
  EXPECT_EQ(field.highest, 32);
  RowExpander expander({kWeightColumn}, {{}, {field}}, "rows");
  const auto expand = [&](std::int64_t times, std::int64_t present, std::optional<Int128> total) {
    const std::vector<std::int64_t> numbers = {times, present};
    const std::vector<Int128> totals = {total.value_or(0)};
    const std::uint64_t there = total ? 1 : 0;
    expander.expand({}, std::span(numbers).first(1),
                    {{{{std::span<const std::int64_t>(numbers).subspan(1), nullptr},
                       {std::span<const Int128>(totals), &there}}}});
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
