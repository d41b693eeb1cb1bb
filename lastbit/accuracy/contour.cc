#include "lastbit/accuracy/contour.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace lastbit::accuracy_internal {
namespace {

// How far above the tail the sum may be, relatively: by its period, and by what is left out.
constexpr double kContourTolerance = 1e-4;
constexpr std::int64_t kMostTerms = 1 << 13;

Ball contour_ball(double value) { return Ball::exactly(value, kContourPrecision); }

// The first 24 bits of a positive number, so that products of two are exact.
double cut_to_24_bits(double value) {
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return std::ldexp(std::floor(std::ldexp(mantissa, 24)), exponent - 24);
}

// ln E[e^(θS)] and its derivatives. These choose the contour and prove nothing.
struct Cumulants {
  double value;
  double first;
  double second;
};

Cumulants cumulants(const RealSum& sum, double theta) {
  Cumulants all{theta * theta * sum.variance / 2, theta * sum.variance, sum.variance};
  for (const auto& [width, count] : sum.laplace) {
    const double x = width * theta;
    const double left = 1 - x * x;
    const auto m = static_cast<double>(count);
    all.value -= m * std::log1p(-x * x);
    all.first += m * 2 * width * x / left;
    all.second += m * 2 * width * width * (1 + x * x) / (left * left);
  }
  return all;
}
double theta_limit(const RealSum& sum) {
  double widest = 0;
  for (const auto& part : sum.laplace) widest = std::max(widest, part.width);
  return 1 / widest;
}

Cumulants cumulants(const LatticeSum& sum, double theta) {
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
double theta_limit(const LatticeSum& sum) { return sum.step; }

// ln(e^(x²)·erfc(x)) for x ≥ 0.
double log_scaled_erfc(double x) {
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
  return std::max(needed / saddle.theta, right);
}

// Pr[S > q] ≤ weight·e^(log_moment − θq)·(Σ_k Re(terms_k·e^(ik·step·(shift − q))) + rest), where terms
// beyond the first are counted twice already.
struct Contour {
  double theta;
  Ball log_moment;
  Ball step;
  Ball shift;
  Ball weight;
  std::vector<Disc> terms;
  double rest;
};

// About how large the sum of the terms will be.
template <class Sum>
double expected_sum(const Sum& sum, const Saddle& saddle, double weight) {
  const Cumulants k = cumulants(sum, saddle.theta);
  return std::exp(saddle.log_alpha - k.value + saddle.theta * saddle.q) / (2 * weight);
}

Disc twice(const Disc& a) { return {2 * a.re, 2 * a.im, 2 * a.radius}; }

// The moment at θ + it over the moment at θ, inverted, and how fast its magnitude falls with t: as
// t^(−power) at least, from here on.
struct RealFactor {
  Disc inverse;
  double power;
};
RealFactor real_factor(const RealSum& sum, double theta, double t) {
  RealFactor factor{{1, 0, 0}, sum.variance * t * t + t * t / (theta * theta + t * t)};
  for (const auto& [width, count] : sum.laplace) {
    const double x = width * theta;  // exact
    const double y = width * t;
    const double left = 1 - x;
    const double right = 1 + x;
    const double ends = left * right;
    const Disc one = disc_about(1 + y * y / ends, -2 * y * x / ends, 8 * kDiscUnit);
    factor.inverse = factor.inverse * pow(one, count);
    factor.power += static_cast<double>(count) *
                    (y * y / (left * left + y * y) + y * y / (right * right + y * y));
  }
  factor.power *= 1 - 0x1p-40;
  return factor;
}

Contour make_contour(const RealSum& sum, const Saddle& saddle) {
  const double theta = saddle.theta;
  const double h = cut_to_24_bits(2 * std::numbers::pi / choose_period(sum, saddle));
  const Ball step = contour_ball(h);
  const Ball variance = contour_ball(sum.variance);
  const Ball at = contour_ball(theta);
  Ball log_moment = variance * at * at / contour_ball(2);
  for (const auto& [width, count] : sum.laplace) {
    const Ball x = contour_ball(width) * at;
    log_moment = log_moment - Ball(count, kContourPrecision) * log1p(-(x * x));
  }
  Contour contour{
      theta, log_moment, step, variance * at, step / (contour_ball(2) * pi(kContourPrecision)),
      {},    0};
  const double enough = kContourTolerance * expected_sum(sum, saddle, h / (2 * std::numbers::pi));
  contour.terms.push_back(inverse(disc_about(theta, 0, 0)));
  // e^(−variance·t²/2) for t = k·h, and the factor to the next.
  Disc gauss{1, 0, 0};
  Disc ratio = disc_of(exp(-(variance * step * step / contour_ball(2))));
  const Disc ratio_ratio = disc_of(exp(-(variance * step * step)));
  for (std::int64_t k = 1; k <= kMostTerms; ++k) {
    const double t = static_cast<double>(k) * h;  // exact
    const RealFactor factor = real_factor(sum, theta, t);
    Disc term = inverse(factor.inverse * disc_about(theta, t, 0));
    if (sum.variance > 0) {
      gauss = gauss * ratio;
      ratio = ratio * ratio_ratio;
      term = term * gauss;
    }
    contour.terms.push_back(twice(term));
    contour.rest =
        radius_above(2 * magnitude_above(term) * static_cast<double>(k) / (factor.power - 1));
    if (factor.power > 1 && contour.rest <= enough) break;
    if (factor.power <= 1) contour.rest = std::numeric_limits<double>::infinity();
  }
  return contour;
}

// The moment of one rounded variate at θ + it over that at θ.
class LatticeFactor {
 public:
  LatticeFactor(double step, double theta)
      : c_(cosh_of(step / 2)),
        d_(twice_square(contour_sinh(step / 2))),
        sinh_(disc_of(contour_sinh(theta / 2))),
        cosh_(disc_of(cosh_of(theta / 2))),
        moment_(moment_at(twice_square(contour_sinh(theta / 2)))),
        c_disc_(disc_of(c_)),
        d_disc_(disc_of(d_)),
        inverse_moment_(disc_of(contour_ball(1) / moment_)) {}

  const Ball& moment() const { return moment_; }
  // sinh((θ + it)/2) from e^(it/2).
  Disc half_sinh(const Disc& turn) const {
    const double re = sinh_.re * turn.re;
    const double im = cosh_.re * turn.im;
    return {re, im,
            radius_above(magnitude_above(cosh_) * turn.radius +
                         (sinh_.radius + cosh_.radius) * magnitude_above(turn) +
                         2 * kDiscUnit * magnitude_above(re, im))};
  }
  Disc ratio(const Disc& half_sinh) const {
    const Disc u = twice(half_sinh * half_sinh);
    const Disc rest = d_disc_ + Disc{-u.re, -u.im, u.radius};
    return (Disc{1, 0, 0} + c_disc_ * u * inverse(rest)) * inverse_moment_;
  }

 private:
  static Ball contour_sinh(double x) { return sinh(contour_ball(x)); }
  static Ball cosh_of(double x) { return cosh(contour_ball(x)); }
  static Ball twice_square(const Ball& x) { return contour_ball(2) * x * x; }
  Ball moment_at(const Ball& u) const { return contour_ball(1) + c_ * u / (d_ - u); }

  Ball c_;
  Ball d_;
  Disc sinh_;
  Disc cosh_;
  Ball moment_;
  Disc c_disc_;
  Disc d_disc_;
  Disc inverse_moment_;
};

Contour make_contour(const LatticeSum& sum, const Saddle& saddle) {
  const double theta = saddle.theta;
  const double period = std::clamp(choose_period(sum, saddle), 3.0, 0x1p50);
  const std::int64_t n = 2 * static_cast<std::int64_t>(period / 2) + 1;
  const LatticeFactor factor(sum.step, theta);
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
  contour.terms.push_back(inverse(twice(factor.half_sinh({1, 0, 0}))));
  const Disc turn = disc_of(cos(half_angle), sin(half_angle));
  Disc turned{1, 0, 0};
  const std::int64_t last = (n - 1) / 2;
  for (std::int64_t k = 1; k <= std::min(last, kMostTerms); ++k) {
    turned = turned * turn;
    const Disc v = factor.half_sinh(turned);
    const Disc term = pow(factor.ratio(v), sum.count) * inverse(v);  // twice 1/(2v)
    contour.terms.push_back(term);
    contour.rest = radius_above(magnitude_above(term) * static_cast<double>(last - k));
    if (contour.rest <= enough) break;
  }
  return contour;
}

// tail_bound: at least Pr[S > q], proved; for lattices Pr[S ≥ q + ½].
Ball tail_bound(const Contour& contour, double q) {
  const Ball at = contour_ball(q);
  const Ball angle = contour.step * (contour.shift - at);
  const Disc turn = disc_of(cos(angle), sin(angle));
  Disc turned{1, 0, 0};
  double sum = 0;
  double radius = contour.rest;
  for (const Disc& term : contour.terms) {
    const Disc part = term * turned;
    sum += part.re;
    radius += part.radius + kDiscUnit * std::abs(sum);
    turned = turned * turn;
  }
  const double high = sum + radius * (1 + 0x1p-30);
  if (!std::isfinite(high)) return contour_ball(2);
  return contour.weight * exp(contour.log_moment - contour_ball(contour.theta) * at) *
         contour_ball(high);
}

// LogTail: the logarithm of the same bound, quickly and without proof.
class LogTail {
 public:
  explicit LogTail(const Contour& contour)
      : contour_(&contour),
        step_(contour.step.upper()),
        shift_(contour.shift.upper()),
        start_(contour.log_moment.upper() + std::log(contour.weight.upper())) {}

  double operator()(double q) const {
    const double angle = step_ * (shift_ - q);
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    double re = 1;
    double im = 0;
    double sum = contour_->rest;
    for (const Disc& term : contour_->terms) {
      sum += term.re * re - term.im * im;
      const double next = re * c - im * s;
      im = re * s + im * c;
      re = next;
    }
    return start_ - contour_->theta * q + std::log(std::max(sum, 0x1p-1000));
  }

 private:
  const Contour* contour_;
  double step_;
  double shift_;
  double start_;
};

// About where the tail is e^wanted, by the secant method.
double solve(const LogTail& tail, const Saddle& saddle, double wanted) {
  double q = saddle.q;
  double excess = tail(q) - wanted;
  double slope = -saddle.theta;
  for (int i = 0; i < 8 && std::abs(excess) > 1e-6; ++i) {
    const double next = std::max(q - excess / slope, q / 8);
    const double next_excess = tail(next) - wanted;
    const double new_slope = (next_excess - excess) / (next - q);
    if (new_slope < 0 && std::isfinite(new_slope)) slope = new_slope;
    q = next;
    excess = next_excess;
  }
  return q;
}

double log_of(const Rational& alpha) { return ln(Ball(alpha, kContourPrecision)).upper(); }

bool is_proved(const Contour& contour, double q, const Ball& factor, const Rational& alpha) {
  const Ball both = Ball(2, kContourPrecision) * factor * tail_bound(contour, q);
  return certainly_less_or_equal(both, Ball(alpha, kContourPrecision));
}

}  // namespace

std::optional<double> smallest_real_bound(const RealSum& sum, const Ball& factor,
                                          const Rational& alpha) {
  const double wanted = log_of(alpha) - std::log(factor.upper());
  const Saddle saddle = find_saddle(sum, wanted);
  const Contour contour = make_contour(sum, saddle);
  double q = solve(LogTail(contour), saddle, wanted - std::numbers::ln2);
  for (double step = 0x1p-18; step < 0.5 && std::isfinite(q) && q >= 0; step *= 8) {
    q *= 1 + step;
    if (is_proved(contour, q, factor, alpha)) return q;
  }
  return std::nullopt;
}

std::optional<std::int64_t> smallest_lattice_bound(const LatticeSum& sum, const Rational& alpha) {
  const double wanted = log_of(alpha);
  const Saddle saddle = find_saddle(sum, wanted);
  const Contour contour = make_contour(sum, saddle);
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

}  // namespace lastbit::accuracy_internal
