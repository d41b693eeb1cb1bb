#include "lastbit/engines/duckdb/sql/row_facts.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "lastbit/engines/duckdb/test_support.h"
#include "lastbit/release/inspect/limit_choices.h"
#include "lastbit/release/inspect/round_bounds.h"

namespace lastbit::engine {
namespace row_facts_test {

constexpr Writing kWritings[] = {Writing::kCsv,       Writing::kTsv,     Writing::kJsonLines,
                                 Writing::kJsonArray, Writing::kParquet, Writing::kDuckDb};

const FieldUse kId = {"id", FieldType::kInteger};
const FieldUse kVisits = {"visits", FieldType::kInteger};
const FieldUse kWeight = {"weight", FieldType::kReal};

// by_year: how many visits units made in the years 1999 to 2001.
Aggregation by_year(std::int64_t max_rows, std::int64_t max_groups) {
  Aggregation aggregation;
  aggregation.unit = UnitColumn{"id", FieldType::kInteger, max_rows, max_groups};
  aggregation.groups = {RangeKeys{"year", 1999, 2001}};
  SteppedField visits;
  visits.field = kVisits;
  visits.lower = 0;
  visits.upper = 4;
  aggregation.measures = {StepSum{visits}};
  return aggregation;
}

RowQuestions questions(const Aggregation& aggregation) {
  RowQuestions asked;
  asked.fields = {{kId, true},
                  {kVisits, false, {Rational(0), just_above(4)}},
                  {kWeight, false, {Rational(1)}},
                  {{"town", FieldType::kText}}};
  asked.keys = {{ListedKeys{{{"town", FieldType::kText}}, {{"Ayr"}, {"Bath"}}}},
                {RangeKeys{"year", 1999, 2001}}};
  asked.statistics = {
      {&aggregation, aggregation.measures.front(), {{kVisits, {Rational(1), Rational(3)}}}}};
  asked.unit = kId;
  return asked;
}

RowFacts facts_of(const DataSource& source) {
  LockedEngine engine(source);
  const Aggregation aggregation = by_year(2, 1);
  return examine_rows(engine, source, questions(aggregation));
}

std::int64_t count_if(const std::vector<Person>& people, const auto& test) {
  return std::count_if(people.begin(), people.end(), test);
}

bool has_group(const Person& person) { return person.year >= 1999 && person.year <= 2001; }
bool is_counted(const Person& person) { return person.id && has_group(person) && person.visits; }

void expect_fields(const std::vector<Person>& people, const RowFacts& facts) {
  const auto rows = static_cast<std::int64_t>(people.size());
  EXPECT_EQ(facts.rows, rows);
  EXPECT_EQ(facts.fields[0].missing, count_if(people, [](const Person& p) { return !p.id; }));
  EXPECT_EQ(facts.fields[1].missing, count_if(people, [](const Person& p) { return !p.visits; }));
  EXPECT_EQ(facts.fields[1].unreadable, 0);
  const std::vector<std::int64_t> visits = {
      count_if(people, [](const Person& p) { return p.visits && *p.visits < 0; }),
      count_if(people,
               [](const Person& p) { return p.visits && *p.visits >= 0 && *p.visits <= 4; }),
      count_if(people, [](const Person& p) { return p.visits && *p.visits > 4; })};
  EXPECT_EQ(facts.fields[1].between, visits);
  EXPECT_EQ(facts.fields[2].missing, count_if(people, [](const Person& p) { return !p.weight; }));
  EXPECT_EQ(facts.fields[2].unreadable,
            count_if(people, [](const Person& p) { return p.weight && std::isnan(*p.weight); }));
  EXPECT_EQ(facts.fields[2].first.size(),
            std::min<std::size_t>(3, static_cast<std::size_t>(facts.fields[2].unreadable)));
  EXPECT_EQ(facts.fields[3].unreadable, 0);
}

void expect_keys(const std::vector<Person>& people, const RowFacts& facts) {
  std::map<std::string, std::int64_t> towns;
  for (const Person& person : people) {
    if (person.town && person.town != "Ayr" && person.town != "Bath") ++towns[*person.town];
  }
  std::int64_t unlisted = 0;
  std::int64_t most = 0;
  for (const auto& [town, rows] : towns) {
    unlisted += rows;
    most = std::max(most, rows);
  }
  EXPECT_EQ(facts.keys[0].unlisted, unlisted);
  EXPECT_EQ(facts.keys[0].frequent.size(), towns.size());
  if (!towns.empty()) {
    EXPECT_EQ(facts.keys[0].frequent.front().rows, most);
  }
  EXPECT_EQ(facts.keys[1].unlisted,
            count_if(people, [](const Person& p) { return p.year && !has_group(p); }));
}

void expect_statistic(const std::vector<Person>& people, const StatisticFacts& facts) {
  EXPECT_EQ(facts.with_condition, static_cast<std::int64_t>(people.size()));
  EXPECT_EQ(facts.with_unit, count_if(people, [](const Person& p) { return p.id; }));
  EXPECT_EQ(facts.with_keys,
            count_if(people, [](const Person& p) { return p.id && has_group(p); }));
  EXPECT_EQ(facts.with_values, count_if(people, is_counted));
  std::map<std::int64_t, std::map<std::int64_t, std::int64_t>> units;
  for (const Person& person : people) {
    if (is_counted(person)) ++units[person.id.value_or(0)][person.year.value_or(0)];
  }
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> shapes;
  for (const auto& [unit, years] : units) {
    for (const auto& [year, rows] : years) {
      ++shapes[{static_cast<std::int64_t>(years.size()), rows}];
    }
  }
  decltype(shapes) found;
  for (const auto& [groups, rows, times] : facts.shapes) found[{groups, rows}] += times;
  EXPECT_EQ(found, shapes);
  EXPECT_EQ(unit_count(facts.shapes), static_cast<std::int64_t>(units.size()));
  const auto lies = [](const Person& p, std::int64_t from, std::int64_t to) {
    return p.id && has_group(p) && p.visits && *p.visits >= from && *p.visits < to;
  };
  const std::vector<std::int64_t> between = {
      count_if(people, [&](const Person& p) { return lies(p, -99, 1); }),
      count_if(people, [&](const Person& p) { return lies(p, 1, 3); }),
      count_if(people, [&](const Person& p) { return lies(p, 3, 99); })};
  ASSERT_EQ(facts.between.size(), 1U);
  EXPECT_EQ(facts.between.front(), between);
}

}  // namespace row_facts_test

namespace {

using namespace row_facts_test;  // NOLINT(google-build-using-namespace)

TEST(RowFacts, AreThoseOfTheRowsInEveryFormat) {
  const Scratch scratch;
  Dice dice(11);
  for (int trial = 0; trial < 4; ++trial) {
    std::vector<Person> people = random_people(dice, 1, 120);
    people.emplace_back();  // a file has at least one row
    for (const Writing writing : kWritings) {
      SCOPED_TRACE(fmt::format("trial {}, format {}", trial, static_cast<int>(writing)));
      const std::string name = fmt::format("people_{}_{}", trial, static_cast<int>(writing));
      const RowFacts facts = facts_of(written(scratch, name, people, writing));
      expect_fields(people, facts);
      expect_keys(people, facts);
      ASSERT_EQ(facts.statistics.size(), 1U);
      expect_statistic(people, facts.statistics.front());
      std::set<std::int64_t> ids;
      for (const Person& person : people) {
        if (person.id) ids.insert(*person.id);
      }
      EXPECT_EQ(facts.units, static_cast<std::int64_t>(ids.size()));
    }
  }
}

TEST(RowFacts, SayHowManyRowsAnAggregationCounts) {
  const Scratch scratch;
  Dice dice(12);
  const std::vector<Person> people = random_people(dice, 1, 200);
  const DataSource source = written(scratch, "people.csv", people, Writing::kCsv);
  const std::vector<UnitShape> shapes = facts_of(source).statistics.front().shapes;
  const auto counted = [&](std::int64_t max_rows, std::int64_t max_groups, std::uint64_t seed) {
    BoundedQuery query;
    static_cast<Aggregation&>(query) = by_year(max_rows, max_groups);
    query.source = source;
    std::int64_t rows = 0;
    for (const GroupAnswer& group : run_bounded(query, {{seed, 2, 3, 4}})) {
      rows += group.entries[0][0].to_int64();
    }
    return static_cast<double>(rows);
  };
  for (const std::int64_t max_rows : {1, 2, 5, 100}) {
    EXPECT_EQ(counted(max_rows, 3, 1), kept_rows(shapes, max_rows, 3, false));
  }
  // Which group of a unit counts is random, by these keys.
  constexpr std::uint64_t kKeys = 80;
  double sum = 0;
  for (std::uint64_t seed = 0; seed < kKeys; ++seed) sum += counted(100, 1, seed);
  const double kept = kept_rows(shapes, 100, 1, false);
  EXPECT_NEAR(sum / kKeys, kept, 0.05 * kept);
  EXPECT_LT(kept, 0.5 * kept_rows(shapes, 100, 3, false));
}

TEST(RowFacts, NumberTheRowsOfFilesWithTypes) {
  const Scratch scratch;
  std::vector<Person> people(40);
  for (const std::size_t row : {6U, 7U, 30U, 31U}) people[row].weight = std::nan("");
  people[8].weight = 1;
  for (const Writing writing : {Writing::kCsv, Writing::kParquet, Writing::kDuckDb}) {
    SCOPED_TRACE(static_cast<int>(writing));
    const RowFacts facts = facts_of(
        written(scratch, fmt::format("nan_{}", static_cast<int>(writing)), people, writing));
    ASSERT_EQ(facts.fields[2].first.size(), 3U);
    EXPECT_EQ(facts.fields[2].unreadable, 4);
    EXPECT_EQ(facts.fields[2].first[0].row, 7U);
    EXPECT_EQ(facts.fields[2].first[1].row, 8U);
    EXPECT_EQ(facts.fields[2].first[2].row, 31U);
    EXPECT_EQ(facts.fields[2].first[0].line,
              writing == Writing::kCsv ? std::optional<std::uint64_t>(8) : std::nullopt);
  }
}

}  // namespace
}  // namespace lastbit::engine
