#include "lastbit/transformations/rows/impute.h"

#include <algorithm>

#include "lastbit/base/error.h"

namespace lastbit::rows_internal {
namespace {

// Doubles are at least 2^−1074 apart.
constexpr int kFinestExponent = -1074;
// All whole numbers up to 2^53 are doubles; 2^53 + 1 is not.
constexpr std::int64_t kLargestIndex = std::int64_t{1} << 53;

Error not_doubles() {
  return Error::bad_parameter("make_impute_uniform", "grid",
                              "has points between lower and upper that are not doubles",
                              "use a coarser grid, or bounds nearer to zero");
}

double require_double(const Rational& value) {
  const double nearest = value.down();
  if (nearest != value.up()) throw not_doubles();
  return nearest;
}

}  // namespace

UniformGridPoint::UniformGridPoint(const Rational& lower, const Rational& upper, const Grid& grid) {
  if (lower > upper) {
    throw Error::bad_parameter(
        "make_impute_uniform", "lower",
        "(" + lower.to_string() + ") is above upper (" + upper.to_string() + ")",
        "give the smaller bound first");
  }
  const Integer first = grid.ceil_index(lower);
  const Integer last = grid.floor_index(upper);
  if (first > last) {
    throw Error::bad_parameter("make_impute_uniform", "grid",
                               "has no point between lower and upper",
                               "use a finer grid, or a wider interval");
  }
  // A single point need not have a small index: it is held as 1 · point.
  if (first == last) {
    first_ = last_ = 1;
    spacing_ = require_double(grid.point(first));
    return;
  }
  // Of two neighbours one index is odd, so this is also necessary.
  if (grid.exponent() < kFinestExponent || std::max(abs(first), abs(last)) > kLargestIndex) {
    throw not_doubles();
  }
  first_ = first.to_int64();
  last_ = last.to_int64();
  // The ends are the largest in magnitude: if they are finite, so are the points between.
  require_double(grid.point(first));
  require_double(grid.point(last));
  spacing_ = require_double(grid.spacing());
}

}  // namespace lastbit::rows_internal
