// The loops of the fast path over a block of words, compiled for several instruction sets that all
// give the same bits. For this module and its tests and benchmarks only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "lastbit/numerics/rational.h"
#include "lastbit/random/exponential/exponential_lanes.h"

namespace lastbit::exponential_internal {

// lane_scale: for an exact scale > 0. Outside of [2^−900, 2^44] no lane is ever sure.
LaneScale lane_scale(const Rational& scale);

// KernelVariant: the loops for one instruction set. Each does what its lane function says for
// `count` lanes and returns whether some lane needs a closer look; the output of such a lane is
// meaningless.
// Requires  caller: this processor has the instruction set and rounds to nearest; outputs do not
//           overlap inputs.
struct KernelVariant {
  std::string_view name;
  bool (*round_signed)(const std::uint64_t* words, const double* fractions, std::int64_t* out,
                       std::size_t count, LaneScale c);
  bool (*floor_scaled)(const std::uint64_t* words, std::int64_t* out, std::size_t count,
                       LaneScale c);
  // out[i] = [E > x[i]].
  bool (*exceeds)(const std::uint64_t* words, const double* x, std::uint8_t* out, std::size_t count,
                  double error);
  // Whether some a[i] + c·E is not certain to be below `best`.
  bool (*reaches)(const std::uint64_t* words, const double* a, std::size_t count, LaneScale c,
                  double best);
};

// kernel_variants: those that this processor can run, the fastest first; never empty.
std::span<const KernelVariant> kernel_variants();

}  // namespace lastbit::exponential_internal
