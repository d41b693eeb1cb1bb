// Exponential: the one source of exact noise, E = −ln U for U uniform on (0, 1), held lazily.
//
// After n random bits r of U it is known that U lies in (r, r + 1)·2^−n. Questions about E are
// questions about exact real numbers: further bits, 64 at a time, are drawn if and only if the
// answer is not the same for all U of that interval. So an answer has exactly the law of the
// real-number expression, and neither the answer nor the number of bits drawn depends on how the
// question was decided: here by balls of growing precision, in exponential_block.h mostly by doubles.
//
// Guarantee      the joint law of all answers is that of the expressions for one real U. There is no
//                smallest U and no largest E. Proof: proofs/exponential.md#lazy
// Not promised   constant time: the time depends on the bits drawn.
// Fails          with the Errors of the source; kNotSupported for parameters so large or so fine that
//                2^24 bits do not decide.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "lastbit/numerics/integer.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/random/bit_source.h"

namespace lastbit {

class Exponential {
 public:
  // The first word of a variate: its lowest bit is a sign, independent of E, if a caller wants one;
  // the other 63 bits are the leading bits of U, the highest first. Each later word is 64 more.
  explicit Exponential(BitSource& bits) : Exponential(bits.word()) {}
  explicit Exponential(std::uint64_t first_word);

  // sign: −1 when the lowest bit of the first word is set, else 1.
  int sign() const { return sign_; }

  // floor_affine: ⌊a + b·E⌋, b of either sign. b = 0 draws nothing.
  Integer floor_affine(const Rational& a, const Rational& b, BitSource& bits);
  // is_below: E < c; true with probability 1 − e^−c for c > 0. Draws nothing for c ≤ 0.
  bool is_below(const Rational& c, BitSource& bits);

  // lower_u, upper_u: the ends of the interval that U is known to lie in, both excluded.
  Rational lower_u() const;
  Rational upper_u() const;
  // extend: draws 64 more bits of U.
  void extend(BitSource& bits);

 private:
  std::optional<Integer> certain_floor(const Rational& a, const Rational& b) const;

  Integer known_;  // r: the bits drawn so far, as one number
  std::uint64_t count_;
  int sign_;
};

// AffineExponential: a + b·E, a variate of its own.
struct AffineExponential {
  Rational a;
  Rational b;
  Exponential e;
};

// is_less: x < y.
// Ensures   while the known bits do not decide, both draw 64 more bits, x first; a variate with
//           b = 0 draws nothing. is_less(x, x) is false.
// Fails     with the Errors of the source.
// Proof     proofs/exponential.md#compare
bool is_less(AffineExponential& x, AffineExponential& y, BitSource& bits);

// argmax: the index of the largest.
// Requires  checked: `variates` is not empty and no b is 0, else kBadParameter.
// Ensures   while more than one may still be the largest, each of those draws 64 more bits, in the
//           order of their indices.
// Fails     with the Errors of the source.
// Proof     proofs/exponential.md#compare
std::size_t argmax(std::span<AffineExponential> variates, BitSource& bits);

}  // namespace lastbit
