#include "lastbit/verify/kernel/farkas.h"

#include <algorithm>

namespace lastbit::verify {
namespace {

// The most facts that one term may multiply; more would only make numbers large.
constexpr std::size_t kMaxFactsInTerm = 3;

bool is_known(const std::vector<Symbol>& symbols, const Monomial& monomial) {
  return std::ranges::all_of(monomial.powers, [&](const auto& power) {
    if (power.first < 0 || static_cast<std::size_t>(power.first) >= symbols.size()) return false;
    return power.second > 0 || symbols[static_cast<std::size_t>(power.first)].is_positive;
  });
}

struct Part {
  Polynomial value;
  Sign sign = Sign::kNonNegative;  // what is known about it
};

// The term's value and sign, or nothing when its sign is not known.
std::optional<Part> part_of(const Obligation& obligation, const Term& term) {
  if (term.facts.size() > kMaxFactsInTerm || !is_known(obligation.symbols, term.factor)) {
    return std::nullopt;
  }
  Part part{Polynomial::term(term.coefficient, term.factor), Sign::kPositive};
  for (const std::size_t index : term.facts) {
    if (index >= obligation.facts.size()) return std::nullopt;
    const Fact& fact = obligation.facts[index];
    part.value = part.value * fact.value;
    // Nonnegative times positive is nonnegative; anything times zero is zero.
    if (part.sign != Sign::kZero && fact.sign != Sign::kPositive) part.sign = fact.sign;
  }
  if (part.sign == Sign::kZero) return part;
  const bool positive = term.coefficient.sign() > 0 && is_positive(obligation.symbols, term.factor);
  return positive ? std::optional(part) : std::nullopt;
}

}  // namespace

bool follows(const Obligation& obligation, const Reason& reason) {
  Polynomial remainder = obligation.goal.value;
  bool is_strict = false;
  for (const Term& term : reason.terms) {
    const auto part = part_of(obligation, term);
    if (!part) return false;
    remainder += -part->value;
    is_strict = is_strict || part->sign == Sign::kPositive;
  }
  const Sign wanted = obligation.goal.sign;
  if (wanted == Sign::kZero) return false;  // the calculus asks for two inequalities instead
  if (remainder.is_zero()) return is_strict || wanted == Sign::kNonNegative;
  return is_positive(obligation.symbols, remainder);
}

}  // namespace lastbit::verify
