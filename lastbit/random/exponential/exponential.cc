#include "lastbit/random/exponential/exponential.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/numerics/ball.h"

namespace lastbit {
namespace {

constexpr int kFirstPrecision = 128;

// a − b·ln u, for u of (0, 1]; with b = 0 for any u.
Ball value_at(const Rational& a, const Rational& b, const Rational& u, int precision) {
  if (b.sign() == 0) return Ball(a, precision);
  return Ball(a, precision) - Ball(b, precision) * ln(Ball(u, precision));
}

// ⌊a − b·ln u⌋ for b ≠ 0 and a rational u < 1. The number is irrational, hence not whole, so some
// precision separates it from the whole numbers.
Integer floor_at(const Rational& a, const Rational& b, const Rational& u) {
  for (int precision = kFirstPrecision;; precision *= 2) {
    const Ball value = value_at(a, b, u, precision);
    Integer low = value.lower_rational().floor();
    if (low == value.upper_rational().floor()) return low;
  }
}

// An end of the interval that a + b·E is known to lie in: a − b·ln u, infinite when u is 0.
struct End {
  const Rational& a;
  const Rational& b;
  Rational u;

  int infinity() const { return u.sign() == 0 ? b.sign() : 0; }
  bool is_rational() const { return b.sign() == 0 || u == Rational(1); }
};

End lower_end(const AffineExponential& x) {
  return {x.a, x.b, x.b.sign() < 0 ? x.e.lower_u() : x.e.upper_u()};
}
End upper_end(const AffineExponential& x) {
  return {x.a, x.b, x.b.sign() < 0 ? x.e.upper_u() : x.e.lower_u()};
}

// Whether b1·ln u1 = b2·ln u2, that is u1^p = u2^q for the reduced fraction p/q = b1/b2. Both u are
// m/2^e in lowest terms. When the odd m1^p and m2^q agree and are not 1, both are powers of one
// number, m1 = g^q and m2 = g^p, so p and q are small or the answer is no.
bool logs_agree(const End& x, const End& y) {
  if (x.is_rational() || y.is_rational()) return x.is_rational() && y.is_rational();
  if (x.b.sign() != y.b.sign()) return false;
  const Rational ratio = x.b / y.b;
  const Integer p = ratio.numerator();
  const Integer q = ratio.denominator();
  const Integer m1 = x.u.numerator();
  const Integer m2 = y.u.numerator();
  const Integer e1 = x.u.denominator().bit_length() - 1;
  const Integer e2 = y.u.denominator().bit_length() - 1;
  if (e1 * p != e2 * q) return false;
  if (m1 == Integer(1) || m2 == Integer(1)) return m1 == m2;
  if (p > Integer(m2.bit_length()) || q > Integer(m1.bit_length())) return false;
  return pow(m1, static_cast<unsigned>(p.to_int64())) ==
         pow(m2, static_cast<unsigned>(q.to_int64()));
}

// The sign of x − y. Unless it is 0, which whole numbers decide, some precision reveals it.
int compare(const End& x, const End& y) {
  if (x.infinity() != 0 || y.infinity() != 0) return x.infinity() - y.infinity();
  const Rational difference = x.a - y.a;
  if (x.is_rational() && y.is_rational()) return difference.sign();
  if (difference.sign() == 0 && logs_agree(x, y)) return 0;
  return decide(
      [&](int precision) {
        return value_at(difference, x.b, x.u, precision) - value_at(0, y.b, y.u, precision);
      },
      Ball::kMaxPrecision);
}

// Those of the given indices that may still be the largest: those whose upper end is above every
// lower end.
std::vector<std::size_t> contenders(std::span<const AffineExponential> variates,
                                    const std::vector<std::size_t>& indices) {
  const AffineExponential* safest = &variates[indices.front()];
  for (const std::size_t i : indices) {
    if (compare(lower_end(*safest), lower_end(variates[i])) < 0) safest = &variates[i];
  }
  std::vector<std::size_t> result;
  for (const std::size_t i : indices) {
    if (compare(upper_end(variates[i]), lower_end(*safest)) > 0) result.push_back(i);
  }
  return result;
}

}  // namespace

Exponential::Exponential(std::uint64_t first_word)
    : known_(first_word >> 1), count_(63), sign_((first_word & 1) != 0 ? -1 : 1) {}

Rational Exponential::lower_u() const { return Rational(known_, Integer::two_to(count_)); }

Rational Exponential::upper_u() const {
  return Rational(known_ + Integer(1), Integer::two_to(count_));
}

void Exponential::extend(BitSource& bits) {
  known_ = known_ * Integer::two_to(64) + Integer(bits.word());
  count_ += 64;
}

Integer Exponential::floor_affine(const Rational& a, const Rational& b, BitSource& bits) {
  if (b.sign() == 0) return a.floor();
  for (;;) {
    if (auto floor = certain_floor(a, b)) return *std::move(floor);
    extend(bits);
  }
}

// a + b·E lies strictly between its values at the two ends of U, so its floor is certain when no
// whole number lies strictly between them. Only the value at U = 1, which is a, can be whole.
std::optional<Integer> Exponential::certain_floor(const Rational& a, const Rational& b) const {
  if (known_.sign() == 0) return std::nullopt;  // E may be arbitrarily large
  const Rational upper = upper_u();
  Integer near;
  if (upper == Rational(1)) {
    near = b.sign() > 0 ? a.floor() : a.ceil() - Integer(1);
  } else {
    near = floor_at(a, b, upper);
  }
  if (near != floor_at(a, b, lower_u())) return std::nullopt;
  return near;
}

bool Exponential::is_below(const Rational& c, BitSource& bits) {
  if (c.sign() <= 0) return false;
  // E < c at U = u means c + ln u > 0; both logarithms of rationals and c ≠ 0 make it never 0.
  const auto holds_at = [&c](const Rational& u) {
    return decide([&](int precision) { return value_at(c, -1, u, precision); },
                  Ball::kMaxPrecision) > 0;
  };
  for (;;) {
    const Rational lower = lower_u();
    if (lower.sign() > 0 && holds_at(lower)) return true;
    if (!holds_at(upper_u())) return false;
    extend(bits);
  }
}

bool is_less(AffineExponential& x, AffineExponential& y, BitSource& bits) {
  if (&x == &y) return false;
  if (x.b.sign() == 0 && y.b.sign() == 0) return x.a < y.a;
  for (;;) {
    if (compare(upper_end(x), lower_end(y)) <= 0) return true;
    if (compare(upper_end(y), lower_end(x)) <= 0) return false;
    if (x.b.sign() != 0) x.e.extend(bits);
    if (y.b.sign() != 0) y.e.extend(bits);
  }
}

std::size_t argmax(std::span<AffineExponential> variates, BitSource& bits) {
  if (variates.empty()) {
    throw Error::bad_parameter("argmax", "variates", "is empty", "give at least one variate");
  }
  if (std::ranges::any_of(variates, [](const auto& x) { return x.b.sign() == 0; })) {
    throw Error::bad_parameter("argmax", "b", "is 0, so that ties may never be broken",
                               "give every variate a scale other than 0");
  }
  std::vector<std::size_t> open(variates.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  for (;;) {
    open = contenders(variates, open);
    if (open.size() == 1) return open.front();
    for (const std::size_t i : open) variates[i].e.extend(bits);
  }
}

}  // namespace lastbit
