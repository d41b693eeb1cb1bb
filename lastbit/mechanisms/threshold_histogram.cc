#include "lastbit/mechanisms/threshold_histogram.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "lastbit/base/error.h"
#include "lastbit/mechanisms/noise_space.h"

namespace lastbit {
namespace {

constexpr const char* kThresholdHistogram = "make_threshold_histogram";
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

// The smallest double that is at least the probability, as a rational: a monotone function of it, as
// a map must be. The probability is positive.
Rational rounded_up(const RealAtPrecision& probability) {
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

}  // namespace

CountThreshold::CountThreshold(const Rational& scale, std::int64_t threshold)
    : noise_((mechanism_internal::require_scale(kThresholdHistogram, scale), scale)),
      threshold_(threshold) {
  if (threshold < 1) {
    throw Error::bad_parameter(kThresholdHistogram, "threshold",
                               "(" + std::to_string(threshold) + ") is below 1",
                               "ask CountThreshold::smallest for the one that a delta needs");
  }
}

std::vector<std::optional<std::int64_t>> CountThreshold::release(
    std::span<const std::int64_t> counts, BitSource& bits) const {
  std::vector<std::int64_t> noisy;
  noisy.reserve(counts.size());
  for (const std::int64_t count : counts) {
    if (count >= 1) noisy.push_back(count);
  }
  noise_.add(noisy, bits);
  std::vector<std::optional<std::int64_t>> result;
  result.reserve(counts.size());
  auto next = noisy.begin();
  for (const std::int64_t count : counts) {
    result.emplace_back();
    if (count < 1) continue;
    const std::int64_t sum = *next++;
    if (sum >= threshold_) result.back() = sum;
  }
  return result;
}

// With q = e^(−1/scale) and m = threshold − count: Pr[Z ≥ m] is q^m/(1 + q) for m ≥ 0 and
// 1 − q^(1 − m)/(1 + q) below.
Ball CountThreshold::kept(const Integer& count, int precision) const {
  const Ball one(1, precision);
  const Rational m(Integer(threshold_) - count);
  const Ball both = one + exp(Ball(Rational(-1) / scale(), precision));
  if (m.sign() >= 0) return exp(Ball(-m / scale(), precision)) / both;
  return one - exp(Ball((m - Rational(1)) / scale(), precision)) / both;
}

Rational CountThreshold::delta(const Integer& d) const {
  if (d.sign() <= 0) return 0;
  // One key with d rows, or d keys with one row each; nothing in between is worse.
  const Rational one_key = rounded_up([&](int precision) { return kept(d, precision); });
  if (d == Integer(1)) return one_key;
  const Rational many_keys = rounded_up([&](int precision) {
    return -expm1(Ball(Rational(d), precision) * log1p(-kept(1, precision)));
  });
  return std::max(one_key, many_keys);
}

PrivacyLoss CountThreshold::loss(const Distance& d_in) const {
  if (d_in.is_infinite()) return {Distance::infinity(), 1};
  const Distance d = d_in.floor();
  return {d / scale(), delta(d.value().floor())};
}

std::int64_t CountThreshold::smallest(const Rational& scale, const Rational& delta,
                                      const Distance& d_in) {
  if (delta.sign() <= 0 || delta >= Rational(1)) {
    throw Error::bad_parameter("smallest threshold", "delta",
                               "(" + delta.to_string() + ") is not between 0 and 1",
                               "give a small probability, such as 1e-6");
  }
  if (d_in.is_infinite()) {
    throw Error::bad_parameter("smallest threshold", "d_in", "is infinite",
                               "give the number of rows that may differ");
  }
  const Integer d = d_in.floor().value().floor();
  const auto suffices = [&](std::int64_t threshold) {
    return CountThreshold(scale, threshold).delta(d) <= delta;
  };
  if (!suffices(kMost)) {
    throw Error::bad_parameter("smallest threshold", "delta", "needs a threshold beyond 2^63",
                               "give a smaller scale or a larger delta");
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

void require_delta(const CountThreshold& threshold, const DeltaLimit& limit) {
  const std::int64_t needed = CountThreshold::smallest(threshold.scale(), limit.delta, limit.d_in);
  if (threshold.threshold() >= needed) return;
  throw Error::bad_parameter(kThresholdHistogram, "threshold",
                             "(" + std::to_string(threshold.threshold()) +
                                 ") is too low for delta " + limit.delta.to_string() +
                                 " at distance " + limit.d_in.to_string(),
                             "give a threshold of at least " + std::to_string(needed));
}

}  // namespace lastbit
