// Finite sub-distributions with exact weights: the models in which the rules of the logic are
// tested.
//
// Guarantee      every weight is an exact rational; equal values are one outcome; outcomes of
//                weight 0 are not stored. Weights need not sum to 1: what is missing is mass that a
//                truncated support or a failed run left out.
// Definitions    proofs/coupling.md#liftings
#pragma once

#include <map>
#include <type_traits>
#include <utility>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/numerics/rational.h"

namespace lastbit::verify {

// T needs an operator<; two values are one outcome when neither is below the other.
template <class T>
class FiniteDistribution {
 public:
  using Value = T;

  FiniteDistribution() = default;

  // point: all mass on one value.
  static FiniteDistribution point(T value) {
    FiniteDistribution law;
    law.masses_.emplace(std::move(value), Rational(1));
    return law;
  }
  // uniform: the same mass on each entry of `values`; repeated entries count as often as they
  // occur. An empty list is a kBadParameter Error.
  static FiniteDistribution uniform(const std::vector<T>& values) {
    if (values.empty()) {
      throw Error::bad_parameter("uniform", "values", "is empty", "give at least one value");
    }
    FiniteDistribution law;
    for (const T& value : values) law.add(value, Rational(1, Integer(values.size())));
    return law;
  }

  // add: raises the mass of `value`; a negative mass is a kBadParameter Error.
  void add(const T& value, const Rational& mass) {
    if (mass.sign() < 0) {
      throw Error::bad_parameter("finite distribution", "mass", "is negative",
                                 "give masses of at least 0");
    }
    if (mass.sign() > 0) masses_[value] += mass;
  }

  const std::map<T, Rational>& masses() const { return masses_; }
  Rational mass(const T& value) const {
    const auto found = masses_.find(value);
    return found == masses_.end() ? Rational() : found->second;
  }
  // mass_where: the mass of the values for which `event` is true.
  template <class Event>
  Rational mass_where(const Event& event) const {
    Rational sum;
    for (const auto& [value, mass] : masses_) {
      if (event(value)) sum += mass;
    }
    return sum;
  }
  Rational total() const {
    return mass_where([](const T&) { return true; });
  }

  // bind: draw a value, then draw from kernel(value), which is a FiniteDistribution.
  template <class Kernel>
  auto bind(const Kernel& kernel) const {
    std::decay_t<decltype(kernel(std::declval<const T&>()))> law;
    for (const auto& [value, mass] : masses_) {
      const auto next = kernel(value);  // named, so that it lives as long as the loop below
      for (const auto& [result, share] : next.masses()) law.add(result, mass * share);
    }
    return law;
  }
  // map: the law of function(value).
  template <class Function>
  auto map(const Function& function) const {
    FiniteDistribution<std::decay_t<decltype(function(std::declval<const T&>()))>> law;
    for (const auto& [value, mass] : masses_) law.add(function(value), mass);
    return law;
  }
  // where: the part of the law on the values for which `event` is true.
  template <class Event>
  FiniteDistribution where(const Event& event) const {
    return reweighted([&](const T& value) { return event(value) ? Rational(1) : Rational(0); });
  }
  // reweighted: every mass times factor(value) ≥ 0.
  template <class Factor>
  FiniteDistribution reweighted(const Factor& factor) const {
    FiniteDistribution law;
    for (const auto& [value, mass] : masses_) law.add(value, mass * Rational(factor(value)));
    return law;
  }

  friend bool operator==(const FiniteDistribution&, const FiniteDistribution&) = default;

 private:
  std::map<T, Rational> masses_;
};

// product: two independent draws.
template <class A, class B>
FiniteDistribution<std::pair<A, B>> product(const FiniteDistribution<A>& first,
                                            const FiniteDistribution<B>& second) {
  FiniteDistribution<std::pair<A, B>> law;
  for (const auto& [a, mass] : first.masses()) {
    for (const auto& [b, other] : second.masses()) law.add({a, b}, mass * other);
  }
  return law;
}

// The lattice laws with ratio alpha = e^(−1/b), cut to finitely many values without renormalising,
// so that each stored mass is the true one. alpha must lie in (0, 1) and the cut must be ≥ 0, else a
// kBadParameter Error.
// truncated_geometric: (1 − alpha)·alpha^k for 0 ≤ k ≤ last; missing alpha^(last + 1).
FiniteDistribution<Rational> truncated_geometric(const Rational& alpha, int last);
// truncated_discrete_laplace: (1 − alpha)/(1 + alpha)·alpha^|k| for |k| ≤ radius; missing
// 2·alpha^(radius + 1)/(1 + alpha).
FiniteDistribution<Rational> truncated_discrete_laplace(const Rational& alpha, int radius);

}  // namespace lastbit::verify
