#include "lastbit/release/inspect/limit_choices.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace lastbit {
namespace {

// Weights: how often each number occurs.
using Weights = std::map<std::int64_t, double>;

// enough_for: the smallest number that at least this share does not exceed.
std::int64_t enough_for(double share, const Weights& weights) {
  double all = 0;
  for (const auto& [number, weight] : weights) all += weight;
  double sum = 0;
  for (const auto& [number, weight] : weights) {
    sum += weight;
    if (sum >= share * all) return number;
  }
  return weights.empty() ? 1 : weights.rbegin()->first;
}

// limits_to_try: other values of a limit, none above what is enough for all.
std::set<std::int64_t> limits_to_try(std::int64_t current, const Weights& weights) {
  constexpr double kMost = 0.95;
  const std::int64_t all = enough_for(1, weights);
  std::set<std::int64_t> limits = {enough_for(kMost, weights), all};
  for (const std::int64_t factor : {2, 4}) {
    if (current < all / factor) limits.insert(current * factor);
  }
  return limits;
}

Weights rows_of(std::span<const UnitShape> shapes) {
  Weights weights;
  for (const UnitShape& shape : shapes) weights[shape.rows] += static_cast<double>(shape.times);
  return weights;
}

Weights groups_of(std::span<const UnitShape> shapes) {
  Weights weights;
  for (const UnitShape& shape : shapes) {
    weights[shape.groups] += static_cast<double>(shape.times) / static_cast<double>(shape.groups);
  }
  return weights;
}

}  // namespace

double kept_rows(std::span<const UnitShape> shapes, std::int64_t max_rows, std::int64_t max_groups,
                 bool once_per_group) {
  double kept = 0;
  for (const auto& [groups, rows, times] : shapes) {
    // Each of a unit's groups is as likely to count as any other.
    const double chosen =
        max_groups < groups ? static_cast<double>(max_groups) / static_cast<double>(groups) : 1;
    const std::int64_t counted = once_per_group ? 1 : std::min(rows, max_rows);
    kept += chosen * static_cast<double>(counted) * static_cast<double>(times);
  }
  return kept;
}

std::int64_t unit_count(std::span<const UnitShape> shapes) {
  std::map<std::int64_t, std::int64_t> pairs;
  for (const UnitShape& shape : shapes) pairs[shape.groups] += shape.times;
  std::int64_t units = 0;
  for (const auto& [groups, times] : pairs) units += times / groups;
  return units;
}

std::int64_t most_rows(std::span<const UnitShape> shapes) {
  std::int64_t most = 0;
  for (const UnitShape& shape : shapes) most = std::max(most, shape.rows);
  return most;
}

std::int64_t most_groups(std::span<const UnitShape> shapes) {
  std::int64_t most = 0;
  for (const UnitShape& shape : shapes) most = std::max(most, shape.groups);
  return most;
}

std::vector<LimitChoice> other_limits(std::span<const UnitShape> shapes,
                                      const LimitsInUse& limits) {
  std::vector<LimitChoice> choices;
  std::set<std::pair<std::int64_t, std::int64_t>> known;
  const auto add = [&](std::int64_t rows, std::int64_t groups) {
    if (!known.emplace(rows, groups).second) return;
    choices.push_back({rows, groups, kept_rows(shapes, rows, groups, limits.once_per_group)});
  };
  add(limits.max_rows, limits.max_groups);
  std::set<std::int64_t> rows = {limits.max_rows};
  std::set<std::int64_t> groups = {limits.max_groups};
  if (!limits.once_per_group) rows = limits_to_try(limits.max_rows, rows_of(shapes));
  if (limits.grouped) groups = limits_to_try(limits.max_groups, groups_of(shapes));
  for (const std::int64_t other : rows) add(other, limits.max_groups);
  for (const std::int64_t other : groups) add(limits.max_rows, other);
  constexpr double kMost = 0.95;
  if (limits.grouped && !limits.once_per_group) {
    add(enough_for(kMost, rows_of(shapes)), enough_for(kMost, groups_of(shapes)));
    add(*rows.rbegin(), *groups.rbegin());
  }
  return choices;
}

}  // namespace lastbit
