#include "lastbit/transformations/aggregates/sum_kernel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace lastbit::sum_internal {
namespace {

// Doubles in [2^52, 2^53] are whole and their bit patterns are consecutive numbers, so for whole
// |i| ≤ 2^51 the bits of kMagic + i are kMagicBits + i.
constexpr double kMagic = 0x1.8p52;
constexpr auto kMagicBits = std::bit_cast<std::uint64_t>(kMagic);

// The multiples of a task have magnitude at most 2^50, so 2^12 of them sum to at most 2^62 and the
// wrapped 64-bit sum still tells them apart.
constexpr int kMaxIndexBits = 50;
constexpr std::size_t kRowsPerLane = std::size_t{1} << 12;

// Within these exponents the scale is a normal double, and a subnormal row has the index 0, however
// the processor treats subnormals.
constexpr int kMinExponent = -900;
constexpr int kMaxExponent = 1000;

// The index of a row, plus kMagicBits.
[[gnu::always_inline]] inline std::uint64_t shifted_index(double row, const KernelTask& task) {
  const double above = row > task.lower ? row : task.lower;  // NaN compares false
  const double within = above < task.upper ? above : task.upper;
  const double scaled = within * task.scale;
  const double rounded = scaled + kMagic;  // to nearest, ties to even
  const double below = scaled - (rounded - kMagic);
  // A tie that went down to the even number is one short; the difference is exact.
  return std::bit_cast<std::uint64_t>(rounded) + (below >= 0.5 ? 1 : 0);
}

// Independent lanes let a compiler use vector instructions without reordering anything.
template <std::size_t kLanes>
[[gnu::always_inline]] inline Int128 sum_in_lanes(std::span<const double> rows,
                                                  const KernelTask& task_in_memory) {
  const KernelTask task = task_in_memory;
  const double* row = rows.data();
  std::size_t left = rows.size();
  Int128 total = 0;
  while (left >= kLanes) {
    const std::size_t steps = std::min(left / kLanes, kRowsPerLane);
    std::uint64_t lanes[kLanes] = {};
    for (std::size_t step = 0; step < steps; ++step, row += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        lanes[lane] += shifted_index(row[lane], task);
      }
    }
    for (const std::uint64_t lane : lanes) {
      total += static_cast<std::int64_t>(lane - steps * kMagicBits);
    }
    left -= steps * kLanes;
  }
  for (; left > 0; --left, ++row) {
    total += static_cast<std::int64_t>(shifted_index(*row, task) - kMagicBits);
  }
  return total;
}

Int128 sum_baseline(std::span<const double> rows, const KernelTask& task) {
  return sum_in_lanes<8>(rows, task);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] Int128 sum_avx2(std::span<const double> rows, const KernelTask& task) {
  return sum_in_lanes<16>(rows, task);
}
[[gnu::target("avx512f,avx512dq,avx512vl")]] Int128 sum_avx512(std::span<const double> rows,
                                                               const KernelTask& task) {
  return sum_in_lanes<32>(rows, task);
}
#endif

std::vector<KernelVariant> find_variants() {
  std::vector<KernelVariant> variants;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    variants.push_back({"avx512", sum_avx512});
  }
  if (__builtin_cpu_supports("avx2")) variants.push_back({"avx2", sum_avx2});
#endif
  variants.push_back({"baseline", sum_baseline});
  return variants;
}

}  // namespace

bool fits_kernel(const GridRows<double>& rows) {
  const int exponent = rows.grid().exponent();
  const std::int64_t bound = std::int64_t{1} << kMaxIndexBits;
  return exponent >= kMinExponent && exponent <= kMaxExponent && rows.lower_index() >= -bound &&
         rows.upper_index() <= bound;
}

KernelTask kernel_task(const GridRows<double>& rows) {
  return {rows.rows().lower(), rows.rows().upper(), std::ldexp(1.0, -rows.grid().exponent())};
}

std::span<const KernelVariant> kernel_variants() {
  static const std::vector<KernelVariant> variants = find_variants();
  return variants;
}

}  // namespace lastbit::sum_internal
