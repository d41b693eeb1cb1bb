#include "lastbit/transformations/aggregates/sum.h"

#include "lastbit/base/error.h"
#include "lastbit/numerics/rounding.h"
#include "lastbit/transformations/aggregates/sum_kernel.h"

namespace lastbit {
namespace {

// Fewer than 2^63 rows of magnitude at most 2^63 sum to less than 2^126.
template <SummableRow T>
Int128 sum_one_by_one(const GridRows<T>& grid_rows, std::span<const T> rows) {
  Int128 sum = 0;
  for (const T row : rows) sum += grid_rows.index(row);
  return sum;
}

template <SummableRow T>
Int128 sum_of_indices(const GridRows<T>& grid_rows, std::span<const T> rows) {
  if constexpr (std::same_as<T, double>) {
    if (sum_internal::fits_kernel(grid_rows)) {
      return sum_internal::kernel_variants().front().sum(rows,
                                                         sum_internal::kernel_task(grid_rows));
    }
  }
  return sum_one_by_one(grid_rows, rows);
}

}  // namespace

template <SummableRow T>
void ExactSum<T>::add(std::span<const T> rows) {
  // Before any row is read, so that the refusal reveals nothing about the rows.
  if constexpr (std::same_as<T, double>) require_rounding_to_nearest("exact sum");
  index_ += Integer(sum_of_indices(rows_, rows));
}

template <SummableRow T>
void ExactSum<T>::merge(const ExactSum& other) {
  if (!(rows_ == other.rows_)) {
    throw Error(ErrorCode::kMismatch, "exact sum",
                "the two sums to merge have different bounds or grids",
                "make every part of one sum with the same bounds and grid");
  }
  index_ += other.index_;
}

template class ExactSum<std::int64_t>;
template class ExactSum<double>;

}  // namespace lastbit
