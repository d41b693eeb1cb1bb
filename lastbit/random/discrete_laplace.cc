#include "lastbit/random/discrete_laplace.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <array>

#include "lastbit/random/exponential/exponential.h"
#include "lastbit/random/noise_sum.h"

namespace lastbit {
namespace {

// ⌊c·E⌋ if a block can hold it; what lies beyond the cut is drawn afresh.
Integer uncut(std::int64_t floor, const Rational& scale, BitSource& bits) {
  if (!noise_internal::is_cut(floor)) return floor;
  return Integer(floor) + Exponential(bits).floor_affine(0, scale, bits);
}

}  // namespace

template <class Value>
void DiscreteLaplace::add_blocks(std::span<Value> values, BitSource& bits) const {
  // The first half of a block goes up, the second half down.
  std::array<std::int64_t, kBlockSamples> floors;
  constexpr std::size_t kPairs = kBlockSamples / 2;
  for (std::size_t offset = 0; offset < values.size(); offset += kPairs) {
    const std::size_t size = std::min(kPairs, values.size() - offset);
    noise_.floor(std::span(floors).first(2 * size), bits);
    for (std::size_t i = 0; i < size; ++i) {
      const std::int64_t up = floors[i];
      const std::int64_t down = floors[size + i];
      Value& value = values[offset + i];
      if (noise_internal::is_cut(up) || noise_internal::is_cut(down)) [[unlikely]] {
        const Integer gain = uncut(up, scale(), bits);
        noise_internal::add_noise(value, gain - uncut(down, scale(), bits));
      } else {
        noise_internal::add_noise(value, up - down);
      }
    }
  }
  OPENSSL_cleanse(floors.data(), sizeof floors);  // the noise would undo the protection
}

void DiscreteLaplace::add(std::span<Integer> values, BitSource& bits) const {
  add_blocks(values, bits);
}

void DiscreteLaplace::add(std::span<std::int64_t> values, BitSource& bits) const {
  add_blocks(values, bits);
}

}  // namespace lastbit
