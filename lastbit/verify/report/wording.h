// Polynomials and facts as people write them: eps/(4*N)*(1 + q[i].1 - q[i].2).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lastbit/verify/logic/calculus.h"

namespace lastbit::verify {

// Names: what each symbol of a goal is called. A symbol that stands for an entry of a list or for a
// function's value is called what it stands for, q[i].1 or clamp(f.1, -B, B); where that would be
// longer than kMaxLength it keeps its short name, and `definitions` says what it stands for.
//
// Goals along a derivation only add symbols, so one Names serves a whole branch: learn on the way
// down, forget on the way up.
class Names {
 public:
  static constexpr std::size_t kMaxLength = 72;

  // learn: names for those symbols of the goal that have none yet.
  void learn(const Goal& goal);
  // learn: the same for an obligation, of whose symbols only the short names are known.
  void learn(const std::vector<Symbol>& symbols);
  void forget(std::size_t size);
  std::size_t size() const { return shown_.size(); }

  const std::string& operator[](SymbolId symbol) const;
  // divisor: if the symbol stands for one over something, that something; otherwise empty.
  const std::string& divisor(SymbolId symbol) const;
  // rename: gives a symbol another name and returns the old one.
  std::string rename(SymbolId symbol, std::string name);
  // definitions: "name = what it stands for" for the abbreviated symbols from `first` on.
  std::vector<std::string> definitions(std::size_t first) const;

 private:
  struct Shown {
    std::string name;
    std::string divisor;
    std::string definition;
  };
  Shown shown_for(const Goal& goal, SymbolId symbol) const;

  std::vector<Shown> shown_;
};

std::string print_polynomial(const Polynomial& value, const Names& names);
// print_increment: `first` plus the value, as in `y.1 + q[i].1 - q[i].2`.
std::string print_increment(const std::string& first, const Polynomial& value, const Names& names);
// print_fact: a comparison, as in `q[i].1 - q[i].2 <= 1`.
std::string print_fact(const Fact& fact, const Names& names);
std::string print_monomial(const Rational& coefficient, const Monomial& monomial,
                           const Names& names);

}  // namespace lastbit::verify
