#include "lastbit/core/domain.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "lastbit/base/error.h"

namespace lastbit {
namespace {

template <Number T>
T innermost_above(const Rational& bound);
template <Number T>
T innermost_below(const Rational& bound);

constexpr std::int64_t kMin64 = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax64 = std::numeric_limits<std::int64_t>::max();

// A bound beyond the type's range cuts nothing off; an interval entirely beyond it gets
// lower > upper, because both ends reach the same limit from different sides.
template <>
std::int64_t innermost_above(const Rational& bound) {
  const Integer whole = bound.ceil();
  if (whole.fits_int64()) return whole.to_int64();
  return whole.sign() < 0 ? kMin64 : kMax64;
}
template <>
std::int64_t innermost_below(const Rational& bound) {
  const Integer whole = bound.floor();
  if (whole.fits_int64()) return whole.to_int64();
  return whole.sign() < 0 ? kMin64 : kMax64;
}
template <>
double innermost_above(const Rational& bound) {
  return bound.up() + 0.0;  // never −0.0
}
template <>
double innermost_below(const Rational& bound) {
  return bound.down() + 0.0;
}
template <>
Rational innermost_above(const Rational& bound) {
  return bound;
}
template <>
Rational innermost_below(const Rational& bound) {
  return bound;
}

Rational exact(std::int64_t value) { return Rational(value); }
Rational exact(double value) { return Rational::exactly(value); }
Rational exact(const Rational& value) { return value; }

std::string_view plural(std::int64_t) { return "integers"; }
std::string_view plural(double) { return "doubles"; }
std::string_view plural(const Rational&) { return "rationals"; }

template <Number T>
bool inside(const T& value, const Rational& lower, const Rational& upper) {
  if constexpr (std::same_as<T, double>) {
    if (!std::isfinite(value)) return false;
  }
  return lower <= exact(value) && exact(value) <= upper;
}

}  // namespace

template <>
std::string AllDomain<std::int64_t>::describe() const {
  return "integers";
}
template <>
std::string AllDomain<bool>::describe() const {
  return "booleans";
}
template <>
std::string AllDomain<std::string>::describe() const {
  return "strings";
}
template <>
std::string AllDomain<Rational>::describe() const {
  return "rationals";
}
std::string AllDomain<double>::describe() const {
  return nan_ == Nan::kAllowed ? "doubles or NaN" : "doubles";
}

template <Number T>
IntervalDomain<T>::IntervalDomain(const Rational& lower, const Rational& upper)
    : lower_(innermost_above<T>(lower)), upper_(innermost_below<T>(upper)) {
  if (lower > upper) {
    throw Error::bad_parameter(
        "interval", "lower",
        fmt::format("({}) is above upper ({})", lower.to_string(), upper.to_string()),
        "give the smaller bound first");
  }
  if (!inside(lower_, lower, upper) || !inside(upper_, lower, upper)) {
    throw Error::bad_parameter("interval", "lower",
                               fmt::format("and upper have none of the {} between them ({} to {})",
                                           plural(lower_), lower.to_string(), upper.to_string()),
                               "widen the interval, or use a type that has values there");
  }
}

template <Number T>
Rational IntervalDomain<T>::width() const {
  return exact(upper_) - exact(lower_);
}

template <Number T>
Rational IntervalDomain<T>::magnitude() const {
  return std::max(abs(exact(lower_)), abs(exact(upper_)));
}

template <Number T>
std::string IntervalDomain<T>::describe() const {
  return fmt::format("{} in [{}, {}]", plural(lower_), exact(lower_).to_string(),
                     exact(upper_).to_string());
}

template class IntervalDomain<std::int64_t>;
template class IntervalDomain<double>;
template class IntervalDomain<Rational>;

bool GridDomain::contains(const Rational& value) const {
  return (value / grid_.spacing()).is_integer();
}

bool GridDomain::includes(const GridDomain& other) const {
  return grid_.exponent() <= other.grid_.exponent();
}

std::string GridDomain::describe() const {
  return fmt::format("multiples of 2^{}", grid_.exponent());
}

IntervalDomain<double> interval(double lower, double upper) {
  const auto finite = [](double bound, std::string_view name) {
    if (std::isfinite(bound)) return Rational::exactly(bound);
    throw Error::bad_parameter("interval", name, "is NaN or infinite",
                               "give a finite bound, or use doubles() for all of them");
  };
  return {finite(lower, "lower"), finite(upper, "upper")};
}

}  // namespace lastbit
