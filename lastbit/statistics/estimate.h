// Estimates from noisy numbers: a number with known error, and the quotients that estimate a mean,
// variance or covariance of unknown size. Functions of released numbers cost nothing.
#pragma once

#include "lastbit/accuracy/ranges.h"
#include "lastbit/statistics/plan.h"

namespace lastbit {

// Measured: a noisy number; its error is at most `error`, except with the planned probability.
struct Measured {
  Rational value;
  Rational error;
  Rational lower() const { return value - error; }
  Rational upper() const { return value + error; }
};

// estimate_number: the number, cut to `range` if one is given.
// Ensures   if the true number lies in the range and the error is as stated, the interval holds it.
// Proof     proofs/statistics.md#cut
Estimate estimate_number(const Measured& number, const std::optional<Range>& range = {});

// CentredColumn: rows as offsets from `middle` in steps of `unit`, between −below and above.
struct CentredColumn {
  Rational middle;
  Rational unit;
  Range offsets;
};

// estimate_variance: (squares − sum²/count)/(count − 1) in units², cut to what is possible.
// Ensures   if all errors are as stated and there are at least two rows, the interval holds the
//           variance with the denominator n − 1.
// Proof     proofs/statistics.md#quotients
Estimate estimate_variance(const CentredColumn& column, const Measured& count, const Measured& sum,
                           const Measured& squares);

// estimate_covariance: (products − sum_x·sum_y/count)/(count − 1), likewise.
// Proof     proofs/statistics.md#quotients
Estimate estimate_covariance(const CentredColumn& first, const CentredColumn& second,
                             const Measured& count, const Measured& first_sum,
                             const Measured& second_sum, const Measured& products);

// PairMoments: of the rows that have both values: how many, the sums of their offsets, products and
// squares.
struct PairMoments {
  Measured count;
  Measured first_sum;
  Measured second_sum;
  Measured products;
  Measured first_squares;
  Measured second_squares;
};
// estimate_correlation: the covariance divided by the roots of the variances, in [−1, 1]. If a
// noisy variance is not positive, the number in the interval that is nearest to 0.
// Ensures   if all errors are as stated, there are at least two rows and neither column is
//           constant, the interval holds the correlation.
// Proof     proofs/statistics.md#correlation
Estimate estimate_correlation(const PairMoments& moments);

// root_down, root_up: the root of a number that is not negative, rounded to 64 bits.
Rational root_down(const Rational& square);
Rational root_up(const Rational& square);

// CovarianceErrors: of the four numbers that a covariance is estimated from, in offsets.
struct CovarianceErrors {
  Rational count;
  Rational first_sum;
  Rational second_sum;
  Rational products;
};
// covariance_error: an upper bound on |answer − covariance| for `rows` rows when the errors are as
// stated, at most the width of the possible range. With one column twice, the error of a variance.
// Proof     proofs/statistics.md#covariance-error
Rational covariance_error(const CentredColumn& first, const CentredColumn& second,
                          const Integer& rows, const CovarianceErrors& errors);

// largest_covariance: the largest covariance of two columns, and variance of one, for any number of
// rows.
Rational largest_covariance(const CentredColumn& first, const CentredColumn& second);

}  // namespace lastbit
