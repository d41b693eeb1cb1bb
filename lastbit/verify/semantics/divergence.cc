#include "lastbit/verify/semantics/divergence.h"

namespace lastbit::verify {

void check_exp_epsilon(const Rational& exp_epsilon) {
  if (exp_epsilon < Rational(1)) {
    throw Error::bad_parameter("divergence", "exp_epsilon", "is below 1",
                               "give e^epsilon for an epsilon >= 0");
  }
}

FiniteDistribution<Rational> dilated(const FiniteDistribution<Rational>& law,
                                     const Rational& exp_epsilon, DilationDirection direction) {
  check_exp_epsilon(exp_epsilon);
  const Rational factor =
      direction == DilationDirection::kTowardsZero ? exp_epsilon : Rational(1) / exp_epsilon;
  return law.map([&](const Rational& value) { return value * factor; })
      .reweighted([&](const Rational&) { return exp_epsilon; });
}

Excess<Rational> dilation_divergence(const FiniteDistribution<Rational>& left,
                                     const FiniteDistribution<Rational>& right,
                                     const Rational& exp_epsilon, DilationDirection direction) {
  return divergence(left, dilated(right, exp_epsilon, direction), Rational(1));
}

}  // namespace lastbit::verify
