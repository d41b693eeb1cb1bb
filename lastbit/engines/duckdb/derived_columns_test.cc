// Conditions and derived columns in an aggregation: the engine answers as the definition does, in
// every format, and one unit moves the answers by no more than claimed.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lastbit/base/test_support.h"
#include "lastbit/engines/duckdb/locked_engine.h"
#include "lastbit/engines/duckdb/test_support.h"

namespace lastbit::engine {
namespace derived_columns_test {

constexpr std::int64_t kTables = 100;

RowExpression parsed(const std::string& text) {
  static const std::vector<RowColumn> kPeople = {
      {"id", FieldType::kInteger},     {"town", FieldType::kText},
      {"year", FieldType::kInteger},   {"weight", FieldType::kReal},
      {"visits", FieldType::kInteger}, {"member", FieldType::kBoolean},
      {"born", FieldType::kDate},      {"paid", paid_type()},
      {"opens", FieldType::kTime},     {"price", FieldType::decimal(2)},
      {"serial", FieldType::kUnsigned}};
  auto result = parse_expression(text, kPeople);
  const auto* problem = std::get_if<ExpressionProblem>(&result);
  EXPECT_EQ(problem, nullptr) << text << ": " << (problem != nullptr ? problem->problem : "");
  return problem == nullptr ? std::get<RowExpression>(result) : RowExpression{};
}

const std::vector<std::string> kConditions = {
    "visits >= 1",
    "weight > 0.25 OR member",
    "NOT (town = 'Ayr')",
    "town IS NULL OR length(town) > 3",
    "town LIKE '_a%' OR town IN ('Ely', '', NULL)",
    "born >= DATE '1970-01-01' AND year BETWEEN 1999 AND 2000",
    "visits / year < 0.001",
    "CASE WHEN member THEN weight > visits ELSE visits % 2 = 0 END",
    "coalesce(member, TRUE)",
    "TRUE",
    "1 > 2",
    "weight = weight",
    "upper(town) || 'x' <> 'AYRx'",
    "visits > 0 AND (year <> 2000 OR upper(town) = 'AYR' OR town IS NULL)",
    "CASE WHEN town LIKE '%y' THEN visits ELSE length(town) END > 2",
    "paid >= '2026-03-29 02:15' OR hour(opens) < 12",
    "price > 1.99 AND price < weight * 100",
    "serial > 9223372036854775807 OR serial = 2",
};

// Derived columns of each type, by their names.
const std::map<std::string, std::vector<std::string>> kDerived = {
    {"place",
     {"upper(trim(town))", "CASE WHEN visits > 2 THEN 'many' WHEN visits > 0 THEN 'some' END",
      "coalesce(town, 'nowhere')", "replace(town, 'a', 'e') || CAST(year AS TEXT)",
      "CAST(date_trunc('hour', paid) AS TEXT)", "CAST(price AS TEXT)"}},
    {"era",
     {"year - 1999", "CAST(weight AS INTEGER)", "length(town)", "weekday(born)", "visits * visits",
      "hour(paid)", "minute(opens) + hour(opens) // 8", "floor(price)",
      "CAST(serial % 3 AS INTEGER)"}},
    {"size",
     {"weight * 2 + visits", "visits / 3", "CAST(town AS REAL)", "abs(weight)", "round(weight, 1)",
      "price / 3", "CAST(price * 1.05 AS REAL)"}},
    {"big", {"weight > 1", "visits IS NULL", "member AND visits < 3"}},
    {"start",
     {"date_trunc('week', born)", "born + visits", "CASE WHEN member THEN born END",
      "CAST(paid AS DATE)"}},
    {"cost",
     {"price", "price + 0.25", "CAST(weight AS DECIMAL(9, 2))", "CASE WHEN member THEN price END",
      "round(price * visits, 1)"}},
    {"code", {"serial", "CAST(visits AS UNSIGNED)", "coalesce(serial, CAST(id AS UNSIGNED))"}},
    {"moment", {"paid", "date_trunc('hour', paid)", "coalesce(paid, '2026-10-25 02:30')"}},
};

// Maker: the text of a random expression of people's columns, of a type.
class Maker {
 public:
  explicit Maker(Dice& dice) : dice_(dice) {}

  std::string truth(int levels) {
    if (levels == 0) return one_of({"member", "visits >= 1", "town IS NULL", "TRUE", "price > 2"});
    const int next = levels - 1;
    switch (dice_.below(8)) {
      case 0:
        return "(" + truth(next) + " AND " + truth(next) + ")";
      case 1:
        return "(" + truth(next) + " OR " + truth(next) + ")";
      case 2:
        return "(NOT " + truth(next) + ")";
      case 3:
        return "(" + text(next) + comparison() + text(next) + ")";
      case 4:
        return "(" + date(next) + comparison() + date(next) + ")";
      case 5:
        return "(" + real(next) + " IS NULL)";
      case 6:
        return "(" + real(next) + comparison() + whole(next) + ")";
      default:
        return "(" + whole(next) + " IN (" + whole(next) + ", 1, NULL))";
    }
  }
  std::string whole(int levels) {
    if (levels == 0) return one_of({"visits", "year", "id", "length(town)", "hour(paid)", "2"});
    const int next = levels - 1;
    switch (dice_.below(5)) {
      case 0:
        return "(" + whole(next) + one_of({" + ", " - ", " * ", " // ", " % "}) + whole(next) + ")";
      case 1:
        return "coalesce(" + whole(next) + ", " + whole(next) + ")";
      case 2:
        return "CAST(" + real(next) + " AS INTEGER)";
      case 3:
        return "weekday(" + date(next) + ")";
      default:
        return choice(whole(next), whole(next), next);
    }
  }
  std::string real(int levels) {
    if (levels == 0) return one_of({"weight", "0.25", "CAST(price AS REAL)"});
    const int next = levels - 1;
    switch (dice_.below(4)) {
      case 0:
        return "(" + real(next) + one_of({" + ", " - ", " * ", " / "}) + real(next) + ")";
      case 1:
        return "(" + whole(next) + " / " + whole(next) + ")";
      case 2:
        return "round(" + real(next) + ", 1)";
      default:
        return choice(real(next), real(next), next);
    }
  }
  std::string text(int levels) {
    if (levels == 0) return one_of({"town", "'Ayr'", "''", "upper(town)", "trim(town)"});
    const int next = levels - 1;
    switch (dice_.below(4)) {
      case 0:
        return "(" + text(next) + " || " + text(next) + ")";
      case 1:
        return "substring(" + text(next) + ", 1, 2)";
      case 2:
        return "CAST(" + whole(next) + " AS TEXT)";
      default:
        return choice(text(next), text(next), next);
    }
  }
  std::string date(int levels) {
    if (levels == 0) return one_of({"born", "CAST(paid AS DATE)", "DATE '1999-12-31'"});
    const int next = levels - 1;
    if (dice_.below(2) == 0) return "(" + date(next) + " + " + whole(next) + ")";
    return choice("date_trunc('month', " + date(next) + ")", date(next), next);
  }

 private:
  std::string one_of(const std::vector<std::string>& list) {
    return list[static_cast<std::size_t>(dice_.below(std::ssize(list)))];
  }
  std::string comparison() { return one_of({" = ", " <> ", " < ", " >= "}); }
  std::string choice(const std::string& yes, const std::string& no, int levels) {
    return "(CASE WHEN " + truth(levels) + " THEN " + yes + " ELSE " + no + " END)";
  }

  Dice& dice_;
};

// random_text: of an expression for this derived column; nothing if only listed ones fit.
std::optional<std::string> random_text(Dice& dice, const std::string& name) {
  Maker maker(dice);
  if (name == "place") return maker.text(3);
  if (name == "era") return maker.whole(3);
  if (name == "size") return maker.real(3);
  if (name == "big") return maker.truth(3);
  if (name == "start") return maker.date(3);
  return std::nullopt;
}

// looked_up: what a public table says about the town.
RowExpression looked_up() {
  RowExpression lookup{.operation = RowOperation::kLookup, .type = FieldType::kText};
  lookup.lookup.table = std::make_shared<const LookupTable>(std::get<LookupTable>(LookupTable::make(
      FieldType::kText, {{"Ayr", "many"}, {"Ely", "some"}, {"", "Ely"}, {"Bath", {}}})));
  lookup.operands.push_back(parsed("town"));
  return lookup;
}

std::vector<DerivedColumn> random_columns(Dice& dice) {
  std::vector<DerivedColumn> columns;
  for (const auto& [name, texts] : kDerived) {
    const auto random = dice.below(2) == 0 ? random_text(dice, name) : std::nullopt;
    columns.push_back({name, parsed(random.value_or(
                                 texts[static_cast<std::size_t>(dice.below(std::ssize(texts)))]))});
    if (name == "place" && dice.below(4) == 0) columns.back().expression = looked_up();
  }
  return columns;
}

std::vector<Tally> measures() {
  const SteppedField size{{"size", FieldType::kReal}, -4, 8, -3, 0, {}};
  const SteppedField era{{"era", FieldType::kInteger}, -1, 4, 0, 0, 2};
  const SteppedField cost{{"cost", FieldType::decimal(2)}, -1, rational("10/3"), -5, 3, {}};
  const SteppedField price{{"price", FieldType::decimal(2)}, -2, 5, -3, 0, rational("0.25")};
  const SteppedField code{{"code", FieldType::kUnsigned}, 1, 1000, 0, 0, {}};
  return {
      RowCount{},
      UnitCount{},
      RowCount{FieldUse{"place", FieldType::kText}},
      StepSum{size},
      SquareSum{era},
      ProductSum{size, era},
      BinCounts{size.field, {-4, 0, rational("1/3"), 8}, {}},
      BelowCounts{era.field, {0, 1, 2}, {}},
      CategoryCounts{{"place", FieldType::kText}, std::vector<KeyValue>{"AYR", "many"}, true, {}},
      CategoryCounts{{"big", FieldType::kBoolean}, std::vector<KeyValue>{true}, true, {}},
      StepSum{cost},
      SquareSum{price},
      BinCounts{cost.field, {-1, 0, rational("1/3"), rational("5/2")}, {}},
      BelowCounts{price.field, {0, rational("0.995"), 2}, rational("1.5")},
      StepSum{code},
      CategoryCounts{code.field, std::vector<KeyValue>{std::int64_t{1}, std::int64_t{2}}, true, {}},
      CategoryCounts{{"serial", FieldType::kUnsigned}, RangeKeys{"serial", 0, 2}, true, {}},
      RowCount{FieldUse{"moment", paid_type()}},
      RowCount{FieldUse{"paid", paid_type()}},
      RowCount{FieldUse{"opens", FieldType::kTime}}};
}

// Queries with groups and units that are derived, and some that are not.
std::vector<BoundedQuery> queries(Dice& dice) {
  std::vector<BoundedQuery> all;
  const auto add = [&](ContributionUnit unit, std::vector<GroupColumns> groups) {
    BoundedQuery& query = all.emplace_back();
    query.unit = std::move(unit);
    query.groups = std::move(groups);
    query.groups.insert(query.groups.begin(), RangeKeys{"table", 0, kTables - 1});
    query.measures = measures();
    query.derived = random_columns(dice);
    const std::string& listed =
        kConditions[static_cast<std::size_t>(dice.below(std::ssize(kConditions)))];
    query.where = parsed(dice.below(2) == 0 ? listed : Maker(dice).truth(4));
  };
  const auto by_id = [](std::int64_t rows, std::int64_t groups) {
    return UnitColumn{"id", FieldType::kInteger, rows, groups};
  };
  const GroupColumns places = ListedKeys{{{"place", FieldType::kText}},
                                         {{"AYR"}, {"many"}, {"some"}, {"nowhere"}, {"Ely"}}};
  const GroupColumns pairs =
      ListedKeys{{{"big", FieldType::kBoolean}, {"era", FieldType::kInteger}},
                 {{true, std::int64_t{1}}, {false, std::int64_t{0}}, {true, std::int64_t{4}}}};
  add(RowsAreUnits{}, {});
  add(RowsAreUnits{}, {places});
  add(RowsAreUnits{}, {FoundKeys{{"start", FieldType::kDate}}});
  add(by_id(1, 1), {});
  add(by_id(2, 2), {places});
  add(by_id(2, 1), {pairs});
  add(by_id(1, 3), {RangeKeys{"era", -1, 3}, FoundKeys{{"place", FieldType::kText}}});
  add(UnitColumn{"place", FieldType::kText, 2, 1}, {});
  add(UnitColumn{"serial", FieldType::kUnsigned, 2, 1}, {});
  add(UnitColumn{"code", FieldType::kUnsigned, 1, 2}, {places});
  add(UnitColumn{"price", FieldType::decimal(2), 2, 1}, {});
  add(UnitColumn{"cost", FieldType::decimal(2), 1, 1}, {});
  add(UnitColumn{"paid", paid_type(), 2, 1}, {RangeKeys{"serial", 0, 12}});
  add(UnitColumn{"moment", paid_type(), 2, 2}, {RangeKeys{"code", 0, 3}});
  add(UnitColumn{"opens", FieldType::kTime, 2, 1}, {});
  add(UnitColumn{"era", FieldType::kInteger, 1, 2}, {FoundKeys{{"big", FieldType::kBoolean}}});
  return all;
}

class DerivedColumnsTest : public ::testing::Test {
 protected:
  std::vector<GroupAnswer> answer(BoundedQuery query, const std::vector<Person>& people,
                                  const SecretKey& key, Writing writing = Writing::kCsv) {
    query.source = written(scratch_, "people", people, writing);
    std::vector<GroupAnswer> groups = run_bounded(query, key);
    std::filesystem::remove(scratch_.path("people.typed"));
    return groups;
  }

  Scratch scratch_;
};

TEST_F(DerivedColumnsTest, AnswersAreThoseOfTheDefinition) {
  Dice dice(20261116);
  for (std::size_t round = 0; round <= 8 / kThinning; ++round) {
    for (const BoundedQuery& query : queries(dice)) {
      const std::vector<Person> people = random_people(dice, kTables, 12);
      const SecretKey key{{dice.word(), dice.word(), dice.word(), dice.word()}};
      EXPECT_EQ(as_text(answer(query, people, key)), as_text(expected(query, key, people)))
          << canonical_text(*query.where);
    }
  }
}

TEST_F(DerivedColumnsTest, FormatOfTheFileChangesNothing) {
  Dice dice(7);
  const SecretKey key{{1, 2, 3, 4}};
  for (const BoundedQuery& query : queries(dice)) {
    const std::vector<Person> people = random_people(dice, kTables, 6);
    const std::string csv = as_text(answer(query, people, key));
    for (const Writing writing : {Writing::kTsv, Writing::kParquet, Writing::kDuckDb,
                                  Writing::kJsonLines, Writing::kJsonArray}) {
      EXPECT_EQ(as_text(answer(query, people, key, writing)), csv)
          << static_cast<int>(writing) << " " << canonical_text(*query.where);
    }
  }
}

// A count of all rows needs no column but the condition.
TEST_F(DerivedColumnsTest, RowsThatMeetTheConditionAreCountedWithoutAnyColumn) {
  std::vector<Person> people(5);
  for (std::size_t i = 0; i < people.size(); ++i) people[i].visits = static_cast<std::int64_t>(i);
  BoundedQuery query;
  query.measures = {RowCount{}};
  query.where = parsed("visits >= 2");
  for (const Writing writing : {Writing::kCsv, Writing::kParquet, Writing::kDuckDb}) {
    EXPECT_EQ(as_text(answer(query, people, SecretKey(), writing)), "[ 3 ]\n");
  }
}

// Moves: by table, in how many groups the answers differ; entries must be within their bounds.
std::map<std::int64_t, Integer> moves(const BoundedQuery& query,
                                      const std::vector<GroupAnswer>& with,
                                      const std::vector<GroupAnswer>& without) {
  using Entries = std::vector<std::vector<Integer>>;
  std::map<KeyTuple, std::pair<const Entries*, const Entries*>> groups;
  for (const GroupAnswer& group : with) groups[group.key].first = &group.entries;
  for (const GroupAnswer& group : without) groups[group.key].second = &group.entries;
  Entries zeros;
  for (const Tally& measure : query.measures) zeros.emplace_back(entry_count(measure));
  std::map<std::int64_t, Integer> changed;
  for (const auto& [key, pair] : groups) {
    const Entries& a = pair.first != nullptr ? *pair.first : zeros;
    const Entries& b = pair.second != nullptr ? *pair.second : zeros;
    if (a == b) continue;
    changed[std::get<std::int64_t>(key.front())] += 1;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const std::vector<Integer> bounds = entry_bounds(query, query.measures[i]);
      for (std::size_t j = 0; j < a[i].size(); ++j) {
        EXPECT_LE(abs(a[i][j] - b[i][j]), bounds[j]) << canonical_text(*query.where);
      }
    }
  }
  return changed;
}

// In each table one row more, or one id more. A table shares no unit with another one.
TEST_F(DerivedColumnsTest, OneUnitMovesNoMoreThanClaimed) {
  Dice dice(99);
  std::int64_t moved = 0;
  for (std::size_t round = 0; round <= 12 / kThinning; ++round) {
    for (const BoundedQuery& query : queries(dice)) {
      const auto* unit = std::get_if<UnitColumn>(&query.unit);
      if (unit != nullptr && unit->name != "id") continue;
      const std::vector<Person> people = random_people(dice, kTables, 12);
      std::vector<Person> fewer;
      std::set<std::int64_t> seen;
      for (const Person& person : people) {
        const bool goes = unit == nullptr ? seen.insert(person.table).second
                                          : person.id == person.table * 100 + 1;
        if (!goes) fewer.push_back(person);
      }
      const SecretKey key{{dice.word(), 5, 6, 7}};
      const auto changed = moves(query, answer(query, people, key), answer(query, fewer, key));
      for (const auto& [table, groups] : changed) {
        EXPECT_LE(groups, groups_changed(query)) << canonical_text(*query.where);
      }
      moved += std::ssize(changed);
    }
  }
  EXPECT_GT(moved, 100);  // otherwise nothing was tested
}

}  // namespace derived_columns_test
}  // namespace lastbit::engine
