#include <fmt/core.h>

#include <algorithm>

#include "lastbit/base/error.h"
#include "lastbit/numerics/float.h"

namespace lastbit {
namespace {

constexpr std::int64_t kMostFloats = std::int64_t{1} << 20;
// Binades beyond this are refused, so that 2^low stays a small fraction.
constexpr std::int64_t kFarthest = std::int64_t{1} << 24;

}  // namespace

std::vector<Float> all_finite_floats(const FloatFormat& format) {
  const std::int64_t binades = 2 * format.emax() + 1;  // the subnormals count as one
  if (format.precision() > 20 || binades > (kMostFloats >> format.precision())) {
    throw Error(ErrorCode::kNotSupported, "all_finite_floats",
                fmt::format("the format has more than {} floats", kMostFloats),
                "choose fewer bits or a smaller emax");
  }
  std::vector<Float> floats;
  floats.reserve(static_cast<std::size_t>(binades) << format.precision());
  for (Float x = -Float::largest(format); x.is_finite(); x = next_up(x)) {
    floats.push_back(x.is_zero() ? Float(format) : x);
  }
  return floats;
}

std::vector<Float> positive_floats(const FloatFormat& format, std::int64_t low, std::int64_t high) {
  const std::int64_t least = format.is_bounded() ? std::max(format.emin(), -kFarthest) : -kFarthest;
  const std::int64_t most = format.is_bounded() ? std::min(format.emax(), kFarthest) : kFarthest;
  if (low > high || low < least || high > most) {
    throw Error::bad_parameter("positive_floats", "low", "and `high` are not a range of the format",
                               "give exponents of normal floats, the smaller first");
  }
  const int bits = format.precision() - 1;
  if (bits > 20 || high - low + 1 > (kMostFloats >> bits)) {
    throw Error::bad_parameter("positive_floats", "high",
                               fmt::format("gives more than {} floats", kMostFloats),
                               "choose fewer bits or fewer binades");
  }
  const auto count = static_cast<std::size_t>(high - low + 1) << bits;
  std::vector<Float> floats;
  floats.reserve(count);
  Float x = Float::from(Rational::two_to(low), format);
  while (floats.size() < count) {
    floats.push_back(x);
    x = next_up(x);
  }
  return floats;
}

}  // namespace lastbit
