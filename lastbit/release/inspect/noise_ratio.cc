#include "lastbit/release/inspect/noise_ratio.h"

#include <cmath>
#include <string>

#include "lastbit/base/error.h"

namespace lastbit::release_internal {

NoiseRatio::NoiseRatio(const ReleasePlan& plan, const PlannedStatistic& planned)
    : release_(plan.release) {
  const std::string& name = planned.statistic.name.value;
  std::erase_if(release_.statistics,
                [&](const Statistic& statistic) { return statistic.name.value != name; });
  release_.budget.cap.value = planned.cost;
  release_.budget.accounting = planned.cost.kind();
  release_.statistics.front().share = {};
  release_.statistics.front().totals = false;
  noise_ = noise_of(release_.statistics.front());
}

std::optional<double> NoiseRatio::of(const Statistic& changed) const {
  const std::vector<Rational> noise = noise_of(changed);
  if (noise.empty() || noise.size() != noise_.size()) return std::nullopt;
  double most = 1;
  for (std::size_t i = 0; i < noise.size(); ++i) {
    if (noise[i].sign() == 0 || noise_[i].sign() == 0) return std::nullopt;
    const double ratio = (noise[i] / noise_[i]).down();
    if (std::abs(std::log(ratio)) > std::abs(std::log(most))) most = ratio;
  }
  return most;
}

std::vector<Rational> NoiseRatio::noise_of(const Statistic& statistic) const {
  ReleaseFile release = release_;
  release.statistics = {statistic};
  std::vector<Rational> noise;
  try {
    const ReleasePlan plan = plan_release(release);
    for (const PlannedPart& part : plan.statistics.front().parts) noise.push_back(part.accuracy);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kBadInput && error.code() != ErrorCode::kBadParameter) throw;
    noise.clear();  // such as bounds without the imputed value between them
  }
  return noise;
}

}  // namespace lastbit::release_internal
