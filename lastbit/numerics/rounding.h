// Rounding: in which direction a number is rounded, and how the processor rounds doubles.
#pragma once

#include <cfenv>
#include <optional>
#include <string_view>

#include "lastbit/numerics/integer.h"
#include "lastbit/numerics/rational.h"

namespace lastbit {

enum class Rounding { kNearestEven, kDown, kUp, kTowardZero };

// rounded: the nearest whole number in the given direction; kNearestEven takes the even one of two
// that are equally near.
Integer rounded(const Rational& value, Rounding rounding);

// rounds_to_nearest: whether this thread's processor rounds sums of doubles to nearest, which it
// does unless a program changes the mode.
bool rounds_to_nearest();
// require_rounding_to_nearest: refuses any other mode; the Error names `place`.
// Fails     kNotSupported. This depends only on the process, never on data.
void require_rounding_to_nearest(std::string_view place);

// NearestRounding: while it lives, this thread rounds to the nearest double; afterwards, as before.
// For calls into libraries whose results would depend on the mode.
class NearestRounding {
 public:
  NearestRounding();
  NearestRounding(const NearestRounding&) = delete;
  NearestRounding& operator=(const NearestRounding&) = delete;
  ~NearestRounding();

 private:
  std::optional<std::fenv_t> before_;  // empty if nothing had to change
};

}  // namespace lastbit
