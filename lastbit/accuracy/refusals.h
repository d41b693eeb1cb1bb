// The checks that this module shares. Each Error names the parameter and the remedy.
#pragma once

#include <string_view>

#include "lastbit/numerics/rational.h"

namespace lastbit::accuracy_internal {

// All throw kBadParameter. `place` is the function that was called.
void require_positive(std::string_view place, std::string_view parameter, const Rational& value);
// 2^−10000 < value < 2^10000, which leaves room for scales and grids.
void require_moderate(std::string_view place, std::string_view parameter, const Rational& value);
// 0 < value < 1.
void require_open_probability(std::string_view place, std::string_view parameter,
                              const Rational& value);
// 0 < value ≤ 1.
void require_positive_probability(std::string_view place, std::string_view parameter,
                                  const Rational& value);
void require_ordered(std::string_view place, std::string_view lower_name, const Rational& lower,
                     const Rational& upper);
// count ≥ least.
void require_count(std::string_view place, std::string_view parameter, const Integer& count,
                   int least);

}  // namespace lastbit::accuracy_internal
