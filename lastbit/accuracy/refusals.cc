#include "lastbit/accuracy/refusals.h"

#include <fmt/core.h>

#include "lastbit/base/error.h"

namespace lastbit::accuracy_internal {

void require_positive(std::string_view place, std::string_view parameter, const Rational& value) {
  if (value.sign() > 0) return;
  throw Error::bad_parameter(place, parameter,
                             fmt::format("({}) is not positive", value.to_string()),
                             "give a number above 0");
}

void require_moderate(std::string_view place, std::string_view parameter, const Rational& value) {
  constexpr int kMaxBits = 10'000;
  require_positive(place, parameter, value);
  if (value > Rational::two_to(-kMaxBits) && value < Rational::two_to(kMaxBits)) return;
  throw Error::bad_parameter(place, parameter,
                             fmt::format("is outside (2^-{}, 2^{})", kMaxBits, kMaxBits),
                             "give the statistic in other units");
}

void require_open_probability(std::string_view place, std::string_view parameter,
                              const Rational& value) {
  if (value.sign() > 0 && value < Rational(1)) return;
  throw Error::bad_parameter(place, parameter,
                             fmt::format("({}) is not between 0 and 1", value.to_string()),
                             value.sign() > 0 ? "give a probability below 1, such as 0.05"
                                              : "give a probability above 0, such as 0.05");
}

void require_positive_probability(std::string_view place, std::string_view parameter,
                                  const Rational& value) {
  if (value.sign() > 0 && value <= Rational(1)) return;
  throw Error::bad_parameter(
      place, parameter, fmt::format("({}) is outside (0, 1]", value.to_string()),
      value.sign() > 0 ? "give 1 or less" : "give a probability above 0, such as 0.05");
}

void require_ordered(std::string_view place, std::string_view lower_name, const Rational& lower,
                     const Rational& upper) {
  if (lower < upper) return;
  throw Error::bad_parameter(
      place, lower_name,
      fmt::format("({}) is not below its upper bound ({})", lower.to_string(), upper.to_string()),
      "give lower < upper");
}

void require_count(std::string_view place, std::string_view parameter, const Integer& count,
                   int least) {
  if (count >= Integer(least)) return;
  throw Error::bad_parameter(place, parameter,
                             fmt::format("({}) is below {}", count.to_string(), least),
                             fmt::format("give {} or more rows", least));
}

}  // namespace lastbit::accuracy_internal
