// GridRows: rows of an interval as whole multiples of a public power of two.
//
// Sums of doubles depend on the order of the rows, sums of whole numbers do not. So every aggregate
// here first puts each row on a grid, at the nearest multiple with ties toward +∞, and calculates
// with the multiples. Integer rows are their own multiples of 2^0.
// Proof: proofs/transformations-aggregates.md#on-the-grid
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include "lastbit/core/domain.h"
#include "lastbit/numerics/grid.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/transformations/rows/row_value.h"

namespace lastbit {

// SummableRow: the types of rows that can be put on a grid.
template <class T>
concept SummableRow = std::same_as<T, std::int64_t> || std::same_as<T, double>;

// IntervalDataset: bounded rows with a dataset metric, the input of sums and means.
template <class D>
inline constexpr bool is_summable_interval = false;
template <SummableRow T>
inline constexpr bool is_summable_interval<IntervalDomain<T>> = true;
template <class D, class M>
concept IntervalDataset = DatasetSpace<D, M> && is_summable_interval<ElementOf<D>>;
template <class D, class M>
concept SizedIntervalDataset = IntervalDataset<D, M> && SizedDomain<D>;
// DoubleDataset: those of them that need a grid.
template <class D, class M>
concept DoubleDataset = IntervalDataset<D, M> && std::same_as<RowOf<D>, double>;

// default_grid: the grid used when none is given. For integers 2^0. For doubles the smallest power
// of two that is at least 2^-40 of the interval's width and at least 2^-50 of its magnitude: far
// below any noise, and always on the fast path of the sum. The interval [0, 0] gets 2^0.
Grid default_grid(const IntervalDomain<std::int64_t>& rows);
Grid default_grid(const IntervalDomain<double>& rows);

// Requires  checked: the multiples at the bounds have at most kMaxIndexBits bits; integer rows have
//           the grid 2^0; else kBadParameter naming `place` and `grid`.
// Ensures   lower_index() ≤ index(row) ≤ upper_index() for every row of the type, members or not:
//           NaN counts as the lower bound, a value out of range as the nearer bound. Both bounds
//           are attained.
// Fails     index never fails.
template <SummableRow T>
class GridRows {
 public:
  static constexpr std::size_t kMaxIndexBits = 62;

  GridRows(std::string_view place, const IntervalDomain<T>& rows, Grid grid);

  const IntervalDomain<T>& rows() const { return rows_; }
  const Grid& grid() const { return grid_; }
  std::int64_t lower_index() const { return lower_index_; }
  std::int64_t upper_index() const { return upper_index_; }
  // lower, upper: the bounds after they are put on the grid. width, magnitude: of those.
  Rational lower() const { return grid_.point(lower_index_); }
  Rational upper() const { return grid_.point(upper_index_); }
  Rational width() const { return upper() - lower(); }
  Rational magnitude() const;

  // index: the multiple nearest to the row.
  std::int64_t index(T row) const {
    const T above = row > rows_.lower() ? row : rows_.lower();  // NaN compares false
    const T within = above < rows_.upper() ? above : rows_.upper();
    if constexpr (std::same_as<T, double>) {
      return grid_.nearest_index_int64(within);
    } else {
      return within;
    }
  }
  // offset: index(row) − lower_index(), which is never negative.
  std::uint64_t offset(T row) const {
    return static_cast<std::uint64_t>(index(row)) - static_cast<std::uint64_t>(lower_index_);
  }
  // max_offset: the largest offset of any row.
  std::uint64_t max_offset() const {
    return static_cast<std::uint64_t>(upper_index_) - static_cast<std::uint64_t>(lower_index_);
  }

  friend bool operator==(const GridRows& a, const GridRows& b) {
    return a.rows_ == b.rows_ && a.grid_.exponent() == b.grid_.exponent();
  }

 private:
  IntervalDomain<T> rows_;
  Grid grid_;
  std::int64_t lower_index_;
  std::int64_t upper_index_;
};

extern template class GridRows<std::int64_t>;
extern template class GridRows<double>;

}  // namespace lastbit
