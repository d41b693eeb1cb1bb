// A private variance, in one call.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lastbit/statistics/centred.h"
#include "lastbit/statistics/mean.h"
#include "lastbit/statistics/moment_errors.h"
#include "lastbit/statistics/moment_sums.h"
#include "lastbit/statistics/moments.h"
#include "lastbit/statistics/plans.h"
#include "lastbit/transformations/aggregates/variance.h"

namespace lastbit {

namespace statistics_internal {

// joint_plan: the answer is `estimate` of numbers that one piece of noise serves, times `size`.
template <class Row, class F>
Plan<Row, Released> joint_plan(const NoisyPart<Row>& noisy, std::vector<std::string> links,
                               const Rational& size, ExpectedError expected, F estimate) {
  links.push_back(noise_in_words({noisy.part}));
  links.emplace_back("an estimate from these, cut to what is possible");
  return {noisy.chain,
          {noisy.part},
          in_words(links),
          std::move(expected),
          [size, estimate = std::move(estimate),
           epsilon = noisy.chain.map(1).value()](const std::vector<Rational>& numbers) {
            return released(scaled(estimate(numbers), size), epsilon);
          }};
}

template <class Row>
Plan<Row, Released> plan_variance_of_unknown_size(const VarianceRequest& request) {
  using T = PresentType<Row>;
  const auto bounded = bounded_rows<Row>("plan_variance", request);
  const Centring<T> centring("plan_variance", bounded.output_domain().element());
  const Rational alpha = Rational(1) - request.confidence;
  const auto exact = bounded >> make_offsets(centring) >> make_square_sums();
  const Rational unit = exact.map(1).value();
  const NoisyPart<Row> noisy =
      noisy_corners<Row>("sums of (1 - u)^2, 2u(1 - u) and u^2 in steps, u from 0 to 1", exact,
                         request.epsilon, alpha);
  const LaplaceNoise law{noisy.part.scale, noisy.part.grid, true};
  const Rational size = unit * pow(centring.column().unit, 2);
  ExpectedError expected;
  expected.by_rows = [law, unit, size, alpha](const Integer& rows) {
    return variance_error({law, unit, rows}, SquareBasis::kBernstein, alpha) * size;
  };
  return joint_plan(
      noisy, bounded_in_words(request, {}), size, std::move(expected),
      [estimator = VarianceEstimator(law, 1, unit, SquareBasis::kBernstein, alpha)](
          const std::vector<Rational>& numbers) { return estimator.estimate(numbers); });
}

}  // namespace statistics_internal

// plan_variance
// The variance Σ(x − mean)²/(n − 1) of a bounded column. With a public size, the exact variance
// plus noise, cut to the possible variances of n such rows. With a private size, an estimate from
// three noisy sums of quadratic terms, in one piece: a row moves all of them together by the square
// of the width of the bounds, so the whole epsilon serves each.
// Requires  as plan_sum, with at least 2 rows if the size is public.
// Ensures   as plan_mean, if there are at least two rows. accuracy_for(n) is that of the worst data
//           of n rows, with all values at a bound; others have less than half of it.
// Limits    the answer is biased, as a mean is.
// Fails     release: with the Errors of the source, whatever the column is.
// Proof     proofs/statistics.md#variance
template <NumberRow Row = double>
Plan<Row, Released> plan_variance(const VarianceRequest& request) {
  statistics_internal::require_loss("plan_variance", request.epsilon, request.confidence);
  const auto rows = statistics_internal::public_rows("plan_variance", request.rows, 2);
  if (!rows) return statistics_internal::plan_variance_of_unknown_size<Row>(request);
  return statistics_internal::plan_of_public_size<Row>("plan_variance", "variance", request, *rows,
                                                       make_variance());
}

}  // namespace lastbit
