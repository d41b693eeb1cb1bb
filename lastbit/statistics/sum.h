// A private sum, in one call.
#pragma once

#include "lastbit/statistics/plans.h"
#include "lastbit/transformations/aggregates/sum.h"

namespace lastbit {

// plan_sum
// The sum of a bounded column.
// Requires  typed: columns of numbers, with or without nulls.  checked: lower < upper with two
//           values of the column's type between them; 1 to 2^40 rows if the size is public;
//           epsilon > 0; 0 < confidence < 1; imputed nulls within the bounds; else kBadParameter.
//           caller: nothing.
// Ensures   the noise is as large as one row: max(|lower|, |upper|) if the size is private,
//           upper − lower if it is public. The answer is not cut.
// Fails     release: with the Errors of the source, whatever the column is.
// Proof     proofs/statistics.md#single
template <NumberRow Row = double>
Plan<Row, Released> plan_sum(const SumRequest& request) {
  using statistics_internal::noisy_part;
  statistics_internal::require_loss("plan_sum", request.epsilon, request.confidence);
  const auto rows = statistics_internal::public_rows("plan_sum", request.rows, 1);
  const auto bounded = statistics_internal::bounded_rows<Row>("plan_sum", request);
  const Rational alpha = Rational(1) - request.confidence;
  auto links = statistics_internal::bounded_in_words(request, rows);
  if (!rows) {
    return statistics_internal::single_plan(
        noisy_part<Row>("sum", bounded >> make_sum(), request.epsilon, alpha), links);
  }
  const auto exact = statistics_internal::resized(bounded, *rows) >> make_sum();
  return statistics_internal::single_plan(noisy_part<Row>("sum", exact, request.epsilon, alpha),
                                          links);
}

}  // namespace lastbit
