// A private covariance, in one call.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lastbit/statistics/centred.h"
#include "lastbit/statistics/moment_errors.h"
#include "lastbit/statistics/moment_sums.h"
#include "lastbit/statistics/moments.h"
#include "lastbit/statistics/plans.h"
#include "lastbit/statistics/variance.h"
#include "lastbit/transformations/aggregates/covariance.h"

namespace lastbit {

namespace statistics_internal {

template <class Row>
auto bounded_pairs(const CovarianceRequest& request) {
  using Pair = PresentType<Row>;
  const auto first = bounds_of<typename Pair::first_type>("plan_covariance", request.first.lower,
                                                          request.first.upper);
  const auto second = bounds_of<typename Pair::second_type>("plan_covariance", request.second.lower,
                                                            request.second.upper);
  return present_rows<Row>() >>
         make_row_transform(pair_of(first, second), [first, second](const Pair& row) {
           return Pair(rows_internal::clamped(row.first, first.lower(), first.upper()),
                       rows_internal::clamped(row.second, second.lower(), second.upper()));
         });
}

inline std::vector<std::string> pairs_in_words(const CovarianceRequest& request) {
  return {nulls_in_words(Nulls::dropped()),
          bounds_in_words(request.first.lower, request.first.upper) + " and " +
              bounds_in_words(request.second.lower, request.second.upper)};
}

template <class Row>
Plan<Row, Released> plan_covariance_of_unknown_size(const CovarianceRequest& request) {
  const auto bounded = bounded_pairs<Row>(request);
  const Centring first("plan_covariance", bounded.output_domain().element().first());
  const Centring second("plan_covariance", bounded.output_domain().element().second());
  const Rational alpha = Rational(1) - request.confidence;
  const auto exact = bounded >> make_offset_pairs(first, second) >> make_pair_corner_sums();
  const Rational unit = exact.map(1).value();
  const NoisyPart<Row> noisy = noisy_corners<Row>(
      "sums of (1 - u)(1 - v), (1 - u)v, u(1 - v) and uv in steps, u and v from 0 to 1", exact,
      request.epsilon, alpha);
  const LaplaceNoise law{noisy.part.scale, noisy.part.grid, true};
  const Rational size = unit * first.column().unit * second.column().unit;
  ExpectedError expected;
  expected.by_rows = [law, unit, size, alpha](const Integer& rows) {
    return covariance_error({law, unit, rows}, alpha) * size;
  };
  return joint_plan(
      noisy, pairs_in_words(request), size, std::move(expected),
      [estimator = CovarianceEstimator(law, 1, unit, alpha)](const std::vector<Rational>& numbers) {
        return estimator.estimate(numbers);
      });
}

}  // namespace statistics_internal

// plan_covariance
// The covariance Σ(x − mean x)(y − mean y)/(n − 1) of bounded pairs; see `paired`. With a public
// size, the exact covariance plus noise, cut to what a covariance of n such pairs can be. With a
// private size, an estimate from four noisy sums of products of distances from the bounds, in one
// piece: a row moves all of them together by the product of the widths.
// Requires  typed: columns of pairs of numbers, or of optional ones.  checked: as plan_variance,
//           for both columns.  caller: nothing.
// Ensures   as plan_variance.
// Limits    the answer is biased, as a mean is.
// Fails     release: with the Errors of the source, whatever the column is.
// Proof     proofs/statistics.md#variance
template <PairRow Row = std::optional<std::pair<double, double>>>
Plan<Row, Released> plan_covariance(const CovarianceRequest& request) {
  using statistics_internal::noisy_part;
  statistics_internal::require_loss("plan_covariance", request.epsilon, request.confidence);
  const auto rows = statistics_internal::public_rows("plan_covariance", request.rows, 2);
  if (!rows) return statistics_internal::plan_covariance_of_unknown_size<Row>(request);
  const auto bounded = statistics_internal::bounded_pairs<Row>(request);
  const auto& element = bounded.output_domain().element();
  const PresentType<Row> middle(statistics_internal::middle_of(element.first()),
                                statistics_internal::middle_of(element.second()));
  const auto exact = bounded >> make_resize(Integer(*rows), middle) >> make_covariance();
  auto links = statistics_internal::pairs_in_words(request);
  links.push_back(statistics_internal::resize_in_words(*rows));
  return statistics_internal::single_plan(
      noisy_part<Row>("covariance", exact, request.epsilon, Rational(1) - request.confidence),
      links, Range{exact.output_domain().lower(), exact.output_domain().upper()});
}

}  // namespace lastbit
