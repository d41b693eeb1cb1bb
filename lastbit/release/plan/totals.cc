#include "lastbit/release/plan/totals.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "lastbit/base/text.h"
#include "lastbit/release/plan/plan_shares.h"

namespace lastbit::release_internal {
namespace {

KeyTuple kept_keys(const KeyTuple& group, const std::vector<std::size_t>& kept) {
  KeyTuple keys;
  keys.reserve(kept.size());
  for (const std::size_t column : kept) keys.push_back(group[column]);
  return keys;
}

// most_terms: how many groups are added up at most where these columns are kept. The groups are the
// combinations of one key of each of `groups`, so the numbers multiply.
std::int64_t most_terms(const GroupColumns& groups, const std::set<std::string>& kept) {
  if (const auto* range = std::get_if<RangeKeys>(&groups)) {
    return kept.contains(range->column) ? 1 : range->last - range->first + 1;
  }
  const auto& listed = std::get<ListedKeys>(groups);
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < listed.columns.size(); ++i) {
    if (kept.contains(listed.columns[i].name)) places.push_back(i);
  }
  if (places.empty()) return std::ssize(listed.tuples);
  std::map<KeyTuple, std::int64_t> terms;
  std::int64_t most = 1;
  for (const KeyTuple& tuple : listed.tuples) {
    most = std::max(most, ++terms[kept_keys(tuple, places)]);
  }
  return most;
}
std::int64_t most_terms(const Aggregation& aggregation, const std::set<std::string>& kept) {
  std::int64_t most = 1;
  for (const GroupColumns& groups : aggregation.groups) most *= most_terms(groups, kept);
  return most;
}

std::string name_of_total(const std::string& name, const std::vector<Located<std::string>>& by) {
  if (by.empty()) return name + "_total";
  std::string total = name + "_total_by";
  for (const auto& column : by) total += "_" + column.value;
  return total;
}

// What is added up, and over what.
std::string step_of_total(const Statistic& statistic, const std::vector<std::size_t>& kept) {
  std::vector<std::string> left;
  for (std::size_t i = 0; i < statistic.by.size(); ++i) {
    if (std::ranges::find(kept, i) == kept.end()) left.push_back(quote(statistic.by[i].value, 80));
  }
  return fmt::format(
      "The noisy numbers of {} are added up over {}. This costs nothing, and the tables add up.",
      quote(statistic.name.value, 80), joined(left, " and "));
}

}  // namespace

std::vector<std::vector<std::size_t>> total_columns(std::size_t columns) {
  std::vector<std::vector<std::size_t>> parts;
  const std::size_t all = (std::size_t{1} << columns) - 1;
  for (std::size_t part = 0; part < all; ++part) {
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < columns; ++i) {
      if ((part >> i & 1) != 0) kept.push_back(i);
    }
    parts.push_back(std::move(kept));
  }
  std::ranges::sort(parts, [](const auto& a, const auto& b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  });
  return parts;
}

NoisyTable add_up(const NoisyTable& table, const std::vector<std::size_t>& kept) {
  NoisyTable total;
  total.parts.resize(table.parts.size());
  std::map<KeyTuple, std::size_t> places;
  for (std::size_t group = 0; group < table.groups.size(); ++group) {
    KeyTuple keys = kept_keys(table.groups[group], kept);
    const auto [place, added] = places.emplace(keys, total.groups.size());
    if (added) {
      total.groups.push_back(std::move(keys));
      total.terms.push_back(0);
    }
    total.terms[place->second] += table.terms[group];
    for (std::size_t i = 0; i < table.parts.size(); ++i) {
      const std::size_t cells = table.parts[i].size() / table.groups.size();
      if (added) total.parts[i].resize(total.parts[i].size() + cells, Rational(0));
      for (std::size_t cell = 0; cell < cells; ++cell) {
        total.parts[i][place->second * cells + cell] += table.parts[i][group * cells + cell];
      }
    }
  }
  return total;
}

std::vector<PlannedStatistic> totals_of(const PlannedStatistic& planned,
                                        const Aggregation& aggregation, LossKind accounting) {
  std::vector<PlannedStatistic> totals;
  const Statistic& statistic = planned.statistic;
  if (!statistic.totals) return totals;
  for (const auto& kept : total_columns(statistic.by.size())) {
    Statistic coarser = statistic;
    coarser.by.clear();
    coarser.totals = false;
    std::set<std::string> names;
    for (const std::size_t i : kept) {
      coarser.by.push_back(statistic.by[i]);
      names.insert(statistic.by[i].value);
    }
    coarser.name.value = name_of_total(statistic.name.value, coarser.by);
    auto [accuracy, bias] = planned.total_errors(most_terms(aggregation, names));
    totals.push_back({.statistic = std::move(coarser),
                      .aggregation = planned.aggregation,
                      .measure = planned.measure,
                      .parts = {},
                      .cost = sum_of(accounting, {}),
                      .accuracy = std::move(accuracy),
                      .bias = std::move(bias),
                      .steps = {step_of_total(statistic, kept)},
                      .caveats = planned.caveats,
                      .notes = planned.notes,
                      .release = nullptr,
                      .total_errors = nullptr});
  }
  return totals;
}

}  // namespace lastbit::release_internal
