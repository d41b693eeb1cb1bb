#include "lastbit/release/plan/choose_accounting.h"

#include <algorithm>
#include <string>

#include "lastbit/base/error.h"

namespace lastbit::release_internal {
namespace {

constexpr auto kTooSmall = "the budget is too small for what the file asks";

// Why rhos cannot be counted; empty if they can.
std::string obstacle_to_rhos(const ReleaseFile& release, std::optional<LossKind> ledger) {
  const auto any = [&](const auto& holds) {
    return std::ranges::any_of(release.statistics, holds);
  };
  if (conversion_delta(release).sign() <= 0) {
    return "discovering keys takes the whole delta, and rhos need some of it";
  }
  if (ledger == LossKind::kPure) return "the ledger counts epsilons only";
  if (!any(
          [](const Statistic& statistic) { return statistic.share.kind != ShareKind::kEpsilon; })) {
    return "every statistic has its epsilon";
  }
  return "";
}

AccountingWay way_of(const SharedBudget& shared) {
  return {shared.accounting, shared.needed, shared.squared_error, ""};
}

// Errors decide; where none are known, or all are given, what is needed of the budget does.
bool is_better(const SharedBudget& one, const SharedBudget& other) {
  if (one.squared_error && other.squared_error) return *one.squared_error < *other.squared_error;
  return one.needed < other.needed;
}

}  // namespace

ChosenBudget choose_accounting(const ReleaseFile& release, std::optional<LossKind> ledger,
                               const std::function<Planner(LossKind)>& planners,
                               const std::vector<Integer>& rows, Problems& problems) {
  const LossKind usual = release.budget.usual_accounting();
  const SharedBudget first = share_out(release, usual, planners(usual), rows, problems);
  if (release.budget.accounting) return {first, {way_of(first)}};
  AccountingWay other{LossKind::kConcentrated, 0, std::nullopt, obstacle_to_rhos(release, ledger)};
  if (!other.obstacle.empty()) return {first, {way_of(first), other}};
  Problems others(release.filename);
  const SharedBudget second =
      share_out(release, LossKind::kConcentrated, planners(LossKind::kConcentrated), rows, others);
  if (!others.empty()) {
    other.obstacle = kTooSmall;
    return {first, {way_of(first), other}};
  }
  if (!problems.empty()) {
    problems = Problems(release.filename);
    return {second, {way_of(second), {usual, 0, std::nullopt, kTooSmall}}};
  }
  if (is_better(second, first)) return {second, {way_of(second), way_of(first)}};
  return {first, {way_of(first), way_of(second)}};
}

}  // namespace lastbit::release_internal
