// Scores: transformations from tables to the blocks of numbers, one block per group, that choices
// are made from.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lastbit/release/plan/table.h"

namespace lastbit {

// Blocks: vectors of counts or scores, one vector per group.
using BlockDomain = SizedVectorDomain<SizedVectorDomain<AllDomain<std::int64_t>>>;

// make_group_blocks: the entries of every group as one block, for `groups` groups.
// Requires  caller: they are counts of cells; the table has this many groups.
// Ensures   map(d) = d·g·b in the sum of L1 distances, d·b·√g in the root of the sum of their
//           squares (P = 2).
// Proof     proofs/release.md#numbers
template <unsigned P = 1>
auto make_group_blocks(const Aggregation& aggregation, const EntryRange& entries,
                       std::size_t groups) {
  return release_internal::table_transformation(
      "cells", BlockDomain({AllDomain<std::int64_t>(), entries.count}, groups),
      BlockDistance<L1Distance, P>{}, unit_reach(aggregation, entries),
      [entries](const TableDomain::Carrier& table) {
        return release_internal::blocks_of_groups(table, entries);
      });
}

// QuantileLevel: numerator/denominator, in [0, 1].
struct QuantileLevel {
  // Scores are at most max_rows · denominator, which must fit in 64 bits.
  static constexpr std::int64_t kMaxDenominator = std::int64_t{1} << 20;
  std::int64_t numerator;
  std::int64_t denominator;
};

// score_range: by how much the changes of two scores of a group can differ if one row is added: for
// the level p/q 2·max(p, q − p), but q for the levels 0 and 1, where all scores move one way.
// Proof     proofs/release.md#quantiles
inline std::int64_t score_range(const QuantileLevel& level) {
  const std::int64_t above = level.denominator - level.numerator;
  if (level.numerator == 0 || above == 0) return level.denominator;
  return 2 * std::max(level.numerator, above);
}

// make_quantile_scores: how well each cell [c(i), c(i + 1)) holds the quantile: minus the
// denominator times the number of rows by which the level is missed; 0 for a cell that holds it.
// One block per group.
// Requires  caller: the measure is BelowCounts, max_rows ≤ 2^42; the table has `groups` groups.
// Ensures   map(d) = d·g·r·a in the sum of range distances, and d·r·a·√g in the root of the sum of
//           their squares (P = 2), with a = score_range(level). Both are attained.
// Proof     proofs/release.md#quantiles
template <unsigned P = 1>
auto make_quantile_scores(const Aggregation& aggregation, std::size_t measure,
                          const QuantileLevel& level, std::size_t groups) {
  const std::size_t cells = entry_count(aggregation.measures[measure]);
  UnitReach reach = unit_reach(aggregation, {measure, cells - 1, 1});
  reach.each *= Rational(score_range(level));
  return release_internal::table_transformation(
      "quantile scores", BlockDomain({AllDomain<std::int64_t>(), cells}, groups),
      BlockDistance<RangeDistance, P>{}, reach,
      [cells, measure, level](const TableDomain::Carrier& table) {
        auto blocks = release_internal::blocks_of_groups(table, {measure, 0, cells});
        for (std::vector<std::int64_t>& block : blocks) {
          const std::int64_t wanted = block.back() * level.numerator;
          std::int64_t below = 0;
          for (std::int64_t& entry : block) {
            const std::int64_t above = entry * level.denominator;
            entry = -std::max({std::int64_t{0}, below - wanted, wanted - above});
            below = above;
          }
        }
        return blocks;
      });
}

}  // namespace lastbit
