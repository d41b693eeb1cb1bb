#include "lastbit/random/bernoulli.h"

#include <utility>

#include "lastbit/base/error.h"

namespace lastbit {
namespace {

// Invariant of the loop: the digits of p so far equal those of U, and what is left of p, scaled to
// the next digit, is rest/denominator with 0 ≤ rest < denominator.
template <class Number>
bool is_below(BitSource& bits, Number rest, const Number& denominator) {
  while (rest != Number(0)) {
    rest += rest;
    const bool digit = rest >= denominator;
    if (digit) rest -= denominator;
    if (bits.bit() != digit) return digit;
  }
  return false;
}

}  // namespace

bool bernoulli(BitSource& bits, const Rational& p) {
  if (p < Rational(0) || p > Rational(1)) {
    throw Error::bad_parameter("bernoulli", "p", "is outside of [0, 1]",
                               "give a probability, 0 ≤ p ≤ 1");
  }
  if (p == Rational(1)) return true;
  Integer numerator = p.numerator();
  const Integer denominator = p.denominator();
  if (denominator.fits_int64()) {  // then twice the rest fits in 64 unsigned bits
    return is_below(bits, static_cast<std::uint64_t>(numerator.to_int64()),
                    static_cast<std::uint64_t>(denominator.to_int64()));
  }
  return is_below(bits, std::move(numerator), denominator);
}

}  // namespace lastbit
