#include "lastbit/engines/duckdb/sql/bounded_sql.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "lastbit/base/text.h"
#include "lastbit/engines/kernel/content_plan.h"
#include "lastbit/engines/kernel/value_map.h"

namespace lastbit::engine {
namespace {

// The lot of a unit and its group.
class LotFunction final : public RowFunction {
 public:
  explicit LotFunction(const SecretKey& key) : key_(key) {}

  void run(std::span<const FieldBatch> arguments, std::size_t rows, Output& out) const override {
    for (std::size_t row = 0; row < rows; ++row) {
      KeyedHash hash = lot_hash(key_);
      for (const FieldBatch& argument : arguments) {
        // Rows without a unit or a key are filtered out, but perhaps only after this runs.
        if (argument.is_missing(row)) continue;
        if (std::holds_alternative<std::span<const std::int64_t>>(argument.values)) {
          hash.add(static_cast<std::uint64_t>(argument.value<std::int64_t>(row)));
        } else {
          hash.add(argument.value<std::string_view>(row));
        }
      }
      out.set(row, static_cast<std::int64_t>(hash.finish()));
    }
  }

 private:
  SecretKey key_;
};

// For the arguments lot, number of rows, position: 0 for a row that does not count, 2 for the first
// of those that do, 1 for the others.
class ChoiceFunction final : public RowFunction {
 public:
  ChoiceFunction(const SecretKey& key, std::int64_t size)
      : key_(key), size_(static_cast<std::uint64_t>(size)) {}

  void run(std::span<const FieldBatch> arguments, std::size_t rows, Output& out) const override {
    const auto number = [&](std::size_t argument, std::size_t row) {
      return static_cast<std::uint64_t>(arguments[argument].value<std::int64_t>(row));
    };
    for (std::size_t row = 0; row < rows; ++row) {
      const std::uint64_t lot = number(0, row);
      const std::uint64_t total = number(1, row);
      const std::uint64_t position = number(2, row);
      if (total <= size_) {
        out.set(row, position == 0 ? 2 : 1);
        continue;
      }
      const Subset& chosen = subset(lot, total);
      const std::int64_t counts = position == chosen.first() ? 2 : 1;
      out.set(row, chosen.contains(position) ? counts : 0);
    }
  }

 private:
  // Rows of one unit and group come one after the other, so each thread keeps its last subset.
  const Subset& subset(std::uint64_t lot, std::uint64_t total) const {
    struct Last {
      SecretKey key;
      std::uint64_t lot;
      std::uint64_t total;
      std::uint64_t size;
      Subset subset;
    };
    thread_local std::optional<Last> last;
    if (!last || last->lot != lot || last->total != total || last->size != size_ ||
        last->key != key_) {
      last.emplace(Last{key_, lot, total, size_, Subset(key_, lot, total, size_)});
    }
    return last->subset;
  }

  SecretKey key_;
  std::uint64_t size_;
};

constexpr ArgumentType argument_of(Carrier carrier) {
  return {carrier == Carrier::kInteger ? ArgumentKind::kInteger : ArgumentKind::kBytes};
}

}  // namespace

// Builder: the statement of one aggregation. Its fields are columns of the table, chosen at
// construction; the statement is written later, when the table has all columns.
class BoundedBuilder::Builder {
 public:
  Builder(LockedEngine& engine, FieldTable& table, const Aggregation& query, const SecretKey& key)
      : engine_(engine),
        table_(table),
        query_(query),
        unit_(std::get_if<UnitColumn>(&query.unit)),
        key_(key) {
    for (const Tally& tally : query_.measures) add(tally);
    add_fields();
  }

  BoundedStatement build() {
    add_rows();
    add_keys();
    std::string sql;
    if (unit_ != nullptr) {
      sql = grouped(bounded(keyed(rows_, mapped_names(), true)), key_names_);
    } else if (group_columns_.empty()) {
      sql = grouped(keyed(rows_, mapped_names(), false), key_names_);
    } else {
      // A tuple of keys is one group, so it makes no difference whether rows or groups are looked
      // up, and there are far fewer groups.
      sql = keyed(grouped(rows_, group_names()), aggregate_names(), false);
    }
    parameters_.insert(parameters_.end(), later_parameters_.begin(), later_parameters_.end());
    key_answers_.insert(key_answers_.end(), answers_.begin(), answers_.end());
    for (const std::size_t measure : value_measures_) cell_measures_.push_back({measure});
    return {{std::move(sql), std::move(parameters_)},
            std::move(key_answers_),
            std::move(columns_),
            std::move(cell_measures_)};
  }

  KernelStatement build_kernel(const EngineLimits& limits) {
    add_rows();
    add_keys();
    KernelOptions options{.limits = limits};
    RowLayout& layout = options.layout.emplace();
    layout.unit = table_.carrier(unit_column_);
    layout.keys = key_carriers_;
    std::vector<std::string> columns = {"unit"};
    columns.insert(columns.end(), key_columns_.begin(), key_columns_.end());
    std::vector<std::string> names = {"unit"};
    names.insert(names.end(), key_names_.begin(), key_names_.end());
    for (const ContentField& content : plan_contents(query_).contents) {
      layout.contents.push_back(
          table_.carrier(table_.add(table_field(content.field, content.content))));
      columns.push_back(mapped(content.field, content.content));
      names.push_back(columns.back());
    }
    std::vector<ArgumentType> types = {argument_of(layout.unit)};
    for (const Carrier carrier : layout.keys) types.push_back(argument_of(carrier));
    for (const Carrier carrier : layout.contents) types.push_back(argument_of(carrier));
    auto sink = std::make_shared<KernelSink>(query_, key_, options);
    const std::string function = engine_.fresh_name("lastbit_sink");
    engine_.add_sink(function, types, sink);
    std::string sql = fmt::format(
        "SELECT count(*) AS rows, CAST(sum({}({})) AS BIGINT) AS calls "
        "FROM (SELECT {} FROM ({}) AS fields) AS keyed",
        function, joined(names, ", "), joined(columns, ", "), rows_);
    return {{std::move(sql), std::move(parameters_)}, {Integers(), Integers()}, std::move(sink)};
  }

 private:
  TableField table_field(const FieldUse& field, FieldContent content) const {
    TableField result{field, std::move(content)};
    if (const RowExpression* derived = find_derived(query_, field.name)) result.derived = *derived;
    return result;
  }

  // The name of the mapped column, which is new unless it exists already.
  std::string mapped(const FieldUse& field, FieldContent content) {
    const std::size_t column = table_.add(table_field(field, std::move(content)));
    auto known = std::ranges::find(mapped_, column);
    if (known == mapped_.end()) known = mapped_.insert(known, column);
    return fmt::format("m{}", known - mapped_.begin());
  }
  std::string mapped(const SteppedField& steps) { return mapped(steps.field, steps); }

  void add_aggregate(std::string sql, Answer answer) {
    aggregates_.push_back(std::move(sql));
    answers_.push_back(std::move(answer));
  }
  void add_count(const std::string& sql) { add_aggregate(sql, Integers()); }
  void add_sum(const std::string& sql) {
    add_aggregate(fmt::format("CAST(sum({}) AS HUGEINT)", sql), WideIntegers());
  }
  static std::string if_both(const std::string& first, const std::string& second,
                             const std::string& value) {
    return fmt::format("CASE WHEN {} IS NOT NULL AND {} IS NOT NULL THEN {} END", first, second,
                       value);
  }
  // The number of rows with both values, and the two sums over these rows.
  void add_pair(const std::string& first, const std::string& second) {
    add_countable(fmt::format("{} IS NOT NULL AND {} IS NOT NULL", first, second));
    add_count(fmt::format("count({})", if_both(first, second, "0")));
    add_sum(if_both(first, second, first));
    add_sum(if_both(first, second, second));
  }
  // The rows are counted by the value in this column, once for all measures with these cells.
  void add_cells(const std::string& column) {
    add_present(column);
    const auto known = std::ranges::find(cells_, column);
    const auto place = static_cast<std::size_t>(known - cells_.begin());
    if (known == cells_.end()) {
      cells_.push_back(column);
      cell_measures_.emplace_back();
    }
    cell_measures_[place].push_back(columns_.size());
  }

  // Products of 64 bits if they fit, otherwise of 128.
  static std::string product(const std::string& a, const std::string& b, const Integer& largest) {
    return largest.fits_int64() ? fmt::format("{} * {}", a, b)
                                : fmt::format("CAST({} AS HUGEINT) * CAST({} AS HUGEINT)", a, b);
  }

  void add(const Tally& tally) {
    const std::size_t before = aggregates_.size();
    std::visit([this](const auto& kind) { add_kind(kind); }, tally);
    columns_.push_back(aggregates_.size() - before);
  }
  // Rows with this content are something to count.
  void add_countable(const std::string& condition) { countable_.push_back(condition); }
  void add_present(const std::string& column) { add_countable(column + " IS NOT NULL"); }

  void add_kind(const RowCount& count) {
    if (!count.field) {
      add_countable("true");
      return add_count("count(*)");
    }
    const std::string present = mapped(*count.field, PresentField{});
    add_present(present);
    add_count(fmt::format("count({})", present));
  }
  void add_kind(const UnitCount& /*count*/) {
    add_count(unit_ == nullptr ? "count(*)" : "count(*) FILTER (WHERE choice = 2)");
  }
  // The column is a carrier, so that values differ where their numbers or bytes do.
  void add_kind(const DistinctCount& count) {
    const std::string value = mapped(count.field, UnitField{});
    add_present(value);
    values_.push_back(value);
    value_measures_.push_back(columns_.size());
  }
  void add_kind(const StepSum& sum) {
    const std::string steps = mapped(sum.field);
    add_present(steps);
    add_count(fmt::format("count({})", steps));
    add_sum(steps);
  }
  void add_kind(const SquareSum& sum) {
    const std::string steps = mapped(sum.field);
    const Integer largest = step_range(sum.field).magnitude();
    add_present(steps);
    add_count(fmt::format("count({})", steps));
    add_sum(steps);
    add_sum(product(steps, steps, largest * largest));
  }
  // The order in which contents are mapped is that in which rows are compared.
  void add_kind(const PairSum& sum) {
    const std::string first = mapped(sum.first);
    add_pair(first, mapped(sum.second));
  }
  void add_kind(const ProductSum& sum) {
    const std::string first = mapped(sum.first);
    const std::string second = mapped(sum.second);
    const Integer most = step_range(sum.first).magnitude();
    const Integer other = step_range(sum.second).magnitude();
    add_pair(first, second);
    add_sum(product(first, second, most * other));
    if (!sum.squares) return;
    add_sum(if_both(first, second, product(first, first, most * most)));
    add_sum(if_both(first, second, product(second, second, other * other)));
  }
  // Each cell has its sum, beside its number of rows.
  void add_kind(const LadderSum& ladder) {
    const BelowCounts cells = ladder_cells(ladder);
    add_cells(mapped(cells.field, cells));
    add_sum(mapped(ladder.field));
  }
  void add_kind(const BinCounts& bins) { add_cells(mapped(bins.field, bins)); }
  void add_kind(const BelowCounts& below) { add_cells(mapped(below.field, below)); }
  void add_kind(const CategoryCounts& categories) {
    add_cells(mapped(categories.field, categories));
  }

  // The unit and the group columns.
  void add_fields() {
    if (unit_ != nullptr) {
      unit_column_ = table_.add(table_field({unit_->name, unit_->type}, UnitField{}));
    }
    if (query_.where) {
      TableField condition;
      condition.field.type = FieldType::kBoolean;
      condition.content = TrueField{};
      condition.derived = query_.where;
      where_column_ = table_.add(condition);
    }
    for (const GroupColumns& part : query_.groups) {
      const bool found = std::holds_alternative<FoundKeys>(part);
      Aggregation one;
      one.groups = {part};
      for (const KeyColumn& column : key_columns(one)) {
        group_columns_.push_back(
            table_.add(table_field({column.name, column.type}, KeyField{found})));
      }
    }
  }

  // rows_: the unit, the group columns and the mapped columns of all rows that meet the condition.
  void add_rows() {
    std::vector<FieldTable::Named> columns;
    if (unit_ != nullptr) columns.emplace_back(unit_column_, "unit");
    for (std::size_t i = 0; i < group_columns_.size(); ++i) {
      columns.emplace_back(group_columns_[i], fmt::format("g{}", i));
    }
    for (std::size_t i = 0; i < mapped_.size(); ++i) {
      columns.emplace_back(mapped_[i], fmt::format("m{}", i));
    }
    std::vector<std::string> names;
    for (const auto& [number, name] : columns) names.push_back(name);
    // A query that only counts rows still needs a column.
    if (names.empty()) names.emplace_back("0 AS nothing");
    if (where_column_) columns.emplace_back(*where_column_, "counts");
    Statement rows = table_.select(columns);
    rows_ = std::move(rows.sql);
    if (where_column_) {
      rows_ = fmt::format("SELECT {} FROM ({}) AS unfiltered WHERE counts = 1", joined(names, ", "),
                          rows_);
    }
    parameters_ = std::move(rows.parameters);
  }

  // What the groups are made of: keys of group columns, and the condition that there is a key.
  void add_keys() {
    std::size_t column = 0;
    for (std::size_t part = 0; part < query_.groups.size(); ++part) {
      key_names_.push_back(fmt::format("k{}", part));
      if (const auto* listed = std::get_if<ListedKeys>(&query_.groups[part])) {
        add_listed(*listed, part, column);
        column += listed->columns.size();
        continue;
      }
      key_columns_.push_back(fmt::format("g{} AS k{}", column, part));
      if (const auto* range = std::get_if<RangeKeys>(&query_.groups[part])) {
        conditions_.push_back(fmt::format("k{} BETWEEN ? AND ?", part));
        later_parameters_.emplace_back(range->first);
        later_parameters_.emplace_back(range->last);
      } else {
        conditions_.push_back(fmt::format("k{} IS NOT NULL", part));
      }
      key_carriers_.push_back(table_.carrier(group_columns_[column]));
      ++column;
    }
    for (const Carrier carrier : key_carriers_) {
      key_answers_.push_back(carrier == Carrier::kBytes ? Answer(Texts()) : Answer(Integers()));
    }
    for (int i = 0; i < 3; ++i) key_answers_.emplace_back(Integers());  // part, cell, rows
  }

  void add_listed(const ListedKeys& listed, std::size_t part, std::size_t column) {
    const std::string function = engine_.fresh_name("lastbit_tuple");
    std::vector<ArgumentType> types;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < listed.columns.size(); ++i) {
      types.push_back(argument_of(table_.carrier(group_columns_[column + i])));
      names.push_back(fmt::format("g{}", column + i));
    }
    engine_.add_function(function, types, map_tuples(listed));
    key_columns_.push_back(fmt::format("{}({}) AS k{}", function, joined(names, ", "), part));
    conditions_.push_back(fmt::format("k{} IS NOT NULL", part));
    key_carriers_.push_back(Carrier::kInteger);
  }

  // Rows, or groups of them, with their public or found keys; the others are left out.
  std::string keyed(const std::string& rows, const std::vector<std::string>& others, bool unit) {
    std::vector<std::string> columns = key_columns_;
    columns.insert(columns.end(), others.begin(), others.end());
    std::vector<std::string> conditions = conditions_;
    if (unit) {
      columns.emplace_back("unit");
      conditions.emplace_back("unit IS NOT NULL");
      // A unit has places only for rows in which there is something to count.
      if (!countable_.empty()) conditions.push_back("(" + joined(countable_, " OR ") + ")");
    }
    if (columns.empty()) columns.emplace_back("0 AS nothing");
    const std::string where = conditions.empty() ? "" : " WHERE " + joined(conditions, " AND ");
    return fmt::format("SELECT * FROM (SELECT {} FROM ({}) AS fields) AS keyed{}",
                       joined(columns, ", "), rows, where);
  }

  // The rows that count. All windows share one sort: units, then lots and groups, then rows in the
  // order of what measures see of them.
  std::string bounded(const std::string& rows) {
    std::vector<ArgumentType> seen_types = {argument_of(table_.carrier(unit_column_))};
    for (const Carrier carrier : key_carriers_) seen_types.push_back(argument_of(carrier));
    const std::string lot = engine_.fresh_name("lastbit_lot");
    const std::string choice = engine_.fresh_name("lastbit_choice");
    engine_.add_function(lot, seen_types, std::make_shared<LotFunction>(key_));
    engine_.add_function(choice, std::vector<ArgumentType>(3),
                         std::make_shared<ChoiceFunction>(key_, unit_->max_rows));
    std::vector<std::string> group = {"lot"};
    group.insert(group.end(), key_names_.begin(), key_names_.end());
    std::vector<std::string> row = group;
    for (const std::string& name : mapped_names()) row.push_back(name);
    std::vector<std::string> seen = {"unit"};
    seen.insert(seen.end(), key_names_.begin(), key_names_.end());
    const std::string lots =
        fmt::format("SELECT *, {}({}) AS lot FROM ({}) AS whole", lot, joined(seen, ", "), rows);
    const std::string windows = fmt::format(
        "SELECT *, dense_rank() OVER (PARTITION BY unit ORDER BY {0}) AS place, "
        "row_number() OVER (PARTITION BY unit ORDER BY {1}) - "
        "rank() OVER (PARTITION BY unit ORDER BY {0}) AS position, "
        "count(*) OVER (PARTITION BY unit ORDER BY {0} "
        "RANGE BETWEEN CURRENT ROW AND CURRENT ROW) AS total FROM ({2}) AS lots",
        joined(group, ", "), joined(row, ", "), lots);
    later_parameters_.emplace_back(unit_->max_groups);
    return fmt::format(
        "SELECT * FROM (SELECT *, {}(lot, total, position) AS choice "
        "FROM ({}) AS windows WHERE place <= ?) AS chosen WHERE choice > 0",
        choice, windows);
  }

  // One row per group, and one per group and cell of each measure that has cells. Where different
  // values are counted, they are cells first, and then their number is that of a single cell.
  std::string grouped(const std::string& rows, const std::vector<std::string>& by) {
    const std::string sets = grouping_sets(rows, by);
    if (values_.empty()) return sets;
    std::vector<std::string> columns = by;
    columns.insert(columns.end(), {"part", "cell"});
    const std::string key = joined(columns, ", ");
    columns.push_back(
        fmt::format("CASE WHEN part > {} THEN count(*) ELSE max(rows) END AS rows", cells_.size()));
    // Of other parts there is only one row.
    for (const std::string& name : numbered("a", aggregates_.size())) {
      columns.push_back(fmt::format("max({0}) AS {0}", name));
    }
    return fmt::format("SELECT {} FROM ({}) AS sets GROUP BY {}", joined(columns, ", "), sets, key);
  }

  std::string grouping_sets(const std::string& rows, const std::vector<std::string>& by) {
    std::vector<std::string> columns = by;
    std::string part = "CASE";
    std::string cell = "CASE";
    std::string sets = fmt::format("({})", joined(by, ", "));
    std::size_t parts = 0;
    const auto add_set = [&](const std::string& column, const std::string& value) {
      part += fmt::format(" WHEN grouping({}) = 0 THEN {}", column, ++parts);
      cell += fmt::format(" WHEN grouping({}) = 0 THEN {}", column, value);
      std::vector<std::string> set = by;
      set.push_back(column);
      sets += fmt::format(", ({})", joined(set, ", "));
    };
    for (const std::string& column : cells_) add_set(column, column);
    for (const std::string& column : values_) {
      add_set(column, fmt::format("CASE WHEN {} IS NULL THEN NULL ELSE 0 END", column));
    }
    const bool whole = parts == 0;
    columns.push_back(
        fmt::format("CAST({} AS BIGINT) AS part", whole ? "0" : part + " ELSE 0 END"));
    columns.push_back(fmt::format("CAST({} AS BIGINT) AS cell", whole ? "NULL" : cell + " END"));
    columns.emplace_back("count(*) AS rows");
    for (std::size_t i = 0; i < aggregates_.size(); ++i) {
      columns.push_back(fmt::format("{} AS a{}", aggregates_[i], i));
    }
    // A single grouping set is counted faster.
    const std::string groups = whole ? joined(by, ", ") : fmt::format("GROUPING SETS ({})", sets);
    return fmt::format("SELECT {} FROM ({}) AS counted{}{}", joined(columns, ", "), rows,
                       groups.empty() ? "" : " GROUP BY ", groups);
  }

  std::vector<std::string> numbered(std::string_view prefix, std::size_t size) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < size; ++i) names.push_back(fmt::format("{}{}", prefix, i));
    return names;
  }
  std::vector<std::string> mapped_names() const { return numbered("m", mapped_.size()); }
  std::vector<std::string> group_names() const { return numbered("g", group_columns_.size()); }
  std::vector<std::string> aggregate_names() const {
    std::vector<std::string> names = numbered("a", aggregates_.size());
    names.insert(names.begin(), {"part", "cell", "rows"});
    return names;
  }

  LockedEngine& engine_;
  FieldTable& table_;
  const Aggregation& query_;
  const UnitColumn* unit_;
  const SecretKey& key_;

  // Numbers of columns of the table.
  std::size_t unit_column_ = 0;
  std::optional<std::size_t> where_column_;
  std::vector<std::size_t> group_columns_;  // g0, g1, …
  std::vector<std::size_t> mapped_;         // m0, m1, …

  std::vector<std::string> countable_;  // conditions; a row that meets one is counted by some tally
  std::vector<std::string> aggregates_;
  std::vector<Answer> answers_;
  std::vector<std::size_t> columns_;
  std::vector<std::string> cells_;  // mapped columns
  std::vector<std::vector<std::size_t>> cell_measures_;
  std::vector<std::string> values_;  // mapped columns whose different values are counted
  std::vector<std::size_t> value_measures_;

  std::string rows_;
  std::vector<Parameter> parameters_;
  std::vector<Parameter> later_parameters_;

  std::vector<std::string> key_names_;    // k0, k1, …, one per part
  std::vector<std::string> key_columns_;  // what they are
  std::vector<Carrier> key_carriers_;
  std::vector<std::string> conditions_;
  std::vector<Answer> key_answers_;
};

BoundedBuilder::BoundedBuilder(LockedEngine& engine, FieldTable& table,
                               const Aggregation& aggregation, const SecretKey& key)
    : builder_(std::make_unique<Builder>(engine, table, aggregation, key)) {}

BoundedBuilder::BoundedBuilder(BoundedBuilder&&) noexcept = default;
BoundedBuilder& BoundedBuilder::operator=(BoundedBuilder&&) noexcept = default;
BoundedBuilder::~BoundedBuilder() = default;

BoundedStatement BoundedBuilder::build() { return builder_->build(); }

KernelStatement BoundedBuilder::build_kernel(const EngineLimits& limits) {
  return builder_->build_kernel(limits);
}

bool uses_kernel(const Aggregation& aggregation) {
  const auto keeps_values = [](const Tally& tally) {
    return std::holds_alternative<DistinctCount>(tally);
  };
  return std::holds_alternative<UnitColumn>(aggregation.unit) &&
         std::ranges::none_of(aggregation.measures, keeps_values);
}

}  // namespace lastbit::engine
