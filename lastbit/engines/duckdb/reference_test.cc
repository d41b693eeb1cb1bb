// The reference of test_support.h, and a check of it by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "lastbit/engines/duckdb/test_support.h"
#include "lastbit/engines/duckdb/value_map.h"

namespace lastbit::engine {
namespace {

// A number that may be infinite: then `sign` is not 0.
struct Extended {
  int sign = 0;
  Rational number;
};

std::optional<Extended> number_of(const Person& person, const std::string& name) {
  if (name == "visits") {
    if (!person.visits) return std::nullopt;
    return Extended{0, *person.visits};
  }
  if (name != "weight") throw std::logic_error("no number");
  if (!person.weight || std::isnan(*person.weight)) return std::nullopt;
  if (std::isinf(*person.weight)) return Extended{*person.weight > 0 ? 1 : -1, 0};
  return Extended{0, Rational::exactly(*person.weight)};
}

bool is_below(const Extended& value, const Rational& bound) {
  return value.sign < 0 || (value.sign == 0 && value.number < bound);
}

std::optional<PlainValue> key_of(const Person& person, const std::string& name) {
  const auto plain = [](const auto& field) -> std::optional<PlainValue> {
    if (!field) return std::nullopt;
    return plain_value(KeyValue(*field));
  };
  if (name == "table") return PlainValue(person.table);
  if (name == "town") return plain(person.town);
  if (name == "year") return plain(person.year);
  if (name == "visits") return plain(person.visits);
  if (name == "member") return plain(person.member);
  if (name == "born") return plain(person.born);
  throw std::logic_error("no key");
}

using Content = std::optional<std::int64_t>;

Content steps_of(const SteppedField& field, const Person& person) {
  const bool real = field.field.type == FieldType::kReal;
  const Rational lower = real ? Rational::exactly(field.lower.up()) : Rational(field.lower.ceil());
  const Rational upper =
      real ? Rational::exactly(field.upper.down()) : Rational(field.upper.floor());
  std::optional<Extended> value = number_of(person, field.field.name);
  if (!value && field.impute) {
    value = Extended{0, real ? Rational::exactly(field.impute->down()) : *field.impute};
  }
  if (!value) return std::nullopt;
  Rational clamped = value->number;
  if (is_below(*value, lower)) clamped = lower;
  if (!is_below(*value, upper)) clamped = upper;
  const Rational steps = clamped / Rational::two_to(field.grid_exponent) + Rational(1, 2);
  return (steps.floor() - field.offset).to_int64();
}

// The contents that a measure looks at.
struct Contents {
  const Person& person;

  std::vector<Content> operator()(const RowCount& count) const {
    if (!count.field) return {};
    const bool number = count.field->name == "weight";
    const bool there = number ? number_of(person, count.field->name).has_value()
                              : key_of(person, count.field->name).has_value();
    return {there ? Content(0) : std::nullopt};
  }
  std::vector<Content> operator()(const UnitCount& /*count*/) const { return {}; }
  std::vector<Content> operator()(const StepSum& sum) const {
    return {steps_of(sum.field, person)};
  }
  std::vector<Content> operator()(const SquareSum& sum) const {
    return {steps_of(sum.field, person)};
  }
  std::vector<Content> operator()(const ProductSum& sum) const {
    return {steps_of(sum.first, person), steps_of(sum.second, person)};
  }
  std::vector<Content> operator()(const BinCounts& bins) const {
    std::optional<Extended> value = number_of(person, bins.field.name);
    if (!value && bins.impute) value = Extended{0, *bins.impute};
    if (!value || value->sign != 0) return {std::nullopt};
    const Rational& x = value->number;
    for (std::size_t i = 0; i + 1 < bins.edges.size(); ++i) {
      const bool last = i + 2 == bins.edges.size();
      if (bins.edges[i] <= x && (x < bins.edges[i + 1] || (last && x == bins.edges[i + 1]))) {
        return {static_cast<std::int64_t>(i)};
      }
    }
    return {std::nullopt};
  }
  std::vector<Content> operator()(const BelowCounts& below) const {
    std::optional<Extended> value = number_of(person, below.field.name);
    if (!value && below.impute) value = Extended{0, *below.impute};
    if (!value) return {std::nullopt};
    std::int64_t rank = 0;
    for (const Rational& candidate : below.candidates) rank += is_below(*value, candidate) ? 0 : 1;
    return {rank};
  }
  std::vector<Content> operator()(const CategoryCounts& categories) const {
    std::optional<PlainValue> value = key_of(person, categories.field.name);
    if (!value && categories.impute) value = plain_value(*categories.impute);
    if (!value) return {std::nullopt};
    const std::int64_t size = category_count(categories);
    for (std::int64_t i = 0; i < size; ++i) {
      const auto* range = std::get_if<RangeKeys>(&categories.categories);
      const KeyValue key =
          range != nullptr
              ? KeyValue(range->first + i)
              : std::get<std::vector<KeyValue>>(categories.categories)[static_cast<std::size_t>(i)];
      if (plain_value(key) == *value) return {i};
    }
    return {categories.other ? Content(size) : std::nullopt};
  }
};

// Whether a measure finds something to count in a row with these contents; UnitCount goes by the rows
// of the others.
bool counts_row(const Tally& tally, const std::vector<Content>& contents) {
  if (std::holds_alternative<UnitCount>(tally)) return false;
  return std::ranges::all_of(contents, [](const Content& content) { return content.has_value(); });
}

// Adds a row that counts to the entries of a measure.
struct AddRow {
  const std::vector<Content>& contents;
  std::vector<Integer>& entries;

  void operator()(const RowCount& /*count*/) const {
    entries[0] += contents.empty() || contents[0] ? 1 : 0;
  }
  void operator()(const UnitCount& /*count*/) const {}
  void operator()(const StepSum& /*sum*/) const {
    if (!contents[0]) return;
    entries[0] += 1;
    entries[1] += *contents[0];
  }
  void operator()(const SquareSum& /*sum*/) const {
    if (!contents[0]) return;
    entries[0] += 1;
    entries[1] += *contents[0];
    entries[2] += Integer(*contents[0]) * *contents[0];
  }
  void operator()(const ProductSum& /*sum*/) const {
    if (!contents[0] || !contents[1]) return;
    entries[0] += 1;
    entries[1] += *contents[0];
    entries[2] += *contents[1];
    entries[3] += Integer(*contents[0]) * *contents[1];
  }
  void operator()(const BinCounts& /*bins*/) const { add_cell(); }
  void operator()(const CategoryCounts& /*categories*/) const { add_cell(); }
  void operator()(const BelowCounts& /*below*/) const {
    if (!contents[0]) return;
    for (auto i = static_cast<std::size_t>(*contents[0]); i < entries.size(); ++i) entries[i] += 1;
  }

 private:
  void add_cell() const {
    if (contents[0]) entries[static_cast<std::size_t>(*contents[0])] += 1;
  }
};

// The group of a person: its key, and what its lot is made of.
struct Group {
  KeyTuple key;
  std::vector<PlainValue> parts;
  friend bool operator<(const Group& a, const Group& b) { return a.parts < b.parts; }
};

KeyValue key_again(const PlainValue& value, FieldType type) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  const std::int64_t number = std::get<std::int64_t>(value);
  if (type == FieldType::kBoolean) return number != 0;
  if (type == FieldType::kDate) return Date(std::chrono::sys_days(std::chrono::days(number)));
  return number;
}

bool add_listed(const ListedKeys& listed, const Person& person, Group& group) {
  for (std::size_t t = 0; t < listed.tuples.size(); ++t) {
    bool equal = true;
    for (std::size_t i = 0; i < listed.columns.size(); ++i) {
      equal = equal && key_of(person, listed.columns[i].name) == plain_value(listed.tuples[t][i]);
    }
    if (!equal) continue;
    group.key.insert(group.key.end(), listed.tuples[t].begin(), listed.tuples[t].end());
    group.parts.emplace_back(static_cast<std::int64_t>(t));
    return true;
  }
  return false;
}

std::optional<Group> group_of(const BoundedQuery& query, const Person& person) {
  Group group;
  for (const GroupColumns& part : query.groups) {
    if (const auto* listed = std::get_if<ListedKeys>(&part)) {
      if (!add_listed(*listed, person, group)) return std::nullopt;
      continue;
    }
    const auto* range = std::get_if<RangeKeys>(&part);
    const KeyColumn column = range != nullptr ? KeyColumn{range->column, FieldType::kInteger}
                                              : std::get<FoundKeys>(part).column;
    const std::optional<PlainValue> value = key_of(person, column.name);
    if (!value) return std::nullopt;
    if (range != nullptr) {
      const std::int64_t number = std::get<std::int64_t>(*value);
      if (number < range->first || number > range->last) return std::nullopt;
    }
    group.key.push_back(key_again(*value, column.type));
    group.parts.push_back(*value);
  }
  return group;
}

std::uint64_t lot_of(const SecretKey& key, std::int64_t unit, const Group& group) {
  KeyedHash hash = lot_hash(key);
  hash.add(static_cast<std::uint64_t>(unit));
  for (const PlainValue& part : group.parts) {
    if (const auto* text = std::get_if<std::string>(&part)) {
      hash.add(*text);
    } else {
      hash.add(static_cast<std::uint64_t>(std::get<std::int64_t>(part)));
    }
  }
  return hash.finish();
}

// Nulls come last.
bool content_before(const std::vector<Content>& a, const std::vector<Content>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    return a[i] && (!b[i] || *a[i] < *b[i]);
  }
  return false;
}

using Rows = std::vector<std::vector<Content>>;  // each the contents of all measures

class Reference {
 public:
  explicit Reference(const BoundedQuery& query) : query_(query) {}

  std::vector<Content> contents(const Person& person) const {
    std::vector<Content> all;
    for (const auto& measure : query_.measures) {
      const std::vector<Content> some = std::visit(Contents{person}, measure);
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }

  // has_something: whether the row takes one of its unit's places.
  bool has_something(const Person& person) const {
    bool units_only = true;
    for (const Tally& tally : query_.measures) {
      if (counts_row(tally, std::visit(Contents{person}, tally))) return true;
      units_only = units_only && std::holds_alternative<UnitCount>(tally);
    }
    return units_only;
  }

  void count(const Group& group, const Rows& rows) {
    auto& entries = answers_[group];
    if (entries.empty()) entries = zeros();
    for (const std::vector<Content>& row : rows) {
      std::size_t column = 0;
      for (std::size_t i = 0; i < query_.measures.size(); ++i) {
        const std::size_t width = std::visit(Contents{Person()}, query_.measures[i]).size();
        const std::vector<Content> part(row.begin() + static_cast<std::ptrdiff_t>(column),
                                        row.begin() + static_cast<std::ptrdiff_t>(column + width));
        std::visit(AddRow{part, entries[i]}, query_.measures[i]);
        column += width;
      }
    }
    if (rows.empty()) return;
    for (std::size_t i = 0; i < query_.measures.size(); ++i) {
      if (std::holds_alternative<UnitCount>(query_.measures[i])) entries[i][0] += 1;
    }
  }

  std::vector<std::vector<Integer>> zeros() const {
    std::vector<std::vector<Integer>> entries;
    for (const Tally& tally : query_.measures) entries.emplace_back(entry_count(tally));
    return entries;
  }

  std::map<Group, std::vector<std::vector<Integer>>> answers() const { return answers_; }

 private:
  const BoundedQuery& query_;
  std::map<Group, std::vector<std::vector<Integer>>> answers_;
};

void count_units(const UnitColumn& unit, const SecretKey& key,
                 std::map<std::int64_t, std::map<Group, Rows>>& units, Reference& reference) {
  for (auto& [id, groups] : units) {
    std::vector<std::pair<std::uint64_t, Group>> order;
    for (const auto& [group, rows] : groups) {
      // The engine compares lots as numbers with a sign.
      order.emplace_back(lot_of(key, id, group) ^ (std::uint64_t{1} << 63), group);
    }
    std::sort(order.begin(), order.end());
    if (order.size() > static_cast<std::size_t>(unit.max_groups)) {
      order.resize(static_cast<std::size_t>(unit.max_groups));
    }
    for (const auto& [lot, group] : order) {
      Rows& rows = groups[group];
      std::ranges::sort(rows, content_before);
      const Subset chosen(key, lot ^ (std::uint64_t{1} << 63), rows.size(),
                          static_cast<std::uint64_t>(unit.max_rows));
      Rows counted;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (chosen.contains(i)) counted.push_back(rows[i]);
      }
      reference.count(group, counted);
    }
  }
}

// The public groups that no row has, with zeros.
void add_public(const BoundedQuery& query, Reference& reference) {
  std::vector<Group> groups(1);
  for (const GroupColumns& part : query.groups) {
    std::vector<Group> longer;
    for (const Group& group : groups) {
      if (const auto* listed = std::get_if<ListedKeys>(&part)) {
        for (std::size_t t = 0; t < listed->tuples.size(); ++t) {
          Group next = group;
          next.key.insert(next.key.end(), listed->tuples[t].begin(), listed->tuples[t].end());
          next.parts.emplace_back(static_cast<std::int64_t>(t));
          longer.push_back(next);
        }
      } else {
        const auto& range = std::get<RangeKeys>(part);
        for (std::int64_t number = range.first; number <= range.last; ++number) {
          Group next = group;
          next.key.emplace_back(number);
          next.parts.emplace_back(number);
          longer.push_back(next);
        }
      }
    }
    groups = longer;
  }
  for (const Group& group : groups) reference.count(group, {});
}

}  // namespace

std::vector<GroupAnswer> expected(const BoundedQuery& query, const SecretKey& key,
                                  const std::vector<Person>& people) {
  Reference reference(query);
  const auto* unit = std::get_if<UnitColumn>(&query.unit);
  std::map<std::int64_t, std::map<Group, Rows>> units;
  for (const Person& person : people) {
    const std::optional<Group> group = group_of(query, person);
    if (!group) continue;
    if (unit == nullptr) {
      reference.count(*group, {reference.contents(person)});
    } else if (person.id && reference.has_something(person)) {
      units[*person.id][*group].push_back(reference.contents(person));
    }
  }
  if (unit != nullptr) count_units(*unit, key, units, reference);
  const bool all_public = public_groups(query).has_value();
  if (all_public) add_public(query, reference);
  std::vector<GroupAnswer> answers;
  for (const auto& [group, entries] : reference.answers()) answers.push_back({group.key, entries});
  if (!all_public) std::ranges::sort(answers, {}, &GroupAnswer::key);
  return answers;
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
