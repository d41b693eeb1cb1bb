#include "lastbit/release/kinds/moment_numbers.h"

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "lastbit/release/plan/plan_aggregation.h"
#include "lastbit/statistics/moment_errors.h"

namespace lastbit::release_internal {
namespace {

using Weights = std::vector<Integer>;

// Ends: the smallest and the largest number of steps, and their difference.
struct Ends {
  Integer low;
  Integer high;
  Integer width() const { return high - low; }
};
Ends ends_of_steps(const SteppedField& field) {
  const StepRange range = step_range(field);
  return {Integer(range.lowest), Integer(range.highest)};
}

// Line: a + b·y for the steps y of a field. below: y − low, above: high − y.
struct Line {
  Integer constant;
  Integer slope;
};
Line below(const Ends& ends) { return {-ends.low, 1}; }
Line above(const Ends& ends) { return {ends.high, -1}; }

// square_weights: factor·f(y)·g(y) in terms of 1, y and y².
Weights square_weights(const Integer& factor, const Line& f, const Line& g) {
  return {factor * f.constant * g.constant, factor * (f.constant * g.slope + f.slope * g.constant),
          factor * f.slope * g.slope};
}

// product_weights: factor·f(y)·g(z) in terms of 1, y, z and yz, with zeros for `more` others.
Weights product_weights(const Integer& factor, const Line& f, const Line& g, std::size_t more) {
  Weights weights = {factor * f.constant * g.constant, factor * f.slope * g.constant,
                     factor * f.constant * g.slope, factor * f.slope * g.slope};
  weights.resize(4 + more);
  return weights;
}

// corner_weights_of: the four products of distances from the bounds.
std::vector<Weights> corner_weights_of(const Integer& factor, const Ends& x, const Ends& y,
                                       std::size_t more) {
  return {product_weights(factor, above(x), above(y), more),
          product_weights(factor, above(x), below(y), more),
          product_weights(factor, below(x), above(y), more),
          product_weights(factor, below(x), below(y), more)};
}

}  // namespace

SquareBasis square_basis(const LossShare& share) {
  return share.concentrated ? SquareBasis::kNodes : SquareBasis::kBernstein;
}

MomentNumbers square_numbers(const SteppedField& field, SquareBasis basis) {
  const Ends ends = ends_of_steps(field);
  const Line u = below(ends);
  const Line rest = above(ends);
  const Rational unit =
      Rational(ends.width() * ends.width()) * Rational::two_to(2 * field.grid_exponent);
  if (basis == SquareBasis::kBernstein) {
    return {{"sums of quadratic terms",
             {square_weights(1, rest, rest), square_weights(2, u, rest), square_weights(1, u, u)},
             2 * field.grid_exponent},
            unit};
  }
  // N − 2s and 2s − N, for s = y − low and N = high − low.
  const Line left{ends.high + ends.low, -2};
  const Line right{-ends.high - ends.low, 2};
  return {{"sums of quadratic terms",
           {square_weights(1, rest, left), square_weights(4, u, rest), square_weights(1, u, right)},
           2 * field.grid_exponent},
          unit};
}

VariancePlan plan_variance_of(const Drafter& drafter, const BoundedColumn& column) {
  const SquareBasis basis = square_basis(drafter.share());
  const MomentNumbers numbers =
      square_numbers(stepped_field(drafter.release(), column, true), basis);
  const Rational unit = numbers.unit;
  Drafter::JointKind kind;
  kind.estimator = [basis, unit, alpha = drafter.alpha()](const NumberNoise& noise) {
    return [unit, estimator = VarianceEstimator(noise.law, noise.terms, unit, basis, alpha)](
               std::span<const Rational> sums) -> std::optional<Estimate> {
      return scaled(estimator.estimate(sums), unit);
    };
  };
  kind.error = [basis, unit](const NumberNoise& noise, const Integer& rows, const Rational& alpha) {
    return variance_error({noise.law, unit, rows, noise.terms}, basis, alpha) * unit;
  };
  kind.width = unit / Rational(2);
  return {numbers.joint, kind};
}

MomentNumbers corner_numbers(const SteppedField& first, const SteppedField& second) {
  const Ends x = ends_of_steps(first);
  const Ends y = ends_of_steps(second);
  const int exponent = first.grid_exponent + second.grid_exponent;
  return {
      {"sums of products of distances from the bounds", corner_weights_of(1, x, y, 0), exponent},
      Rational(x.width() * y.width()) * Rational::two_to(exponent)};
}

Integer correlation_tau(const LossShare& share) { return share.concentrated ? 2 : 1; }

MomentNumbers correlation_numbers(const SteppedField& first, const SteppedField& second,
                                  const Integer& tau) {
  const Ends x = ends_of_steps(first);
  const Ends y = ends_of_steps(second);
  const int exponent = first.grid_exponent + second.grid_exponent;
  // All numbers in units of NM·nm, for the widths N and M and their quotient n/m in lowest terms.
  const Rational quotient(x.width(), y.width());
  const Integer n = quotient.numerator();
  const Integer m = quotient.denominator();
  std::vector<Weights> weights = corner_weights_of(n * m, x, y, 2);
  const Weights of_x = square_weights(tau * m * m, below(x), above(x));
  const Weights of_y = square_weights(tau * n * n, below(y), above(y));
  weights.push_back({of_x[0], of_x[1], 0, 0, of_x[2], 0});
  weights.push_back({of_y[0], 0, of_y[1], 0, 0, of_y[2]});
  return {{"sums of products of distances from the bounds", std::move(weights), exponent},
          Rational(x.width() * y.width() * n * m) * Rational::two_to(exponent)};
}

}  // namespace lastbit::release_internal
