#include "lastbit/random/rounded_laplace.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <array>

#include "lastbit/base/error.h"
#include "lastbit/random/exponential/exponential.h"
#include "lastbit/random/noise_sum.h"

namespace lastbit {
namespace {

using Block = std::array<std::int64_t, kBlockSamples>;

// What a sample at the cut really is. Above, it is the cut plus ⌊c·E⌋. Below, ⌊y⌋ ≤ −2^62 means
// y < 1 − 2^62, and y is 1 − 2^62 − c·E.
Integer continued(std::int64_t cut, const Rational& scale, BitSource& bits) {
  Exponential more(bits);
  if (cut > 0) return Integer(cut) + more.floor_affine(0, scale, bits);
  return Integer(cut) + more.floor_affine(1, -scale, bits);
}

}  // namespace

template <class Whole>
void RoundedLaplace::add_blocks(const double* fractions, std::span<Whole> wholes,
                                BitSource& bits) const {
  Block noise;
  for (std::size_t offset = 0; offset < wholes.size(); offset += noise.size()) {
    const std::size_t size = std::min(noise.size(), wholes.size() - offset);
    const std::span<std::int64_t> block = std::span(noise).first(size);
    if (fractions == nullptr) {
      noise_.round_signed(block, bits);
    } else {
      noise_.round_signed(std::span(fractions + offset, size), block, bits);
    }
    for (std::size_t i = 0; i < size; ++i) {
      if (noise_internal::is_cut(block[i])) [[unlikely]] {
        noise_internal::add_noise(wholes[offset + i], continued(block[i], scale(), bits));
      } else {
        noise_internal::add_noise(wholes[offset + i], block[i]);
      }
    }
  }
  OPENSSL_cleanse(noise.data(), sizeof noise);  // the noise would undo the protection
}

void RoundedLaplace::add(std::span<const double> fractions, std::span<Integer> wholes,
                         BitSource& bits) const {
  if (fractions.size() != wholes.size()) {
    throw Error::bad_parameter("rounded Laplace", "fractions", "is not as long as `wholes`",
                               "give one for each whole number");
  }
  add_blocks(fractions.data(), wholes, bits);
}

void RoundedLaplace::add(std::span<std::int64_t> wholes, BitSource& bits) const {
  add_blocks(nullptr, wholes, bits);
}

Integer RoundedLaplace::around(const Rational& x, BitSource& bits) const {
  Exponential variate(bits);
  const Rational signed_scale = variate.sign() < 0 ? -scale() : scale();
  return variate.floor_affine(x + Rational(1, 2), signed_scale, bits);
}

}  // namespace lastbit
