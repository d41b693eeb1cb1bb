#include "lastbit/random/exponential/exponential_kernel.h"

#include <limits>
#include <vector>

namespace lastbit::exponential_internal {
namespace {

[[gnu::always_inline]] inline bool round_signed_loop(const std::uint64_t* __restrict words,
                                                     const double* __restrict fractions,
                                                     std::int64_t* __restrict out,
                                                     std::size_t count, const LaneScale c) {
  std::uint64_t unsure = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const LaneWhole lane = lane_round_signed(words[i], fractions[i], c);
    out[i] = static_cast<std::int64_t>(lane.whole);
    unsure |= lane.unsure;
  }
  return unsure != 0;
}

[[gnu::always_inline]] inline bool floor_scaled_loop(const std::uint64_t* __restrict words,
                                                     std::int64_t* __restrict out,
                                                     std::size_t count, const LaneScale c) {
  std::uint64_t unsure = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const LaneWhole lane = lane_floor_scaled(words[i], c);
    out[i] = static_cast<std::int64_t>(lane.whole);
    unsure |= lane.unsure;
  }
  return unsure != 0;
}

[[gnu::always_inline]] inline bool exceeds_loop(const std::uint64_t* __restrict words,
                                                const double* __restrict x,
                                                std::uint8_t* __restrict out, std::size_t count,
                                                double error) {
  std::uint64_t unsure = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const LaneExcess lane = lane_excess(words[i], x[i], error);
    out[i] = lane.excess > 0 ? 1 : 0;
    unsure |= lane.unsure;
  }
  return unsure != 0;
}

[[gnu::always_inline]] inline bool reaches_loop(const std::uint64_t* __restrict words,
                                                const double* __restrict a, std::size_t count,
                                                const LaneScale c, double best) {
  std::uint64_t reached = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const LaneBounds lane = lane_bounds(words[i], a[i], c);
    reached |= lane_not_below(lane.upper, best) | lane.unsure;
  }
  return reached != 0;
}

// One instruction set: the loops are inlined into functions that may use it.
#define LASTBIT_VARIANT(set, ...)                                                                \
  __VA_ARGS__ bool round_signed_##set(const std::uint64_t* words, const double* fractions,       \
                                      std::int64_t* out, std::size_t count, LaneScale c) {       \
    return round_signed_loop(words, fractions, out, count, c);                                   \
  }                                                                                              \
  __VA_ARGS__ bool floor_scaled_##set(const std::uint64_t* words, std::int64_t* out,             \
                                      std::size_t count, LaneScale c) {                          \
    return floor_scaled_loop(words, out, count, c);                                              \
  }                                                                                              \
  __VA_ARGS__ bool exceeds_##set(const std::uint64_t* words, const double* x, std::uint8_t* out, \
                                 std::size_t count, double error) {                              \
    return exceeds_loop(words, x, out, count, error);                                            \
  }                                                                                              \
  __VA_ARGS__ bool reaches_##set(const std::uint64_t* words, const double* a, std::size_t count, \
                                 LaneScale c, double best) {                                     \
    return reaches_loop(words, a, count, c, best);                                               \
  }                                                                                              \
  constexpr KernelVariant kVariant_##set = {#set, round_signed_##set, floor_scaled_##set,        \
                                            exceeds_##set, reaches_##set};

LASTBIT_VARIANT(baseline, )
#if defined(__x86_64__)
LASTBIT_VARIANT(avx2, [[gnu::target("avx2")]])
LASTBIT_VARIANT(avx512, [[gnu::target("avx512f,avx512dq,avx512vl")]])
#endif
#undef LASTBIT_VARIANT

std::vector<KernelVariant> find_variants() {
  std::vector<KernelVariant> variants;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    variants.push_back(kVariant_avx512);
  }
  if (__builtin_cpu_supports("avx2")) variants.push_back(kVariant_avx2);
#endif
  variants.push_back(kVariant_baseline);
  return variants;
}

}  // namespace

// The error is C·2^−46, and 2^−52 for the fraction. Outside of the proved range nothing is certain.
LaneScale lane_scale(const Rational& scale) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (scale > Rational::two_to(44) || scale < Rational::two_to(-900)) {
    return {0.0, -kInfinity, kInfinity};
  }
  const double below = scale.down();
  const double above = scale.up();
  const bool is_below_nearer = scale - Rational::exactly(below) <= Rational::exactly(above) - scale;
  const double nearest = is_below_nearer ? below : above;
  const Rational error = Rational::exactly(nearest) * Rational::two_to(-46);
  return {nearest, (Rational(1, 2) - error - Rational::two_to(-52)).down(), error.up()};
}

std::span<const KernelVariant> kernel_variants() {
  static const std::vector<KernelVariant> variants = find_variants();
  return variants;
}

}  // namespace lastbit::exponential_internal
