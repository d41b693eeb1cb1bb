// Pivot: which values of a parameter agree with noisy numbers.
//
// The parameter m lies in [0, 1]. Numbers are exact ones plus noise (number_noise.h), and each
// has a weight that is affine in m. If the weighted sum of the exact numbers is 0 at the true m,
// that of the noisy ones is noise alone there, whatever the data is; so the true m is among those
// where the weighted sum is no larger than such noise. This is Fieller's way to intervals for
// quotients.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lastbit/accuracy/ranges.h"
#include "lastbit/accuracy/weighted_noise.h"
#include "lastbit/numerics/grid.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/statistics/number_noise.h"

namespace lastbit {

// fine_noise_grid: a grid that holds all whole numbers, and whose spacing is at most 2^−10 of the
// size of noise (its scale, or standard deviation). Noise on it is symmetric, and almost real
// noise.
// Requires  checked: size > 0, else kBadParameter.
Grid fine_noise_grid(const Rational& size);

// PivotWeight: of one noisy number, at m = 0 and at m = 1.
struct PivotWeight {
  Rational at_zero;
  Rational at_one;
};

// PivotNoise: what the pivot consists of at the true m: the noise of the numbers with these
// weights.
struct PivotNoise {
  NumberNoise numbers;
  std::vector<PivotWeight> weights;
};

// largest_pivot_noise: an a such that for each m in [0, 1] the pivot exceeds a in magnitude with
// probability at most alpha.
// Requires  checked: as weighted_noise_accuracy.
// Proof     proofs/statistics.md#pivot
Rational largest_pivot_noise(const PivotNoise& noise, const Rational& alpha);

// Pivot: remembers what it has computed, so that many groups take little longer than one. An object
// serves one thread.
// Requires  checked: as weighted_noise_accuracy.
// Limits    the interval is wider than the set by at most what 512 cells of m cost, below 1 %.
// Source    [Fieller1954]
// Proof     proofs/statistics.md#pivot
class Pivot {
 public:
  Pivot(PivotNoise noise, const Rational& alpha);

  // accepted: an interval that holds every m in [0, 1] that agrees: at which the pivot of these
  // numbers is at most an accuracy of its noise at alpha; nothing if there is no such m.
  // Ensures   it misses the true m with probability at most alpha.
  std::optional<Range> accepted(std::span<const Rational> numbers);

 private:
  // Line: the pivot as a function of m, exact and in doubles.
  struct Line {
    Rational at_zero;
    Rational at_one;
    double near_zero;
    double near_one;
    double slack;  // more than what doubles get wrong
  };
  // Cell: [index/2^level, (index + 1)/2^level].
  struct Cell {
    int level;
    std::size_t index;
    double lower() const;
    double upper() const;
  };
  enum class End { kLower, kUpper };

  double limit(const Cell& cell);
  bool excludes(const Cell& cell, const Line& line);
  std::optional<Rational> outermost(const Cell& cell, const Line& line, End end);
  std::optional<Rational> solved(const Cell& cell, const Line& line, End end);

  PivotNoise noise_;
  Rational alpha_;
  std::vector<double> limits_;  // of all cells, level by level; negative where not yet computed
};

}  // namespace lastbit
