// What one row can add to the entries of a measure, and combinations of these entries.
#pragma once

#include <cstddef>
#include <vector>

#include "lastbit/release/plan/aggregation.h"

namespace lastbit {

// row_hull
// Points whose convex hull holds what any row that counts adds to the entries of the measure.
// Requires  checked: a StepSum, SquareSum, PairSum or ProductSum, else kNotSupported.
// Ensures   the points are: for a number, its smallest and its largest; for a number and its
//           square, the control points of the eight equal pieces of the parabola between these; for
//           pairs, all combinations.
// Proof     proofs/release.md#combinations
std::vector<std::vector<Rational>> row_hull(const Tally& measure);

// Combinations: whole linear combinations of the entries of one measure.
struct Combinations {
  std::size_t measure = 0;
  std::vector<std::vector<Integer>> weights;  // of each combination, one weight for each entry
};

// RowReach: how far one row moves all combinations together: the largest L1 distance, and the
// square of the largest L2 distance.
struct RowReach {
  Rational l1;
  Rational l2_squared;
};
RowReach row_reach(const Tally& measure, const Combinations& combinations);

}  // namespace lastbit
