#include "lastbit/verify/logic/rules.h"

#include "lastbit/verify/logic/calculus.h"

namespace lastbit::verify {

const std::array<RuleStatement, kRuleCount>& rule_table() {
  static constexpr std::array<RuleStatement, kRuleCount> kTable = {{
      {Rule::kConsequence, "CONSEQ", "|- c ~ k : P_i => Q for every case i", "|- c ~ k' : P => Q'",
       "P implies some P_i; Q implies Q'; k <= k'", "proofs/coupling.md#consequence"},
      {Rule::kAssign, "ASSIGN", "", "|- x := e ~ 0 : Q[e.1/x.1, e.2/x.2] => Q", "",
       "proofs/coupling.md#assign"},
      {Rule::kSequence, "COMP", "|- c ~ k : P => R, |- d ~ m : R => Q", "|- c; d ~ k + m : P => Q",
       "", "proofs/coupling.md#sequence"},
      {Rule::kConditional, "COND",
       "|- c ~ k : P and b.1 and b.2 => Q, |- d ~ k : P and not b.1 and not b.2 => Q",
       "|- if b {c} else {d} ~ k : P => Q", "P implies b.1 = b.2",
       "proofs/coupling.md#conditional"},
      {Rule::kConditionalOneSided, "COND-1",
       "|- c | d ~ 0 : P and b.1 and not b.2 => Q, and the three other cases",
       "|- if b {c} else {d} ~ 0 : P => Q", "c and d draw nothing and output nothing",
       "proofs/coupling.md#conditional"},
      {Rule::kLoop, "LOOP", "|- c ~ k : I and i < n and guard => I[i + 1/i]",
       "|- for i in m .. n while guard {c} ~ spent : I[m/i] => I and (i >= n or not guard)",
       "m, n and, by I, guard are the same in both runs; the costs of the passes add up to what I "
       "says of spent",
       "proofs/coupling.md#loop"},
      {Rule::kAbsurd, "ABSURD", "", "|- c ~ k : false => Q", "", "proofs/coupling.md#absurd"},
      {Rule::kPostProcess, "DET", "", "|- x := g(e) ~ 0 : e.1 = e.2 => x.1 = x.2",
       "g is one function of its arguments", "proofs/coupling.md#post-processing"},
      {Rule::kOutput, "OUT", "", "|- output e ~ 0 : e.1 = e.2 => equal outputs", "",
       "proofs/coupling.md#output"},
      {Rule::kPointwise, "PW-EQ",
       "for every value r: |- c ~ k : P => (result.1 = r implies result.2 = r)",
       "|- c ~ k : P => result.1 = result.2", "the results are countable, delta = 0",
       "proofs/coupling.md#pointwise"},
      {Rule::kUpToBad, "UP-TO-BAD", "|- c ~ (k, d) : P and not y.1 and not y.2 => Q",
       "|- y <- bernoulli(p); c ~ (k, d + p) : P => Q", "the same p in both runs",
       "proofs/coupling.md#up-to-bad"},
      {Rule::kNull, "AXNULL", "", "|- y <- m ~ 0 : true => y.1 = y.2",
       "m is the same law in both runs", "proofs/coupling.md#null"},
      {Rule::kUniformScale, "AXUNIF", "", "|- u <- uniform(0, 1) ~ k : true => u.2 = exp(-k) * u.1",
       "k >= 0; k does not depend on u", "proofs/coupling.md#uniform"},
      {Rule::kLaplaceNull, "LAPNULL", "",
       "|- y <- laplace(b) ~ 0 : true => (y.1 + e.1) - (y.2 + e.2) = e.1 - e.2",
       "b > 0, the same in both runs", "proofs/coupling.md#laplace"},
      {Rule::kLaplaceShift, "LAPGEN", "", "|- y <- laplace(b) ~ m/b : |k| <= m => y.2 = y.1 + k",
       "b > 0, the same in both runs; k does not depend on y", "proofs/coupling.md#laplace"},
      {Rule::kLaplaceChoice, "CHOICE",
       "|- c ~ n : P and b(y.1) and y.2 = y.1 + k => Q, |- c ~ n' : P and not b(y.1) and y.2 = y.1 "
       "+ k' => Q",
       "|- y <- laplace(b); c ~ max(|k|/b + n, |k'|/b + n') : P => Q",
       "b(y) and not b(y') exclude y + k = y' + k'", "proofs/coupling.md#choice"},
      {Rule::kLaplaceIntro, "LAPLACE-INTRO", "|- z <- laplace(|c|) ~ k : P => Q",
       "|- u <- uniform(0, 1); s <- sign(); z := c * s * ln(u) ~ k : P => Q",
       "u and s occur nowhere else; c is not 0 and the same in both runs",
       "proofs/coupling.md#laplace-intro"},
      {Rule::kExponentialShift, "EXPGEN", "", "|- y <- exponential(b) ~ k/b : P => y.2 = y.1 + k",
       "b > 0, the same in both runs; y.1 + k >= 0 for every y.1 >= 0; k does not depend on y",
       "proofs/coupling.md#exponential"},
      {Rule::kGeometricShift, "GEOMGEN", "", "|- y <- geometric(b) ~ k/b : P => y.2 = y.1 + k",
       "as EXPGEN; k is whole", "proofs/coupling.md#exponential"},
      {Rule::kDiscreteLaplaceShift, "DLAPGEN", "",
       "|- y <- discrete_laplace(b) ~ m/b : |k| <= m => y.2 = y.1 + k",
       "b > 0, the same in both runs; k is whole and does not depend on y",
       "proofs/coupling.md#laplace"},
      {Rule::kBernoulliSwap, "BERNSWAP", "",
       "|- y <- bernoulli(p) ~ (y.1 ? t : -t) : true => y.2 = not y.1",
       "t = ln(p/(1 - p)), 0 < p < 1, the same p in both runs", "proofs/coupling.md#bernoulli"},
      {Rule::kSignFlip, "SIGNFLIP", "", "|- s <- sign() ~ 0 : true => s.2 = -s.1", "",
       "proofs/coupling.md#null"},
      {Rule::kDilationUniform, "D-UNIF", "", "D_k(uniform, uniform) = 0 for k >= 0",
       "the other direction has D = 1 - exp(-k)", "proofs/coupling.md#dilations"},
      {Rule::kDilationLogarithm, "D-LN", "D_k(m1, m2) <= d", "Delta_k(ln m1, ln m2 + k) <= d", "",
       "proofs/coupling.md#dilations"},
      {Rule::kDilationConsequence, "D-CONSEQ", "m1 Q^d(k, d) m2", "m1 Q'^d(k, d') m2",
       "Q implies Q' and d <= d'; k is not enlarged", "proofs/coupling.md#dilations"},
      {Rule::kDilationPrivacy, "D-DP", "v(E) <= exp(k |t|) v(E + t) + d for all E and |t| <= 1",
       "|- z <- v; w := f + z ~ (k, d) : |f.1 - f.2| <= 1 => w.1 = w.2", "",
       "proofs/coupling.md#dilations"},
  }};
  return kTable;
}

const RuleStatement& statement_of(Rule rule) {
  return rule_table().at(static_cast<std::size_t>(rule));
}

std::optional<Rule> rule_of_name(std::string_view name) {
  for (const RuleStatement& statement : rule_table()) {
    if (statement.name == name) return statement.rule;
  }
  return std::nullopt;
}

namespace {

Rule rule_of_couple(const Goal& goal, const Couple& step) {
  if (step.test) return Rule::kLaplaceChoice;
  const bool null = step.shift.by.is_zero();
  switch (goal.draw ? goal.draw->sampler : Sampler::kUniform) {
    case Sampler::kLaplace:
      return null ? Rule::kLaplaceNull : Rule::kLaplaceShift;
    case Sampler::kExponential:
      return null ? Rule::kNull : Rule::kExponentialShift;
    case Sampler::kGeometric:
      return null ? Rule::kNull : Rule::kGeometricShift;
    case Sampler::kDiscreteLaplace:
      return null ? Rule::kNull : Rule::kDiscreteLaplaceShift;
    default:
      return null ? Rule::kNull : Rule::kUniformScale;
  }
}

Rule rule_of_coin(const Goal& goal, const CoupleCoin& step) {
  if (!step.swap) return Rule::kNull;
  const bool is_sign = goal.draw && goal.draw->sampler == Sampler::kSign;
  return is_sign ? Rule::kSignFlip : Rule::kBernoulliSwap;
}

}  // namespace

Rule rule_of(const Goal& goal, const Step& step) {
  struct Visitor {
    const Goal& goal;
    Rule operator()(const Couple& s) const { return rule_of_couple(goal, s); }
    Rule operator()(const CoupleCoin& s) const { return rule_of_coin(goal, s); }
    Rule operator()(const GiveUp&) const { return Rule::kUpToBad; }
    Rule operator()(const IntroduceLaplace&) const { return Rule::kLaplaceIntro; }
    Rule operator()(const Branch&) const { return Rule::kConditional; }
    Rule operator()(const Mention&) const { return Rule::kPostProcess; }
    Rule operator()(const SplitOne&) const { return Rule::kConsequence; }
    Rule operator()(const SplitFunction&) const { return Rule::kConsequence; }
    Rule operator()(const SplitSign&) const { return Rule::kConsequence; }
    Rule operator()(const Absurd&) const { return Rule::kAbsurd; }
    Rule operator()(const UseInvariant&) const { return Rule::kLoop; }
    Rule operator()(const Repeat&) const { return Rule::kConsequence; }
    Rule operator()(const Emit&) const { return Rule::kOutput; }
    Rule operator()(const Finish&) const { return Rule::kConsequence; }
    Rule operator()(const Pointwise&) const { return Rule::kPointwise; }
  };
  return std::visit(Visitor{goal}, step);
}

}  // namespace lastbit::verify
