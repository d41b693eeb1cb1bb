#include "lastbit/verify/logic/polynomial.h"

#include <algorithm>

#include "lastbit/base/error.h"
#include "lastbit/base/work_limit.h"

namespace lastbit::verify {
namespace {

Error too_large() {
  return Error(ErrorCode::kNotSupported, "polynomial", "an expression grows too large",
               "write the program or the proof with simpler expressions");
}

std::size_t bits(const Rational& number) {
  return std::max(mpz_sizeinbase(number.gmp().get_num_mpz_t(), 2),
                  mpz_sizeinbase(number.gmp().get_den_mpz_t(), 2));
}

void count_term(const Monomial& monomial, const Rational& coefficient) {
  WorkLimit::spend(1 + monomial.powers.size() + bits(coefficient) / 64);
}

}  // namespace

Monomial operator*(const Monomial& a, const Monomial& b) {
  WorkLimit::spend(a.powers.size() + b.powers.size());
  Monomial product;
  auto i = a.powers.begin();
  auto j = b.powers.begin();
  while (i != a.powers.end() || j != b.powers.end()) {
    if (j == b.powers.end() || (i != a.powers.end() && i->first < j->first)) {
      product.powers.push_back(*i++);
    } else if (i == a.powers.end() || j->first < i->first) {
      product.powers.push_back(*j++);
    } else {
      const int exponent = i->second + j->second;
      if (exponent != 0) product.powers.emplace_back(i->first, exponent);
      if (std::max(exponent, -exponent) > Polynomial::kMaxExponent) throw too_large();
      ++i;
      ++j;
    }
  }
  return product;
}

Monomial inverse(const Monomial& a) {
  Monomial result = a;
  for (auto& [symbol, exponent] : result.powers) exponent = -exponent;
  return result;
}

Polynomial::Polynomial(const Rational& constant) { add(Monomial{}, constant); }

Polynomial Polynomial::symbol(SymbolId id) { return term(Rational(1), Monomial{{{id, 1}}}); }

Polynomial Polynomial::term(const Rational& coefficient, const Monomial& monomial) {
  Polynomial result;
  result.add(monomial, coefficient);
  return result;
}

const std::map<Monomial, Rational>& Polynomial::terms() const {
  static const Terms kNone;
  return terms_ ? *terms_ : kNone;
}

Polynomial::Terms& Polynomial::own_terms() {
  if (!terms_ || terms_.use_count() > 1) {
    for (const auto& [monomial, coefficient] : terms()) count_term(monomial, coefficient);
    terms_ = std::make_shared<Terms>(terms());
  }
  return *terms_;
}

void Polynomial::add(const Monomial& monomial, const Rational& coefficient) {
  if (coefficient.sign() == 0) return;
  Terms& own = own_terms();
  const auto [place, is_new] = own.try_emplace(monomial, coefficient);
  if (!is_new) place->second += coefficient;
  count_term(monomial, place->second);
  if (own.size() > kMaxTerms || bits(place->second) > kMaxBits) throw too_large();
  if (place->second.sign() == 0) own.erase(place);
}

std::optional<Rational> Polynomial::constant() const {
  if (is_zero()) return Rational(0);
  if (terms().size() > 1 || !terms().begin()->first.powers.empty()) return std::nullopt;
  return terms().begin()->second;
}

bool Polynomial::mentions(SymbolId id) const {
  WorkLimit::spend(terms().size());
  return std::ranges::any_of(terms(), [&](const auto& term) {
    return std::ranges::any_of(term.first.powers, [&](const auto& p) { return p.first == id; });
  });
}

Polynomial Polynomial::substitute(const std::map<SymbolId, Polynomial>& by) const {
  Polynomial result;
  for (const auto& [monomial, coefficient] : terms()) {
    Monomial kept;
    Polynomial replaced(coefficient);
    for (const auto& [symbol, exponent] : monomial.powers) {
      const auto found = by.find(symbol);
      if (found == by.end()) {
        kept.powers.emplace_back(symbol, exponent);
        continue;
      }
      if (exponent < 0) throw too_large();
      for (int i = 0; i < exponent; ++i) replaced = replaced * found->second;
    }
    result += replaced * term(Rational(1), kept);
  }
  return result;
}

Polynomial Polynomial::operator-() const {
  Polynomial result = *this;
  for (auto& [monomial, coefficient] : result.own_terms()) coefficient = -coefficient;
  return result;
}

Polynomial& Polynomial::operator+=(const Polynomial& other) {
  if (&other == this) return *this = *this * Polynomial(Rational(2));
  for (const auto& [monomial, coefficient] : other.terms()) add(monomial, coefficient);
  return *this;
}

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  Polynomial product;
  for (const auto& [m, c] : a.terms()) {
    for (const auto& [n, d] : b.terms()) product.add(m * n, c * d);
  }
  return product;
}

bool operator==(const Polynomial& a, const Polynomial& b) {
  if (a.terms_ == b.terms_) return true;
  WorkLimit::spend(1 + a.terms().size());
  return a.terms() == b.terms();
}

std::strong_ordering operator<=>(const Polynomial& a, const Polynomial& b) {
  return a.terms() <=> b.terms();
}

std::optional<bool> holds(const Fact& fact) {
  const auto value = fact.value.constant();
  if (!value) return std::nullopt;
  if (fact.sign == Sign::kZero) return value->sign() == 0;
  return fact.sign == Sign::kPositive ? value->sign() > 0 : value->sign() >= 0;
}

}  // namespace lastbit::verify
