#include "lastbit/mechanisms/gaussian_threshold_histogram.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "lastbit/base/error.h"

namespace lastbit {
namespace {

constexpr const char* kGaussianThreshold = "make_gaussian_threshold_histogram";
// Up to this variance masses are added up one by one; beyond it an integral bounds them.
constexpr int kMostAddedVariance = 1024;

Rational checked_variance(const Rational& variance) {
  if (variance.sign() > 0) return variance;
  throw Error::bad_parameter(kGaussianThreshold, "variance",
                             "(" + variance.to_string() + ") is not positive",
                             "give a variance above 0; a larger one hides more");
}

// sum_from: Σ_{k≥m} e^(−k²/(2σ²)) for m ≥ 1 and a variance that is not large. Each mass is the one
// before times a ratio that falls by the same factor each time; what is left at the end is below a
// geometric series.
Ball sum_from(const Rational& m, const Rational& variance, int precision) {
  const auto ball = [&](const Rational& value) { return Ball(value, precision); };
  const Rational exponent = Rational(-1) / (Rational(2) * variance);
  const std::int64_t deviation = sqrt(Ball(variance, 64)).upper_rational().ceil().to_int64();
  // n²/(2σ²) exceeds (precision + 10)·ln 2 for this n.
  const std::int64_t root =
      sqrt(Ball(3 * (precision + 10) / 2 + 1, 64)).upper_rational().ceil().to_int64();
  const std::int64_t terms = deviation * root + 1;
  Ball mass = exp(ball(exponent * m * m));
  Ball ratio = exp(ball(exponent * (Rational(2) * m + Rational(1))));
  const Ball change = exp(ball(Rational(2) * exponent));
  Ball sum = mass;
  for (std::int64_t i = 1; i < terms; ++i) {
    mass = mass * ratio;
    sum = sum + mass;
    ratio = ratio * change;
  }
  const Ball rest = mass * ratio / (ball(1) - ratio);
  return sum + rest * Ball::between(0, 1, precision);
}

// Tail: Pr[Z ≥ m], or a bound on it, for m ≥ 1; nothing where the bound is 1.
std::optional<Ball> upper_tail(const Rational& m, const Rational& variance, int precision) {
  const Ball one(1, precision);
  const Ball two(2, precision);
  if (variance <= Rational(kMostAddedVariance)) {
    return sum_from(m, variance, precision) /
           (one + two * sum_from(Rational(1), variance, precision));
  }
  const Rational start = m - Rational(1, 2);
  if (start.sign() <= 0 || start * start < variance) return std::nullopt;
  const Ball scale = sqrt(Ball(Rational(2) * variance, precision));
  return erfc(Ball(start, precision) / scale) / two;
}

// LawOfKeys: what is known about new keys, for a threshold.
struct LawOfKeys {
  const Rational& variance;
  std::int64_t threshold;

  // log_hidden: ln(1 − p), p being the bound on the probability that the count is kept; nothing if
  // that is 1.
  std::optional<Ball> log_hidden(const Integer& count, int precision) const {
    const Rational m(Integer(threshold) - count);
    if (m.sign() > 0) {
      const auto tail = upper_tail(m, variance, precision);
      return tail ? std::optional(log1p(-*tail)) : std::nullopt;
    }
    // By symmetry Pr[Z < m] = Pr[Z ≥ 1 − m]; only the number itself bounds it from below.
    if (variance > Rational(kMostAddedVariance)) return std::nullopt;
    const auto hidden = upper_tail(Rational(1) - m, variance, precision);
    return hidden ? std::optional(ln(*hidden)) : std::nullopt;
  }

  // some_kept: 1 − (1 − p)^times.
  Rational some_kept(const Integer& count, const Integer& times) const {
    if (!log_hidden(count, Ball::kMinPrecision + 62)) return 1;
    return mechanism_internal::round_up_probability([&](int precision) {
      return -expm1(Ball(Rational(times), precision) * *log_hidden(count, precision));
    });
  }

  Rational delta(const Integer& d, const Integer& keys) const {
    if (d.sign() <= 0) return 0;
    // All that d steps can bring: many keys with one row each, or few keys with d rows each.
    const Rational many = some_kept(1, d * keys);
    return d == Integer(1) ? many : std::max(many, some_kept(d, keys));
  }
};

}  // namespace

GaussianCountThreshold::GaussianCountThreshold(const Rational& variance, std::int64_t threshold,
                                               Integer keys)
    : noise_(checked_variance(variance)), threshold_(threshold), keys_(std::move(keys)) {
  mechanism_internal::require_threshold(kGaussianThreshold, threshold);
  if (keys_.sign() > 0) return;
  throw Error::bad_parameter(kGaussianThreshold, "keys", "is below 1",
                             "give the number of keys that one step may change");
}

std::vector<std::optional<std::int64_t>> GaussianCountThreshold::release(
    std::span<const std::int64_t> counts, BitSource& bits) const {
  return mechanism_internal::release_reaching(noise_, threshold_, counts, bits);
}

Ball GaussianCountThreshold::kept(const Integer& count, int precision) const {
  const auto hidden = LawOfKeys{variance(), threshold_}.log_hidden(count, precision);
  return hidden ? -expm1(*hidden) : Ball(1, precision);
}

Rational GaussianCountThreshold::delta(const Integer& d) const {
  return LawOfKeys{variance(), threshold_}.delta(d, keys_);
}

ConcentratedLoss GaussianCountThreshold::loss(const Distance& d_in) const {
  if (d_in.is_infinite()) return {Distance::infinity(), 1};
  const Integer d = d_in.floor().value().floor();
  return {Rational(keys_ * d * d) / (Rational(2) * variance()), delta(d)};
}

std::int64_t GaussianCountThreshold::smallest(const Rational& variance, const Integer& keys,
                                              const DeltaLimit& limit) {
  const Integer d = mechanism_internal::whole_steps(limit);
  checked_variance(variance);
  return mechanism_internal::first_threshold([&](std::int64_t threshold) {
    return LawOfKeys{variance, threshold}.delta(d, keys) <= limit.delta;
  });
}

void require_delta(const GaussianCountThreshold& threshold, const Integer& keys,
                   const DeltaLimit& limit) {
  const std::int64_t needed = GaussianCountThreshold::smallest(threshold.variance(), keys, limit);
  mechanism_internal::require_at_least(kGaussianThreshold, threshold.threshold(), needed, limit);
}

}  // namespace lastbit
