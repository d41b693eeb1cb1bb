// Moments: variances, covariances and correlations from noisy sums, with regions that hold the
// statistic. Columns are u and v with values in [0, 1]; callers scale the results.
//
// All numbers of one statistic carry independent noise of one law. The numbers are such that what
// one row adds to all of them together is at most 1, or little more, in L1 (Laplace noise) or L2
// (Gaussian noise), so each of them has the noise of a single count, whatever their number.
#pragma once

#include <cstdint>
#include <span>

#include "lastbit/numerics/rational.h"
#include "lastbit/statistics/estimate.h"
#include "lastbit/statistics/noise_quantiles.h"

namespace lastbit {

// SquareBasis: the three sums of a quadratic polynomial of u that a variance is made of.
//   kBernstein  Σ(1−u)², Σ2u(1−u), Σu²: their L1 norm is 1 for every row.
//   kNodes      Σ(1−u)(1−2u), Σ4u(1−u), Σu(2u−1): each is 1 at 0, ½ or 1 and 0 at the others; their
//               L2 norm is at most 1 for every row.
// Proof     proofs/statistics.md#bases
enum class SquareBasis : std::uint8_t { kBernstein, kNodes };

// Numbers of a covariance: Σ(1−u)(1−v), Σ(1−u)v, Σu(1−v), Σuv, the corners of the square; their L1
// norm is 1 for every row.
// Numbers of a correlation: the corners, Στu(1−u), Στv(1−v). Their L1 norm is at most 1 + τ/2 for
// every row, and their L2 norm at most 1 for τ = 2.
// Proof     proofs/statistics.md#bases

// The estimators. Their numbers are divided by `unit`, at which a row's contributions have the
// norms above; each has the noise of `terms` numbers of the law. Statistics have the denominator n
// − 1: the variance, in [0, ½], comes from three numbers, the covariance, in [−½, ½], from four,
// and the correlation, in [−1, 1], from six.
// Requires  checked: as weighted_noise_accuracy.  caller: unit > 0, tau > 0; as many numbers.
// Ensures   with probability at least 1 − α the interval holds the statistic, if there are at
//           least two rows (and, for a correlation, neither column is constant). The answer lies in
//           the interval. If little is known, the interval is everything that is possible.
// Limits    the answer is biased: it is a quotient of noisy numbers, cut.
// Fails     never.
// Proof     proofs/statistics.md#regions
class VarianceEstimator {
 public:
  VarianceEstimator(const NoiseLaw& law, std::int64_t terms, const Rational& unit,
                    SquareBasis basis, const Rational& alpha);
  Estimate estimate(std::span<const Rational> numbers) const;

 private:
  Rational unit_;
  SquareBasis basis_;
  NoiseQuantiles for_mean_;
  NoiseQuantiles for_variance_;
};

class CovarianceEstimator {
 public:
  CovarianceEstimator(const NoiseLaw& law, std::int64_t terms, const Rational& unit,
                      const Rational& alpha);
  Estimate estimate(std::span<const Rational> numbers) const;

 private:
  Rational unit_;
  NoiseQuantiles for_means_;
  NoiseQuantiles for_covariance_;
};

class CorrelationEstimator {
 public:
  CorrelationEstimator(const NoiseLaw& law, std::int64_t terms, const Rational& unit,
                       const Rational& tau, const Rational& alpha);
  Estimate estimate(std::span<const Rational> numbers) const;

 private:
  Rational unit_;
  Rational tau_;
  NoiseQuantiles for_columns_;
  NoiseQuantiles for_correlation_;
};

}  // namespace lastbit
