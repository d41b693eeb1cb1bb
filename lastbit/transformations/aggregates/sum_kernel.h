// The inner loop of the exact sum of doubles: clamp, scale by a power of two, round, add.
//
// Adding 1.5·2^52 to a double of magnitude up to 2^51 rounds it to a whole number and leaves that
// number in the low bits, where whole-number addition is exact and its order does not matter. The
// loop exists once and is compiled for several instruction sets; all give the same bits.
// Proof: proofs/transformations-aggregates.md#sum-kernel
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "lastbit/numerics/integer.h"
#include "lastbit/transformations/rows/grid_rows.h"

namespace lastbit::sum_internal {

// KernelTask: what happens to each row; made by kernel_task only.
struct KernelTask {
  double lower;
  double upper;
  double scale;  // 2^-exponent of the grid
};

// fits_kernel: the bounds and the grid are in the range the kernel is proved for.
bool fits_kernel(const GridRows<double>& rows);
// kernel_task: the task for rows that fit.
KernelTask kernel_task(const GridRows<double>& rows);

// KernelVariant: the loop compiled for one instruction set.
// Requires  caller: this processor has the instruction set; task is a kernel_task; the processor
//           rounds to nearest, which ExactSum::add checks.
// Ensures   the sum of GridRows::index over all rows, exactly.
struct KernelVariant {
  std::string_view name;
  Int128 (*sum)(std::span<const double> rows, const KernelTask& task);
};

// kernel_variants: those that this processor can run, the fastest first; never empty.
std::span<const KernelVariant> kernel_variants();

}  // namespace lastbit::sum_internal
