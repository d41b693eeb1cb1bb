// Casting: rows of one type to rows of another, null where the value has no counterpart.
//
// One rule for all: the result is optional, even where nothing can fail, and null means that the
// target type has no such value. Numbers are never rounded; only decimal text is read as the
// nearest double, because decimals are rarely doubles. No locale is consulted.
//
//   from \ to  integer                double                 boolean          string
//   integer    itself                 if it is exact         0 and 1 only     decimal digits
//   double     if whole and in range  itself                 0 and 1 only     shortest decimal that
//              (−0.0 gives 0)                                (−0.0 is false)  reads back, inf, -inf
//   boolean    0 or 1                 0 or 1                 itself           true or false
//   string     decimal digits, maybe  decimal or scientific  true and false   itself
//              a minus, in range      notation, inf, -inf    in any case,
//                                                            1 and 0
//
// A NaN becomes null in every cast, and no text becomes a NaN. Text counts only as a whole: spaces,
// a plus sign, digit separators, hexadecimal and numbers beyond the type's range (including those
// so near to zero that the nearest double would be zero) give null.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>

#include "lastbit/core/chain.h"
#include "lastbit/transformations/rows/impute.h"
#include "lastbit/transformations/rows/row_transform.h"

namespace lastbit {

// CastType: the types that can be cast to each other.
template <class T>
concept CastType = std::same_as<T, std::int64_t> || std::same_as<T, double> ||
                   std::same_as<T, bool> || std::same_as<T, std::string>;

// cast_value: one value by the table above. Pure and total.
template <CastType To, CastType From>
std::optional<To> cast_value(const From& value);

// make_cast
// Casts every row to To by the table above.
// Requires  typed: vectors of integers, doubles, booleans or strings, a dataset metric.  checked:
//           nothing.  caller: nothing.
// Ensures   map(d_in) = d_in, for each of the four dataset metrics; the rows become
//           OptionalDomain<AllDomain<To>>, doubles without NaN.
// Fails     never; what cannot be cast is null.
// Proof     proofs/transformations-rows.md#cast
template <CastType To, class D, class M>
  requires(DatasetSpace<D, M> && CastType<RowOf<D>>)
auto make_cast(const D& domain, const M& metric) {
  return rows_internal::row_by_row(
      "cast", domain, metric, optional_of(AllDomain<To>()),
      [](const RowOf<D>& row) { return cast_value<To, RowOf<D>>(row); });
}

// make_cast, step form: for the rows it meets in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/transformations-rows.md#cast
template <CastType To>
auto make_cast() {
  return Step{[]<class D, class M>(const D& domain, const M& metric)
                requires(DatasetSpace<D, M> && CastType<RowOf<D>>)
              { return make_cast<To>(domain, metric); }};
}

// make_cast_or
// Casts every row to To, and puts `otherwise` where that gives null: make_cast, then
// make_impute_constant.
// Requires  typed: as make_cast, and a literal for To.  checked: otherwise is a value of To and not
//           NaN, else kBadParameter.  caller: nothing.
// Ensures   map(d_in) = d_in, for each of the four dataset metrics; the rows become AllDomain<To>.
// Fails     never.
// Proof     proofs/transformations-rows.md#cast
template <CastType To, class D, class M, RowValue<To> V>
  requires(DatasetSpace<D, M> && CastType<RowOf<D>>)
auto make_cast_or(const D& domain, const M& metric, const V& otherwise) {
  const auto value = row_value_of(AllDomain<To>(), otherwise, "make_cast_or", "otherwise");
  return make_cast<To>(domain, metric) >> make_impute_constant(value);
}

// make_cast_or, step form: for the rows it meets in a chain.
// Requires  as the full form; otherwise is checked at once.
// Ensures   as the full form.
// Proof     proofs/transformations-rows.md#cast
template <CastType To, RowValue<To> V>
auto make_cast_or(const V& otherwise) {
  return Step{
      [value = row_value_of(AllDomain<To>(), otherwise, "make_cast_or",
                            "otherwise")]<class D, class M>(const D& domain, const M& metric)
        requires(DatasetSpace<D, M> && CastType<RowOf<D>>)
      { return make_cast_or<To>(domain, metric, value); }};
}

}  // namespace lastbit
