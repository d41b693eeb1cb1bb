// How far one finite law exceeds another, exactly, with the event that shows it.
//
// In a finite model e^ε is a rational number r ≥ 1, `exp_epsilon`.
// Definitions    proofs/coupling.md#divergence, proofs/coupling.md#dilations
#pragma once

#include <vector>

#include "lastbit/verify/semantics/finite_distribution.h"

namespace lastbit::verify {

template <class T>
struct Excess {
  Rational value;
  std::vector<T> event;  // where it is attained
};

// check_exp_epsilon: a kBadParameter Error unless exp_epsilon ≥ 1.
void check_exp_epsilon(const Rational& exp_epsilon);

// divergence: Δ_ε(left, right) = sup over E of left(E) − e^ε·right(E). It is attained on the
// outcomes where left exceeds e^ε·right. Proof: proofs/coupling.md#divergence
template <class T>
Excess<T> divergence(const FiniteDistribution<T>& left, const FiniteDistribution<T>& right,
                     const Rational& exp_epsilon) {
  check_exp_epsilon(exp_epsilon);
  Excess<T> excess;
  for (const auto& [value, mass] : left.masses()) {
    const Rational more = mass - exp_epsilon * right.mass(value);
    if (more.sign() <= 0) continue;
    excess.value += more;
    excess.event.push_back(value);
  }
  return excess;
}

enum class DilationDirection { kTowardsZero, kAwayFromZero };

// dilated: the law of e^ε·x towards zero, of e^(−ε)·x away from it, every mass times e^ε: the
// measure E ↦ e^ε·law(e^(∓ε)·E) that a dilation compares with.
FiniteDistribution<Rational> dilated(const FiniteDistribution<Rational>& law,
                                     const Rational& exp_epsilon, DilationDirection direction);

// dilation_divergence: D_ε(left, right) = sup over E of left(E) − e^ε·right(e^(−ε)·E) towards zero;
// with e^(+ε)·E away from it. The two differ. Proof: proofs/coupling.md#dilations
Excess<Rational> dilation_divergence(const FiniteDistribution<Rational>& left,
                                     const FiniteDistribution<Rational>& right,
                                     const Rational& exp_epsilon, DilationDirection direction);

}  // namespace lastbit::verify
