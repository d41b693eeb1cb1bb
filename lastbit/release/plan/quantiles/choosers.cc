#include "lastbit/release/plan/quantiles/choosers.h"

#include <fmt/core.h>

#include <string>
#include <utility>

#include "lastbit/accuracy/selection_accuracy.h"
#include "lastbit/base/error.h"
#include "lastbit/core/chain.h"
#include "lastbit/mechanisms/concentrated_top_k.h"
#include "lastbit/mechanisms/noisy_max_each.h"
#include "lastbit/mechanisms/top_k.h"
#include "lastbit/numerics/ball.h"

namespace lastbit::release_internal {
namespace {

// concentrated_scale: the smallest scale, up to 60 bits, at which k rounds of the exponential
// mechanism with this range cost no more than rho: k·range²/(8·scale²). Its inverse is a binary
// fraction, and squares of ranges are whole numbers, so that the price is a binary fraction too.
Rational concentrated_scale(const Radical<2>& range, std::size_t k, const Rational& rho) {
  const Rational squared = Rational(8) * rho / (Rational(k) * range.radicand().value());
  return Rational(1) / sqrt(Ball(squared, 60)).lower_rational();
}

// A chain that chooses, made for the actual number of groups. It is priced when planned, for any
// number of groups, and must have that price when it runs.
template <class MakeChain>
Chooser chooser(PlannedPart part, const MakeChain& make_chain) {
  const auto priced = make_chain(1);
  part.cost = cost_of(priced.measure(), priced.map(1));
  return {part, [make_chain, cost = part.cost](const TableDomain::Carrier& table, BitSource& bits) {
            const auto chain = make_chain(table.size());
            invariant(cost_of(chain.measure(), chain.map(1)) == cost,
                      "a choice costs what was planned");
            const auto chosen = chain(table, bits);
            std::vector<std::vector<std::size_t>> cells;
            cells.reserve(chosen.size());
            for (const auto& cell : chosen) {
              if constexpr (std::same_as<std::remove_cvref_t<decltype(cell)>, std::size_t>) {
                cells.push_back({cell});
              } else {
                cells.push_back(cell);
              }
            }
            return cells;
          }};
}

PlannedPart choosing_part(std::string name, NoiseMechanism mechanism, std::string sensitivity,
                          const Rational& scale, const Rational& alpha, Rational accuracy) {
  return {.name = std::move(name),
          .mechanism = mechanism,
          .sensitivity = std::move(sensitivity),
          .noise = fmt::format("scale {}", about(scale)),
          .grid = std::nullopt,
          .threshold = std::nullopt,
          .cost = Cost::pure(0),
          .alpha = alpha,
          .accuracy = std::move(accuracy)};
}

}  // namespace

Chooser quantile_chooser(const Aggregation& aggregation, std::size_t measure,
                         const QuantileLevel& level, const LossShare& share,
                         const Rational& alpha) {
  const std::size_t cells = entry_count(aggregation.measures[measure]);
  const std::string name =
      fmt::format("quantile {}", Rational(level.numerator, level.denominator).to_string());
  // The best score is 0: some cell holds the quantile. A score is the denominator times rows.
  const auto rows = [&](const UpperBound& score) {
    return score.ball.upper_rational() / Rational(level.denominator);
  };
  if (share.concentrated) {
    const Radical<2> reach = make_quantile_scores<2>(aggregation, measure, level, 1).map(1);
    const Rational scale = concentrated_scale(
        selection_range(BlockDistance<RangeDistance, 2>{}, reach), 1, share.loss);
    return chooser(choosing_part(name, NoiseMechanism::kExponential,
                                 fmt::format("{} in range of scores", reach.to_string()), scale,
                                 alpha, rows(exponential_accuracy(scale, cells, 1, alpha))),
                   [aggregation, measure, level, scale](std::size_t groups) {
                     return make_quantile_scores<2>(aggregation, measure, level, groups) >>
                            make_concentrated_top_k_each(scale, 1);
                   });
  }
  const Distance reach = make_quantile_scores(aggregation, measure, level, 1).map(1);
  const Rational scale = selection_range(RangeDistance{}, reach).value() / share.loss;
  return chooser(choosing_part(name, NoiseMechanism::kNoisyMax,
                               fmt::format("{} in range of scores", reach.to_string()), scale,
                               alpha, rows(selection_accuracy(scale, cells, 1, alpha))),
                 [aggregation, measure, level, scale](std::size_t groups) {
                   return make_quantile_scores(aggregation, measure, level, groups) >>
                          make_noisy_max_each(scale);
                 });
}

Chooser top_chooser(const Aggregation& aggregation, const EntryRange& cells, std::size_t k,
                    const LossShare& share, const Rational& alpha) {
  const std::string name = "largest categories";
  if (share.concentrated) {
    const Radical<2> reach = make_group_blocks<2>(aggregation, cells, 1).map(1);
    const Rational scale = concentrated_scale(reach, k, share.loss);
    return chooser(
        choosing_part(name, NoiseMechanism::kExponentialInRounds,
                      fmt::format("{} in L2 of groups", reach.to_string()), scale, alpha,
                      exponential_accuracy(scale, cells.count, k, alpha).ball.upper_rational()),
        [aggregation, cells, k, scale](std::size_t groups) {
          return make_group_blocks<2>(aggregation, cells, groups) >>
                 make_concentrated_top_k_each(scale, k);
        });
  }
  const Distance reach = make_group_blocks(aggregation, cells, 1).map(1);
  const Rational scale = Rational(k) * reach.value() / share.loss;
  return chooser(
      choosing_part(name, NoiseMechanism::kNoisyMaxInRounds,
                    fmt::format("{} in L1", reach.to_string()), scale, alpha,
                    selection_accuracy(scale, cells.count, k, alpha).ball.upper_rational()),
      [aggregation, cells, k, scale](std::size_t groups) {
        return make_group_blocks(aggregation, cells, groups) >> make_top_k_each(scale, k);
      });
}

}  // namespace lastbit::release_internal
