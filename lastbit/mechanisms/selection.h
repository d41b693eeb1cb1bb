// Choosing candidates by their scores: what these mechanisms share.
//
// The law of the choice does not change when all scores move by the same amount, so what matters is
// the range distance of the scores: proofs/mechanisms.md#selection.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
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

// SelectionBlocks: such scores for a public number of blocks, one choice in each, with the sum of a
// metric of that kind over the blocks.
template <class M>
inline constexpr bool is_block_selection_metric = false;
template <SelectionMetric M>
inline constexpr bool is_block_selection_metric<BlockDistance<M>> = true;
template <class D, class M>
concept SelectionBlocks = SizedDomain<D> && is_block_selection_metric<M> && MetricOn<M, D> &&
                          SelectionSpace<ElementOf<D>, typename M::Inner>;

// selection_range: the largest range distance of scores that are d_in apart: d_in itself for the
// range distance and for L1, twice that for L-infinity, where one score may rise and another fall.
template <SelectionMetric M>
Distance selection_range(const M&, const Distance& d_in) {
  return std::same_as<M, LInfinityDistance> ? Distance(2) * d_in : d_in;
}
// The largest sum of the range distances of all blocks.
template <SelectionMetric M>
Distance selection_range(const BlockDistance<M>&, const Distance& d_in) {
  return selection_range(M{}, d_in);
}

namespace mechanism_internal {

// candidates_of: the domain of the scores for one choice.
template <class D>
const auto& candidates_of(const D& domain) {
  if constexpr (SizedDomain<ElementOf<D>>) {
    return domain.element();
  } else {
    return domain;
  }
}

// require_candidates: a kBadParameter Error unless there is at least one.
inline void require_candidates(std::string_view place, std::size_t candidates) {
  if (candidates > 0) return;
  throw Error::bad_parameter(place, "candidates", "are none, so there is nothing to choose",
                             "give scores of one candidate or more");
}

// selection_measurement: the measurement that releases `choose(scores, bits)`, whose loss is
// selection_range(d_in)/scale, `scale` being that of the noise over the number of rounds.
template <class D, class M, class Choose>
auto selection_measurement(std::string_view place, std::string name, const D& domain,
                           const M& metric, const Rational& scale, Choose choose) {
  require_scale(place, scale);
  require_no_nan(place, candidates_of(domain));
  require_candidates(place, candidates_of(domain).size());
  using Output = std::invoke_result_t<Choose, const CarrierOf<D>&, BitSource&>;
  using Result = Measurement<D, M, Output, MaxDivergence>;
  return Result(
      std::move(name), domain, metric, {},
      [choose = std::move(choose)](const CarrierOf<D>& scores, BitSource& bits) {
        // No member of the domain lacks candidates; but there must be an answer in any case.
        return scores.empty() ? Output{} : choose(scores, bits);
      },
      Result::PrivacyRelation::from_map(
          [metric, scale](const Distance& d_in) { return selection_range(metric, d_in) / scale; }));
}

// in_each_block: `choose` for one block after the other, each on fresh bits.
template <class Choose>
auto in_each_block(Choose choose) {
  return [choose = std::move(choose)]<class T>(const std::vector<std::vector<T>>& blocks,
                                               BitSource& bits) {
    using Output = std::invoke_result_t<Choose, const std::vector<T>&, BitSource&>;
    std::vector<Output> chosen;
    chosen.reserve(blocks.size());
    for (const std::vector<T>& block : blocks) {
      chosen.push_back(block.empty() ? Output{} : choose(block, bits));
    }
    return chosen;
  };
}

// selection_scale_for: the scale of one round with map(sensitivity) = epsilon.
template <class M>
Rational selection_scale_for(std::string_view place, const M& metric, const Rational& epsilon,
                             const Rational& sensitivity) {
  return scale_for(place, epsilon, sensitivity) * selection_range(metric, Distance(1)).value();
}

}  // namespace mechanism_internal
}  // namespace lastbit
