#include "lastbit/core/metric.h"

namespace lastbit {

Distance absolute_difference(double x, double y) {
  if (identical(x, y)) return 0;
  if (!std::isfinite(x) || !std::isfinite(y)) return Distance::infinity();
  return abs(Rational::exactly(x) - Rational::exactly(y));
}

Distance absolute_difference(std::int64_t x, std::int64_t y) {
  return Rational(abs(Integer(x) - Integer(y)));
}

Distance absolute_difference(const Rational& x, const Rational& y) { return abs(x - y); }

}  // namespace lastbit
