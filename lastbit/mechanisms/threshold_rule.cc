#include "lastbit/mechanisms/threshold_rule.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "lastbit/base/error.h"

namespace lastbit::mechanism_internal {

Rational round_up_probability(const RealAtPrecision& probability) {
  constexpr int kMaxPrecision = 4096;
  for (int precision = 128;; precision *= 2) {
    const Ball ball = probability(precision);
    const double above = std::min(ball.upper(), 1.0);
    const double below = std::bit_cast<double>(std::bit_cast<std::uint64_t>(above) - 1);
    const bool smallest = certainly_greater(ball, Ball::exactly(below, precision));
    // At the last precision `above` is still an upper bound.
    if (smallest || precision >= kMaxPrecision) return Rational::exactly(above);
  }
}

void require_threshold(const char* place, std::int64_t threshold) {
  if (threshold >= 1) return;
  throw Error::bad_parameter(place, "threshold", "(" + std::to_string(threshold) + ") is below 1",
                             "ask for the smallest one that a delta needs");
}

Integer whole_steps(const DeltaLimit& limit) {
  if (limit.delta.sign() <= 0 || limit.delta >= Rational(1)) {
    throw Error::bad_parameter("smallest threshold", "delta",
                               "(" + limit.delta.to_string() + ") is not between 0 and 1",
                               "give a small probability, such as 1e-6");
  }
  if (limit.d_in.is_infinite()) {
    throw Error::bad_parameter("smallest threshold", "d_in", "is infinite",
                               "give the number of rows that may differ");
  }
  return limit.d_in.floor().value().floor();
}

std::int64_t first_threshold(const std::function<bool(std::int64_t)>& suffices) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (!suffices(kMost)) {
    throw Error::bad_parameter("smallest threshold", "delta", "needs a threshold beyond 2^63",
                               "give less noise or a larger delta");
  }
  std::int64_t high = 1;
  while (!suffices(high)) high = high > kMost / 2 ? kMost : 2 * high;
  std::int64_t low = high / 2;  // does not suffice, or is 0
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (suffices(middle) ? high : low) = middle;
  }
  return high;
}

void require_at_least(const char* place, std::int64_t threshold, std::int64_t needed,
                      const DeltaLimit& limit) {
  if (threshold >= needed) return;
  throw Error::bad_parameter(place, "threshold",
                             "(" + std::to_string(threshold) + ") is too low for delta " +
                                 limit.delta.to_string() + " at distance " + limit.d_in.to_string(),
                             "give a threshold of at least " + std::to_string(needed));
}

}  // namespace lastbit::mechanism_internal
