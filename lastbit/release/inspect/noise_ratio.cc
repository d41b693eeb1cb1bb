#include "lastbit/release/inspect/noise_ratio.h"

#include <algorithm>

#include "lastbit/base/error.h"

namespace lastbit::release_internal {

NoiseRatio::NoiseRatio(const ReleasePlan& plan, const PlannedStatistic& planned)
    : release_(plan.release) {
  const std::string& name = planned.statistic.name.value;
  std::erase_if(release_.statistics,
                [&](const Statistic& statistic) { return statistic.name.value != name; });
  release_.budget.cap.value = planned.cost;
  release_.statistics.front().share = {};
  release_.statistics.front().totals = false;
  noise_ = noise_of(release_.statistics.front());
}

std::optional<double> NoiseRatio::of(const Statistic& changed) const {
  const auto noise = noise_of(changed);
  if (!noise || !noise_ || noise_->sign() == 0) return std::nullopt;
  return (*noise / *noise_).down();
}

std::optional<Rational> NoiseRatio::noise_of(const Statistic& statistic) const {
  ReleaseFile release = release_;
  release.statistics = {statistic};
  try {
    const ReleasePlan plan = plan_release(release);
    const auto& parts = plan.statistics.front().parts;
    if (parts.empty()) return std::nullopt;
    return parts.back().accuracy;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kBadInput && error.code() != ErrorCode::kBadParameter) throw;
    return std::nullopt;  // such as bounds without the imputed value between them
  }
}

}  // namespace lastbit::release_internal
