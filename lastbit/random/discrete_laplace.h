// The discrete Laplace law, which is the two-sided geometric law.
#pragma once

#include <cstdint>
#include <span>

#include "lastbit/numerics/integer.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/random/bit_source.h"
#include "lastbit/random/exponential/exponential_block.h"

namespace lastbit {

// DiscreteLaplace
// Whole-number noise Z with Pr[Z = k] proportional to e^(−|k|/scale).
// Requires  checked: scale > 0, else kBadParameter.
// Ensures   Z = ⌊scale·E1⌋ − ⌊scale·E2⌋ for two exponential variates, which has exactly that law.
//           Samples are independent.
// Limits    the time depends on the noise; see exponential_block.h.
// Fails     with the Errors of the source.
// Proof     proofs/mechanisms.md#discrete-laplace
class DiscreteLaplace {
 public:
  explicit DiscreteLaplace(const Rational& scale) : noise_(scale) {}
  const Rational& scale() const { return noise_.scale(); }

  // add: values[i] becomes values[i] + Z.
  void add(std::span<Integer> values, BitSource& bits) const;
  // add: as above, but a sum beyond int64 becomes the nearest int64.
  void add(std::span<std::int64_t> values, BitSource& bits) const;

 private:
  template <class Value>
  void add_blocks(std::span<Value> values, BitSource& bits) const;

  ScaledExponentials noise_;
};

}  // namespace lastbit
