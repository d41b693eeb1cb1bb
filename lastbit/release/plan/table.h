// Tables: data sets whose rows only an engine sees, as a space of the framework, and the
// transformations from them to the numbers that noise is added to.
//
// A member is what an engine computed from it (release/plan/aggregation.h). Data sets are d apart
// if d units were added or removed. proofs/engine.md#bounding shows that an engine's answers move
// no more than the maps here say, whatever secret key it used to choose rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/core/transformation.h"
#include "lastbit/release/plan/aggregation.h"
#include "lastbit/release/plan/row_hull.h"

namespace lastbit {

// TableDomain: all data sets; the rows that an engine reads may have any form.
struct TableDomain {
  using Carrier = std::vector<GroupAnswer>;
  bool contains(const Carrier&) const { return true; }
  bool includes(const TableDomain&) const { return true; }
  std::string describe() const { return "tables of units' rows, as an engine aggregates them"; }
  friend bool operator==(const TableDomain&, const TableDomain&) = default;
};

// UnitDistance: the number of units to add and remove. Counting them takes the rows, so asking for
// the distance between two engines' answers is a kNotSupported Error.
struct UnitDistance {
  using Value = Distance;
  static constexpr std::string_view kName = "number of units";
  Distance distance(const TableDomain::Carrier& u, const TableDomain::Carrier& v) const;
  friend bool operator==(const UnitDistance&, const UnitDistance&) = default;
};
template <>
inline constexpr bool metric_fits<UnitDistance, TableDomain> = true;

// EntryRange: some entries of a measure, the same in each group: one, or all of them.
struct EntryRange {
  std::size_t measure = 0;
  std::size_t first = 0;
  std::size_t count = 1;
};

// UnitReach: what one unit can change: how many groups, and by how much the numbers of one group
// move together, in L1. `squared`: the square of how far they move in L2, if that is known to be
// less.
struct UnitReach {
  Integer groups;
  Rational each;
  std::optional<Rational> squared = std::nullopt;
};
UnitReach unit_reach(const Aggregation& aggregation, const EntryRange& entries);
UnitReach unit_reach(const Aggregation& aggregation, const Combinations& combinations);

// reach_in: how far one unit moves the numbers of all groups, in the metric.
template <class Metric>
ValueOf<Metric> reach_in(const UnitReach& reach) {
  const Rational groups(reach.groups);
  if constexpr (std::same_as<Metric, SpreadDistance>) {
    return Distance(reach.each);
  } else if constexpr (std::same_as<ValueOf<Metric>, Radical<2>>) {
    // Groups are different entries or blocks, and in one group the L2 distance is at most the L1
    // distance.
    return Radical<2>::root_of(Distance(groups * reach.squared.value_or(pow(reach.each, 2))));
  } else {
    return Distance(groups * reach.each);
  }
}

namespace release_internal {

template <class OutputDomain, class Metric, class Function>
auto table_transformation(std::string name, const OutputDomain& domain, const Metric& metric,
                          const UnitReach& reach, Function function) {
  using Result = Transformation<TableDomain, UnitDistance, OutputDomain, Metric>;
  return Result(
      std::move(name), {}, {}, domain, metric, std::move(function),
      Result::StabilityRelation::from_map(
          [one = reach_in<Metric>(reach)](const Distance& units) { return units * one; }));
}

std::vector<std::int64_t> counts_of_groups(const TableDomain::Carrier& table,
                                           const EntryRange& entries);
std::vector<Rational> sums_of_groups(const TableDomain::Carrier& table, const EntryRange& entries);
std::vector<Rational> combined_groups(const TableDomain::Carrier& table,
                                      const Combinations& combinations);
std::map<std::string, std::int64_t, IdentityLess> counts_by_key(const TableDomain::Carrier& table,
                                                                const EntryRange& entries);
// ladder_rows: the rows in each cell of all groups together.
std::vector<std::int64_t> ladder_rows(const TableDomain::Carrier& table, std::size_t measure,
                                      std::size_t cells);
std::vector<std::int64_t> rows_in_ranges(const TableDomain::Carrier& table, std::size_t measure,
                                         const std::vector<std::vector<std::size_t>>& edges);
std::vector<std::vector<std::int64_t>> blocks_of_groups(const TableDomain::Carrier& table,
                                                        const EntryRange& entries);

}  // namespace release_internal

// make_group_counts: these entries of every group, one group after the other.
// Requires  caller: they are counts, so that they fit 64 bits; Metric is L1Distance or L2Distance.
// Ensures   map(d) = d·g·b (L1) or d·b·√g (L2) for g = groups_changed and the bound b of the
//           entries.
// Proof     proofs/release.md#numbers
template <class Metric>
auto make_group_counts(const Aggregation& aggregation, const EntryRange& entries) {
  return release_internal::table_transformation(
      "counts", VectorDomain(AllDomain<std::int64_t>()), Metric{}, unit_reach(aggregation, entries),
      [entries](const TableDomain::Carrier& table) {
        return release_internal::counts_of_groups(table, entries);
      });
}

// make_group_sums: the same for sums of steps of any size, as whole rationals.
// Requires  caller: Metric is L1Distance or L2Distance.
// Ensures   as make_group_counts.
// Proof     proofs/release.md#numbers
template <class Metric>
auto make_group_sums(const Aggregation& aggregation, const EntryRange& entries) {
  return release_internal::table_transformation(
      "sums", VectorDomain(GridDomain(Grid(0))), Metric{}, unit_reach(aggregation, entries),
      [entries](const TableDomain::Carrier& table) {
        return release_internal::sums_of_groups(table, entries);
      });
}

// make_group_combinations: these combinations of the entries of every group, one group after the
// other, as whole rationals.
// Requires  caller: Metric is L1Distance or L2Distance.  checked: the measure has a row_hull.
// Ensures   map(d) = d·g·r·c (L1) or d·r·c·√g (L2), for the largest distance c in the metric by
//           which a point of the row_hull moves all combinations, and r rows in each of g groups.
// Proof     proofs/release.md#combinations
template <class Metric>
auto make_group_combinations(const Aggregation& aggregation, const Combinations& combinations) {
  return release_internal::table_transformation(
      "combinations", VectorDomain(GridDomain(Grid(0))), Metric{},
      unit_reach(aggregation, combinations), [combinations](const TableDomain::Carrier& table) {
        return release_internal::combined_groups(table, combinations);
      });
}

// key_text: an injective text for the keys of a group, to tell groups apart.
std::string key_text(const KeyTuple& key);

// make_counts_by_key: one count of every group, by key_text of its keys; for discovered keys.
// Requires  caller: `entries` is one count.
// Ensures   map(d) = d·g·b in L1.
// Proof     proofs/release.md#numbers
inline auto make_counts_by_key(const Aggregation& aggregation, const EntryRange& entries) {
  return release_internal::table_transformation(
      "counts by key", MapDomain(AllDomain<std::string>(), AllDomain<std::int64_t>()), L1Distance{},
      unit_reach(aggregation, entries), [entries](const TableDomain::Carrier& table) {
        return release_internal::counts_by_key(table, entries);
      });
}

// make_spread_counts_by_key: the same, with the number of groups that one unit changes in the
// metric.
// Requires  caller: `entries` is one count.
// Ensures   map(d) = d·b in SpreadDistance{g}.
// Proof     proofs/release.md#discovery
inline auto make_spread_counts_by_key(const Aggregation& aggregation, const EntryRange& entries) {
  const UnitReach reach = unit_reach(aggregation, entries);
  return release_internal::table_transformation(
      "counts by key", MapDomain(AllDomain<std::string>(), AllDomain<std::int64_t>()),
      SpreadDistance{reach.groups}, reach, [entries](const TableDomain::Carrier& table) {
        return release_internal::counts_by_key(table, entries);
      });
}

// make_range_counts: the rows in ranges of cells: for each group those before its first edge, those
// from there to the second, and so on, and those from the last edge on.
// Requires  caller: the measure is BelowCounts; for each group increasing edges between 0 and the
//           number of cells, both excluded; they may depend on what was released before.
// Ensures   map(d) = d·g·r (L1) or d·r·√g (L2), whatever the edges are.
// Proof     proofs/release.md#quantile-intervals
template <class Metric>
auto make_range_counts(const Aggregation& aggregation, std::size_t measure,
                       const std::vector<std::vector<std::size_t>>& edges) {
  const std::size_t cells = entry_count(aggregation.measures[measure]);
  return release_internal::table_transformation(
      "rows in ranges of cells", VectorDomain(AllDomain<std::int64_t>()), Metric{},
      unit_reach(aggregation, {measure, cells - 1, 1}),
      [measure, edges](const TableDomain::Carrier& table) {
        return release_internal::rows_in_ranges(table, measure, edges);
      });
}

// make_ladder_cells: the rows in each cell of a ladder, of all groups together.
// Requires  caller: the measure is LadderSum; Metric is L1Distance or L2Distance.
// Ensures   map(d) = d·g·r.
// Proof     proofs/release.md#found-bounds
template <class Metric>
auto make_ladder_cells(const Aggregation& aggregation, std::size_t measure) {
  const std::size_t cells = std::get<LadderSum>(aggregation.measures[measure]).cells();
  // All rows of a unit can be in one cell, whatever their groups are.
  UnitReach reach = unit_reach(aggregation, {measure, 0, 1});
  reach.each *= Rational(reach.groups);
  reach.groups = 1;
  return release_internal::table_transformation(
      "rows in the cells of a ladder", VectorDomain(AllDomain<std::int64_t>()), Metric{}, reach,
      [measure, cells](const TableDomain::Carrier& table) {
        return release_internal::ladder_rows(table, measure, cells);
      });
}

// LadderBounds: two edges of a ladder, by their numbers, and what steps are counted from.
struct LadderBounds {
  std::size_t lower;  // < upper
  std::size_t upper;
  std::int64_t offset = 0;
};

namespace release_internal {
std::vector<Rational> clamped_sums(const TableDomain::Carrier& table, std::size_t measure,
                                   const LadderSum& ladder, const LadderBounds& bounds);
std::vector<Rational> clamped_corners(const TableDomain::Carrier& table, std::size_t measure,
                                      const LadderSum& ladder, const LadderBounds& bounds);
UnitReach corner_reach(const Aggregation& aggregation, std::size_t measure,
                       const LadderBounds& bounds);
UnitReach clamped_reach(const Aggregation& aggregation, std::size_t measure,
                        const LadderBounds& bounds);
}  // namespace release_internal

// make_clamped_sums: for each group, the sum of the steps that clamping to the two edges leaves,
// counted from the offset.
// Requires  caller: the measure is LadderSum; Metric is L1Distance or L2Distance.
// Ensures   map(d) = d·g·b (L1) or d·b·√g (L2), b = r·max(|lower − offset|, |upper − offset|).
// Proof     proofs/release.md#found-bounds
template <class Metric>
auto make_clamped_sums(const Aggregation& aggregation, std::size_t measure,
                       const LadderBounds& bounds) {
  return release_internal::table_transformation(
      "clamped sums", VectorDomain(GridDomain(Grid(0))), Metric{},
      release_internal::clamped_reach(aggregation, measure, bounds),
      [measure, bounds, ladder = std::get<LadderSum>(aggregation.measures[measure])](
          const TableDomain::Carrier& table) {
        return release_internal::clamped_sums(table, measure, ladder, bounds);
      });
}

// make_clamped_corners: for each group, the sum of the distances in steps of the clamped values
// from the lower edge, and that from the upper edge.
// Requires  as make_clamped_sums.
// Ensures   map(d) = d·g·b (L1) or d·b·√g (L2), b = r·(upper − lower).
// Proof     proofs/release.md#found-bounds
template <class Metric>
auto make_clamped_corners(const Aggregation& aggregation, std::size_t measure,
                          const LadderBounds& bounds) {
  return release_internal::table_transformation(
      "distances of clamped values from both bounds", VectorDomain(GridDomain(Grid(0))), Metric{},
      release_internal::corner_reach(aggregation, measure, bounds),
      [measure, bounds, ladder = std::get<LadderSum>(aggregation.measures[measure])](
          const TableDomain::Carrier& table) {
        return release_internal::clamped_corners(table, measure, ladder, bounds);
      });
}

}  // namespace lastbit
