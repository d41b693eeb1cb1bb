#include "lastbit/engines/kernel/bounded_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"
#include "lastbit/engines/kernel/kernel_test_support.h"
#include "lastbit/engines/memory/memory_engine.h"

namespace lastbit::engine {
namespace bounded_kernel_test {

SecretKey random_key(TableDice& dice) {
  return {{dice.word(), dice.word(), dice.word(), dice.word()}};
}

PartialAnswer counted(const MemoryTable& table, const Aggregation& aggregation,
                      const SecretKey& key, const KernelOptions& options) {
  const KernelTable rows(table);
  return count_rows(rows.rows(), aggregation, key, options);
}

std::string kernel_text(const MemoryTable& table, const Aggregation& aggregation,
                        const SecretKey& key, const KernelOptions& options) {
  return answer_text(answer_of(aggregation, counted(table, aggregation, key, options)));
}

// Rows of a table in parts that share no units.
std::vector<MemoryTable> in_parts(TableDice& dice, const MemoryTable& table,
                                  const Aggregation& aggregation) {
  const auto* unit = std::get_if<UnitColumn>(&aggregation.unit);
  std::vector<MemoryTable> parts(4);
  for (MemoryTable& part : parts) part.columns = table.columns;
  std::map<PlainValue, std::size_t> places;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    std::size_t place = dice.word() % parts.size();
    if (unit != nullptr) {
      place = places.emplace(plain_unit(table, row, unit->name), place).first->second;
    }
    parts[place].rows.push_back(table.rows[row]);
  }
  return parts;
}

std::string merged_text(TableDice& dice, const MemoryTable& table, const Aggregation& aggregation,
                        const SecretKey& key) {
  std::vector<PartialAnswer> parts;
  for (const MemoryTable& part : in_parts(dice, table, aggregation)) {
    const PartialAnswer answer = counted(part, aggregation, key, {.mergeable = true});
    parts.push_back(decode_partial(aggregation, key, encode_partial(answer)));
    EXPECT_EQ(parts.back(), answer);
  }
  // Any two of them, until one is left.
  while (parts.size() > 1) {
    std::swap(parts[dice.word() % parts.size()], parts.back());
    PartialAnswer last = std::move(parts.back());
    parts.pop_back();
    PartialAnswer& other = parts[dice.word() % parts.size()];
    const PartialAnswer reversed = merge(aggregation, other, last);
    other = merge(aggregation, std::move(last), other);
    EXPECT_EQ(other, reversed);
  }
  return answer_text(answer_of(aggregation, parts.front()));
}

TEST(BoundedKernelTest, AnswersAreThoseOfTheDefinition) {
  TableDice dice(20261118);
  for (std::size_t i = 0; i < 1500 / kThinning; ++i) {
    const MemoryTable table = hard_table(dice, 40);
    const Aggregation aggregation = hard_aggregation(dice);
    const SecretKey key = random_key(dice);
    const std::string expected = answer_text(MemoryEngine(table).aggregate_rows(aggregation, key));
    const EngineLimits one_thread{std::nullopt, std::nullopt, 1};
    ASSERT_EQ(kernel_text(table, aggregation, key, {.limits = one_thread}), expected) << i;
    const auto* unit = std::get_if<UnitColumn>(&aggregation.unit);
    if (unit != nullptr && !has_column(table, unit->name)) continue;
    ASSERT_EQ(merged_text(dice, table, aggregation, key), expected) << i;
    if (unit == nullptr) continue;
    ASSERT_EQ(
        kernel_text(sorted_by_unit(table, *unit), aggregation, key, {.order = RowOrder::kByUnit}),
        expected)
        << i;
  }
}

// Blocks of rows, threads, memory so small that parts are split and spilled.
TEST(BoundedKernelTest, BatchesThreadsMemoryAndDiskChangeNothing) {
  TableDice dice(7);
  MemoryTable table;
  for (int i = 0; i < 300; ++i) {
    MemoryTable more = hard_table(dice, 40);
    table.columns = more.columns;
    table.rows.insert(table.rows.end(), more.rows.begin(), more.rows.end());
  }
  ASSERT_GT(table.rows.size(), 5'000U);
  for (const char* unit : {"id", "who", "serial"}) {
    Aggregation aggregation = hard_aggregation(dice);
    const FieldType type = unit == std::string("id")    ? FieldType::kInteger
                           : unit == std::string("who") ? FieldType::kText
                                                        : FieldType::kUnsigned;
    aggregation.unit = UnitColumn{unit, type, 2, 2};
    aggregation.groups = {FoundKeys{{"town", FieldType::kText}}, RangeKeys{"year", 1998, 2002}};
    // Values that are counted stay in memory.
    std::erase_if(aggregation.measures, [](const Tally& tally) {
      return std::holds_alternative<DistinctCount>(tally) || tally == Tally(RowCount{});
    });
    aggregation.measures.emplace_back(RowCount{});
    const SecretKey key = random_key(dice);
    const std::string expected = answer_text(MemoryEngine(table).aggregate_rows(aggregation, key));
    EngineLimits limits{std::nullopt, std::nullopt, 3};
    EXPECT_EQ(kernel_text(table, aggregation, key, {.limits = limits}), expected);
    limits.memory_bytes = 300'000;
    limits.spill_directory = std::filesystem::temp_directory_path();
    EXPECT_EQ(kernel_text(table, aggregation, key, {.limits = limits}), expected);
  }
}

ErrorCode refusal(const std::function<void()>& action, std::string& problem) {
  try {
    action();
  } catch (const Error& error) {
    problem = error.problem();
    return error.code();
  }
  ADD_FAILURE() << "nothing was refused";
  return ErrorCode::kInternal;
}

MemoryTable plain_table(const std::vector<std::int64_t>& ids) {
  MemoryTable table;
  table.columns = {{"id", FieldType::kInteger}, {"x", FieldType::kInteger}};
  for (const std::int64_t id : ids) table.rows.push_back({MemoryValue(id), MemoryValue(id % 5)});
  return table;
}

Aggregation plain_aggregation() {
  Aggregation aggregation;
  aggregation.unit = UnitColumn{"id", FieldType::kInteger, 1, 1};
  aggregation.measures = {RowCount{}, StepSum{{{"x", FieldType::kInteger}, 0, 4, 0, 0, {}}}};
  return aggregation;
}

TEST(BoundedKernelTest, UnitsOutOfOrderAreRefused) {
  std::string problem;
  for (const auto& ids : std::vector<std::vector<std::int64_t>>{{1, 2, 1}, {2, 1}, {-1, 0, -2}}) {
    const ErrorCode code = refusal(
        [&] { counted(plain_table(ids), plain_aggregation(), {}, {.order = RowOrder::kByUnit}); },
        problem);
    EXPECT_EQ(code, ErrorCode::kBadInput);
    EXPECT_EQ(problem, "is not sorted by its units");
  }
}

TEST(BoundedKernelTest, TooManyRowsOfAGroupAreRefused) {
  Aggregation aggregation = plain_aggregation();
  aggregation.max_rows = 3;
  const MemoryTable four = plain_table({1, 2, 3, 4});
  std::string problem;
  for (const RowOrder order : {RowOrder::kAny, RowOrder::kByUnit}) {
    const auto count = [&] { counted(four, aggregation, {}, {.order = order}); };
    EXPECT_EQ(refusal(count, problem), ErrorCode::kBadInput);
    EXPECT_EQ(problem, "has more rows than max_rows");
  }
  aggregation.max_rows = 4;
  EXPECT_EQ(kernel_text(four, aggregation, {}, {}), "[ 0:4 ][ 0:4 1:10 ]\n");
}

std::vector<std::int64_t> many_ids(std::int64_t rows, std::int64_t units) {
  std::vector<std::int64_t> ids;
  for (std::int64_t i = 0; i < rows; ++i) ids.push_back(i % units);
  return ids;
}

TEST(BoundedKernelTest, WithoutADiskMemoryRunsOutClearly) {
  KernelOptions options;
  options.limits.memory_bytes = 200'000;
  std::string problem;
  const MemoryTable table = plain_table(many_ids(20'000, 5'000));
  const auto count = [&] { counted(table, plain_aggregation(), {}, options); };
  EXPECT_EQ(refusal(count, problem), ErrorCode::kBadInput);
  EXPECT_EQ(problem, "takes more memory than there is");
  options.limits.spill_directory = std::filesystem::temp_directory_path() / "not there";
  EXPECT_EQ(refusal(count, problem), ErrorCode::kBadInput);
  EXPECT_EQ(problem, "cannot be written to");
}

// A unit with more rows than memory: those of groups that lost their place are left out.
TEST(BoundedKernelTest, LargeUnitsFitIfTheirChosenGroupsDo) {
  MemoryTable table = plain_table(many_ids(40'000, 1));
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    table.rows[i][1] = MemoryValue(static_cast<std::int64_t>(i % 50));
  }
  Aggregation aggregation = plain_aggregation();
  aggregation.unit = UnitColumn{"id", FieldType::kInteger, 3, 2};
  aggregation.groups = {FoundKeys{{"x", FieldType::kInteger}}};
  const std::string expected =
      answer_text(MemoryEngine(table).aggregate_rows(aggregation, SecretKey{{1, 2, 3, 4}}));
  KernelOptions options;
  options.limits = {std::filesystem::temp_directory_path(), 1'200'000, 1};
  EXPECT_EQ(kernel_text(table, aggregation, {{1, 2, 3, 4}}, options), expected);
  options.order = RowOrder::kByUnit;
  EXPECT_EQ(kernel_text(table, aggregation, {{1, 2, 3, 4}}, options), expected);
  // Without groups to leave out it is refused.
  aggregation.groups = {};
  std::string problem;
  const auto count = [&] { counted(table, aggregation, {}, options); };
  EXPECT_EQ(refusal(count, problem), ErrorCode::kBadInput);
  EXPECT_EQ(problem, "has a unit with more rows than fit in memory");
}

// A source that gives its rows only once.
class Stream final : public RowSource {
 public:
  explicit Stream(const KernelTable& table) : table_(table) {}
  std::string name() const override { return "stream"; }
  std::vector<SchemaColumn> schema() const override { return table_.rows().schema(); }
  void give_rows(std::span<const RowColumn> columns, RowOrder order,
                 const TakeBatch& take) const override {
    if (!std::exchange(read_, true)) table_.rows().give_rows(columns, order, take);
  }
  void require_unchanged() const override {}

 private:
  const KernelTable& table_;
  mutable bool read_ = false;
};

TEST(KernelEngineTest, StreamThatEndsIsNotReadTwice) {
  const KernelTable table(plain_table({1, 2, 3}));
  const std::vector<Aggregation> twice = {plain_aggregation(), plain_aggregation()};
  const KernelEngine whole(table.shared());
  const ExactAnswers answers = whole.aggregate({}, twice, {}, {}, {});
  EXPECT_EQ(answer_text(answers[0]), "[ 0:3 ][ 0:3 1:6 ]\n");
  EXPECT_EQ(answer_text(answers[1]), answer_text(answers[0]));
  const KernelEngine once(std::make_shared<Stream>(table));
  std::string problem;
  EXPECT_EQ(refusal([&] { once.aggregate({}, twice, {}, {}, {}); }, problem), ErrorCode::kBadInput);
  EXPECT_EQ(problem, "changed while it was read");
}

}  // namespace bounded_kernel_test
}  // namespace lastbit::engine
