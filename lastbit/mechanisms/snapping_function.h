// The snapping function: what the snapping mechanism does once its random bits are drawn.
//
// Drawing (a sign and a random float) and computing are separate, so that a program that studies
// the mechanism by enumeration runs the same function as a release. Nothing here promises privacy;
// lastbit/mechanisms/snapping.h does, for the parameters it accepts.
#pragma once

#include "lastbit/numerics/float.h"
#include "lastbit/numerics/grid.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/random/bit_source.h"

namespace lastbit {

// draw_unit_float
// A random float of `precision` bits in (0, 1): U* = 1.m · 2^−e with e = 1, 2, … geometric and
// precision − 1 fair bits m.
// Requires  checked: a precision that FloatFormat::unbounded takes, else kBadParameter.
// Ensures   Pr[U* = u] is the gap between u and the next float, so Pr[U* < t] = t for every float t
//           in (0, 1]. No smallest value. Draws e bits, then the mantissa, highest bit first.
// Fails     with the Errors of the source.
// Source    [Mironov2012], section 5; [Covington2020]
// Proof     proofs/snapping.md#unit-float
Float draw_unit_float(BitSource& bits, int precision);

// SnappingDraw: all the randomness of one release: a fair sign, +1 or −1, then a unit float.
struct SnappingDraw {
  int sign;
  Float u;
};
SnappingDraw draw_snapping(BitSource& bits, int precision);

// SnappingFunction: clamp_B(round_Λ(clamp_B(x) ⊕ sign ⊗ λ ⊗ LN(u))), where ⊕, ⊗ and LN round to the
// nearest float of p bits, ties to even, exponents unbounded; Λ is the smallest power of two ≥ λ;
// round_Λ goes to the nearest multiple of Λ, ties toward +∞.
//
// The input is any rational, not only a float of p bits: clamp_B(x) + noise is formed exactly and
// rounded once, which for a float x is ⊕. The result is exact: a multiple of Λ, or ±B.
// Proof: proofs/snapping.md#key-lemma
class SnappingFunction {
 public:
  // scale: λ, whose unbounded format fixes p. half_width: B.
  // Requires  checked: λ finite, positive, of an unbounded format and within 2^±Grid::kMaxExponent;
  //           B > 0; else kBadParameter.
  SnappingFunction(const Float& scale, const Rational& half_width);
  // The same on a grid other than Λ, for study only: releases use the one above.
  SnappingFunction(const Float& scale, const Rational& half_width, const Grid& grid);

  int precision() const { return scale_.format().precision(); }
  Rational scale() const { return scale_.to_rational(); }
  const Grid& grid() const { return grid_; }
  const Rational& half_width() const { return half_width_; }

  // noise: sign ⊗ λ ⊗ LN(u). A u that is not a positive number (1 and above are allowed, for study)
  // or a sign other than ±1 is a kBadParameter Error.
  Rational noise(const Float& u, int sign) const;
  // snap_with: the function above. Fails as noise.
  Rational snap_with(const Float& u, int sign, const Rational& x) const;
  // snapped: what happens to the exact sum x + noise: round to p bits, to the grid, clamp. It is
  // increasing and depends on x only through the sum.
  Rational snapped(const Rational& sum) const;

 private:
  Float scale_;
  Grid grid_;
  Rational half_width_;
};

}  // namespace lastbit
