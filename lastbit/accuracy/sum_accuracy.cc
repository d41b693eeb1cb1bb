#include "lastbit/accuracy/sum_accuracy.h"

#include <algorithm>
#include <string_view>

#include "lastbit/accuracy/accuracy.h"
#include "lastbit/accuracy/gaussian_accuracy.h"
#include "lastbit/accuracy/refusals.h"
#include "lastbit/base/error.h"
#include "lastbit/numerics/ball.h"

namespace lastbit {
namespace {

Ball ball_of(const Rational& value) { return Ball(value, kAccuracyPrecision); }

void require_terms(std::string_view place, std::int64_t terms) {
  if (terms > 0) return;
  throw Error::bad_parameter(place, "terms", "is not positive", "add at least one number");
}

// ln E[e^(tX)] for t = θ/λ: X is Laplace noise, rounded to multiples of Λ = s·λ if `on_grid`.
Ball log_moment(const Ball& theta, const Ball& s, bool on_grid) {
  const Ball one = ball_of(1);
  if (!on_grid) return -log1p(-theta * theta);
  const Ball half = s / ball_of(2);
  const Ball up = one / expm1(s - theta * s);
  const Ball down = one / expm1(s + theta * s);
  return ln(sinh(half) * (up + down) - expm1(-half));
}

// Chernoff's bound for one θ after another, from large to small, until it gets worse.
Rational chernoff_bound(const Rational& steps_per_scale, bool on_grid, std::int64_t terms,
                        const Rational& alpha) {
  constexpr int kMostSteps = 200;
  const Ball s = ball_of(steps_per_scale);
  const Ball log_alpha = ln(ball_of(Rational(2) / alpha));
  Rational theta(15, 16);
  Rational best = 0;
  for (int i = 0; i < kMostSteps; ++i) {
    const Ball moment = ball_of(Rational(terms)) * log_moment(ball_of(theta), s, on_grid);
    const Rational bound = ((log_alpha + moment) / ball_of(theta)).upper_rational();
    if (i > 0 && bound >= best) break;
    best = bound;
    theta *= Rational(7, 8);
  }
  return best;
}

}  // namespace

Rational laplace_sum_accuracy(const Rational& scale, const Grid& grid, SumInputs inputs,
                              std::int64_t terms, const Rational& alpha) {
  require_terms("laplace_sum_accuracy", terms);
  const Rational count(terms);
  Rational bound = count * smallest_accuracy(scale, grid, alpha / count).ball.upper_rational();
  if (inputs == SumInputs::kAnywhere) {
    const Rational noise = chernoff_bound(grid.spacing() / scale, false, terms, alpha);
    return std::min(bound, noise * scale + count * grid.spacing() / Rational(2));
  }
  bound = std::min(bound, scale * chernoff_bound(grid.spacing() / scale, true, terms, alpha));
  return grid.point(grid.floor_index(bound));
}

Rational gaussian_sum_accuracy(const Rational& variance, const Grid& grid, std::int64_t terms,
                               const Rational& alpha) {
  require_terms("gaussian_sum_accuracy", terms);
  const Rational count(terms);
  const Rational one_by_one = count * gaussian_accuracy(variance, grid, alpha / count);
  const Ball squared = ball_of(Rational(2) * count * variance) * ln(ball_of(Rational(2) / alpha));
  const Rational together = sqrt(squared).upper_rational();
  return std::min(one_by_one, grid.point(grid.floor_index(together)));
}

}  // namespace lastbit
