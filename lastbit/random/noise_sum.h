// Adding noise to whole numbers. For this module only.
//
// The block sampler cuts a sample to ±2^62. That would change the law of a sum, so a sample at the
// cut is continued with fresh bits: an exponential variate that is known to exceed a bound exceeds
// it by an exponential variate. Proof: proofs/mechanisms.md#beyond
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "lastbit/numerics/integer.h"
#include "lastbit/random/exponential/exponential.h"
#include "lastbit/random/exponential/exponential_block.h"

namespace lastbit::noise_internal {

inline bool is_cut(std::int64_t noise) {
  return noise == ScaledExponentials::kMaxNoise || noise == -ScaledExponentials::kMaxNoise;
}

// add_noise: value + noise; for an int64, the nearest number of its type.
inline void add_noise(Integer& value, const Integer& noise) { value += noise; }
inline void add_noise(std::int64_t& value, const Integer& noise) {
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  const Integer sum = Integer(value) + noise;
  value = sum.fits_int64() ? sum.to_int64() : sum.sign() < 0 ? kLeast : kMost;
}
inline void add_noise(Integer& value, std::int64_t noise) { value += Integer(noise); }
inline void add_noise(std::int64_t& value, std::int64_t noise) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(value, noise, &sum)) {
    sum = noise < 0 ? std::numeric_limits<std::int64_t>::min()
                    : std::numeric_limits<std::int64_t>::max();
  }
  value = sum;
}

}  // namespace lastbit::noise_internal
