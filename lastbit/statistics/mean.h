// A private mean, in one call.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "lastbit/statistics/centred.h"
#include "lastbit/statistics/corner_sums.h"
#include "lastbit/statistics/plans.h"
#include "lastbit/statistics/quotients.h"
#include "lastbit/transformations/aggregates/mean.h"

namespace lastbit {

namespace statistics_internal {

// noisy_corners: whole numbers plus snapped Laplace noise on a fine grid, for this epsilon.
template <class Row, class T>
NoisyPart<Row> noisy_corners(std::string name, const T& exact, const Rational& epsilon,
                             const Rational& alpha) {
  const Rational sensitivity = exact.map(1).value();
  const Rational scale = sensitivity / epsilon;
  const Grid grid = fine_noise_grid(scale);
  const auto chain = exact >>
                     make_snapped_laplace(scale, {.grid = grid, .lower = {}, .upper = {}}) >>
                     postprocess([](const std::vector<Rational>& numbers) { return numbers; });
  return {chain,
          {std::move(name), sensitivity, chain.map(1).value(), scale, grid, alpha,
           error_bound(scale, grid, alpha, 1, false)}};
}

// SharedCornerMean: one estimator for all releases of a plan, from any thread.
class SharedCornerMean {
 public:
  SharedCornerMean(const NoiseLaw& law, std::int64_t terms, const Range& bounds,
                   const Rational& alpha)
      : mean_({law, terms}, bounds, alpha) {}
  Estimate estimate(const Rational& from_lower, const Rational& from_upper) {
    const std::lock_guard guard(mutex_);
    return mean_.estimate(from_lower, from_upper);
  }

 private:
  std::mutex mutex_;
  CornerMean mean_;
};

template <class Row>
Plan<Row, Released> plan_mean_of_unknown_size(const MeanRequest& request) {
  using T = PresentType<Row>;
  const auto bounded = bounded_rows<Row>("plan_mean", request);
  const Centring<T> centring("plan_mean", bounded.output_domain().element());
  const CentredColumn column = centring.column();
  // In steps of the grid, as the chain counts.
  const Range steps{0, column.offsets.upper - column.offsets.lower};
  const Rational lower = column.middle + column.offsets.lower * column.unit;
  const Rational alpha = Rational(1) - request.confidence;
  const auto exact = bounded >> make_offsets(centring) >> make_corner_sums();
  const auto [chain, part] =
      noisy_corners<Row>("sums of distances from both bounds", exact, request.epsilon, alpha);
  const LaplaceNoise law{part.scale, part.grid, true};
  ExpectedError expected;
  expected.by_rows = [law, steps, alpha, unit = column.unit](const Integer& rows) {
    return corner_mean_error({law}, steps, rows, alpha) * unit;
  };
  std::vector<std::string> links = bounded_in_words(request, {});
  links.push_back(noise_in_words({part}));
  links.emplace_back("their quotient, cut to what is possible");
  return {
      chain,
      {part},
      in_words(links),
      std::move(expected),
      [estimator = std::make_shared<SharedCornerMean>(law, 1, steps, alpha), lower,
       unit = column.unit, epsilon = chain.map(1).value()](const std::vector<Rational>& corners) {
        const Estimate mean = estimator->estimate(corners[0], corners[1]);
        return released(
            {lower + mean.answer * unit, lower + mean.lower * unit, lower + mean.upper * unit},
            epsilon);
      }};
}

}  // namespace statistics_internal

// plan_mean
// The mean of a bounded column. With a public size, the exact mean plus noise, cut to the bounds.
// With a private size, the noisy sums of the distances from the lower and from the upper bound, in
// one piece: a row moves both together by the width of the bounds, so the whole epsilon serves
// both.
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
