// Polynomials with exact coefficients over numbered symbols, and facts about their sign.
//
// Guarantee      exact; equal polynomials have one representation. Exponents may be negative: such
//                a polynomial has a meaning only where the symbol is not 0, which its builder
//                ensures (proofs/coupling.md#farkas).
// Cost           copies share their terms. The work of building and comparing polynomials is counted
//                and limited where a WorkLimit says so.
// Fails          more than kMaxTerms terms, an exponent beyond ±kMaxExponent or a coefficient of more
//                than kMaxBits bits is an Error (kNotSupported), so that a hostile certificate cannot
//                make one explode.
#pragma once

#include <compare>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "lastbit/numerics/rational.h"

namespace lastbit::verify {

using SymbolId = int;

// A product of powers: (symbol, exponent) in increasing order of symbols, no exponent 0.
struct Monomial {
  std::vector<std::pair<SymbolId, int>> powers;
  friend auto operator<=>(const Monomial&, const Monomial&) = default;
};
Monomial operator*(const Monomial& a, const Monomial& b);
Monomial inverse(const Monomial& a);

class Polynomial {
 public:
  static constexpr std::size_t kMaxTerms = 2'000;
  static constexpr int kMaxExponent = 64;
  static constexpr std::size_t kMaxBits = 10'000;

  Polynomial() = default;
  Polynomial(const Rational& constant);  // NOLINT(google-explicit-constructor)
  static Polynomial symbol(SymbolId id);
  static Polynomial term(const Rational& coefficient, const Monomial& monomial);

  const std::map<Monomial, Rational>& terms() const;
  bool is_zero() const { return terms().empty(); }
  // constant: the value of a polynomial without symbols.
  std::optional<Rational> constant() const;
  bool mentions(SymbolId id) const;
  // substitute: replaces every occurrence of the symbols at once; a replaced symbol with a negative
  // exponent is an Error (kNotSupported).
  Polynomial substitute(const std::map<SymbolId, Polynomial>& by) const;

  Polynomial operator-() const;
  Polynomial& operator+=(const Polynomial& other);
  friend Polynomial operator+(Polynomial a, const Polynomial& b) { return a += b; }
  friend Polynomial operator-(Polynomial a, const Polynomial& b) { return a += -b; }
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b);
  friend bool operator==(const Polynomial& a, const Polynomial& b);
  // Some total order, for keeping polynomials in sorted containers.
  friend std::strong_ordering operator<=>(const Polynomial& a, const Polynomial& b);

 private:
  using Terms = std::map<Monomial, Rational>;
  // own_terms: the terms, no longer shared, so that they can be changed.
  Terms& own_terms();
  void add(const Monomial& monomial, const Rational& coefficient);

  std::shared_ptr<Terms> terms_;  // shared by copies; none: the polynomial is 0
};

enum class Sign { kZero, kNonNegative, kPositive };

// Fact: `value` has the sign.
struct Fact {
  Polynomial value;
  Sign sign = Sign::kNonNegative;
  friend bool operator==(const Fact&, const Fact&) = default;
};

// kAbsurd: the fact 0 > 0, which no state satisfies.
inline Fact absurd() { return {.value = {}, .sign = Sign::kPositive}; }

// holds: whether a fact about a constant is true; nothing when it mentions symbols.
std::optional<bool> holds(const Fact& fact);

}  // namespace lastbit::verify
