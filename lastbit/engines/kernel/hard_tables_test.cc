// The tables of kernel_test_support.h.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "lastbit/engines/kernel/kernel_test_support.h"
#include "lastbit/engines/memory/memory_engine.h"

namespace lastbit::engine {
namespace hard_tables_test {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

const std::vector<std::string> kTexts = {"",     " ",       "a",        "a ",        "A",
                                         "é",    "e\u0301", "'",        "\t",        "ab\tc",
                                         "NULL", "\"q\"",   "abcdefgh", "abcdefghi", "zz"};
const std::vector<std::int64_t> kWholes = {kMin, kMin + 1, -2, -1, 0,        1,
                                           2,    3,        4,  5,  kMax - 1, kMax};

double hard_real(TableDice& dice) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const std::vector<double> corners = {
      0.0,   -0.0, 5e-324, -5e-324, 0.125, 0.375, -0.125, 8,
      8.125, -4.0, 1e308,  -1e308,  1e22,  kInf,  -kInf,  std::numeric_limits<double>::quiet_NaN()};
  switch (dice.below(4)) {
    case 0:
      return std::bit_cast<double>(dice.word());
    case 1:
      return dice.one_of(corners);
    default:
      return static_cast<double>(dice.below(400) - 150) / 16;
  }
}

// Berlin's clocks matter to derived columns only, which the tests of engines/duckdb cover.
const std::vector<MemoryColumn> kColumns = {
    {"id", FieldType::kInteger},     {"who", FieldType::kText},    {"town", FieldType::kText},
    {"year", FieldType::kInteger},   {"weight", FieldType::kReal}, {"visits", FieldType::kInteger},
    {"member", FieldType::kBoolean}, {"born", FieldType::kDate},   {"price", FieldType::decimal(2)},
    {"serial", FieldType::kUnsigned}};

std::optional<MemoryValue> hard_value(TableDice& dice, const MemoryColumn& column) {
  if (dice.below(10) == 0) return std::nullopt;
  const auto day = [](int year, unsigned month, unsigned of_month) {
    return Date(std::chrono::year(year), std::chrono::month(month), std::chrono::day(of_month));
  };
  const std::vector<Date> dates = {day(1, 1, 1), day(9999, 12, 31), day(1969, 12, 31),
                                   day(1970, 1, 1), day(2024, 2, 29)};
  if (column.name == "id") return MemoryValue(dice.one_of(kWholes));
  if (column.name == "year") return MemoryValue(1998 + dice.below(5));
  if (column.name == "visits") {
    return MemoryValue(dice.below(5) == 0 ? dice.one_of(kWholes) : dice.below(9) - 2);
  }
  switch (column.type.kind()) {
    case FieldType::kText:
      return MemoryValue(dice.one_of(kTexts));
    case FieldType::kReal:
      return MemoryValue(hard_real(dice));
    case FieldType::kBoolean:
      return MemoryValue(dice.below(2) == 1);
    case FieldType::kDate:
      return MemoryValue(dice.one_of(dates));
    case FieldType::kDecimal:
      return MemoryValue(Decimal{static_cast<Int128>(dice.below(1'000) - 300), 2});
    default:
      return MemoryValue(
          Decimal{static_cast<Int128>(dice.below(3) == 0 ? dice.word() : dice.word() % 12), 0});
  }
}

RowExpression expression(const char* text) {
  std::vector<RowColumn> row;
  for (const MemoryColumn& column : kColumns) row.push_back({column.name, column.type});
  auto result = parse_expression(text, row);
  if (const auto* problem = std::get_if<ExpressionProblem>(&result)) {
    throw std::runtime_error(problem->problem);
  }
  return std::get<RowExpression>(result);
}

const SteppedField kWeight{{"weight", FieldType::kReal}, Rational(-81, 20), 8, -2, 3, {}};
const SteppedField kVisits{{"visits", FieldType::kInteger}, 0, Rational(9, 2), 0, 1, 2};
const SteppedField kPrice{{"price", FieldType::decimal(2)}, -1, 5, -3, 0, {}};
const SteppedField kHalf{{"half", FieldType::kReal}, 0, 4, -4, 0, {}};

std::vector<Tally> all_tallies() {
  SteppedField imputed = kWeight;
  imputed.impute = Rational(1, 3);
  imputed.grid_exponent = -20;
  return {RowCount{}, RowCount{FieldUse{"weight", FieldType::kReal}},
          RowCount{FieldUse{"town", FieldType::kText}}, UnitCount{},
          DistinctCount{{"town", FieldType::kText}}, DistinctCount{{"visits", FieldType::kInteger}},
          DistinctCount{{"born", FieldType::kDate}},
          DistinctCount{{"serial", FieldType::kUnsigned}},
          DistinctCount{{"price", FieldType::decimal(2)}}, DistinctCount{{"low", FieldType::kText}},
          StepSum{kWeight}, StepSum{imputed}, StepSum{kPrice}, StepSum{kHalf}, SquareSum{kVisits},
          SquareSum{imputed}, ProductSum{kWeight, kVisits}, ProductSum{kVisits, kVisits},
          ProductSum{imputed, kWeight, true}, PairSum{kVisits, kWeight},
          LadderSum{{{"weight", FieldType::kReal}, -4, 8, -2, 0, {}}, {-16, -1, 0, 1, 2, 32}},
          LadderSum{{{"visits", FieldType::kInteger}, -1, 4, 0, 0, 2}, {-1, 0, 2, 4}},
          BinCounts{kWeight.field, {-4, Rational(-1, 8), 0, Rational(1, 3), 8}, {}},
          BinCounts{kVisits.field, {Rational(-1, 2), 1, Rational(5, 2), 4}, 0},
          BelowCounts{kWeight.field, {-4, 0, Rational(1, 3), 5}, 0},
          BelowCounts{kPrice.field, {-1, 0, Rational(5, 2)}, {}},
          CategoryCounts{
              {"town", FieldType::kText}, std::vector<KeyValue>{"a ", "", "Ely"}, true, "Ely"},
          CategoryCounts{{"year", FieldType::kInteger}, RangeKeys{"year", 1999, 2001}, false, {}},
          // More cells than are kept where there are no rows.
          CategoryCounts{{"visits", FieldType::kInteger}, RangeKeys{"visits", -5000, 1}, true, {}},
          CategoryCounts{
              {"serial", FieldType::kUnsigned}, std::vector<KeyValue>{std::int64_t{3}}, true, {}}};
}

std::vector<GroupColumns> all_groups() {
  return {ListedKeys{{{"town", FieldType::kText}}, {{"a"}, {"a "}, {""}, {"Ely"}}},
          RangeKeys{"year", 1999, 2001},
          ListedKeys{{{"member", FieldType::kBoolean}, {"year", FieldType::kInteger}},
                     {{true, std::int64_t{1999}}, {false, std::int64_t{2000}}}},
          ListedKeys{{{"serial", FieldType::kUnsigned}}, {{std::int64_t{1}}, {std::int64_t{2}}}},
          FoundKeys{{"town", FieldType::kText}},
          FoundKeys{{"visits", FieldType::kInteger}},
          FoundKeys{{"born", FieldType::kDate}},
          FoundKeys{{"member", FieldType::kBoolean}},
          FoundKeys{{"low", FieldType::kText}}};
}

template <class T>
void append(std::vector<T>& all, T value) {
  all.push_back(std::move(value));
}

}  // namespace hard_tables_test

using namespace hard_tables_test;

MemoryTable hard_table(TableDice& dice, std::int64_t most_rows) {
  MemoryTable table;
  table.columns = kColumns;
  const std::int64_t rows = dice.below(most_rows + 1);
  for (std::int64_t i = 0; i < rows; ++i) {
    if (i > 0 && dice.below(4) == 0) {
      table.rows.push_back(table.rows.back());
      continue;
    }
    MemoryTable::Row& row = table.rows.emplace_back();
    for (const MemoryColumn& column : kColumns) row.push_back(hard_value(dice, column));
  }
  return table;
}

Aggregation hard_aggregation(TableDice& dice) {
  static const RowExpression half = expression("weight / 2");
  static const RowExpression low = expression("lower(trim(town))");
  static const RowExpression where = expression("visits IS NULL OR visits < 7");
  static const std::vector<Tally> tallies = all_tallies();
  static const std::vector<GroupColumns> groups = all_groups();
  Aggregation aggregation;
  aggregation.derived = {{"half", half}, {"low", low}};
  if (dice.below(3) == 0) aggregation.where = where;
  const std::vector<UnitColumn> units = {
      {"id", FieldType::kInteger},      {"who", FieldType::kText},
      {"serial", FieldType::kUnsigned}, {"price", FieldType::decimal(2)},
      {"born", FieldType::kDate},       {"low", FieldType::kText}};
  if (dice.below(6) > 0) {
    UnitColumn unit = dice.one_of(units);
    unit.max_rows = 1 + dice.below(3);
    unit.max_groups = 1 + dice.below(3);
    aggregation.unit = unit;
  }
  for (std::int64_t left = dice.below(3); left > 0; --left) {
    append(aggregation.groups, dice.one_of(groups));
  }
  for (std::int64_t left = 1 + dice.below(5); left > 0; --left) {
    const Tally& tally = dice.one_of(tallies);
    const bool repeated =
        std::ranges::find(aggregation.measures, tally) != aggregation.measures.end();
    if (!repeated) append(aggregation.measures, tally);
  }
  return aggregation;
}

bool has_column(const MemoryTable& table, const std::string& name) {
  return std::ranges::find(table.columns, name, &MemoryColumn::name) != table.columns.end();
}

PlainValue plain_unit(const MemoryTable& table, std::size_t row, const std::string& name) {
  const auto column = std::ranges::find(table.columns, name, &MemoryColumn::name);
  const auto& field = table.rows[row][static_cast<std::size_t>(column - table.columns.begin())];
  if (!field) return std::string();
  if (const auto* number = std::get_if<std::int64_t>(&*field)) return *number;
  if (const auto* text = std::get_if<std::string>(&*field)) return *text;
  if (const auto* wide = std::get_if<Decimal>(&*field)) return Integer(wide->number).to_string();
  return plain_value(KeyValue(std::get<Date>(*field)));
}

MemoryTable sorted_by_unit(const MemoryTable& table, const UnitColumn& unit) {
  MemoryTable result = table;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < table.rows.size(); ++i) order.push_back(i);
  std::ranges::sort(order, {},
                    [&](std::size_t i) { return std::pair(plain_unit(table, i, unit.name), i); });
  for (std::size_t i = 0; i < order.size(); ++i) result.rows[i] = table.rows[order[i]];
  return result;
}

KernelTable::KernelTable(const MemoryTable& table) {
  std::vector<TableRows::Column> columns;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    Storage& storage = storage_.emplace_back();
    fill(storage, table, i);
    const MemoryColumn& column = table.columns[i];
    const std::vector<SchemaColumn> schema = MemoryEngine({{column}, {}}).read_schema({});
    columns.push_back({schema.front(), batch(storage, column.type, table.rows.size())});
  }
  source_ = std::make_shared<TableRows>(std::move(columns));
}

void KernelTable::fill(Storage& storage, const MemoryTable& table, std::size_t column) {
  const std::size_t rows = table.rows.size();
  storage.validity.resize(rows / 8 + 1);
  storage.bits.resize(rows / 8 + 1);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto& field = table.rows[row][column];
    if (field) storage.validity[row / 8] |= static_cast<std::uint8_t>(1U << (row % 8));
    const MemoryValue value = field.value_or(MemoryValue(false));
    const auto* number = std::get_if<std::int64_t>(&value);
    const auto* real = std::get_if<double>(&value);
    const auto* text = std::get_if<std::string>(&value);
    const auto* date = std::get_if<Date>(&value);
    const auto* wide = std::get_if<Decimal>(&value);
    storage.integers.push_back(number != nullptr ? *number : 17);
    storage.reals.push_back(real != nullptr ? *real : 17);
    storage.wides.push_back(wide != nullptr ? wide->number : 17);
    const std::int64_t day =
        date != nullptr ? std::chrono::sys_days(*date).time_since_epoch().count() : 17;
    storage.days.push_back(static_cast<std::int32_t>(day));
    if (text != nullptr) storage.bytes += *text;
    storage.offsets.push_back(static_cast<std::int32_t>(storage.bytes.size()));
    if (value == MemoryValue(true))
      storage.bits[row / 8] |= static_cast<std::uint8_t>(1U << (row % 8));
  }
}

ColumnBatch KernelTable::batch(const Storage& storage, FieldType type, std::size_t rows) const {
  ColumnBatch batch;
  batch.rows = rows;
  batch.validity = {storage.validity};
  switch (type.kind()) {
    case FieldType::kText:
      batch.values = TextOffsets{storage.offsets, storage.bytes};
      break;
    case FieldType::kReal:
      batch.values = std::span<const double>(storage.reals);
      break;
    case FieldType::kBoolean:
      batch.values = BitColumn{storage.bits};
      break;
    case FieldType::kDate:
      batch.values = DayColumn{storage.days};
      break;
    case FieldType::kDecimal:
    case FieldType::kUnsigned:
      batch.values = std::span<const Int128>(storage.wides);
      break;
    default:
      batch.values = std::span<const std::int64_t>(storage.integers);
  }
  return batch;
}

std::string answer_text(const std::vector<GroupAnswer>& groups) {
  std::string text;
  for (const GroupAnswer& group : groups) {
    for (const KeyValue& key : group.key) text += text_of(key) + " ";
    for (const std::vector<Integer>& entries : group.entries) {
      text += "[";
      std::size_t place = 0;
      for (const Integer& entry : entries) {
        if (entry.sign() != 0) text += " " + std::to_string(place) + ":" + entry.to_string();
        ++place;
      }
      text += " ]";
    }
    text += "\n";
  }
  return text;
}

}  // namespace lastbit::engine
