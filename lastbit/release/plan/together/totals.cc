#include "lastbit/release/plan/together/totals.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "lastbit/base/text.h"
#include "lastbit/release/plan/shares/plan_shares.h"

namespace lastbit::release_internal {
namespace {

KeyTuple kept_keys(const KeyTuple& group, const std::vector<std::size_t>& kept) {
  KeyTuple keys;
  keys.reserve(kept.size());
  for (const std::size_t column : kept) keys.push_back(group[column]);
  return keys;
}

// terms_of: how many groups are added up where these columns are kept: all the numbers that occur.
std::set<std::int64_t> terms_of(const GroupColumns& groups, const std::set<std::string>& kept) {
  if (const auto* range = std::get_if<RangeKeys>(&groups)) {
    return {kept.contains(range->column) ? 1 : range->last - range->first + 1};
  }
  const auto& listed = std::get<ListedKeys>(groups);
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < listed.columns.size(); ++i) {
    if (kept.contains(listed.columns[i].name)) places.push_back(i);
  }
  std::map<KeyTuple, std::int64_t> counts;
  for (const KeyTuple& tuple : listed.tuples) ++counts[kept_keys(tuple, places)];
  std::set<std::int64_t> terms;
  for (const auto& [keys, count] : counts) terms.insert(count);
  return terms;
}
// The groups are the combinations of one key of each of `groups`, so the numbers multiply.
std::set<std::int64_t> terms_of(const Aggregation& aggregation, const std::set<std::string>& kept) {
  std::set<std::int64_t> all = {1};
  for (const GroupColumns& groups : aggregation.groups) {
    std::set<std::int64_t> products;
    for (const std::int64_t terms : terms_of(groups, kept)) {
      for (const std::int64_t others : all) products.insert(terms * others);
    }
    all = std::move(products);
  }
  return all;
}

std::optional<Rational> larger(const std::optional<Rational>& a, const std::optional<Rational>& b) {
  return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
}

// largest: the largest of some errors; it is not known if one of them is not.
PlannedError largest(const PlannedError& a, const PlannedError& b) {
  PlannedError both;
  both.unit = a.unit;
  both.always = larger(a.always, b.always);
  if (a.for_rows && b.for_rows) {
    both.for_rows = [a, b](const Integer& rows) { return larger(a.at(rows), b.at(rows)); };
  }
  return both;
}

// errors_of: the largest errors of totals of so many groups. The errors of numbers grow with the
// number of groups, and those of means fall with the number of their rows. Each number takes a
// while, so if there are many, neighbours are taken together.
TotalErrors errors_of(const PlannedStatistic& planned, const std::vector<std::size_t>& kept,
                      const std::set<std::int64_t>& terms) {
  constexpr std::size_t kMostParts = 16;
  const std::vector<std::int64_t> numbers(terms.begin(), terms.end());
  const std::size_t size = (numbers.size() + kMostParts - 1) / kMostParts;
  std::optional<TotalErrors> errors;
  for (std::size_t i = 0; i < numbers.size(); i += size) {
    TotalErrors part =
        planned.total_errors(kept, numbers[i], numbers[std::min(i + size, numbers.size()) - 1]);
    errors = errors ? TotalErrors{largest(errors->accuracy, part.accuracy),
                                  largest(errors->bias, part.bias)}
                    : std::move(part);
  }
  return errors.value_or(TotalErrors{});
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
      "The noisy numbers of {} are added up over {}. This costs nothing. The tables add up, unless "
      "an answer would have to move by more than its error for that.",
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
  const auto correction = table.total_corrections.find(kept);
  total.correction =
      correction == table.total_corrections.end() ? table.correction : correction->second;
  std::map<KeyTuple, std::size_t> places;
  for (std::size_t group = 0; group < table.groups.size(); ++group) {
    KeyTuple keys = kept_keys(table.groups[group], kept);
    const auto [place, added] = places.emplace(keys, total.groups.size());
    if (added) {
      total.groups.push_back(std::move(keys));
      total.terms.push_back(0);
    }
    total.terms[place->second] += table.terms[group];
    const auto add = [&](const std::vector<Rational>& numbers, std::vector<Rational>& sums) {
      const std::size_t cells = numbers.size() / table.groups.size();
      if (added) sums.resize(sums.size() + cells, Rational(0));
      for (std::size_t cell = 0; cell < cells; ++cell) {
        sums[place->second * cells + cell] += numbers[group * cells + cell];
      }
    };
    for (std::size_t i = 0; i < table.parts.size(); ++i) add(table.parts[i], total.parts[i]);
    add(table.published, total.published);
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
    coarser.wording.total = true;
    std::set<std::string> names;
    for (const std::size_t i : kept) {
      coarser.by.push_back(statistic.by[i]);
      names.insert(statistic.by[i].value);
    }
    coarser.name.value = name_of_total(statistic.name.value, coarser.by);
    auto [accuracy, bias] = errors_of(planned, kept, terms_of(aggregation, names));
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
