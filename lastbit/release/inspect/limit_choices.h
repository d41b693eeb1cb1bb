// Limit choices: how many rows count under other limits of a unit.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lastbit/release/inspect/row_facts.h"

namespace lastbit {

struct LimitChoice {
  std::int64_t max_rows = 1;
  std::int64_t max_groups = 1;
  double kept = 0;  // how many rows count, on average over the selections
  std::optional<double> noise = std::nullopt;  // by what the noise is multiplied, at the same loss
};

// kept_rows: how many rows count, on average over the random selections; exact where no selection
// among groups is needed. If a unit counts once in a group, it has one row there.
double kept_rows(std::span<const UnitShape> shapes, std::int64_t max_rows, std::int64_t max_groups,
                 bool once_per_group);

// unit_count: how many units there are.
std::int64_t unit_count(std::span<const UnitShape> shapes);

// most_rows, most_groups: the most that a unit has, in one group; in how many groups.
std::int64_t most_rows(std::span<const UnitShape> shapes);
std::int64_t most_groups(std::span<const UnitShape> shapes);

// LimitsInUse: the limits of a statistic, and which of them matter.
struct LimitsInUse {
  std::int64_t max_rows = 1;
  std::int64_t max_groups = 1;
  bool grouped = false;         // otherwise there is one group
  bool once_per_group = false;  // then max_rows changes nothing
};

// other_limits: the limits in use, first, then others: twice and four times as much, what is enough
// for 95 of 100 units and their groups, and what is enough for all. Their noise is not set.
std::vector<LimitChoice> other_limits(std::span<const UnitShape> shapes, const LimitsInUse& limits);

}  // namespace lastbit
