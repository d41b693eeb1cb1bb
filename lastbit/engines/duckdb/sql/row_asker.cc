#include "lastbit/engines/duckdb/sql/row_asker.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "lastbit/base/text.h"
#include "lastbit/engines/kernel/value_map.h"

namespace lastbit::engine {

RowAsker::RowAsker(LockedEngine& engine, std::vector<DerivedColumn> derived, Progress progress)
    : engine_(engine), table_(engine), progress_(std::move(progress)) {
  derived_.derived = std::move(derived);
  tell_ = [this](double part) {
    if (progress_) progress_(std::min((done_ + part) / questions_, 1.0));
  };
}

std::size_t RowAsker::add(const FieldUse& field, FieldContent content) {
  TableField added{field, std::move(content)};
  if (const RowExpression* found = find_derived(derived_, field.name)) added.derived = *found;
  return table_.add(added);
}

std::vector<std::size_t> RowAsker::add_keys(const GroupColumns& part) {
  Aggregation one;
  one.groups = {part};
  const bool found = std::holds_alternative<FoundKeys>(part);
  std::vector<std::size_t> columns;
  for (const KeyColumn& column : key_columns(one)) {
    columns.push_back(add({column.name, column.type}, KeyField{found}));
  }
  return columns;
}

void RowAsker::load(std::size_t questions) {
  questions_ = static_cast<double>(questions + 1);
  table_.load(tell_);
  ++done_;
}

void RowAsker::ask(const std::function<Statement()>& make, std::vector<Answer>& answers) {
  if (!engine_.try_ask(make(), answers, tell_)) {
    table_.unload();
    engine_.ask(make(), answers, tell_);
  }
  ++done_;
}

void RowAsker::finish() {
  if (progress_) progress_(1);
}

KeySql RowAsker::key_sql(const GroupColumns& part, std::span<const std::string> names,
                         std::span<const std::size_t> columns, const std::string& key) {
  if (const auto* range = std::get_if<RangeKeys>(&part)) {
    return {names.front(), fmt::format("{} BETWEEN {} AND {}", key, range->first, range->last)};
  }
  const auto* listed = std::get_if<ListedKeys>(&part);
  if (listed == nullptr) return {names.front(), key + " IS NOT NULL"};
  std::vector<ArgumentType> types;
  for (const std::size_t column : columns) {
    types.push_back({table_.carrier(column) == Carrier::kInteger ? ArgumentKind::kInteger
                                                                 : ArgumentKind::kBytes});
  }
  const std::string function = engine_.fresh_name("lastbit_listed");
  engine_.add_function(function, types, map_tuples(*listed));
  return {fmt::format("{}({})", function, joined(names, ", ")), key + " IS NOT NULL"};
}

BelowCounts ranks_among(const FieldUse& field, const std::vector<Rational>& thresholds) {
  return {field, thresholds, std::nullopt};
}

std::vector<std::string> numbered_names(std::string_view prefix, std::size_t size) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < size; ++i) names.push_back(fmt::format("{}{}", prefix, i));
  return names;
}

std::int64_t first_number(const Answer& column) {
  const Integers& numbers = std::get<Integers>(column);
  return numbers.empty() ? 0 : numbers.front().value_or(0);
}

}  // namespace lastbit::engine
