#include "lastbit/release/inspect/inspect.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/release/inspect/noise_ratio.h"
#include "lastbit/release/inspect/round_bounds.h"
#include "lastbit/release/kinds/registry.h"
#include "lastbit/release/plan/plan_aggregation.h"

namespace lastbit {
namespace {

using release_internal::column_type;
using release_internal::NoiseRatio;

// UsedColumns: the columns that a release reads, each once: first those that are named, and after
// each derived one those that it is derived from.
class UsedColumns {
 public:
  explicit UsedColumns(const ReleaseFile& release) : release_(release) {
    if (const auto* unit = std::get_if<IdUnit>(&release.unit)) add(unit->column.value);
    if (release.where) add(*release.where);
    for (const Statistic& statistic : release.statistics) {
      for (const auto& column : columns_of(statistic)) add(column.value);
      if (statistic.where) add(*statistic.where);
    }
  }

  const std::vector<std::string>& names() const { return names_; }

 private:
  void add(const std::string& name) {
    if (std::ranges::find(names_, name) != names_.end()) return;
    names_.push_back(name);
    if (const Derivation* derived = release_.find_derived(name)) add(derived->expression);
  }
  void add(const WrittenExpression& expression) {
    for (const std::string& name : expression.derived) add(name);
    for (const RowColumn& column : columns_of(meaning_of(expression))) add(column.name);
  }

  const ReleaseFile& release_;
  std::vector<std::string> names_;
};

// find_bounds: of a column that does not declare any.
const BoundedColumn* find_bounds(const ReleaseFile& release, const std::string& name) {
  for (const Statistic& statistic : release.statistics) {
    for (const ColumnRole& role : roles_of(statistic.kind)) {
      if (role.bounded != nullptr && role.column.value == name) return role.bounded;
    }
  }
  return nullptr;
}

InspectedColumn column_of(const ReleaseFile& release, const std::string& name) {
  InspectedColumn column;
  column.name = name;
  column.type = column_type(release, name);
  column.derived = release.find_derived(name) != nullptr;
  const auto* unit = std::get_if<IdUnit>(&release.unit);
  column.names_units = unit != nullptr && unit->column.value == name;
  if (!is_number(column.type)) return column;
  // Bounds that are in use: one of the column and one of a statistic need not fit together.
  const ColumnDeclaration* declared = release.find_column(name);
  const BoundedColumn* bounds = find_bounds(release, name);
  const bool both = declared != nullptr && declared->lower && declared->upper;
  if (bounds != nullptr && !both) {
    column.lower = bounds->lower.value;
    column.upper = bounds->upper.value;
  } else if (declared != nullptr) {
    if (declared->lower) column.lower = declared->lower->value;
    if (declared->upper) column.upper = declared->upper->value;
  }
  return column;
}

FieldQuestion question_of(const InspectedColumn& column) {
  FieldQuestion question{{column.name, column.type}, column.names_units};
  if (column.lower) question.thresholds.push_back(*column.lower);
  if (column.upper) question.thresholds.push_back(just_above(*column.upper));
  return question;
}

void set_facts(InspectedColumn& column, FieldFacts facts) {
  if (column.lower) column.below = facts.between.front();
  if (column.upper) column.above = facts.between.back();
  column.facts = std::move(facts);
}

// public_keys: the keys that a statistic compares columns with.
std::vector<GroupColumns> public_keys(const ReleaseFile& release, const Statistic& statistic) {
  std::vector<GroupColumns> keys;
  Aggregation aggregation = release_internal::aggregation_of(release, statistic);
  for (GroupColumns& part : aggregation.groups) {
    if (!std::holds_alternative<FoundKeys>(part)) keys.push_back(std::move(part));
  }
  const Categories* categories = categories_of(statistic.kind);
  if (categories == nullptr) return keys;
  const std::string name = roles_of(statistic.kind).front().column.value;
  if (const auto* range = std::get_if<KeyRange>(categories)) {
    keys.emplace_back(RangeKeys{name, range->first, range->last});
  } else if (const auto* list = std::get_if<KeyList>(categories)) {
    ListedKeys listed{{{name, column_type(release, name)}}, {}};
    for (const KeyValue& key : *list) listed.tuples.push_back({key});
    keys.emplace_back(std::move(listed));
  }
  return keys;
}

// bounded_roles: the bounded columns of a statistic.
std::vector<ColumnRole> bounded_roles(const ReleaseFile& release, const Statistic& statistic) {
  std::vector<ColumnRole> roles = roles_of(statistic.kind);
  std::erase_if(roles, [&](const ColumnRole& role) {
    return role.bounded == nullptr || !is_number(column_type(release, role.column.value));
  });
  return roles;
}

StatisticQuestion question_of(const ReleasePlan& plan, const PlannedStatistic& planned) {
  StatisticQuestion question{&plan.aggregations[planned.aggregation], UnitCount{}};
  if (!discovers_categories(planned.statistic.kind)) {
    question.measure = question.aggregation->measures[planned.measure];
  }
  for (const ColumnRole& role : bounded_roles(plan.release, planned.statistic)) {
    const std::string& name = role.column.value;
    question.numbers.push_back(
        {{name, column_type(plan.release, name)},
         RoundBounds::thresholds_for(role.bounded->lower.value, role.bounded->upper.value)});
  }
  return question;
}

// bounded_column: the bounds that a kind has for a column, to change them.
BoundedColumn* bounded_column(StatisticKind& kind, const std::string& name) {
  const auto find = [&](auto& one) -> BoundedColumn* {
    if constexpr (requires { one.first.lower; }) {
      return one.first.column.name.value == name ? &one.first : &one.second;
    } else if constexpr (requires { one.column.lower; }) {
      return &one.column;
    } else {
      return nullptr;
    }
  };
  return std::visit(find, kind);
}

// bounds_to_try: others that leave at most 5 %, 1 % or none of the values beyond them.
std::vector<std::pair<Rational, Rational>> bounds_to_try(const Rational& lower,
                                                         const Rational& upper,
                                                         const RoundBounds& values) {
  std::vector<std::pair<Rational, Rational>> bounds = {{lower, upper}};
  const auto add = [&](const Rational& low, const Rational& high) {
    const std::pair pair(low, high);
    if (low < high && std::ranges::find(bounds, pair) == bounds.end()) bounds.push_back(pair);
  };
  for (const std::int64_t part : {20, 100, 0}) {
    const std::int64_t most = part == 0 ? 0 : values.values() / part;
    if (const auto other = values.least_upper(lower, most)) add(lower, *other);
  }
  if (values.below(lower) == 0) return bounds;
  for (const std::int64_t part : {100, 0}) {
    const std::int64_t most = part == 0 ? 0 : values.values() / part;
    if (const auto other = values.greatest_lower(upper, most)) add(*other, upper);
  }
  return bounds;
}

InspectedNumber number_of(const NoiseRatio& noise, const ColumnRole& role,
                          const RoundBounds& values) {
  InspectedNumber number{role.column.value, values.values(), {}};
  for (const auto& [lower, upper] :
       bounds_to_try(role.bounded->lower.value, role.bounded->upper.value, values)) {
    Statistic changed = noise.written();
    BoundedColumn* bounds = bounded_column(changed.kind, number.column);
    invariant(bounds != nullptr, "a kind with a bounded column has bounds");
    bounds->lower.value = lower;
    bounds->upper.value = upper;
    number.choices.push_back(
        {lower, upper, values.below(lower), values.above(upper), noise.of(changed)});
  }
  return number;
}

InspectedLimits limits_of(const NoiseRatio& noise, const UnitColumn& unit,
                          const Aggregation& aggregation, const StatisticFacts& facts) {
  const Statistic& statistic = noise.written();
  InspectedLimits limits;
  const bool found = discovers_categories(statistic.kind);
  limits.in_use = {unit.max_rows, unit.max_groups, !aggregation.groups.empty(),
                   found || once_per_unit(statistic.kind)};
  limits.countable = kept_rows(facts.shapes, most_rows(facts.shapes), most_groups(facts.shapes),
                               limits.in_use.once_per_group);
  limits.choices = other_limits(facts.shapes, limits.in_use);
  // A unit counts once for each category that is found, and the two limits are one there.
  if (found) limits.choices.resize(1);
  for (LimitChoice& choice : limits.choices) {
    Statistic changed = statistic;
    if (&choice != &limits.choices.front()) {
      changed.max_rows_per_group = choice.max_rows;
      changed.max_groups = choice.max_groups;
    }
    choice.noise = noise.of(changed);
  }
  return limits;
}

InspectedStatistic inspected(const ReleasePlan& plan, const PlannedStatistic& planned,
                             const StatisticQuestion& question, StatisticFacts facts) {
  InspectedStatistic result;
  result.statistic = planned.statistic;
  result.has_condition = question.aggregation->where.has_value();
  const NoiseRatio noise(plan, planned);
  if (const auto* unit = std::get_if<UnitColumn>(&question.aggregation->unit)) {
    result.limits = limits_of(noise, *unit, *question.aggregation, facts);
  }
  const auto roles = bounded_roles(plan.release, planned.statistic);
  for (std::size_t i = 0; i < roles.size(); ++i) {
    const RoundBounds values(question.numbers[i].thresholds, facts.between[i]);
    result.numbers.push_back(number_of(noise, roles[i], values));
  }
  result.facts = std::move(facts);
  return result;
}

void add_key_questions(const ReleaseFile& release, RowQuestions& questions,
                       Inspection& inspection) {
  for (const Statistic& statistic : release.statistics) {
    for (GroupColumns& keys : public_keys(release, statistic)) {
      if (std::ranges::find(questions.keys, keys, &KeyQuestion::keys) != questions.keys.end()) {
        continue;
      }
      Aggregation one;
      one.groups = {keys};
      InspectedKeys& added = inspection.keys.emplace_back();
      for (const KeyColumn& column : key_columns(one)) added.columns.push_back(column.name);
      questions.keys.push_back({std::move(keys)});
    }
  }
}

// Promise: keys that the file calls complete, in the rows that meet a condition. Its question is
// about these groups alone.
struct Promise {
  std::size_t keys = 0;  // of the inspection
  Aggregation aggregation;
};

// promises_of: each once. `asked` are the keys of the inspection, in order.
std::vector<Promise> promises_of(const ReleasePlan& plan, const std::vector<KeyQuestion>& asked) {
  std::vector<Promise> promises;
  // Where a unit is a column, no table relies on them.
  if (!std::holds_alternative<RowUnit>(plan.release.unit)) return promises;
  for (const PlannedStatistic& planned : plan.statistics) {
    const Aggregation& groups = plan.aggregations[planned.aggregation];
    const auto keys = group_keys(plan.release, planned.statistic);
    for (std::size_t i = 0; i < keys.size() && planned.release; ++i) {
      if (keys[i].complete != GroupKeys::Complete::kPromised) continue;
      const auto place = std::ranges::find(asked, groups.groups[i], &KeyQuestion::keys);
      Promise promise{static_cast<std::size_t>(place - asked.begin()), {}};
      promise.aggregation.derived = groups.derived;
      promise.aggregation.where = groups.where;
      promise.aggregation.groups = {groups.groups[i]};
      promise.aggregation.measures = {RowCount{}};
      const bool known = std::ranges::any_of(promises, [&](const Promise& other) {
        return other.keys == promise.keys && other.aggregation.where == promise.aggregation.where;
      });
      if (!known && place != asked.end()) promises.push_back(std::move(promise));
    }
  }
  return promises;
}

// Questions: about a release, and the inspection that their answers will complete.
struct Questions {
  RowQuestions asked;
  Inspection inspection;
  // The statistics of the plan, each with the number of its question.
  std::vector<std::pair<const PlannedStatistic*, std::size_t>> statistics;
  // The promises of the file; their questions follow those of the statistics, in order.
  std::vector<Promise> promises;

  // add: statistics that count the same rows and values share a question.
  void add(StatisticQuestion question, const PlannedStatistic& planned) {
    const auto known = std::ranges::find(asked.statistics, question);
    statistics.emplace_back(&planned, static_cast<std::size_t>(known - asked.statistics.begin()));
    if (known == asked.statistics.end()) asked.statistics.push_back(std::move(question));
  }
};

Questions questions_about(const ReleasePlan& plan) {
  const ReleaseFile& release = plan.release;
  Questions questions;
  auto& [asked, inspection, statistics, promises] = questions;
  inspection.file = release.filename;
  inspection.source = std::filesystem::path(release.source.path.value).filename().string();
  inspection.text_file = !declares_types(release.source.format.value);
  for (const Derivation& derived : release.derived) {
    asked.derived.push_back({derived.name.value, meaning_of(derived.expression)});
  }
  const UsedColumns used(release);
  for (const std::string& name : used.names()) {
    inspection.columns.push_back(column_of(release, name));
    asked.fields.push_back(question_of(inspection.columns.back()));
  }
  if (const auto* unit = std::get_if<IdUnit>(&release.unit)) {
    inspection.unit = unit->column.value;
    asked.unit = FieldUse{unit->column.value, column_type(release, unit->column.value)};
  }
  add_key_questions(release, asked, inspection);
  for (const PlannedStatistic& planned : plan.statistics) {
    if (!planned.release) continue;  // a total
    questions.add(question_of(plan, planned), planned);
  }
  promises = promises_of(plan, asked.keys);
  return questions;
}

}  // namespace

Inspection inspect_release(const ReleasePlan& plan, const Engine& engine,
                           const engine::EngineLimits& limits, const engine::Progress& progress) {
  Questions questions = questions_about(plan);
  auto& [asked, inspection, statistics, promises] = questions;
  const std::size_t first_promise = asked.statistics.size();
  for (const Promise& promise : promises) {
    asked.statistics.push_back({&promise.aggregation, RowCount{}});
  }
  RowFacts facts = engine.examine(plan.release, asked, limits, progress);
  inspection.rows = facts.rows;
  inspection.units = facts.units;
  for (std::size_t i = 0; i < inspection.columns.size(); ++i) {
    set_facts(inspection.columns[i], std::move(facts.fields[i]));
  }
  for (std::size_t i = 0; i < inspection.keys.size(); ++i) {
    inspection.keys[i].facts = std::move(facts.keys[i]);
  }
  for (std::size_t i = 0; i < promises.size(); ++i) {
    const StatisticFacts& rows = facts.statistics[first_promise + i];
    InspectedKeys& keys = inspection.keys[promises[i].keys];
    keys.promised = true;
    keys.broken = std::max(keys.broken, rows.with_unit - rows.with_keys);
  }
  for (const auto& [planned, number] : statistics) {
    inspection.statistics.push_back(
        inspected(plan, *planned, asked.statistics[number], facts.statistics[number]));
  }
  return std::move(inspection);
}

}  // namespace lastbit
