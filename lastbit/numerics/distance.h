// Distance: how far apart two inputs may be, or how much privacy may be lost. An exact rational
// ≥ 0, or infinity. Radical<P>: the P-th root of a Distance, which is what L2 and Lp distances are;
// it is kept as its radicand so that comparisons stay exact.
#pragma once

#include <compare>
#include <concepts>
#include <optional>
#include <string>

#include "lastbit/numerics/rational.h"

namespace lastbit {

class Distance {
 public:
  Distance() : value_(Rational(0)) {}
  template <std::integral T>
  Distance(T value) : Distance(Rational(value)) {}  // NOLINT(google-explicit-constructor)
  // A negative value is a kBadParameter Error.
  Distance(Rational value);  // NOLINT(google-explicit-constructor)
  static Distance infinity();

  bool is_infinite() const { return !value_.has_value(); }
  // value: the rational; calling it on infinity is a kNotSupported Error.
  const Rational& value() const;
  // floor: the largest whole number ≤ this; infinity stays.
  Distance floor() const;
  // to_string: exact, "infinity" for infinity.
  std::string to_string() const;

  friend Distance operator+(const Distance& a, const Distance& b);
  // 0 · infinity is 0: a constant function keeps its outputs together however far apart its inputs.
  friend Distance operator*(const Distance& a, const Distance& b);
  // Division by a positive rational; zero or less is a kBadParameter Error.
  friend Distance operator/(const Distance& a, const Rational& b);
  friend bool operator==(const Distance& a, const Distance& b) { return a.value_ == b.value_; }
  friend std::strong_ordering operator<=>(const Distance& a, const Distance& b);

 private:
  std::optional<Rational> value_;  // empty means infinity
};

Distance pow(const Distance& base, unsigned exponent);

template <unsigned P>
  requires(P >= 2)
class Radical {
 public:
  Radical() = default;
  template <std::integral T>
  Radical(T value) : Radical(Distance(value)) {}                // NOLINT
  Radical(const Rational& value) : Radical(Distance(value)) {}  // NOLINT
  Radical(const Distance& value) : radicand_(pow(value, P)) {}  // NOLINT
  // root_of: the P-th root of `radicand`.
  static Radical root_of(Distance radicand) {
    Radical root;
    root.radicand_ = std::move(radicand);
    return root;
  }
  static Radical infinity() { return root_of(Distance::infinity()); }

  const Distance& radicand() const { return radicand_; }
  bool is_infinite() const { return radicand_.is_infinite(); }
  // to_string: exact, as in "2^(1/2)"; a whole root of a whole number is written out.
  std::string to_string() const;

  friend Radical operator*(const Distance& a, const Radical& b) {
    return root_of(pow(a, P) * b.radicand_);
  }
  friend bool operator==(const Radical& a, const Radical& b) { return a.radicand_ == b.radicand_; }
  friend std::strong_ordering operator<=>(const Radical& a, const Radical& b) {
    return a.radicand_ <=> b.radicand_;  // the P-th root is increasing
  }

 private:
  Distance radicand_;
};

// exact_root: the `degree`-th root of `value` where it is rational, else nothing.
std::optional<Rational> exact_root(const Rational& value, unsigned degree);

template <unsigned P>
  requires(P >= 2)
std::string Radical<P>::to_string() const {
  if (is_infinite()) return radicand_.to_string();
  if (const auto root = exact_root(radicand_.value(), P)) return root->to_string();
  return "(" + radicand_.to_string() + ")^(1/" + std::to_string(P) + ")";
}

}  // namespace lastbit
