#include "lastbit/statistics/corner_sums.h"

namespace lastbit {

std::vector<Rational> corner_sums(std::span<const std::int64_t> rows, std::int64_t lower,
                                  std::int64_t upper) {
  // Fewer than 2^63 rows of less than 2^63 each stay below 2^126.
  Int128 from_lower = 0;
  for (const std::int64_t row : rows) from_lower += static_cast<Int128>(row) - lower;
  const Int128 width = static_cast<Int128>(upper) - lower;
  const Int128 both = width * static_cast<Int128>(rows.size());
  return {Rational(Integer(from_lower)), Rational(Integer(both - from_lower))};
}

}  // namespace lastbit
