// Inside accuracy only: Contour, the tail of a sum from its moment generating function on a line
// beside the imaginary axis. The line passes near the saddle point, so that far tails are as
// precise as near ones, and summing in place of integrating can only make the tail larger.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "lastbit/accuracy/contour.h"
#include "lastbit/accuracy/disc.h"
#include "lastbit/numerics/ball.h"
#include "lastbit/numerics/rational.h"

namespace lastbit::accuracy_internal {

// How far above the tail the sum may be, relatively: by its period, and by what is left out.
inline constexpr double kContourTolerance = 2e-4;
inline constexpr std::int64_t kMostTerms = 1 << 13;

inline Ball contour_ball(double value) { return Ball::exactly(value, kContourPrecision); }
inline Disc twice(const Disc& a) { return {2 * a.re, 2 * a.im, 2 * a.radius}; }

// The first 24 bits of a positive number, so that products of two are exact.
double cut_to_24_bits(double value);

// Pr[S > q] ≤ weight·e^(log_moment − θq)·(Σ_k Re(terms_k·e^(ik·step·(shift − q))) + rest), where
// terms beyond the first are counted twice already.
struct Contour {
  double theta;
  Ball log_moment;
  Ball step;
  Ball shift;
  Ball weight;
  std::vector<Disc> terms;
  double rest;
};

// tail_bound: at least Pr[S > q], proved; on whole numbers at least Pr[S ≥ q + ½].
Ball tail_bound(const Contour& contour, double q);
// is_proved: whether 2·factor·tail_bound is certainly at most α.
bool is_proved(const Contour& contour, double q, const Ball& factor, const Rational& alpha);

// LogTail: the logarithm of the same bound, quickly and without proof.
class LogTail {
 public:
  explicit LogTail(const Contour& contour);
  double operator()(double q) const;

 private:
  const Contour* contour_;
  double step_;
  double shift_;
  double start_;
};

double log_of(const Rational& alpha);

// What follows chooses a contour and proves nothing.

// ln E[e^(θS)] and its derivatives.
struct Cumulants {
  double value;
  double first;
  double second;
};

Cumulants cumulants(const RealSum& sum, double theta);
Cumulants cumulants(const LaplaceSteps& sum, double theta);
Cumulants cumulants(const GaussianSteps& sum, double theta);
// The moments exist for θ below this, or need not be considered beyond.
double theta_limit(const RealSum& sum);
double theta_limit(const LaplaceSteps& sum);
double theta_limit(const GaussianSteps& sum);

// ln(e^(x²)·erfc(x)) for x ≥ 0.
inline double log_scaled_erfc(double x) {
  if (x < 20) return x * x + std::log(std::erfc(x));
  return -std::log(x * std::sqrt(std::numbers::pi));
}

// Saddle: where the contour crosses the real axis, and about where the tail is α.
struct Saddle {
  double theta;
  double q;
  double log_alpha;
};

template <class Sum>
Saddle find_saddle(const Sum& sum, double log_alpha) {
  const double limit = theta_limit(sum);
  const double deviation = std::sqrt(cumulants(sum, 0).second);
  const auto theta_at = [&](double logit) {
    const double y = std::exp2(logit);
    return limit * y / (1 + y);
  };
  double low = std::min(std::log2(0.05 / (deviation * limit)), 0.0);
  double high = 20;
  const double least = theta_at(low);
  for (int i = 0; i < 16; ++i) {
    const double middle = (low + high) / 2;
    const double theta = theta_at(middle);
    const Cumulants k = cumulants(sum, theta);
    const double log_tail =
        log_scaled_erfc(theta * std::sqrt(k.second / 2)) + k.value - theta * k.first;
    (log_tail > log_alpha ? low : high) = middle;
  }
  const double theta = cut_to_24_bits(std::max(theta_at(low), least));
  return {theta, cumulants(sum, theta).first, log_alpha};
}

// A period after which the tail and its mirror image are small enough.
template <class Sum>
double choose_period(const Sum& sum, const Saddle& saddle) {
  const double needed = -std::log(kContourTolerance);
  const double room = theta_limit(sum) - saddle.theta;
  double right = std::numeric_limits<double>::infinity();
  for (int j = 1; j <= 20; ++j) {
    const double step = std::ldexp(room, -j);
    const double theta = saddle.theta + step;
    const double excess = cumulants(sum, theta).value - theta * saddle.q - saddle.log_alpha;
    right = std::min(right, (excess + needed) / step);
  }
  return std::max((needed - saddle.log_alpha) / saddle.theta, right);
}

// About how large the sum of the terms will be.
template <class Sum>
double expected_sum(const Sum& sum, const Saddle& saddle, double weight) {
  const Cumulants k = cumulants(sum, saddle.theta);
  return std::exp(saddle.log_alpha - k.value + saddle.theta * saddle.q) / (2 * weight);
}

}  // namespace lastbit::accuracy_internal
