// Choosing candidates by their scores: what these mechanisms share.
//
// The law of the choice does not change when all scores move by the same amount, so what matters is
// the range distance of the scores: proofs/mechanisms.md#selection.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <numeric>
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

// ConcentratedBlocks: the same with the root of the sum of squares over the blocks, for losses that
// grow with the square of a distance.
template <class M>
inline constexpr bool is_root_block_selection_metric = false;
template <SelectionMetric M>
inline constexpr bool is_root_block_selection_metric<BlockDistance<M, 2>> = true;
template <class D, class M>
concept ConcentratedBlocks = SizedDomain<D> && is_root_block_selection_metric<M> &&
                             MetricOn<M, D> && SelectionSpace<ElementOf<D>, typename M::Inner>;

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
// The largest root of the sum of their squares.
template <SelectionMetric M>
Radical<2> selection_range(const BlockDistance<M, 2>&, const Radical<2>& d_in) {
  return selection_range(M{}, 1) * d_in;
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

// InRounds: the indices that `rounds` rounds of `choose` give, each round among the scores that are
// left, the first choice first; fewer if there are fewer scores.
template <class Choose>
class InRounds {
 public:
  InRounds(Choose choose, std::size_t rounds) : choose_(std::move(choose)), rounds_(rounds) {}

  template <class T>
  std::vector<std::size_t> operator()(const std::vector<T>& scores, BitSource& bits) const {
    std::vector<T> left = scores;
    std::vector<std::size_t> indices(left.size());
    std::iota(indices.begin(), indices.end(), std::size_t{0});
    const std::size_t rounds = std::min(rounds_, left.size());
    std::vector<std::size_t> chosen;
    chosen.reserve(rounds);
    while (chosen.size() < rounds) {
      const auto best = static_cast<std::ptrdiff_t>(choose_(std::span<const T>(left), bits));
      chosen.push_back(*std::next(indices.begin(), best));
      indices.erase(std::next(indices.begin(), best));
      left.erase(std::next(left.begin(), best));
    }
    return chosen;
  }

 private:
  Choose choose_;
  std::size_t rounds_;
};

// require_rounds: a kBadParameter Error unless 1 ≤ k ≤ candidates; at least one is needed.
void require_rounds(std::string_view place, std::size_t k, std::size_t candidates);

// selection_scale_for: the scale of one round with map(sensitivity) = epsilon.
template <class M>
Rational selection_scale_for(std::string_view place, const M& metric, const Rational& epsilon,
                             const Rational& sensitivity) {
  return scale_for(place, epsilon, sensitivity) * selection_range(metric, Distance(1)).value();
}

}  // namespace mechanism_internal
}  // namespace lastbit
