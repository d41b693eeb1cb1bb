// Contour: the tail of a sum of independent symmetric noises, from its moment generating function on
// a line beside the imaginary axis. The line passes near the saddle point, so that far tails are as
// precise as near ones, and summing in place of integrating can only make the tail larger.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lastbit/accuracy/disc.h"
#include "lastbit/numerics/ball.h"
#include "lastbit/numerics/rational.h"

namespace lastbit::accuracy_internal {

// The precision of the balls near contours.
inline constexpr int kContourPrecision = 64;

// RealSum: Laplace variates of scales `width`, `count` of each, and a Gaussian of this variance.
// There is a Laplace variate; widths have at most 24 bits and are within 2^±300.
struct RealSum {
  struct Part {
    double width;
    std::int64_t count;
  };
  std::vector<Part> laplace;
  double variance = 0;
};
// LatticeSum: `count` Laplace variates of scale 1/step, each rounded to the nearest whole number.
struct LatticeSum {
  double step;  // within (0, 64]
  std::int64_t count;
};

// A sum of more variates than this is not computed, as errors grow with the number.
inline constexpr std::int64_t kMostVariates = std::int64_t{1} << 34;

// smallest_real_bound
// A q ≥ 0, close to the smallest, with factor·Pr[|S| > q] ≤ α; nothing if none was proved.
// Requires  caller: factor ≥ 1, 0 < alpha < 1, at most kMostVariates variates of each part.
// Limits    time: at most 2^13 terms for each part.
// Proof     proofs/accuracy.md#contour
std::optional<double> smallest_real_bound(const RealSum& sum, const Ball& factor,
                                          const Rational& alpha);

// smallest_lattice_bound
// A k ≥ 0, nearly always the smallest, with Pr[|S| > k] ≤ α; nothing if none was proved.
// Requires  caller: 0 < alpha < 1, at most kMostVariates variates.
// Proof     proofs/accuracy.md#contour
std::optional<std::int64_t> smallest_lattice_bound(const LatticeSum& sum, const Rational& alpha);

}  // namespace lastbit::accuracy_internal
