#include "lastbit/engines/duckdb/sql/bounded_query.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "lastbit/base/test_support.h"
#include "lastbit/engines/duckdb/locked_engine.h"
#include "lastbit/engines/duckdb/sql/bounded_sql.h"
#include "lastbit/engines/duckdb/test_support.h"

namespace lastbit::engine {
namespace bounded_query_test {

const SteppedField kWeight{{"weight", FieldType::kReal}, rational("-4.05"), 8, -2, 3, {}};
const SteppedField kVisits{{"visits", FieldType::kInteger}, 0, rational("4.5"), 0, 1, 2};

std::vector<Tally> all_measures() {
  SteppedField imputed = kWeight;
  imputed.impute = rational("1/3");
  imputed.grid_exponent = -20;
  return {RowCount{},
          RowCount{FieldUse{"weight", FieldType::kReal}},
          RowCount{FieldUse{"town", FieldType::kText}},
          UnitCount{},
          DistinctCount{{"town", FieldType::kText}},
          DistinctCount{{"visits", FieldType::kInteger}},
          DistinctCount{{"born", FieldType::kDate}},
          DistinctCount{{"member", FieldType::kBoolean}},
          StepSum{kWeight},
          StepSum{imputed},
          SquareSum{kVisits},
          SquareSum{imputed},
          ProductSum{kWeight, kVisits},
          ProductSum{kVisits, kVisits},
          ProductSum{imputed, kWeight, true},
          PairSum{kVisits, kWeight},
          LadderSum{{{"weight", FieldType::kReal}, -4, 8, -2, 0, {}}, {-16, -1, 0, 1, 2, 32}},
          LadderSum{{{"visits", FieldType::kInteger}, -1, 4, 0, 0, 2}, {-1, 0, 2, 4}},
          BinCounts{kWeight.field, {-4, rational("-1/8"), 0, rational("1/3"), 8}, {}},
          BinCounts{kVisits.field, {rational("-1/2"), 1, rational("5/2"), 4}, 0},
          BelowCounts{kWeight.field, {-4, 0, rational("1/3"), 5}, 0},
          BelowCounts{kVisits.field, {-1, 0, rational("5/2")}, {}},
          CategoryCounts{
              {"town", FieldType::kText}, std::vector<KeyValue>{"Cork", "", "Ely"}, true, "Ely"},
          CategoryCounts{{"year", FieldType::kInteger}, RangeKeys{"year", 1999, 2001}, false, {}},
          CategoryCounts{{"member", FieldType::kBoolean}, std::vector<KeyValue>{true}, true, {}},
          CategoryCounts{{"born", FieldType::kDate},
                         std::vector<KeyValue>{std::chrono::sys_days(std::chrono::days(-1)),
                                               std::chrono::sys_days(std::chrono::days(1))},
                         false,
                         {}}};
}

const GroupColumns kTables = RangeKeys{"table", 0, 149};
const GroupColumns kTowns = ListedKeys{{{"town", FieldType::kText}}, {{"Bath"}, {"Ayr"}, {"Ely"}}};
const GroupColumns kYears = RangeKeys{"year", 1999, 2001};
const GroupColumns kPairs =
    ListedKeys{{{"member", FieldType::kBoolean}, {"born", FieldType::kDate}},
               {{true, std::chrono::sys_days(std::chrono::days(0))},
                {false, std::chrono::sys_days(std::chrono::days(1))}}};

ContributionUnit unit(std::int64_t rows, std::int64_t groups) {
  return UnitColumn{"id", FieldType::kInteger, rows, groups};
}

// Queries with all kinds of units and groups; each table of the file is separate, since it shares
// no groups or units with any other.
std::vector<BoundedQuery> queries() {
  std::vector<BoundedQuery> queries;
  const auto add = [&](ContributionUnit who, std::vector<GroupColumns> groups) {
    BoundedQuery& query = queries.emplace_back();
    query.unit = std::move(who);
    query.groups = std::move(groups);
    query.groups.insert(query.groups.begin(), kTables);
    query.measures = all_measures();
  };
  add(RowsAreUnits{}, {});
  add(RowsAreUnits{}, {kTowns, kYears});
  add(unit(1, 1), {});
  add(unit(2, 1), {});
  add(unit(1, 1), {kTowns});
  add(unit(2, 2), {kTowns, kYears});
  add(unit(3, 1), {kPairs});
  add(unit(1, 2), {FoundKeys{{"town", FieldType::kText}}});
  add(unit(2, 3), {FoundKeys{{"born", FieldType::kDate}}, kYears});
  add(RowsAreUnits{},
      {FoundKeys{{"town", FieldType::kText}}, FoundKeys{{"member", FieldType::kBoolean}}});
  return queries;
}

class BoundedQueryTest : public ::testing::Test {
 protected:
  std::string answer(BoundedQuery query, const std::vector<Person>& people, const SecretKey& key,
                     Writing writing = Writing::kCsv) {
    query.source = written(scratch_, "people", people, writing);
    return as_text(run_bounded(query, key));
  }

  Scratch scratch_;
  SecretKey key_{{1, 2, 3, 4}};
};

TEST_F(BoundedQueryTest, AnswersAreThoseOfTheDefinition) {
  Dice dice(20260801);
  for (const BoundedQuery& query : queries()) {
    const std::vector<Person> people = random_people(dice, 150, 12);
    const SecretKey key{{dice.word(), dice.word(), dice.word(), dice.word()}};
    EXPECT_EQ(answer(query, people, key), as_text(expected(query, key, people)));
  }
}

TEST_F(BoundedQueryTest, KernelAnswersAsStatementsDo) {
  Dice dice(20261118);
  std::int64_t compared = 0;
  for (BoundedQuery query : queries()) {
    std::erase_if(query.measures,
                  [](const Tally& tally) { return std::holds_alternative<DistinctCount>(tally); });
    if (!uses_kernel(query)) continue;
    const std::vector<Person> people = random_people(dice, 150, 12);
    query.source = written(scratch_, "people", people, Writing::kCsv);
    const std::string by_kernel = as_text(run_bounded(query, key_, UseKernel::kOnly));
    EXPECT_EQ(as_text(run_bounded(query, key_, UseKernel::kNo)), by_kernel);
    EXPECT_EQ(as_text(expected(query, key_, people)), by_kernel);
    ++compared;
  }
  EXPECT_EQ(compared, 7);
}

// Beside others, a measure finds its contents already there, in their order.
TEST_F(BoundedQueryTest, MeasuresAloneAreThoseOfTheDefinition) {
  Dice dice(20261119);
  const std::vector<Person> people = random_people(dice, 150, 12);
  for (const Tally& measure : all_measures()) {
    BoundedQuery query;
    query.source = written(scratch_, "people", people, Writing::kCsv);
    query.unit = unit(2, 2);
    query.groups = {kTowns};
    query.measures = {measure};
    const std::string answer = as_text(expected(query, key_, people));
    EXPECT_EQ(as_text(run_bounded(query, key_, UseKernel::kNo)), answer);
    if (!uses_kernel(query)) continue;
    EXPECT_EQ(as_text(run_bounded(query, key_, UseKernel::kOnly)), answer);
  }
}

TEST_F(BoundedQueryTest, OrderOfRowsChangesNothing) {
  Dice dice(2);
  for (const BoundedQuery& query : queries()) {
    std::vector<Person> people = random_people(dice, 150, 12);
    const std::string before = answer(query, people, key_);
    for (std::size_t i = people.size(); i > 1; --i) {
      std::swap(people[i - 1], people[static_cast<std::size_t>(dice.below(std::int64_t(i)))]);
    }
    EXPECT_EQ(answer(query, people, key_), before);
  }
}

TEST_F(BoundedQueryTest, FormatOfTheFileChangesNothing) {
  Dice dice(3);
  const std::vector<BoundedQuery> all = queries();
  for (const std::size_t i : {std::size_t{1}, std::size_t{5}, std::size_t{8}}) {
    const std::vector<Person> people = random_people(dice, 150, 6);
    const std::string csv = answer(all[i], people, key_);
    for (const Writing writing : {Writing::kTsv, Writing::kParquet, Writing::kDuckDb,
                                  Writing::kJsonLines, Writing::kJsonArray}) {
      EXPECT_EQ(answer(all[i], people, key_, writing), csv) << static_cast<int>(writing);
      std::filesystem::remove(scratch_.path("people.typed"));
    }
  }
}

TEST_F(BoundedQueryTest, AnotherKeyChoosesOtherRows) {
  Dice dice(4);
  const std::vector<Person> people = random_people(dice, 150, 12);
  const BoundedQuery query = queries()[4];
  std::set<std::string> answers;
  for (std::uint64_t i = 0; i < 4; ++i) answers.insert(answer(query, people, {{i, 0, 0, 0}}));
  for (std::uint64_t i = 1; i < 4; ++i) answers.insert(answer(query, people, {{0, 0, i, 0}}));
  EXPECT_EQ(answers.size(), 7U);
}

// What one unit changed: in every group the measures, in every table the groups.
void expect_within_bounds(const BoundedQuery& query, const std::vector<GroupAnswer>& with,
                          const std::vector<GroupAnswer>& without) {
  std::map<KeyTuple, std::vector<std::vector<Integer>>> before;
  for (const GroupAnswer& group : without) before[group.key] = group.entries;
  std::map<KeyValue, std::int64_t> changed;
  for (const GroupAnswer& group : with) {
    auto& old = before[group.key];
    if (old == group.entries) continue;
    ++changed[group.key[0]];
    for (std::size_t m = 0; m < query.measures.size(); ++m) {
      // A group that is new had nothing before.
      if (old.size() <= m) old.emplace_back(group.entries[m].size());
      const std::vector<Integer> bounds = entry_bounds(query, query.measures[m]);
      Integer total = 0;
      for (std::size_t e = 0; e < bounds.size(); ++e) {
        const Integer change = abs(group.entries[m][e] - old[m][e]);
        EXPECT_LE(change, bounds[e]) << "measure " << m << " entry " << e;
        total += change;
      }
      EXPECT_LE(total, total_bound(query, query.measures[m])) << "measure " << m;
    }
  }
  for (const auto& [table, groups] : changed) EXPECT_LE(Integer(groups), groups_changed(query));
  EXPECT_FALSE(changed.empty());
  // A group of the remaining rows is in both.
  std::set<KeyTuple> keys;
  for (const GroupAnswer& group : with) keys.insert(group.key);
  for (const GroupAnswer& group : without) EXPECT_TRUE(keys.contains(group.key));
}

TEST_F(BoundedQueryTest, OneUnitChangesAnswersByNoMoreThanClaimed) {
  Dice dice(5);
  // Twice 150 tables for each query.
  std::vector<BoundedQuery> twice = queries();
  for (const BoundedQuery& query : queries()) twice.push_back(query);
  for (const BoundedQuery& query : twice) {
    const std::vector<Person> people = random_people(dice, 150, 12);
    // Removes one unit from each table: all rows of an id, or one row.
    std::vector<Person> fewer;
    std::map<std::int64_t, std::int64_t> victims;
    std::map<std::int64_t, std::int64_t> rows;
    for (const Person& person : people) ++rows[person.table];
    for (const auto& [table, size] : rows) victims[table] = dice.below(size);
    const bool by_row = std::holds_alternative<RowsAreUnits>(query.unit);
    for (const Person& person : people) {
      const bool goes = by_row ? victims[person.table]-- == 0
                               : person.id == person.table * 100 + victims[person.table] % 4;
      if (!goes) fewer.push_back(person);
    }
    BoundedQuery with = query;
    with.source = written(scratch_, "with", people, Writing::kCsv);
    BoundedQuery without = query;
    without.source = written(scratch_, "without", fewer, Writing::kCsv);
    expect_within_bounds(query, run_bounded(with, key_), run_bounded(without, key_));
  }
}

TEST_F(BoundedQueryTest, BoundsAreAttained) {
  std::vector<Person> people(6);
  for (Person& person : people) {
    person.id = 7;
    person.weight = 1e300;
    person.visits = 9;
    person.town = "Ayr";
  }
  for (std::size_t i = 0; i < 3; ++i) people[i].town = "Bath";
  BoundedQuery query;
  query.unit = unit(2, 2);
  query.groups = {kTowns};
  query.measures = {RowCount{}, SquareSum{kWeight}, ProductSum{kWeight, kVisits, true}};
  query.source = written(scratch_, "people", people, Writing::kCsv);
  const std::vector<GroupAnswer> groups = run_bounded(query, key_);
  EXPECT_EQ(groups_changed(query), 2);
  for (std::size_t group = 0; group < 2; ++group) {
    for (std::size_t m = 0; m < query.measures.size(); ++m) {
      const std::vector<Integer> bounds = entry_bounds(query, query.measures[m]);
      for (std::size_t e = 0; e < bounds.size(); ++e) {
        EXPECT_EQ(abs(groups[group].entries[m][e]), bounds[e]);
      }
    }
  }
}

TEST_F(BoundedQueryTest, WideProductsAreExactTo128Bits) {
  // Steps of 61 bits: a product has 122, and a sum of 16 of them 126.
  const SteppedField wide{{"visits", FieldType::kInteger}, -(std::int64_t{1} << 60),
                          (std::int64_t{1} << 60) + 12345, 0,
                          -(std::int64_t{1} << 60) + 1,    {}};
  std::vector<Person> people(16);
  for (Person& person : people) person.visits = (std::int64_t{1} << 60) + 12345;
  people[3].visits = std::numeric_limits<std::int64_t>::min();
  BoundedQuery query;
  query.measures = {SquareSum{wide}, ProductSum{wide, wide}, ProductSum{wide, kVisits, true}};
  query.max_rows = 16;
  EXPECT_EQ(answer(query, people, key_), as_text(expected(query, key_, people)));
  query.max_rows = 64;
  EXPECT_EQ(refused_parameter([&] { check_aggregation(query); }), "max_rows");
}

TEST_F(BoundedQueryTest, TalliesWithTheSameCellsAreCountedEach) {
  Dice dice(9);
  const std::vector<Person> people = random_people(dice, 20, 12);
  const FieldUse visits{"visits", FieldType::kInteger};
  BoundedQuery query;
  query.groups = {kTowns};
  query.measures = {LadderSum{{visits, -1, 4, 0, 0, {}}, {-1, 1, 2, 4}},
                    RowCount{},
                    BelowCounts{visits, {1, 2}, {}},
                    LadderSum{{visits, 0, 3, 0, 0, {}}, {0, 1, 2, 3}},
                    BelowCounts{visits, {1, 2}, 0},
                    BinCounts{visits, {0, 1, 2}, {}}};
  for (const ContributionUnit& who : {ContributionUnit(RowsAreUnits{}), unit(2, 2)}) {
    query.unit = who;
    EXPECT_EQ(answer(query, people, key_), as_text(expected(query, key_, people)));
  }
}

TEST_F(BoundedQueryTest, ManyTalliesOfCellsAndManyCellsAreCounted) {
  Dice dice(6);
  const std::vector<Person> people = random_people(dice, 20, 12);
  BoundedQuery query;
  query.unit = unit(2, 2);
  query.groups = {kTowns};
  constexpr std::int64_t kCells = Aggregation::kMaxCells - 1;
  // More than 64 of one kind, since sets of groups are told apart in the engine.
  for (std::int64_t first = -40; first < 40; ++first) {
    query.measures.emplace_back(CategoryCounts{
        {"visits", FieldType::kInteger}, RangeKeys{"visits", first, first + 1}, true, {}});
  }
  EXPECT_EQ(answer(query, people, key_), as_text(expected(query, key_, people)));
  query.measures = {CategoryCounts{
      {"visits", FieldType::kInteger}, RangeKeys{"visits", 2 - kCells, 1}, false, {}}};
  query.source = written(scratch_, "people", people, Writing::kCsv);
  const std::vector<GroupAnswer> many = run_bounded(query, key_);
  // Only the last four cells can have rows.
  query.measures = {
      CategoryCounts{{"visits", FieldType::kInteger}, RangeKeys{"visits", -2, 1}, false, {}}};
  const std::vector<GroupAnswer> few = run_bounded(query, key_);
  ASSERT_EQ(many.size(), few.size());
  for (std::size_t group = 0; group < few.size(); ++group) {
    const std::vector<Integer>& cells = many[group].entries[0];
    ASSERT_EQ(cells.size(), static_cast<std::size_t>(kCells));
    EXPECT_TRUE(std::equal(cells.end() - 4, cells.end(), few[group].entries[0].begin()));
    EXPECT_EQ(std::count(cells.begin(), cells.end() - 4, Integer(0)), kCells - 4);
  }
}

TEST_F(BoundedQueryTest, TextUnitsAndRowsWithoutAreHandledAsSaid) {
  BoundedQuery query;
  query.source.path =
      scratch_.write("a.csv", "who,x\nann,1\nann,1\n\"\",1\n\"\",1\n,1\n,1\nAnn,1\n\"ann \",1\n");
  query.unit = UnitColumn{"who", FieldType::kText, 1, 1};
  query.measures = {RowCount{}, UnitCount{}};
  EXPECT_EQ(as_text(run_bounded(query, key_)), "[ 4 ][ 4 ]\n");
}

TEST_F(BoundedQueryTest, RowsWithNothingToCountTakeNoPlaceOfTheirUnit) {
  std::string text = "who,x\n";
  for (int person = 0; person < 20; ++person) {
    for (int row = 0; row < 10; ++row) {
      text += std::to_string(person) + (row == person % 10 ? ",5\n" : ",\n");
    }
  }
  BoundedQuery query;
  query.source.path = scratch_.write("gaps.csv", text);
  query.unit = UnitColumn{"who", FieldType::kText, 1, 1};
  const SteppedField x{{"x", FieldType::kInteger}, 0, 9, 0, 0, {}};
  query.measures = {StepSum{x}, UnitCount{}};
  EXPECT_EQ(as_text(run_bounded(query, SecretKey())), "[ 20 100 ][ 20 ]\n");
  // A query that counts all rows needs the others too.
  query.measures = {RowCount{}};
  EXPECT_EQ(as_text(run_bounded(query, SecretKey())), "[ 20 ]\n");
}

TEST_F(BoundedQueryTest, TableWithoutRowsHasZerosInEveryPublicGroup) {
  BoundedQuery query = queries()[5];
  query.groups = {kTowns};
  EXPECT_EQ(answer(query, {}, key_), as_text(expected(query, key_, {})));
  query.groups = {};
  EXPECT_EQ(answer(query, {}, key_), as_text(expected(query, key_, {})));
  query.groups = {FoundKeys{{"town", FieldType::kText}}};
  EXPECT_EQ(answer(query, {}, key_), "");
}

class MillionRowsTest : public ::testing::Test {
 protected:
  static constexpr std::int64_t kRows = 1'000'000;

  // Too little for all rows, and enough for the engine itself.
  static constexpr std::uint64_t kMemory = std::uint64_t{40} << 20;

  // Row i, by the same arithmetic in both programs.
  static Person person(std::int64_t i) {
    Person person;
    person.id = i * 7919 % 200'003 % 50'000;
    person.year = 1990 + i * 31 % 101 % 12;
    person.weight = static_cast<double>(i * 17 % 4001) / 64;
    person.visits = i * 13 % 37;
    return person;
  }

  void SetUp() override {
    query_.unit = unit(2, 3);
    query_.groups = {RangeKeys{"year", 1990, 2005}};
    query_.measures = {RowCount{}, UnitCount{}, SquareSum{kWeight},
                       BinCounts{kVisits.field, {0, 5, 30}, {}},
                       DistinctCount{{"id", FieldType::kInteger}}};
    query_.source.path = scratch_.path("rows.parquet");
    query_.source.format = FileFormat::kParquet;
    write(kRows);
  }

  void write(std::int64_t rows) {
    unlocked(
        "COPY (SELECT i * 7919 % 200003 % 50000 AS id, 1990 + i * 31 % 101 % 12 AS year, "
        "(i * 17 % 4001)::DOUBLE / 64 AS weight, i * 13 % 37 AS visits FROM range(" +
        std::to_string(rows) + ") t(i)) TO '" + query_.source.path.string() + "' (FORMAT parquet)");
  }

  Scratch scratch_;
  BoundedQuery query_;
  SecretKey key_{{5, 6, 7, 8}};
};

// SLOW: MillionRowsTest.*
TEST_F(MillionRowsTest, AnswersAreThoseOfTheDefinition) {
  constexpr std::int64_t kSome = kRows / kThinning;
  write(kSome);
  std::vector<Person> people;
  for (std::int64_t i = 0; i < kSome; ++i) people.push_back(person(i));
  EXPECT_EQ(as_text(run_bounded(query_, key_)), as_text(expected(query_, key_, people)));
}

TEST_F(MillionRowsTest, ThreadsAndMemoryChangeNothing) {
  const std::string answer = as_text(run_bounded(query_, key_));
  for (const unsigned threads : {1U, 3U}) {
    query_.limits.threads = threads;
    EXPECT_EQ(as_text(run_bounded(query_, key_)), answer) << threads;
  }
  query_.limits.memory_bytes = kMemory;
  const std::filesystem::path spill = scratch_.path("spill");
  std::filesystem::create_directory(spill);
  query_.limits.spill_directory = spill;
  EXPECT_EQ(as_text(run_bounded(query_, key_)), answer);
  EXPECT_TRUE(std::filesystem::is_empty(spill));
}

TEST_F(MillionRowsTest, KernelAnswersAsStatementsDoInLittleMemory) {
  query_.measures.pop_back();  // different values
  ASSERT_TRUE(uses_kernel(query_));
  const std::string answer = as_text(run_bounded(query_, key_, UseKernel::kNo));
  EXPECT_EQ(as_text(run_bounded(query_, key_, UseKernel::kOnly)), answer);
  query_.limits = {scratch_.path(""), kMemory, 2};
  EXPECT_EQ(as_text(run_bounded(query_, key_, UseKernel::kOnly)), answer);
}

TEST_F(MillionRowsTest, WithoutASpillDirectoryMemoryRunsOutClearly) {
  query_.limits.threads = 2;
  query_.limits.memory_bytes = kMemory;
  try {
    run_bounded(query_, key_);
    ADD_FAILURE() << "40 MB were enough";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    EXPECT_EQ(error.problem(), "takes more memory than there is");
  }
}

}  // namespace bounded_query_test
}  // namespace lastbit::engine
