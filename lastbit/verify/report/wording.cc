#include "lastbit/verify/report/wording.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <utility>

#include "lastbit/base/text.h"

namespace lastbit::verify {
namespace {

struct Piece {
  Rational coefficient;
  Monomial monomial;
};
using Pieces = std::vector<Piece>;

// A fraction of products, each part a list of factors.
struct Fraction {
  std::vector<std::string> over;
  std::vector<std::string> under;

  std::string text() const {
    const std::string numerator = over.empty() ? "1" : joined(over, "*");
    if (under.empty()) return numerator;
    const std::string denominator = joined(under, "*");
    if (under.size() == 1) return fmt::format("{}/{}", numerator, denominator);
    return fmt::format("{}/({})", numerator, denominator);
  }
};

void multiply(Fraction& fraction, const Monomial& monomial, const Names& names) {
  for (const auto& [symbol, exponent] : monomial.powers) {
    const std::string& divisor = names.divisor(symbol);
    const bool is_under = (exponent < 0) != !divisor.empty();
    const std::string base = divisor.empty() ? names[symbol] : fmt::format("({})", divisor);
    const int power = std::abs(exponent);
    const std::string factor = power == 1 ? base : fmt::format("{}^{}", base, power);
    (is_under ? fraction.under : fraction.over).push_back(factor);
  }
}

void multiply(Fraction& fraction, const Rational& positive) {
  const Integer numerator = positive.numerator();
  const Integer denominator = positive.denominator();
  if (numerator != Integer(1)) fraction.over.push_back(numerator.to_string());
  if (denominator != Integer(1)) fraction.under.push_back(denominator.to_string());
}

std::string print_piece(const Piece& piece, const Names& names) {
  Fraction fraction;
  multiply(fraction, abs(piece.coefficient));
  multiply(fraction, piece.monomial, names);
  return fraction.text();
}

// Sums begin with a positive term if they can, and end with the number.
Pieces in_order(const Pieces& pieces) {
  const auto rank = [](const Piece& piece) {
    return (piece.coefficient.sign() < 0 ? 2 : 0) + (piece.monomial.powers.empty() ? 1 : 0);
  };
  Pieces ordered;
  for (const int wanted : {0, 1, 2, 3}) {
    std::ranges::copy_if(pieces, std::back_inserter(ordered),
                         [&](const Piece& piece) { return rank(piece) == wanted; });
  }
  return ordered;
}

std::string print_sum(const Pieces& pieces, const Names& names) {
  std::string text;
  for (const Piece& piece : in_order(pieces)) {
    const bool negative = piece.coefficient.sign() < 0;
    if (text.empty()) {
      text = negative ? "-" : "";
    } else {
      text += negative ? " - " : " + ";
    }
    text += print_piece(piece, names);
  }
  return text.empty() ? "0" : text;
}

Pieces pieces_of(const Polynomial& value) {
  Pieces pieces;
  for (const auto& [monomial, coefficient] : value.terms())
    pieces.push_back({coefficient, monomial});
  return pieces;
}

int exponent_in(const Monomial& monomial, SymbolId symbol) {
  for (const auto& [id, exponent] : monomial.powers) {
    if (id == symbol) return exponent;
  }
  return 0;
}

// The product that all pieces have in common: of each symbol the smallest power that is in all.
Monomial common_factor(const Pieces& pieces) {
  Monomial common;
  for (const auto& [symbol, first] : pieces.front().monomial.powers) {
    int shared = first;
    for (const Piece& piece : pieces) {
      const int exponent = exponent_in(piece.monomial, symbol);
      if ((exponent < 0) != (first < 0)) {
        shared = 0;
      } else if (std::abs(exponent) < std::abs(shared)) {
        shared = exponent;
      }
    }
    if (shared != 0) common.powers.emplace_back(symbol, shared);
  }
  return common;
}

// The smallest coefficient if the others are whole multiples of it, otherwise 1; negative if that
// leaves a sum without minus signs.
Rational common_coefficient(const Pieces& pieces) {
  Rational least = abs(pieces.front().coefficient);
  for (const Piece& piece : pieces) least = std::min(least, abs(piece.coefficient));
  const bool divides = std::ranges::all_of(
      pieces, [&](const Piece& piece) { return (piece.coefficient / least).is_integer(); });
  const bool negative =
      std::ranges::all_of(pieces, [](const Piece& piece) { return piece.coefficient.sign() < 0; });
  const Rational size = divides ? least : Rational(1);
  return negative ? -size : size;
}

std::string call(const FunctionValue& function, const Names& names) {
  std::vector<std::string> arguments;
  for (const Polynomial& argument : function.arguments) {
    arguments.push_back(print_polynomial(argument, names));
  }
  if (function.op == Operator::kAbs) return fmt::format("|{}|", arguments.at(0));
  if (function.op == Operator::kModulo) {
    return fmt::format("mod({}, {})", arguments.at(0), arguments.at(1));
  }
  return fmt::format("{}({})", function_name(function.op), joined(arguments, ", "));
}

std::optional<std::string> meaning(const Goal& goal, const Polynomial& symbol, const Names& names) {
  for (const ListEntry& entry : goal.entries) {
    const std::string name =
        fmt::format("{}[{}]", entry.list, print_polynomial(entry.index, names));
    if (entry.values[0] == entry.values[1] && entry.values[0] == symbol) return name;
    if (entry.values[0] == symbol) return name + ".1";
    if (entry.values[1] == symbol) return name + ".2";
  }
  for (const FunctionValue& function : goal.functions) {
    if (function.value == symbol && function.op != Operator::kDivide) return call(function, names);
  }
  return std::nullopt;
}

// distance_of: "x.1 - x.2" and whether x.1 is the one on the left, for x.1 and x.2 on the two sides.
std::optional<std::pair<std::string, bool>> distance_of(const Pieces& left, const Pieces& right,
                                                        const Names& names) {
  if (left.size() != 1 || right.size() != 1) return std::nullopt;
  std::string one = print_sum(left, names);
  std::string other = print_sum(right, names);
  const bool first = one.ends_with(".1");
  if (!first) std::swap(one, other);
  if (!one.ends_with(".1") || !other.ends_with(".2")) return std::nullopt;
  if (one.substr(0, one.size() - 2) != other.substr(0, other.size() - 2)) return std::nullopt;
  return std::pair{fmt::format("{} - {}", one, other), first};
}

}  // namespace

Names::Shown Names::shown_for(const Goal& goal, SymbolId id) const {
  const std::string& short_name = goal.symbols.at(static_cast<std::size_t>(id)).name;
  const Polynomial symbol = Polynomial::symbol(id);
  for (const FunctionValue& function : goal.functions) {
    if (function.value != symbol || function.op != Operator::kDivide) continue;
    const std::string divisor = print_polynomial(function.arguments.front(), *this);
    if (divisor.size() <= kMaxLength) return {fmt::format("1/({})", divisor), divisor, ""};
    return {short_name, "", fmt::format("1/({})", divisor)};
  }
  const auto text = meaning(goal, symbol, *this);
  if (!text) return {short_name, "", ""};
  if (text->size() <= kMaxLength) return {*text, "", ""};
  return {short_name, "", *text};
}

void Names::learn(const Goal& goal) {
  while (shown_.size() < goal.symbols.size()) {
    shown_.push_back(shown_for(goal, static_cast<SymbolId>(shown_.size())));
  }
}

void Names::learn(const std::vector<Symbol>& symbols) {
  while (shown_.size() < symbols.size()) {
    std::string name = symbols[shown_.size()].name;
    if (name.ends_with('*')) name.back() = '\'';  // a second draw; here * is a product
    shown_.push_back({std::move(name), "", ""});
  }
}

void Names::forget(std::size_t size) {
  if (size < shown_.size()) shown_.resize(size);
}

const std::string& Names::operator[](SymbolId symbol) const {
  static const std::string kUnknown = "?";
  const auto index = static_cast<std::size_t>(symbol);
  return index < shown_.size() ? shown_[index].name : kUnknown;
}

const std::string& Names::divisor(SymbolId symbol) const {
  static const std::string kNone;
  const auto index = static_cast<std::size_t>(symbol);
  return index < shown_.size() ? shown_[index].divisor : kNone;
}

std::string Names::rename(SymbolId symbol, std::string name) {
  return std::exchange(shown_.at(static_cast<std::size_t>(symbol)).name, std::move(name));
}

std::vector<std::string> Names::definitions(std::size_t first) const {
  std::vector<std::string> found;
  for (std::size_t i = first; i < shown_.size(); ++i) {
    if (shown_[i].definition.empty()) continue;
    found.push_back(fmt::format("{} = {}", shown_[i].name, shown_[i].definition));
  }
  return found;
}

std::string print_monomial(const Rational& coefficient, const Monomial& monomial,
                           const Names& names) {
  return print_sum({{coefficient, monomial}}, names);
}

std::string print_increment(const std::string& first, const Polynomial& value, const Names& names) {
  std::string text = first;
  for (const Piece& piece : in_order(pieces_of(value))) {
    text += (piece.coefficient.sign() < 0 ? " - " : " + ") + print_piece(piece, names);
  }
  return text;
}

std::string print_polynomial(const Polynomial& value, const Names& names) {
  Pieces pieces = pieces_of(value);
  if (pieces.size() < 2) return print_sum(pieces, names);
  const Monomial common = common_factor(pieces);
  const Rational coefficient = common_coefficient(pieces);
  const bool has_fractions_only = std::ranges::none_of(
      pieces, [](const Piece& piece) { return piece.coefficient.is_integer(); });
  if (common.powers.empty() && !has_fractions_only) return print_sum(pieces, names);
  for (Piece& piece : pieces) {
    piece.coefficient /= coefficient;
    piece.monomial = piece.monomial * inverse(common);
  }
  Fraction fraction;
  multiply(fraction, abs(coefficient));
  multiply(fraction, common, names);
  fraction.over.push_back(fmt::format("({})", print_sum(pieces, names)));
  return (coefficient.sign() < 0 ? "-" : "") + fraction.text();
}

std::string print_fact(const Fact& fact, const Names& names) {
  const bool strict = fact.sign == Sign::kPositive;
  const std::string more = fact.sign == Sign::kZero ? "=" : strict ? ">" : ">=";
  const std::string less = fact.sign == Sign::kZero ? "=" : strict ? "<" : "<=";
  const Pieces pieces = pieces_of(fact.value);
  if (pieces.size() > 1 && !common_factor(pieces).powers.empty()) {
    return fmt::format("{} {} 0", print_polynomial(fact.value, names), more);
  }
  Pieces left;
  Pieces right;
  Rational constant;
  for (const Piece& piece : pieces) {
    if (piece.monomial.powers.empty()) {
      constant = piece.coefficient;
    } else if (piece.coefficient.sign() > 0) {
      left.push_back(piece);
    } else {
      right.push_back({-piece.coefficient, piece.monomial});
    }
  }
  // The distance of two runs reads best as such: q[i].1 - q[i].2 <= 1.
  if (const auto distance = distance_of(left, right, names)) {
    const bool first = distance->second;
    return fmt::format("{} {} {}", distance->first, first ? more : less,
                       (first ? -constant : constant).to_string());
  }
  if (constant.sign() > 0) left.push_back({constant, {}});
  if (constant.sign() < 0) right.push_back({-constant, {}});
  if (left.empty() && !right.empty()) {
    return fmt::format("{} {} 0", print_sum(right, names), less);
  }
  return fmt::format("{} {} {}", print_sum(left, names), more, print_sum(right, names));
}

}  // namespace lastbit::verify
