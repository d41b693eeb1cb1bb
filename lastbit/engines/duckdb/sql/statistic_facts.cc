#include "lastbit/engines/duckdb/sql/statistic_facts.h"

#include <fmt/core.h>

#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"

namespace lastbit::engine {
namespace {

// ValuesOf: the columns of the table that all have a value where a tally counts a row.
struct ValuesOf {
  using Fields = std::vector<std::pair<FieldUse, FieldContent>>;

  Fields operator()(const RowCount& count) const {
    if (!count.field) return {};
    return {{*count.field, PresentField{}}};
  }
  Fields operator()(const UnitCount& /*count*/) const { return {}; }
  Fields operator()(const DistinctCount& count) const { return {{count.field, UnitField{}}}; }
  Fields operator()(const StepSum& sum) const { return {{sum.field.field, sum.field}}; }
  Fields operator()(const SquareSum& sum) const { return {{sum.field.field, sum.field}}; }
  Fields operator()(const LadderSum& sum) const { return {{sum.field.field, sum.field}}; }
  Fields operator()(const PairSum& sum) const { return both(sum.first, sum.second); }
  Fields operator()(const ProductSum& sum) const { return both(sum.first, sum.second); }
  Fields operator()(const BinCounts& bins) const { return {{bins.field, bins}}; }
  Fields operator()(const BelowCounts& below) const { return {{below.field, below}}; }
  Fields operator()(const CategoryCounts& counts) const { return {{counts.field, counts}}; }

 private:
  static Fields both(const SteppedField& first, const SteppedField& second) {
    return {{first.field, first}, {second.field, second}};
  }
};

// all_of: the condition that all of them hold.
std::string all_of(const std::vector<std::string>& conditions) {
  return conditions.empty() ? "true" : "(" + joined(conditions, " AND ") + ")";
}

}  // namespace

StatisticExaminer::StatisticExaminer(RowAsker& asker, const StatisticQuestion& question,
                                     std::optional<std::size_t> unit)
    : asker_(asker), question_(question) {
  const Aggregation& aggregation = *question.aggregation;
  if (std::holds_alternative<UnitColumn>(aggregation.unit)) unit_ = unit;
  if (aggregation.where) {
    TableField condition;
    condition.field.type = FieldType::kBoolean;
    condition.content = TrueField{};
    condition.derived = aggregation.where;
    where_ = asker.table().add(condition);
  }
  for (const GroupColumns& part : aggregation.groups) {
    for (const std::size_t column : asker.add_keys(part)) groups_.push_back(column);
  }
  for (auto& [field, content] : std::visit(ValuesOf{}, question.measure)) {
    values_.push_back(asker.add(field, std::move(content)));
  }
  for (const auto& [field, thresholds] : question.numbers) {
    ranks_.push_back(asker.add(field, ranks_among(field, thresholds)));
  }
}

void StatisticExaminer::add_keys(KeyedRows& rows, std::vector<std::string>& columns) {
  const std::vector<std::string> names = numbered_names("g", groups_.size());
  std::vector<std::string> conditions;
  std::size_t first = 0;
  for (const GroupColumns& part : question_.aggregation->groups) {
    const auto* listed = std::get_if<ListedKeys>(&part);
    const std::size_t size = listed != nullptr ? listed->columns.size() : 1;
    const std::string key = fmt::format("k{}", rows.keys.size());
    const KeySql sql = asker_.key_sql(part, std::span(names).subspan(first, size),
                                      std::span(groups_).subspan(first, size), key);
    columns.push_back(fmt::format("{} AS {}", sql.key, key));
    conditions.push_back(sql.condition);
    rows.keys.push_back(key);
    first += size;
  }
  rows.statement.sql =
      fmt::format("SELECT *, {} AS k FROM (SELECT {} FROM ({}) AS fields) AS keyed",
                  all_of(conditions), joined(columns, ", "), rows.statement.sql);
}

StatisticExaminer::KeyedRows StatisticExaminer::keyed_rows() {
  std::vector<FieldTable::Named> named;
  std::vector<std::string> columns = {unit_ ? "unit, unit IS NOT NULL AS u" : "true AS u",
                                      where_ ? "counts = 1 AS c" : "true AS c"};
  if (unit_) named.emplace_back(*unit_, "unit");
  if (where_) named.emplace_back(*where_, "counts");
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    named.emplace_back(groups_[i], fmt::format("g{}", i));
  }
  std::vector<std::string> values;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    named.emplace_back(values_[i], fmt::format("v{}", i));
    values.push_back(fmt::format("v{} IS NOT NULL", i));
  }
  columns.push_back(all_of(values) + " AS v");
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    columns.push_back(fmt::format("r{}", i));
    named.emplace_back(ranks_[i], columns.back());
  }
  KeyedRows rows{asker_.table().select(named), {}};
  add_keys(rows, columns);
  return rows;
}

StatisticFacts StatisticExaminer::examine() {
  std::vector<Answer> answers(4, Integers());
  const auto make = [&] {
    Statement rows = keyed_rows().statement;
    rows.sql = fmt::format(
        "SELECT count(*) FILTER (WHERE c), count(*) FILTER (WHERE c AND u), "
        "count(*) FILTER (WHERE c AND u AND k), count(*) FILTER (WHERE c AND u AND k AND v) "
        "FROM ({}) AS counted",
        rows.sql);
    return rows;
  };
  asker_.ask(make, answers);
  StatisticFacts facts;
  facts.with_condition = first_number(answers[0]);
  facts.with_unit = first_number(answers[1]);
  facts.with_keys = first_number(answers[2]);
  facts.with_values = first_number(answers[3]);
  if (unit_) facts.shapes = unit_shapes();
  for (std::size_t i = 0; i < ranks_.size(); ++i) facts.between.push_back(ranks_of(i));
  return facts;
}

// How many rows each unit has in each of its groups, and in how many it has some.
std::vector<UnitShape> StatisticExaminer::unit_shapes() {
  std::vector<Answer> answers(3, Integers());
  const auto make = [&] {
    KeyedRows rows = keyed_rows();
    std::vector<std::string> group = {"unit"};
    group.insert(group.end(), rows.keys.begin(), rows.keys.end());
    rows.statement.sql = fmt::format(
        "SELECT g, n, count(*) FROM (SELECT n, {0} AS g FROM (SELECT {1}, count(*) AS n FROM ({2}) "
        "AS counted WHERE c AND u AND k AND v GROUP BY {1}) AS pairs) AS shapes GROUP BY g, n",
        rows.keys.empty() ? "CAST(1 AS BIGINT)" : "count(*) OVER (PARTITION BY unit)",
        joined(group, ", "), rows.statement.sql);
    return rows.statement;
  };
  asker_.ask(make, answers);
  std::vector<UnitShape> shapes;
  for (std::size_t row = 0; row < std::get<Integers>(answers[0]).size(); ++row) {
    const auto number = [&](const Answer& column) {
      return std::get<Integers>(column)[row].value_or(0);
    };
    invariant(number(answers[0]) > 0, "a unit with rows has a group");
    shapes.push_back({number(answers[0]), number(answers[1]), number(answers[2])});
  }
  return shapes;
}

std::vector<std::int64_t> StatisticExaminer::ranks_of(std::size_t number) {
  std::vector<Answer> answers(2, Integers());
  const auto make = [&] {
    Statement rows = keyed_rows().statement;
    rows.sql = fmt::format(
        "SELECT r{0}, count(*) FROM ({1}) AS counted WHERE c AND u AND k AND r{0} IS NOT NULL "
        "GROUP BY r{0}",
        number, rows.sql);
    return rows;
  };
  asker_.ask(make, answers);
  std::vector<std::int64_t> between(question_.numbers[number].thresholds.size() + 1);
  const Integers& ranks = std::get<Integers>(answers[0]);
  for (std::size_t row = 0; row < ranks.size(); ++row) {
    const auto place = static_cast<std::size_t>(ranks[row].value_or(0));
    invariant(place < between.size(), "ranks are among the thresholds");
    between[place] = std::get<Integers>(answers[1])[row].value_or(0);
  }
  return between;
}

}  // namespace lastbit::engine
