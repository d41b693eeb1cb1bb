#include "lastbit/verify/semantics/finite_distribution.h"

namespace lastbit::verify {
namespace {

void check_lattice_law(const char* place, const Rational& alpha, int cut) {
  if (alpha.sign() <= 0 || alpha >= Rational(1)) {
    throw Error::bad_parameter(place, "alpha", "is outside (0, 1)",
                               "give e^(-1/b) for the scale b > 0, as a rational");
  }
  if (cut < 0) {
    throw Error::bad_parameter(place, "cut", "is negative", "keep at least the value 0");
  }
}

}  // namespace

FiniteDistribution<Rational> truncated_geometric(const Rational& alpha, int last) {
  check_lattice_law("truncated_geometric", alpha, last);
  FiniteDistribution<Rational> law;
  Rational mass = Rational(1) - alpha;
  for (int k = 0; k <= last; ++k, mass *= alpha) law.add(k, mass);
  return law;
}

FiniteDistribution<Rational> truncated_discrete_laplace(const Rational& alpha, int radius) {
  check_lattice_law("truncated_discrete_laplace", alpha, radius);
  FiniteDistribution<Rational> law;
  Rational mass = (Rational(1) - alpha) / (Rational(1) + alpha);
  law.add(0, mass);
  for (int k = 1; k <= radius; ++k) {
    mass *= alpha;
    law.add(k, mass);
    law.add(-k, mass);
  }
  return law;
}

}  // namespace lastbit::verify
