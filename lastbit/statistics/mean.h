// A private mean, in one call.
#pragma once

#include "lastbit/statistics/centred.h"
#include "lastbit/statistics/plans.h"
#include "lastbit/transformations/aggregates/count.h"
#include "lastbit/transformations/aggregates/mean.h"

namespace lastbit {

namespace statistics_internal {

template <class Row>
Plan<Row, Released> plan_mean_of_unknown_size(const MeanRequest& request) {
  using T = PresentType<Row>;
  const auto bounded = bounded_rows<Row>("plan_mean", request);
  const Centring<T> centring("plan_mean", bounded.output_domain().element());
  const CentredColumn column = centring.column();
  const auto [epsilon, alpha] = share(request.epsilon, request.confidence, 2);
  const std::vector<NoisyPart<Row>> parts = {
      noisy_part<Row>("number of rows", bounded >> make_count(), epsilon, alpha),
      noisy_part<Row>("sum of " + centring.in_words(),
                      bounded >> make_offsets(centring) >> make_sum(), epsilon, alpha)};
  ExpectedError expected;
  expected.by_rows = [column, count = parts[0].part.accuracy, sum = parts[1].part.accuracy](
                         const Integer& rows) { return mean_error(column, rows, count, sum); };
  return quotient_plan(parts, bounded_in_words(request, {}), expected,
                       [column](const std::vector<Measured>& measured) {
                         return estimate_mean(column, measured[0], measured[1]);
                       });
}

}  // namespace statistics_internal

// plan_mean
// The mean of a bounded column. With a public size, the exact mean plus noise, cut to the bounds.
// With a private size, a noisy sum over a noisy count, half of epsilon each: this makes the worst
// error smallest, since a row moves both by the same amount.
// Requires  as plan_sum.
// Ensures   the interval holds the mean of the rows as the chain sees them (imputed, clamped,
//           resized, on the grid) with the confidence; with a private size, if there is such a row.
//           accuracy() is known beforehand for a public size, accuracy_for(n) for a private one.
// Limits    the answer is biased toward the middle of the bounds, by cutting and, with a private
//           size, by dividing.
// Fails     release: with the Errors of the source, whatever the column is.
// Proof     proofs/statistics.md#mean
template <NumberRow Row = double>
Plan<Row, Released> plan_mean(const MeanRequest& request) {
  statistics_internal::require_loss("plan_mean", request.epsilon, request.confidence);
  const auto rows = statistics_internal::public_rows("plan_mean", request.rows, 1);
  if (!rows) return statistics_internal::plan_mean_of_unknown_size<Row>(request);
  return statistics_internal::plan_of_public_size<Row>("plan_mean", "mean", request, *rows,
                                                       make_mean());
}

}  // namespace lastbit
