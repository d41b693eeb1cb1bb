// Exact noise, many samples at a time: the questions of exponential.h answered in doubles wherever a
// proven error bound leaves the answer certain, and by balls for the few lanes where it does not.
//
// Every function equals its slow definition bit for bit on the same bits: a span is cut into blocks
// of kBlockSamples; for each block the first words of all its variates are drawn, in order, and
// then the further words that undecided variates need, in order. So results depend neither on the
// processor nor on the path. Proof: proofs/exponential.md#block
//
// Numerics       binary64 rounded to nearest, used only to decide what is certain within the bounds
//                of exponential_lanes.h; the processor's rounding mode is checked at every call.
// Fails          with the Errors of the source; kNotSupported when the processor does not round to
//                nearest. A block that fails leaves its outputs unspecified.
// Limits         the time depends on the noise: about one lane in 2^16, and more for scales beyond
//                2^30, takes a microsecond.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "lastbit/numerics/rational.h"
#include "lastbit/random/bit_source.h"
#include "lastbit/random/exponential/exponential_kernel.h"

namespace lastbit {

inline constexpr std::size_t kBlockSamples = 1024;

// ScaledExponentials: samples built on c·E for one exact scale c > 0.
class ScaledExponentials {
 public:
  // Results are cut to ±kMaxNoise so that they fit: k becomes the nearest number in that range. A
  // caller that adds a whole number and cuts the sum to a public range of at most ±2^61 gets what
  // it would get from uncut noise. For noise that is never cut, use Exponential::floor_affine.
  static constexpr std::int64_t kMaxNoise = std::int64_t{1} << 62;

  // Requires  checked: scale > 0, else kBadParameter.
  // A scale beyond 2^44 or below 2^−900 is exact too, but slow. The variant of the fast path only
  // changes the speed.
  explicit ScaledExponentials(const Rational& scale);
  ScaledExponentials(const Rational& scale, const exponential_internal::KernelVariant& variant);

  const Rational& scale() const { return scale_; }

  // round_signed: out[i] = ⌊fraction[i] + s·c·E + ½⌋, where s = ±1 is the sign of the variate: a real
  // Laplace variate of scale c around the fraction, rounded to the nearest whole number, ties
  // toward +∞. Without fractions they are all 0.
  // Requires  checked: as many fractions as outputs, else kBadParameter.  caller: each in [−½, ½].
  // Fails     kBadParameter when a fraction is NaN or infinite.
  // Proof     proofs/exponential.md#fast
  void round_signed(std::span<const double> fractions, std::span<std::int64_t> out,
                    BitSource& bits) const;
  void round_signed(std::span<std::int64_t> out, BitSource& bits) const;

  // floor: out[i] = ⌊c·E⌋, the geometric law Pr[k] = (1 − e^(−1/c))·e^(−k/c), k = 0, 1, …
  // Proof     proofs/exponential.md#fast
  void floor(std::span<std::int64_t> out, BitSource& bits) const;

  // argmax: the index of the largest scores[i] + c·E, each variate its own; the exact meaning of a
  // score is the number the double stands for. The first words of all are drawn before any other.
  // Requires  checked: at least one score, else kBadParameter.
  // Fails     kBadParameter when a score is NaN or infinite.
  // Proof     proofs/exponential.md#block
  std::size_t argmax(std::span<const double> scores, BitSource& bits) const;

 private:
  Rational scale_;
  exponential_internal::LaneScale lane_scale_;
  exponential_internal::KernelVariant variant_;
};

// bernoulli_exp: out[i] = 1 with probability exactly e^−x, else 0, as the question E > x; x is
// exact(i), of which x[i] is an approximation. An x ≤ 0 gives 1.
// Requires  checked: as many x as outputs, and error ≥ 0 and not NaN, else kBadParameter.
//           caller: |x[i] − exact(i)| ≤ error; exact(i) is called for few i only.
// Fails     with what exact(i) throws.
// Proof     proofs/exponential.md#fast
using ExactThreshold = std::function<Rational(std::size_t index)>;
void bernoulli_exp(std::span<const double> x, double error, const ExactThreshold& exact,
                   std::span<std::uint8_t> out, BitSource& bits,
                   const exponential_internal::KernelVariant& variant =
                       exponential_internal::kernel_variants().front());

}  // namespace lastbit
