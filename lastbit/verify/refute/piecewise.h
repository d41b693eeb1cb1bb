// Functions made of pieces c·x^k·e^(r·x), integrated in closed form.
//
// Densities of Laplace, exponential and uniform noise are of this kind, and so is everything that
// integrating them between linear bounds gives. Breakpoints and rates are exact; coefficients are
// balls, or doubles for a quick look. Proof: proofs/refutation.md#integrals
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "lastbit/numerics/ball.h"
#include "lastbit/verify/refute/linear_form.h"
#include "lastbit/verify/refute/real.h"

namespace lastbit::verify::refutation {

// Arithmetic: how to make a Number; doubles promise nothing.
template <class Number>
class Arithmetic;

template <>
class Arithmetic<double> {
 public:
  static double number(const Rational& value) { return value.gmp().get_d(); }
  static double exponential(const Rational& value) { return std::exp(number(value)); }
  static double number(const Real& value) { return value.approximate(); }
};

template <>
class Arithmetic<Ball> {
 public:
  explicit Arithmetic(int precision) : precision_(precision) {}
  Ball number(const Rational& value) const { return Ball(value, precision_); }
  Ball number(const Real& value) const { return value.ball(precision_); }
  // The same exponents recur often.
  const Ball& exponential(const Rational& value) {
    const auto known = cache_.find(value);
    if (known != cache_.end()) return known->second;
    return cache_.emplace(value, exp(number(value))).first->second;
  }

 private:
  int precision_;
  std::map<Rational, Ball> cache_;
};

// coefficient·x^power·e^(rate·x)
template <class Number>
struct Term {
  int power;
  Rational rate;
  Number coefficient;
};
// A sum of terms, no two with the same power and rate.
template <class Number>
using Terms = std::vector<Term<Number>>;

template <class Number>
struct Piece {
  std::optional<Rational> low;
  std::optional<Rational> high;
  Terms<Number> terms;
};
// Pieces from left to right that do not overlap; 0 elsewhere.
template <class Number>
using Piecewise = std::vector<Piece<Number>>;

// The function x = at_zero + slope·y. As a bound it is closed or open, which matters only between
// whole noises.
struct Line {
  Rational at_zero;
  Rational slope = 0;
  bool closed = true;

  Rational at(const Rational& y) const { return at_zero + slope * y; }
};

template <class Number>
void add_term(Terms<Number>& terms, int power, const Rational& rate, const Number& coefficient) {
  for (Term<Number>& term : terms) {
    if (term.power == power && term.rate == rate) {
      term.coefficient = term.coefficient + coefficient;
      return;
    }
  }
  terms.push_back({power, rate, coefficient});
}

template <class Number>
Terms<Number> product(const Terms<Number>& a, const Terms<Number>& b) {
  Terms<Number> result;
  for (const Term<Number>& x : a) {
    for (const Term<Number>& y : b) {
      add_term(result, x.power + y.power, x.rate + y.rate, x.coefficient * y.coefficient);
    }
  }
  return result;
}

// antiderivative: of x^k·e^(r·x) it is x^(k+1)/(k+1) for r = 0, else
// e^(r·x)·Σ_j (−1)^(k−j)·(k!/j!)·x^j / r^(k−j+1).
template <class Number>
Terms<Number> antiderivative(const Terms<Number>& terms, Arithmetic<Number>& arithmetic) {
  Terms<Number> result;
  for (const Term<Number>& term : terms) {
    if (term.rate.sign() == 0) {
      const Rational factor(1, term.power + 1);
      add_term(result, term.power + 1, term.rate, term.coefficient * arithmetic.number(factor));
      continue;
    }
    Rational factor = Rational(1) / term.rate;
    for (int j = term.power; j >= 0; --j) {
      add_term(result, j, term.rate, term.coefficient * arithmetic.number(factor));
      factor *= Rational(-j) / term.rate;
    }
  }
  return result;
}

// composed: the terms at x = line(y), as terms in y.
template <class Number>
Terms<Number> composed(const Terms<Number>& terms, const Line& line,
                       Arithmetic<Number>& arithmetic) {
  Terms<Number> result;
  for (const Term<Number>& term : terms) {
    const Number scaled = term.coefficient * arithmetic.exponential(term.rate * line.at_zero);
    Rational binomial = 1;
    for (int j = 0; j <= term.power; ++j) {
      const Rational factor = binomial * pow(line.at_zero, static_cast<unsigned>(term.power - j)) *
                              pow(line.slope, static_cast<unsigned>(j));
      if (factor.sign() != 0) {
        add_term(result, j, term.rate * line.slope, scaled * arithmetic.number(factor));
      }
      binomial *= Rational(term.power - j, j + 1);
    }
  }
  return result;
}

// end_value: the antiderivative at the end of a piece, as terms in y; at ∓infinity it must vanish,
// which every term of a density does.
template <class Number>
Terms<Number> end_value(const Terms<Number>& antiderivative, const std::optional<Line>& end,
                        int side, Arithmetic<Number>& arithmetic) {
  if (end) return composed(antiderivative, *end, arithmetic);
  for (const Term<Number>& term : antiderivative) {
    invariant(term.rate.sign() == -side, "a density vanishes at infinity");
  }
  return {};
}

template <class Number>
Piecewise<Number> density(const Noise& noise, Arithmetic<Number>& arithmetic) {
  const Rational rate = Rational(1) / noise.scale;
  switch (noise.law) {
    case Noise::Law::kLaplace: {
      const Number half = arithmetic.number(rate / 2);
      return {{std::nullopt, Rational(0), {{0, rate, half}}},
              {Rational(0), std::nullopt, {{0, -rate, half}}}};
    }
    case Noise::Law::kExponential:
      return {{Rational(0), std::nullopt, {{0, -rate, arithmetic.number(rate)}}}};
    case Noise::Law::kUniform:
      return {{Rational(0), Rational(1), {{0, Rational(0), arithmetic.number(Rational(1))}}}};
    default:
      throw not_supported("whole noise has no density");
  }
}

inline std::optional<Rational> larger_low(const std::optional<Rational>& a,
                                          const std::optional<Rational>& b) {
  if (!a || !b) return a ? a : b;
  return std::max(*a, *b);
}
inline std::optional<Rational> smaller_high(const std::optional<Rational>& a,
                                            const std::optional<Rational>& b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

template <class Number>
Piecewise<Number> product(const Piecewise<Number>& a, const Piecewise<Number>& b) {
  Piecewise<Number> result;
  auto x = a.begin();
  auto y = b.begin();
  while (x != a.end() && y != b.end()) {
    Piece<Number> piece{larger_low(x->low, y->low), smaller_high(x->high, y->high), {}};
    if (!piece.low || !piece.high || *piece.low < *piece.high) {
      piece.terms = product(x->terms, y->terms);
      result.push_back(std::move(piece));
    }
    // The piece that ends first cannot meet anything further right.
    const bool x_ends = x->high.has_value();
    const bool y_ends = y->high.has_value();
    if (x_ends && (!y_ends || known(x->high) < known(y->high))) {
      ++x;
    } else {
      ++y;
    }
  }
  return result;
}

// restricted: 0 outside the interval.
template <class Number>
Piecewise<Number> restricted(const Piecewise<Number>& f, const Interval& interval) {
  Piecewise<Number> result;
  for (const Piece<Number>& piece : f) {
    Piece<Number> cut{larger_low(piece.low, interval.low), smaller_high(piece.high, interval.high),
                      piece.terms};
    if (!cut.low || !cut.high || *cut.low < *cut.high) result.push_back(std::move(cut));
  }
  return result;
}

// The bounds of one noise, given another one, y: all lines below and all lines above it.
struct LinearBounds {
  std::vector<Line> lows;
  std::vector<Line> highs;
};

// cuts: every y at which two of the lines and levels change their order, in increasing order.
inline std::vector<Rational> cuts(const LinearBounds& bounds, const std::vector<Rational>& levels) {
  std::vector<Line> lines = bounds.lows;
  lines.insert(lines.end(), bounds.highs.begin(), bounds.highs.end());
  for (const Rational& level : levels) lines.push_back({level});
  std::vector<Rational> result;
  const std::size_t sloped = lines.size() - levels.size();
  for (std::size_t i = 0; i < sloped; ++i) {
    for (std::size_t j = i + 1; j < lines.size(); ++j) {
      const Rational turn = lines[i].slope - lines[j].slope;
      if (turn.sign() != 0) result.push_back((lines[j].at_zero - lines[i].at_zero) / turn);
    }
  }
  std::ranges::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

// for_each_gap: calls visit(low, high, a point between) for the open intervals between cuts.
template <class Visit>
void for_each_gap(const std::vector<Rational>& cuts, const Visit& visit) {
  if (cuts.empty()) return visit(std::optional<Rational>(), std::optional<Rational>(), Rational());
  visit(std::optional<Rational>(), std::optional(cuts.front()), cuts.front() - 1);
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    visit(std::optional(cuts[i]), std::optional(cuts[i + 1]), (cuts[i] + cuts[i + 1]) / 2);
  }
  visit(std::optional(cuts.back()), std::optional<Rational>(), cuts.back() + 1);
}

// tightest: the line that binds at y: the highest of the lows, or the lowest of the highs.
inline std::optional<Line> tightest(const std::vector<Line>& lines, const Rational& y, int side) {
  std::optional<Line> best;
  for (const Line& line : lines) {
    if (!best || (side < 0 ? line.at(y) > best->at(y) : line.at(y) < best->at(y))) best = line;
  }
  return best;
}

// The end of a piece or the bound that cuts it off, whichever binds at y.
inline std::optional<Line> binding_end(const std::optional<Rational>& end,
                                       const std::optional<Line>& bound, const Rational& y,
                                       int side) {
  if (!end) return bound;
  if (bound && (side < 0 ? bound->at(y) > *end : bound->at(y) < *end)) return bound;
  return Line{*end};
}

// marginal: y ↦ ∫ f(x) dx over the x that the bounds at y allow.
template <class Number>
Piecewise<Number> marginal(const Piecewise<Number>& f, const LinearBounds& bounds,
                           Arithmetic<Number>& arithmetic) {
  std::vector<Rational> levels;
  std::vector<Terms<Number>> integrals;
  for (const Piece<Number>& piece : f) {
    if (piece.low) levels.push_back(*piece.low);
    if (piece.high) levels.push_back(*piece.high);
    integrals.push_back(antiderivative(piece.terms, arithmetic));
  }
  std::ranges::sort(levels);
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  Piecewise<Number> result;
  for_each_gap(cuts(bounds, levels), [&](const auto& low, const auto& high, const Rational& y) {
    const std::optional<Line> lowest = tightest(bounds.lows, y, -1);
    const std::optional<Line> highest = tightest(bounds.highs, y, 1);
    if (lowest && highest && lowest->at(y) >= highest->at(y)) return;
    Piece<Number> piece{low, high, {}};
    for (std::size_t i = 0; i < f.size(); ++i) {
      const std::optional<Line> start = binding_end(f[i].low, lowest, y, -1);
      const std::optional<Line> end = binding_end(f[i].high, highest, y, 1);
      if (start && end && start->at(y) >= end->at(y)) continue;
      for (const Term<Number>& term : end_value(integrals[i], end, 1, arithmetic)) {
        add_term(piece.terms, term.power, term.rate, term.coefficient);
      }
      for (const Term<Number>& term : end_value(integrals[i], start, -1, arithmetic)) {
        const Number negative = -term.coefficient;
        add_term(piece.terms, term.power, term.rate, negative);
      }
    }
    if (!piece.terms.empty()) result.push_back(std::move(piece));
  });
  return result;
}

// integral: ∫ f over the interval.
template <class Number>
Number integral(const Piecewise<Number>& f, const Interval& interval,
                Arithmetic<Number>& arithmetic) {
  Number total = arithmetic.number(Rational(0));
  const auto end = [](const std::optional<Rational>& at) {
    return at ? std::optional(Line{*at}) : std::nullopt;
  };
  for (const Piece<Number>& piece : restricted(f, interval)) {
    const Terms<Number> whole = antiderivative(piece.terms, arithmetic);
    for (const auto& term : end_value(whole, end(piece.high), 1, arithmetic)) {
      total = total + term.coefficient;
    }
    for (const auto& term : end_value(whole, end(piece.low), -1, arithmetic)) {
      total = total - term.coefficient;
    }
  }
  return total;
}

}  // namespace lastbit::verify::refutation
