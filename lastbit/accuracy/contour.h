// Inside accuracy only: quantiles of sums of independent symmetric variates, from moment generating
// functions. proofs/accuracy.md#contour
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lastbit/numerics/ball.h"
#include "lastbit/numerics/rational.h"

namespace lastbit::accuracy_internal {

// The precision of the balls near contours.
inline constexpr int kContourPrecision = 64;
// A sum of more variates of one kind than this is not computed, as errors grow with their number.
inline constexpr std::int64_t kMostVariates = std::int64_t{1} << 34;

inline constexpr std::size_t kMostParts = 1024;

// RealSum: Laplace variates of scales `width`, `count` of each, and a Gaussian of this variance.
// There are 1 to kMostParts parts; widths have at most 24 bits and are within [2^−300, 1].
struct RealSum {
  struct Part {
    double width;
    std::int64_t count;
  };
  std::vector<Part> laplace;
  double variance = 0;
};
// LaplaceSteps: Laplace variates of scale 1/step, each rounded to the nearest whole number.
struct LaplaceSteps {
  double step;  // within (0, 64]
  std::int64_t count;
};
// GaussianSteps: discrete Gaussians of this variance on the whole numbers.
struct GaussianSteps {
  double variance;  // within [2^−6, 4]
  std::int64_t count;
};

// smallest_real_bound
// A q ≥ 0, close to the smallest, with factor·Pr[|S| > q] ≤ α; nothing if none was proved.
// Requires  caller: factor ≥ 1, 0 < alpha < 1, at most kMostVariates variates of each part.
// Limits    time: at most 2^13 terms for each part.
// Proof     proofs/accuracy.md#contour
std::optional<double> smallest_real_bound(const RealSum& sum, const Ball& factor,
                                          const Rational& alpha);

// smallest_steps_bound
// A k ≥ 0, nearly always the smallest, with Pr[|S| > k] ≤ α; nothing if none was proved.
// Requires  caller: 0 < alpha < 1, at most kMostVariates variates.
// Proof     proofs/accuracy.md#contour
std::optional<std::int64_t> smallest_steps_bound(const LaplaceSteps& sum, const Rational& alpha);
std::optional<std::int64_t> smallest_steps_bound(const GaussianSteps& sum, const Rational& alpha);

// smallest_separated_bound: smallest_real_bound of Laplace variates alone, one of each scale, in
// closed form; nothing if there are others, or two scales are within a tenth of each other.
// Proof     proofs/accuracy.md#separated
std::optional<double> smallest_separated_bound(const RealSum& sum, const Rational& alpha);

}  // namespace lastbit::accuracy_internal
