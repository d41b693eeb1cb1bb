#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numbers>
#include <optional>
#include <vector>

#include "lastbit/accuracy/contour_sum.h"

namespace lastbit::accuracy_internal {

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

namespace {

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

// Σ c_i·e^(−q/w_i), which is Pr[|S| > q].
struct SeparatedTail {
  std::vector<double> widths;
  std::vector<Ball> coefficients;
};

std::optional<SeparatedTail> make_separated(const RealSum& sum) {
  constexpr std::size_t kMost = 6;
  if (sum.variance > 0 || sum.laplace.size() > kMost) return std::nullopt;
  SeparatedTail tail;
  for (const auto& part : sum.laplace) {
    if (part.count != 1) return std::nullopt;
    tail.widths.push_back(part.width);
  }
  std::ranges::sort(tail.widths, std::greater<>());
  for (std::size_t i = 1; i < tail.widths.size(); ++i) {
    if (tail.widths[i] > 0.9 * tail.widths[i - 1]) return std::nullopt;
  }
  for (const double own : tail.widths) {
    Ball above = contour_ball(1);
    Ball below = contour_ball(1);
    for (const double other : tail.widths) {
      if (other == own) continue;
      above = above * contour_ball(own) * contour_ball(own);
      below = below * (contour_ball(own) - contour_ball(other)) *
              (contour_ball(own) + contour_ball(other));
    }
    tail.coefficients.push_back(above / below);
  }
  return tail;
}

// About where the tail is e^wanted. Its logarithm is concave, so that Newton's method comes down to
// it.
double solve(const SeparatedTail& tail, double wanted) {
  std::vector<double> coefficients;
  for (const Ball& ball : tail.coefficients) coefficients.push_back(ball.upper());
  const double first = tail.widths.front();
  double q = first * (std::log(coefficients.front()) - wanted);
  for (int i = 0; i < 30; ++i) {
    double sum = 0;
    double slope = 0;
    for (std::size_t j = 0; j < coefficients.size(); ++j) {
      const double part = coefficients[j] * std::exp(q / first - q / tail.widths[j]);
      sum += part;
      slope += part / tail.widths[j];
    }
    const double change = (std::log(sum) - q / first - wanted) * sum / slope;
    q += change;
    if (!(std::abs(change) > 1e-7 * q)) break;
  }
  return q;
}

}  // namespace

std::optional<double> smallest_separated_bound(const RealSum& sum, const Rational& alpha) {
  const std::optional<SeparatedTail> tail = make_separated(sum);
  if (!tail) return std::nullopt;
  const Ball wanted(alpha, kContourPrecision);
  double q = solve(*tail, log_of(alpha));
  for (double step = 0x1p-22; step < 0.5 && std::isfinite(q) && q >= 0; step *= 8) {
    q *= 1 + step;
    Ball bound = contour_ball(0);
    for (std::size_t i = 0; i < tail->widths.size(); ++i) {
      bound =
          bound + tail->coefficients[i] * exp(-(contour_ball(q) / contour_ball(tail->widths[i])));
    }
    if (certainly_less_or_equal(bound, wanted)) return q;
  }
  return std::nullopt;
}

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

}  // namespace lastbit::accuracy_internal
