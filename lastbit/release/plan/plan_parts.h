// Parts of a planned statistic: chains from a table to noisy numbers, keys or choices, with what is
// known about them in advance. For this module only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lastbit/accuracy/weighted_noise.h"
#include "lastbit/release/plan/plan.h"
#include "lastbit/release/plan/table.h"

namespace lastbit::release_internal {

// LossShare: what a part may lose: an epsilon, or a rho where the accounting is concentrated.
struct LossShare {
  bool concentrated = false;
  Rational loss;
  LossShare divided(std::size_t parts) const { return {concentrated, loss / Rational(parts)}; }
};

// about: a size of noise for people, rounded up.
std::string about(const Rational& value);

// NoisyNumbers: numbers with Laplace noise (for an epsilon) or Gaussian noise (for a rho).
struct NoisyNumbers {
  PlannedPart part;
  std::function<std::vector<Rational>(const TableDomain::Carrier&, BitSource&)> release;
  // law: of the noise of each number, in the unit of the released numbers.
  NoiseLaw law;
  // bias: at most how far the mean of a released number is from the exact one.
  Rational bias;

  // error: the error of the sum of so many of the numbers exceeds this with probability at most
  // alpha. Numbers on the grid of the noise differ by multiples of its spacing.
  Rational error(const Rational& alpha, std::int64_t terms = 1) const;
};
// noisy_counts, noisy_sums: of these entries. part.accuracy is error(alpha). Sums of grid steps are
// described and released as numbers: step_exponent says what a step (or its square) is, as a power
// of two.
NoisyNumbers noisy_counts(const std::string& name, const Aggregation& aggregation,
                          const EntryRange& entries, const LossShare& share, const Rational& alpha);
NoisyNumbers noisy_sums(const std::string& name, const Aggregation& aggregation,
                        const EntryRange& entries, int step_exponent, const LossShare& share,
                        const Rational& alpha);

// noisy_combinations: of the entries of each group, jointly, with noise on a grid of at most 2^−10
// of its size, on which the numbers lie, so that its law is symmetric and almost that of real
// noise.
NoisyNumbers noisy_combinations(const std::string& name, const Aggregation& aggregation,
                                const Combinations& combinations, int step_exponent,
                                const LossShare& share, const Rational& alpha);

// noisy_ranges: the rows in ranges of the cells of a measure, for edges as make_range_counts takes
// them. Neither noise nor cost depends on the edges.
NoisyNumbers noisy_ranges(const std::string& name, const Aggregation& aggregation,
                          std::size_t measure, const std::vector<std::vector<std::size_t>>& edges,
                          const LossShare& share, const Rational& alpha);

// ladder_cells_of_all: the rows in each cell of a ladder, of all groups together; accuracy and
// alpha are those of one cell.
NoisyNumbers ladder_cells_of_all(const std::string& name, const Aggregation& aggregation,
                                 std::size_t measure, const LossShare& share,
                                 const Rational& alpha);
// ladder_sums, ladder_corners: of each group of a ladder: the sum of what the bounds leave, and the
// sums of its distances from the lower and from the upper bound, jointly as noisy_combinations. The
// cost does not depend on the bounds.
NoisyNumbers ladder_corners(const std::string& name, const Aggregation& aggregation,
                            std::size_t measure, const LadderBounds& bounds, const LossShare& share,
                            const Rational& alpha);
NoisyNumbers ladder_sums(const std::string& name, const Aggregation& aggregation,
                         std::size_t measure, const LadderBounds& bounds, const LossShare& share,
                         const Rational& alpha);

// FoundGroup: a group with many units, and their number with noise. GroupFinder: finds such groups.
struct FoundGroup {
  std::size_t group;  // of the table
  std::int64_t count;
};
struct GroupFinder {
  PlannedPart part;
  std::function<std::vector<FoundGroup>(const TableDomain::Carrier&, BitSource&)> release;
};
// group_finder: uses a count in which a unit moves a group by at most 1, with Laplace noise (for an
// epsilon) or Gaussian noise (for a rho). The threshold is the smallest that keeps delta, or the
// given one.
// Fails     kBadParameter if the given threshold does not keep delta.
GroupFinder group_finder(const Aggregation& aggregation, const EntryRange& count,
                         const LossShare& share, const Discovery& discovery, const Rational& alpha);

}  // namespace lastbit::release_internal
