// Choosing one of several candidates by their scores: what the two mechanisms that do so share.
//
// The law of the choice does not change when all scores move by one amount, so what counts is the
// range distance of the scores: proofs/mechanisms.md#selection.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/core/measurement.h"
#include "lastbit/core/metric.h"
#include "lastbit/mechanisms/noise_space.h"

namespace lastbit {

// SelectionSpace: scores of a public number of candidates, with a metric that bounds their range.
template <class M>
concept SelectionMetric = std::same_as<M, RangeDistance> || std::same_as<M, LInfinityDistance> ||
                          std::same_as<M, L1Distance>;
template <class D, class M>
concept SelectionSpace =
    SizedDomain<D> && NoiseDomain<NoiseElementOf<D>> && SelectionMetric<M> && MetricOn<M, D>;

// selection_range: the largest range distance of scores that are d_in apart: d_in itself for the
// range distance and for L1, twice that for L-infinity, where one score may rise and another fall.
template <SelectionMetric M>
Distance selection_range(const M&, const Distance& d_in) {
  return std::same_as<M, LInfinityDistance> ? Distance(2) * d_in : d_in;
}

namespace mechanism_internal {

// selection_measurement: the measurement that releases the index `choose(scores, bits)`.
template <class D, class M, class Choose>
auto selection_measurement(std::string_view place, std::string name, const D& domain,
                           const M& metric, const Rational& scale, Choose choose) {
  require_scale(place, scale);
  require_no_nan(place, domain);
  if (domain.size() == 0) {
    throw Error::bad_parameter(place, "candidates", "are none, so there is nothing to choose",
                               "give scores of one candidate or more");
  }
  using Result = Measurement<D, M, std::size_t, MaxDivergence>;
  return Result(
      std::move(name), domain, metric, {},
      [choose = std::move(choose)](const CarrierOf<D>& scores, BitSource& bits) {
        // No member of the domain is empty; there must be an answer all the same.
        return scores.empty() ? std::size_t{0} : choose(scores, bits);
      },
      Result::PrivacyRelation::from_map(
          [metric, scale](const Distance& d_in) { return selection_range(metric, d_in) / scale; }));
}

// selection_scale_for: the scale with map(sensitivity) = epsilon.
template <SelectionMetric M>
Rational selection_scale_for(std::string_view place, const M& metric, const Rational& epsilon,
                             const Rational& sensitivity) {
  return scale_for(place, epsilon, sensitivity) * selection_range(metric, Distance(1)).value();
}

}  // namespace mechanism_internal
}  // namespace lastbit
