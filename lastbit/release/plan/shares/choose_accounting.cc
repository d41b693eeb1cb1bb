#include "lastbit/release/plan/shares/choose_accounting.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/release/plan/shares/mixed_accounting.h"
#include "lastbit/release/plan/shares/target_shares.h"

namespace lastbit::release_internal {
namespace {

constexpr auto kTooLittleLeft = "the ledger has too little left for it";
constexpr auto kTooSmall = "the budget is too small for what the file asks";

// Why rhos cannot be counted; empty if they can.
std::string obstacle_to_rhos(const ReleaseFile& release, const std::optional<Cost>& left) {
  const auto any = [&](const auto& holds) {
    return std::ranges::any_of(release.statistics, holds);
  };
  if (conversion_delta(release).sign() <= 0) {
    return "discovering keys takes the whole delta, and rhos need some of it";
  }
  if (left && left->kind() == LossKind::kPure) return "the ledger counts epsilons only";
  const bool in_deltas = left && left->kind() == LossKind::kApproximate;
  if (in_deltas && left->delta() <= discovery_delta(release)) {
    return "the ledger has too little delta left";
  }
  if (!any(
          [](const Statistic& statistic) { return statistic.share.kind != ShareKind::kEpsilon; })) {
    return "every statistic has its epsilon";
  }
  return "";
}

// The delta that rhos may take: what discovered keys leave of what the file allows and the ledger
// has left; if the ledger leaves none, of what the file allows.
Rational delta_for_rhos(const ReleaseFile& release, const std::optional<Cost>& left) {
  if (release.budget.cap.value.kind() != LossKind::kApproximate) return 0;
  const Rational allowed = conversion_delta(release);
  if (!left || left->kind() != LossKind::kApproximate) return allowed;
  const Rational rest = left->delta() - discovery_delta(release);
  return rest.sign() > 0 ? std::min(allowed, rest) : allowed;
}

AccountingWay way_of(const SharedBudget& shared) {
  return {shared.accounting, shared.mixed, shared.needed, shared.squared_error, ""};
}

// What decides: errors; where none are known, or all are given, what is needed of the budget.
Rational badness(const SharedBudget& shared) {
  return shared.squared_error.value_or(shared.needed);
}

// PossibleWay: the release in one accounting.
struct PossibleWay {
  SharedBudget shared;
  bool payable = true;  // by what the ledger has left

  bool is_better_than(const PossibleWay& other) const {
    if (payable != other.payable) return payable;
    // What is harder to explain has to be worth it.
    const Rational least = shared.mixed ? Rational(99, 100) : Rational(1);
    return badness(shared) < badness(other.shared) * least;
  }
};

// Epsilons beside rhos, if these are converted so; nothing if that is not possible.
std::optional<SharedBudget> share_mixed(const ReleaseFile& release, const SharedBudget& epsilons,
                                        const SharedBudget& rhos,
                                        const std::function<Planner(LossKind)>& planners,
                                        const std::vector<Integer>& rows,
                                        const RhoConversion& conversion) {
  const Planner in_epsilons = planners(LossKind::kApproximate);
  const Planner in_rhos = planners(LossKind::kConcentrated);
  const auto mix = find_mix(release, epsilons, rhos, in_epsilons, in_rhos, rows, conversion);
  if (!mix) return std::nullopt;
  const Planner planner = [&](std::size_t i, const LossShare& share) {
    return (mix->in_rhos[i] ? in_rhos : in_epsilons)(i, share);
  };
  Problems problems(release.filename);
  SharedBudget shared =
      share_out(release, LossKind::kApproximate, mix->delta, planner, rows, problems, mix);
  if (!problems.empty()) return std::nullopt;
  const Cost& cap = release.budget.cap.value;
  const bool within = shared.cost.epsilon() <= cap.epsilon() && shared.cost.delta() <= cap.delta();
  return within ? std::optional(std::move(shared)) : std::nullopt;
}

// The best of all first; equal ones stay in order.
ChosenBudget best_of(std::vector<PossibleWay> possible) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < possible.size(); ++i) {
    if (possible[i].is_better_than(possible[best])) best = i;
  }
  std::rotate(possible.begin(), possible.begin() + static_cast<std::ptrdiff_t>(best),
              possible.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  ChosenBudget chosen{possible.front().shared, {}};
  for (const PossibleWay& way : possible) {
    chosen.ways.push_back(way_of(way.shared));
    if (!way.payable) chosen.ways.back().obstacle = kTooLittleLeft;
  }
  return chosen;
}

}  // namespace

std::optional<Cost> cost_in_ledger(const Cost& cost, const std::optional<ConvertedCost>& converted,
                                   LossKind kind) {
  if (cost.kind() == LossKind::kConcentrated) {
    if (kind == LossKind::kConcentrated) return cost;
    if (kind == LossKind::kPure || !converted) return std::nullopt;
    return converted->cost;
  }
  if (kind == LossKind::kApproximate) return Cost::approximate(cost.epsilon(), cost.delta());
  if (kind == LossKind::kConcentrated) {
    return Cost::concentrated(cost.epsilon() * cost.epsilon() / Rational(2), cost.delta());
  }
  return cost.delta().sign() == 0 ? std::optional(Cost::pure(cost.epsilon())) : std::nullopt;
}

bool fits_into(const Cost& cost, const std::optional<ConvertedCost>& converted, const Cost& left) {
  const auto price = cost_in_ledger(cost, converted, left.kind());
  return price && loss_in(*price) <= loss_in(left) && price->delta() <= left.delta();
}

ChosenBudget choose_accounting(const ReleaseFile& release, const std::optional<Cost>& left,
                               const std::function<Planner(LossKind)>& planners,
                               const std::vector<Integer>& rows, Problems& problems) {
  const Rational delta = delta_for_rhos(release, left);
  const auto planned = [&](LossKind kind, Problems& found) {
    return share_out(release, kind, delta, planners(kind), rows, found);
  };
  const LossKind usual = release.budget.usual_accounting();
  const SharedBudget first = planned(usual, problems);
  if (release.budget.accounting) return {first, {way_of(first)}};
  const auto possible = [&](const SharedBudget& shared) {
    return PossibleWay{shared, !left || fits_into(shared.cost, shared.converted, *left)};
  };
  AccountingWay other{LossKind::kConcentrated, false, 0, std::nullopt,
                      obstacle_to_rhos(release, left)};
  if (!other.obstacle.empty()) return {first, {way_of(first), other}};
  Problems others(release.filename);
  const SharedBudget second = planned(LossKind::kConcentrated, others);
  if (!others.empty()) {
    other.obstacle = kTooSmall;
    return {first, {way_of(first), other}};
  }
  if (!problems.empty()) {
    problems = Problems(release.filename);
    return {second, {way_of(second), {usual, false, 0, std::nullopt, kTooSmall}}};
  }
  std::vector<PossibleWay> ways = {possible(first), possible(second)};
  const auto mixed = [&](const RhoConversion& conversion) {
    return share_mixed(release, first, second, planners, rows, conversion);
  };
  std::optional<SharedBudget> third;
  if (second.converted && second.converted->by_gaussian_law)
    third = mixed(gaussian_conversion(delta));
  if (!third) third = mixed(general_conversion(delta));
  if (third) ways.push_back(possible(*third));
  return best_of(std::move(ways));
}

}  // namespace lastbit::release_internal
