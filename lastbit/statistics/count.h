// A private count, in one call.
#pragma once

#include "lastbit/statistics/plans.h"
#include "lastbit/transformations/aggregates/count.h"

namespace lastbit {

// plan_count
// The number of rows that have a value, or of all rows if nulls are imputed, with integer noise.
// Requires  typed: columns of numbers or categories, with or without nulls.  checked: epsilon > 0,
//           0 < confidence < 1, else kBadParameter.  caller: nothing.
// Ensures   the answer is a whole number, not cut at 0, so that answers can be added up without
//           bias; accuracy() is known beforehand.
// Fails     release: with the Errors of the source, whatever the column is.
// Proof     proofs/statistics.md#single
template <class Row = double>
  requires(NumberRow<Row> || CategoryRow<Row>)
Plan<Row, Released> plan_count(const CountRequest& request) {
  using statistics_internal::noisy_part;
  statistics_internal::require_loss("plan_count", request.epsilon, request.confidence);
  const Rational alpha = Rational(1) - request.confidence;
  if (request.nulls.value()) {
    const auto all = make_count(statistics_internal::column_domain<Row>(), SymmetricDistance{});
    return statistics_internal::single_plan(
        noisy_part<Row>("number of rows", all, request.epsilon, alpha), {});
  }
  const auto present = statistics_internal::present_rows<Row>() >> make_count();
  return statistics_internal::single_plan(
      noisy_part<Row>("number of rows", present, request.epsilon, alpha),
      {statistics_internal::nulls_in_words(request.nulls)});
}

}  // namespace lastbit
