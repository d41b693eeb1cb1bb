#include "lastbit/release/plan/table.h"

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

std::vector<std::int64_t> ladder_rows(const TableDomain::Carrier& table, std::size_t measure,
                                      std::size_t cells) {
  std::vector<std::int64_t> rows(cells, 0);
  for (const GroupAnswer& group : table) {
    for (std::size_t i = 0; i < cells; ++i) rows[i] += group.entries[measure][i].to_int64();
  }
  return rows;
}

std::vector<std::int64_t> rows_of_groups(const TableDomain::Carrier& table, std::size_t measure,
                                         std::size_t cells) {
  std::vector<std::int64_t> rows;
  rows.reserve(table.size());
  for (const GroupAnswer& group : table) {
    std::int64_t total = 0;
    for (std::size_t i = 0; i < cells; ++i) total += group.entries[measure][i].to_int64();
    rows.push_back(total);
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
