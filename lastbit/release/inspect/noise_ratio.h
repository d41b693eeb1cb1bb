// NoiseRatio: by what other limits or bounds multiply the noise of a statistic. For this module
// only.
#pragma once

#include <optional>
#include <vector>

#include "lastbit/release/plan/plan.h"

namespace lastbit::release_internal {

class NoiseRatio {
 public:
  // The plan outlives this; the statistic is one of the file's, not a total.
  NoiseRatio(const ReleasePlan& plan, const PlannedStatistic& planned);

  // written: the statistic as the file has it.
  const Statistic& written() const { return release_.statistics.front(); }
  // of: the noise of a statistic that differs in its limits or bounds, divided by that of the plan,
  // at the same loss; of the noisy number that changes most. Nothing where no such release is
  // possible, or where there is no noise to speak of.
  std::optional<double> of(const Statistic& changed) const;

 private:
  // noise_of: the errors of its noisy numbers; none if it cannot be planned.
  std::vector<Rational> noise_of(const Statistic& statistic) const;

  ReleaseFile release_;  // with this statistic alone, which gets what it costs in the plan
  std::vector<Rational> noise_;
};

}  // namespace lastbit::release_internal
