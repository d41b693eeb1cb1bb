// The loss that an error takes. For this module only.
#pragma once

#include <cstddef>
#include <optional>

#include "lastbit/release/plan/plan_statistic.h"
#include "lastbit/release/plan/shares/error_shares.h"

namespace lastbit::release_internal {

// error_for: the error for a loss; nothing if it is not known, or if noise is too large to be
// drawn, which is too large for every accuracy.
std::optional<Rational> error_for(const Planner& planner, std::size_t statistic,
                                  const LossShare& share, const Integer& rows);

// loss_for_accuracy: the smallest loss, as a decimal with four digits, for which the error of the
// statistic is at most `accuracy`, in groups of `rows` rows if it depends on them; nothing if no
// loss up to a billion is enough. The next smaller decimal is not enough, so at most a thousandth
// more is spent than the error takes.
std::optional<Rational> loss_for_accuracy(const Planner& planner, std::size_t statistic,
                                          bool concentrated, const Rational& accuracy,
                                          const Integer& rows);

}  // namespace lastbit::release_internal
