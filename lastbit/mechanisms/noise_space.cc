#include "lastbit/mechanisms/noise_space.h"

namespace lastbit::mechanism_internal {

Rational scale_for(std::string_view place, const Rational& epsilon, const Rational& sensitivity) {
  if (epsilon.sign() <= 0) {
    throw Error::bad_parameter(place, "epsilon", "(" + epsilon.to_string() + ") is not positive",
                               "give an epsilon above 0");
  }
  if (sensitivity.sign() <= 0) {
    throw Error::bad_parameter(place, "sensitivity",
                               "(" + sensitivity.to_string() + ") is not positive",
                               "give the distance of neighbouring inputs, above 0");
  }
  return sensitivity / epsilon;
}

void require_scale(std::string_view place, const Rational& scale) {
  if (scale.sign() > 0) return;
  throw Error::bad_parameter(place, "scale", "(" + scale.to_string() + ") is not positive",
                             "give a scale above 0; a larger one hides more");
}

}  // namespace lastbit::mechanism_internal
