#include "lastbit/mechanisms/threshold_histogram.h"

#include <algorithm>

#include "lastbit/mechanisms/noise_space.h"

namespace lastbit {

using mechanism_internal::round_up_probability;

namespace {

constexpr const char* kThresholdHistogram = "make_threshold_histogram";

}  // namespace

CountThreshold::CountThreshold(const Rational& scale, std::int64_t threshold)
    : noise_((mechanism_internal::require_scale(kThresholdHistogram, scale), scale)),
      threshold_(threshold) {
  mechanism_internal::require_threshold(kThresholdHistogram, threshold);
}

std::vector<std::optional<std::int64_t>> CountThreshold::release(
    std::span<const std::int64_t> counts, BitSource& bits) const {
  return mechanism_internal::release_reaching(noise_, threshold_, counts, bits);
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
  const Rational one_key = round_up_probability([&](int precision) { return kept(d, precision); });
  if (d == Integer(1)) return one_key;
  const Rational many_keys = round_up_probability([&](int precision) {
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
  const Integer d = mechanism_internal::whole_steps({delta, d_in});
  return mechanism_internal::first_threshold(
      [&](std::int64_t threshold) { return CountThreshold(scale, threshold).delta(d) <= delta; });
}

void require_delta(const CountThreshold& threshold, const DeltaLimit& limit) {
  const std::int64_t needed = CountThreshold::smallest(threshold.scale(), limit.delta, limit.d_in);
  mechanism_internal::require_at_least(kThresholdHistogram, threshold.threshold(), needed, limit);
}

}  // namespace lastbit
