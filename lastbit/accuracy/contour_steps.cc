#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <optional>
#include <vector>

#include "lastbit/accuracy/contour_sum.h"

namespace lastbit::accuracy_internal {

Cumulants cumulants(const LaplaceSteps& sum, double theta) {
  const double half = std::sinh(theta / 2);
  const double half_step = std::sinh(sum.step / 2);
  const double u = 2 * half * half;
  const double d = 2 * half_step * half_step;
  const double p = 1 / (2 * (std::cosh(sum.step / 2) + 1));
  const auto m = static_cast<double>(sum.count);
  const double a = p * std::sinh(theta) / (1 + p * u);
  const double b = std::sinh(theta) / (d - u);
  const double bend = std::cosh(theta) * (p / (1 + p * u) + 1 / (d - u));
  return {m * (std::log1p(p * u) - std::log1p(-u / d)), m * (a + b), m * (bend - a * a + b * b)};
}
double theta_limit(const LaplaceSteps& sum) { return sum.step; }

namespace {

// The masses of a discrete Gaussian, tilted by e^(θj), from −reach to reach; without norm.
std::int64_t reach_of(double variance, double theta) {
  return static_cast<std::int64_t>(std::ceil(theta * variance + 12 * std::sqrt(variance) + 2));
}

}  // namespace

Cumulants cumulants(const GaussianSteps& sum, double theta) {
  const std::int64_t reach = reach_of(sum.variance, theta);
  // Masses are relative to that of the centre θσ², so that none overflows.
  const double centre = theta * sum.variance;
  double norm = 0;
  double tilted = 0;
  double first = 0;
  double second = 0;
  for (std::int64_t j = -reach; j <= reach; ++j) {
    const auto x = static_cast<double>(j);
    const double mass = std::exp(-(x - centre) * (x - centre) / (2 * sum.variance));
    norm += std::exp(-x * x / (2 * sum.variance));
    tilted += mass;
    first += mass * x;
    second += mass * x * x;
  }
  const auto m = static_cast<double>(sum.count);
  const double mean = first / tilted;
  return {m * (std::log(tilted / norm) + theta * centre / 2), m * mean,
          m * std::max(second / tilted - mean * mean, 0x1p-200)};
}
double theta_limit(const GaussianSteps& sum) { return 64 / std::sqrt(sum.variance); }

namespace {

Ball sinh_ball(double x) { return sinh(contour_ball(x)); }
Ball cosh_ball(double x) { return cosh(contour_ball(x)); }
Ball twice_square(const Ball& x) { return contour_ball(2) * x * x; }

// HalfSinh: sinh((θ + it)/2) from e^(it/2).
class HalfSinh {
 public:
  explicit HalfSinh(double theta)
      : sinh_(disc_of(sinh_ball(theta / 2))), cosh_(disc_of(cosh_ball(theta / 2))) {}

  Disc operator()(const Disc& turn) const {
    const double re = sinh_.re * turn.re;
    const double im = cosh_.re * turn.im;
    return {re, im,
            radius_above(magnitude_above(cosh_) * turn.radius +
                         (sinh_.radius + cosh_.radius) * magnitude_above(turn) +
                         2 * kDiscUnit * magnitude_above(re, im))};
  }

 private:
  Disc sinh_;
  Disc cosh_;
};

// The moment of one variate at θ, and that at θ + it over it, from e^(it/2) and sinh((θ + it)/2).
class StepFactor {
 public:
  StepFactor(const LaplaceSteps& sum, double theta)
      : c_(cosh_ball(sum.step / 2)),
        d_(twice_square(sinh_ball(sum.step / 2))),
        moment_(contour_ball(1)) {
    const Ball u = twice_square(sinh_ball(theta / 2));
    moment_ = contour_ball(1) + c_ * u / (d_ - u);
    c_disc_ = disc_of(c_);
    d_disc_ = disc_of(d_);
    inverse_moment_ = disc_of(contour_ball(1) / moment_);
  }
  const Ball& moment() const { return moment_; }
  Disc ratio(const Disc&, const Disc& half_sinh) const {
    const Disc u = twice(half_sinh * half_sinh);
    const Disc rest = d_disc_ + Disc{-u.re, -u.im, u.radius};
    return (Disc{1, 0, 0} + c_disc_ * u * inverse(rest)) * inverse_moment_;
  }

 private:
  Ball c_;
  Ball d_;
  Ball moment_;
  Disc c_disc_;
  Disc d_disc_;
  Disc inverse_moment_;
};

class GaussFactor {
 public:
  GaussFactor(const GaussianSteps& sum, double theta) : moment_(contour_ball(1)) {
    const std::int64_t reach = reach_of(sum.variance, theta);
    const Ball twice_variance = contour_ball(2) * contour_ball(sum.variance);
    const Ball tilt = contour_ball(theta);
    Ball norm = contour_ball(0);
    Ball tilted = contour_ball(0);
    std::vector<Ball> masses;
    for (std::int64_t j = -reach; j <= reach; ++j) {
      const Ball x(j, kContourPrecision);
      const Ball log_mass = -(x * x / twice_variance);
      norm = norm + exp(log_mass);
      masses.push_back(exp(log_mass + tilt * x));
      tilted = tilted + masses.back();
    }
    // Beyond the reach each mass is less than half of the one before, on either side.
    const Ball last(reach + 1, kContourPrecision);
    const Ball beyond = exp(tilt * last - last * last / twice_variance) * contour_ball(4) *
                        Ball::between(0, 1, kContourPrecision);
    norm = norm + beyond;
    tilted = tilted + beyond;
    moment_ = tilted / norm;
    for (const Ball& mass : masses) masses_.push_back(disc_of(mass / tilted));
    rest_ = (beyond / tilted).upper();
  }
  const Ball& moment() const { return moment_; }
  Disc ratio(const Disc& half_turn, const Disc&) const {
    const Disc turn = half_turn * half_turn;
    const std::size_t reach = masses_.size() / 2;
    Disc sum = masses_[reach];
    Disc up{1, 0, 0};
    for (std::size_t j = 1; j <= reach; ++j) {
      up = up * turn;
      sum = sum + masses_[reach + j] * up + masses_[reach - j] * Disc{up.re, -up.im, up.radius};
    }
    sum.radius = radius_above(sum.radius + rest_);
    return sum;
  }

 private:
  Ball moment_;
  std::vector<Disc> masses_;
  double rest_ = 0;
};

StepFactor make_factor(const LaplaceSteps& sum, double theta) { return {sum, theta}; }
GaussFactor make_factor(const GaussianSteps& sum, double theta) { return {sum, theta}; }

template <class Steps>
Contour make_steps_contour(const Steps& sum, const Saddle& saddle) {
  const double theta = saddle.theta;
  const double period = std::clamp(choose_period(sum, saddle), 3.0, 0x1p50);
  const std::int64_t n = 2 * static_cast<std::int64_t>(period / 2) + 1;
  const auto factor = make_factor(sum, theta);
  const HalfSinh half_sinh(theta);
  const Ball count(n, kContourPrecision);
  const Ball half_angle = pi(kContourPrecision) / count;
  Contour contour{theta,
                  Ball(sum.count, kContourPrecision) * ln(factor.moment()),
                  half_angle * contour_ball(2),
                  contour_ball(0),
                  contour_ball(1) / count,
                  {},
                  0};
  const double enough = kContourTolerance * expected_sum(sum, saddle, 1 / static_cast<double>(n));
  contour.terms.push_back(inverse(twice(half_sinh({1, 0, 0}))));
  const Disc turn = disc_of(cos(half_angle), sin(half_angle));
  Disc turned{1, 0, 0};
  const std::int64_t last = (n - 1) / 2;
  for (std::int64_t k = 1; k <= std::min(last, kMostTerms); ++k) {
    turned = turned * turn;
    const Disc v = half_sinh(turned);
    const Disc term = pow(factor.ratio(turned, v), sum.count) * inverse(v);  // twice 1/(2v)
    contour.terms.push_back(term);
    contour.rest = radius_above(magnitude_above(term) * static_cast<double>(last - k));
    if (contour.rest <= enough) break;
  }
  return contour;
}

template <class Steps>
std::optional<std::int64_t> find_steps_bound(const Steps& sum, const Rational& alpha) {
  const double wanted = log_of(alpha);
  const Saddle saddle = find_saddle(sum, wanted);
  const Contour contour = make_steps_contour(sum, saddle);
  const LogTail tail(contour);
  // tail(k + ½) is about Pr[S > k].
  double low = -1;
  double high = std::ceil(2 * saddle.q) + 8;
  if (!(high < 0x1p50)) return std::nullopt;
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (tail(middle + 0.5) <= wanted - std::numbers::ln2 ? high : low) = middle;
  }
  for (int i = 0; i < 4; ++i, ++high) {
    if (is_proved(contour, high + 0.5, contour_ball(1), alpha)) {
      return static_cast<std::int64_t>(high);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> smallest_steps_bound(const LaplaceSteps& sum, const Rational& alpha) {
  return find_steps_bound(sum, alpha);
}
std::optional<std::int64_t> smallest_steps_bound(const GaussianSteps& sum, const Rational& alpha) {
  return find_steps_bound(sum, alpha);
}

}  // namespace lastbit::accuracy_internal
