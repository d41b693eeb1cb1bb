// The rules of the relational logic: one enumerator each.
//
// Judgement      ⊢ c ~ k : Φ ⇒ Ψ. Two runs of c that start in states related by Φ can be coupled
//                so that their final states are related by Ψ, at cost k: the left run is at most
//                e^k times as likely as the right run it is coupled with. That is the lifting
//                μ1 Ψ#(k, δ) μ2 of proofs/coupling.md#liftings, in one direction; both directions
//                are proved for a mechanism.
// Every rule     has its statement in rule_table, a soundness proof at its anchor, and a finite
//                model in verify/semantics/rule_models_test.cc that an unsound twin of it fails.
// Source         [Barthe2016]
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace lastbit::verify {

enum class Rule {
  // Programs.
  kConsequence,          // strengthen Φ, weaken Ψ, enlarge the cost; case distinction
  kAssign,               // x := e in both runs
  kSequence,             // COMP: costs add up
  kConditional,          // both runs take the same branch
  kConditionalOneSided,  // the runs take different branches that draw nothing
  kLoop,                 // an invariant of the loop head, with a cost that depends on the state
  kAbsurd,               // Φ is impossible
  kPostProcess,          // one function of equal arguments gives equal results
  kOutput,               // equal outputs: the premise of privacy
  kPointwise,            // PW-EQ: one coupling for every possible result
  kUpToBad,              // give up on an event of probability p, at δ = p
  // Draws.
  kNull,              // AXNULL: the same draw in both runs, at no cost
  kUniformScale,      // AXUNIF: u2 = e^(−k)·u1 for k ≥ 0, at cost k
  kLaplaceNull,       // LAPNULL: y2 = y1, so that y1 + e1 and y2 + e2 keep their distance; no cost
  kLaplaceShift,      // LAPGEN: y2 = y1 + k, at cost |k|/b
  kLaplaceChoice,     // y2 = y1 + k or y2 = y1 + k', as a test of y1 says, without collisions
  kLaplaceIntro,      // s·ln(u)·b with a fair sign is Laplace(b)
  kExponentialShift,  // y2 = y1 + k where that is ≥ 0, at cost k/b
  kGeometricShift,    // the same for whole k
  kDiscreteLaplaceShift,  // y2 = y1 + k for whole k, at cost |k|/b
  kBernoulliSwap,         // y2 = not y1, at cost ±ln(p/(1 − p))
  kSignFlip,              // s2 = −s1, at no cost
  // Dilations: the same with scaled events in place of equal ones.
  kDilationUniform,      // u1 and u2 uniform: D_k = 0 towards 0, 1 − e^(−k) away from it
  kDilationLogarithm,    // a dilation of u is a translation of ln u
  kDilationConsequence,  // enlarge Ψ and δ
  kDilationPrivacy,      // noise whose law moves by at most e^(k·|t|) under translation by t
};
inline constexpr int kRuleCount = static_cast<int>(Rule::kDilationPrivacy) + 1;

struct RuleStatement {
  Rule rule;
  std::string_view name;        // as printed in derivations: LAPGEN
  std::string_view premises;    // what must be derived or checked first
  std::string_view conclusion;  // the judgement below the line
  std::string_view side;        // side conditions; empty when there are none
  std::string_view proof;       // where its soundness proof is
};

// rule_table: every rule, in the order of the enumerators.
const std::array<RuleStatement, kRuleCount>& rule_table();
const RuleStatement& statement_of(Rule rule);
// rule_of_name: the rule that is printed as `name`, if any.
std::optional<Rule> rule_of_name(std::string_view name);

}  // namespace lastbit::verify
