// The discrete Gaussian law.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

#include "lastbit/numerics/integer.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/random/bit_source.h"
#include "lastbit/random/discrete_laplace.h"

namespace lastbit {

// DiscreteGaussian
// Whole-number noise Z with Pr[Z = k] proportional to e^(−k²/(2σ²)); `variance` is σ².
// Requires  checked: variance > 0, else kBadParameter.
// Ensures   exactly that law, by rejection from the discrete Laplace law. Samples are
//           independent. A proposal is accepted with probability above 1/2.
// Limits    the number of proposals, hence the time, is random; it reveals nothing about the
//           samples, but how long one proposal takes depends on the noise.
// Fails     with the Errors of the source.
// Source    [Canonne2020]
// Proof     proofs/mechanisms.md#discrete-gaussian
class DiscreteGaussian {
 public:
  explicit DiscreteGaussian(const Rational& variance);
  const Rational& variance() const { return variance_; }
  // proposal_scale: the scale t of the discrete Laplace proposals; σ < t ≤ 9σ/8.
  const Rational& proposal_scale() const { return proposals_.scale(); }

  // add: values[i] becomes values[i] + Z.
  void add(std::span<Integer> values, BitSource& bits) const;
  // add: as above, but a sum beyond int64 becomes the nearest int64.
  void add(std::span<std::int64_t> values, BitSource& bits) const;

 private:
  static constexpr std::size_t kBlock = 512;
  struct Round;

  template <class Value>
  void add_blocks(std::span<Value> values, BitSource& bits) const;
  void propose(Round& round, std::size_t size, BitSource& bits) const;
  void decide(Round& round, std::size_t size, BitSource& bits) const;
  Rational threshold(const Integer& proposal) const;

  Rational variance_;
  DiscreteLaplace proposals_;
  Rational centre_;  // σ²/t

  // The same as doubles; proposals beyond `reach_` are decided by rationals.
  double centre_double_ = 0;
  double inverse_double_ = 0;  // of 2σ²
  std::int64_t reach_ = -1;
};

}  // namespace lastbit
