// Real Laplace noise, added and rounded to a whole number in one step.
#pragma once

#include <cstdint>
#include <span>

#include "lastbit/numerics/integer.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/random/bit_source.h"
#include "lastbit/random/exponential/exponential_block.h"

namespace lastbit {

// RoundedLaplace
// ⌊x + L + ½⌋ for a real variate L of the Laplace law with scale c, whose density is
// e^(−|t|/c)/(2c). The real sum is what is rounded: there is no float in between.
// Requires  checked: scale > 0, else kBadParameter.
// Ensures   Pr[⌊x + L + ½⌋ ≥ j] = Pr[x + L ≥ j − ½] for every j, exactly. Samples are independent.
// Limits    the time depends on the noise; see exponential_block.h.
// Fails     with the Errors of the source.
// Proof     proofs/mechanisms.md#rounded-laplace
class RoundedLaplace {
 public:
  explicit RoundedLaplace(const Rational& scale) : noise_(scale) {}
  const Rational& scale() const { return noise_.scale(); }

  // add: wholes[i] becomes ⌊wholes[i] + fractions[i] + L + ½⌋.
  // Requires  checked: as many fractions as wholes.  caller: fractions in [−½, ½].
  void add(std::span<const double> fractions, std::span<Integer> wholes, BitSource& bits) const;
  // add: wholes[i] becomes ⌊wholes[i] + L + ½⌋, or the nearest int64 if that is beyond int64.
  void add(std::span<std::int64_t> wholes, BitSource& bits) const;
  // around: ⌊x + L + ½⌋ for any x. Slow.
  Integer around(const Rational& x, BitSource& bits) const;

 private:
  template <class Whole>
  void add_blocks(const double* fractions, std::span<Whole> wholes, BitSource& bits) const;

  ScaledExponentials noise_;
};

}  // namespace lastbit
