#include "lastbit/engines/memory/memory_engine.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/release/fields/field_text.h"

namespace lastbit {
namespace {

using engine::SecretKey;

// Plain: a key as whole numbers or bytes, the only form in which keys are compared.
using Plain = std::variant<std::int64_t, std::string>;

Plain plain(const Date& date) {
  return std::int64_t{std::chrono::sys_days(date).time_since_epoch().count()};
}
Plain plain(const KeyValue& key) {
  if (const auto* flag = std::get_if<bool>(&key)) return std::int64_t{*flag};
  if (const auto* number = std::get_if<std::int64_t>(&key)) return *number;
  if (const auto* text = std::get_if<std::string>(&key)) return *text;
  return plain(std::get<Date>(key));
}

KeyValue key_of(const Plain& value, FieldType type) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  const std::int64_t number = std::get<std::int64_t>(value);
  if (type == FieldType::kBoolean) return number != 0;
  if (type == FieldType::kDate) return Date(std::chrono::sys_days(std::chrono::days(number)));
  return number;
}

// Extended: a number, or an infinity of this sign.
struct Extended {
  int infinite = 0;
  Rational number;
  bool is_below(const Rational& bound) const {
    return infinite < 0 || (infinite == 0 && number < bound);
  }
};

Cell as_row_value(const std::optional<MemoryValue>& field) {
  if (!field) return std::nullopt;
  if (const auto* date = std::get_if<Date>(&*field)) {
    return Day{std::chrono::sys_days(*date).time_since_epoch().count()};
  }
  if (const auto* truth = std::get_if<bool>(&*field)) return *truth;
  if (const auto* number = std::get_if<std::int64_t>(&*field)) return *number;
  if (const auto* text = std::get_if<std::string>(&*field)) return *text;
  if (const auto* instant = std::get_if<Instant>(&*field)) return *instant;
  if (const auto* time = std::get_if<TimeOfDay>(&*field)) return *time;
  if (const auto* decimal = std::get_if<Decimal>(&*field)) return *decimal;
  const double real = std::get<double>(*field);
  return std::isnan(real) ? Cell() : Cell(real);
}

std::optional<MemoryValue> as_field(const Cell& value) {
  if (!value) return std::nullopt;
  if (const auto* day = std::get_if<Day>(&*value)) {
    return Date(std::chrono::sys_days(std::chrono::days(day->number)));
  }
  if (const auto* truth = std::get_if<bool>(&*value)) return *truth;
  if (const auto* number = std::get_if<std::int64_t>(&*value)) return *number;
  if (const auto* text = std::get_if<std::string>(&*value)) return *text;
  if (const auto* instant = std::get_if<Instant>(&*value)) return *instant;
  if (const auto* time = std::get_if<TimeOfDay>(&*value)) return *time;
  if (const auto* decimal = std::get_if<Decimal>(&*value)) return *decimal;
  return std::get<double>(*value);
}

// digits_of: equal for equal decimals of one type.
std::string digits_of(const Decimal& decimal) { return Integer(decimal.number).to_string(); }

// as_declared: a field of a column that is declared to hold numbers of another type.
Cell as_declared(Cell value, FieldType type) {
  if (!value) return value;
  const auto* whole = std::get_if<std::int64_t>(&*value);
  if (whole != nullptr && type == FieldType::kReal) return static_cast<double>(*whole);
  const auto* decimal = std::get_if<Decimal>(&*value);
  if (decimal == nullptr || is_wide(type)) return value;
  if (type == FieldType::kReal) return decimal_to_double(decimal->number, decimal->decimals);
  const Integer number(decimal->number);
  return number.fits_int64() ? Cell(number.to_int64()) : std::nullopt;
}

// table_as_declared: its columns as the release declares them.
MemoryTable table_as_declared(MemoryTable table, const ReleaseFile& release) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    MemoryColumn& column = table.columns[i];
    const ColumnDeclaration* declared = release.find_column(column.name);
    if (declared == nullptr || !declared->type || declared->type->value == column.type) continue;
    column.type = declared->type->value;
    for (MemoryTable::Row& row : table.rows) {
      row[i] = as_field(as_declared(as_row_value(row[i]), column.type));
    }
  }
  return table;
}

// RowView: the fields of a row, derived ones among them, by the names of their columns.
class RowView {
 public:
  RowView(const Aggregation& aggregation, const MemoryTable& table, const MemoryTable::Row& row)
      : aggregation_(aggregation), table_(table), row_(row) {}

  // counts: whether the row meets the condition.
  bool counts() const {
    return !aggregation_.where || evaluated(*aggregation_.where) == Cell(true);
  }

  std::optional<Plain> find_key(const std::string& name) const {
    const auto field = at(name);
    if (!field) return std::nullopt;
    if (const auto* flag = std::get_if<bool>(&*field)) return std::int64_t{*flag};
    if (const auto* number = std::get_if<std::int64_t>(&*field)) return *number;
    if (const auto* text = std::get_if<std::string>(&*field)) return *text;
    if (const auto* instant = std::get_if<Instant>(&*field)) return instant->micros;
    if (const auto* time = std::get_if<TimeOfDay>(&*field)) return time->micros;
    if (const auto* decimal = std::get_if<Decimal>(&*field)) {
      // Numbers beyond 64 bits are no public key.
      const Integer number(decimal->number);
      if (number.fits_int64()) return number.to_int64();
      return digits_of(*decimal);
    }
    return plain(std::get<Date>(*field));
  }

  // find_unit: whose row it is, or a value of which only equality matters.
  std::optional<Plain> find_unit(const std::string& name) const {
    const auto field = at(name);
    const auto* decimal = field ? std::get_if<Decimal>(&*field) : nullptr;
    return decimal != nullptr ? Plain(digits_of(*decimal)) : find_key(name);
  }

  std::optional<Extended> find_number(const std::string& name) const {
    const auto field = at(name);
    if (!field) return std::nullopt;
    if (const auto* number = std::get_if<std::int64_t>(&*field)) return Extended{0, *number};
    if (const auto* truth = std::get_if<bool>(&*field)) return Extended{0, *truth ? 1 : 0};
    if (const auto* decimal = std::get_if<Decimal>(&*field)) {
      const Rational unit = pow(Integer(10), static_cast<unsigned>(decimal->decimals));
      return Extended{0, Rational(Integer(decimal->number)) / unit};
    }
    const double number = std::get<double>(*field);
    if (std::isnan(number)) return std::nullopt;
    if (std::isinf(number)) return Extended{number > 0 ? 1 : -1, 0};
    return Extended{0, Rational::exactly(number)};
  }

  bool has_value(const FieldUse& field) const {
    return field.type == FieldType::kReal ? find_number(field.name).has_value()
                                          : find_key(field.name).has_value();
  }

 private:
  Cell evaluated(const RowExpression& expression) const {
    const std::vector<RowColumn> columns = columns_of(expression);
    return evaluate(expression, [&](const std::string& name) {
      const auto column = std::ranges::find(columns, name, &RowColumn::name);
      return as_declared(as_row_value(of_table(name)), column->type);
    });
  }

  std::optional<MemoryValue> at(const std::string& name) const {
    const RowExpression* derived = find_derived(aggregation_, name);
    return derived != nullptr ? as_field(evaluated(*derived)) : of_table(name);
  }

  const std::optional<MemoryValue>& of_table(const std::string& name) const {
    const auto column = std::ranges::find(table_.columns, name, &MemoryColumn::name);
    invariant(column != table_.columns.end(), "the table has the columns of the release");
    return row_[static_cast<std::size_t>(column - table_.columns.begin())];
  }

  const Aggregation& aggregation_;
  const MemoryTable& table_;
  const MemoryTable::Row& row_;
};

// Content: what a tally looks at in a row: a whole number, or bytes if only equality matters.
using Content = std::optional<Plain>;

std::int64_t number_in(const Content& content) {
  const auto* number = content ? std::get_if<std::int64_t>(&*content) : nullptr;
  invariant(number != nullptr, "the content is a number");
  return *number;
}

Content steps_of(const SteppedField& field, const RowView& row) {
  const bool real = field.field.type == FieldType::kReal;
  const auto [lower, upper] = inner_bounds(field);
  std::optional<Extended> value = row.find_number(field.field.name);
  if (!value && field.impute) {
    value = Extended{0, real ? Rational::exactly(field.impute->down()) : *field.impute};
  }
  if (!value) return std::nullopt;
  Rational clamped = value->number;
  if (value->is_below(lower)) clamped = lower;
  if (!value->is_below(upper)) clamped = upper;
  const Rational steps = clamped / Rational::two_to(field.grid_exponent) + Rational(1, 2);
  return (steps.floor() - field.offset).to_int64();
}

std::optional<Extended> number_or(const RowView& row, const FieldUse& field,
                                  const std::optional<Rational>& impute) {
  std::optional<Extended> value = row.find_number(field.name);
  if (!value && impute) value = Extended{0, *impute};
  return value;
}

KeyValue category_at(const CategoryCounts& counts, std::int64_t i) {
  if (const auto* range = std::get_if<RangeKeys>(&counts.categories)) return range->first + i;
  return std::get<std::vector<KeyValue>>(counts.categories)[static_cast<std::size_t>(i)];
}

struct ContentsOf {
  const RowView& row;

  std::vector<Content> operator()(const RowCount& count) const {
    if (!count.field) return {};
    return {row.has_value(*count.field) ? Content(0) : std::nullopt};
  }
  std::vector<Content> operator()(const UnitCount&) const { return {}; }
  std::vector<Content> operator()(const DistinctCount& count) const {
    return {row.find_unit(count.field.name)};
  }
  std::vector<Content> operator()(const StepSum& sum) const { return {steps_of(sum.field, row)}; }
  std::vector<Content> operator()(const SquareSum& sum) const { return {steps_of(sum.field, row)}; }
  std::vector<Content> operator()(const PairSum& sum) const {
    return {steps_of(sum.first, row), steps_of(sum.second, row)};
  }
  std::vector<Content> operator()(const ProductSum& sum) const {
    return {steps_of(sum.first, row), steps_of(sum.second, row)};
  }
  std::vector<Content> operator()(const LadderSum& ladder) const {
    return {(*this)(ladder_cells(ladder)).front(), steps_of(ladder.field, row)};
  }
  std::vector<Content> operator()(const BinCounts& bins) const {
    const auto value = number_or(row, bins.field, bins.impute);
    if (!value || value->infinite != 0) return {std::nullopt};
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
    const auto value = number_or(row, below.field, below.impute);
    if (!value) return {std::nullopt};
    std::int64_t rank = 0;
    for (const Rational& candidate : below.candidates) rank += value->is_below(candidate) ? 0 : 1;
    return {rank};
  }
  std::vector<Content> operator()(const CategoryCounts& counts) const {
    std::optional<Plain> value = row.find_key(counts.field.name);
    if (!value && counts.impute) value = plain(*counts.impute);
    if (!value) return {std::nullopt};
    const std::int64_t size = category_count(counts);
    for (std::int64_t i = 0; i < size; ++i) {
      if (plain(category_at(counts, i)) == *value) return {i};
    }
    return {counts.other ? Content(size) : std::nullopt};
  }
};

// AddRow: adds a row that counts to the entries of a tally.
struct AddRow {
  const std::vector<Content>& contents;
  std::vector<Integer>& entries;

  void operator()(const RowCount&) const { entries[0] += contents.empty() || contents[0] ? 1 : 0; }
  void operator()(const UnitCount&) const {}
  void operator()(const DistinctCount&) const {}  // depends on the other rows: see count
  void operator()(const StepSum&) const { add_sums(1); }
  void operator()(const SquareSum&) const { add_sums(2); }
  void operator()(const PairSum&) const {
    if (!contents[0] || !contents[1]) return;
    entries[0] += 1;
    entries[1] += number_in(contents[0]);
    entries[2] += number_in(contents[1]);
  }
  void operator()(const ProductSum& sum) const {
    (*this)(PairSum{});
    if (!contents[0] || !contents[1]) return;
    const std::int64_t x = number_in(contents[0]);
    const std::int64_t y = number_in(contents[1]);
    entries[3] += Integer(x) * y;
    if (!sum.squares) return;
    entries[4] += Integer(x) * x;
    entries[5] += Integer(y) * y;
  }
  void operator()(const LadderSum& ladder) const {
    if (!contents[0]) return;
    const auto cell = static_cast<std::size_t>(number_in(contents[0]));
    entries[cell] += 1;
    entries[ladder.cells() + cell] += number_in(contents[1]);
  }
  void operator()(const BinCounts&) const { add_cell(); }
  void operator()(const CategoryCounts&) const { add_cell(); }
  void operator()(const BelowCounts&) const {
    if (!contents[0]) return;
    const auto rank = static_cast<std::size_t>(number_in(contents[0]));
    for (std::size_t i = rank; i < entries.size(); ++i) entries[i] += 1;
  }

 private:
  void add_sums(int powers) const {
    if (!contents[0]) return;
    const std::int64_t steps = number_in(contents[0]);
    entries[0] += 1;
    entries[1] += steps;
    if (powers == 2) entries[2] += Integer(steps) * steps;
  }
  void add_cell() const {
    if (contents[0]) entries[static_cast<std::size_t>(number_in(contents[0]))] += 1;
  }
};

// Group: its key, and the numbers and bytes that its lot is made of.
struct Group {
  KeyTuple key;
  std::vector<Plain> parts;
  friend bool operator<(const Group& a, const Group& b) { return a.parts < b.parts; }
};

bool add_listed(const ListedKeys& listed, const RowView& row, Group& group) {
  for (std::size_t number = 0; number < listed.tuples.size(); ++number) {
    const KeyTuple& tuple = listed.tuples[number];
    bool equal = true;
    for (std::size_t i = 0; i < listed.columns.size(); ++i) {
      equal = equal && row.find_key(listed.columns[i].name) == plain(tuple[i]);
    }
    if (!equal) continue;
    group.key.insert(group.key.end(), tuple.begin(), tuple.end());
    group.parts.emplace_back(static_cast<std::int64_t>(number));
    return true;
  }
  return false;
}

// find_group: nothing if a key is missing or is not one of the public ones.
std::optional<Group> find_group(const Aggregation& aggregation, const RowView& row) {
  Group group;
  for (const GroupColumns& part : aggregation.groups) {
    if (const auto* listed = std::get_if<ListedKeys>(&part)) {
      if (!add_listed(*listed, row, group)) return std::nullopt;
      continue;
    }
    const auto* range = std::get_if<RangeKeys>(&part);
    const KeyColumn column = range != nullptr ? KeyColumn{range->column, FieldType::kInteger}
                                              : std::get<FoundKeys>(part).column;
    const std::optional<Plain> value = row.find_key(column.name);
    if (!value) return std::nullopt;
    if (range != nullptr) {
      const auto* number = std::get_if<std::int64_t>(&*value);
      if (number == nullptr || *number < range->first || *number > range->last) return std::nullopt;
    }
    group.key.push_back(key_of(*value, column.type));
    group.parts.push_back(*value);
  }
  return group;
}

void add_plain(engine::KeyedHash& hash, const Plain& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return hash.add(*text);
  hash.add(static_cast<std::uint64_t>(std::get<std::int64_t>(value)));
}

std::uint64_t lot_of(const SecretKey& key, const Plain& unit, const Group& group) {
  engine::KeyedHash hash = lot_hash(key);
  add_plain(hash, unit);
  for (const Plain& part : group.parts) add_plain(hash, part);
  return hash.finish();
}

// Missing contents come last.
bool content_before(const std::vector<Content>& a, const std::vector<Content>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Content& x = a[i];
    const Content& y = b[i];
    if (x == y) continue;
    return x && (!y || *x < *y);
  }
  return false;
}

// CountedRow: the contents of a row for each tally.
using CountedRow = std::vector<std::vector<Content>>;
using CountedRows = std::vector<CountedRow>;

std::vector<Content> flattened(const CountedRow& row) {
  std::vector<Content> all;
  for (const auto& contents : row) all.insert(all.end(), contents.begin(), contents.end());
  return all;
}

class Aggregator {
 public:
  explicit Aggregator(const Aggregation& aggregation) : aggregation_(aggregation) {}

  CountedRow contents(const RowView& row) const {
    CountedRow all;
    for (const Tally& tally : aggregation_.measures) {
      all.push_back(std::visit(ContentsOf{row}, tally));
    }
    return all;
  }

  // has_something: whether the row takes one of its unit's places: a tally counts it, or there are
  // only tallies of units.
  bool has_something(const CountedRow& row) const {
    bool only_units = true;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (std::holds_alternative<UnitCount>(aggregation_.measures[i])) continue;
      only_units = false;
      if (std::ranges::all_of(row[i], [](const Content& one) { return one.has_value(); })) {
        return true;
      }
    }
    return only_units;
  }

  // count: counts the rows of one unit in a group.
  void count(const Group& group, const CountedRows& rows) {
    auto& entries = answers_[group];
    if (entries.empty()) {
      for (const Tally& tally : aggregation_.measures) entries.emplace_back(entry_count(tally));
    }
    for (std::size_t i = 0; i < aggregation_.measures.size(); ++i) {
      const Tally& tally = aggregation_.measures[i];
      for (const CountedRow& row : rows) std::visit(AddRow{row[i], entries[i]}, tally);
      if (!rows.empty() && std::holds_alternative<UnitCount>(tally)) entries[i][0] += 1;
      if (std::holds_alternative<DistinctCount>(tally)) {
        std::set<Plain>& values = values_[{group, i}];
        for (const CountedRow& row : rows) {
          const Content& content = row[i][0];
          if (content) values.insert(*content);
        }
        entries[i][0] = Integer(values.size());
      }
    }
  }

  // count_unit: counts, of the groups of a unit, those with the smallest lots and, of its rows in
  // each, a subset that the lot chooses.
  void count_unit(const UnitColumn& limits, const SecretKey& key, const Plain& unit,
                  std::map<Group, CountedRows>& groups) {
    std::vector<std::pair<std::int64_t, Group>> order;
    for (const auto& [group, rows] : groups) {
      // Lots are compared as signed numbers.
      order.emplace_back(static_cast<std::int64_t>(lot_of(key, unit, group)), group);
    }
    std::sort(order.begin(), order.end());
    if (std::ssize(order) > limits.max_groups) {
      order.resize(static_cast<std::size_t>(limits.max_groups));
    }
    for (const auto& [lot, group] : order) {
      CountedRows& rows = groups[group];
      std::ranges::sort(rows, content_before, flattened);
      const engine::Subset chosen(key, static_cast<std::uint64_t>(lot), rows.size(),
                                  static_cast<std::uint64_t>(limits.max_rows));
      CountedRows counted;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (chosen.contains(i)) counted.push_back(rows[i]);
      }
      count(group, counted);
    }
  }

  std::vector<GroupAnswer> answers() const {
    if (!public_groups(aggregation_)) {
      std::vector<GroupAnswer> found;
      for (const auto& [group, entries] : answers_) found.push_back({group.key, entries});
      std::ranges::sort(found, {}, &GroupAnswer::key);
      return found;
    }
    std::vector<GroupAnswer> all = empty_groups(aggregation_);
    std::map<KeyTuple, std::size_t> places;
    for (std::size_t i = 0; i < all.size(); ++i) places.emplace(all[i].key, i);
    for (const auto& [group, entries] : answers_) all[places.at(group.key)].entries = entries;
    return all;
  }

 private:
  const Aggregation& aggregation_;
  std::map<Group, std::vector<std::vector<Integer>>> answers_;
  std::map<std::pair<Group, std::size_t>, std::set<Plain>> values_;  // seen, by group and measure
};

ColumnKind kind_of(FieldType type) {
  constexpr std::array<ColumnKind, 9> kKinds = {
      ColumnKind::kInteger, ColumnKind::kDouble,  ColumnKind::kText,
      ColumnKind::kBoolean, ColumnKind::kDate,    ColumnKind::kTimestamp,
      ColumnKind::kTime,    ColumnKind::kDecimal, ColumnKind::kUnsigned};
  return kKinds[static_cast<std::size_t>(type)];
}

// The place of a type among the alternatives of MemoryValue.
std::size_t alternative_of(FieldType type) {
  constexpr std::array<std::size_t, 9> kPlaces = {1, 2, 3, 0, 4, 5, 6, 7, 7};
  return kPlaces[static_cast<std::size_t>(type)];
}

}  // namespace

MemoryEngine::MemoryEngine(MemoryTable table) : table_(std::move(table)) {
  for (const MemoryTable::Row& row : table_.rows) {
    bool fits = row.size() == table_.columns.size();
    for (std::size_t i = 0; fits && i < row.size(); ++i) {
      const std::optional<MemoryValue>& field = row[i];
      fits = !field || field->index() == alternative_of(table_.columns[i].type);
    }
    if (fits) continue;
    throw Error::bad_parameter("MemoryEngine", "rows", "do not fit the columns",
                               "give each row one field per column, of its type");
  }
}

std::vector<SchemaColumn> MemoryEngine::read_schema(const ReleaseFile& /*release*/) const {
  std::vector<SchemaColumn> columns;
  for (const MemoryColumn& column : table_.columns) {
    columns.push_back({column.name, std::string(name_of(column.type)),
                       ColumnType{kind_of(column.type), 0, column.type.decimals()}});
  }
  return columns;
}

std::vector<GroupAnswer> MemoryEngine::aggregate_rows(const Aggregation& aggregation,
                                                      const SecretKey& key) const {
  Aggregator aggregator(aggregation);
  const auto* unit = std::get_if<UnitColumn>(&aggregation.unit);
  std::map<Plain, std::map<Group, CountedRows>> units;
  for (const MemoryTable::Row& fields : table_.rows) {
    const RowView row(aggregation, table_, fields);
    if (!row.counts()) continue;
    const std::optional<Group> group = find_group(aggregation, row);
    if (!group) continue;
    CountedRow contents = aggregator.contents(row);
    if (unit == nullptr) {
      aggregator.count(*group, {std::move(contents)});
      continue;
    }
    const std::optional<Plain> id = row.find_unit(unit->name);
    if (id && aggregator.has_something(contents)) {
      units[*id][*group].push_back(std::move(contents));
    }
  }
  for (auto& [id, groups] : units) aggregator.count_unit(*unit, key, id, groups);
  return aggregator.answers();
}

ExactAnswers MemoryEngine::aggregate(const ReleaseFile& release,
                                     std::span<const Aggregation> aggregations,
                                     const SecretKey& key, const engine::EngineLimits& /*limits*/,
                                     const engine::Progress& progress) const {
  const MemoryEngine declared(table_as_declared(table_, release));
  ExactAnswers answers;
  for (const Aggregation& aggregation : aggregations) {
    if (std::ssize(table_.rows) > aggregation.max_rows) {
      throw Error(ErrorCode::kBadInput, release.filename, "the table has too many rows",
                  "release a part of it");
    }
    if (progress) {
      progress(static_cast<double>(answers.size()) / static_cast<double>(aggregations.size()));
    }
    answers.push_back(declared.aggregate_rows(aggregation, key));
  }
  if (progress) progress(1);
  return answers;
}

}  // namespace lastbit
