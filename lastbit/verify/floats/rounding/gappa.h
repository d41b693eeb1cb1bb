// The claim of a derivation as a script for Gappa, an independent prover of rounding errors.
#pragma once

#include <string>

#include "lastbit/numerics/float.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/verify/floats/rounding/extent.h"
#include "lastbit/verify/floats/rounding/formula.h"

namespace lastbit::verify {

// gappa_script: the expression, rounded operation by operation, and what derive_rounding says about
// it within the ranges, in numbers: for the whole expression and for every product and quotient in
// it the distance from the real value, relative where the bounds are the real value times powers of
// (1 + η), absolute otherwise. Gappa knows no logarithm, so ln(…) enters as a real number within the
// extent of its bounds, which is rounded. `share` scales the distances that are claimed: with 1
// Gappa confirms the script (exit status 0); with a small share it must not.
//
// Requires  checked: 0 < share; expressions of numbers, variables, U, + − × ÷, negation and ln of
//           something with finite bounds; finite ranges; no real value that may be 0 where a relative
//           distance is claimed; else kBadParameter or kNotSupported. Then as derive_rounding.
// Proof     proofs/rounding.md#gappa
std::string gappa_script(const Formula& formula, const Ranges& ranges, const FloatFormat& format,
                         const Rational& share = 1);

}  // namespace lastbit::verify
