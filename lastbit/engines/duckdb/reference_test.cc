// The reference of test_support.h is the engine that follows the definition; here it is checked by
// hand.
#include <gtest/gtest.h>

#include <utility>

#include "lastbit/engines/duckdb/test_support.h"
#include "lastbit/engines/kernel/value_map.h"
#include "lastbit/engines/memory/memory_engine.h"
#include "lastbit/release/fields/field_text.h"

namespace lastbit::engine {
namespace {

template <class T>
std::optional<MemoryValue> field(const std::optional<T>& value) {
  if (!value) return std::nullopt;
  return MemoryValue(*value);
}

std::optional<MemoryValue> paid_field(const Person& person) {
  if (!person.paid) return std::nullopt;
  const auto instant = read_timestamp(*person.paid, paid_type().zone());
  return instant ? std::optional<MemoryValue>(Instant{*instant}) : std::nullopt;
}
std::optional<MemoryValue> opens_field(const Person& person) {
  return person.opens ? std::optional<MemoryValue>(TimeOfDay{*person.opens}) : std::nullopt;
}
std::optional<MemoryValue> price_field(const Person& person) {
  return person.cents ? std::optional<MemoryValue>(Decimal{*person.cents, 2}) : std::nullopt;
}
std::optional<MemoryValue> serial_field(const Person& person) {
  return person.serial ? std::optional<MemoryValue>(Decimal{*person.serial, 0}) : std::nullopt;
}

}  // namespace

std::vector<GroupAnswer> expected(const BoundedQuery& query, const SecretKey& key,
                                  const std::vector<Person>& people) {
  MemoryTable table;
  table.columns = {{"table", FieldType::kInteger},
                   {"id", FieldType::kInteger},
                   {"town", FieldType::kText},
                   {"year", FieldType::kInteger},
                   {"weight", FieldType::kReal},
                   {"visits", FieldType::kInteger},
                   {"member", FieldType::kBoolean},
                   {"born", FieldType::kDate},
                   {"paid", paid_type()},
                   {"opens", FieldType::kTime},
                   {"price", FieldType::decimal(2)},
                   {"serial", FieldType::kUnsigned}};
  for (const Person& person : people) {
    table.rows.push_back({MemoryValue(person.table), field(person.id), field(person.town),
                          field(person.year), field(person.weight), field(person.visits),
                          field(person.member), field(person.born), paid_field(person),
                          opens_field(person), price_field(person), serial_field(person)});
  }
  return MemoryEngine(std::move(table)).aggregate_rows(query, key);
}

std::string as_text(const std::vector<GroupAnswer>& groups) {
  std::string text;
  for (const GroupAnswer& group : groups) {
    for (const KeyValue& key : group.key) {
      const PlainValue value = plain_value(key);
      const auto* name = std::get_if<std::string>(&value);
      text += (name != nullptr ? *name : std::to_string(std::get<std::int64_t>(value))) + " ";
    }
    for (const std::vector<Integer>& entries : group.entries) {
      text += "[";
      for (const Integer& entry : entries) text += " " + entry.to_string();
      text += " ]";
    }
    text += "\n";
  }
  return text;
}

TEST(ReferenceTest, WorkedExampleComesOut) {
  std::vector<Person> people(3);
  people[0].town = people[1].town = "Ayr";
  people[2].town = "Cork";
  people[0].weight = 1.25;
  people[1].weight = 100;
  BoundedQuery query;
  query.groups = {ListedKeys{{{"town", FieldType::kText}}, {{"Ayr"}, {"Bath"}}}};
  const SteppedField weight{{"weight", FieldType::kReal}, 0, 8, -1, 1, {}};
  query.measures = {RowCount{}, StepSum{weight}, BelowCounts{weight.field, {1, 2}, {}}};
  // 1.25 is 2.5 steps, so 3; 100 counts as 8, which is 16 steps; less the offset 1 each.
  EXPECT_EQ(as_text(expected(query, SecretKey(), people)),
            "Ayr [ 2 ][ 2 17 ][ 0 1 2 ]\nBath [ 0 ][ 0 0 ][ 0 0 0 ]\n");
}

}  // namespace lastbit::engine
