// Means and ratios from pairs of jointly noisy numbers, with intervals by Fieller's pivot.
// Functions of released numbers cost nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lastbit/accuracy/ranges.h"
#include "lastbit/accuracy/weighted_noise.h"
#include "lastbit/statistics/pivot.h"
#include "lastbit/statistics/plan.h"

namespace lastbit {

// CornerMean: the mean of values within bounds, from the noisy sums of their distances from the
// lower and from the upper bound.
// Requires  checked: as weighted_noise_accuracy.  caller: the bounds differ.
// Ensures   if there is a row, the interval holds the mean with probability at least 1 − alpha, for
//           all data. The answer lies in the interval, and the interval within the bounds. If the
//           noisy number of rows is not positive, it is everything, and the answer the middle.
// Limits    the answer is biased: it is a quotient of noisy numbers, cut.
// Proof     proofs/statistics.md#corners
class CornerMean {
 public:
  CornerMean(const NumberNoise& noise, const Range& bounds, const Rational& alpha);

  Estimate estimate(const Rational& from_lower, const Rational& from_upper);

 private:
  Range bounds_;
  Pivot pivot_;
};

// corner_mean_error: |answer − mean| exceeds this with probability at most alpha, for `rows` ≥ 1
// rows and all data; at most the width of the bounds.
// Requires  caller: all laws are symmetric: Gaussian noise, or Laplace noise on the grid.
// Proof     proofs/statistics.md#corner-error
Rational corner_mean_error(const NumberNoise& noise, const Range& bounds, const Integer& rows,
                           const Rational& alpha);

// RatioTerms: the ranges of the terms of two sums over the same rows, neither of which is {0}.
struct RatioTerms {
  Range first;
  Range second;
  // possible: the ratios of such sums; nothing if the second range holds 0, as then none is
  // impossible.
  std::optional<Range> possible() const;
};

// RatioEstimator: S/T for sums S and T, from noisy p = y·S + x·T and q = y·S − x·T for the largest
// magnitudes x and y of their terms, each with the noise of `terms` numbers of the law.
// Requires  checked: as weighted_noise_accuracy.
// Ensures   if T is not 0, the probability that there is an answer and its interval does not hold
//           S/T is at most alpha, for all data. The answer lies in the interval. If the range of
//           the second terms excludes 0, there always is an answer, and it is possible. Otherwise
//           there is none if no bounded interval is known, or if the noisy T has a sign that T
//           cannot have.
// Proof     proofs/statistics.md#ratio
class RatioEstimator {
 public:
  RatioEstimator(const NoiseLaw& law, std::int64_t terms, const RatioTerms& ranges,
                 const Rational& alpha);

  std::optional<Estimate> estimate(const Rational& p, const Rational& q);

 private:
  // Chart: ratios in a range, or ratios whose inverses are in a range.
  struct Chart {
    Range range;
    bool inverse;
    Pivot pivot;
  };
  void add_chart(const NoiseLaw& law, std::int64_t terms, const Range& range, bool inverse,
                 const Rational& alpha);
  std::optional<Range> accepted(const Rational& p, const Rational& q);

  RatioTerms ranges_;
  std::vector<Chart> charts_;
};

// ratio_error: |answer − S/T| exceeds this with probability at most alpha, for `rows` ≥ 1 rows and
// all data; nothing if the range of the second terms holds 0.
// Requires  as corner_mean_error.
// Proof     proofs/statistics.md#ratio
std::optional<Rational> ratio_error(const NoiseLaw& law, std::int64_t terms,
                                    const RatioTerms& ranges, const Integer& rows,
                                    const Rational& alpha);

}  // namespace lastbit
