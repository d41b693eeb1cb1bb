#include "lastbit/release/plan/choosers.h"

#include <fmt/core.h>

#include <string>
#include <utility>

#include "lastbit/accuracy/selection_accuracy.h"
#include "lastbit/base/error.h"
#include "lastbit/core/chain.h"
#include "lastbit/mechanisms/noisy_max_each.h"
#include "lastbit/mechanisms/top_k.h"
#include "lastbit/numerics/ball.h"

namespace lastbit::release_internal {
namespace {

// epsilon_of: the largest epsilon, up to 60 bits, that costs no more than the share: a pure epsilon
// counts as epsilon²/2 in rho.
Rational epsilon_of(const LossShare& share) {
  if (!share.concentrated) return share.loss;
  return sqrt(Ball(Rational(2) * share.loss, 60)).lower_rational();
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
  const Rational epsilon = epsilon_of(share);
  const auto scores = make_quantile_scores(aggregation, measure, level, 1);
  const Distance sensitivity = scores.map(1);
  const Rational scale = selection_range(LInfinityDistance{}, sensitivity).value() / epsilon;
  const auto make_chain = [aggregation, measure, level, scale](std::size_t groups) {
    return make_quantile_scores(aggregation, measure, level, groups) >> make_noisy_max_each(scale);
  };
  // The best score is 0: some cell holds the quantile.
  const std::size_t cells = entry_count(aggregation.measures[measure]);
  const Rational rows = selection_accuracy(scale, cells, 1, alpha).ball.upper_rational() /
                        Rational(level.denominator);
  return chooser(
      choosing_part(
          fmt::format("quantile {}", Rational(level.numerator, level.denominator).to_string()),
          NoiseMechanism::kNoisyMax, fmt::format("{} in score", sensitivity.to_string()), scale,
          alpha, rows),
      make_chain);
}

Chooser top_chooser(const Aggregation& aggregation, const EntryRange& cells, std::size_t k,
                    const LossShare& share, const Rational& alpha) {
  const Rational epsilon = epsilon_of(share);
  const Distance sensitivity = make_group_blocks(aggregation, cells, 1).map(1);
  const Rational scale = Rational(k) * sensitivity.value() / epsilon;
  const auto make_chain = [aggregation, cells, k, scale](std::size_t groups) {
    return make_group_blocks(aggregation, cells, groups) >> make_top_k_each(scale, k);
  };
  return chooser(
      choosing_part("largest categories", NoiseMechanism::kNoisyMaxInRounds,
                    fmt::format("{} in L1", sensitivity.to_string()), scale, alpha,
                    selection_accuracy(scale, cells.count, k, alpha).ball.upper_rational()),
      make_chain);
}

}  // namespace lastbit::release_internal
