#include "lastbit/numerics/distance.h"

#include <utility>

#include "lastbit/base/error.h"

namespace lastbit {

Distance::Distance(Rational value) : value_(std::move(value)) {
  if (value_->sign() < 0) {
    throw Error::bad_parameter("distance", "value", "is negative (" + value_->to_string() + ")",
                               "distances and privacy losses are at least 0");
  }
}

Distance Distance::infinity() {
  Distance distance;
  distance.value_.reset();
  return distance;
}

const Rational& Distance::value() const {
  if (!value_) {
    throw Error(ErrorCode::kNotSupported, "distance", "an infinite distance has no rational value",
                "ask is_infinite() first");
  }
  return *value_;
}

Distance Distance::floor() const { return value_ ? Distance(Rational(value_->floor())) : *this; }

std::string Distance::to_string() const { return value_ ? value_->to_string() : "infinity"; }

Distance operator+(const Distance& a, const Distance& b) {
  if (!a.value_ || !b.value_) return Distance::infinity();
  return Distance(*a.value_ + *b.value_);
}

Distance operator*(const Distance& a, const Distance& b) {
  const Distance zero;
  if (a == zero || b == zero) return zero;
  if (!a.value_ || !b.value_) return Distance::infinity();
  return Distance(*a.value_ * *b.value_);
}

Distance operator/(const Distance& a, const Rational& b) {
  if (b.sign() <= 0) {
    throw Error::bad_parameter("distance", "divisor", "is not positive (" + b.to_string() + ")",
                               "divide a distance by a positive number");
  }
  return a * Distance(Rational(1) / b);
}

std::strong_ordering operator<=>(const Distance& a, const Distance& b) {
  if (!a.value_ || !b.value_) return a.is_infinite() <=> b.is_infinite();
  return *a.value_ <=> *b.value_;
}

Distance pow(const Distance& base, unsigned exponent) {
  if (base.is_infinite()) return exponent == 0 ? Distance(1) : base;
  return Distance(pow(base.value(), exponent));
}

std::optional<Rational> exact_root(const Rational& value, unsigned degree) {
  invariant(degree >= 1, "a root of degree zero");
  if (value.sign() < 0) return std::nullopt;
  mpz_class numerator;
  mpz_class denominator;
  const bool exact = mpz_root(numerator.get_mpz_t(), value.gmp().get_num_mpz_t(), degree) != 0 &&
                     mpz_root(denominator.get_mpz_t(), value.gmp().get_den_mpz_t(), degree) != 0;
  if (!exact) return std::nullopt;
  return Rational(Integer(std::move(numerator)), Integer(std::move(denominator)));
}

}  // namespace lastbit
