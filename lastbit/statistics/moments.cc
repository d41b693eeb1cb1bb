#include "lastbit/statistics/moments.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "lastbit/statistics/enclosure.h"

namespace lastbit {

using statistics_internal::Enclosure;

namespace {

constexpr Enclosure kOne{1, 1};
// Far beyond any number of rows, and far from overflow when multiplied.
constexpr double kMostMagnitude = 0x1p200;
// Each round of a contraction uses what the last one found; the first few gain nearly everything.
constexpr int kRounds = 5;

// Marginal: what is known about one column: with n rows, the mean S/n and Q − S²/n, exact functions
// of the noisy numbers.
struct Marginal {
  Enclosure mean;
  Enclosure deviations;
};
Rational deviations_of(const Rational& n, const Rational& sum, const Rational& squares) {
  return squares - sum * sum / n;
}
Marginal marginal_of(const Rational& n, const Rational& sum, const Rational& squares) {
  return {Enclosure::of(sum / n), Enclosure::of(deviations_of(n, sum, squares))};
}

// contracted: the numbers x of `start` with |x·divisor − y| ≤ q(x) for some y of `centre`, where
// q(x) is at most bound(X) for x ∈ X. Nothing if there are none.
// Proof: proofs/statistics.md#contraction
std::optional<Enclosure> contracted(const Enclosure& start, const Enclosure& centre,
                                    const Enclosure& divisor,
                                    const std::function<double(const Enclosure&)>& bound) {
  std::optional<Enclosure> region = start;
  for (int i = 0; i < kRounds && region; ++i) {
    region = common(*region, statistics_internal::widened(centre, bound(*region)) / divisor);
  }
  return region;
}

// Magnitudes: of weights that lie in these intervals.
template <class... Weights>
std::array<double, sizeof...(Weights)> magnitudes(const Weights&... weights) {
  return {weights.magnitude()...};
}

// Total: the number of rows n and n − 1, if it is large enough to divide by.
struct Total {
  Enclosure rows;
  Enclosure degrees;
};
std::optional<Total> total_of(const Rational& n) {
  const Total total{Enclosure::of(n), Enclosure::of(n - Rational(1))};
  if (!(total.degrees.lower > 0) || !total.rows.within(kMostMagnitude)) return std::nullopt;
  return total;
}

// is_ordinary: no magnitude is so large that a product could overflow.
bool is_ordinary(const Marginal& marginal) {
  return marginal.mean.within(kMostMagnitude) && marginal.deviations.within(kMostMagnitude);
}

// deviations_over: of Σ(u − m)² for all m of an interval: it is n(m − S/n)² more than the least.
Enclosure deviations_over(const Total& total, const Marginal& marginal, const Enclosure& mean) {
  return marginal.deviations + total.rows * squared(mean - marginal.mean);
}

// column_mean: the region of the mean; `middle`: the numbers have a node at ½, else two corners at
// each end.
std::optional<Enclosure> column_mean(const Total& total, const Marginal& marginal, bool middle,
                                     const NoiseQuantiles& quantiles) {
  return contracted({0, 1}, marginal.mean * total.rows, total.rows, [&](const Enclosure& m) {
    const Enclosure rest = kOne - m;
    if (!middle) return quantiles.bound(magnitudes(m, m, rest, rest));
    return quantiles.bound(magnitudes(m, Enclosure{0.5, 0.5} - m, rest));
  });
}

// column_variance: the region of the variance, for columns of pairs.
std::optional<Enclosure> column_variance(const Total& total, const Enclosure& deviations,
                                         const Enclosure& mean, double inverse_tau,
                                         const NoiseQuantiles& quantiles) {
  const Enclosure low = squared(mean);
  const Enclosure high = squared(kOne - mean);
  return contracted({0, 0.5}, deviations, total.degrees, [&](const Enclosure& v) {
    const Enclosure first = low - v;
    const Enclosure last = high - v;
    return quantiles.bound(
        magnitudes(first, first, last, last, Enclosure{inverse_tau, inverse_tau}));
  });
}

// estimate_of: the answer, cut to what is possible, and a region that holds it.
Estimate estimate_of(const Rational& answer, const std::optional<Enclosure>& region,
                     const Range& possible) {
  const Rational cut = std::clamp(answer, possible.lower, possible.upper);
  if (!region) return {cut, possible.lower, possible.upper};
  return {cut, std::min(cut, std::max(possible.lower, Rational::exactly(region->lower))),
          std::max(cut, std::min(possible.upper, Rational::exactly(region->upper)))};
}

std::vector<Rational> divided_by(const Rational& unit, std::span<const Rational> numbers) {
  std::vector<Rational> values(numbers.begin(), numbers.end());
  for (Rational& value : values) value /= unit;
  return values;
}

// PairSums: the moments that the corners and, for a correlation, the two other numbers give.
struct PairSums {
  Rational n;
  Rational first;
  Rational second;
  Rational products;
};
PairSums pair_sums(const std::vector<Rational>& c) {
  return {c[0] + c[1] + c[2] + c[3], c[2] + c[3], c[1] + c[3], c[3]};
}

// divisor_of: what an answer divides by: n, but at least 2.
Rational divisor_of(const Rational& n) { return std::max(n, Rational(2)); }

Rational products_about_means(const PairSums& s, const Rational& n) {
  return s.products - s.first * s.second / n;
}

std::optional<Enclosure> variance_region(const Total& total, const Marginal& marginal,
                                         SquareBasis basis, const NoiseQuantiles& for_mean,
                                         const NoiseQuantiles& for_variance) {
  if (!is_ordinary(marginal)) return std::nullopt;
  const auto mean = column_mean(total, marginal, true, for_mean);
  if (!mean) return std::nullopt;
  const Enclosure low = squared(*mean);
  const Enclosure high = squared(kOne - *mean);
  const Enclosure middle = basis == SquareBasis::kBernstein ? -(*mean * (kOne - *mean))
                                                            : squared(Enclosure{0.5, 0.5} - *mean);
  return contracted({0, 0.5}, deviations_over(total, marginal, *mean), total.degrees,
                    [&](const Enclosure& v) {
                      return for_variance.bound(magnitudes(low - v, middle - v, high - v));
                    });
}

std::optional<Enclosure> covariance_region(const Total& total, const Enclosure& products,
                                           const Enclosure& first_mean,
                                           const Enclosure& second_mean,
                                           const NoiseQuantiles& for_means,
                                           const NoiseQuantiles& for_covariance) {
  const Marginal first{first_mean, products};
  const Marginal second{second_mean, products};
  if (!is_ordinary(first) || !is_ordinary(second)) return std::nullopt;
  const auto x = column_mean(total, first, false, for_means);
  const auto y = column_mean(total, second, false, for_means);
  if (!x || !y) return std::nullopt;
  const Enclosure centre = products + total.rows * ((*x - first_mean) * (*y - second_mean));
  const Enclosure x1 = kOne - *x;
  const Enclosure y1 = kOne - *y;
  return contracted({-0.5, 0.5}, centre, total.degrees, [&](const Enclosure& c) {
    return for_covariance.bound(
        magnitudes(*x * *y - c, -(*x * y1) - c, -(x1 * *y) - c, x1 * y1 - c));
  });
}

// Scales: κ, the quotient of the standard deviations, and 1/κ.
struct Scales {
  Enclosure kappa;
  Enclosure inverse;
};

// PairBox: what is known about the means, the deviations and κ of two columns.
struct PairBox {
  Enclosure x;
  Enclosure y;
  Enclosure centre;   // of Σ(u − x)(v − y)
  Enclosure divisor;  // of (Σ(u − x)²/κ + κΣ(v − y)²)/2
  Scales scales;
};
std::optional<PairBox> pair_box(const Total& total, const Enclosure& products,
                                const Marginal& first, const Marginal& second, double inverse_tau,
                                const NoiseQuantiles& quantiles) {
  if (!is_ordinary(first) || !is_ordinary(second) || !products.within(kMostMagnitude)) {
    return std::nullopt;
  }
  const auto x = column_mean(total, first, false, quantiles);
  const auto y = column_mean(total, second, false, quantiles);
  if (!x || !y) return std::nullopt;
  const Enclosure dx = deviations_over(total, first, *x);
  const Enclosure dy = deviations_over(total, second, *y);
  const auto vx = column_variance(total, dx, *x, inverse_tau, quantiles);
  const auto vy = column_variance(total, dy, *y, inverse_tau, quantiles);
  const auto positive = [](const Enclosure& e) { return e.lower > 0x1p-100; };
  if (!vx || !vy || !positive(*vx) || !positive(*vy) || !positive(dx) || !positive(dy)) {
    return std::nullopt;
  }
  const Scales scales{root(*vx / *vy), root(*vy / *vx)};
  // Convex in κ, so largest at an end; by the means' inequality never below the geometric one.
  const auto at = [&](double kappa, double inverse) {
    const Enclosure sum = Enclosure{dx.upper, dx.upper} * Enclosure{inverse, inverse} +
                          Enclosure{dy.upper, dy.upper} * Enclosure{kappa, kappa};
    return (sum * Enclosure{0.5, 0.5}).upper;
  };
  const double most = std::max(at(scales.kappa.lower, scales.inverse.upper),
                               at(scales.kappa.upper, scales.inverse.lower));
  const double least = root(dx * dy).lower;
  if (!(least > 0)) return std::nullopt;
  return PairBox{*x,
                 *y,
                 products + total.rows * ((*x - first.mean) * (*y - second.mean)),
                 {least, std::max(least, most)},
                 scales};
}

std::optional<Enclosure> correlation_region(const PairBox& box, double inverse_tau,
                                            const NoiseQuantiles& quantiles) {
  const Enclosure half{0.5, 0.5};
  const Enclosure tau{inverse_tau, inverse_tau};
  return contracted({-1, 1}, box.centre, box.divisor, [&](const Enclosure& r) {
    const Enclosure first = half * r * box.scales.inverse;
    const Enclosure second = half * r * box.scales.kappa;
    const auto corner = [&](const Enclosure& i, const Enclosure& j) {
      const Enclosure dx = i - box.x;
      const Enclosure dy = j - box.y;
      return dx * dy - (first * squared(dx) + second * squared(dy));
    };
    const Enclosure zero;
    return quantiles.bound(magnitudes(corner(zero, zero), corner(zero, kOne), corner(kOne, zero),
                                      corner(kOne, kOne), first * tau, second * tau));
  });
}

// root_quotient_of: a/√b, cut to [−1, 1]; 0 if b is not positive.
Rational root_quotient_of(const Rational& a, const Rational& b) {
  if (b.sign() <= 0) return 0;
  const Rational size = root_down(std::min(a * a / b, Rational(1)));
  return a.sign() < 0 ? -size : size;
}

}  // namespace

VarianceEstimator::VarianceEstimator(const NoiseLaw& law, std::int64_t terms, const Rational& unit,
                                     SquareBasis basis, const Rational& alpha)
    : unit_(unit),
      basis_(basis),
      for_mean_(law, terms, unit, alpha / Rational(20)),
      for_variance_(law, terms, unit, alpha * Rational(19, 20)) {}

Estimate VarianceEstimator::estimate(std::span<const Rational> numbers) const {
  const std::vector<Rational> c = divided_by(unit_, numbers);
  const Rational n = c[0] + c[1] + c[2];
  const Rational sum = c[1] / Rational(2) + c[2];
  const Rational squares = basis_ == SquareBasis::kBernstein ? c[2] : c[1] / Rational(4) + c[2];
  const Rational k = divisor_of(n);
  const Rational answer = deviations_of(k, sum, squares) / (k - Rational(1));
  std::optional<Enclosure> region;
  if (const auto total = total_of(n)) {
    region =
        variance_region(*total, marginal_of(n, sum, squares), basis_, for_mean_, for_variance_);
  }
  return estimate_of(answer, region, {0, Rational(1, 2)});
}

CovarianceEstimator::CovarianceEstimator(const NoiseLaw& law, std::int64_t terms,
                                         const Rational& unit, const Rational& alpha)
    : unit_(unit),
      for_means_(law, terms, unit, alpha / Rational(20)),
      for_covariance_(law, terms, unit, alpha * Rational(18, 20)) {}

Estimate CovarianceEstimator::estimate(std::span<const Rational> numbers) const {
  const PairSums s = pair_sums(divided_by(unit_, numbers));
  const Rational k = divisor_of(s.n);
  const Rational answer = products_about_means(s, k) / (k - Rational(1));
  std::optional<Enclosure> region;
  if (const auto total = total_of(s.n)) {
    region = covariance_region(*total, Enclosure::of(products_about_means(s, s.n)),
                               Enclosure::of(s.first / s.n), Enclosure::of(s.second / s.n),
                               for_means_, for_covariance_);
  }
  return estimate_of(answer, region, {Rational(-1, 2), Rational(1, 2)});
}

CorrelationEstimator::CorrelationEstimator(const NoiseLaw& law, std::int64_t terms,
                                           const Rational& unit, const Rational& tau,
                                           const Rational& alpha)
    : unit_(unit),
      tau_(tau),
      for_columns_(law, terms, unit, alpha / Rational(20)),
      for_correlation_(law, terms, unit, alpha * Rational(16, 20)) {}

Estimate CorrelationEstimator::estimate(std::span<const Rational> numbers) const {
  const std::vector<Rational> c = divided_by(unit_, numbers);
  const PairSums s = pair_sums(c);
  const Rational first_squares = s.first - c[4] / tau_;
  const Rational second_squares = s.second - c[5] / tau_;
  const Rational k = divisor_of(s.n);
  const Rational v = deviations_of(k, s.first, first_squares);
  const Rational w = deviations_of(k, s.second, second_squares);
  const bool vary = v.sign() > 0 && w.sign() > 0;
  const Rational answer = vary ? root_quotient_of(products_about_means(s, k), v * w) : Rational(0);
  std::optional<Enclosure> region;
  if (const auto total = total_of(s.n)) {
    const double inverse_tau = (Rational(1) / tau_).up();
    const auto box =
        pair_box(*total, Enclosure::of(products_about_means(s, s.n)),
                 marginal_of(s.n, s.first, first_squares),
                 marginal_of(s.n, s.second, second_squares), inverse_tau, for_columns_);
    if (box) region = correlation_region(*box, inverse_tau, for_correlation_);
  }
  return estimate_of(answer, region, {-1, 1});
}

}  // namespace lastbit
