// Columns as they come: integers, doubles with NaN, and either with nulls; and the first links of
// every chain, which turn them into bounded rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "lastbit/core/chain.h"
#include "lastbit/statistics/request.h"
#include "lastbit/transformations/rows/clamp.h"
#include "lastbit/transformations/rows/impute.h"
#include "lastbit/transformations/rows/resize.h"
#include "lastbit/transformations/rows/row_transform.h"

namespace lastbit {

// PresentType<Row>: the type of a row that is not null.
template <class Row>
struct PresentTypeOf {
  using type = Row;
};
template <class T>
struct PresentTypeOf<std::optional<T>> {
  using type = T;
};
template <class Row>
using PresentType = typename PresentTypeOf<Row>::type;

template <class T>
inline constexpr bool is_number_pair = false;
template <SummableRow T, SummableRow U>
inline constexpr bool is_number_pair<std::pair<T, U>> = true;

// NumberRow: int64, double, or an optional one. CategoryRow: int64, bool, string, or an optional one.
// PairRow: a pair of int64 or double, or an optional one.
template <class Row>
concept NumberRow = SummableRow<PresentType<Row>>;
template <class Row>
concept CategoryRow = Atom<PresentType<Row>> && !std::same_as<PresentType<Row>, double> &&
                      !std::same_as<PresentType<Row>, Rational>;
template <class Row>
concept PairRow = is_number_pair<PresentType<Row>>;

namespace statistics_internal {

// any_value: every value of the type, including NaN.
template <class T>
auto any_value() {
  if constexpr (std::same_as<T, double>) {
    return doubles_or_nan();
  } else if constexpr (Atom<T>) {
    return AllDomain<T>();
  } else {
    return pair_of(any_value<typename T::first_type>(), any_value<typename T::second_type>());
  }
}

template <class Row>
auto column_domain() {
  if constexpr (std::same_as<Row, PresentType<Row>>) {
    return vector_of(any_value<Row>());
  } else {
    return vector_of(optional_of(any_value<PresentType<Row>>()));
  }
}

// is_nan: of a number, or of either number of a pair.
template <class T>
bool is_nan(const T& value) {
  if constexpr (std::same_as<T, double>) {
    return std::isnan(value);
  } else if constexpr (Atom<T>) {
    return false;
  } else {
    return is_nan(value.first) || is_nan(value.second);
  }
}

// without_nan: every value of the type except NaN.
template <class T>
auto without_nan() {
  if constexpr (Atom<T>) {
    return AllDomain<T>();
  } else {
    return pair_of(without_nan<typename T::first_type>(), without_nan<typename T::second_type>());
  }
}

// nulls_marked: NaN becomes null, so that there is one kind of missing value.
template <class Row>
auto nulls_marked() {
  using T = PresentType<Row>;
  return make_row_transform(column_domain<Row>(), SymmetricDistance{},
                            optional_of(without_nan<T>()), [](const Row& row) -> std::optional<T> {
                              if constexpr (std::same_as<Row, T>) {
                                return is_nan(row) ? std::nullopt : std::optional<T>(row);
                              } else {
                                return row && is_nan(*row) ? std::nullopt : row;
                              }
                            });
}

// present_rows: the rows that have a value.
template <class Row>
auto present_rows() {
  return nulls_marked<Row>() >> make_drop_null();
}

// present_rows, by a policy. A constant that is not a double is replaced by the double below it.
template <NumberRow Row>
auto present_rows(std::string_view place, const Nulls& nulls) {
  using T = PresentType<Row>;
  const auto& value = nulls.value();
  if (!value) return present_rows<Row>();
  T constant{};
  if constexpr (std::same_as<T, double>) {
    constant = value->down();
  } else {
    constant = exact_number<T>(*value, place, "nulls");
  }
  return nulls_marked<Row>() >> make_impute_constant(constant);
}

// bounds_of: the bounds as an interval of the column's type, which must hold two values.
template <SummableRow T>
IntervalDomain<T> bounds_of(std::string_view place, const Rational& lower, const Rational& upper) {
  require_bounds(place, lower, upper);
  IntervalDomain<T> bounds(lower, upper);
  require_width(place, bounds.width());
  return bounds;
}

// bounded_rows: the rows that have a value, clamped.
template <NumberRow Row>
auto bounded_rows(std::string_view place, const ColumnRequest& request) {
  const auto bounds = bounds_of<PresentType<Row>>(place, request.lower, request.upper);
  require_imputed(place, request.nulls, request.lower, request.upper);
  return present_rows<Row>(place, request.nulls) >> make_clamp(vector_of(bounds));
}

// exact_value: the number itself.
inline Rational exact_value(std::int64_t value) { return value; }
inline Rational exact_value(double value) { return Rational::exactly(value); }

// middle_of: a value of the type near the middle of the interval; missing rows count as this.
template <SummableRow T>
T middle_of(const IntervalDomain<T>& bounds) {
  const Rational middle = (exact_value(bounds.lower()) + exact_value(bounds.upper())) / Rational(2);
  if constexpr (std::same_as<T, double>) {
    return std::clamp(middle.down(), bounds.lower(), bounds.upper());
  } else {
    return middle.floor().to_int64();
  }
}

}  // namespace statistics_internal

template <class Row>
using ColumnDomain = decltype(statistics_internal::column_domain<Row>());

// paired: two columns as one column of pairs, null where either value is; rows beyond the shorter
// column are left out.
template <NumberRow A, NumberRow B>
auto paired(const std::vector<A>& first, const std::vector<B>& second) {
  using Pair = std::pair<PresentType<A>, PresentType<B>>;
  std::vector<std::optional<Pair>> pairs(std::min(first.size(), second.size()));
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::optional<PresentType<A>> a = first[i];
    const std::optional<PresentType<B>> b = second[i];
    if (a && b) pairs[i] = Pair(*a, *b);
  }
  return pairs;
}

}  // namespace lastbit
