// Rounding: in which direction a number is rounded, and how the processor rounds doubles.
#pragma once

#include <cfenv>
#include <optional>
#include <string_view>

#include "lastbit/numerics/integer.h"
#include "lastbit/numerics/rational.h"

namespace lastbit {

enum class Rounding { kNearestEven, kDown, kUp, kTowardZero };

// rounded: the whole number next to the value in the direction; kNearestEven takes the even one of
// two that are equally near.
Integer rounded(const Rational& value, Rounding rounding);

// rounds_to_nearest: whether this thread's processor rounds sums of doubles to the nearest, as it
// does unless a program changes that.
bool rounds_to_nearest();
// require_rounding_to_nearest: refuses any other mode, in the name of `place`.
// Fails     kNotSupported. It depends on the process alone and never on data.
void require_rounding_to_nearest(std::string_view place);

// NearestRounding: while it lives, this thread rounds to the nearest double; then as before. For
// calls into libraries whose results would depend on the mode.
class NearestRounding {
 public:
  NearestRounding();
  NearestRounding(const NearestRounding&) = delete;
  NearestRounding& operator=(const NearestRounding&) = delete;
  ~NearestRounding();

 private:
  std::optional<std::fenv_t> before_;  // nothing where nothing had to change
};

}  // namespace lastbit
