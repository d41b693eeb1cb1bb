// A private histogram, in one call.
#pragma once

#include "lastbit/statistics/plans.h"
#include "lastbit/transformations/aggregates/histogram.h"

namespace lastbit {

namespace statistics_internal {

template <class Row, class T>
Plan<Row, ReleasedHistogram> histogram_plan(const T& exact, const Rational& epsilon,
                                            const Rational& confidence) {
  const auto noisy = noisy_part<Row>("every cell", exact, epsilon, Rational(1) - confidence,
                                     exact.output_domain().size());
  return {noisy.chain,
          {noisy.part},
          in_words({nulls_in_words(Nulls::dropped()), noise_in_words({noisy.part})}),
          {noisy.part.accuracy, nullptr},
          [part = noisy.part](const std::vector<Rational>& values) {
            ReleasedHistogram result{{}, part.accuracy.up(), part.epsilon};
            for (const Rational& value : values) {
              result.cells.push_back(estimate_number({value, part.accuracy}));
            }
            return result;
          }};
}

}  // namespace statistics_internal

// plan_histogram
// How often each of the given categories occurs, in their order, each with its own integer noise. A
// row is in one cell, so all of them together cost what one count costs. A public size would not
// help: exchanging a row changes two cells.
// Requires  typed: columns of integers, booleans or strings, with or without nulls.  checked: at
//           least one category, no two the same; epsilon > 0; 0 < confidence < 1; else
//           kBadParameter.  caller: nothing.
// Ensures   with the given confidence, the intervals of all cells hold at once. Cells are whole
//           numbers and not cut at 0.
// Fails     release: with the Errors of the source, whatever the column is.
// Proof     proofs/statistics.md#histogram
template <CategoryRow Row = std::string>
Plan<Row, ReleasedHistogram> plan_histogram(const HistogramRequest<PresentType<Row>>& request) {
  statistics_internal::require_loss("plan_histogram", request.epsilon, request.confidence);
  return statistics_internal::histogram_plan<Row>(
      statistics_internal::present_rows<Row>() >>
          make_histogram<1>(request.categories, request.other),
      request.epsilon, request.confidence);
}

// plan_bins
// How many rows lie in each of the bins [e0, e1), [e1, e2), …, [e(m−1), em], likewise.
// Requires  typed: columns of numbers, with or without nulls.  checked: at least two edges,
//           strictly increasing; epsilon > 0; 0 < confidence < 1; else kBadParameter.
//           caller: nothing.
// Ensures   as plan_histogram; rows outside all bins are not counted.
// Fails     release: with the Errors of the source, whatever the column is.
// Proof     proofs/statistics.md#histogram
template <NumberRow Row = double>
Plan<Row, ReleasedHistogram> plan_bins(const BinsRequest& request) {
  statistics_internal::require_loss("plan_bins", request.epsilon, request.confidence);
  return statistics_internal::histogram_plan<Row>(
      statistics_internal::present_rows<Row>() >> make_bin_histogram<1>(request.edges),
      request.epsilon, request.confidence);
}

}  // namespace lastbit
