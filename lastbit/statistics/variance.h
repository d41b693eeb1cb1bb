// A private variance, in one call.
#pragma once

#include "lastbit/statistics/centred.h"
#include "lastbit/statistics/plans.h"
#include "lastbit/statistics/product_sum.h"
#include "lastbit/transformations/aggregates/count.h"
#include "lastbit/transformations/aggregates/sum.h"
#include "lastbit/transformations/aggregates/variance.h"

namespace lastbit {

namespace statistics_internal {

template <class Row>
Plan<Row, Released> plan_variance_of_unknown_size(const VarianceRequest& request) {
  using T = PresentType<Row>;
  const auto bounded = bounded_rows<Row>("plan_variance", request);
  const Centring<T> centring("plan_variance", bounded.output_domain().element());
  const auto [epsilon, alpha] = share(request.epsilon, request.confidence, 3);
  const std::vector<NoisyPart<Row>> parts = {
      noisy_part<Row>("number of rows", bounded >> make_count(), epsilon, alpha),
      noisy_part<Row>("sum of " + centring.in_words(),
                      bounded >> make_offsets(centring) >> make_sum(), epsilon, alpha),
      noisy_part<Row>("sum of the squares of these steps",
                      bounded >> make_offset_pairs(centring) >> make_product_sum(), epsilon,
                      alpha)};
  return quotient_plan(parts, bounded_in_words(request, {}), {},
                       [column = centring.column()](const std::vector<Measured>& measured) {
                         return estimate_variance(column, measured[0], measured[1], measured[2]);
                       });
}

}  // namespace statistics_internal

// plan_variance
// The variance Σ(x − mean)²/(n − 1) of a bounded column. With a public size, the exact variance
// plus noise, cut to the possible variances of n such rows. With a private size, an estimate from a
// noisy count, sum and sum of squares, measured from the middle of the bounds, with a third of
// epsilon each.
// Requires  as plan_sum, with at least 2 rows if the size is public.
// Ensures   as plan_mean, if there are at least two rows; with a private size no accuracy is known
//           beforehand.
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
