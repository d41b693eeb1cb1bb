#include "lastbit/transformations/rows/grid_rows.h"

#include <fmt/core.h>

#include <algorithm>

#include "lastbit/base/error.h"

namespace lastbit {
namespace {

std::int64_t checked_index(std::string_view place, const IntervalDomain<double>& rows, Grid grid,
                           double bound) {
  const Integer index = grid.nearest_index(bound);
  if (index.bit_length() <= GridRows<double>::kMaxIndexBits) return index.to_int64();
  // With spacing at least magnitude·2^-61 no multiple exceeds 2^61.
  const Grid coarser = Grid::at_least(rows.magnitude() * Rational::two_to(-61));
  throw Error::bad_parameter(
      place, "grid",
      fmt::format("(2^{}) is too fine for {}: a row would need {} bits, and {} are there",
                  grid.exponent(), rows.describe(), index.bit_length(),
                  GridRows<double>::kMaxIndexBits),
      fmt::format("use a grid of 2^{} or coarser", coarser.exponent()));
}

std::int64_t checked_index(std::string_view place, const IntervalDomain<std::int64_t>&, Grid grid,
                           std::int64_t bound) {
  if (grid.exponent() == 0) return bound;
  throw Error::bad_parameter(place, "grid",
                             fmt::format("(2^{}) is given for integers", grid.exponent()),
                             "integers are summed as they are, on the grid 2^0");
}

}  // namespace

Grid default_grid(const IntervalDomain<std::int64_t>&) { return Grid(0); }

Grid default_grid(const IntervalDomain<double>& rows) {
  const Rational scale =
      std::max(rows.width() * Rational::two_to(-40), rows.magnitude() * Rational::two_to(-50));
  return scale.sign() > 0 ? Grid::at_least(scale) : Grid(0);
}

template <SummableRow T>
GridRows<T>::GridRows(std::string_view place, const IntervalDomain<T>& rows, Grid grid)
    : rows_(rows),
      grid_(grid),
      lower_index_(checked_index(place, rows, grid, rows.lower())),
      upper_index_(checked_index(place, rows, grid, rows.upper())) {}

template <SummableRow T>
Rational GridRows<T>::magnitude() const {
  return std::max(abs(lower()), abs(upper()));
}

template class GridRows<std::int64_t>;
template class GridRows<double>;

}  // namespace lastbit
