#include "lastbit/verify/report/smtlib.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "lastbit/verify/kernel/check.h"
#include "lastbit/verify/report/theorem.h"

namespace lastbit::verify {
namespace {

// Names of symbols may contain any character; in scripts they are numbered.
std::string variable(SymbolId symbol) { return fmt::format("x{}", symbol); }

std::string number_text(const Rational& number) {
  const Rational size = abs(number);
  std::string text = size.numerator().to_string() + ".0";
  if (!size.is_integer()) {
    text = fmt::format("(/ {} {}.0)", text, size.denominator().to_string());
  }
  return number.sign() < 0 ? fmt::format("(- {})", text) : text;
}

// without_denominators: the polynomial times positive symbols, so that no exponent is negative.
Polynomial without_denominators(const Polynomial& value) {
  std::map<SymbolId, int> needed;
  for (const auto& [monomial, coefficient] : value.terms()) {
    for (const auto& [symbol, exponent] : monomial.powers) {
      if (exponent < 0) needed[symbol] = std::max(needed[symbol], -exponent);
    }
  }
  Monomial factor;
  for (const auto& [symbol, exponent] : needed) factor.powers.emplace_back(symbol, exponent);
  return value * Polynomial::term(Rational(1), factor);
}

std::string polynomial_text(const Polynomial& value) {
  std::vector<std::string> terms;
  for (const auto& [monomial, coefficient] : value.terms()) {
    std::string term = number_text(coefficient);
    for (const auto& [symbol, exponent] : monomial.powers) {
      for (int i = 0; i < exponent; ++i) term += fmt::format(" {}", variable(symbol));
    }
    if (!monomial.powers.empty()) term = fmt::format("(* {})", term);
    terms.push_back(term);
  }
  if (terms.empty()) return "0.0";
  if (terms.size() == 1) return terms.front();
  return fmt::format("(+ {})", fmt::join(terms, " "));
}

std::string fact_text(const Fact& fact) {
  const char* sign = fact.sign == Sign::kZero ? "=" : fact.sign == Sign::kPositive ? ">" : ">=";
  return fmt::format("({} {} 0.0)", sign, polynomial_text(without_denominators(fact.value)));
}

bool is_linear(const Fact& fact) {
  const Polynomial value = without_denominators(fact.value);
  return std::ranges::all_of(value.terms(), [](const auto& term) {
    const auto& powers = term.first.powers;
    return powers.empty() || (powers.size() == 1 && powers.front().second == 1);
  });
}

void collect_symbols(const Fact& fact, std::set<SymbolId>& symbols) {
  for (const auto& [monomial, coefficient] : fact.value.terms()) {
    for (const auto& [symbol, exponent] : monomial.powers) symbols.insert(symbol);
  }
}

// A comment must stay on its line and in ASCII, whatever a name contains.
std::string comment(std::string text) {
  for (char& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  return text;
}

class Script {
 public:
  void add(const Obligation& obligation, const Reason& reason, const std::string& place) {
    std::set<std::size_t> used;
    for (const Term& term : reason.terms) used.insert(term.facts.begin(), term.facts.end());
    std::vector<Fact> facts;
    for (const std::size_t index : used) facts.push_back(obligation.facts.at(index));
    std::set<SymbolId> symbols;
    collect_symbols(obligation.goal, symbols);
    for (const Fact& fact : facts) collect_symbols(fact, symbols);

    const bool linear = is_linear(obligation.goal) && std::ranges::all_of(facts, is_linear);
    script_.text += fmt::format("; {}: {}\n(set-logic {})\n", place, comment(obligation.why),
                                linear ? "QF_LRA" : "QF_NRA");
    for (const SymbolId symbol : symbols) {
      const Symbol& known = obligation.symbols.at(static_cast<std::size_t>(symbol));
      script_.text +=
          fmt::format("(declare-const {} Real) ; {}\n", variable(symbol), comment(known.name));
      if (known.is_positive) script_.text += fmt::format("(assert (> {} 0.0))\n", variable(symbol));
    }
    for (const Fact& fact : facts) script_.text += fmt::format("(assert {})\n", fact_text(fact));
    script_.text +=
        fmt::format("(assert (not {}))\n(check-sat)\n(reset)\n", fact_text(obligation.goal));
    ++script_.problems;
  }

  // adding: takes obligations, each with the next of the reasons.
  Obligations adding(const std::vector<Reason>& reasons, const std::string& place) {
    return {.see = [this, &reasons, place, i = std::size_t{0}](const Obligation& one) mutable {
      add(one, reasons.at(i++), place);
    }};
  }

  void replay(const Goal& goal, const Derivation& derivation, const std::string& place) {
    Obligations obligations = adding(derivation.reasons, "step " + place);
    const std::vector<Goal> after = apply(goal, derivation.step, obligations);
    for (std::size_t i = 0; i < after.size(); ++i) {
      replay(after[i], derivation.then.at(i), fmt::format("{}.{}", place, i + 1));
    }
  }

  void line(const std::string& text) { script_.text += text + "\n"; }
  SmtScript take() { return std::move(script_); }

 private:
  SmtScript script_;
};

}  // namespace

SmtScript as_smtlib(const Certificate& certificate) {
  check(certificate);
  Script script;
  script.line(comment("; The side conditions of the proof that " +
                      theorem_text(certificate.program) + "."));
  script.line("; Every answer must be unsat.");
  const auto program = std::make_shared<const Program>(certificate.program);
  for (std::size_t i = 0; i < certificate.proofs.size(); ++i) {
    const Proof& proof = certificate.proofs[i];
    Obligations obligations = script.adding(proof.reasons, "the program");
    const Goal goal = start(program, proof.swapped, obligations);
    script.replay(goal, proof.derivation, std::to_string(i + 1));
  }
  return script.take();
}

}  // namespace lastbit::verify
