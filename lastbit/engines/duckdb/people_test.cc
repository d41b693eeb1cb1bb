// The parts of test_support.h, and a check of the reference by hand.
#include <duckdb.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <utility>

#include "lastbit/base/text.h"
#include "lastbit/engines/duckdb/check_query.h"
#include "lastbit/engines/duckdb/test_support.h"
#include "lastbit/engines/duckdb/value_map.h"

namespace lastbit::engine {
namespace {

std::string decimal(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "1e999" : "-1e999";
  std::array<char, 64> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

std::string iso(std::chrono::sys_days day) {
  const std::chrono::year_month_day date(day);
  return fmt::format("{:04}-{:02}-{:02}", int(date.year()), unsigned(date.month()),
                     unsigned(date.day()));
}

constexpr std::array<const char*, 8> kNames = {"table",  "id",     "town",   "year",
                                               "weight", "visits", "member", "born"};
constexpr std::array<const char*, 8> kTypes = {"BIGINT", "BIGINT", "VARCHAR", "BIGINT",
                                               "DOUBLE", "BIGINT", "BOOLEAN", "DATE"};

std::array<std::optional<std::string>, 8> texts_of(const Person& person) {
  std::array<std::optional<std::string>, 8> texts;
  texts[0] = std::to_string(person.table);
  if (person.id) texts[1] = std::to_string(*person.id);
  texts[2] = person.town;
  if (person.year) texts[3] = std::to_string(*person.year);
  if (person.weight) texts[4] = decimal(*person.weight);
  if (person.visits) texts[5] = std::to_string(*person.visits);
  if (person.member) texts[6] = *person.member ? "true" : "false";
  if (person.born) texts[7] = iso(*person.born);
  return texts;
}

std::string separated(const std::vector<Person>& people, std::string_view separator) {
  std::string out = joined(std::vector<std::string>(kNames.begin(), kNames.end()), separator);
  out += "\n";
  for (const Person& person : people) {
    std::vector<std::string> fields;
    // Quoted, an empty text differs from a missing one.
    for (const auto& text : texts_of(person)) fields.push_back(text ? "\"" + *text + "\"" : "");
    out += joined(fields, separator) + "\n";
  }
  return out;
}

std::string json(const std::vector<Person>& people, bool array) {
  std::vector<std::string> lines;
  for (const Person& person : people) {
    const auto texts = texts_of(person);
    std::vector<std::string> fields;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const bool bare = texts[i] && kTypes[i] != std::string("VARCHAR") &&
                        kTypes[i] != std::string("DATE") && *texts[i] != "nan";
      const std::string value = !texts[i] ? "null" : bare ? *texts[i] : "\"" + *texts[i] + "\"";
      fields.push_back(fmt::format("\"{}\": {}", kNames[i], value));
    }
    lines.push_back("{" + joined(fields, ", ") + "}");
  }
  if (!array) return joined(lines, "\n") + "\n";
  return " [" + joined(lines, ",\n") + "]";
}

// The columns of a CSV file of people, as they are.
std::string typed_columns() {
  std::vector<std::string> columns;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    columns.push_back(fmt::format("TRY_CAST(\"{0}\" AS {1}) AS \"{0}\"", kNames[i], kTypes[i]));
  }
  return joined(columns, ", ");
}

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
    return plain_value(GroupKey(*field));
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
      const GroupKey key =
          range != nullptr
              ? GroupKey(range->first + i)
              : std::get<std::vector<GroupKey>>(categories.categories)[static_cast<std::size_t>(i)];
      if (plain_value(key) == *value) return {i};
    }
    return {categories.other ? Content(size) : std::nullopt};
  }
};

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
  GroupTuple key;
  std::vector<PlainValue> parts;
  friend auto operator<=>(const Group& a, const Group& b) { return a.parts <=> b.parts; }
  friend bool operator==(const Group& a, const Group& b) { return a.parts == b.parts; }
};

GroupKey key_again(const PlainValue& value, FieldType type) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  const std::int64_t number = std::get<std::int64_t>(value);
  if (type == FieldType::kBoolean) return number != 0;
  if (type == FieldType::kDate) return std::chrono::sys_days(std::chrono::days(number));
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
    for (const Measure& measure : query_.measures) {
      const std::vector<Content> some = std::visit(Contents{person}, measure);
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
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
    for (const Measure& measure : query_.measures) entries.emplace_back(entry_count(measure));
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
    std::ranges::sort(order);
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

double corner_weight(Dice& dice) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  constexpr std::array<double, 20> kCorners = {
      0.0,  -0.0,  5e-324, -5e-324, 0.125, 0.375,  -0.125,  0.49999999999999994,
      8,    8.125, -4.0,   -4.125,  1e308, -1e308, 1.0 / 3, 1e22,
      kInf, -kInf, 1e17,   -1e-300};
  switch (dice.below(4)) {
    case 0:
      return std::bit_cast<double>(dice.word());
    case 1: {
      const double corner = kCorners[static_cast<std::size_t>(dice.below(kCorners.size()))];
      const double side = dice.below(2) == 0 ? -kInf : kInf;
      return dice.below(2) == 0 ? corner : std::nextafter(corner, side);
    }
    default:
      return static_cast<double>(dice.below(400) - 150) / 16;
  }
}

}  // namespace

Scratch::Scratch() {
  std::string pattern = std::filesystem::temp_directory_path() / "lastbit_engine_XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no scratch folder");
  folder_ = std::filesystem::canonical(pattern);
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::filesystem::path Scratch::write(const std::string& name, const std::string& text) const {
  std::ofstream(folder_ / name, std::ios::binary) << text;
  return folder_ / name;
}

void unlocked(const std::filesystem::path& database, const std::string& sql) {
  duckdb_database engine = nullptr;
  duckdb_connection connection = nullptr;
  ASSERT_EQ(duckdb_open(database.empty() ? nullptr : database.c_str(), &engine), DuckDBSuccess);
  ASSERT_EQ(duckdb_connect(engine, &connection), DuckDBSuccess);
  EXPECT_EQ(duckdb_query(connection, sql.c_str(), nullptr), DuckDBSuccess) << sql;
  duckdb_disconnect(&connection);
  duckdb_close(&engine);
}

void unlocked(const std::string& sql) { unlocked({}, sql); }

std::uint64_t Dice::word() {
  // SplitMix64.
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

std::vector<Person> random_people(Dice& dice, std::int64_t tables, std::int64_t most_rows) {
  constexpr std::array<const char*, 5> kTowns = {"Ayr", "Bath", "Cork", "", "Deal"};
  std::vector<Person> people;
  for (std::int64_t table = 0; table < tables; ++table) {
    const std::int64_t rows = dice.below(most_rows + 1);
    for (std::int64_t row = 0; row < rows; ++row) {
      Person person;
      person.table = table;
      // Ids of one table are those of no other.
      if (dice.below(10) > 0) person.id = table * 100 + dice.below(4);
      if (dice.below(10) > 0) person.town = kTowns[static_cast<std::size_t>(dice.below(5))];
      if (dice.below(10) > 0) person.year = 1998 + dice.below(5);
      if (dice.below(10) > 0) person.weight = corner_weight(dice);
      if (dice.below(10) > 0) person.visits = dice.below(9) - 2;
      if (dice.below(10) > 0) person.member = dice.below(2) == 1;
      if (dice.below(10) > 0) {
        person.born = std::chrono::sys_days(std::chrono::days(dice.below(4) - 2));
      }
      people.push_back(person);
      // Identical rows must be interchangeable, so there are some.
      if (dice.below(4) == 0) people.push_back(person);
    }
  }
  return people;
}

DataSource written(const Scratch& scratch, const std::string& name,
                   const std::vector<Person>& people, Writing writing) {
  DataSource source;
  if (writing == Writing::kTsv) {
    source.delimiter = '\t';
    source.path = scratch.write(name, separated(people, "\t"));
    return source;
  }
  if (writing == Writing::kJsonLines || writing == Writing::kJsonArray) {
    source.format = FileFormat::kJson;
    source.path = scratch.write(name, json(people, writing == Writing::kJsonArray));
    return source;
  }
  source.path = scratch.write(name, separated(people, ","));
  if (writing == Writing::kCsv) return source;
  const std::string rows = fmt::format(
      "SELECT {} FROM read_csv('{}', header = true, all_varchar = true, nullstr = '', delim = ',', "
      "quote = '\"', escape = '\"', allow_quoted_nulls = false)",
      typed_columns(), source.path.string());
  const std::filesystem::path file = scratch.path(name + ".typed");
  source.path = file;
  if (writing == Writing::kParquet) {
    source.format = FileFormat::kParquet;
    unlocked(fmt::format("COPY ({}) TO '{}' (FORMAT parquet)", rows, file.string()));
  } else {
    source.format = FileFormat::kDuckDb;
    source.table = "the people";
    unlocked(file, fmt::format("CREATE TABLE \"the people\" AS {}", rows));
  }
  return source;
}

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
    } else if (person.id) {
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
    for (const GroupKey& key : group.key) {
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
