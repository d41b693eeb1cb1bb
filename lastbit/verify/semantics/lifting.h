// Liftings of relations to finite laws, decided exactly.
//
// The lifting    left Ψ#(ε, δ) right holds when there is a joint mass m on pairs of Ψ whose first
//                marginal is at most left, whose second marginal is at most e^ε·right, and which
//                misses at most δ of left. Equivalently left(S) ≤ e^ε·right(Ψ(S)) + δ for every set
//                S of outcomes, where Ψ(S) are the outcomes that S is related to. It is one-sided:
//                privacy asks for it in both directions. Proof: proofs/coupling.md#liftings
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "lastbit/verify/semantics/divergence.h"
#include "lastbit/verify/semantics/finite_distribution.h"
#include "lastbit/verify/semantics/max_flow.h"

namespace lastbit::verify {

template <class A, class B>
struct Lifting {
  Rational least_delta;  // the lifting holds exactly for δ ≥ least_delta
  // m, a lifting's witness: the left witness μ_L; the right witness μ_R is e^(−ε)·m.
  std::map<std::pair<A, B>, Rational> joint;
  // A set S with left(S) − e^ε·right(Ψ(S)) = least_delta: the event that refutes a smaller δ. Empty
  // when least_delta is 0.
  std::vector<A> event;
  bool holds(const Rational& delta = 0) const { return least_delta <= delta; }
};

// lift: the least δ for which left Ψ#(ε, δ) right holds, a witness for it and the event against a
// smaller one. `related(a, b)` is Ψ.
// Requires  checked: exp_epsilon ≥ 1, else a kBadParameter Error.
template <class A, class B, class Relation>
Lifting<A, B> lift(const FiniteDistribution<A>& left, const FiniteDistribution<B>& right,
                   const Relation& related, const Rational& exp_epsilon) {
  check_exp_epsilon(exp_epsilon);
  std::vector<A> rows;
  std::vector<B> columns;
  std::vector<Rational> supply;
  std::vector<Rational> demand;
  for (const auto& [value, mass] : right.masses()) {
    columns.push_back(value);
    demand.push_back(exp_epsilon * mass);
  }
  std::vector<std::vector<bool>> allowed;
  for (const auto& [value, mass] : left.masses()) {
    rows.push_back(value);
    supply.push_back(mass);
    allowed.emplace_back();
    for (const B& other : columns) allowed.back().push_back(related(value, other));
  }
  const SharedMass shared = share_mass(supply, demand, allowed);
  Lifting<A, B> lifting{.least_delta = left.total() - shared.total, .joint = {}, .event = {}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      if (shared.joint[i][j].sign() == 0) continue;
      lifting.joint.emplace(std::pair(rows[i], columns[j]), shared.joint[i][j]);
    }
    if (shared.obstacle[i] && lifting.least_delta.sign() > 0) lifting.event.push_back(rows[i]);
  }
  return lifting;
}

// spends: left and right have a joint mass on Ψ in which an outcome a of left is at most cost(a)
// times as likely as what it is coupled with; cost(a) = e^spent > 0 may differ from outcome to
// outcome. Proof: proofs/coupling.md#liftings
template <class A, class B, class Relation, class Cost>
bool spends(const FiniteDistribution<A>& left, const FiniteDistribution<B>& right,
            const Relation& related, const Cost& cost) {
  const auto paid = left.reweighted([&](const A& value) { return Rational(1) / cost(value); });
  return lift(paid, right, related, Rational(1)).holds();
}

// dilation_lift: the lifting with dilated events: a joint mass m on pairs p of Ψ for which e^(−ε)·p
// (e^ε·p away from zero) lies in Ψ too, first marginal at most left, and second marginal at most
// e^ε·right(e^(∓ε)·E). For Ψ the equality its least δ is dilation_divergence.
// Proof     proofs/coupling.md#dilations
template <class Relation>
Lifting<Rational, Rational> dilation_lift(
    const FiniteDistribution<Rational>& left, const FiniteDistribution<Rational>& right,
    const Relation& related, const Rational& exp_epsilon,
    DilationDirection direction = DilationDirection::kTowardsZero) {
  const Rational factor =
      direction == DilationDirection::kTowardsZero ? Rational(1) / exp_epsilon : exp_epsilon;
  const auto both = [&](const Rational& a, const Rational& b) {
    return related(a, b) && related(a * factor, b * factor);
  };
  return lift(left, dilated(right, exp_epsilon, direction), both, Rational(1));
}

}  // namespace lastbit::verify
