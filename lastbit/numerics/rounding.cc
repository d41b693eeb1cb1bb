#include "lastbit/numerics/rounding.h"

#include <string>

#include "lastbit/base/error.h"

namespace lastbit {

Integer rounded(const Rational& value, Rounding rounding) {
  switch (rounding) {
    case Rounding::kDown:
      return value.floor();
    case Rounding::kUp:
      return value.ceil();
    case Rounding::kTowardZero:
      return value.sign() < 0 ? value.ceil() : value.floor();
    case Rounding::kNearestEven:
      break;
  }
  const Integer below = value.floor();
  const Rational part = value - Rational(below);
  const Rational half(1, 2);
  const bool is_even = floor_mod(below, Integer(2)).sign() == 0;
  return part < half || (part == half && is_even) ? below : below + Integer(1);
}

// Adding far less than half a unit in the last place moves 1 up only when rounding up; subtracting
// it moves 1 down only when rounding down or to zero. (std::fegetround would not see a mode that
// was set for vector registers alone.)
bool rounds_to_nearest() {
  const volatile double one = 1.0;
  const volatile double tiny = 0x1p-60;
  return one + tiny == 1.0 && one - tiny == 1.0;
}

void require_rounding_to_nearest(std::string_view place) {
  if (rounds_to_nearest()) return;
  throw Error(ErrorCode::kNotSupported, std::string(place),
              "the processor does not round to nearest",
              "call std::fesetround(FE_TONEAREST) first");
}

NearestRounding::NearestRounding() {
  if (rounds_to_nearest()) return;
  std::fenv_t environment;
  const bool changed =
      std::fegetenv(&environment) == 0 && std::fesetround(FE_TONEAREST) == 0 && rounds_to_nearest();
  invariant(changed, "the rounding mode can be set");
  before_ = environment;
}

NearestRounding::~NearestRounding() {
  if (before_) std::fesetenv(&*before_);
}

}  // namespace lastbit
