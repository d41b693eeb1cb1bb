// NoiseRatio: by what other limits or bounds multiply the noise of a statistic. For this module
// only.
#pragma once

#include <optional>

#include "lastbit/release/plan/plan.h"

namespace lastbit::release_internal {

class NoiseRatio {
 public:
  // The plan outlives this; the statistic is one of the file's, not a total.
  NoiseRatio(const ReleasePlan& plan, const PlannedStatistic& planned);

  // written: the statistic as the file has it.
  const Statistic& written() const { return release_.statistics.front(); }
  // of: the noise of a statistic that differs in its limits or bounds, divided by that of the plan,
  // at the same loss; of the last of its noisy numbers, which depends on the bounds. Nothing where
  // no such release is possible.
  std::optional<double> of(const Statistic& changed) const;

 private:
  std::optional<Rational> noise_of(const Statistic& statistic) const;

  ReleaseFile release_;  // with this statistic alone, which gets what it costs in the plan
  std::optional<Rational> noise_;
};

}  // namespace lastbit::release_internal
