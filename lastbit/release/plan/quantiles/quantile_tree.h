// QuantileTree: many quantiles of each group from noisy numbers of rows in ranges of cells, for the
// price of one. For this module only.
//
// The cells are the leaves of a tree whose nodes have up to 16 children. Every node below the root
// gets a noisy number of rows, so that the rows below any value are the sum of few noisy numbers,
// and a quantile can be told from its neighbours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "lastbit/numerics/rational.h"
#include "lastbit/release/plan/plan_parts.h"

namespace lastbit::release_internal {

// TreeShape: the nodes above m cells, level by level, the coarsest first; `widths` says how many
// cells a node of a level covers. The last node of a level may cover fewer.
struct TreeShape {
  static constexpr std::size_t kChildren = 16;
  explicit TreeShape(std::size_t m);

  std::size_t nodes_of(std::size_t level) const;
  std::size_t nodes() const;  // of all levels

  std::size_t cells;
  std::vector<std::size_t> widths;
};

// EdgeSum: the rows below the first `edge` cells as a sum of nodes, each added or subtracted once:
// how many there are of the coarsest level, all of which are added, and of the other levels.
struct EdgeSum {
  std::int64_t coarse = 0;
  std::int64_t fine = 0;
  std::vector<std::size_t> added;       // numbers of nodes, all levels counted on
  std::vector<std::size_t> subtracted;  // likewise
};
// sum_of_edge
// Requires  caller: edge ≤ cells.
// Ensures   the last edge is the sum of all nodes of the coarsest level. The sum of the nodes' rows
//           is the number of rows in the cells before the edge, and `fine` is at most 8 for each
//           level but the first.
// Proof     proofs/release.md#quantile-tree
EdgeSum sum_of_edge(const TreeShape& shape, std::size_t edge);

// make_quantile_tree: the rows of all nodes of the tree above the cells of a measure, group by
// group.
// Requires  caller: the measure is BelowCounts; Metric is L1Distance or L2Distance.
// Ensures   map(d) = d·g·h·r (L1) or d·r·√(g·h) (L2) for h levels.
// Proof     proofs/release.md#quantile-tree
std::vector<std::int64_t> tree_counts(const TableDomain::Carrier& table, std::size_t measure,
                                      const TreeShape& shape);
template <class Metric>
auto make_quantile_tree(const Aggregation& aggregation, std::size_t measure) {
  const TreeShape shape(entry_count(aggregation.measures[measure]));
  // A row is in one node of each level, so a level is like a group.
  UnitReach reach = unit_reach(aggregation, {measure, shape.cells - 1, 1});
  reach.groups *= Integer(shape.widths.size());
  return table_transformation("rows of the nodes of a tree",
                              VectorDomain(AllDomain<std::int64_t>()), Metric{}, reach,
                              [measure, shape](const TableDomain::Carrier& table) {
                                return tree_counts(table, measure, shape);
                              });
}

// FoundQuantile: the cell of a quantile, and the first and the last cell that it may be in.
struct FoundQuantile {
  std::size_t cell;
  std::size_t lowest;
  std::size_t highest;
};
struct QuantileTree {
  PlannedPart part;
  // rows: with probability 1 − alpha, all quantiles of a group miss their levels by at most this.
  Rational rows;
  // release: for each group the quantiles in the order of the levels, which is the order of their
  // cells. Each one's true cell is within its ends with probability 1 − alpha.
  std::function<std::vector<std::vector<FoundQuantile>>(const TableDomain::Carrier&, BitSource&)>
      release;
};
// quantile_tree: `jointly` says for how many quantiles of a group the stated rows have to hold at
// once: those of the tree, and others that are put in order with them.
// Requires  caller: the measure is BelowCounts; increasing levels in [0, 1]; jointly is at least
//           their number.
// Proof     proofs/release.md#quantile-tree
QuantileTree quantile_tree(const Aggregation& aggregation, std::size_t measure,
                           const std::vector<Rational>& levels, const LossShare& share,
                           const Rational& alpha, std::size_t jointly);

}  // namespace lastbit::release_internal
