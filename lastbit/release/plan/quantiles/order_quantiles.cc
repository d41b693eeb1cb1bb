#include "lastbit/release/plan/quantiles/order_quantiles.h"

#include <algorithm>
#include <concepts>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include "lastbit/release/plan/plan_statistic.h"

namespace lastbit::release_internal {
namespace {

// quantiles_in: null if the kind is another one.
const QuantileStatistic* quantiles_in(const StatisticKind& kind) {
  return std::visit(
      []<class Kind>(const Kind& one) -> const QuantileStatistic* {
        if constexpr (std::derived_from<Kind, QuantileStatistic>) return &one;
        return nullptr;
      },
      kind);
}

std::set<std::string> names_in_by(const Statistic& statistic) {
  std::set<std::string> names;
  for (const auto& name : statistic.by) names.insert(name.value);
  return names;
}

// named_group: the keys of a group with the names of their columns, since statistics may list
// these in different orders.
std::map<std::string, KeyValue> named_group(const Statistic& statistic, const KeyTuple& group) {
  std::map<std::string, KeyValue> named;
  for (std::size_t i = 0; i < group.size(); ++i) named.emplace(statistic.by[i].value, group[i]);
  return named;
}

// Fixed: the answers that no longer move, by level.
using Fixed = std::map<Rational, Rational>;

// move_between: moves the answer between those of the levels around its own.
void move_between(AnswerLine& line, const Rational& level, const Fixed& fixed) {
  if (!line.value) return;
  Rational& value = *line.value;
  const auto above = fixed.lower_bound(level);
  if (above != fixed.end()) value = std::min(value, above->second);
  const auto beyond = fixed.upper_bound(level);
  if (beyond != fixed.begin()) value = std::max(value, std::prev(beyond)->second);
  if (!line.interval) return;
  line.interval->lower = std::min(line.interval->lower, value);
  line.interval->upper = std::max(line.interval->upper, value);
}

// order_one_after_another: the answers of the statistics with these numbers, the most accurate
// first.
void order_one_after_another(const ReleasePlan& plan, const std::vector<std::size_t>& numbers,
                             std::vector<PlannedStatistic::Answers>& answers) {
  std::map<std::map<std::string, KeyValue>, Fixed> fixed_of_groups;
  for (const std::size_t number : numbers) {
    const Statistic& statistic = plan.statistics[number].statistic;
    const std::vector<Rational>& levels = quantiles_in(statistic.kind)->levels;
    std::vector<AnswerLine>& lines = answers[number].front();
    for (std::size_t first = 0; first < lines.size(); first += levels.size()) {
      Fixed& fixed = fixed_of_groups[named_group(statistic, lines[first].group)];
      for (std::size_t i = 0; i < levels.size(); ++i) {
        move_between(lines[first + i], levels[i], fixed);
      }
      // Those of one statistic are in order already, and stay so.
      for (std::size_t i = 0; i < levels.size(); ++i) {
        const auto& value = lines[first + i].value;
        if (value) fixed.emplace(levels[i], *value);
      }
    }
    // An interval that has grown may now be too wide.
    suppress(answers[number], statistic);
  }
}

}  // namespace

std::size_t levels_in_order(const ReleaseFile& release, const Statistic& statistic) {
  const QuantileStatistic* own = quantiles_in(statistic.kind);
  if (own == nullptr) return 0;
  const std::set<std::string> by = names_in_by(statistic);
  std::size_t count = 0;
  bool is_listed = false;
  for (const Statistic& other : release.statistics) {
    const QuantileStatistic* quantiles = quantiles_in(other.kind);
    if (quantiles == nullptr || names_in_by(other) != by) continue;
    if (quantiles->column.column.name.value != own->column.column.name.value) continue;
    // Only those of one confidence are put in order.
    if (other.confidence.value != statistic.confidence.value) continue;
    count += quantiles->levels.size();
    is_listed = is_listed || other.name.value == statistic.name.value;
  }
  return is_listed ? count : count + own->levels.size();
}

void order_quantiles(const ReleasePlan& plan, std::vector<PlannedStatistic::Answers>& answers) {
  // An answer that is moved to another is as likely to be wrong as that one. So only statistics of
  // one confidence move each other: what 5 % are promised for must not replace what 99 % are.
  using Place = std::tuple<std::size_t, std::size_t, Rational>;
  std::map<Place, std::vector<std::size_t>> of_measures;
  for (std::size_t i = 0; i < plan.statistics.size(); ++i) {
    const PlannedStatistic& planned = plan.statistics[i];
    if (quantiles_in(planned.statistic.kind) == nullptr || answers[i].empty()) continue;
    of_measures[{planned.aggregation, planned.measure, planned.statistic.confidence.value}]
        .push_back(i);
  }
  for (auto& [measure, numbers] : of_measures) {
    if (numbers.size() < 2) continue;
    std::ranges::sort(numbers, {}, [&](std::size_t number) {
      return std::tuple(plan.statistics[number].accuracy.always.value_or(0), number);
    });
    order_one_after_another(plan, numbers, answers);
  }
}

}  // namespace lastbit::release_internal
