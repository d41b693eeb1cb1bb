// approximate_epsilon of cost.h: from rho to (epsilon, delta).
#include "lastbit/accounting/cost.h"
#include "lastbit/numerics/ball.h"

namespace lastbit {
namespace {

constexpr int kPrecision = 128;
// Factors by which the order's excess over 1 is changed: 2, 3/2, 5/4, …, each tried until it no
// longer helps. The bound is flat around its best order, so 2^-16 is small enough.
constexpr int kSteps = 16;

Ball ball(const Rational& value) { return {value, kPrecision}; }

// epsilon_at: the bound for the order 1 + excess. The logarithms are written in terms of the
// excess, so that they are tight for orders close to 1 and for large ones.
Rational epsilon_at(const Rational& rho, const Ball& log_inverse_delta, const Rational& excess) {
  const Ball u = ball(excess);
  const Ball bound =
      ball(rho * (excess + Rational(1))) + (log_inverse_delta - log1p(u)) / u - log1p(ball(1) / u);
  const Rational epsilon = bound.upper_rational();
  return epsilon.sign() < 0 ? Rational(0) : epsilon;
}

}  // namespace

Rational approximate_epsilon(const Rational& rho, const Rational& delta) {
  if (rho.sign() < 0) {
    throw Error::bad_parameter("approximate_epsilon", "rho", "is negative",
                               "give a number that is 0 or more");
  }
  if (delta.sign() <= 0 || delta >= Rational(1)) {
    throw Error::bad_parameter("approximate_epsilon", "delta", "is not between 0 and 1",
                               "give a small positive probability");
  }
  if (rho.sign() == 0) return 0;
  const Ball log_inverse_delta = -ln(ball(delta));
  // The order that is best for the looser bound rho·α + ln(1/δ)/(α−1); the search starts here.
  Rational excess = sqrt(log_inverse_delta / ball(rho)).upper_rational();
  Rational best = epsilon_at(rho, log_inverse_delta, excess);
  for (int step = 0; step <= kSteps; ++step) {
    const Rational factor = Rational(1) + Rational::two_to(-step);
    for (const Rational& change : {factor, Rational(1) / factor}) {
      for (;;) {
        const Rational next = Ball(excess * change, 64).upper_rational();
        const Rational epsilon = epsilon_at(rho, log_inverse_delta, next);
        if (epsilon >= best) break;
        excess = next;
        best = epsilon;
      }
    }
  }
  return best;
}

Cost convert(const Cost& cost, const Rational& delta) {
  if (delta.sign() <= 0) {
    throw Error::bad_parameter("convert", "delta", "is not above 0",
                               "give a small positive probability");
  }
  if (cost.kind() != LossKind::kConcentrated) {
    return Cost::approximate(cost.epsilon(), cost.delta());
  }
  if (cost.rho().sign() == 0) return Cost::approximate(0, cost.delta());
  return Cost::approximate(approximate_epsilon(cost.rho(), delta), cost.delta() + delta);
}

}  // namespace lastbit
