#include "lastbit/release/plan/table.h"

#include <algorithm>

#include "lastbit/base/error.h"

namespace lastbit {

Distance UnitDistance::distance(const TableDomain::Carrier& /*u*/,
                                const TableDomain::Carrier& /*v*/) const {
  throw Error(ErrorCode::kNotSupported, "number of units",
              "what an engine computed does not tell how many units two data sets differ by",
              "count the units where the rows are");
}

UnitReach unit_reach(const Aggregation& aggregation, const EntryRange& entries) {
  const Tally& measure = aggregation.measures[entries.measure];
  const Integer each = entries.count == 1 ? entry_bounds(aggregation, measure)[entries.first]
                                          : total_bound(aggregation, measure);
  return {groups_changed(aggregation), Rational(each)};
}

UnitReach unit_reach(const Aggregation& aggregation, const Combinations& combinations) {
  // Entry 0 of these measures is the number of rows, of which a unit has at most so many.
  UnitReach reach = unit_reach(aggregation, EntryRange{combinations.measure, 0, 1});
  const Rational rows = reach.each;
  const RowReach row = row_reach(aggregation.measures[combinations.measure], combinations);
  reach.each = rows * row.l1;
  reach.squared = pow(rows, 2) * row.l2_squared;
  return reach;
}

std::string key_text(const KeyTuple& key) {
  std::string text;
  for (const KeyValue& value : key) {
    const std::string part = text_of(value);
    text += std::to_string(value.index()) + ":" + std::to_string(part.size()) + ":" + part + ";";
  }
  return text;
}

namespace release_internal {
namespace {

// Calls `visit` with each of the entries, group by group.
template <class F>
void for_each_entry(const TableDomain::Carrier& table, const EntryRange& entries, F visit) {
  for (const GroupAnswer& group : table) {
    const std::vector<Integer>& all = group.entries[entries.measure];
    for (std::size_t i = 0; i < entries.count; ++i) visit(all[entries.first + i]);
  }
}

}  // namespace

std::vector<std::int64_t> counts_of_groups(const TableDomain::Carrier& table,
                                           const EntryRange& entries) {
  std::vector<std::int64_t> counts;
  counts.reserve(table.size() * entries.count);
  for_each_entry(table, entries, [&](const Integer& entry) { counts.push_back(entry.to_int64()); });
  return counts;
}

std::vector<Rational> sums_of_groups(const TableDomain::Carrier& table, const EntryRange& entries) {
  std::vector<Rational> sums;
  sums.reserve(table.size() * entries.count);
  for_each_entry(table, entries, [&](const Integer& entry) { sums.emplace_back(entry); });
  return sums;
}

std::vector<Rational> combined_groups(const TableDomain::Carrier& table,
                                      const Combinations& combinations) {
  std::vector<Rational> numbers;
  numbers.reserve(table.size() * combinations.weights.size());
  for (const GroupAnswer& group : table) {
    const std::vector<Integer>& entries = group.entries[combinations.measure];
    for (const std::vector<Integer>& weights : combinations.weights) {
      Integer number = 0;
      for (std::size_t i = 0; i < weights.size(); ++i) number += weights[i] * entries[i];
      numbers.emplace_back(number);
    }
  }
  return numbers;
}

std::map<std::string, std::int64_t, IdentityLess> counts_by_key(const TableDomain::Carrier& table,
                                                                const EntryRange& entries) {
  std::map<std::string, std::int64_t, IdentityLess> counts;
  for (const GroupAnswer& group : table) {
    counts.emplace(key_text(group.key), group.entries[entries.measure][entries.first].to_int64());
  }
  return counts;
}

std::vector<std::vector<std::int64_t>> blocks_of_groups(const TableDomain::Carrier& table,
                                                        const EntryRange& entries) {
  std::vector<std::vector<std::int64_t>> blocks;
  blocks.reserve(table.size());
  for (const GroupAnswer& group : table) {
    std::vector<std::int64_t>& block = blocks.emplace_back();
    const std::vector<Integer>& all = group.entries[entries.measure];
    for (std::size_t i = 0; i < entries.count; ++i) {
      block.push_back(all[entries.first + i].to_int64());
    }
  }
  return blocks;
}

std::vector<std::int64_t> rows_in_ranges(const TableDomain::Carrier& table, std::size_t measure,
                                         const std::vector<std::vector<std::size_t>>& edges) {
  std::vector<std::int64_t> rows;
  for (std::size_t group = 0; group < std::min(table.size(), edges.size()); ++group) {
    const std::vector<Integer>& below = table[group].entries[measure];
    std::int64_t before = 0;
    for (const std::size_t edge : edges[group]) {
      const std::int64_t until = below[edge - 1].to_int64();
      rows.push_back(until - before);
      before = until;
    }
    rows.push_back(below.back().to_int64() - before);
  }
  return rows;
}

std::vector<std::int64_t> ladder_rows(const TableDomain::Carrier& table, std::size_t measure,
                                      std::size_t cells) {
  std::vector<std::int64_t> rows(cells, 0);
  for (const GroupAnswer& group : table) {
    for (std::size_t i = 0; i < cells; ++i) rows[i] += group.entries[measure][i].to_int64();
  }
  return rows;
}

std::vector<Rational> clamped_sums(const TableDomain::Carrier& table, std::size_t measure,
                                   const LadderSum& ladder, const LadderBounds& bounds) {
  std::vector<Rational> sums;
  sums.reserve(table.size());
  for (const GroupAnswer& group : table) {
    const std::vector<Integer>& entries = group.entries[measure];
    Integer sum = 0;
    for (std::size_t i = 0; i < ladder.cells(); ++i) {
      const Integer& rows = entries[i];
      if (i < bounds.lower) {
        sum += rows * ladder.edges[bounds.lower];
      } else if (i >= bounds.upper) {
        sum += rows * ladder.edges[bounds.upper];
      } else {
        sum += entries[ladder.cells() + i];
      }
      sum -= rows * bounds.offset;
    }
    sums.emplace_back(sum);
  }
  return sums;
}

std::vector<Rational> clamped_corners(const TableDomain::Carrier& table, std::size_t measure,
                                      const LadderSum& ladder, const LadderBounds& bounds) {
  const std::int64_t lower = ladder.edges[bounds.lower];
  const Rational width(Integer(ladder.edges[bounds.upper]) - Integer(lower));
  const auto sums = clamped_sums(table, measure, ladder, {bounds.lower, bounds.upper, lower});
  std::vector<Rational> corners;
  corners.reserve(2 * sums.size());
  for (std::size_t group = 0; group < sums.size(); ++group) {
    Integer rows = 0;
    for (std::size_t i = 0; i < ladder.cells(); ++i) rows += table[group].entries[measure][i];
    corners.push_back(sums[group]);
    corners.push_back(width * Rational(rows) - sums[group]);
  }
  return corners;
}

UnitReach corner_reach(const Aggregation& aggregation, std::size_t measure,
                       const LadderBounds& bounds) {
  // A row adds s and width − s with 0 ≤ s ≤ width: neither distance exceeds the width.
  return clamped_reach(aggregation, measure,
                       {bounds.lower, bounds.upper,
                        std::get<LadderSum>(aggregation.measures[measure]).edges[bounds.lower]});
}

UnitReach clamped_reach(const Aggregation& aggregation, std::size_t measure,
                        const LadderBounds& bounds) {
  const auto& ladder = std::get<LadderSum>(aggregation.measures[measure]);
  const StepRange range{ladder.edges[bounds.lower] - bounds.offset,
                        ladder.edges[bounds.upper] - bounds.offset};
  UnitReach reach = unit_reach(aggregation, {measure, 0, 1});
  reach.each *= Rational(range.magnitude());
  return reach;
}

}  // namespace release_internal
}  // namespace lastbit
