#include "lastbit/statistics/moment_sums.h"

#include "lastbit/base/error.h"

namespace lastbit {
namespace {

Integer width_of(const IntervalDomain<std::int64_t>& bounds) {
  return Integer(bounds.upper()) - Integer(bounds.lower());
}

}  // namespace

void statistics_internal::require_narrow(std::string_view place,
                                         const IntervalDomain<std::int64_t>& bounds) {
  if (width_of(bounds).bit_length() <= 63) return;
  throw Error::bad_parameter(place, "bounds", "are 2^63 or more apart",
                             "clamp to narrower bounds before");
}

std::vector<Rational> square_sums(std::span<const std::int64_t> rows,
                                  const IntervalDomain<std::int64_t>& bounds) {
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  pairs.reserve(rows.size());
  for (const std::int64_t row : rows) pairs.emplace_back(row, row);
  const std::vector<Rational> corners = pair_corner_sums(pairs, bounds, bounds);
  return {corners[0], corners[1] + corners[2], corners[3]};
}

std::vector<Rational> pair_corner_sums(std::span<const std::pair<std::int64_t, std::int64_t>> rows,
                                       const IntervalDomain<std::int64_t>& first,
                                       const IntervalDomain<std::int64_t>& second) {
  std::vector<std::pair<std::int64_t, std::int64_t>> steps;
  steps.reserve(rows.size());
  Int128 first_sum = 0;  // fewer than 2^63 rows of less than 2^63 each stay below 2^126
  Int128 second_sum = 0;
  for (const auto& [x, y] : rows) {
    steps.emplace_back(x - first.lower(), y - second.lower());
    first_sum += steps.back().first;
    second_sum += steps.back().second;
  }
  const Integer both = product_sum(steps);
  const Integer right = Integer(first_sum) * width_of(second) - both;
  const Integer above = width_of(first) * Integer(second_sum) - both;
  const Integer all = Integer(rows.size()) * width_of(first) * width_of(second);
  return {Rational(all - right - above - both), Rational(above), Rational(right), Rational(both)};
}

}  // namespace lastbit
