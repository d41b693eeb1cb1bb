// QuantileRanges: intervals of quantiles that were chosen, from noisy numbers of rows in ranges of
// cells around them. For this module only.
//
// How dense rows are around a chosen cell is private. So the ranges grow with the distance from it,
// and there are few of them, whatever the number of cells: each adds noise to all ranks.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "lastbit/numerics/rational.h"
#include "lastbit/release/plan/plan_parts.h"
#include "lastbit/release/plan/quantiles/quantile_tree.h"

namespace lastbit::release_internal {

// edges_around: where the ranges around the chosen cells of a group meet: both ends of each chosen
// cell, and edges that are 1, 3, 9, … cells away from them, up to half of the way to the next
// chosen cell.
// Requires  caller: chosen cells in order, below `cells`, which is at least 2.
// Ensures   increasing edges above 0 and below `cells`, at least one.
std::vector<std::size_t> edges_around(std::span<const std::size_t> chosen, std::size_t cells);

// CellRange: the first and the last cell that a quantile may be in.
struct CellRange {
  std::size_t lowest;
  std::size_t highest;
};
using ChosenCells = std::vector<std::vector<std::size_t>>;  // of each group, in order
using CellRanges = std::vector<std::vector<CellRange>>;     // likewise, one for each level

struct QuantileRanges {
  PlannedPart part;
  // rows: cells whose rank is off by more than this, as measured, are left out, if chosen cells lie
  // as they do for rows that are spread evenly.
  Rational rows;
  // release: a cell that holds the quantile of a level lies in its range with probability 1 − alpha
  // at least, whatever cells were chosen.
  std::function<CellRanges(const TableDomain::Carrier&, const ChosenCells&, BitSource&)> release;
};
// quantile_ranges
// Requires  caller: the measure is BelowCounts; increasing levels in [0, 1].
// Proof     proofs/release.md#quantile-intervals
QuantileRanges quantile_ranges(const Aggregation& aggregation, std::size_t measure,
                               const std::vector<Rational>& levels, const LossShare& share,
                               const Rational& alpha);

}  // namespace lastbit::release_internal
