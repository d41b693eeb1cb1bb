// Values that the caller gives for private rows: a default, a padding, a category.
//
// A literal has the C++ type that is easiest to write (5, "north", rational("1/2")) and the rows
// have theirs (std::int64_t, std::string, double). The functions here convert one into the other
// without rounding: a number that the row's type does not have is refused, never replaced by a
// neighbour. Everything here looks at public parameters only.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "lastbit/base/error.h"
#include "lastbit/core/domain.h"
#include "lastbit/core/metric.h"
#include "lastbit/numerics/rational.h"

namespace lastbit {

// DatasetSpace: a vector domain of either kind with one of the four metrics defined on it.
template <class D, class M>
concept DatasetSpace = DatasetDomain<D> && DatasetMetric<M> && MetricOn<M, D>;

// NumberDomain: all numbers of a type, or those of an interval. Every value between two members is
// a member too.
template <class D>
inline constexpr bool is_number_domain = false;
template <Number T>
inline constexpr bool is_number_domain<AllDomain<T>> = true;
template <Number T>
inline constexpr bool is_number_domain<IntervalDomain<T>> = true;
template <class D>
concept NumberDomain = Domain<D> && is_number_domain<D>;

// stands_for<V, Row>: a literal of type V may be given for a row of type Row. Whole numbers and
// rationals stand for every type of number, text for strings, a row for an optional row.
template <class V, class Row>
inline constexpr bool stands_for =
    std::same_as<V, Row> || (std::integral<V> && !std::same_as<V, bool> && Number<Row>) ||
    (std::same_as<V, Rational> && Number<Row>) ||
    (std::same_as<Row, std::string> && std::convertible_to<const V&, std::string_view>);
template <class V, class Row>
inline constexpr bool stands_for<V, std::optional<Row>> =
    std::same_as<V, std::optional<Row>> || std::same_as<V, std::nullopt_t> || stands_for<V, Row>;

template <class V, class Row>
concept RowValue = stands_for<std::remove_cvref_t<V>, Row>;

// exact_number: `value` as a T; kBadParameter when T does not have it.
template <Number T>
T exact_number(const Rational& value, std::string_view place, std::string_view parameter) {
  if constexpr (std::same_as<T, Rational>) {
    return value;
  } else if constexpr (std::same_as<T, double>) {
    // The largest double below and the smallest above are one finite number only if exact.
    if (const double nearest = value.down(); nearest == value.up()) return nearest;
    throw Error::bad_parameter(place, parameter, "(" + value.to_string() + ") is not a double",
                               "give a number that 53 bits can hold, or a double");
  } else {
    if (value.is_integer() && value.floor().fits_int64()) return value.floor().to_int64();
    throw Error::bad_parameter(place, parameter,
                               "(" + value.to_string() + ") is not an integer of 64 bits",
                               "give a whole number from -2^63 to 2^63 - 1");
  }
}

// row_value: the literal `value` as a Row; kBadParameter when the type does not have that number.
template <class Row, RowValue<Row> V>
Row row_value(const V& value, std::string_view place, std::string_view parameter) {
  if constexpr (std::same_as<V, Row> || std::same_as<V, std::nullopt_t>) {
    return value;
  } else if constexpr (std::same_as<Row, std::string>) {
    return std::string(std::string_view(value));
  } else if constexpr (Number<Row>) {
    return exact_number<Row>(Rational(value), place, parameter);
  } else {
    return row_value<typename Row::value_type>(value, place, parameter);
  }
}

// row_value_of: as above, and a member of `element`; kBadParameter when it is not.
template <Domain E, RowValue<CarrierOf<E>> V>
CarrierOf<E> row_value_of(const E& element, const V& value, std::string_view place,
                          std::string_view parameter) {
  const auto row = row_value<CarrierOf<E>>(value, place, parameter);
  if (element.contains(row)) return row;
  throw Error::bad_parameter(place, parameter, "is not one of the " + element.describe(),
                             "give a member of the rows' domain, or declare a wider domain");
}

// kept_value: a literal in a form that outlives the call, for steps that are applied later.
template <class V>
auto kept_value(const V& value) {
  if constexpr (std::convertible_to<const V&, std::string_view>) {
    return std::string(std::string_view(value));
  } else {
    return value;
  }
}

}  // namespace lastbit
